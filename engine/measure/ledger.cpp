#include "measure/ledger.h"

namespace kvasir {

size_t MemoryUse::total() const
{
    size_t sum = 0;
    for (size_t tag = 0; tag < kMemoryTagCount; ++tag) {
        sum += tag == static_cast<size_t>(MemoryTag::KvUsed) ? 0 : bytes[tag];
    }
    return sum;
}

void MemoryLedger::add(MemoryTag tag, size_t bytes)
{
    m_bytes[static_cast<size_t>(tag)].fetch_add(bytes, std::memory_order_relaxed);
    if (tag == MemoryTag::KvUsed) {
        return;
    }
    const size_t total = m_total.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    size_t peak = m_peak.load(std::memory_order_relaxed);
    while (peak < total && !m_peak.compare_exchange_weak(peak, total, std::memory_order_relaxed)) { }
}

void MemoryLedger::remove(MemoryTag tag, size_t bytes)
{
    m_bytes[static_cast<size_t>(tag)].fetch_sub(bytes, std::memory_order_relaxed);
    if (tag != MemoryTag::KvUsed) {
        m_total.fetch_sub(bytes, std::memory_order_relaxed);
    }
}

MemoryUse MemoryLedger::use() const
{
    MemoryUse use;
    for (size_t tag = 0; tag < kMemoryTagCount; ++tag) {
        use.bytes[tag] = m_bytes[tag].load(std::memory_order_relaxed);
    }
    return use;
}

} // namespace kvasir
