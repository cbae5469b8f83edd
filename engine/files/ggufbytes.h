#pragma once

#include "files/modelfile.h"

#include <bit>
#include <cstring>
#include <optional>

// What the parser and the typed access to metadata share.

namespace kvasir::gguf {

static_assert(std::endian::native == std::endian::little, "values are copied from the file as they are");

template <class T> T load(const std::byte* source)
{
    T value;
    std::memcpy(&value, source, sizeof value);
    return value;
}

/// Bytes of one value; 0 for a string, nothing for a code that is no plain type.
std::optional<uint32_t> plainTypeSize(uint32_t code);

/// Text from a file as it may stand in a message: on one line, cut, with '?' for control characters and what is not
/// UTF-8.
std::string quoted(std::string_view text, size_t maxBytes = 80);
/// "a u32 value", "an array of 3 string values".
std::string describe(const GgufEntry& entry);
Failure malformed(const std::string& path, const std::string& what);

} // namespace kvasir::gguf
