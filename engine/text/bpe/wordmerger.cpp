#include "text/bpe/wordmerger.h"

#include <algorithm>
#include <functional>

namespace kvasir {

namespace {

// Up to here looking at all pairs for each merge is cheaper than a heap.
constexpr size_t kShortWord = 48;

} // namespace

void WordMerger::merge(std::vector<TokenId>& symbols)
{
    if (symbols.size() <= kShortWord) {
        mergeShort(symbols);
    } else {
        mergeLong(symbols);
    }
}

void WordMerger::mergeShort(std::vector<TokenId>& symbols)
{
    size_t count = symbols.size();
    m_pairs.resize(count);
    for (size_t i = 0; i + 1 < count; ++i) {
        m_pairs[i] = m_merges.find(symbols[i], symbols[i + 1]);
    }
    while (count > 1) {
        size_t best = 0;
        for (size_t i = 1; i + 1 < count; ++i) {
            best = m_pairs[i].rank < m_pairs[best].rank ? i : best;
        }
        if (m_pairs[best].rank == UINT32_MAX) {
            break;
        }
        symbols[best] = m_pairs[best].result;
        for (size_t i = best + 1; i + 1 < count; ++i) {
            symbols[i] = symbols[i + 1];
            m_pairs[i] = m_pairs[i + 1];
        }
        --count;
        if (best > 0) {
            m_pairs[best - 1] = m_merges.find(symbols[best - 1], symbols[best]);
        }
        if (best + 1 < count) {
            m_pairs[best] = m_merges.find(symbols[best], symbols[best + 1]);
        }
    }
    symbols.resize(count);
}

void WordMerger::propose(const std::vector<TokenId>& symbols, uint32_t left)
{
    const uint32_t right = m_next[left];
    m_pairs[left] = right < symbols.size() ? m_merges.find(symbols[left], symbols[right]) : MergeTable::Merge{};
    if (m_pairs[left].rank != UINT32_MAX) {
        m_heap.push_back(static_cast<uint64_t>(m_pairs[left].rank) << 32 | left);
    }
}

void WordMerger::mergeLong(std::vector<TokenId>& symbols)
{
    const auto count = static_cast<uint32_t>(symbols.size());
    m_pairs.resize(count);
    m_next.resize(count);
    m_previous.resize(count);
    m_heap.clear();
    for (uint32_t i = 0; i < count; ++i) {
        m_next[i] = i + 1;
        m_previous[i] = i - 1;
        propose(symbols, i);
    }
    std::ranges::make_heap(m_heap, std::greater());
    const auto proposeLater = [&](uint32_t left) {
        const size_t before = m_heap.size();
        propose(symbols, left);
        if (m_heap.size() > before) {
            std::ranges::push_heap(m_heap, std::greater());
        }
    };
    while (!m_heap.empty()) {
        const auto left = static_cast<uint32_t>(m_heap.front());
        const auto rank = static_cast<uint32_t>(m_heap.front() >> 32);
        std::ranges::pop_heap(m_heap, std::greater());
        m_heap.pop_back();
        if (m_pairs[left].rank != rank) {
            continue; // one of the two has merged meanwhile; what it has become was proposed then
        }
        const uint32_t right = m_next[left];
        symbols[left] = m_pairs[left].result;
        m_pairs[right] = {};
        m_next[left] = m_next[right];
        if (m_next[left] < count) {
            m_previous[m_next[left]] = left;
        }
        proposeLater(left);
        if (left > 0) {
            proposeLater(m_previous[left]);
        }
    }
    size_t kept = 0;
    for (uint32_t i = 0; i < count; i = m_next[i]) {
        symbols[kept++] = symbols[i];
    }
    symbols.resize(kept);
}

} // namespace kvasir
