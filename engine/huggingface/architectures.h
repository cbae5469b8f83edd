#pragma once

#include "base/result.h"

#include <nlohmann/json.hpp>
#include <string_view>

namespace kvasir {

/// What one model class of the transformers library is in GGUF's words, as far as its config.json does not say it.
struct HuggingFaceArchitecture {
    std::string_view className; ///< the first of "architectures"
    std::string_view name;      ///< general.architecture
    /// Whether the halves of a head turn, where GGUF's converters permute Q and K so that neighbours do.
    bool turnsHalves = false;
    bool normsFromOne = false; ///< norms multiply by 1 + weight; GGUF has the sum
    bool tiedByDefault = false;
    /// The layer's norm between attention and feed-forward, which goes by one name in different places.
    std::string_view postAttentionNorm = "ffn_norm";
};

/// Errors: Unsupported (by name), Malformed.
Result<const HuggingFaceArchitecture*> findHuggingFaceArchitecture(
    const nlohmann::json& config, const std::string& path);

} // namespace kvasir
