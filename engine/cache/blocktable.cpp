#include "cache/blocktable.h"

#include <cassert>
#include <cstring>
#include <utility>

namespace kvasir {

namespace {

int blocksFor(int tokens)
{
    return (tokens + kBlockTokens - 1) / kBlockTokens;
}

} // namespace

BlockTable::BlockTable(BlockTable&& other) noexcept
    : m_pool(other.m_pool)
    , m_length(std::exchange(other.m_length, 0))
    , m_blocks(std::move(other.m_blocks))
    , m_data(std::move(other.m_data))
{
    other.m_blocks.clear();
    other.m_data.clear();
}

BlockTable& BlockTable::operator=(BlockTable&& other) noexcept
{
    std::swap(m_pool, other.m_pool);
    std::swap(m_length, other.m_length);
    std::swap(m_blocks, other.m_blocks);
    std::swap(m_data, other.m_data);
    other.clear();
    return *this;
}

/// Whether the next position lies in a block that another table holds too.
bool BlockTable::copiesLast() const
{
    return m_length % kBlockTokens != 0
        && m_pool->references(m_blocks[static_cast<size_t>(m_length / kBlockTokens)]) > 1;
}

int BlockTable::blocksNeeded(int tokens) const
{
    if (tokens <= m_length) {
        return 0;
    }
    return std::max(0, blocksFor(tokens) - static_cast<int>(m_blocks.size())) + (copiesLast() ? 1 : 0);
}

Result<void> BlockTable::reserve(int tokens)
{
    if (tokens <= m_length) {
        return {};
    }
    const size_t before = m_blocks.size();
    BlockId copy = -1;
    if (copiesLast()) {
        auto block = m_pool->acquire();
        KVASIR_TRY(block);
        copy = *block;
    }
    while (m_blocks.size() < static_cast<size_t>(blocksFor(tokens))) {
        auto block = m_pool->acquire();
        if (!block) {
            while (m_blocks.size() > before) {
                m_pool->release(m_blocks.back());
                m_blocks.pop_back();
                m_data.pop_back();
            }
            if (copy >= 0) {
                m_pool->release(copy);
            }
            return Failure{std::move(block).error()};
        }
        m_blocks.push_back(*block);
        m_data.push_back(m_pool->data(*block));
    }
    if (copy >= 0) {
        const auto last = static_cast<size_t>(m_length / kBlockTokens);
        if (m_data[last]) {
            std::memcpy(m_pool->data(copy), m_data[last], m_pool->shape().blockBytes());
        }
        m_pool->setFilled(copy, m_length % kBlockTokens);
        m_pool->release(m_blocks[last]);
        m_blocks[last] = copy;
        m_data[last] = m_pool->data(copy);
    }
    return {};
}

void BlockTable::advance(int tokens)
{
    const int end = m_length + tokens;
    assert(blocksFor(end) <= static_cast<int>(m_blocks.size()));
    for (int block = m_length / kBlockTokens; block < blocksFor(end); ++block) {
        m_pool->setFilled(m_blocks[static_cast<size_t>(block)], std::min(kBlockTokens, end - block * kBlockTokens));
    }
    m_length = end;
}

void BlockTable::truncate(int length)
{
    if (length > m_length) {
        return;
    }
    while (m_blocks.size() > static_cast<size_t>(blocksFor(length))) {
        m_pool->release(m_blocks.back());
        m_blocks.pop_back();
        m_data.pop_back();
    }
    m_length = length;
    const int inLast = length % kBlockTokens;
    if (inLast != 0 && m_pool->references(m_blocks.back()) == 1) {
        m_pool->setFilled(m_blocks.back(), inLast);
    }
}

BlockTable BlockTable::fork() const
{
    BlockTable other(*m_pool);
    const auto count = static_cast<size_t>(blocksFor(m_length));
    other.m_blocks.assign(m_blocks.begin(), m_blocks.begin() + static_cast<std::ptrdiff_t>(count));
    other.m_data.assign(m_data.begin(), m_data.begin() + static_cast<std::ptrdiff_t>(count));
    other.m_length = m_length;
    for (BlockId block : other.m_blocks) {
        m_pool->share(block);
    }
    return other;
}

} // namespace kvasir
