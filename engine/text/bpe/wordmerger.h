#pragma once

#include "text/bpe/mergetable.h"

#include <cstdint>
#include <vector>

namespace kvasir {

/// Merges the symbols of one word after the other: always the pair with the lowest rank, the leftmost of equals. Keeps
/// its memory from word to word.
class WordMerger {
public:
    explicit WordMerger(const MergeTable& merges)
        : m_merges(merges)
    {
    }

    /// `symbols` becomes what is left of it when nothing merges any more. Time is n log n in its length, fewer than
    /// 2^32 symbols.
    void merge(std::vector<TokenId>& symbols);

private:
    void mergeShort(std::vector<TokenId>& symbols);
    void mergeLong(std::vector<TokenId>& symbols);
    void propose(const std::vector<TokenId>& symbols, uint32_t left);

    const MergeTable& m_merges;
    std::vector<MergeTable::Merge> m_pairs; ///< what each symbol and the next one make
    std::vector<uint32_t> m_next;           ///< of a symbol in a long word; its number of symbols: none
    std::vector<uint32_t> m_previous;
    std::vector<uint64_t> m_heap; ///< rank << 32 | left symbol, the lowest on top
};

} // namespace kvasir
