#pragma once

struct sqlite3;

namespace kvasir {

/// Name of the tokenizer in `CREATE VIRTUAL TABLE ... USING fts5(..., tokenize = '...')`.
inline constexpr const char* kBigramTokenizer = "kvasir_bigram";

/// Makes the tokenizer known to one SQLite connection; to be done before the search table is touched.
/// Runs of Hangul, Kana and Han are cut into overlapping pairs and a last single character, other letters and digits
/// into words with their case folded. A phrase whose last token is a prefix then finds any part of a Korean word, which
/// SQLite's own tokenizers do not (unicode61 knows whole words only, trigram needs three characters).
bool registerBigramTokenizer(sqlite3* connection);

} // namespace kvasir
