#include "session/prefixcache.h"

#include <algorithm>
#include <set>
#include <utility>

namespace kvasir {

int commonPrefix(std::span<const TokenId> a, std::span<const TokenId> b)
{
    return static_cast<int>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

void PrefixCache::keep(std::span<const TokenId> tokens, BlockTable table)
{
    tokens = tokens.first(static_cast<size_t>(table.length()));
    const int length = table.length();
    if (length < kLeastTokens) {
        return;
    }
    for (auto entry = m_entries.begin(); entry != m_entries.end();) {
        const int shared = commonPrefix(entry->tokens, tokens);
        if (shared == length) { // nothing new
            m_entries.splice(m_entries.end(), m_entries, entry);
            return;
        }
        const auto next = std::next(entry);
        if (shared == static_cast<int>(entry->tokens.size())) {
            erase(entry);
        }
        entry = next;
    }
    const int blocks = static_cast<int>(table.blocks().size());
    if (blocks > m_mostBlocks) {
        return;
    }
    while (m_blocks + blocks > m_mostBlocks && dropOldest()) { }
    m_blocks += blocks;
    m_entries.push_back({{tokens.begin(), tokens.end()}, std::move(table)});
}

int PrefixCache::match(std::span<const TokenId> tokens, int most) const
{
    int best = 0;
    for (const Entry& entry : m_entries) {
        best = std::max(best, std::min(most, commonPrefix(entry.tokens, tokens)));
    }
    return best < kLeastTokens ? 0 : best;
}

BlockTable PrefixCache::fork(std::span<const TokenId> tokens, int length)
{
    const auto entry = std::find_if(m_entries.rbegin(), m_entries.rend(),
        [&](const Entry& kept) { return commonPrefix(kept.tokens, tokens) >= length; });
    BlockTable table = entry->table.fork();
    table.truncate(length);
    m_entries.splice(m_entries.end(), m_entries, std::prev(entry.base()));
    return table;
}

bool PrefixCache::dropOldest()
{
    if (m_entries.empty()) {
        return false;
    }
    erase(m_entries.begin());
    return true;
}

int PrefixCache::exclusiveBlocks() const
{
    std::set<BlockId> seen;
    int count = 0;
    for (const Entry& entry : m_entries) {
        for (const BlockId block : entry.table.blocks()) {
            count += entry.table.pool().references(block) == 1 && seen.insert(block).second ? 1 : 0;
        }
    }
    return count;
}

void PrefixCache::erase(std::list<Entry>::iterator entry)
{
    m_blocks -= static_cast<int>(entry->table.blocks().size());
    m_entries.erase(entry);
}

} // namespace kvasir
