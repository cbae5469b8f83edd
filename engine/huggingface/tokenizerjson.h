#pragma once

#include "base/result.h"

#include <nlohmann/json.hpp>
#include <string>

namespace kvasir {

class MetadataWriter;
class TokenList;

/// What a tokenizer.json says of tokens, merges and cuts, under GGUF's keys and Kvasir's own; `tokens` is filled, and
/// is written by the caller. Errors: BadTokenizer, Unsupported (by name).
Result<void> writeTokenizerJson(const nlohmann::json& tokenizer, TokenList& tokens, MetadataWriter& metadata);

/// Whether the tokenizer puts `bos` in front of a text and `eos` behind it ("post_processor").
struct TokenizerFrame {
    bool isStated = false;
    bool bos = false;
    bool eos = false;
};
TokenizerFrame readTokenizerFrame(const nlohmann::json& tokenizer, const std::string& bos, const std::string& eos);

} // namespace kvasir
