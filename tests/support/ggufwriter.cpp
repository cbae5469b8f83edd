#include "ggufwriter.h"

#include <cstdio>

namespace kvasir::testing {

namespace {

constexpr uint32_t kArray = 9;

std::string rawString(std::string_view text)
{
    return rawBytes<uint64_t>(text.size()).append(text);
}

template <class T> std::string rawArray(uint32_t elementType, const std::vector<T>& values)
{
    std::string out = rawBytes(elementType) + rawBytes<uint64_t>(values.size());
    for (const T& value : values) {
        if constexpr (std::is_same_v<T, std::string>) {
            out += rawString(value);
        } else {
            out += rawBytes(value);
        }
    }
    return out;
}

void pad(std::string& bytes, uint64_t alignment)
{
    while (alignment > 0 && bytes.size() % alignment != 0) {
        bytes += '\0';
    }
}

} // namespace

void GgufWriter::addRaw(std::string_view key, uint32_t type, std::string_view bytes)
{
    m_entries += rawString(key) + rawBytes(type);
    m_entries += bytes;
    ++m_entryCount;
}

void GgufWriter::add(std::string_view key, uint32_t value)
{
    addRaw(key, 4, rawBytes(value));
}

void GgufWriter::add(std::string_view key, int32_t value)
{
    addRaw(key, 5, rawBytes(value));
}

void GgufWriter::add(std::string_view key, uint64_t value)
{
    addRaw(key, 10, rawBytes(value));
}

void GgufWriter::add(std::string_view key, int64_t value)
{
    addRaw(key, 11, rawBytes(value));
}

void GgufWriter::add(std::string_view key, float value)
{
    addRaw(key, 6, rawBytes(value));
}

void GgufWriter::add(std::string_view key, double value)
{
    addRaw(key, 12, rawBytes(value));
}

void GgufWriter::add(std::string_view key, bool value)
{
    addRaw(key, 7, rawBytes<uint8_t>(value ? 1 : 0));
}

void GgufWriter::add(std::string_view key, std::string_view value)
{
    addRaw(key, 8, rawString(value));
}

void GgufWriter::addArray(std::string_view key, const std::vector<std::string>& values)
{
    addRaw(key, kArray, rawArray(8, values));
}

void GgufWriter::addArray(std::string_view key, const std::vector<int32_t>& values)
{
    addRaw(key, kArray, rawArray(5, values));
}

void GgufWriter::addArray(std::string_view key, const std::vector<uint32_t>& values)
{
    addRaw(key, kArray, rawArray(4, values));
}

void GgufWriter::addArray(std::string_view key, const std::vector<float>& values)
{
    addRaw(key, kArray, rawArray(6, values));
}

void GgufWriter::addTensor(std::string name, std::vector<uint64_t> dims, std::span<const float> values)
{
    addTensor({std::move(name), 0, std::move(dims),
        std::string(reinterpret_cast<const char*>(values.data()), values.size_bytes()), {}});
}

std::string GgufWriter::bytes() const
{
    GgufWriter aligned = *this;
    if (alignment != 32) {
        aligned.add("general.alignment", alignment);
    }
    std::string out = "GGUF" + rawBytes(version) + rawBytes<uint64_t>(tensorCount.value_or(m_tensors.size()))
        + rawBytes<uint64_t>(entryCount.value_or(aligned.m_entryCount)) + aligned.m_entries;
    std::string data;
    for (const Tensor& tensor : m_tensors) {
        pad(data, alignment);
        out += rawString(tensor.name) + rawBytes(static_cast<uint32_t>(tensor.dims.size()));
        for (const uint64_t dim : tensor.dims) {
            out += rawBytes(dim);
        }
        out += rawBytes(tensor.type) + rawBytes<uint64_t>(tensor.offset.value_or(data.size()));
        data += tensor.data;
    }
    pad(out, alignment);
    return out + data;
}

bool GgufWriter::write(const std::string& path) const
{
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (!file) {
        return false;
    }
    const std::string content = bytes();
    const bool written = std::fwrite(content.data(), 1, content.size(), file) == content.size();
    return std::fclose(file) == 0 && written;
}

} // namespace kvasir::testing
