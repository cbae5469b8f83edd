#include "measure/limits.h"

#include "base/clock.h"
#include "base/threadpool.h"
#include "measure/limitskernels.h"
#include "measure/processor.h"
#include "measure/systemmemory.h"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sys/mman.h>
#include <system_error>
#include <thread>
#include <vector>

namespace kvasir {
namespace {

// Larger than any L3 that a few cores share, and not more than an eighth of what is free.
constexpr size_t kReadBytes = size_t{512} << 20;
constexpr size_t kHugePage = size_t{2} << 20;
constexpr auto kWindow = std::chrono::milliseconds(70);
constexpr int kWindows = 3;
/// Of a window's time that a thread runs, where no other program wants its processor; a tick or two are nobody's fault.
constexpr double kQuietShare = 0.93;

/// Zeroed, touched memory on huge pages where the system has them; null where there is not enough.
class Mapping {
public:
    explicit Mapping(size_t bytes)
        : m_bytes(bytes + kHugePage)
    {
        m_start = mmap(nullptr, m_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (m_start == MAP_FAILED) {
            m_start = nullptr;
            return;
        }
        madvise(m_start, m_bytes, MADV_HUGEPAGE);
    }
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;
    ~Mapping()
    {
        if (m_start) {
            munmap(m_start, m_bytes);
        }
    }

    std::byte* data() const
    {
        const auto address = reinterpret_cast<uintptr_t>(m_start);
        return m_start ? reinterpret_cast<std::byte*>((address + kHugePage - 1) / kHugePage * kHugePage) : nullptr;
    }

private:
    size_t m_bytes;
    void* m_start = nullptr;
};

std::atomic<uint64_t> s_sink{0};

/// Processor time of the calling thread in seconds.
double threadSeconds()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

struct Rate {
    double perSecond = 0;
    bool disturbed = false;
};

/// Runs `work(thread)` again and again for one window on every thread at once and adds up what each says it did a
/// second.
template <class Work> Rate measureWindow(int threads, Work work)
{
    std::barrier start(threads);
    std::vector<double> rates(static_cast<size_t>(threads));
    std::atomic<bool> disturbed{false};
    const auto run = [&](int thread) {
        start.arrive_and_wait();
        const TimePoint begin = Clock::now();
        const double running = threadSeconds();
        TimePoint end = begin;
        double done = 0;
        while (end - begin < kWindow) {
            done += work(thread);
            end = Clock::now();
        }
        rates[static_cast<size_t>(thread)] = done / toSeconds(end - begin);
        if (threadSeconds() - running < kQuietShare * toSeconds(end - begin)) {
            disturbed = true;
        }
    };
    std::vector<std::jthread> helpers;
    for (int thread = 1; thread < threads; ++thread) {
        try {
            helpers.emplace_back(run, thread);
        } catch (const std::system_error&) { // no more threads to be had: measure with those that there are
            start.arrive_and_drop();
        }
    }
    run(0);
    helpers.clear();
    return {std::accumulate(rates.begin(), rates.end(), 0.0), disturbed};
}

/// The best of a few windows: whatever else the machine does can only make one slower.
template <class Work> Rate measureBest(int threads, const std::function<bool()>& cancelled, Work work)
{
    Rate best;
    for (int window = 0; window < kWindows && !(cancelled && cancelled()); ++window) {
        const Rate rate = measureWindow(threads, work);
        best = rate.perSecond > best.perSecond ? rate : best;
    }
    return best;
}

Rate measureReading(int threads, const LimitKernels& kernels, const std::function<bool()>& cancelled)
{
    const size_t total = std::min(kReadBytes, systemMemory().available / 8);
    const size_t share = total / static_cast<size_t>(threads) / kHugePage * kHugePage;
    if (share == 0) {
        return {};
    }
    std::vector<std::unique_ptr<Mapping>> mappings;
    for (int thread = 0; thread < threads; ++thread) {
        mappings.push_back(std::make_unique<Mapping>(share));
        if (!mappings.back()->data()) {
            return {};
        }
    }
    std::vector<size_t> positions(static_cast<size_t>(threads) * 8); // 8: a cache line for each thread
    {
        std::vector<std::jthread> helpers; // touched by the thread's own core, for machines with several memory nodes
        const auto touch = [&](size_t thread) { std::memset(mappings[thread]->data(), 1, share); };
        for (size_t thread = 0; thread < mappings.size(); ++thread) {
            try {
                helpers.emplace_back(touch, thread);
            } catch (const std::system_error&) {
                touch(thread);
            }
        }
    }
    return measureBest(threads, cancelled, [&](int thread) {
        const auto index = static_cast<size_t>(thread);
        size_t& position = positions[index * 8];
        s_sink.fetch_add(kernels.read(mappings[index]->data() + position, kHugePage), std::memory_order_relaxed);
        position = (position + kHugePage) % share;
        return static_cast<double>(kHugePage);
    });
}

Rate measureArithmetic(
    int threads, uint64_t (*kernel)(size_t), double operations, const std::function<bool()>& cancelled)
{
    constexpr size_t kRounds = 20000;
    return measureBest(threads, cancelled, [&](int) {
        s_sink.fetch_add(kernel(kRounds), std::memory_order_relaxed);
        return operations * kRounds;
    });
}

Failure unreadable(const std::string& path, const std::string& reason)
{
    return fail(ErrorCode::FileUnreadable, path + ": " + reason, {{"path", path}, {"reason", reason}});
}

bool isOf(const nlohmann::json& entry, const std::string& processor, int threads)
{
    return entry.is_object() && entry.value("threads", 0) == threads && entry.value("processor", "") == processor;
}

/// Measured with the loops that would measure now: an older version may have known slower ones.
bool isCurrent(const nlohmann::json& entry)
{
    return entry.value("instruction_set", "") == limitKernels().instructionSet;
}

} // namespace

HardwareLimits measureLimits(int threads, const std::function<bool()>& cancelled)
{
    const LimitKernels& kernels = limitKernels();
    HardwareLimits limits;
    limits.threads = threads > 0 ? threads : physicalCores();
    limits.instructionSet = kernels.instructionSet;
    limits.processor = processorName();
    const Rate reading = measureReading(limits.threads, kernels, cancelled);
    const Rate int8 = measureArithmetic(limits.threads, kernels.int8, kernels.int8Operations, cancelled);
    const Rate fp32 = measureArithmetic(limits.threads, kernels.fp32, kernels.fp32Operations, cancelled);
    limits.readBytesPerSecond = reading.perSecond;
    limits.int8OperationsPerSecond = int8.perSecond;
    limits.fp32OperationsPerSecond = fp32.perSecond;
    limits.disturbed = reading.disturbed || int8.disturbed || fp32.disturbed;
    return limits;
}

Result<HardwareLimits> loadLimits(const std::string& path, int threads)
{
    std::ifstream file(path);
    if (!file) {
        return fail(ErrorCode::FileNotFound, path + " is not there", {{"path", path}});
    }
    const auto document = nlohmann::json::parse(file, nullptr, false);
    if (!document.is_object() || !document.contains("limits") || !document["limits"].is_array()) {
        return unreadable(path, "no measurements in it");
    }
    const std::string processor = processorName();
    try {
        for (const auto& entry : document["limits"]) {
            if (isOf(entry, processor, threads) && isCurrent(entry)) {
                HardwareLimits limits;
                limits.threads = threads;
                limits.processor = processor;
                limits.instructionSet = entry.at("instruction_set").get<std::string>();
                limits.readBytesPerSecond = entry.at("read_bytes_per_second").get<double>();
                limits.int8OperationsPerSecond = entry.at("int8_operations_per_second").get<double>();
                limits.fp32OperationsPerSecond = entry.at("fp32_operations_per_second").get<double>();
                return limits;
            }
        }
    } catch (const nlohmann::json::exception&) {
        return unreadable(path, "a measurement in it is broken");
    }
    return fail(ErrorCode::FileNotFound,
        path + " holds no measurement of this processor with " + std::to_string(threads) + " threads",
        {{"path", path}});
}

Result<void> saveLimits(const std::string& path, const HardwareLimits& limits)
{
    if (limits.disturbed) {
        return {};
    }
    nlohmann::ordered_json kept = nlohmann::ordered_json::array();
    if (std::ifstream file(path); file) {
        const auto document = nlohmann::json::parse(file, nullptr, false);
        if (document.is_object() && document.contains("limits") && document["limits"].is_array()) {
            try {
                for (const auto& entry : document["limits"]) {
                    if (!isOf(entry, limits.processor, limits.threads)) {
                        kept.emplace_back(entry);
                    }
                }
            } catch (const nlohmann::json::exception&) {
                kept = nlohmann::ordered_json::array(); // a broken file is replaced, it is only a cache
            }
        }
    }
    kept.push_back({{"processor", limits.processor}, {"threads", limits.threads},
        {"instruction_set", limits.instructionSet}, {"read_bytes_per_second", limits.readBytesPerSecond},
        {"int8_operations_per_second", limits.int8OperationsPerSecond},
        {"fp32_operations_per_second", limits.fp32OperationsPerSecond}});

    // Written beside it and renamed, so that a reader never sees half a file.
    const std::string temporary = path + ".new";
    std::ofstream file(temporary, std::ios::trunc);
    file << nlohmann::ordered_json{{"limits", kept}}.dump(2) << '\n';
    file.close();
    if (!file || std::rename(temporary.c_str(), path.c_str()) != 0) {
        const std::string reason = std::strerror(errno);
        std::remove(temporary.c_str());
        return fail(ErrorCode::FileUnwritable, path + ": " + reason, {{"path", path}, {"reason", reason}});
    }
    return {};
}

} // namespace kvasir
