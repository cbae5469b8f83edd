#include "files/ggufsplit.h"

#include "files/ggufbytes.h"
#include "files/ggufpart.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <unordered_map>

namespace kvasir {

using namespace gguf;

namespace {

constexpr uint64_t kMaxParts = 99999; // five digits in the name

std::string ending(uint64_t number, uint64_t count)
{
    char text[48];
    std::snprintf(
        text, sizeof text, "-%05u-of-%05u.gguf", static_cast<unsigned>(number + 1), static_cast<unsigned>(count));
    return text;
}

std::string placeText(const SplitPlace& place)
{
    return "part " + std::to_string(place.number + 1) + " of " + std::to_string(place.count);
}

Failure foreign(const std::string& path, const std::string& what)
{
    return fail(ErrorCode::Malformed,
        quoted(path) + " does not belong to the model's other files: " + what
            + "; download all files of one model into one folder of their own",
        {{"path", path}, {"what", what}});
}

Result<ModelFile> openPart(const std::string& path, const SplitPlace& place)
{
    auto map = FileMap::open(path);
    if (!map && map.error().code == ErrorCode::FileNotFound) {
        return fail(ErrorCode::FileNotFound,
            quoted(path, 400) + " is missing: the model is in " + std::to_string(place.count) + " files, and this one, "
                + placeText(place) + ", is not beside the others; download it too",
            {{"path", path}});
    }
    KVASIR_TRY(map);
    auto part = readGgufPart(*std::move(map));
    KVASIR_TRY(part);
    return wholePart(*part);
}

/// Whether what a later part says of the model, if anything, is what the first one says.
Result<void> compareMetadata(const ModelFile& first, const ModelFile& part)
{
    for (const GgufEntry& entry : part.metadata()) {
        const GgufEntry* same = first.find(entry.key);
        if (entry.key.starts_with("split.") || entry.key == "general.alignment" || !same) {
            continue;
        }
        if (same->type != entry.type || !std::ranges::equal(same->data, entry.data)) {
            return foreign(part.path(), "it has another value of " + quoted(entry.key));
        }
    }
    return {};
}

/// All parts in order, opened. `own` is one of them.
Result<std::vector<ModelFile>> openAll(ModelFile own, const SplitPlace& place)
{
    const std::string path = own.path();
    const std::string wanted = ending(place.number, place.count);
    if (!path.ends_with(wanted)) {
        return fail(ErrorCode::Malformed,
            quoted(path) + " is " + placeText(place) + " of a model, so that its name must end in " + wanted
                + " for the other parts to be found; give it back its name",
            {{"path", path}, {"what", "file name"}});
    }
    const std::string stem = path.substr(0, path.size() - wanted.size());
    std::vector<ModelFile> parts;
    for (uint64_t number = 0; number < place.count; ++number) {
        const SplitPlace expected{number, place.count, place.tensors};
        if (number == place.number) {
            parts.push_back(std::move(own));
            continue;
        }
        auto part = openPart(stem + ending(number, place.count), expected);
        KVASIR_TRY(part);
        const auto found = splitPlace(*part);
        KVASIR_TRY(found);
        if (found->number != number || found->count != place.count) {
            return foreign(part->path(), "it is " + placeText(*found) + " by what it says inside");
        }
        if (found->tensors != place.tensors) {
            return foreign(part->path(),
                "it is of a model of " + std::to_string(found->tensors) + " tensors, not of "
                    + std::to_string(place.tensors));
        }
        parts.push_back(*std::move(part));
    }
    return parts;
}

} // namespace

Result<ModelFile> wholePart(GgufPart& part)
{
    ModelFile::Contents contents;
    contents.path = part.map.path();
    contents.format = "GGUF version " + std::to_string(part.version);
    contents.version = part.version;
    contents.alignment = part.alignment;
    contents.maps.push_back(std::move(part.map));
    contents.entries = std::move(part.entries);
    contents.tensors = std::move(part.tensors);
    return ModelFile::make(std::move(contents));
}

Result<SplitPlace> splitPlace(const ModelFile& part)
{
    SplitPlace place;
    const auto count = part.u64("split.count", 1);
    KVASIR_TRY(count);
    place.count = *count;
    if (place.count <= 1) {
        return place;
    }
    const auto number = part.u64("split.no");
    KVASIR_TRY(number);
    const auto tensors = part.u64("split.tensors.count");
    KVASIR_TRY(tensors);
    place.number = *number;
    place.tensors = *tensors;
    if (place.count > kMaxParts || place.number >= place.count) {
        return malformed(part.path(),
            "it says to be part " + std::to_string(place.number) + " (from 0 on) of " + std::to_string(place.count));
    }
    return place;
}

Result<ModelFile> joinSplit(ModelFile own, const SplitPlace& place)
{
    const std::string path = own.path();
    auto parts = openAll(std::move(own), place);
    KVASIR_TRY(parts);
    std::unordered_map<std::string_view, size_t> owners;
    uint64_t count = 0;
    for (size_t i = 0; i < parts->size(); ++i) {
        const ModelFile& part = (*parts)[i];
        KVASIR_TRY(compareMetadata(parts->front(), part));
        count += part.tensors().size();
        for (const StoredTensor& tensor : part.tensors()) {
            const auto [owner, isNew] = owners.try_emplace(tensor.name, i);
            if (!isNew) {
                return foreign(part.path(),
                    "it holds the tensor " + quoted(tensor.name) + ", and so does "
                        + quoted((*parts)[owner->second].path()));
            }
        }
    }
    if (count != place.tensors) {
        return malformed(path,
            "the model's " + std::to_string(place.count) + " files hold " + std::to_string(count)
                + " tensors together instead of " + std::to_string(place.tensors));
    }
    ModelFile::Contents whole = std::move(parts->front()).release();
    whole.path = path;
    whole.format += ", " + std::to_string(place.count) + " files";
    for (size_t i = 1; i < parts->size(); ++i) {
        ModelFile::Contents part = std::move((*parts)[i]).release();
        std::move(part.maps.begin(), part.maps.end(), std::back_inserter(whole.maps));
        whole.tensors.insert(whole.tensors.end(), part.tensors.begin(), part.tensors.end());
    }
    return ModelFile::make(std::move(whole));
}

} // namespace kvasir
