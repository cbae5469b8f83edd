#pragma once

#include "base/result.h"
#include "text/pretokenizer.h"

namespace kvasir {

class ModelFile;

/// The pre-tokenizer of a model: the expressions that a tokenizer.json states (kvasir.tokenizer.patterns), else the
/// family that tokenizer.ggml.pre names. Errors: Unsupported (by name), Malformed.
Result<PreTokenizer> readPreTokenizer(const ModelFile& file);

} // namespace kvasir
