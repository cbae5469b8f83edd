#pragma once

#include "files/safetensors.h"

namespace kvasir::testing {

/// Parses `bytes` and, if they are accepted, touches both ends of every tensor. For the fuzzer and for tests under a
/// sanitizer. Returns a number made of what was read, so that nothing is optimised away; 0 where it was refused.
inline uint64_t readWholeSafetensors(std::span<const std::byte> bytes)
{
    const auto file = SafetensorsFile::parse(FileMap::borrow(bytes, "memory"));
    if (!file) {
        return 0;
    }
    uint64_t sum = 1;
    for (const SafeTensor& tensor : file->tensors()) {
        sum += tensor.name.size() + tensor.elements();
        if (tensor.bytes > 0) {
            sum += uint64_t(tensor.data[0]) + uint64_t(tensor.data[tensor.bytes - 1]);
        }
    }
    return sum;
}

} // namespace kvasir::testing
