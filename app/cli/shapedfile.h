#pragma once

#include "modelshapes.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kvasir::cli {

struct ShapedTensor {
    std::string name;
    TensorType type = TensorType::F32;
    uint64_t columns = 0;
    uint64_t rows = 0;   ///< 0: a vector
    uint64_t offset = 0; ///< in the file

    uint64_t bytes() const { return rowBytes(type, columns) * (rows > 0 ? rows : 1); }
};

/// A GGUF file (version 3) with a published model's numbers, all but its weights. Its vocabulary, of the kind that
/// sentencepiece makes, has the 256 bytes and placeholders: any text can be tokenized, into more tokens than usual.
struct ShapedFile {
    std::vector<std::byte> header;
    std::vector<ShapedTensor> tensors; ///< in the order of the file
    uint64_t bytes = 0;

    /// Matrices are of `type`, vectors F32. Error: BadArgument (rows that are no multiple of the type's block).
    static Result<ShapedFile> plan(const ModelShape& shape, TensorType type);
};

} // namespace kvasir::cli
