#pragma once

#include "files/gguf.h"
#include "text/tokenizer.h"

#include <QString>

#include <memory>
#include <vector>

namespace kvasir::testing {

/// The tokenizer of a model file; null, after a failed check, where it cannot be made.
std::unique_ptr<Tokenizer> openTokenizer(const QString& path);
/// The error of a file whose tokenizer must not load; "loaded" where it does.
Error tokenizerError(const QString& path);

/// Ids as "1 2 3", for comparing with a readable message.
QString toText(const std::vector<TokenId>& ids);

/// Compares everything that golden/real/<model>/tokenizer.json says.
void checkRealTokenizer(const Tokenizer& tokenizer, const QString& goldenFile);
/// Compares everything that golden/tiny/<model>/tokenizer_golden.json says.
void checkTinyTokenizer(const Tokenizer& tokenizer, const QString& goldenFile);

} // namespace kvasir::testing
