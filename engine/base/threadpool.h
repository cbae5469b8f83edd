#pragma once

#include "base/result.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <type_traits>
#include <vector>

namespace kvasir {

/// CPUs that this process may run on.
int usableCpus();
/// Cores behind those CPUs: hyper-threads of one core count once.
int physicalCores();

struct ThreadPoolOptions {
    int threads = 1; ///< the caller of run() included
    /// Niceness of the pool's own threads (0..19): above 0 a program's window stays smooth while all cores compute. The
    /// caller's thread is left alone; see lowerThisThread().
    int niceness = 0;
};

/// A fixed team of threads for work cut into microseconds. Waiting spins for a fraction of a millisecond, then sleeps;
/// with more threads than CPUs it sleeps almost at once. One thread at a time may call run(); barrier() is for use
/// inside it.
class ThreadPool {
public:
    /// Error: OutOfMemory, where the system gives no more threads; BadArgument (what, value).
    static Result<std::unique_ptr<ThreadPool>> create(const ThreadPoolOptions& options);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    int threads() const { return m_threads; }

    /// Calls f(thread) once on every thread, 0 being the caller, and returns when all are done. f must not throw and
    /// must not call run().
    template <class F> void run(F&& f) { run(m_threads, f); }
    /// The same on threads 0 to team - 1 alone.
    template <class F> void run(int team, F&& f)
    {
        using Function = std::remove_reference_t<F>;
        runJob(
            team, [](void* context, int thread) { (*static_cast<Function*>(context))(thread); },
            const_cast<void*>(static_cast<const void*>(std::addressof(f))));
    }

    /// Inside run(): returns when all its threads have called it. What a thread wrote before, the others see after.
    /// Every thread must call it the same number of times.
    void barrier();

private:
    using Job = void (*)(void* context, int thread);
    /// A number that waiters watch, and how many of them sleep; apart from its neighbours, as it is polled.
    struct alignas(64) Signal {
        std::atomic<uint32_t> value{0};
        std::atomic<uint32_t> sleepers{0};
    };

    explicit ThreadPool(int threads);
    uint32_t stepTo(int team) const; ///< from the last job to the next, which `team` threads do
    void runJob(int team, Job job, void* context);
    void work(int thread, int niceness);
    static bool raise(Signal& signal, uint32_t by = 1);         ///< whether someone slept
    static bool await(Signal& signal, uint32_t old, int spins); ///< whether the caller slept

    const int m_threads;
    const int m_spins;
    // Written before m_epoch changes, and read by those alone whom it names.
    Job m_job = nullptr; ///< null ends the team
    void* m_context = nullptr;
    int m_team = 1;
    /// Jobs given out, and in its low bits the threads of the last one. Both in one word: a thread that takes no part
    /// may look late, when the next job is out already.
    Signal m_epoch;
    Signal m_awake;      ///< threads that have seen a job after they slept
    Signal m_generation; ///< barriers passed
    alignas(64) std::atomic<int> m_arrived{0};
    std::vector<std::thread> m_helpers;
};

/// Sets the niceness of the calling thread (Linux: of that thread alone). False where the system refuses.
bool lowerThisThread(int niceness);

/// Part `index` of [0, count) cut into `parts` nearly equal contiguous parts, in whole units of `unit`.
struct Range {
    int first = 0;
    int last = 0; ///< one past the end
};
inline Range shareOf(int count, int index, int parts, int unit = 1)
{
    const int64_t units = (static_cast<int64_t>(count) + unit - 1) / unit;
    const auto cut = [&](int at) {
        const int64_t edge = units * at / parts * unit;
        return static_cast<int>(edge < count ? edge : count);
    };
    return {cut(index), cut(index + 1)};
}

} // namespace kvasir
