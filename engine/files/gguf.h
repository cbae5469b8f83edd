#pragma once

#include "files/modelfile.h"

namespace kvasir {

/// A GGUF file (version 2 or 3, little-endian) behind a read-only mapping, or the several files that a model was split
/// into. Everything in it has been checked against the file's size when open() returns: all views are inside the file
/// and no two tensors overlap.
class GgufFile : public ModelFile {
public:
    /// Opens all files of a split model, whichever of them (NAME-00002-of-00005.gguf) is named.
    /// Errors: those of FileMap::open (also of the other parts), NotAModelFile, Truncated, Malformed, Unsupported
    /// (version, byte order, tensor type).
    static Result<GgufFile> open(const std::string& path);
    /// The same for bytes that are mapped or borrowed already. Unsupported: they are one part of several.
    static Result<GgufFile> parse(FileMap map);

    /// Where the tensor data begins, in bytes from the start of the file that was named; offsets in it count from here.
    uint64_t dataOffset() const { return m_dataOffset; }

private:
    GgufFile(ModelFile file, uint64_t dataOffset);
    static Result<GgufFile> read(FileMap map, bool alone);

    uint64_t m_dataOffset = 0;
};

} // namespace kvasir
