#pragma once

#include "base/result.h"
#include "files/filemap.h"
#include "quant/tensortype.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
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

/// One metadata entry in GGUF's form. Views point into memory of the file that it belongs to.
struct GgufEntry {
    std::string_view key;
    GgufType type = GgufType::Uint8; ///< of the value, or of each element of an array
    bool isArray = false;
    uint64_t count = 1;              ///< elements; 1 for a single value
    std::span<const std::byte> data; ///< little-endian values without gaps; a string is a u64 length and its bytes
};

/// The value in one line: numbers as they are, text quoted and cut, arrays with their first `maxElements` elements.
std::string ggufValueText(const GgufEntry& entry, size_t maxElements = 4);

/// Makes rows of a tensor whose file holds them in another order or form. Immutable; any thread may call it.
class RowMaker {
public:
    virtual ~RowMaker() = default;
    /// Writes the rows [first, first + count) of the tensor, in its own type, to `target`.
    virtual void make(uint64_t first, uint64_t count, std::byte* target) const = 0;
};

/// One tensor and where its values are. Views point into memory of the file that it belongs to.
struct StoredTensor {
    std::string_view name;
    TensorType type = TensorType::F32;
    std::array<uint64_t, 4> dims{1, 1, 1, 1}; ///< GGUF's order: dims[0] is the length of a row; unused ones are 1
    int dimCount = 1;                         ///< 1 to 4
    /// Its rows, aligned to the file's alignment (32 as a rule in GGUF) where the file is mapped. With a `maker`, only
    /// the place in the file that they are made from.
    const std::byte* data = nullptr;
    size_t bytes = 0; ///< of the rows
    const RowMaker* maker = nullptr;

    uint64_t columns() const { return dims[0]; } ///< a multiple of the type's block
    uint64_t rows() const { return dims[1] * dims[2] * dims[3]; }
    uint64_t elements() const { return rows() * columns(); }

    /// The bytes of the rows [first, first + count): in the file, or made in `scratch`.
    const std::byte* readRows(uint64_t first, uint64_t count, std::vector<std::byte>& scratch) const;
};

/// A model as a file or a folder of files holds it, whatever their format: metadata under GGUF's keys and tensors under
/// GGUF's names, behind read-only mappings. What the numbers mean for a model is not checked here. Immutable; any
/// thread may read it. Views stay valid when it is moved, until it dies.
class ModelFile {
public:
    /// What a reader of a format found.
    struct Contents {
        std::string path;
        std::string format;        ///< for people: "GGUF version 3"
        uint32_t version = 0;      ///< of the format; 0: it has none
        uint32_t alignment = 0;    ///< of tensors in the file; 0: none
        std::vector<FileMap> maps; ///< all files whose bytes the views point into
        std::vector<GgufEntry> entries;
        std::vector<StoredTensor> tensors;
        std::vector<std::shared_ptr<const void>> owned; ///< what views point into that is in no file
    };
    /// Errors: Malformed (a key or a name is there twice).
    static Result<ModelFile> make(Contents contents);
    /// Gives up what it is made of; views stay valid while that lives.
    Contents release() && { return std::move(m_contents); }

    const std::string& path() const { return m_contents.path; } ///< as it was opened
    const std::string& format() const { return m_contents.format; }
    uint32_t version() const { return m_contents.version; }
    uint32_t alignment() const { return m_contents.alignment; }
    uint64_t fileSize() const; ///< of all files together
    std::span<const FileMap> maps() const { return m_contents.maps; }
    /// Tells the kernel that the files are about to be read once from front to back.
    void adviseSequential() const;
    /// See FileMap; nothing where `range` is in none of the files.
    void release(std::span<const std::byte> range) const;

    std::span<const GgufEntry> metadata() const { return m_contents.entries; }   ///< in the file's order
    std::span<const StoredTensor> tensors() const { return m_contents.tensors; } ///< in the file's order
    const GgufEntry* find(std::string_view key) const;                           ///< null where there is none
    const StoredTensor* tensor(std::string_view name) const;                     ///< null where there is none
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
    Result<std::vector<int64_t>> integers(std::string_view key) const; ///< truth values are 0 and 1
    Result<std::vector<float>> floats(std::string_view key) const;     ///< f64 is rounded, integers are converted

protected:
    ModelFile() = default;

private:
    Result<const GgufEntry*> require(std::string_view key, bool array) const;
    template <class T>
    Result<T> orFallback(std::string_view key, T fallback, Result<T> (ModelFile::*get)(std::string_view) const) const;

    Contents m_contents;
    // Positions in the lists above, ordered by key and by name.
    std::vector<uint32_t> m_entriesByKey;
    std::vector<uint32_t> m_tensorsByName;
};

} // namespace kvasir
