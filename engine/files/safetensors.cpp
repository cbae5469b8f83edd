#include "files/safetensors.h"

#include "files/ggufbytes.h"
#include "files/json.h"

#include <algorithm>
#include <optional>

namespace kvasir {

using gguf::malformed;
using Json = nlohmann::json;

namespace {

// The format's own limit.
constexpr uint64_t kMaxHeader = 100'000'000;
constexpr size_t kMaxDimensions = 8;
constexpr int kHeaderDepth = 3; // {name: {"shape": [...]}}

struct ElementType {
    std::string_view name;
    uint64_t bytes;
};

constexpr ElementType kTypes[] = {{"BOOL", 1}, {"U8", 1}, {"I8", 1}, {"F8_E5M2", 1}, {"F8_E4M3", 1}, {"F8_E8M0", 1},
    {"I16", 2}, {"U16", 2}, {"F16", 2}, {"BF16", 2}, {"I32", 4}, {"U32", 4}, {"F32", 4}, {"F64", 8}, {"I64", 8},
    {"U64", 8}, {"C64", 8}};

std::optional<uint64_t> elementBytes(std::string_view dtype)
{
    for (const ElementType& type : kTypes) {
        if (type.name == dtype) {
            return type.bytes;
        }
    }
    return {};
}

Failure cut(const FileMap& map, const std::string& what)
{
    return fail(ErrorCode::Truncated,
        "'" + map.path() + "' is incomplete or damaged: " + what + " ends behind the end of the file ("
            + std::to_string(map.size()) + " bytes); download it again",
        {{"path", map.path()}, {"what", what}});
}

/// A list of whole numbers; nothing where it is something else.
std::optional<std::vector<uint64_t>> numbers(const Json& description, const char* name)
{
    const auto list = description.find(name);
    if (list == description.end() || !list->is_array()) {
        return {};
    }
    std::vector<uint64_t> out;
    for (const Json& number : *list) {
        if (!number.is_number_unsigned()) {
            return {};
        }
        out.push_back(number.get<uint64_t>());
    }
    return out;
}

/// `offset` is where its data begins, behind the header.
Result<void> readTensor(const std::string& path, const Json& description, SafeTensor& tensor, uint64_t& offset)
{
    const std::string name = "tensor " + gguf::quoted(tensor.name);
    if (tensor.name.empty() || !description.is_object()) {
        return malformed(path, "the description of " + name + " is no object with a name");
    }
    const auto dtype = description.find("dtype");
    const auto shape = numbers(description, "shape");
    const auto offsets = numbers(description, "data_offsets");
    if (dtype == description.end() || !dtype->is_string() || !shape || !offsets || offsets->size() != 2
        || description.size() != 3) {
        return malformed(path, "the description of " + name + " is not made of dtype, shape and two data_offsets");
    }
    tensor.dtype = dtype->get<std::string>();
    tensor.shape = *shape;
    if (tensor.shape.size() > kMaxDimensions) {
        return malformed(path, name + " has " + std::to_string(tensor.shape.size()) + " dimensions");
    }
    const auto element = elementBytes(tensor.dtype);
    if (!element) {
        return fail(ErrorCode::Unsupported,
            "'" + path + "' cannot be used: " + name + " has the type " + gguf::quoted(tensor.dtype)
                + ", which Kvasir does not know; use a version of the model in BF16, F16 or F32, or as GGUF",
            {{"path", path}, {"what", "the type of " + name}, {"name", tensor.dtype}});
    }
    uint64_t bytes = *element;
    for (const uint64_t size : tensor.shape) {
        if (__builtin_mul_overflow(bytes, size, &bytes)) {
            return malformed(path, "the size of " + name + " overflows");
        }
    }
    offset = (*offsets)[0];
    if ((*offsets)[1] < offset || (*offsets)[1] - offset != bytes) {
        return malformed(path,
            name + " of " + std::to_string(bytes) + " bytes lies from " + std::to_string(offset) + " to "
                + std::to_string((*offsets)[1]));
    }
    tensor.bytes = bytes;
    return {};
}

} // namespace

Result<SafetensorsFile> SafetensorsFile::open(const std::string& path)
{
    auto map = FileMap::open(path);
    KVASIR_TRY(map);
    return parse(*std::move(map));
}

Result<SafetensorsFile> SafetensorsFile::parse(FileMap map)
{
    SafetensorsFile file(std::move(map));
    KVASIR_TRY(file.readAll());
    return file;
}

Result<void> SafetensorsFile::readAll()
{
    constexpr size_t kLengthBytes = sizeof(uint64_t);
    const std::span<const std::byte> bytes = m_map.bytes();
    if (bytes.size() < kLengthBytes + 2) {
        return cut(m_map, "the header");
    }
    const auto length = gguf::load<uint64_t>(bytes.data());
    const std::string_view rest(
        reinterpret_cast<const char*>(bytes.data()) + kLengthBytes, bytes.size() - kLengthBytes);
    if (rest.front() != '{') {
        return fail(ErrorCode::NotAModelFile,
            "'" + path() + "' is not a safetensors file: its header does not begin with a brace", {{"path", path()}});
    }
    if (length > kMaxHeader) {
        return malformed(path(), "its header says to be " + std::to_string(length) + " bytes long");
    }
    if (length > rest.size()) {
        return cut(m_map, "the header");
    }
    auto header = parseJson(rest.substr(0, length), path(), kHeaderDepth);
    KVASIR_TRY(header);
    if (!header->is_object()) {
        return malformed(path(), "its header is no object");
    }
    std::vector<std::pair<uint64_t, SafeTensor>> found;
    for (const auto& [name, description] : header->items()) {
        if (name != "__metadata__") {
            auto& [offset, tensor] = found.emplace_back();
            tensor.name = name;
            KVASIR_TRY(readTensor(path(), description, tensor, offset));
        }
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
        return std::pair(a.first, a.second.bytes) < std::pair(b.first, b.second.bytes);
    });
    const std::string_view data = rest.substr(length);
    uint64_t end = 0;
    for (auto& [offset, tensor] : found) {
        if (offset != end) {
            return malformed(path(),
                "the data of tensor " + gguf::quoted(tensor.name) + " begins at " + std::to_string(offset)
                    + ", where that before it ends at " + std::to_string(end));
        }
        if (tensor.bytes > data.size() - end) {
            return cut(m_map, "the data of tensor " + gguf::quoted(tensor.name));
        }
        tensor.data = reinterpret_cast<const std::byte*>(data.data()) + offset;
        end += tensor.bytes;
        m_tensors.push_back(std::move(tensor));
    }
    if (end != data.size()) {
        return malformed(path(), std::to_string(data.size() - end) + " bytes at its end belong to no tensor");
    }
    return {};
}

} // namespace kvasir
