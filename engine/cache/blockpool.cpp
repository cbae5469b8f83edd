#include "cache/blockpool.h"

#include <algorithm>
#include <cassert>
#include <string>

namespace kvasir {

namespace {

constexpr size_t kSlabBytes = size_t{2} << 20; // a huge page

int blocksInSlab(const KvShape& shape, int capacity)
{
    const size_t blocks = (kSlabBytes + shape.blockBytes() - 1) / shape.blockBytes();
    return std::max(1, std::min(capacity, static_cast<int>(blocks)));
}

} // namespace

BlockPool::BlockPool(const KvShape& shape, int capacity, MemoryLedger& ledger)
    : m_shape(shape)
    , m_capacity(capacity)
    , m_slabBlocks(blocksInSlab(shape, capacity))
    , m_ledger(ledger)
{
}

BlockPool::~BlockPool()
{
    for (size_t i = 0; i < m_blocks.size(); ++i) {
        if (m_blocks[i].references > 0) {
            setFilled(static_cast<BlockId>(i), 0);
        }
    }
}

Result<BlockId> BlockPool::acquire()
{
    if (m_inUse == m_capacity) {
        return fail(ErrorCode::OutOfMemory,
            "The KV cache is full: all " + std::to_string(m_capacity) + " blocks of 16 tokens are in use",
            {{"what", "KV cache"}, {"need", std::to_string(m_shape.blockBytes())}, {"have", "0"}});
    }
    if (m_free.empty()) {
        KVASIR_TRY(addSlab());
    }
    const BlockId id = m_free.back();
    m_free.pop_back();
    Block& block = m_blocks[static_cast<size_t>(id)];
    block.references = 1;
    ++m_slabs[static_cast<size_t>(id / m_slabBlocks)].used;
    ++m_inUse;
    return id;
}

void BlockPool::share(BlockId block)
{
    assert(references(block) > 0);
    ++m_blocks[static_cast<size_t>(block)].references;
}

void BlockPool::release(BlockId id)
{
    Block& block = m_blocks[static_cast<size_t>(id)];
    assert(block.references > 0);
    if (--block.references > 0) {
        return;
    }
    setFilled(id, 0);
    --m_inUse;
    m_free.push_back(id);
    const auto slab = static_cast<size_t>(id / m_slabBlocks);
    if (--m_slabs[slab].used == 0) {
        dropSlab(slab);
    }
}

void BlockPool::setFilled(BlockId id, int positions)
{
    Block& block = m_blocks[static_cast<size_t>(id)];
    if (positions > block.filled) {
        m_ledger.add(MemoryTag::KvUsed, static_cast<size_t>(positions - block.filled) * m_shape.tokenBytes());
    } else if (positions < block.filled) {
        m_ledger.remove(MemoryTag::KvUsed, static_cast<size_t>(block.filled - positions) * m_shape.tokenBytes());
    }
    block.filled = positions;
}

Result<void> BlockPool::addSlab()
{
    const auto hole = std::find_if(m_slabs.begin(), m_slabs.end(), [](const Slab& slab) { return !slab.held; });
    const auto index = static_cast<size_t>(hole - m_slabs.begin());
    const size_t first = index * static_cast<size_t>(m_slabBlocks);
    // The last slab may be cut by the capacity.
    const size_t count = std::min(static_cast<size_t>(m_slabBlocks), static_cast<size_t>(m_capacity) - first);
    auto memory = TrackedBuffer::allocate(m_ledger, MemoryTag::KvReserved, count * m_shape.blockBytes());
    KVASIR_TRY(memory);
    if (hole == m_slabs.end()) {
        m_slabs.emplace_back();
        m_blocks.resize(first + count);
    }
    Slab& slab = m_slabs[index];
    slab.memory = *std::move(memory);
    slab.held = true;
    for (size_t i = count; i-- > 0;) {
        m_blocks[first + i] = {};
        if (slab.memory.data()) {
            m_blocks[first + i].data = slab.memory.data() + i * m_shape.blockBytes();
        }
        m_free.push_back(static_cast<BlockId>(first + i));
    }
    return {};
}

void BlockPool::dropSlab(size_t slab)
{
    m_slabs[slab].memory = {};
    m_slabs[slab].held = false;
    std::erase_if(m_free, [&](BlockId id) { return static_cast<size_t>(id / m_slabBlocks) == slab; });
}

} // namespace kvasir
