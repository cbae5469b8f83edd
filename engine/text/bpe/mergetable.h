#pragma once

#include "base/types.h"

#include <cstddef>
#include <cstdint>
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
    /// A pair that is there already keeps its first rank. No more pairs than reserved.
    void add(TokenId left, TokenId right, Merge merge);

    Merge find(TokenId left, TokenId right) const
    {
        const uint64_t pair = pairOf(left, right);
        size_t slot = slotOf(pair);
        while (m_slots[slot].pair != pair && m_slots[slot].pair != UINT64_MAX) {
            slot = (slot + 1) & (m_slots.size() - 1);
        }
        return m_slots[slot].merge;
    }

private:
    struct Slot {
        uint64_t pair = UINT64_MAX;
        Merge merge;
    };

    static uint64_t pairOf(TokenId left, TokenId right)
    {
        return static_cast<uint64_t>(static_cast<uint32_t>(left)) << 32 | static_cast<uint32_t>(right);
    }
    size_t slotOf(uint64_t pair) const { return (pair * 0x9E3779B97F4A7C15u >> 32) & (m_slots.size() - 1); }

    std::vector<Slot> m_slots = std::vector<Slot>(1); ///< open addressing; a power of two, at least twice the merges
};

} // namespace kvasir
