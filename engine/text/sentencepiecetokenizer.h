#pragma once

#include "text/vocabularytokenizer.h"

#include <array>
#include <bitset>
#include <memory>

namespace sentencepiece {
class SentencePieceProcessor;
}

namespace kvasir {

/// A sentencepiece vocabulary (BPE with byte fallback, or Unigram), encoded by the sentencepiece library. The library's
/// model is built from the file's own token list.
class SentencePieceTokenizer final : public VocabularyTokenizer {
public:
    /// Errors: MissingMetadata (scores), BadTokenizer.
    static Result<std::unique_ptr<Tokenizer>> make(const ModelFile& file, Vocabulary vocabulary);
    ~SentencePieceTokenizer() override;

private:
    explicit SentencePieceTokenizer(Vocabulary vocabulary);

    /// What of the vocabulary decides where a text may be cut without changing its tokens.
    void findCuts();
    void encodeWord(std::string_view word, std::vector<TokenId>& tokens) const;
    void encodeValid(std::string_view text, std::vector<TokenId>& tokens) const;

    void encodeRun(std::string_view text, bool afterSpecial, std::vector<TokenId>& tokens) const override;
    void appendBytes(TokenId token, std::string& bytes) const override;
    bool addsSpacePrefix() const override { return m_addsSpacePrefix; }
    bool takesSpaceBehind(TokenId token) const override;
    bool findsUserDefined() const override { return m_cutsUserDefined; }

    std::unique_ptr<sentencepiece::SentencePieceProcessor> m_processor;
    std::array<TokenId, 256> m_byteTokens{}; ///< kNoToken where there is none
    bool m_addsSpacePrefix = true;
    bool m_isPhi3 = false;
    bool m_cutsUserDefined = false; ///< as tokenizer.json does, where a prefix follows; else the library finds them
    std::bitset<256> m_bindsSpace;  ///< bytes behind which some token goes on over a space: no word ends there
    bool m_spaceRunsAreUserDefined = false; ///< then they are runs of real spaces, never of a written U+2581
};

} // namespace kvasir
