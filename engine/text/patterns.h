#pragma once

#include "base/result.h"
#include "text/pretokenizer.h"

namespace kvasir {

class ModelFile;

/// The pre-tokenizer that a tokenizer.json states by its expressions (kvasir.tokenizer.patterns).
/// Errors: Unsupported (an expression that is not understood), Malformed.
Result<PreTokenizer> readStatedPatterns(const ModelFile& file);

} // namespace kvasir
