#include "base/pagecollapser.h"

#include "base/threadpool.h"

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <sys/mman.h>
#include <system_error>

namespace kvasir {

namespace {

constexpr size_t kHugePage = size_t{2} << 20;
constexpr int kLowest = 19;
constexpr auto kDelay = std::chrono::seconds(1);
#if defined(MADV_COLLAPSE)
constexpr int kCollapse = MADV_COLLAPSE;
#else
constexpr int kCollapse = 25; // of Linux 6.1; the C library of Debian 12 does not name it
#endif

} // namespace

void PageCollapser::work(const std::stop_token& stop, std::byte* memory, size_t bytes)
{
    {
        std::unique_lock lock(m_mutex);
        m_hurried.wait_for(lock, stop, kDelay, [&] { return m_hurry; });
    }
    lowerThisThread(kLowest);
    const auto address = reinterpret_cast<uintptr_t>(memory);
    const size_t before = (kHugePage - address % kHugePage) % kHugePage;
    for (size_t at = before; at + kHugePage <= bytes && !stop.stop_requested(); at += kHugePage) {
        if (madvise(memory + at, kHugePage, kCollapse) != 0 && errno == EINVAL) {
            madvise(memory + at, (bytes - at) / kHugePage * kHugePage, MADV_HUGEPAGE);
            return;
        }
    }
}

PageCollapser::PageCollapser(std::byte* memory, size_t bytes)
{
    try {
        m_thread = std::jthread([=, this](const std::stop_token& stop) { work(stop, memory, bytes); });
    } catch (const std::system_error&) {
        return; // only slower
    }
}

void PageCollapser::finish()
{
    {
        const std::lock_guard lock(m_mutex);
        m_hurry = true;
    }
    m_hurried.notify_all();
    if (m_thread.joinable()) {
        m_thread.join();
    }
}

} // namespace kvasir
