#pragma once

#include "base/result.h"
#include "files/safetensors.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace kvasir {

/// What lies in the folder of a model as the Hugging Face hub publishes it.
struct HuggingFaceFolder {
    std::string path; ///< of the folder
    nlohmann::json config;
    nlohmann::json tokenizerConfig;  ///< null where there is none
    nlohmann::json generationConfig; ///< null where there is none
    std::vector<SafetensorsFile> weights;

    std::string file(const std::string& name) const { return path + "/" + name; }
};

/// The folder that a path means: a folder, the config.json in it, or one of its .safetensors files or their index.
/// Empty for any other path.
std::string huggingFaceFolder(const std::string& path);

/// Reads all but the weights. Errors: FileNotFound, Malformed.
Result<HuggingFaceFolder> openFolder(const std::string& path);
/// Maps the weights; every tensor that the index lists is where it says, and in one file.
/// Errors: FileNotFound (which file), those of SafetensorsFile::open, Malformed, Unsupported (weights as pickles).
Result<void> openWeights(HuggingFaceFolder& folder);

} // namespace kvasir
