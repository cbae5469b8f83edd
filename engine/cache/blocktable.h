#pragma once

#include "base/result.h"
#include "cache/blockpool.h"

#include <span>
#include <vector>

namespace kvasir {

/// The KV cache of one sequence: which block holds which 16 positions. Forks share blocks until one of them writes.
/// The pool must outlive it. Not thread-safe.
class BlockTable {
public:
    explicit BlockTable(BlockPool& pool)
        : m_pool(&pool)
    {
    }
    BlockTable(BlockTable&& other) noexcept;
    BlockTable& operator=(BlockTable&& other) noexcept;
    ~BlockTable() { clear(); }

    /// Positions that hold something.
    int length() const { return m_length; }
    /// Blocks that reserve(`tokens`) would take from the pool, copies included.
    int blocksNeeded(int tokens) const;
    /// Makes positions [length(), tokens) writable: takes blocks, and copies a shared block that would be written to.
    /// Changes nothing on failure (OutOfMemory).
    Result<void> reserve(int tokens);
    /// Positions [length(), length() + tokens) have been written; they must be reserved.
    void advance(int tokens);
    /// Forgets positions from `length` on and gives back the blocks that are no longer needed.
    void truncate(int length);
    void clear() { truncate(0); }
    /// A second sequence with the same positions; no memory is copied.
    BlockTable fork() const;

    BlockPool& pool() const { return *m_pool; }
    std::span<const BlockId> blocks() const { return m_blocks; }
    /// Memory of each block, for attention; valid until the table changes.
    std::span<std::byte* const> data() const { return m_data; }

private:
    bool copiesLast() const;

    BlockPool* m_pool;
    int m_length = 0;
    std::vector<BlockId> m_blocks;
    std::vector<std::byte*> m_data;
};

} // namespace kvasir
