#pragma once

#include "base/result.h"
#include "files/filemap.h"
#include "quant/tensortype.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kvasir {

/// Types of metadata values; the numbers are the format's. Arrays are marked in GgufEntry.
enum class GgufType : uint32_t {
    Uint8 = 0,
    Int8 = 1,
    Uint16 = 2,
    Int16 = 3,
    Uint32 = 4,
    Int32 = 5,
    Float32 = 6,
    Bool = 7,
    String = 8,
    Uint64 = 10,
    Int64 = 11,
    Float64 = 12,
};

/// "u32", "f32", "string", ... as `inspect` shows them.
std::string_view ggufTypeName(GgufType type);

/// One metadata entry as it lies in the file. Views point into the mapping.
struct GgufEntry {
    std::string_view key;
    GgufType type = GgufType::Uint8; ///< of the value, or of each element of an array
    bool isArray = false;
    uint64_t count = 1;              ///< elements; 1 for a single value
    std::span<const std::byte> data; ///< little-endian values without gaps; a string is a u64 length and its bytes
};

/// The value in one line: numbers as they are, text quoted and cut, arrays with their first `maxElements` elements.
std::string ggufValueText(const GgufEntry& entry, size_t maxElements = 4);

/// Where and how one tensor is stored. Views point into the mapping.
struct GgufTensor {
    std::string_view name;
    TensorType type = TensorType::F32;
    std::array<uint64_t, 4> dims{1, 1, 1, 1}; ///< the format's order: dims[0] is the length of a row; unused ones are 1
    int dimCount = 1;                         ///< 1 to 4
    const std::byte* data = nullptr; ///< aligned to the file's alignment (32 as a rule) where the file is mapped
    size_t bytes = 0;

    uint64_t columns() const { return dims[0]; } ///< a multiple of the type's block
    uint64_t rows() const { return dims[1] * dims[2] * dims[3]; }
    uint64_t elements() const { return rows() * columns(); }
};

/// A GGUF file (version 2 or 3, little-endian) behind a read-only mapping. Everything in it has been checked against
/// the file's size when open() returns: all views are inside the file and no two tensors overlap. What the numbers mean
/// for a model is not checked here. Immutable; any thread may read it. Views stay valid when it is moved, until it
/// dies.
class GgufFile {
public:
    /// Errors: those of FileMap::open, NotAModelFile, Truncated, Malformed, Unsupported (version, byte order, tensor
    /// type).
    static Result<GgufFile> open(const std::string& path);
    /// The same for bytes that are mapped or borrowed already.
    static Result<GgufFile> parse(FileMap map);

    const FileMap& map() const { return m_map; }
    const std::string& path() const { return m_map.path(); }
    uint64_t fileSize() const { return m_map.size(); }
    uint32_t version() const { return m_version; }
    uint32_t alignment() const { return m_alignment; }
    /// Where the tensor data begins, in bytes from the start of the file; offsets in the file count from here.
    uint64_t dataOffset() const { return m_dataOffset; }

    std::span<const GgufEntry> metadata() const { return m_entries; } ///< in the file's order
    std::span<const GgufTensor> tensors() const { return m_tensors; } ///< in the file's order
    const GgufEntry* find(std::string_view key) const;                ///< null where there is none
    const GgufTensor* tensor(std::string_view name) const;            ///< null where there is none
    bool has(std::string_view key) const { return find(key) != nullptr; }

    // Single values. Errors: MissingMetadata where the key is absent and no fallback is given; Malformed where the
    // value is of another kind (a fallback does not hide that) or does not fit. Integers of any width are integers;
    // f64() takes integers too; u64() and i64() take no floats.
    Result<uint64_t> u64(std::string_view key) const;
    Result<uint64_t> u64(std::string_view key, uint64_t fallback) const;
    Result<int64_t> i64(std::string_view key) const;
    Result<int64_t> i64(std::string_view key, int64_t fallback) const;
    Result<double> f64(std::string_view key) const;
    Result<double> f64(std::string_view key, double fallback) const;
    Result<bool> boolean(std::string_view key) const;
    Result<bool> boolean(std::string_view key, bool fallback) const;
    Result<std::string_view> string(std::string_view key) const;
    Result<std::string_view> string(std::string_view key, std::string_view fallback) const;

    // Whole arrays; errors as above. Bytes of strings are as in the file, not checked for UTF-8.
    Result<std::vector<std::string_view>> strings(std::string_view key) const;
    Result<std::vector<int64_t>> integers(std::string_view key) const;
    Result<std::vector<float>> floats(std::string_view key) const; ///< f64 is rounded, integers are converted

private:
    explicit GgufFile(FileMap map);

    Result<void> readAll();
    Result<const GgufEntry*> require(std::string_view key, bool array) const;
    template <class T>
    Result<T> orFallback(std::string_view key, T fallback, Result<T> (GgufFile::*get)(std::string_view) const) const;

    FileMap m_map;
    uint32_t m_version = 0;
    uint32_t m_alignment = 32;
    uint64_t m_dataOffset = 0;
    std::vector<GgufEntry> m_entries;
    std::vector<GgufTensor> m_tensors;
    // Positions in the lists above, ordered by key and by name.
    std::vector<uint32_t> m_entriesByKey;
    std::vector<uint32_t> m_tensorsByName;
};

} // namespace kvasir
