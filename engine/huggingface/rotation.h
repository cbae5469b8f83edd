#pragma once

#include "base/result.h"

#include <nlohmann/json.hpp>
#include <string>

namespace kvasir {

struct HuggingFaceArchitecture;
class MetadataWriter;
class TensorWriter;

/// What a config.json says of the rotation of positions, in its older layout (rope_theta, rope_scaling) or the newer
/// one (rope_parameters), under GGUF's keys. The factors of Llama 3 and LongRoPE become tensors, as in GGUF.
/// Errors: Unsupported, MissingMetadata, Malformed.
Result<void> writeRotation(const nlohmann::json& config, const std::string& path,
    const HuggingFaceArchitecture& architecture, MetadataWriter& metadata, TensorWriter& tensors);

} // namespace kvasir
