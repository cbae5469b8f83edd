#include "huggingface/folder.h"

#include "files/ggufbytes.h"
#include "files/json.h"

#include <filesystem>
#include <map>
#include <set>
#include <unordered_map>

namespace kvasir {

using gguf::malformed;
using Json = nlohmann::json;

namespace {

constexpr size_t kMaxConfigBytes = size_t(16) << 20;
constexpr size_t kMaxIndexBytes = size_t(256) << 20;
constexpr const char* kSingle = "model.safetensors";
constexpr const char* kIndex = "model.safetensors.index.json";

bool exists(const std::string& path)
{
    std::error_code ignored;
    return std::filesystem::exists(path, ignored);
}

Result<Json> readOptional(const std::string& path)
{
    return exists(path) ? readJsonFile(path, kMaxConfigBytes) : Result<Json>(Json());
}

Failure noWeights(const std::string& folder)
{
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
        const std::string name = entry.path().filename().string();
        if (name.ends_with(".bin") || name.ends_with(".pth") || name.ends_with(".pt")) {
            return fail(ErrorCode::Unsupported,
                "the weights in '" + folder + "' are pickles of PyTorch (" + gguf::quoted(name)
                    + "), which can run code when they are read; use a version of the model as safetensors or GGUF",
                {{"path", folder}, {"what", "weights"}, {"name", name}});
        }
    }
    return fail(ErrorCode::FileNotFound,
        "there is no " + std::string(kSingle) + " and no " + kIndex + " in '" + folder
            + "'; download the model's .safetensors files too",
        {{"path", folder + "/" + kSingle}});
}

/// The files of an index, each with the tensors that must be in it.
Result<std::map<std::string, std::set<std::string>>> readIndex(const std::string& path)
{
    const auto index = readJsonFile(path, kMaxIndexBytes);
    KVASIR_TRY(index);
    const auto list = index->is_object() ? index->find("weight_map") : index->end();
    if (!index->is_object() || list == index->end() || !list->is_object() || list->empty()) {
        return malformed(path, "it has no weight_map");
    }
    std::map<std::string, std::set<std::string>> files;
    for (const auto& [tensor, file] : list->items()) {
        const std::string name = file.is_string() ? file.get<std::string>() : std::string();
        if (name.find('/') != std::string::npos || !name.ends_with(".safetensors")) {
            return malformed(path,
                "the tensor " + gguf::quoted(tensor) + " is said to be in " + gguf::quoted(name)
                    + ", which is no .safetensors file in the same folder");
        }
        files[name].insert(tensor);
    }
    return files;
}

Result<std::vector<SafetensorsFile>> openSharded(const std::string& folder)
{
    const std::string indexPath = folder + "/" + kIndex;
    const auto files = readIndex(indexPath);
    KVASIR_TRY(files);
    std::vector<SafetensorsFile> opened;
    std::unordered_map<std::string, std::string> owners;
    for (const auto& [name, tensors] : *files) {
        auto file = SafetensorsFile::open(folder + "/" + name);
        if (!file && file.error().code == ErrorCode::FileNotFound) {
            return fail(ErrorCode::FileNotFound,
                gguf::quoted(folder + "/" + name, 400) + " is missing: " + kIndex + " lists it, one of "
                    + std::to_string(files->size()) + " files of the model; download it too",
                {{"path", folder + "/" + name}});
        }
        KVASIR_TRY(file);
        size_t found = 0;
        for (const SafeTensor& tensor : file->tensors()) {
            found += tensors.count(tensor.name);
            const auto [owner, isNew] = owners.try_emplace(tensor.name, name);
            if (!isNew) {
                return malformed(file->path(),
                    "the tensor " + gguf::quoted(tensor.name) + " is in " + gguf::quoted(owner->second) + " as well");
            }
        }
        if (found != tensors.size()) {
            return malformed(file->path(),
                std::to_string(tensors.size() - found) + " of the tensors that " + kIndex + " lists are not in it");
        }
        opened.push_back(*std::move(file));
    }
    return opened;
}

Result<std::vector<SafetensorsFile>> openFiles(const std::string& folder)
{
    const std::string single = folder + "/" + kSingle;
    if (exists(single)) {
        auto file = SafetensorsFile::open(single);
        KVASIR_TRY(file);
        std::vector<SafetensorsFile> files;
        files.push_back(*std::move(file));
        return files;
    }
    if (exists(folder + "/" + kIndex)) {
        return openSharded(folder);
    }
    return noWeights(folder);
}

} // namespace

std::string huggingFaceFolder(const std::string& path)
{
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) {
        return path;
    }
    const std::filesystem::path file(path);
    const std::string name = file.filename().string();
    if (name == "config.json" || name.ends_with(".safetensors") || name == kIndex) {
        return file.has_parent_path() ? file.parent_path().string() : std::string(".");
    }
    return {};
}

Result<HuggingFaceFolder> openFolder(const std::string& path)
{
    HuggingFaceFolder folder;
    folder.path = path;
    if (!exists(folder.file("config.json"))) {
        return fail(ErrorCode::FileNotFound,
            "there is no config.json in '" + path
                + "'; choose a GGUF file, or the folder of a model as the Hugging Face hub publishes it",
            {{"path", folder.file("config.json")}});
    }
    auto config = readJsonFile(folder.file("config.json"), kMaxConfigBytes);
    KVASIR_TRY(config);
    folder.config = *std::move(config);
    auto tokenizerConfig = readOptional(folder.file("tokenizer_config.json"));
    KVASIR_TRY(tokenizerConfig);
    folder.tokenizerConfig = *std::move(tokenizerConfig);
    auto generationConfig = readOptional(folder.file("generation_config.json"));
    KVASIR_TRY(generationConfig);
    folder.generationConfig = *std::move(generationConfig);
    return folder;
}

Result<void> openWeights(HuggingFaceFolder& folder)
{
    auto weights = openFiles(folder.path);
    KVASIR_TRY(weights);
    folder.weights = *std::move(weights);
    return {};
}

} // namespace kvasir
