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

void WordMerger::Bucket::add(uint32_t place)
{
    if (taken == places.size()) {
        places.clear();
        taken = 0;
    }
    if (places.empty() || places.back() <= place) {
        places.push_back(place);
    } else {
        late.push_back(place);
        std::ranges::push_heap(late, std::greater());
    }
}

uint32_t WordMerger::Bucket::takeLowest()
{
    if (late.empty() || (taken < places.size() && places[taken] < late.front())) {
        return places[taken++];
    }
    const uint32_t place = late.front();
    std::ranges::pop_heap(late, std::greater());
    late.pop_back();
    return place;
}

WordMerger::Bucket& WordMerger::bucketOf(uint32_t rank)
{
    if (m_lastBucket >= m_buckets.size() || m_buckets[m_lastBucket].rank != rank) {
        const auto [known, isNew] = m_bucketOfRank.try_emplace(rank, m_buckets.size());
        if (isNew) {
            m_buckets.push_back({rank, false, 0, {}, {}});
        }
        m_lastBucket = known->second;
    }
    return m_buckets[m_lastBucket];
}

void WordMerger::propose(const std::vector<TokenId>& symbols, uint32_t left)
{
    const uint32_t right = m_next[left];
    m_pairs[left] = right < symbols.size() ? m_merges.find(symbols[left], symbols[right]) : MergeTable::Merge{};
    if (m_pairs[left].rank == UINT32_MAX) {
        return;
    }
    Bucket& bucket = bucketOf(m_pairs[left].rank);
    bucket.add(left);
    if (!bucket.isWaiting) {
        bucket.isWaiting = true;
        m_ranks.push_back(bucket.rank);
        std::ranges::push_heap(m_ranks, std::greater());
    }
}

void WordMerger::mergeAt(std::vector<TokenId>& symbols, uint32_t left)
{
    const uint32_t right = m_next[left];
    symbols[left] = m_pairs[left].result;
    m_pairs[right] = {};
    m_next[left] = m_next[right];
    if (m_next[left] < symbols.size()) {
        m_previous[m_next[left]] = left;
    }
    if (left > 0) {
        propose(symbols, m_previous[left]);
    }
    propose(symbols, left);
}

void WordMerger::mergeLong(std::vector<TokenId>& symbols)
{
    const auto count = static_cast<uint32_t>(symbols.size());
    m_pairs.resize(count);
    m_next.resize(count);
    m_previous.resize(count);
    m_buckets.clear();
    m_bucketOfRank.clear();
    for (uint32_t i = 0; i < count; ++i) {
        m_next[i] = i + 1;
        m_previous[i] = i - 1;
        propose(symbols, i);
    }
    while (!m_ranks.empty()) {
        const uint32_t rank = m_ranks.front();
        std::ranges::pop_heap(m_ranks, std::greater());
        m_ranks.pop_back();
        const auto index = static_cast<size_t>(&bucketOf(rank) - m_buckets.data());
        // A merge can make way for one of lower rank, which then goes first.
        while (!m_buckets[index].isEmpty() && (m_ranks.empty() || m_ranks.front() > rank)) {
            const uint32_t left = m_buckets[index].takeLowest();
            if (m_pairs[left].rank == rank) { // else one of the two has merged meanwhile
                mergeAt(symbols, left);
            }
        }
        m_buckets[index].isWaiting = !m_buckets[index].isEmpty();
        if (m_buckets[index].isWaiting) {
            m_ranks.push_back(rank);
            std::ranges::push_heap(m_ranks, std::greater());
        }
    }
    size_t kept = 0;
    for (uint32_t i = 0; i < count; i = m_next[i]) {
        symbols[kept++] = symbols[i];
    }
    symbols.resize(kept);
}

} // namespace kvasir
