#include "files/ggufpart.h"

#include "files/ggufbytes.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace kvasir {

using namespace gguf;

namespace {

constexpr uint32_t kArrayType = 9;
constexpr uint64_t kMaxKeyLength = 65535; // the format's limits
constexpr uint64_t kMaxTensorNameLength = 64;
// The least that an entry and a tensor take in the file: a count in the header that needs more than there is, is wrong.
constexpr uint64_t kMinEntryBytes = 8 + 1 + 4 + 1;          // key length, key, type, value
constexpr uint64_t kMinTensorBytes = 8 + 1 + 4 + 8 + 4 + 8; // name length, name, dimensions, one of them, type, offset

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
        return "it looks like a safetensors file: name the folder that it lies in, with a config.json beside it";
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
Result<void> readTensor(const FileMap& map, Reader& reader, uint64_t index, StoredTensor& tensor, uint64_t& offset)
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

} // namespace

Result<GgufPart> readGgufPart(FileMap map)
{
    GgufPart part(std::move(map));
    const std::string& path = part.map.path();
    Reader reader(part.map.bytes());
    const std::string_view head(reinterpret_cast<const char*>(reader.here()), std::min<size_t>(reader.remaining(), 32));
    if (!head.starts_with("GGUF")) {
        if (!head.empty() && std::string_view("GGUF").starts_with(head)) {
            return truncated(part.map, "the header");
        }
        return fail(
            ErrorCode::NotAModelFile, "'" + path + "' is not a GGUF model: " + otherFormat(head), {{"path", path}});
    }
    uint64_t tensorCount = 0;
    uint64_t entryCount = 0;
    reader.skip(4);
    if (!reader.read(part.version)) {
        return truncated(part.map, "the header");
    }
    if (const uint32_t swapped = __builtin_bswap32(part.version); swapped >= 1 && swapped <= 0xffff) {
        return unsupported(path, "the byte order", "big-endian", "use the little-endian version of the file");
    }
    if (part.version != 2 && part.version != 3) {
        return unsupported(path, "GGUF version", std::to_string(part.version),
            part.version < 2 ? "use a newer version of the file" : "it needs a newer Kvasir");
    }
    if (!reader.read(tensorCount) || !reader.read(entryCount)) {
        return truncated(part.map, "the header");
    }
    if (entryCount > reader.remaining() / kMinEntryBytes) {
        return truncated(part.map, "the list of " + std::to_string(entryCount) + " metadata entries");
    }
    if (tensorCount > reader.remaining() / kMinTensorBytes) {
        return truncated(part.map, "the list of " + std::to_string(tensorCount) + " tensors");
    }

    for (uint64_t i = 0; i < entryCount; ++i) {
        GgufEntry entry;
        uint32_t typeCode = 0;
        if (!reader.readString(entry.key) || !reader.read(typeCode)) {
            return truncated(part.map, "metadata entry " + std::to_string(i));
        }
        if (entry.key.empty() || entry.key.size() > kMaxKeyLength) {
            return malformed(path,
                "the key of metadata entry " + std::to_string(i) + " has " + std::to_string(entry.key.size())
                    + " bytes instead of 1 to " + std::to_string(kMaxKeyLength));
        }
        KVASIR_TRY(readValues(part.map, reader, typeCode, entry));
        part.entries.push_back(entry);
    }

    const auto alignment = std::find_if(part.entries.begin(), part.entries.end(),
        [](const GgufEntry& entry) { return entry.key == "general.alignment"; });
    if (alignment != part.entries.end()) {
        if (alignment->isArray || alignment->type != GgufType::Uint32) {
            return malformed(path, "its alignment is " + describe(*alignment) + " instead of a u32 value");
        }
        part.alignment = load<uint32_t>(alignment->data.data());
        if (part.alignment < 8 || !std::has_single_bit(part.alignment)) {
            return malformed(
                path, "its alignment is " + std::to_string(part.alignment) + " instead of a power of two from 8 on");
        }
    }
    std::vector<uint64_t> offsets;
    for (uint64_t i = 0; i < tensorCount; ++i) {
        StoredTensor tensor;
        uint64_t offset = 0;
        KVASIR_TRY(readTensor(part.map, reader, i, tensor, offset));
        if (offset % part.alignment != 0) {
            return malformed(path,
                "the data of tensor " + quoted(tensor.name) + " begins at " + std::to_string(offset)
                    + ", which is no multiple of the alignment " + std::to_string(part.alignment));
        }
        part.tensors.push_back(tensor);
        offsets.push_back(offset);
    }

    // reader.position() is at most the file's size, far from overflow.
    part.dataOffset = (uint64_t(reader.position()) + part.alignment - 1) / part.alignment * part.alignment;
    const uint64_t available = part.dataOffset < part.map.size() ? part.map.size() - part.dataOffset : 0;
    for (size_t i = 0; i < part.tensors.size(); ++i) {
        if (offsets[i] > available || part.tensors[i].bytes > available - offsets[i]) {
            return truncated(part.map, "the data of tensor " + quoted(part.tensors[i].name));
        }
        part.tensors[i].data = part.map.bytes().data() + part.dataOffset + offsets[i];
    }
    std::vector<uint32_t> byOffset(part.tensors.size());
    std::iota(byOffset.begin(), byOffset.end(), 0u);
    std::sort(byOffset.begin(), byOffset.end(), [&](uint32_t a, uint32_t b) { return offsets[a] < offsets[b]; });
    for (size_t i = 1; i < byOffset.size(); ++i) {
        const StoredTensor& before = part.tensors[byOffset[i - 1]];
        const StoredTensor& after = part.tensors[byOffset[i]];
        if (before.data + before.bytes > after.data) {
            return malformed(
                path, "the data of the tensors " + quoted(before.name) + " and " + quoted(after.name) + " overlap");
        }
    }
    return part;
}

} // namespace kvasir
