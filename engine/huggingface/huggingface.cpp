#include "huggingface/huggingface.h"

#include "huggingface/architectures.h"
#include "huggingface/folder.h"
#include "huggingface/hyperparameters.h"
#include "huggingface/metadatawriter.h"
#include "huggingface/tensors.h"
#include "huggingface/tensorwriter.h"
#include "huggingface/tokenizerfiles.h"

#include <filesystem>

namespace kvasir {

namespace {

/// Rows of the embedding: the vocabulary that the weights know.
uint64_t embeddingRows(const HuggingFaceFolder& folder)
{
    for (const SafetensorsFile& file : folder.weights) {
        for (const SafeTensor& tensor : file.tensors()) {
            if (tensor.name == "model.embed_tokens.weight" && tensor.shape.size() == 2 && tensor.bytes > 0) {
                return tensor.shape.front();
            }
        }
    }
    return 0;
}

/// What the folder is called; the hub's own cache keeps models--OWNER--NAME/snapshots/REVISION.
std::string folderName(const std::string& path)
{
    const std::filesystem::path folder = std::filesystem::absolute(path + "/").lexically_normal().parent_path();
    const std::string cached = folder.parent_path().parent_path().filename().string();
    if (folder.parent_path().filename() == "snapshots" && cached.starts_with("models--")) {
        return cached.substr(cached.rfind("--") + 2);
    }
    return folder.filename().string();
}

bool isTied(const nlohmann::json& config, const HuggingFaceArchitecture& architecture)
{
    const auto tied = config.find("tie_word_embeddings");
    return tied != config.end() && tied->is_boolean() ? tied->get<bool>() : architecture.tiedByDefault;
}

} // namespace

Result<ModelFile> openHuggingFace(const std::string& path, const std::string& folderPath)
{
    auto folder = openFolder(folderPath);
    KVASIR_TRY(folder);
    const std::string configPath = folder->file("config.json");
    const auto architecture = findHuggingFaceArchitecture(folder->config, configPath);
    KVASIR_TRY(architecture);
    MetadataWriter metadata;
    TensorWriter tensors;
    metadata.add("general.architecture", (*architecture)->name);
    metadata.add("general.name", std::string_view(folderName(folderPath)));
    KVASIR_TRY(writeHyperparameters(folder->config, configPath, **architecture, metadata, tensors));
    KVASIR_TRY(openWeights(*folder));
    KVASIR_TRY(writeTensors(folder->weights, **architecture, isTied(folder->config, **architecture), tensors));
    KVASIR_TRY(writeTokenizer(*folder, embeddingRows(*folder), metadata));

    ModelFile::Contents contents;
    contents.path = path;
    contents.format = "Hugging Face folder, safetensors";
    for (SafetensorsFile& file : folder->weights) {
        contents.maps.push_back(std::move(file).releaseMap());
    }
    std::move(metadata).moveInto(contents);
    std::move(tensors).moveInto(contents);
    return ModelFile::make(std::move(contents));
}

} // namespace kvasir
