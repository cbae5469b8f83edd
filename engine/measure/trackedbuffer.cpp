#include "measure/trackedbuffer.h"

#include <utility>

namespace kvasir {

Result<TrackedBuffer> TrackedBuffer::allocate(MemoryLedger& ledger, MemoryTag tag, size_t bytes, Pages pages)
{
    TrackedBuffer buffer;
    if (!ledger.isDry()) {
        auto memory = AlignedBuffer::allocate(bytes, pages);
        KVASIR_TRY(memory);
        buffer.m_buffer = std::move(*memory);
    }
    ledger.add(tag, bytes);
    buffer.m_ledger = &ledger;
    buffer.m_tag = tag;
    buffer.m_size = bytes;
    return buffer;
}

TrackedBuffer::TrackedBuffer(TrackedBuffer&& other) noexcept
    : m_ledger(std::exchange(other.m_ledger, nullptr))
    , m_tag(other.m_tag)
    , m_size(std::exchange(other.m_size, 0))
    , m_buffer(std::move(other.m_buffer))
{
}

TrackedBuffer& TrackedBuffer::operator=(TrackedBuffer&& other) noexcept
{
    std::swap(m_ledger, other.m_ledger);
    std::swap(m_tag, other.m_tag);
    std::swap(m_size, other.m_size);
    std::swap(m_buffer, other.m_buffer);
    return *this;
}

TrackedBuffer::~TrackedBuffer()
{
    if (m_ledger) {
        m_ledger->remove(m_tag, m_size);
    }
}

} // namespace kvasir
