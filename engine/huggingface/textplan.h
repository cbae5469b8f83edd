#pragma once

#include "base/result.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace kvasir {

/// What a tokenizer.json does with a text before it looks tokens up.
struct TextPlan {
    std::string form;                  ///< Unicode normalization: "", "nfc", "nfd", "nfkc", "nfkd"
    std::vector<std::string> patterns; ///< expressions that cut it into words, one after the other
    bool bytesAsText = false;          ///< GPT-2's alphabet
    bool spaceSigns = false;           ///< U+2581 for a space
    bool prefixesSpace = false;        ///< one in front of a text
    bool prefixesOnlyFirst = false;    ///< of the first stretch, not of those behind special tokens
    bool prefixesUnlessThere = false;  ///< not where the text begins with a space
};

/// Reads "normalizer" and "pre_tokenizer". Errors: Unsupported, naming the part that Kvasir does not know.
Result<TextPlan> readTextPlan(const nlohmann::json& tokenizer);

} // namespace kvasir
