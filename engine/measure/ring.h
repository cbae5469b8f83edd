#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <vector>

namespace kvasir {

/// The newest `capacity` records of a stream: one thread pushes, any thread copies, nobody waits and nothing is
/// allocated after construction. Each slot is a sequence lock (Boehm, "Can seqlocks get along with programming language
/// memory models?", 2012) over atomic words, so that a reader that is overtaken notices it and drops the slot.
template <class Record> class RecordRing {
    static_assert(std::is_trivially_copyable_v<Record>);

public:
    explicit RecordRing(size_t capacity)
        : m_capacity(capacity)
        , m_slots(std::make_unique<Slot[]>(capacity))
    {
    }

    size_t capacity() const { return m_capacity; }
    /// How many were ever pushed.
    uint64_t count() const { return m_count.load(std::memory_order_acquire); }

    /// The writer's thread only.
    void push(const Record& record)
    {
        std::array<uint64_t, kWords> words{};
        std::memcpy(words.data(), static_cast<const void*>(&record), sizeof record);
        const uint64_t number = m_count.load(std::memory_order_relaxed);
        Slot& slot = m_slots[number % m_capacity];
        slot.version.store(2 * number + 1, std::memory_order_relaxed);
        for (size_t i = 0; i < kWords; ++i) {
            // Release: whoever sees a new word also sees the odd version before it. A fence would do, but TSan knows
            // none.
            slot.words[i].store(words[i], std::memory_order_release);
        }
        slot.version.store(2 * number + 2, std::memory_order_release);
        m_count.store(number + 1, std::memory_order_release);
    }

    /// The newest records, oldest first, at most `count`. Fewer where the writer overtook the copying.
    std::vector<Record> newest(size_t count) const
    {
        const uint64_t end = m_count.load(std::memory_order_acquire);
        const uint64_t available = std::min<uint64_t>({end, m_capacity, count});
        std::vector<Record> records;
        records.reserve(available);
        for (uint64_t number = end - available; number < end; ++number) {
            Record record;
            if (copy(number, record)) {
                records.push_back(record);
            }
        }
        return records;
    }

private:
    static constexpr size_t kWords = (sizeof(Record) + sizeof(uint64_t) - 1) / sizeof(uint64_t);

    struct Slot {
        std::atomic<uint64_t> version{0}; // 2n + 1 while record n is written, 2n + 2 when it is there
        std::array<std::atomic<uint64_t>, kWords> words{};
    };

    bool copy(uint64_t number, Record& record) const
    {
        const Slot& slot = m_slots[number % m_capacity];
        const uint64_t expected = 2 * number + 2;
        if (slot.version.load(std::memory_order_acquire) != expected) {
            return false;
        }
        std::array<uint64_t, kWords> words;
        for (size_t i = 0; i < kWords; ++i) {
            words[i] = slot.words[i].load(std::memory_order_acquire);
        }
        if (slot.version.load(std::memory_order_relaxed) != expected) {
            return false;
        }
        std::memcpy(static_cast<void*>(&record), words.data(), sizeof record);
        return true;
    }

    const size_t m_capacity;
    std::unique_ptr<Slot[]> m_slots;
    std::atomic<uint64_t> m_count{0};
};

} // namespace kvasir
