#pragma once

#include <string>
#include <string_view>

namespace kvasir {

class Vocabulary;

/// sentencepiece's own sign for a space, U+2581.
inline constexpr std::string_view kSpaceSign = "\xE2\x96\x81";

/// The vocabulary as a serialized sentencepiece ModelProto (BPE, identity normalizer, no dummy prefix), made such that
/// the library accepts it: one piece of type UNKNOWN (one more behind the vocabulary's end if it has none), no piece
/// twice, empty or with a NUL byte. `byteFallback` needs all 256 byte tokens.
std::string makeSentencePieceModel(const Vocabulary& vocabulary, bool byteFallback);

} // namespace kvasir
