#pragma once

#include "files/gguf.h"
#include "ggufwriter.h"

#include <cstdio>
#include <string>
#include <vector>

namespace kvasir::testing {

/// NAME-00001-of-0000N.gguf, ... for a model in `count` files.
inline std::string splitPath(const std::string& stem, size_t index, size_t count)
{
    char ending[64];
    std::snprintf(ending, sizeof ending, "-%05zu-of-%05zu.gguf", index + 1, count);
    return stem + ending;
}

/// An entry as it was read, for another file.
inline void copyEntry(GgufWriter& writer, const GgufEntry& entry)
{
    std::string bytes;
    if (entry.isArray) {
        bytes = rawBytes(static_cast<uint32_t>(entry.type)) + rawBytes(entry.count);
    }
    bytes.append(reinterpret_cast<const char*>(entry.data.data()), entry.data.size());
    writer.addRaw(entry.key, entry.isArray ? 9u : static_cast<uint32_t>(entry.type), bytes);
}

inline void copyTensor(GgufWriter& writer, const StoredTensor& tensor)
{
    writer.addTensor({std::string(tensor.name), static_cast<uint32_t>(tensor.type),
        {tensor.dims.begin(), tensor.dims.begin() + tensor.dimCount},
        std::string(reinterpret_cast<const char*>(tensor.data), tensor.bytes), {}});
}

/// A model in `count` files as llama.cpp's splitter writes them: all metadata in the first, about as many tensors in
/// each.
inline std::vector<GgufWriter> splitGguf(const GgufFile& file, size_t count)
{
    std::vector<GgufWriter> parts(count);
    for (const GgufEntry& entry : file.metadata()) {
        copyEntry(parts.front(), entry);
    }
    const size_t tensors = file.tensors().size();
    for (size_t part = 0; part < count; ++part) {
        parts[part].addRaw("split.no", 2, rawBytes(static_cast<uint16_t>(part)));
        parts[part].addRaw("split.count", 2, rawBytes(static_cast<uint16_t>(count)));
        parts[part].add("split.tensors.count", static_cast<int32_t>(tensors));
        for (size_t i = tensors * part / count; i < tensors * (part + 1) / count; ++i) {
            copyTensor(parts[part], file.tensors()[i]);
        }
    }
    return parts;
}

} // namespace kvasir::testing
