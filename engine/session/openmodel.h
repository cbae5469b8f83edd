#pragma once

#include "files/modelfile.h"

#include <string>

namespace kvasir {

/// Opens a model of any format that Kvasir reads: a GGUF file (any part of a split one), or a Hugging Face folder
/// (also by its config.json or one of its .safetensors files).
/// Errors: those of GgufFile::open and openHuggingFace.
Result<ModelFile> openModel(const std::string& path);

} // namespace kvasir
