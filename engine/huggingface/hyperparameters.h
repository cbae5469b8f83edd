#pragma once

#include "base/result.h"

#include <nlohmann/json.hpp>
#include <string>

namespace kvasir {

struct HuggingFaceArchitecture;
class MetadataWriter;
class TensorWriter;

/// What a config.json says of a model, under the keys that GGUF has for it; `tensors` takes rotation factors, which
/// GGUF keeps as tensors. What Kvasir would compute otherwise than the model means it is refused by name. `path` is the
/// file's, for messages.
/// Errors: Unsupported, MissingMetadata, Malformed.
Result<void> writeHyperparameters(const nlohmann::json& config, const std::string& path,
    const HuggingFaceArchitecture& architecture, MetadataWriter& metadata, TensorWriter& tensors);

} // namespace kvasir
