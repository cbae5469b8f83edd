#include "base/alignedbuffer.h"

#include <limits>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace kvasir {

namespace {

constexpr size_t kHugePage = size_t{2} << 20;

size_t roundUp(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

} // namespace

Result<AlignedBuffer> AlignedBuffer::allocate(size_t bytes, Pages pages)
{
    AlignedBuffer buffer;
    if (bytes == 0) {
        return buffer;
    }
    const auto refuse = [&] {
        return fail(ErrorCode::OutOfMemory, "the system gives no memory block of " + std::to_string(bytes) + " bytes",
            {{"what", "memory block"}, {"need", std::to_string(bytes)}});
    };
    if (bytes > std::numeric_limits<size_t>::max() / 2) {
        return refuse();
    }
    const bool huge = bytes >= kHugePage;
    // A page, not a huge page, of rounding at the end: what is resident must not exceed what the ledger says.
    const size_t used = roundUp(bytes, static_cast<size_t>(sysconf(_SC_PAGESIZE)));
    const size_t mapped = used + (huge ? kHugePage : 0);
    void* mapping = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping == MAP_FAILED) {
        return refuse();
    }
    buffer.m_mapping = static_cast<std::byte*>(mapping);
    buffer.m_mappingBytes = mapped;
    buffer.m_data = buffer.m_mapping;
    buffer.m_size = bytes;
    if (huge) {
        buffer.m_data = reinterpret_cast<std::byte*>(roundUp(reinterpret_cast<uintptr_t>(mapping), kHugePage));
        if (pages == Pages::Huge) {
            madvise(buffer.m_data, used, MADV_HUGEPAGE);
        }
    }
    return buffer;
}

AlignedBuffer::AlignedBuffer(AlignedBuffer&& other) noexcept
    : m_mapping(std::exchange(other.m_mapping, nullptr))
    , m_mappingBytes(std::exchange(other.m_mappingBytes, 0))
    , m_data(std::exchange(other.m_data, nullptr))
    , m_size(std::exchange(other.m_size, 0))
{
}

AlignedBuffer& AlignedBuffer::operator=(AlignedBuffer&& other) noexcept
{
    std::swap(m_mapping, other.m_mapping);
    std::swap(m_mappingBytes, other.m_mappingBytes);
    std::swap(m_data, other.m_data);
    std::swap(m_size, other.m_size);
    return *this;
}

AlignedBuffer::~AlignedBuffer()
{
    if (m_mapping) {
        munmap(m_mapping, m_mappingBytes);
    }
}

} // namespace kvasir
