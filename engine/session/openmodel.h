#pragma once

#include "files/modelfile.h"

#include <string>

namespace kvasir {

/// Opens a model of any format that Kvasir reads: a GGUF file, any part of a split one.
/// Errors: those of GgufFile::open.
Result<ModelFile> openModel(const std::string& path);

} // namespace kvasir
