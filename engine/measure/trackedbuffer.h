#pragma once

#include "base/alignedbuffer.h"
#include "measure/ledger.h"

namespace kvasir {

/// An AlignedBuffer that the ledger knows of for as long as it lives. On a dry ledger it is counted and has no memory
/// (data() is null), so that the plan runs the code that loading runs.
class TrackedBuffer {
public:
    TrackedBuffer() = default;
    /// Error: OutOfMemory, and the ledger is as before. The ledger must outlive the buffer.
    static Result<TrackedBuffer> allocate(MemoryLedger& ledger, MemoryTag tag, size_t bytes, Pages pages = Pages::Huge);
    TrackedBuffer(TrackedBuffer&& other) noexcept;
    TrackedBuffer& operator=(TrackedBuffer&& other) noexcept;
    ~TrackedBuffer();

    std::byte* data() const { return m_buffer.data(); }
    template <class T> T* as() const { return m_buffer.as<T>(); }
    size_t size() const { return m_size; }

private:
    MemoryLedger* m_ledger = nullptr;
    MemoryTag m_tag = MemoryTag::Scratch;
    size_t m_size = 0;
    AlignedBuffer m_buffer;
};

} // namespace kvasir
