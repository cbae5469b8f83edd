#include "files/modelfile.h"

#include "files/ggufbytes.h"

#include <algorithm>
#include <numeric>

namespace kvasir {

using namespace gguf;

namespace {

template <class List, class Name>
Result<std::vector<uint32_t>> sortByName(const std::string& path, const List& list, Name name, const char* kind)
{
    std::vector<uint32_t> order(list.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return list[a].*name < list[b].*name; });
    const auto twin = std::adjacent_find(
        order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return list[a].*name == list[b].*name; });
    if (twin != order.end()) {
        return malformed(path, "the " + std::string(kind) + " " + quoted(list[*twin].*name) + " is there twice");
    }
    return order;
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

const std::byte* StoredTensor::readRows(uint64_t first, uint64_t count, std::vector<std::byte>& scratch) const
{
    const size_t rowSize = rowBytes(type, columns());
    if (!maker) {
        return data + first * rowSize;
    }
    scratch.resize(count * rowSize);
    maker->make(first, count, scratch.data());
    return scratch.data();
}

Result<ModelFile> ModelFile::make(Contents contents)
{
    ModelFile file;
    file.m_contents = std::move(contents);
    auto byKey = sortByName(file.path(), file.m_contents.entries, &GgufEntry::key, "metadata key");
    KVASIR_TRY(byKey);
    auto byName = sortByName(file.path(), file.m_contents.tensors, &StoredTensor::name, "tensor");
    KVASIR_TRY(byName);
    file.m_entriesByKey = *std::move(byKey);
    file.m_tensorsByName = *std::move(byName);
    return file;
}

uint64_t ModelFile::fileSize() const
{
    uint64_t size = 0;
    for (const FileMap& map : m_contents.maps) {
        size += map.size();
    }
    return size;
}

void ModelFile::adviseSequential() const
{
    for (const FileMap& map : m_contents.maps) {
        map.adviseSequential();
    }
}

void ModelFile::release(std::span<const std::byte> range) const
{
    for (const FileMap& map : m_contents.maps) {
        const std::span<const std::byte> bytes = map.bytes();
        if (range.data() >= bytes.data() && range.data() + range.size() <= bytes.data() + bytes.size()) {
            map.release(range);
        }
    }
}

const GgufEntry* ModelFile::find(std::string_view key) const
{
    return findByName(m_contents.entries, m_entriesByKey, &GgufEntry::key, key);
}

const StoredTensor* ModelFile::tensor(std::string_view name) const
{
    return findByName(m_contents.tensors, m_tensorsByName, &StoredTensor::name, name);
}

} // namespace kvasir
