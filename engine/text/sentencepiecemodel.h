#pragma once

#include <string>

namespace kvasir {

class Vocabulary;

/// The vocabulary as a serialized sentencepiece ModelProto (BPE, identity normalizer, no dummy prefix), made such that
/// the library accepts it: one piece of type UNKNOWN (one more behind the vocabulary's end if it has none), no piece
/// twice, empty or with a NUL byte. `byteFallback` needs all 256 byte tokens.
std::string makeSentencePieceModel(const Vocabulary& vocabulary, bool byteFallback);

} // namespace kvasir
