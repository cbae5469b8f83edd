#pragma once

#include <string>

namespace kvasir {

class Vocabulary;

/// How pieces are chosen: by merges in the order of scores, or the likeliest whole by scores as log probabilities.
enum class SentencePieceKind { Unigram = 1, Bpe = 2 }; // the format's numbers

/// The vocabulary as a serialized sentencepiece ModelProto (identity normalizer, no dummy prefix), made such that
/// the library accepts it: one piece of type UNKNOWN (one more behind the vocabulary's end if it has none), no piece
/// twice, empty or with a NUL byte. `byteFallback` needs all 256 byte tokens.
/// `addedAreCut`: user-defined tokens are found before; to the library they are what their scores say, or nothing.
std::string makeSentencePieceModel(
    const Vocabulary& vocabulary, SentencePieceKind kind, bool byteFallback, bool addedAreCut);

} // namespace kvasir
