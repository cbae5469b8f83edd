// Speed of the CPU kernels: products of one activation row against a plain read of the same memory, of many rows
// against the arithmetic, attention, and what is done row by row. Each product is compared with the scalar reference
// before it is timed. `bench_kernels --benchmark_filter='gemv.*Q4_1'` runs a part. Names: set, type, rows x columns, n,
// threads.

#include "base/threadpool.h"
#include "cpu/kernels.h"
#include "measure/trackedbuffer.h"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

using namespace kvasir;
using namespace kvasir::cpu;

namespace {

constexpr TensorType kTypes[] = {TensorType::Q4_0, TensorType::Q4_1, TensorType::Q5_0, TensorType::Q5_1,
    TensorType::Q8_0, TensorType::Q4_K, TensorType::Q5_K, TensorType::Q6_K, TensorType::F16, TensorType::BF16,
    TensorType::F32};

struct Shape {
    int rows;
    int columns;
};

/// Weights of any bits: a packed matrix of random bytes with exponents of FP16 and FP32 numbers kept small.
AlignedBuffer memoryFor(size_t bytes)
{
    auto buffer = AlignedBuffer::allocate(bytes);
    if (!buffer) {
        std::abort();
    }
    return std::move(*buffer);
}

void fillRandom(std::byte* data, size_t bytes)
{
    uint64_t state = 88172645463325252u;
    for (size_t i = 0; i + 2 <= bytes; i += 2) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        const auto half = static_cast<uint16_t>(state & 0xbfff); // below 2 as FP16, BF16 and FP32
        std::memcpy(data + i, &half, 2);
    }
}

struct Work {
    PackedMatrix matrix;
    AlignedBuffer weights;
    int copies;
    std::vector<float> x;
    std::vector<ActBlock> blocks;
    std::vector<float> y;
    AlignedBuffer scratch;
    size_t scratchBytes;
    int n;

    /// `memory`: the weights are repeated until they take so much, to measure reading from memory.
    Work(TensorType type, Shape shape, int n_, size_t memory, int threads)
        : matrix(packedShape(type, shape.rows, shape.columns))
        , weights(memoryFor(matrix.bytes() * std::max<size_t>(1, memory / matrix.bytes())))
        , copies(static_cast<int>(std::max<size_t>(1, memory / matrix.bytes())))
        , x(static_cast<size_t>(shape.columns) * static_cast<size_t>(n_))
        , blocks(static_cast<size_t>((shape.columns + 31) / 32) * static_cast<size_t>(n_))
        , y(static_cast<size_t>(shape.rows) * static_cast<size_t>(n_))
        , scratchBytes((matmulScratchBytes(matrix) + 4095) / 4096 * 4096)
        , n(n_)
    {
        scratch = memoryFor(scratchBytes * static_cast<size_t>(threads) + 64);
        fillRandom(weights.data(), matrix.bytes());
        for (int i = 1; i < copies; i++) {
            std::memcpy(weights.data() + static_cast<size_t>(i) * matrix.bytes(), weights.data(), matrix.bytes());
        }
        for (size_t i = 0; i < x.size(); i++) {
            x[i] = static_cast<float>(static_cast<int>(i * 2654435761u >> 20) % 2000 - 1000) * 0.001f;
        }
        kernelsFor(InstructionSet::Scalar).quantize(x.data(), blocks.data(), static_cast<int>(x.size()));
    }
    MatmulArguments arguments(int thread)
    {
        MatmulArguments a;
        a.weights = &matrix;
        a.blocks = blocks.data();
        a.floats = x.data();
        a.floatStride = static_cast<size_t>(matrix.columns);
        a.y = y.data();
        a.yStride = static_cast<size_t>(matrix.rows);
        a.n = n;
        a.scratch = scratch.data() + static_cast<size_t>(thread) * scratchBytes;
        return a;
    }
    /// All copies once; the barrier after each is what a model has, too.
    void run(const Kernels& kernels, ThreadPool& pool)
    {
        pool.run([&](int thread) {
            PackedMatrix mine = matrix;
            MatmulArguments a = arguments(thread);
            a.weights = &mine;
            const Range part = shareOf(matrix.panels, thread, pool.threads(), panelUnit(kernels.set, matrix.type, n));
            for (int i = 0; i < copies; i++) {
                mine.data = weights.data() + static_cast<size_t>(i) * matrix.bytes();
                kernels.matmul(a, part.first, part.last);
                pool.barrier();
            }
        });
    }
    bool agrees(const Kernels& kernels, ThreadPool& pool)
    {
        const int panels = std::min(matrix.panels, 3);
        matrix.data = weights.data();
        run(kernels, pool);
        const auto got = y;
        kernelsFor(InstructionSet::Scalar).matmul(arguments(0), 0, panels);
        return std::memcmp(got.data(), y.data(), y.size() * sizeof(float)) == 0;
    }
};

/// Bytes that `pool` reads once.
void readPlain(const std::byte* data, size_t bytes, ThreadPool& pool)
{
    pool.run([&](int thread) {
        const size_t part = bytes / static_cast<size_t>(pool.threads()) / 256 * 256;
        const auto* at = reinterpret_cast<const uint64_t*>(data + part * static_cast<size_t>(thread));
        uint64_t sums[8] = {};
        for (size_t i = 0; i < part / 8; i += 8) {
            for (size_t j = 0; j < 8; j++) {
                sums[j] += at[i + j];
            }
        }
        for (uint64_t sum : sums) {
            benchmark::DoNotOptimize(sum);
        }
    });
}

std::string nameOf(const char* what, InstructionSet set, TensorType type, Shape shape, int n, int threads)
{
    return std::string(what) + "/" + std::string(instructionSetName(set)) + "/" + std::string(tensorTypeName(type))
        + "/" + std::to_string(shape.rows) + "x" + std::to_string(shape.columns) + "/n" + std::to_string(n) + "/t"
        + std::to_string(threads);
}

void product(
    benchmark::State& state, InstructionSet set, TensorType type, Shape shape, int n, int threads, size_t memory)
{
    auto pool = ThreadPool::create({threads});
    Work work(type, shape, n, memory, threads);
    const Kernels& kernels = kernelsFor(set);
    if (!work.agrees(kernels, **pool)) {
        state.SkipWithError("differs from the scalar reference");
        return;
    }
    const size_t bytes = work.matrix.bytes() * static_cast<size_t>(work.copies);
    double readSeconds = 0;
    for (auto _ : state) {
        work.run(kernels, **pool);
        if (memory > 0) { // beside each other: what memory gives drifts with the neighbours
            state.PauseTiming();
            const auto start = std::chrono::steady_clock::now();
            readPlain(work.weights.data(), bytes, **pool);
            readSeconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            state.ResumeTiming();
        }
    }
    const auto iterations = static_cast<double>(state.iterations());
    if (memory > 0) {
        state.counters["GB/s"] =
            benchmark::Counter(static_cast<double>(bytes) * iterations * 1e-9, benchmark::Counter::kIsRate);
        state.counters["readGB/s"] = static_cast<double>(bytes) * iterations * 1e-9 / readSeconds;
    } else {
        const double operations = 2.0 * shape.rows * shape.columns * n;
        state.counters["GOPS"] = benchmark::Counter(operations * iterations * 1e-9, benchmark::Counter::kIsRate);
    }
}

/// A decode step's attention over `depth` positions of `layers` layers, or a prefill of 64 positions there.
void attention(benchmark::State& state, InstructionSet set, int kvHeads, int group, int headSize, int depth,
    bool prefill, int threads)
{
    auto pool = ThreadPool::create({threads});
    const Kernels& kernels = kernelsFor(set);
    AttentionShape shape;
    shape.layout.headSize = headSize;
    shape.scale = 0.1f;
    constexpr int kQueries = 64;
    const int layers = prefill ? 1 : 30;
    const int blocks = (depth + kQueries) / kKvBlock + 1;
    const size_t headBytes = shape.layout.bytes();
    const size_t blockBytes = headBytes * static_cast<size_t>(kvHeads * layers);
    const AlignedBuffer cache = memoryFor(blockBytes * static_cast<size_t>(blocks));
    fillRandom(cache.data(), cache.size());
    std::vector<const std::byte*> table;
    for (int b = 0; b < blocks; b++) {
        table.push_back(cache.data() + blockBytes * static_cast<size_t>(b));
    }
    const int heads = kvHeads * group;
    const auto row = static_cast<size_t>(heads * headSize);
    std::vector<float> queries(row * kQueries, 0.01f);
    std::vector<float> y(queries.size());
    const int chunks = chunkCount(shape, depth);
    const auto partFloats = static_cast<size_t>(attentionPartFloats(shape.layout));
    std::vector<float> parts(partFloats * static_cast<size_t>(chunks * heads));
    std::atomic<int> next{0};
    const auto offset = [&](int layer, int head) { return headBytes * static_cast<size_t>(layer * kvHeads + head); };
    for (auto _ : state) {
        next = 0;
        (*pool)->run([&](int thread) {
            if (prefill) {
                constexpr int kItem = 16;
                for (int item; (item = next++) < kvHeads * kQueries / kItem;) {
                    QueryRows rows;
                    const auto at = static_cast<size_t>(item / kvHeads * kItem) * row
                        + static_cast<size_t>(item % kvHeads * group * headSize);
                    rows.queries = queries.data() + at;
                    rows.y = y.data() + at;
                    rows.queryStride = rows.yStride = row;
                    rows.heads = group;
                    rows.firstPosition = depth + item / kvHeads * kItem;
                    rows.count = kItem;
                    kernels.attendQueries(shape, {table.data(), offset(0, item % kvHeads)}, rows);
                }
                return;
            }
            for (int layer = 0; layer < layers; layer++) {
                const Range mine = shareOf(kvHeads * chunks, thread, (*pool)->threads());
                for (int item = mine.first; item < mine.last; item++) {
                    const int head = item / chunks;
                    kernels.attendChunk(shape, {table.data(), offset(layer, head)},
                        queries.data() + head * group * headSize, group, depth, item % chunks,
                        parts.data() + partFloats * static_cast<size_t>(head * group * chunks + item % chunks),
                        partFloats * static_cast<size_t>(chunks));
                }
                (*pool)->barrier();
                const Range merged = shareOf(heads, thread, (*pool)->threads());
                for (int head = merged.first; head < merged.last; head++) {
                    kernels.mergeParts(shape, parts.data() + partFloats * static_cast<size_t>(head * chunks),
                        partFloats, chunks, kNoSink, y.data() + head * headSize);
                }
                (*pool)->barrier();
            }
        });
    }
    const auto iterations = static_cast<double>(state.iterations());
    if (prefill) {
        const double operations = 4.0 * heads * headSize * kQueries * (depth + kQueries / 2);
        state.counters["GFLOPS"] = benchmark::Counter(operations * iterations * 1e-9, benchmark::Counter::kIsRate);
    } else {
        const double bytes = static_cast<double>(headBytes) / kKvBlock * kvHeads * layers * (depth + 1);
        state.counters["GB/s"] = benchmark::Counter(bytes * iterations * 1e-9, benchmark::Counter::kIsRate);
    }
}

void rowWork(benchmark::State& state, InstructionSet set, const std::string& what)
{
    const Kernels& k = kernelsFor(set);
    constexpr int kN = 576;
    std::vector<float> x(2 * kN, 0.3f);
    std::vector<float> y(2 * kN, 0.5f);
    std::vector<ActBlock> blocks(kN / 32);
    for (size_t i = 0; i < x.size(); i++) {
        x[i] = static_cast<float>(i % 37) * 0.1f - 1.5f;
    }
    for (auto _ : state) {
        if (what == "rmsNorm") {
            k.rmsNorm(x.data(), y.data(), y.data() + kN, kN, 1e-5f);
        } else if (what == "quantize") {
            k.quantize(x.data(), blocks.data(), kN);
        } else if (what == "ropePairs") {
            k.rope(y.data(), 9, 64, 64, x.data(), x.data() + 64, RopeStyle::Pairs);
        } else if (what == "silu") {
            k.gated(Activation::Silu, x.data(), y.data(), y.data() + kN, kN);
        } else {
            k.add(y.data(), x.data(), kN);
        }
        benchmark::DoNotOptimize(y.data());
        benchmark::ClobberMemory();
        y[0] = 0.5f;
    }
    state.counters["ns/value"] =
        benchmark::Counter(kN * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void registerAll()
{
    constexpr size_t kMemory = size_t{160} << 20; // more than the last level cache
    for (InstructionSet set : availableInstructionSets()) {
        if (set == InstructionSet::Scalar) {
            continue;
        }
        const auto shapes = [](TensorType type) {
            return columnUnit(type) == 256 ? std::vector<Shape>{{640, 1024}, {640, 2048}, {4096, 4096}}
                                           : std::vector<Shape>{{576, 576}, {1536, 576}, {576, 1536}, {4096, 4096}};
        };
        for (TensorType type : kTypes) {
            for (Shape shape : shapes(type)) {
                for (int threads : {1, 2}) {
                    benchmark::RegisterBenchmark(nameOf("gemv", set, type, shape, 1, threads).c_str(),
                        [=](benchmark::State& state) { product(state, set, type, shape, 1, threads, kMemory); })
                        ->UseRealTime();
                    for (int n : {1, 2, 4, 8, 16, 64, 256}) {
                        benchmark::RegisterBenchmark(nameOf("gemm", set, type, shape, n, threads).c_str(),
                            [=](benchmark::State& state) { product(state, set, type, shape, n, threads, 0); })
                            ->MeasureProcessCPUTime();
                    }
                }
            }
        }
        for (int threads : {1, 2}) {
            for (bool prefill : {false, true}) {
                const auto add = [&](int kvHeads, int group, int headSize) {
                    const std::string name = std::string(prefill ? "attendQueries/" : "attendChunk/")
                        + std::string(instructionSetName(set)) + "/" + std::to_string(kvHeads * group) + ":"
                        + std::to_string(kvHeads) + "x" + std::to_string(headSize) + "/t" + std::to_string(threads);
                    auto* entry = benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
                        attention(state, set, kvHeads, group, headSize, 2048, prefill, threads);
                    });
                    prefill ? entry->MeasureProcessCPUTime() : entry->UseRealTime();
                };
                add(3, 3, 64);
                add(8, 4, 128);
                add(1, 4, 256);
            }
        }
        for (const char* what : {"rmsNorm", "quantize", "ropePairs", "silu", "add"}) {
            const std::string name = std::string(what) + "/" + std::string(instructionSetName(set)) + "/576";
            benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) { rowWork(state, set, what); });
        }
    }
}

} // namespace

int main(int argc, char** argv)
{
    registerAll();
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
        return 2;
    }
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
}
