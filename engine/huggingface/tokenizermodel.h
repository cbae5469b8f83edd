#pragma once

#include "base/result.h"

#include <cstddef>
#include <span>

namespace kvasir {

class MetadataWriter;
class TokenList;

/// What a tokenizer.model (a serialized sentencepiece ModelProto) says, under GGUF's keys; `tokens` is filled, and is
/// written by the caller, who knows more of them.
/// Errors: BadTokenizer, Unsupported (kind, normalization).
Result<void> writeTokenizerModel(std::span<const std::byte> bytes, TokenList& tokens, MetadataWriter& metadata);

} // namespace kvasir
