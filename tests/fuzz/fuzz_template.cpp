#include "rendertemplate.h"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (!kvasir::testing::rendersSafely({reinterpret_cast<const char*>(data), size})) {
        std::abort();
    }
    return 0;
}
