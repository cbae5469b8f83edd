#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kvasir::testing {

/// Writes GGUF files for tests, broken ones too: nothing is checked, and every number can be overridden. Independent of
/// the engine's reader on purpose.
class GgufWriter {
public:
    struct Tensor {
        std::string name;
        uint32_t type = 0;          ///< F32
        std::vector<uint64_t> dims; ///< dims[0] is the length of a row
        std::string data;
        std::optional<uint64_t> offset; ///< instead of the next free aligned place
    };

    uint32_t version = 3;
    uint32_t alignment = 32;            ///< of the data; written as metadata only if it is not 32
    std::optional<uint64_t> entryCount; ///< instead of the true one
    std::optional<uint64_t> tensorCount;

    void add(std::string_view key, uint32_t value);
    void add(std::string_view key, int32_t value);
    void add(std::string_view key, uint64_t value);
    void add(std::string_view key, int64_t value);
    void add(std::string_view key, float value);
    void add(std::string_view key, double value);
    void add(std::string_view key, bool value);
    void add(std::string_view key, std::string_view value);
    void add(std::string_view key, const char* value) { add(key, std::string_view(value)); }
    void addArray(std::string_view key, const std::vector<std::string>& values);
    void addArray(std::string_view key, const std::vector<int32_t>& values);
    void addArray(std::string_view key, const std::vector<uint32_t>& values);
    void addArray(std::string_view key, const std::vector<float>& values);
    /// An entry with any type code and any bytes after it.
    void addRaw(std::string_view key, uint32_t type, std::string_view bytes);
    void addTensor(Tensor tensor) { m_tensors.push_back(std::move(tensor)); }
    /// An F32 tensor.
    void addTensor(std::string name, std::vector<uint64_t> dims, std::span<const float> values);

    std::string bytes() const;
    /// False where the file cannot be written.
    bool write(const std::string& path) const;

private:
    std::string m_entries;
    uint64_t m_entryCount = 0;
    std::vector<Tensor> m_tensors;
};

/// The bytes of a number, little-endian.
template <class T> std::string rawBytes(T value)
{
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

} // namespace kvasir::testing
