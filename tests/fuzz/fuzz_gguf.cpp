#include "readgguf.h"

// Any bytes are parsed as a model file; what is accepted is read through and through.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    kvasir::testing::readWholeGguf(std::as_bytes(std::span(data, size)));
    return 0;
}
