#pragma once

#include "base/result.h"
#include "files/filemap.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kvasir {

/// One tensor of a safetensors file.
struct SafeTensor {
    std::string name;
    std::string dtype;               ///< as written: "F32", "BF16", "U8"
    std::vector<uint64_t> shape;     ///< outermost first; a row is the last one
    const std::byte* data = nullptr; ///< row by row; no alignment is promised
    size_t bytes = 0;

    uint64_t elements() const
    {
        uint64_t product = 1;
        for (const uint64_t size : shape) {
            product *= size;
        }
        return product;
    }
};

/// A safetensors file behind a read-only mapping. When open() returns, every tensor lies inside the file, its size is
/// that of its shape and type, and together they cover the data without gap or overlap, as the format demands.
/// Immutable; any thread may read it. Pointers stay valid when it is moved, and as long as its mapping lives.
class SafetensorsFile {
public:
    /// Errors: those of FileMap::open, NotAModelFile, Truncated, Malformed, Unsupported (type).
    static Result<SafetensorsFile> open(const std::string& path);
    /// The same for bytes that are mapped or borrowed already.
    static Result<SafetensorsFile> parse(FileMap map);

    const std::string& path() const { return m_map.path(); }
    const std::vector<SafeTensor>& tensors() const { return m_tensors; } ///< in the order of their data
    FileMap releaseMap() && { return std::move(m_map); }

private:
    explicit SafetensorsFile(FileMap map)
        : m_map(std::move(map))
    {
    }
    Result<void> readAll();

    FileMap m_map;
    std::vector<SafeTensor> m_tensors;
};

} // namespace kvasir
