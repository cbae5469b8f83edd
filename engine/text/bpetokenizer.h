#pragma once

#include "text/bpe/mergetable.h"
#include "text/pretokenizer.h"
#include "text/vocabularytokenizer.h"

#include <array>
#include <bitset>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

namespace kvasir {

/// BPE by ranked merges. Special and user-defined tokens are cut out first, a pre-tokenizer cuts the rest into words,
/// and the symbols of each word are merged by rank, leftmost first. The symbols are bytes, as GPT-2 introduced it, or,
/// for Gemma 4 and its like, characters, with bytes for what the vocabulary does not have.
class BpeTokenizer final : public VocabularyTokenizer {
public:
    /// Errors: MissingMetadata (merges), Unsupported (stated expressions), BadTokenizer.
    static Result<std::unique_ptr<Tokenizer>> make(const ModelFile& file, Vocabulary vocabulary);

private:
    struct Scratch;

    BpeTokenizer(Vocabulary vocabulary, PreTokenizer preTokenizer);

    static Result<std::unique_ptr<Tokenizer>> finish(const ModelFile& file, std::unique_ptr<BpeTokenizer> result);
    Result<void> readMerges(const ModelFile& file);
    TokenId addSymbol(std::string_view text);
    TokenId findSymbol(std::string_view text) const;
    bool isPlain() const { return m_preTokenizer.traits().hasPlainText; }

    void encodePiece(std::string_view piece, Scratch& scratch, std::vector<TokenId>& tokens) const;
    void encodeWord(std::string_view word, Scratch& scratch, std::vector<TokenId>& tokens) const;
    void mergeWord(std::string_view word, Scratch& scratch, std::vector<TokenId>& tokens) const;
    void appendSymbol(TokenId symbol, std::vector<TokenId>& tokens) const;
    void appendCharacters(std::string_view word, std::vector<TokenId>& symbols) const;

    void encodeRun(std::string_view text, bool afterSpecial, std::vector<TokenId>& tokens) const override;
    void appendBytes(TokenId token, std::string& bytes) const override;
    bool addsSpacePrefix() const override { return m_addsSpacePrefix; }
    bool findsUserDefined() const override { return true; }

    PreTokenizer m_preTokenizer;
    MergeTable m_merges;
    std::array<TokenId, 256> m_byteSymbols{}; ///< the symbol of each byte; kNoToken where there is none
    /// Parts of merges that are no tokens. Their symbols count on from the vocabulary's size.
    std::vector<std::string> m_extraTexts;
    std::unordered_map<std::string, TokenId> m_extraSymbols;
    bool m_addsSpacePrefix = false;
    bool m_addedHaveSigns = false; ///< user-defined tokens are written with signs for spaces, as in tokenizer.json
    std::bitset<256> m_bindsSpace; ///< plain text: bytes behind which a merge goes on over U+2581: no word ends there
};

} // namespace kvasir
