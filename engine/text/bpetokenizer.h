#pragma once

#include "text/pretokenizer.h"
#include "text/vocabularytokenizer.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace kvasir {

/// The merges of a BPE vocabulary: which two symbols make which third, and how early.
class MergeTable {
public:
    struct Merge {
        uint32_t rank = UINT32_MAX; ///< lower is merged earlier; UINT32_MAX: the two do not merge
        TokenId result = kNoToken;
    };

    void reserve(size_t merges);
    /// A pair that is there already keeps its first rank.
    void add(TokenId left, TokenId right, Merge merge);
    Merge find(TokenId left, TokenId right) const;

private:
    struct Slot {
        uint64_t pair = UINT64_MAX;
        Merge merge;
    };

    size_t slotOf(uint64_t pair) const;

    std::vector<Slot> m_slots; ///< open addressing; the size is a power of two and at least twice the merges
};

/// Byte-level BPE as GPT-2 introduced it. Special and user-defined tokens are cut out first, a pre-tokenizer cuts the
/// rest into words, and the bytes of each word are merged by rank, leftmost first.
class BpeTokenizer final : public VocabularyTokenizer {
public:
    /// Errors: MissingMetadata (merges), Unsupported (pre-tokenizer), BadTokenizer.
    static Result<std::unique_ptr<Tokenizer>> make(const ModelFile& file, Vocabulary vocabulary);

private:
    struct Scratch;

    BpeTokenizer(Vocabulary vocabulary, PreTokenizer preTokenizer);

    Result<void> readMerges(const ModelFile& file);
    void mergeWord(std::string_view word, Scratch& scratch, std::vector<TokenId>& tokens) const;
    void appendSymbol(TokenId symbol, std::string_view bytes, std::vector<TokenId>& tokens) const;

    void encodeRun(std::string_view text, bool afterSpecial, std::vector<TokenId>& tokens) const override;
    void appendBytes(TokenId token, std::string& bytes) const override;
    bool findsUserDefined() const override { return true; }

    PreTokenizer m_preTokenizer;
    MergeTable m_merges;
    /// The symbol of each byte. Symbols from the vocabulary's size on are parts of merges that are no tokens.
    std::array<TokenId, 256> m_byteSymbols{};
};

} // namespace kvasir
