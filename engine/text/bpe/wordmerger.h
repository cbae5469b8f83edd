#pragma once

#include "text/bpe/mergetable.h"

#include <cstdint>
#include <unordered_map>
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

    /// `symbols` becomes what is left of it when nothing merges any more. Time is n log n in its length, and
    /// linear in that of a run. Fewer than 2^32 symbols.
    void merge(std::vector<TokenId>& symbols);

private:
    void mergeShort(std::vector<TokenId>& symbols);
    void mergeLong(std::vector<TokenId>& symbols);
    void propose(const std::vector<TokenId>& symbols, uint32_t left);
    void mergeAt(std::vector<TokenId>& symbols, uint32_t left);

    /// The places in a long word where one merge may apply: left symbols.
    struct Bucket {
        uint32_t rank = 0;
        bool isWaiting = false;       ///< its rank is in m_ranks
        size_t taken = 0;             ///< of `places`
        std::vector<uint32_t> places; ///< ascending, as they come in runs
        std::vector<uint32_t> late;   ///< heap of those that came behind a larger one, the lowest on top

        bool isEmpty() const { return taken == places.size() && late.empty(); }
        void add(uint32_t place);
        uint32_t takeLowest();
    };
    Bucket& bucketOf(uint32_t rank);

    const MergeTable& m_merges;
    std::vector<MergeTable::Merge> m_pairs; ///< what each symbol and the next one make
    std::vector<uint32_t> m_next;           ///< of a symbol in a long word; its number of symbols: none
    std::vector<uint32_t> m_previous;
    std::vector<Bucket> m_buckets;
    std::unordered_map<uint32_t, size_t> m_bucketOfRank;
    size_t m_lastBucket = 0;       ///< asked for last: runs ask for the same again and again
    std::vector<uint32_t> m_ranks; ///< heap of the ranks with places left, the lowest on top
};

} // namespace kvasir
