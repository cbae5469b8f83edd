#include "files/gguf.h"

#include "files/ggufbytes.h"
#include "files/ggufpart.h"
#include "files/ggufsplit.h"

namespace kvasir {

GgufFile::GgufFile(ModelFile file, uint64_t dataOffset)
    : ModelFile(std::move(file))
    , m_dataOffset(dataOffset)
{
}

Result<GgufFile> GgufFile::read(FileMap map, bool alone)
{
    auto part = readGgufPart(std::move(map));
    KVASIR_TRY(part);
    auto file = wholePart(*part);
    KVASIR_TRY(file);
    const auto place = splitPlace(*file);
    KVASIR_TRY(place);
    if (place->count <= 1) {
        return GgufFile(*std::move(file), part->dataOffset);
    }
    if (alone) {
        return fail(ErrorCode::Unsupported,
            gguf::quoted(file->path()) + " is one of " + std::to_string(place->count)
                + " files of a model, which can not be used by itself",
            {{"path", file->path()}, {"what", "a part of a model"}, {"name", file->path()}});
    }
    auto whole = joinSplit(*std::move(file), *place);
    KVASIR_TRY(whole);
    return GgufFile(*std::move(whole), part->dataOffset);
}

Result<GgufFile> GgufFile::open(const std::string& path)
{
    Result<FileMap> map = FileMap::open(path);
    KVASIR_TRY(map);
    return read(*std::move(map), false);
}

Result<GgufFile> GgufFile::parse(FileMap map)
{
    return read(std::move(map), true);
}

} // namespace kvasir
