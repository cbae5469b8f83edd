#include "files/gguf.h"

#include "base/utf8.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <numeric>
#include <optional>

namespace kvasir {

static_assert(std::endian::native == std::endian::little, "values are copied from the file as they are");

namespace {

constexpr uint32_t kArrayType = 9;
constexpr uint64_t kMaxKeyLength = 65535; // the format's limits
constexpr uint64_t kMaxTensorNameLength = 64;
// The least that an entry and a tensor take in the file: a count in the header that needs more than there is, is wrong.
constexpr uint64_t kMinEntryBytes = 8 + 1 + 4 + 1;          // key length, key, type, value
constexpr uint64_t kMinTensorBytes = 8 + 1 + 4 + 8 + 4 + 8; // name length, name, dimensions, one of them, type, offset

/// Text from a file as it may stand in a message: on one line, cut, with '?' for control characters and what is not
/// UTF-8.
std::string quoted(std::string_view text, size_t maxBytes = 80)
{
    std::string out = "'";
    size_t position = 0;
    while (position < text.size() && position < maxBytes) {
        const Utf8Step step = readUtf8(text, position);
        const bool space = step.scalar == U'\n' || step.scalar == U'\r' || step.scalar == U'\t';
        const bool control = step.scalar < 0x20 || (step.scalar >= 0x7f && step.scalar < 0xa0);
        if (space) {
            out += ' ';
        } else if (step.state != Utf8State::Whole || control) {
            out += '?';
        } else {
            out += text.substr(position, step.length);
        }
        position += step.length;
    }
    return out + (position < text.size() ? "...'" : "'");
}

/// Bytes of one value; 0 for a string, nothing for a code that is no plain type.
std::optional<uint32_t> plainTypeSize(uint32_t code)
{
    switch (code) {
    case uint32_t(GgufType::Uint8):
    case uint32_t(GgufType::Int8):
    case uint32_t(GgufType::Bool):
        return 1;
    case uint32_t(GgufType::Uint16):
    case uint32_t(GgufType::Int16):
        return 2;
    case uint32_t(GgufType::Uint32):
    case uint32_t(GgufType::Int32):
    case uint32_t(GgufType::Float32):
        return 4;
    case uint32_t(GgufType::Uint64):
    case uint32_t(GgufType::Int64):
    case uint32_t(GgufType::Float64):
        return 8;
    case uint32_t(GgufType::String):
        return 0;
    default:
        return {};
    }
}

template <class T> T load(const std::byte* source)
{
    T value;
    std::memcpy(&value, source, sizeof value);
    return value;
}

std::string_view loadString(const std::byte* source)
{
    return {reinterpret_cast<const char*>(source) + sizeof(uint64_t), load<uint64_t>(source)};
}

std::optional<uint64_t> unsignedAt(GgufType type, const std::byte* source)
{
    const auto nonNegative = [](int64_t value) {
        return value < 0 ? std::optional<uint64_t>() : std::optional<uint64_t>(static_cast<uint64_t>(value));
    };
    switch (type) {
    case GgufType::Uint8:
        return load<uint8_t>(source);
    case GgufType::Uint16:
        return load<uint16_t>(source);
    case GgufType::Uint32:
        return load<uint32_t>(source);
    case GgufType::Uint64:
        return load<uint64_t>(source);
    case GgufType::Int8:
        return nonNegative(load<int8_t>(source));
    case GgufType::Int16:
        return nonNegative(load<int16_t>(source));
    case GgufType::Int32:
        return nonNegative(load<int32_t>(source));
    case GgufType::Int64:
        return nonNegative(load<int64_t>(source));
    default:
        return {};
    }
}

std::optional<int64_t> signedAt(GgufType type, const std::byte* source)
{
    switch (type) {
    case GgufType::Int8:
        return load<int8_t>(source);
    case GgufType::Int16:
        return load<int16_t>(source);
    case GgufType::Int32:
        return load<int32_t>(source);
    case GgufType::Int64:
        return load<int64_t>(source);
    default: {
        const std::optional<uint64_t> value = unsignedAt(type, source);
        if (!value || *value > uint64_t(std::numeric_limits<int64_t>::max())) {
            return {};
        }
        return static_cast<int64_t>(*value);
    }
    }
}

std::optional<double> realAt(GgufType type, const std::byte* source)
{
    switch (type) {
    case GgufType::Float32:
        return load<float>(source);
    case GgufType::Float64:
        return load<double>(source);
    case GgufType::Uint64:
        return static_cast<double>(load<uint64_t>(source));
    default:
        if (const std::optional<int64_t> value = signedAt(type, source)) {
            return static_cast<double>(*value);
        }
        return {};
    }
}

std::string describe(const GgufEntry& entry)
{
    const std::string name(ggufTypeName(entry.type));
    return entry.isArray ? "an array of " + std::to_string(entry.count) + " " + name + " values"
                         : "a " + name + " value";
}

Failure malformed(const std::string& path, const std::string& what)
{
    return fail(ErrorCode::Malformed, "'" + path + "' is damaged: " + what + "; download it again",
        {{"path", path}, {"what", what}});
}

Failure truncated(const FileMap& map, const std::string& what)
{
    return fail(ErrorCode::Truncated,
        "'" + map.path() + "' is incomplete or damaged: " + what + " ends behind the end of the file ("
            + std::to_string(map.size()) + " bytes); download it again",
        {{"path", map.path()}, {"what", what}});
}

Failure unsupported(
    const std::string& path, const std::string& what, const std::string& name, const std::string& wayOut)
{
    return fail(ErrorCode::Unsupported,
        "'" + path + "' cannot be used: " + what + " " + name + " is not supported; " + wayOut,
        {{"path", path}, {"what", what}, {"name", name}});
}

/// What a file that is no GGUF seems to be, from its first bytes.
std::string otherFormat(std::string_view head)
{
    struct Sign {
        std::string_view start;
        std::string_view meaning;
    };
    static constexpr Sign kSigns[] = {
        {"version https://git-lfs", "a Git LFS pointer, not the file itself: fetch it with 'git lfs pull'"},
        {"<!DOCTYPE", "a web page: the download gave an error page instead of the model"},
        {"<html", "a web page: the download gave an error page instead of the model"},
        {"PK\x03\x04", "a ZIP or PyTorch file: convert it to GGUF"},
        {"tjgg", "an old GGML file (ggjt): use a GGUF version of the model"},
        {"lmgg", "an old GGML file: use a GGUF version of the model"},
        {"fmgg", "an old GGML file (ggmf): use a GGUF version of the model"},
        {"\x1f\x8b", "a gzip archive: unpack it first"},
        {"7z\xbc\xaf", "a 7-Zip archive: unpack it first"},
    };
    for (const Sign& sign : kSigns) {
        if (head.starts_with(sign.start)) {
            return std::string("it looks like ") + std::string(sign.meaning);
        }
    }
    if (head.size() > 8 && head[8] == '{') {
        return "it looks like a safetensors file: convert it to GGUF";
    }
    return "it does not begin with the letters GGUF";
}

/// Reads forward through the file and never past its end.
class Reader {
public:
    Reader(std::span<const std::byte> bytes)
        : m_bytes(bytes)
    {
    }

    size_t position() const { return m_position; }
    size_t remaining() const { return m_bytes.size() - m_position; }
    const std::byte* here() const { return m_bytes.data() + m_position; }

    template <class T> bool read(T& value)
    {
        if (remaining() < sizeof(T)) {
            return false;
        }
        value = load<T>(here());
        m_position += sizeof(T);
        return true;
    }
    bool skip(uint64_t bytes)
    {
        if (remaining() < bytes) {
            return false;
        }
        m_position += bytes;
        return true;
    }
    bool readString(std::string_view& text)
    {
        uint64_t length = 0;
        if (!read(length) || remaining() < length) {
            return false;
        }
        text = {reinterpret_cast<const char*>(here()), length};
        m_position += length;
        return true;
    }

private:
    std::span<const std::byte> m_bytes;
    size_t m_position = 0;
};

/// The values of one entry, whose key and type code have been read.
Result<void> readValues(const FileMap& map, Reader& reader, uint32_t typeCode, GgufEntry& entry)
{
    const std::string key = quoted(entry.key);
    if (typeCode == kArrayType) {
        entry.isArray = true;
        if (!reader.read(typeCode) || !reader.read(entry.count)) {
            return truncated(map, "the array " + key);
        }
        if (typeCode == kArrayType) {
            return unsupported(map.path(), "a nested array in the metadata", key, "use a file without it");
        }
    }
    const std::optional<uint32_t> size = plainTypeSize(typeCode);
    if (!size) {
        return malformed(map.path(), "the metadata value " + key + " has the unknown type " + std::to_string(typeCode));
    }
    entry.type = static_cast<GgufType>(typeCode);
    const std::byte* begin = reader.here();
    if (entry.type == GgufType::String) {
        for (uint64_t i = 0; i < entry.count; ++i) {
            std::string_view text;
            if (!reader.readString(text)) {
                return truncated(map, "the text of " + key);
            }
        }
    } else if (entry.count > reader.remaining() / *size) {
        return truncated(map, "the value of " + key + " (" + std::to_string(entry.count) + " elements)");
    } else {
        reader.skip(entry.count * *size);
    }
    entry.data = {begin, reader.here()};
    if (entry.type == GgufType::Bool
        && std::any_of(entry.data.begin(), entry.data.end(), [](std::byte b) { return b > std::byte{1}; })) {
        return malformed(map.path(), "the truth value " + key + " is neither 0 nor 1");
    }
    return {};
}

/// Name, shape and type of one tensor; `offset` is as in the file.
Result<void> readTensor(const FileMap& map, Reader& reader, uint64_t index, GgufTensor& tensor, uint64_t& offset)
{
    const std::string where = "the description of tensor " + std::to_string(index);
    if (!reader.readString(tensor.name)) {
        return truncated(map, where);
    }
    if (tensor.name.empty()) {
        return malformed(map.path(), "tensor " + std::to_string(index) + " has no name");
    }
    const std::string name = "tensor " + quoted(tensor.name);
    if (tensor.name.size() > kMaxTensorNameLength) {
        return malformed(map.path(),
            "the name of " + name + " has " + std::to_string(tensor.name.size()) + " bytes, more than the format's "
                + std::to_string(kMaxTensorNameLength));
    }
    uint32_t dimCount = 0;
    if (!reader.read(dimCount)) {
        return truncated(map, where);
    }
    if (dimCount < 1 || dimCount > tensor.dims.size()) {
        return malformed(map.path(), name + " has " + std::to_string(dimCount) + " dimensions instead of 1 to 4");
    }
    tensor.dimCount = static_cast<int>(dimCount);
    uint64_t elements = 1;
    for (uint32_t i = 0; i < dimCount; ++i) {
        if (!reader.read(tensor.dims[i])) {
            return truncated(map, where);
        }
        if (tensor.dims[i] < 1 || tensor.dims[i] > uint64_t(std::numeric_limits<int64_t>::max())
            || __builtin_mul_overflow(elements, tensor.dims[i], &elements)) {
            return malformed(map.path(),
                "dimension " + std::to_string(i) + " of " + name + " is impossible (" + std::to_string(tensor.dims[i])
                    + ")");
        }
    }
    uint32_t typeCode = 0;
    if (!reader.read(typeCode) || !reader.read(offset)) {
        return truncated(map, where);
    }
    const std::optional<TensorType> type = tensorTypeFromCode(typeCode);
    if (!type) {
        return unsupported(map.path(), "the storage type of " + name + ",",
            std::string(tensorTypeName(static_cast<TensorType>(typeCode))) + " (code " + std::to_string(typeCode)
                + "),",
            "choose a file in another quantization, such as Q4_K_M or Q8_0");
    }
    tensor.type = *type;
    const BlockShape block = blockShape(tensor.type);
    if (tensor.columns() % block.values != 0) {
        return malformed(map.path(),
            "rows of " + name + " have " + std::to_string(tensor.columns()) + " values, which is no multiple of the "
                + std::to_string(block.values) + " in a block of type " + std::string(tensorTypeName(tensor.type)));
    }
    uint64_t bytes = 0;
    if (__builtin_mul_overflow(elements / block.values, uint64_t(block.bytes), &bytes)) {
        return malformed(map.path(), "the size of " + name + " overflows");
    }
    tensor.bytes = bytes;
    return {};
}

template <class List, class Name>
Result<void> sortByName(const FileMap& map, const List& list, std::vector<uint32_t>& order, Name name, const char* kind)
{
    order.resize(list.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return list[a].*name < list[b].*name; });
    const auto twin = std::adjacent_find(
        order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return list[a].*name == list[b].*name; });
    if (twin != order.end()) {
        return malformed(map.path(), "the " + std::string(kind) + " " + quoted(list[*twin].*name) + " is there twice");
    }
    return {};
}

template <class List, class Name>
auto findByName(const List& list, const std::vector<uint32_t>& order, Name name, std::string_view wanted)
    -> decltype(list.data())
{
    const auto at = std::lower_bound(order.begin(), order.end(), wanted,
        [&](uint32_t index, std::string_view text) { return list[index].*name < text; });
    return at != order.end() && list[*at].*name == wanted ? &list[*at] : nullptr;
}

} // namespace

std::string_view ggufTypeName(GgufType type)
{
    switch (type) {
    case GgufType::Uint8:
        return "u8";
    case GgufType::Int8:
        return "i8";
    case GgufType::Uint16:
        return "u16";
    case GgufType::Int16:
        return "i16";
    case GgufType::Uint32:
        return "u32";
    case GgufType::Int32:
        return "i32";
    case GgufType::Float32:
        return "f32";
    case GgufType::Bool:
        return "bool";
    case GgufType::String:
        return "string";
    case GgufType::Uint64:
        return "u64";
    case GgufType::Int64:
        return "i64";
    case GgufType::Float64:
        return "f64";
    }
    return "unknown";
}

std::string ggufValueText(const GgufEntry& entry, size_t maxElements)
{
    const auto valueText = [&entry](const std::byte* source) -> std::string {
        switch (entry.type) {
        case GgufType::String:
            return quoted(loadString(source));
        case GgufType::Bool:
            return load<uint8_t>(source) != 0 ? "true" : "false";
        case GgufType::Uint64:
            return std::to_string(load<uint64_t>(source));
        case GgufType::Float32:
        case GgufType::Float64: {
            char text[32];
            const int digits = entry.type == GgufType::Float32 ? 9 : 17;
            std::snprintf(text, sizeof text, "%.*g", digits, *realAt(entry.type, source));
            return text;
        }
        default:
            return std::to_string(*signedAt(entry.type, source));
        }
    };
    if (!entry.isArray) {
        return valueText(entry.data.data());
    }
    std::string out = "[";
    const std::byte* source = entry.data.data();
    for (uint64_t i = 0; i < entry.count && i < maxElements; ++i) {
        out += (i > 0 ? ", " : "") + valueText(source);
        source += entry.type == GgufType::String ? sizeof(uint64_t) + loadString(source).size()
                                                 : *plainTypeSize(static_cast<uint32_t>(entry.type));
    }
    return out + (entry.count > maxElements ? ", ...] (" + std::to_string(entry.count) + ")" : "]");
}

GgufFile::GgufFile(FileMap map)
    : m_map(std::move(map))
{
}

Result<GgufFile> GgufFile::open(const std::string& path)
{
    Result<FileMap> map = FileMap::open(path);
    if (!map) {
        return Failure{std::move(map).error()};
    }
    return parse(std::move(*map));
}

Result<GgufFile> GgufFile::parse(FileMap map)
{
    GgufFile file(std::move(map));
    KVASIR_TRY(file.readAll());
    return file;
}

Result<void> GgufFile::readAll()
{
    Reader reader(m_map.bytes());
    const std::string_view head(reinterpret_cast<const char*>(reader.here()), std::min<size_t>(reader.remaining(), 32));
    if (!head.starts_with("GGUF")) {
        if (!head.empty() && std::string_view("GGUF").starts_with(head)) {
            return truncated(m_map, "the header");
        }
        return fail(
            ErrorCode::NotAModelFile, "'" + path() + "' is not a GGUF model: " + otherFormat(head), {{"path", path()}});
    }
    uint64_t tensorCount = 0;
    uint64_t entryCount = 0;
    reader.skip(4);
    if (!reader.read(m_version)) {
        return truncated(m_map, "the header");
    }
    if (const uint32_t swapped = __builtin_bswap32(m_version); swapped >= 1 && swapped <= 0xffff) {
        return unsupported(path(), "the byte order", "big-endian", "use the little-endian version of the file");
    }
    if (m_version != 2 && m_version != 3) {
        return unsupported(path(), "GGUF version", std::to_string(m_version),
            m_version < 2 ? "use a newer version of the file" : "it needs a newer Kvasir");
    }
    if (!reader.read(tensorCount) || !reader.read(entryCount)) {
        return truncated(m_map, "the header");
    }
    if (entryCount > reader.remaining() / kMinEntryBytes) {
        return truncated(m_map, "the list of " + std::to_string(entryCount) + " metadata entries");
    }
    if (tensorCount > reader.remaining() / kMinTensorBytes) {
        return truncated(m_map, "the list of " + std::to_string(tensorCount) + " tensors");
    }

    for (uint64_t i = 0; i < entryCount; ++i) {
        GgufEntry entry;
        uint32_t typeCode = 0;
        if (!reader.readString(entry.key) || !reader.read(typeCode)) {
            return truncated(m_map, "metadata entry " + std::to_string(i));
        }
        if (entry.key.empty() || entry.key.size() > kMaxKeyLength) {
            return malformed(path(),
                "the key of metadata entry " + std::to_string(i) + " has " + std::to_string(entry.key.size())
                    + " bytes instead of 1 to " + std::to_string(kMaxKeyLength));
        }
        KVASIR_TRY(readValues(m_map, reader, typeCode, entry));
        m_entries.push_back(entry);
    }
    KVASIR_TRY(sortByName(m_map, m_entries, m_entriesByKey, &GgufEntry::key, "metadata key"));

    if (const GgufEntry* alignment = find("general.alignment")) {
        if (alignment->isArray || alignment->type != GgufType::Uint32) {
            return malformed(path(), "its alignment is " + describe(*alignment) + " instead of a u32 value");
        }
        m_alignment = load<uint32_t>(alignment->data.data());
        if (m_alignment < 8 || !std::has_single_bit(m_alignment)) {
            return malformed(
                path(), "its alignment is " + std::to_string(m_alignment) + " instead of a power of two from 8 on");
        }
    }
    if (const Result<uint64_t> parts = u64("split.count", 1); parts && *parts > 1) {
        return unsupported(path(), "a model in several files,", "one of " + std::to_string(*parts) + ",",
            "join them with 'llama-gguf-split --merge' first");
    }

    std::vector<uint64_t> offsets;
    for (uint64_t i = 0; i < tensorCount; ++i) {
        GgufTensor tensor;
        uint64_t offset = 0;
        KVASIR_TRY(readTensor(m_map, reader, i, tensor, offset));
        if (offset % m_alignment != 0) {
            return malformed(path(),
                "the data of tensor " + quoted(tensor.name) + " begins at " + std::to_string(offset)
                    + ", which is no multiple of the alignment " + std::to_string(m_alignment));
        }
        m_tensors.push_back(tensor);
        offsets.push_back(offset);
    }
    KVASIR_TRY(sortByName(m_map, m_tensors, m_tensorsByName, &GgufTensor::name, "tensor"));

    // reader.position() is at most the file's size, far from overflow.
    m_dataOffset = (uint64_t(reader.position()) + m_alignment - 1) / m_alignment * m_alignment;
    const uint64_t available = m_dataOffset < fileSize() ? fileSize() - m_dataOffset : 0;
    for (size_t i = 0; i < m_tensors.size(); ++i) {
        if (offsets[i] > available || m_tensors[i].bytes > available - offsets[i]) {
            return truncated(m_map, "the data of tensor " + quoted(m_tensors[i].name));
        }
        m_tensors[i].data = m_map.bytes().data() + m_dataOffset + offsets[i];
    }
    std::vector<uint32_t> byOffset(m_tensors.size());
    std::iota(byOffset.begin(), byOffset.end(), 0u);
    std::sort(byOffset.begin(), byOffset.end(), [&](uint32_t a, uint32_t b) { return offsets[a] < offsets[b]; });
    for (size_t i = 1; i < byOffset.size(); ++i) {
        const GgufTensor& before = m_tensors[byOffset[i - 1]];
        const GgufTensor& after = m_tensors[byOffset[i]];
        if (before.data + before.bytes > after.data) {
            return malformed(
                path(), "the data of the tensors " + quoted(before.name) + " and " + quoted(after.name) + " overlap");
        }
    }
    return {};
}

const GgufEntry* GgufFile::find(std::string_view key) const
{
    return findByName(m_entries, m_entriesByKey, &GgufEntry::key, key);
}

const GgufTensor* GgufFile::tensor(std::string_view name) const
{
    return findByName(m_tensors, m_tensorsByName, &GgufTensor::name, name);
}

namespace {

Failure wrongKind(const GgufFile& file, const GgufEntry& entry, const std::string& wanted)
{
    const std::string key = quoted(entry.key);
    const std::string value = entry.isArray ? "" : " (" + ggufValueText(entry) + ")";
    return malformed(
        file.path(), "the metadata value " + key + " is " + describe(entry) + value + " instead of " + wanted);
}

} // namespace

Result<const GgufEntry*> GgufFile::require(std::string_view key, bool array) const
{
    const GgufEntry* entry = find(key);
    if (!entry) {
        return fail(ErrorCode::MissingMetadata,
            "'" + path() + "' has no metadata value " + quoted(key) + "; use another file of the model",
            {{"path", path()}, {"key", std::string(key)}});
    }
    if (entry->isArray != array) {
        return wrongKind(*this, *entry, array ? "an array" : "a single value");
    }
    return entry;
}

template <class T>
Result<T> GgufFile::orFallback(
    std::string_view key, T fallback, Result<T> (GgufFile::*get)(std::string_view) const) const
{
    return has(key) ? (this->*get)(key) : Result<T>(fallback);
}

Result<uint64_t> GgufFile::u64(std::string_view key) const
{
    const Result<const GgufEntry*> entry = require(key, false);
    KVASIR_TRY(entry);
    const std::optional<uint64_t> value = unsignedAt((*entry)->type, (*entry)->data.data());
    return value ? Result<uint64_t>(*value) : wrongKind(*this, **entry, "a whole number from 0 on");
}

Result<int64_t> GgufFile::i64(std::string_view key) const
{
    const Result<const GgufEntry*> entry = require(key, false);
    KVASIR_TRY(entry);
    const std::optional<int64_t> value = signedAt((*entry)->type, (*entry)->data.data());
    return value ? Result<int64_t>(*value) : wrongKind(*this, **entry, "a whole number below 2^63");
}

Result<double> GgufFile::f64(std::string_view key) const
{
    const Result<const GgufEntry*> entry = require(key, false);
    KVASIR_TRY(entry);
    const std::optional<double> value = realAt((*entry)->type, (*entry)->data.data());
    return value ? Result<double>(*value) : wrongKind(*this, **entry, "a number");
}

Result<bool> GgufFile::boolean(std::string_view key) const
{
    const Result<const GgufEntry*> entry = require(key, false);
    KVASIR_TRY(entry);
    if ((*entry)->type != GgufType::Bool) {
        return wrongKind(*this, **entry, "a truth value");
    }
    return load<uint8_t>((*entry)->data.data()) != 0;
}

Result<std::string_view> GgufFile::string(std::string_view key) const
{
    const Result<const GgufEntry*> entry = require(key, false);
    KVASIR_TRY(entry);
    if ((*entry)->type != GgufType::String) {
        return wrongKind(*this, **entry, "text");
    }
    return loadString((*entry)->data.data());
}

Result<uint64_t> GgufFile::u64(std::string_view key, uint64_t fallback) const
{
    return orFallback(key, fallback, &GgufFile::u64);
}

Result<int64_t> GgufFile::i64(std::string_view key, int64_t fallback) const
{
    return orFallback(key, fallback, &GgufFile::i64);
}

Result<double> GgufFile::f64(std::string_view key, double fallback) const
{
    return orFallback(key, fallback, &GgufFile::f64);
}

Result<bool> GgufFile::boolean(std::string_view key, bool fallback) const
{
    return orFallback(key, fallback, &GgufFile::boolean);
}

Result<std::string_view> GgufFile::string(std::string_view key, std::string_view fallback) const
{
    return orFallback(key, fallback, &GgufFile::string);
}

Result<std::vector<std::string_view>> GgufFile::strings(std::string_view key) const
{
    const Result<const GgufEntry*> entry = require(key, true);
    KVASIR_TRY(entry);
    if ((*entry)->type != GgufType::String) {
        return wrongKind(*this, **entry, "an array of text");
    }
    std::vector<std::string_view> out;
    out.reserve((*entry)->count);
    const std::byte* source = (*entry)->data.data();
    for (uint64_t i = 0; i < (*entry)->count; ++i) {
        out.push_back(loadString(source));
        source += sizeof(uint64_t) + out.back().size();
    }
    return out;
}

Result<std::vector<int64_t>> GgufFile::integers(std::string_view key) const
{
    const Result<const GgufEntry*> entry = require(key, true);
    KVASIR_TRY(entry);
    const size_t size = *plainTypeSize(static_cast<uint32_t>((*entry)->type));
    std::vector<int64_t> out;
    out.reserve((*entry)->count);
    for (uint64_t i = 0; i < (*entry)->count; ++i) {
        const std::optional<int64_t> value = signedAt((*entry)->type, (*entry)->data.data() + i * size);
        if (!value) {
            return wrongKind(*this, **entry, "an array of whole numbers below 2^63");
        }
        out.push_back(*value);
    }
    return out;
}

Result<std::vector<float>> GgufFile::floats(std::string_view key) const
{
    const Result<const GgufEntry*> entry = require(key, true);
    KVASIR_TRY(entry);
    const size_t size = *plainTypeSize(static_cast<uint32_t>((*entry)->type));
    std::vector<float> out;
    out.reserve((*entry)->count);
    for (uint64_t i = 0; i < (*entry)->count; ++i) {
        const std::optional<double> value = realAt((*entry)->type, (*entry)->data.data() + i * size);
        if (!value) {
            return wrongKind(*this, **entry, "an array of numbers");
        }
        out.push_back(static_cast<float>(*value));
    }
    return out;
}

} // namespace kvasir
