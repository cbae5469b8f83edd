#pragma once

#include "base/result.h"

#include <cstdint>

namespace kvasir {

struct HuggingFaceFolder;
class MetadataWriter;

/// What the folder's files say of the tokenizer and the chat template, under GGUF's keys: tokenizer.json, or else
/// tokenizer.model; tokenizer_config.json, chat_template.jinja, generation_config.json. `rows`: of the embedding.
/// Errors: FileNotFound (there is no tokenizer), BadTokenizer, Malformed, Unsupported (by name).
Result<void> writeTokenizer(const HuggingFaceFolder& folder, uint64_t rows, MetadataWriter& metadata);

} // namespace kvasir
