#include "splittext.h"

// The first byte picks a family, the rest is text; or it is an expression and a text to cut by it.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    kvasir::testing::splitFuzzInput({reinterpret_cast<const char*>(data), size});
    return 0;
}
