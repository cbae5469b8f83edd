// Prefill, decode and load of a whole model: bench_forward MODEL [THREADS] [INSTRUCTION SET: scalar, avx2, avx512].
// Rates are medians; tokenization and sampling are outside, as in llama-bench.

#include "base/threadpool.h"
#include "cache/blockpool.h"
#include "cache/blocktable.h"
#include "files/gguf.h"
#include "model/model.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

using namespace kvasir;

namespace {

constexpr int kRepetitions = 5;

struct Bench {
    Model& model;
    BlockPool& pool;
    std::vector<TokenId> tokens;

    /// Feeds `count` tokens in chunks of `chunk`; the last row of each step gives logits where `logits` is set.
    StepRecord feed(BlockTable& table, int count, int chunk, bool logits)
    {
        StepRecord record;
        for (int done = 0; done < count; done += chunk) {
            const int rows = std::min(chunk, count - done);
            const int last = rows - 1;
            const bool wanted = logits || done + rows == count;
            const SequenceRows step{&table,
                std::span(tokens).subspan(static_cast<size_t>(done), static_cast<size_t>(rows)),
                wanted ? std::span(&last, 1) : std::span<const int>()};
            if (auto result = model.forward(std::span(&step, 1), record); !result) {
                std::fprintf(stderr, "bench_forward: %s\n", result.error().detail.c_str());
                std::exit(1);
            }
        }
        return record;
    }

    void run(const char* name, int depth, int count, int chunk)
    {
        std::vector<double> seconds;
        std::vector<double> cpuSeconds; // of all threads: what a busy machine does not disturb
        StepRecord record;
        for (int i = 0; i < kRepetitions; ++i) {
            BlockTable table(pool);
            if (depth > 0) {
                feed(table, depth, model.options().stepTokens, false);
            }
            const TimePoint start = Clock::now();
            const std::clock_t cpuStart = std::clock();
            record = feed(table, count, chunk, chunk == 1);
            seconds.push_back(toSeconds(Clock::now() - start));
            cpuSeconds.push_back(static_cast<double>(std::clock() - cpuStart) / CLOCKS_PER_SEC);
        }
        std::sort(seconds.begin(), seconds.end());
        std::sort(cpuSeconds.begin(), cpuSeconds.end());
        const double median = seconds[kRepetitions / 2];
        const double stages = toSeconds(record.attention + record.feedForward + record.head);
        std::printf(
            "%-12s %8.1f tok/s (%.1f..%.1f), %.1f tok per CPU second; attention %2.0f %%, feed-forward %2.0f %%, "
            "head %2.0f %%; %.1f GB/s, %.0f GOP/s\n",
            name, count / median, count / seconds.back(), count / seconds.front(), count / cpuSeconds[kRepetitions / 2],
            100 * toSeconds(record.attention) / stages, 100 * toSeconds(record.feedForward) / stages,
            100 * toSeconds(record.head) / stages, static_cast<double>(record.bytesRead) / median / 1e9,
            static_cast<double>(record.operations) / median / 1e9);
    }
};

cpu::InstructionSet chosenSet(const char* name)
{
    const std::string wanted(name);
    for (cpu::InstructionSet set : cpu::availableInstructionSets()) {
        if ((wanted == "scalar" && set == cpu::InstructionSet::Scalar)
            || (wanted == "avx2" && set == cpu::InstructionSet::Avx2)) {
            return set;
        }
    }
    return cpu::bestInstructionSet();
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 2) {
        std::fprintf(stderr, "usage: bench_forward MODEL [THREADS] [scalar|avx2]\n");
        return 2;
    }
    const auto fail = [](const Error& error) {
        std::fprintf(stderr, "bench_forward: %s\n", error.detail.c_str());
        return 1;
    };
    auto threads = ThreadPool::create({.threads = argc > 2 ? std::atoi(argv[2]) : physicalCores()});
    if (!threads) {
        return fail(threads.error());
    }
    ModelOptions options;
    options.stepTokens = 512;
    options.logitRows = 64;
    if (argc > 3) {
        options.instructionSet = chosenSet(argv[3]);
    }
    MemoryLedger ledger;
    const TimePoint start = Clock::now();
    auto file = GgufFile::open(argv[1]);
    if (!file) {
        return fail(file.error());
    }
    auto model = Model::load(*file, options, ledger, **threads);
    if (!model) {
        return fail(model.error());
    }
    std::printf(
        "%s, %d threads, %s\n", argv[1], (*threads)->threads(), cpu::instructionSetName(options.instructionSet).data());
    std::printf("loaded in %.0f ms: weights %.1f MiB, activations %.1f, scratch %.1f, logits %.1f\n",
        toMilliseconds(Clock::now() - start), static_cast<double>(ledger.use()[MemoryTag::Weights]) / 0x1p20,
        static_cast<double>(ledger.use()[MemoryTag::Activations]) / 0x1p20,
        static_cast<double>(ledger.use()[MemoryTag::Scratch]) / 0x1p20,
        static_cast<double>(ledger.use()[MemoryTag::Logits]) / 0x1p20);
    (*model)->settle();
    BlockPool pool((*model)->kvShape(), 4096, ledger);
    Bench bench{**model, pool, std::vector<TokenId>(4096)};
    for (size_t i = 0; i < bench.tokens.size(); ++i) {
        bench.tokens[i] = static_cast<TokenId>((i * 7919 + 13) % static_cast<size_t>((*model)->config().vocabulary));
    }
    bench.run("pp512", 0, 512, 512);
    bench.run("pp512 by 128", 0, 512, 128);
    bench.run("tg128", 0, 128, 1);
    bench.run("tg32@d2048", 2048, 32, 1);
    return 0;
}
