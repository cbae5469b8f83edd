#include "session/openmodel.h"

#include "files/gguf.h"
#include "huggingface/folder.h"
#include "huggingface/huggingface.h"

namespace kvasir {

Result<ModelFile> openModel(const std::string& path)
{
    if (const std::string folder = huggingFaceFolder(path); !folder.empty()) {
        return openHuggingFace(path, folder);
    }
    auto file = GgufFile::open(path);
    KVASIR_TRY(file);
    return ModelFile(*std::move(file));
}

} // namespace kvasir
