#pragma once

#include "base/result.h"
#include "cpu/attention.h"
#include "measure/ledger.h"
#include "measure/trackedbuffer.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kvasir {

/// Positions in a block.
inline constexpr int kBlockTokens = cpu::kKvBlock;

using BlockId = int32_t;

/// What a block holds: 16 positions of every key/value head of every layer.
struct KvShape {
    int layers = 0;
    int kvHeads = 0;
    cpu::KvHeadLayout head;

    size_t blockBytes() const { return head.bytes() * static_cast<size_t>(kvHeads) * static_cast<size_t>(layers); }
    size_t tokenBytes() const { return blockBytes() / kBlockTokens; }
    /// Where key/value head `kvHead` of layer `layer` begins in a block.
    size_t offset(int layer, int kvHead) const
    {
        return head.bytes() * (static_cast<size_t>(layer) * static_cast<size_t>(kvHeads) + static_cast<size_t>(kvHead));
    }
};

/// The memory of all KV caches: blocks of 16 positions x all layers, reference-counted. Memory is taken in slabs of
/// about 2 MiB (at least one block) when the blocks in hand are used up, and given back when a slab is empty. The
/// ledger sees slabs as KvReserved and written positions as KvUsed, a shared block once. Not thread-safe: one engine
/// thread owns it.
class BlockPool {
public:
    /// At most `capacity` blocks. The ledger must outlive the pool. On a dry ledger blocks are counted, without memory.
    BlockPool(const KvShape& shape, int capacity, MemoryLedger& ledger);
    ~BlockPool();
    BlockPool(const BlockPool&) = delete;
    BlockPool& operator=(const BlockPool&) = delete;

    const KvShape& shape() const { return m_shape; }
    int capacity() const { return m_capacity; }
    int blocksInUse() const { return m_inUse; }
    int blocksLeft() const { return m_capacity - m_inUse; }

    /// A block with one reference and unspecified, finite content. OutOfMemory: the capacity is used up, or the system
    /// has no more.
    Result<BlockId> acquire();
    void share(BlockId block);
    void release(BlockId block);
    int references(BlockId block) const { return m_blocks[static_cast<size_t>(block)].references; }

    std::byte* data(BlockId block) const { return m_blocks[static_cast<size_t>(block)].data; }
    /// Tells how many positions of the block hold something.
    void setFilled(BlockId block, int positions);
    int filled(BlockId block) const { return m_blocks[static_cast<size_t>(block)].filled; }

private:
    struct Slab {
        TrackedBuffer memory;
        bool held = false; ///< on a dry ledger there is no memory to tell it by
        int used = 0;      ///< blocks with a reference
    };
    struct Block {
        std::byte* data = nullptr;
        int references = 0;
        int filled = 0;
    };

    Result<void> addSlab();
    void dropSlab(size_t slab);

    const KvShape m_shape;
    const int m_capacity;
    const int m_slabBlocks;
    MemoryLedger& m_ledger;
    int m_inUse = 0;
    std::vector<Block> m_blocks; ///< slab s holds blocks [s * m_slabBlocks, (s + 1) * m_slabBlocks)
    std::vector<Slab> m_slabs;
    std::vector<BlockId> m_free; ///< of slabs with memory; the last one is taken first
};

} // namespace kvasir
