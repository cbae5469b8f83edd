#pragma once

#include "files/modelfile.h"

namespace kvasir {

/// One GGUF file by itself. All views are inside the mapping, no two tensors overlap; names may be there twice.
struct GgufPart {
    explicit GgufPart(FileMap ownMap)
        : map(std::move(ownMap))
    {
    }

    FileMap map;
    uint32_t version = 0;
    uint32_t alignment = 32;
    uint64_t dataOffset = 0;
    std::vector<GgufEntry> entries;
    std::vector<StoredTensor> tensors;
};

/// Errors: NotAModelFile, Truncated, Malformed, Unsupported (version, byte order, tensor type).
Result<GgufPart> readGgufPart(FileMap map);

} // namespace kvasir
