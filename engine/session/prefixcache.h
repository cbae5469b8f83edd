#pragma once

#include "base/types.h"
#include "cache/blocktable.h"

#include <list>
#include <span>
#include <vector>

namespace kvasir {

/// Tokens that two sequences share at their beginning.
int commonPrefix(std::span<const TokenId> a, std::span<const TokenId> b);

/// KV blocks of sequences that ended, kept for a later request that begins with the same tokens: the next turn of a
/// chat, a reply made again, a system prompt. Oldest use goes first. Blocks are shared with the pool's other users by
/// count.
class PrefixCache {
public:
    /// Shorter prefixes are not worth the copy of a block.
    static constexpr int kLeastTokens = kBlockTokens;

    /// Keeps at most `mostBlocks` blocks, shared ones counted in each of their sequences.
    explicit PrefixCache(int mostBlocks)
        : m_mostBlocks(mostBlocks)
    {
    }

    /// Takes over a finished sequence; `tokens` are those in the table. What it makes superfluous is dropped.
    void keep(std::span<const TokenId> tokens, BlockTable table);
    /// The longest kept prefix of `tokens`, at most `most` of them; 0 where there is none worth it.
    int match(std::span<const TokenId> tokens, int most) const;
    /// A table that holds the prefix that match() told of, sharing the kept blocks. The length must be above 0.
    BlockTable fork(std::span<const TokenId> tokens, int length);

    /// Gives the blocks of the sequence that was not used for the longest time back. False where nothing is kept.
    bool dropOldest();
    /// Blocks that dropping everything would free.
    int exclusiveBlocks() const;
    int blocks() const { return m_blocks; }
    size_t sequences() const { return m_entries.size(); }

private:
    struct Entry {
        std::vector<TokenId> tokens;
        BlockTable table;
    };

    void erase(std::list<Entry>::iterator entry);

    const int m_mostBlocks;
    int m_blocks = 0;
    std::list<Entry> m_entries; // last used last
};

} // namespace kvasir
