#include "text/bpe/mergetable.h"

#include <bit>

namespace kvasir {

void MergeTable::reserve(size_t merges)
{
    m_slots.assign(std::bit_ceil(merges * 2 + 2), {});
}

void MergeTable::add(TokenId left, TokenId right, Merge merge)
{
    const uint64_t pair = pairOf(left, right);
    size_t slot = slotOf(pair);
    while (m_slots[slot].pair != pair && m_slots[slot].pair != UINT64_MAX) {
        slot = (slot + 1) & (m_slots.size() - 1);
    }
    if (m_slots[slot].pair == UINT64_MAX) {
        m_slots[slot] = {pair, merge};
    }
}

} // namespace kvasir
