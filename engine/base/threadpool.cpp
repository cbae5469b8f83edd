#include "base/threadpool.h"

#include <algorithm>
#include <fstream>
#include <sched.h>
#include <set>
#include <string>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace kvasir {

namespace {

constexpr int kMaxThreads = 1024;
/// m_epoch counts jobs in steps of this, the rest is the team.
constexpr uint32_t kJob = 2048;
/// About 0.3 ms: longer than what a step does between two jobs, so that the team stays awake while tokens flow.
constexpr int kSpins = 20000;
/// Where the other side may need this very CPU to get on: 20 000 spins cost 500 us a barrier there, 100 cost 5.
constexpr int kShortSpins = 100;

void pause()
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

cpu_set_t allowedCpus()
{
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0) {
        CPU_SET(0, &set);
    }
    return set;
}

int readTopology(int cpu, const char* name)
{
    std::ifstream file("/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/" + name);
    int value = -1;
    file >> value;
    return file ? value : -1;
}

} // namespace

int usableCpus()
{
    const cpu_set_t set = allowedCpus();
    return std::max(1, CPU_COUNT(&set));
}

int physicalCores()
{
    const cpu_set_t set = allowedCpus();
    std::set<std::pair<int, int>> cores;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, &set)) {
            continue;
        }
        const int core = readTopology(cpu, "core_id");
        if (core < 0) {
            return usableCpus();
        }
        cores.emplace(readTopology(cpu, "physical_package_id"), core);
    }
    return std::max(1, static_cast<int>(cores.size()));
}

bool lowerThisThread(int niceness)
{
    return setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), niceness) == 0;
}

ThreadPool::ThreadPool(int threads)
    : m_threads(threads)
    , m_spins(threads <= usableCpus() ? kSpins : kShortSpins)
{
}

Result<std::unique_ptr<ThreadPool>> ThreadPool::create(const ThreadPoolOptions& options)
{
    if (options.threads < 1 || options.threads > kMaxThreads) {
        return fail(ErrorCode::BadArgument,
            "the number of threads must lie between 1 and " + std::to_string(kMaxThreads),
            {{"what", "threads"}, {"value", std::to_string(options.threads)}});
    }
    std::unique_ptr<ThreadPool> pool(new ThreadPool(options.threads));
    try {
        for (int thread = 1; thread < options.threads; thread++) {
            pool->m_helpers.emplace_back(
                [p = pool.get(), thread, niceness = options.niceness] { p->work(thread, niceness); });
        }
    } catch (const std::system_error&) {
        return fail(ErrorCode::OutOfMemory,
            "the system gives only " + std::to_string(pool->m_helpers.size() + 1) + " threads",
            {{"what", "threads"}, {"need", std::to_string(options.threads)},
                {"have", std::to_string(pool->m_helpers.size() + 1)}});
    }
    return pool;
}

ThreadPool::~ThreadPool()
{
    m_job = nullptr;
    raise(m_epoch, stepTo(m_threads));
    for (std::thread& thread : m_helpers) {
        thread.join();
    }
}

uint32_t ThreadPool::stepTo(int team) const
{
    const uint32_t last = m_epoch.value.load(std::memory_order_relaxed) % kJob;
    return kJob + static_cast<uint32_t>(team) - last;
}

void ThreadPool::runJob(int team, Job job, void* context)
{
    m_team = team;
    if (team == 1) {
        job(context, 0);
        return;
    }
    m_job = job;
    m_context = context;
    const uint32_t awake = m_awake.value.load(std::memory_order_relaxed);
    if (raise(m_epoch, stepTo(team))) {
        // The kernel queues a woken thread on its waker's CPU, where it would wait for the next tick (up to 4 ms) while
        // this thread works or spins. Sleeping until the first one runs lets both find a CPU (20 us).
        await(m_awake, awake, kShortSpins);
    }
    job(context, 0);
    barrier();
}

void ThreadPool::barrier()
{
    const int team = m_team; // the last thread to arrive may be followed by the next job at once
    if (team == 1) {
        return;
    }
    const uint32_t generation = m_generation.value.load(std::memory_order_relaxed);
    if (m_arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == team) {
        m_arrived.store(0, std::memory_order_relaxed);
        raise(m_generation);
    } else {
        await(m_generation, generation, m_spins);
    }
}

bool ThreadPool::raise(Signal& signal, uint32_t by)
{
    // Sequentially consistent with await(): either it sees the new value, or this sees the sleeper. So nobody pays for
    // the system call while all are spinning.
    signal.value.fetch_add(by, std::memory_order_seq_cst);
    if (signal.sleepers.load(std::memory_order_seq_cst) == 0) {
        return false;
    }
    signal.value.notify_all();
    return true;
}

bool ThreadPool::await(Signal& signal, uint32_t old, int spins)
{
    for (int i = 0; i < spins; i++) {
        if (signal.value.load(std::memory_order_acquire) != old) {
            return false;
        }
        pause();
    }
    signal.sleepers.fetch_add(1, std::memory_order_seq_cst);
    while (signal.value.load(std::memory_order_seq_cst) == old) {
        signal.value.wait(old, std::memory_order_seq_cst);
    }
    signal.sleepers.fetch_sub(1, std::memory_order_relaxed);
    return true;
}

void ThreadPool::work(int thread, int niceness)
{
    if (niceness != 0) {
        lowerThisThread(niceness);
    }
    uint32_t epoch = 0;
    for (;;) {
        const bool slept = await(m_epoch, epoch, m_spins);
        epoch = m_epoch.value.load(std::memory_order_acquire);
        if (slept) {
            raise(m_awake);
        }
        if (static_cast<uint32_t>(thread) >= epoch % kJob) {
            continue;
        }
        if (!m_job) {
            return;
        }
        m_job(m_context, thread);
        barrier();
    }
}

} // namespace kvasir
