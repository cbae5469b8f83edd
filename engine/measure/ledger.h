#pragma once

#include <array>
#include <atomic>
#include <cstddef>

namespace kvasir {

/// What memory is for. KvUsed is the part of KvReserved that holds something, and is not added to a total.
enum class MemoryTag { Weights, KvReserved, KvUsed, Activations, Scratch, Logits, Draft };
inline constexpr size_t kMemoryTagCount = 7;

/// Bytes by tag; a copy taken at one moment.
struct MemoryUse {
    std::array<size_t, kMemoryTagCount> bytes{};

    size_t operator[](MemoryTag tag) const { return bytes[static_cast<size_t>(tag)]; }
    /// Everything allocated: all tags but KvUsed.
    size_t total() const;
};

/// Every allocation that matters passes here. A dry ledger counts without anything being allocated, so that the plan
/// ("will it fit") and loading run the same code. Counters are atomic: the GUI may read while the engine works.
class MemoryLedger {
public:
    explicit MemoryLedger(bool dry = false)
        : m_dry(dry)
    {
    }

    bool isDry() const { return m_dry; }
    void add(MemoryTag tag, size_t bytes);
    void remove(MemoryTag tag, size_t bytes);
    MemoryUse use() const;
    /// The largest total() so far.
    size_t peak() const { return m_peak.load(std::memory_order_relaxed); }

private:
    const bool m_dry;
    std::array<std::atomic<size_t>, kMemoryTagCount> m_bytes{};
    std::atomic<size_t> m_total{0};
    std::atomic<size_t> m_peak{0};
};

} // namespace kvasir
