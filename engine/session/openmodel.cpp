#include "session/openmodel.h"

#include "files/gguf.h"

namespace kvasir {

Result<ModelFile> openModel(const std::string& path)
{
    auto file = GgufFile::open(path);
    KVASIR_TRY(file);
    return ModelFile(*std::move(file));
}

} // namespace kvasir
