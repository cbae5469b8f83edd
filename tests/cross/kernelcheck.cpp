// Compares the kernels of every instruction set that this CPU has with the scalar ones, bit for bit, without Qt: for
// CPUs that the tests reach only through a cross compiler and an emulator. Usage: kernelcheck SET..., those that must
// be there. Exit 1 where one is missing or a bit differs.

#include "kernelinputs.h"
#include "measure/limitskernels.h"
#include "rowresults.h"

#include <algorithm>
#include <cstdio>
#include <string>

using namespace kvasir;
using namespace kvasir::cpu;
using namespace kvasir::testing;

namespace {

/// Counts what was compared and tells what differs.
class Comparison {
public:
    explicit Comparison(InstructionSet set)
        : m_set(set)
    {
    }
    void operator()(const char* what, int size, const std::vector<float>& got, const std::vector<float>& want)
    {
        m_compared += want.size();
        for (size_t i = 0; i < want.size(); i++) {
            if (!sameBits(&got[i], &want[i], 1)) {
                if (m_different++ < 20) {
                    std::printf("%s, %s, size %d, value %zu: %a, not %a\n", instructionSetName(m_set).data(), what,
                        size, static_cast<size_t>(i), static_cast<double>(got[i]), static_cast<double>(want[i]));
                }
            }
        }
    }
    bool report() const
    {
        std::printf("%s: %zu values compared, %zu differ\n", instructionSetName(m_set).data(), m_compared, m_different);
        return m_different == 0 && m_compared > 0;
    }

private:
    InstructionSet m_set;
    size_t m_compared = 0;
    size_t m_different = 0;
};

const Kernels& scalar()
{
    return kernelsFor(InstructionSet::Scalar);
}

/// The loops that measure this CPU's peaks are compiled for its best set, and run.
bool limitsRun()
{
    const LimitKernels& limits = limitKernels();
    const std::vector<std::byte> memory(1024);
    const auto aligned = (reinterpret_cast<uintptr_t>(memory.data()) + 63) / 64 * 64;
    limits.read(reinterpret_cast<const std::byte*>(aligned), 512);
    limits.int8(10);
    limits.fp32(10);
    const std::string_view best = instructionSetName(availableInstructionSets().back());
    std::printf("limits are measured with %s\n", limits.instructionSet);
    return best == limits.instructionSet;
}

void compareRows(const Kernels& k, Comparison& compare)
{
    Random random(1);
    for (int n : kRowSizes) {
        const RowInputs inputs(n, random);
        compare("rows", n, rowResults(k, inputs), rowResults(scalar(), inputs));
    }
}

void compareProducts(const Kernels& k, TensorType type, Comparison& compare)
{
    constexpr int kMost = 17;
    constexpr int kRows = 53; // whole panels and a broken one
    Random random(2);
    const int columns = meetsInt8(type) ? std::max(96, columnUnit(type) * 2) : 49;
    const auto source = randomSource(type, kRows, columns, random);
    OwnedMatrix w(type, kRows, columns);
    packRows(w.matrix, type, source.data(), 0, kRows);
    std::vector<float> x = randomFloats(static_cast<size_t>(kMost * columns), random);
    x[5] = 1e-42f;
    std::vector<ActBlock> blocks(x.size() / kGroupColumns);
    const auto quantized = static_cast<int>(blocks.size() * kGroupColumns);
    k.quantize(x.data(), blocks.data(), quantized);
    std::vector<ActBlock> scalarBlocks(blocks.size());
    scalar().quantize(x.data(), scalarBlocks.data(), quantized);
    std::vector<float> values(blocks.size() * sizeof(ActBlock) / sizeof(float));
    std::vector<float> scalarValues(values.size());
    std::memcpy(values.data(), blocks.data(), blocks.size() * sizeof(ActBlock));
    std::memcpy(scalarValues.data(), scalarBlocks.data(), blocks.size() * sizeof(ActBlock));
    compare("quantize", quantized, values, scalarValues);

    auto scratch = AlignedBuffer::allocate(std::max<size_t>(64, (matmulScratchBytes(w.matrix) + 63) / 64 * 64));
    for (int n = 1; n <= kMost; n++) {
        MatmulArguments a;
        a.weights = &w.matrix;
        a.blocks = blocks.data();
        a.floats = x.data();
        a.floatStride = static_cast<size_t>(columns);
        a.yStride = kRows;
        a.n = n;
        a.scratch = scratch->data();
        std::vector<float> got(static_cast<size_t>(n * kRows), -1.0f);
        std::vector<float> want = got;
        a.y = got.data();
        k.matmul(a, 0, w.matrix.panels);
        a.y = want.data();
        scalar().matmul(a, 0, w.matrix.panels);
        compare(tensorTypeName(type).data(), n, got, want);
    }
}

/// Keys and values of a whole sequence in `set`'s own blocks, decode by chunks, prefill by tiles.
std::vector<float> attentionResults(const Kernels& k, const AttentionShape& shape, int heads)
{
    constexpr int kPositions = 300; // more than a chunk
    constexpr int kQueries = 13;
    Random random(3);
    const auto size = static_cast<size_t>(shape.layout.headSize);
    std::vector<AlignedBuffer> blocks;
    std::vector<const std::byte*> table;
    for (int b = 0; b * kKvBlock < kPositions; b++) {
        blocks.push_back(std::move(*AlignedBuffer::allocate(shape.layout.bytes())));
        table.push_back(blocks.back().data());
    }
    for (int p = 0; p < kPositions; p++) {
        const auto key = randomFloats(size, random);
        const auto value = randomFloats(size, random);
        k.storeKv(
            shape.layout, blocks[static_cast<size_t>(p / kKvBlock)].data(), p % kKvBlock, key.data(), value.data());
    }
    const KvView view{table.data(), 0};
    const size_t row = static_cast<size_t>(heads) * size;
    const auto queries = randomFloats(row * kQueries, random);
    const auto sinks = randomFloats(static_cast<size_t>(heads), random);
    std::vector<float> y(row * kQueries);
    QueryRows rows;
    rows.queries = queries.data();
    rows.queryStride = row;
    rows.y = y.data();
    rows.yStride = row;
    rows.heads = heads;
    rows.firstPosition = kPositions - kQueries;
    rows.count = kQueries;
    rows.sinks = sinks.data();
    k.attendQueries(shape, view, rows);

    const int position = kPositions - 1;
    const int chunks = chunkCount(shape, position);
    const auto floats = static_cast<size_t>(attentionPartFloats(shape.layout));
    std::vector<float> parts(static_cast<size_t>(chunks * heads) * floats);
    for (int c = 0; c < chunks; c++) {
        k.attendChunk(shape, view, queries.data(), heads, position, firstChunk(shape, position) + c,
            parts.data() + static_cast<size_t>(c) * floats, static_cast<size_t>(chunks) * floats);
    }
    for (int h = 0; h < heads; h++) {
        y.resize(y.size() + size);
        k.mergeParts(shape, parts.data() + static_cast<size_t>(h * chunks) * floats, floats, chunks, kNoSink,
            y.data() + y.size() - size);
    }
    return y;
}

void compareAttention(const Kernels& k, Comparison& compare)
{
    for (TensorType type : {TensorType::F16, TensorType::F32}) {
        for (int headSize : {5, 24, 64, 128}) {
            for (int heads : {1, 3, 8}) {
                AttentionShape shape;
                shape.layout = {type, type, headSize};
                shape.scale = 0.1f;
                shape.softCap = heads == 3 ? 2.0f : 0.0f;
                shape.window = heads == 8 ? 37 : 0;
                compare(
                    "attention", headSize, attentionResults(k, shape, heads), attentionResults(scalar(), shape, heads));
            }
        }
    }
}

} // namespace

int main(int argc, char** argv)
{
    bool good = argc > 1 && limitsRun();
    const auto sets = availableInstructionSets();
    for (int i = 1; i < argc; i++) {
        if (std::none_of(sets.begin(), sets.end(), [&](auto set) { return instructionSetName(set) == argv[i]; })) {
            std::printf("%s is not among the instruction sets of this CPU\n", argv[i]);
            good = false;
        }
    }
    for (InstructionSet set : sets) {
        if (set != InstructionSet::Scalar) {
            Comparison compare(set);
            compareRows(kernelsFor(set), compare);
            for (TensorType type : kPackableTypes) {
                compareProducts(kernelsFor(set), type, compare);
            }
            compareAttention(kernelsFor(set), compare);
            good = compare.report() && good;
        }
    }
    return good ? 0 : 1;
}
