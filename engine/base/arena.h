#pragma once

#include <cstddef>

namespace kvasir {

/// Cuts one piece of memory into parts that begin on 64 bytes. Without memory it only counts: the same code runs twice,
/// to learn the size and to get the parts.
class Arena {
public:
    explicit Arena(std::byte* memory = nullptr)
        : m_memory(memory)
    {
    }

    /// `count` values; null while counting.
    template <class T> T* take(size_t count)
    {
        const size_t at = m_used;
        m_used += (count * sizeof(T) + 63) / 64 * 64;
        return m_memory ? reinterpret_cast<T*>(m_memory + at) : nullptr;
    }
    size_t used() const { return m_used; }

private:
    std::byte* m_memory;
    size_t m_used = 0;
};

} // namespace kvasir
