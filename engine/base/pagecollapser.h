#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <stop_token>
#include <thread>

namespace kvasir {

/// Makes huge pages of memory that lies on small ones while others read it, in a thread of the lowest priority. Small
/// pages are there sooner: the system has more of them ready, and under a hypervisor that lends memory out piece by
/// piece 100 MB of huge ones take a quarter of a second. Huge ones are read faster. It begins after a second, when the
/// first token is out: readers of a page wait while it is moved. Where the system cannot do it (Linux before 6.1) it is
/// asked to do so in its own time; where there are no threads, nothing happens.
class PageCollapser {
public:
    /// The memory must live longer.
    PageCollapser(std::byte* memory, size_t bytes);
    /// Stops after the page at hand.
    ~PageCollapser() = default;
    PageCollapser(const PageCollapser&) = delete;
    PageCollapser& operator=(const PageCollapser&) = delete;

    /// Begins at once and returns when all is done: for measurements that must not meet it.
    void finish();

private:
    void work(const std::stop_token& stop, std::byte* memory, size_t bytes);

    std::mutex m_mutex;
    std::condition_variable_any m_hurried;
    bool m_hurry = false;
    std::jthread m_thread; ///< last: it ends before what it uses
};

} // namespace kvasir
