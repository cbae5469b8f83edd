#include "huggingface/metadatawriter.h"

namespace kvasir {

namespace {

template <class T> void append(std::string& bytes, T value)
{
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string stringBytes(std::string_view text)
{
    std::string bytes;
    append<uint64_t>(bytes, text.size());
    bytes += text;
    return bytes;
}

template <class T, class List> std::string listBytes(const List& values)
{
    std::string bytes;
    bytes.reserve(values.size() * sizeof(T));
    for (const auto& value : values) {
        append(bytes, static_cast<T>(value));
    }
    return bytes;
}

} // namespace

MetadataWriter::MetadataWriter()
    : m_memory(std::make_shared<std::deque<std::string>>())
{
}

void MetadataWriter::add(std::string key, uint64_t value)
{
    add(std::move(key), GgufType::Uint64, false, 1, listBytes<uint64_t>(std::vector{value}));
}

void MetadataWriter::add(std::string key, double value)
{
    add(std::move(key), GgufType::Float64, false, 1, listBytes<double>(std::vector{value}));
}

void MetadataWriter::add(std::string key, bool value)
{
    add(std::move(key), GgufType::Bool, false, 1, std::string(1, value ? '\1' : '\0'));
}

void MetadataWriter::add(std::string key, std::string_view value)
{
    add(std::move(key), GgufType::String, false, 1, stringBytes(value));
}

void MetadataWriter::addStrings(std::string key, const std::vector<std::string>& values)
{
    std::string bytes;
    for (const std::string& value : values) {
        append<uint64_t>(bytes, value.size());
        bytes += value;
    }
    add(std::move(key), GgufType::String, true, values.size(), std::move(bytes));
}

void MetadataWriter::addIntegers(std::string key, const std::vector<int64_t>& values)
{
    add(std::move(key), GgufType::Int64, true, values.size(), listBytes<int64_t>(values));
}

void MetadataWriter::addFloats(std::string key, const std::vector<float>& values)
{
    add(std::move(key), GgufType::Float32, true, values.size(), listBytes<float>(values));
}

void MetadataWriter::addBooleans(std::string key, const std::vector<bool>& values)
{
    add(std::move(key), GgufType::Bool, true, values.size(), listBytes<uint8_t>(values));
}

void MetadataWriter::add(std::string key, GgufType type, bool isArray, uint64_t count, std::string bytes)
{
    const std::string& ownKey = m_memory->emplace_back(std::move(key));
    const std::string& value = m_memory->emplace_back(std::move(bytes));
    m_entries.push_back({ownKey, type, isArray, count, std::as_bytes(std::span(value))});
}

void MetadataWriter::moveInto(ModelFile::Contents& contents) &&
{
    contents.entries = std::move(m_entries);
    contents.owned.push_back(std::move(m_memory));
}

} // namespace kvasir
