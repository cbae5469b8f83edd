#include "readsafetensors.h"

// Any bytes are parsed as a safetensors file; what is accepted is read through.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    kvasir::testing::readWholeSafetensors(std::as_bytes(std::span(data, size)));
    return 0;
}
