#pragma once

#include "files/modelfile.h"

#include <string>

namespace kvasir {

/// Opens a folder as the Hugging Face hub publishes models: config.json, safetensors, and the tokenizer's files. What
/// they say comes under the keys and names that a GGUF file of the model would have, and a few of Kvasir's own
/// ("kvasir.") for what GGUF cannot say. Weights stay mapped. `path` is what was named, `folder` what it means.
/// Errors: those of openFolder, writeHyperparameters, writeTensors and writeTokenizer.
Result<ModelFile> openHuggingFace(const std::string& path, const std::string& folder);

} // namespace kvasir
