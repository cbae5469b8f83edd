#pragma once

// Attention over the paged cache; attention.h tells the layout and the functions.
//
// Scores: a lane is a position, the sum runs over d in order. Values: a lane is a d, the sum runs over positions in
// order. The softmax is worked out in chunks of 256 positions counted from position 0, merged in order. Positions that
// a row does not see are left out of its sums, not multiplied by zero. So a row's bits depend on its query and on the
// positions it sees, whatever is computed beside it.

#include "cpu/matmulkernels.h"
#include "cpu/rowkernels.h"

namespace kvasir::cpu {
namespace {

inline constexpr int kAttentionRows = 6; ///< that share the loads of keys and values
inline constexpr int kPartHead = 16;     ///< floats before the values of a part: maximum, sum

/// One row within one chunk: sees positions [first, last] of the chunk, at least one.
struct ChunkRow {
    const float* query;
    int first;
    int last;
    float* part;
};

void storeKv(const KvHeadLayout& layout, std::byte* head, int slot, const float* key, const float* value)
{
    const int d = layout.headSize;
    const Floats most = broadcast(65504.0f);
    const Floats least = broadcast(-65504.0f);
    // The operand order lets a NaN through.
    const auto halvesOf = [&](const float* x, int n, uint16_t* out) {
        storeHalves(out, min(most, max(least, loadUpTo(x, n))));
    };
    if (layout.keys == TensorType::F16) {
        auto* keys = reinterpret_cast<uint16_t*>(head);
        forEach16(d, [&](int at, int n) {
            uint16_t halves[kLanes];
            halvesOf(key + at, n, halves);
            for (int i = 0; i < n; i++) {
                keys[(at + i) * kKvBlock + slot] = halves[i];
            }
        });
    } else {
        auto* keys = reinterpret_cast<float*>(head);
        for (int i = 0; i < d; i++) {
            keys[i * kKvBlock + slot] = key[i];
        }
    }
    const int padded = (d + 15) / 16 * 16;
    std::byte* values = head + static_cast<size_t>(kKvBlock * d) * (layout.keys == TensorType::F16 ? 2 : 4);
    for (int at = 0; at < padded; at += kLanes) {
        if (layout.values == TensorType::F16) {
            halvesOf(value + at, d - at, reinterpret_cast<uint16_t*>(values) + slot * padded + at);
        } else {
            store(reinterpret_cast<float*>(values) + slot * padded + at, loadUpTo(value + at, d - at));
        }
    }
}

template <bool Half> inline Floats loadCached(const std::byte* base, int index)
{
    if constexpr (Half) {
        return loadHalves(base + static_cast<size_t>(index) * 2);
    } else {
        return load(reinterpret_cast<const float*>(base) + index);
    }
}

/// Scores of `Rows` rows over `Blocks` blocks: q * k, times scale. Row r's go to scores + r * kAttentionChunk.
template <bool Half, int Rows, int Blocks>
inline void scoreBlocks(const ChunkRow* rows, const std::byte* const* keys, int headSize, float scale, float* scores)
{
    Floats acc[Rows][Blocks];
    KVASIR_UNROLL
    for (int r = 0; r < Rows; r++) {
        KVASIR_UNROLL
        for (int b = 0; b < Blocks; b++) {
            acc[r][b] = zero();
        }
    }
    for (int d = 0; d < headSize; d++) {
        KVASIR_UNROLL
        for (int b = 0; b < Blocks; b++) {
            const Floats k = loadCached<Half>(keys[b], d * kKvBlock);
            KVASIR_UNROLL
            for (int r = 0; r < Rows; r++) {
                acc[r][b] = fma(k, broadcast(rows[r].query[d]), acc[r][b]);
            }
        }
    }
    const Floats factor = broadcast(scale);
    KVASIR_UNROLL
    for (int r = 0; r < Rows; r++) {
        KVASIR_UNROLL
        for (int b = 0; b < Blocks; b++) {
            store(scores + r * kAttentionChunk + b * kKvBlock, mul(acc[r][b], factor));
        }
    }
}

/// Turns the scores of a row into exp(score - maximum); positions that it does not see become 0. Writes maximum and
/// sum.
inline void softmaxRow(const ChunkRow& row, float softCap, float* scores)
{
    const Floats none = broadcast(-__builtin_inff());
    const int firstBlock = row.first / kKvBlock;
    const int lastBlock = row.last / kKvBlock;
    Floats largest = none;
    for (int b = firstBlock; b <= lastBlock; b++) {
        float* at = scores + b * kKvBlock;
        Floats s = load(at);
        if (softCap > 0) {
            s = softCapped(s, broadcast(softCap), broadcast(1.0f / softCap));
        }
        if (b == firstBlock || b == lastBlock) {
            s = select(laneRange(row.first - b * kKvBlock, row.last + 1 - b * kKvBlock), s, none);
        }
        store(at, s);
        largest = max(largest, s);
    }
    row.part[0] = maxLanes(largest);
    const Floats top = broadcast(row.part[0]);
    Floats sum = zero();
    for (int b = firstBlock; b <= lastBlock; b++) {
        float* at = scores + b * kKvBlock;
        const Floats e = exponential(sub(load(at), top));
        store(at, e);
        sum = add(sum, e);
    }
    row.part[1] = sumLanes(sum);
}

/// Sums p * v over the positions that each row sees, `Vectors` x 16 of the head's values.
template <bool Half, int Rows, int Vectors>
inline void sumValues(const ChunkRow* rows, const std::byte* const* values, int padded, int d, const float* p)
{
    Floats acc[Rows][Vectors];
    KVASIR_UNROLL
    for (int r = 0; r < Rows; r++) {
        KVASIR_UNROLL
        for (int c = 0; c < Vectors; c++) {
            acc[r][c] = zero();
        }
    }
    int first = rows[0].first;
    int last = rows[0].last;
    int allFirst = first;
    int allLast = last;
    for (int r = 1; r < Rows; r++) {
        first = smaller(first, rows[r].first);
        last = larger(last, rows[r].last);
        allFirst = larger(allFirst, rows[r].first);
        allLast = smaller(allLast, rows[r].last);
    }
    const auto addPositions = [&]<bool All>(int from, int to) {
        for (int position = from; position <= to;) {
            const std::byte* block = values[position / kKvBlock];
            const int blockEnd = smaller(to, position / kKvBlock * kKvBlock + kKvBlock - 1);
            for (; position <= blockEnd; position++) {
                const int at = position % kKvBlock * padded + d;
                Floats v[Vectors];
                KVASIR_UNROLL
                for (int c = 0; c < Vectors; c++) {
                    v[c] = loadCached<Half>(block, at + c * kLanes);
                }
                KVASIR_UNROLL
                for (int r = 0; r < Rows; r++) {
                    if (!All && (position < rows[r].first || position > rows[r].last)) {
                        continue;
                    }
                    const Floats weight = broadcast(p[r * kAttentionChunk + position]);
                    KVASIR_UNROLL
                    for (int c = 0; c < Vectors; c++) {
                        acc[r][c] = fma(v[c], weight, acc[r][c]);
                    }
                }
            }
        }
    };
    if (allFirst > allLast) {
        addPositions.template operator()<false>(first, last);
    } else {
        addPositions.template operator()<false>(first, allFirst - 1);
        addPositions.template operator()<true>(allFirst, allLast);
        addPositions.template operator()<false>(allLast + 1, last);
    }
    KVASIR_UNROLL
    for (int r = 0; r < Rows; r++) {
        KVASIR_UNROLL
        for (int c = 0; c < Vectors; c++) {
            store(rows[r].part + kPartHead + d + c * kLanes, acc[r][c]);
        }
    }
}

/// One chunk for `Rows` rows. `keys` and `values` hold the chunk's 16 blocks; those that no row sees are not read.
template <int Rows>
void attendRows(
    const AttentionShape& shape, const std::byte* const* keys, const std::byte* const* values, const ChunkRow* rows)
{
    alignas(64) float scores[Rows * kAttentionChunk];
    int first = rows[0].first;
    int last = rows[0].last;
    for (int r = 1; r < Rows; r++) {
        first = smaller(first, rows[r].first);
        last = larger(last, rows[r].last);
    }
    constexpr int kFit = kVectorRegisters * 3 / 4 / Rows;
    constexpr int kBlocks = kFit < 1 ? 1 : kFit > 4 ? 4 : kFit;
    const int headSize = shape.layout.headSize;
    const auto score = [&]<bool Half>() {
        int b = first / kKvBlock;
        const int end = last / kKvBlock + 1;
        for (; b + kBlocks <= end; b += kBlocks) {
            scoreBlocks<Half, Rows, kBlocks>(rows, keys + b, headSize, shape.scale, scores + b * kKvBlock);
        }
        for (; b < end; b++) {
            scoreBlocks<Half, Rows, 1>(rows, keys + b, headSize, shape.scale, scores + b * kKvBlock);
        }
    };
    shape.layout.keys == TensorType::F16 ? score.template operator()<true>() : score.template operator()<false>();

    for (int r = 0; r < Rows; r++) {
        softmaxRow(rows[r], shape.softCap, scores + r * kAttentionChunk);
    }

    const int padded = (headSize + 15) / 16 * 16;
    const auto sum = [&]<bool Half>() {
        int d = 0;
        for (; d + kBlocks * kLanes <= padded; d += kBlocks * kLanes) {
            sumValues<Half, Rows, kBlocks>(rows, values, padded, d, scores);
        }
        for (; d < padded; d += kLanes) {
            sumValues<Half, Rows, 1>(rows, values, padded, d, scores);
        }
    };
    shape.layout.values == TensorType::F16 ? sum.template operator()<true>() : sum.template operator()<false>();
}

/// Any number of rows.
void attendChunkRows(const AttentionShape& shape, const KvView& view, int chunk, const ChunkRow* rows, int count)
{
    const std::byte* keys[kAttentionChunk / kKvBlock] = {};
    const std::byte* values[kAttentionChunk / kKvBlock] = {};
    const size_t keyBytes =
        static_cast<size_t>(kKvBlock * shape.layout.headSize) * (shape.layout.keys == TensorType::F16 ? 2 : 4);
    int first = rows[0].first;
    int last = rows[0].last;
    for (int r = 1; r < count; r++) {
        first = smaller(first, rows[r].first);
        last = larger(last, rows[r].last);
    }
    for (int b = first / kKvBlock; b <= last / kKvBlock; b++) {
        keys[b] = view.blocks[chunk * (kAttentionChunk / kKvBlock) + b] + view.offset;
        values[b] = keys[b] + keyBytes;
    }
    forRowTiles<kAttentionRows>(
        0, count, [&]<int Rows>(int row) { attendRows<Rows>(shape, keys, values, rows + row); });
}

/// First position that `position` sees, as attention.h's firstVisible(), which may not be called here.
inline int visibleFrom(const AttentionShape& shape, int position)
{
    return shape.window > 0 && position >= shape.window ? position - shape.window + 1 : 0;
}

void attendChunk(const AttentionShape& shape, const KvView& view, const float* queries, int rows, int position,
    int chunk, float* parts, size_t partStride)
{
    const int start = chunk * kAttentionChunk;
    const int first = larger(0, visibleFrom(shape, position) - start);
    const int last = smaller(kAttentionChunk - 1, position - start);
    while (rows > 0) {
        ChunkRow list[kAttentionRows];
        // 8 rows are 4 + 4, not 6 + 2.
        const int tiles = (rows + kAttentionRows - 1) / kAttentionRows;
        const int count = (rows + tiles - 1) / tiles;
        for (int r = 0; r < count; r++) {
            list[r] = {queries + r * shape.layout.headSize, first, last, parts + static_cast<size_t>(r) * partStride};
        }
        attendChunkRows(shape, view, chunk, list, count);
        queries += count * shape.layout.headSize;
        parts += static_cast<size_t>(count) * partStride;
        rows -= count;
    }
}

/// acc := acc merged with the part of the next chunk.
inline void mergePart(float* acc, const float* next, int padded)
{
    const float top = acc[0] > next[0] ? acc[0] : next[0];
    const Floats a = exponential(broadcast(acc[0] - top));
    const Floats b = exponential(broadcast(next[0] - top));
    acc[0] = top;
    float factors[2][kLanes];
    store(factors[0], a);
    store(factors[1], b);
    acc[1] = __builtin_fmaf(next[1], factors[1][0], acc[1] * factors[0][0]);
    for (int d = kPartHead; d < kPartHead + padded; d += kLanes) {
        store(acc + d, fma(load(next + d), b, mul(load(acc + d), a)));
    }
}

inline void finishPart(float* acc, float sink, int headSize, float* y)
{
    Floats factor = broadcast(1.0f / acc[1]);
    if (sink > -__builtin_inff()) {
        const float top = acc[0] > sink ? acc[0] : sink;
        float shares[kLanes] = {acc[0] - top, sink - top};
        store(shares, exponential(load(shares)));
        factor = broadcast(shares[0] / __builtin_fmaf(acc[1], shares[0], shares[1]));
    }
    forEach16(headSize, [&](int at, int n) { storePartial(y + at, n, mul(load(acc + kPartHead + at), factor)); });
}

void mergeParts(const AttentionShape& shape, const float* parts, size_t partStride, int count, float sink, float* y)
{
    const int padded = (shape.layout.headSize + 15) / 16 * 16;
    alignas(64) float acc[kPartHead + kMaxHeadSize];
    __builtin_memcpy(acc, parts, static_cast<size_t>(kPartHead + padded) * sizeof(float));
    for (int i = 1; i < count; i++) {
        mergePart(acc, parts + static_cast<size_t>(i) * partStride, padded);
    }
    finishPart(acc, sink, shape.layout.headSize, y);
}

void attendQueries(const AttentionShape& shape, const KvView& view, const QueryRows& rows)
{
    constexpr int kPart = kPartHead + kMaxHeadSize;
    const int headSize = shape.layout.headSize;
    const int padded = (headSize + 15) / 16 * 16;
    forRowTiles<kAttentionRows>(0, rows.count * rows.heads, [&]<int Rows>(int at) {
        alignas(64) float acc[Rows][kPart];
        alignas(64) float next[Rows][kPart];
        int position[Rows];
        const float* query[Rows];
        for (int r = 0; r < Rows; r++) {
            const int j = (at + r) / rows.heads;
            const int head = (at + r) % rows.heads;
            position[r] = rows.firstPosition + j;
            query[r] = rows.queries + static_cast<size_t>(j) * rows.queryStride + head * headSize;
        }
        const int lastChunk = position[Rows - 1] / kAttentionChunk;
        for (int chunk = visibleFrom(shape, position[0]) / kAttentionChunk; chunk <= lastChunk; chunk++) {
            const int start = chunk * kAttentionChunk;
            ChunkRow list[Rows];
            int count = 0;
            int firstRow = 0;
            for (int r = 0; r < Rows; r++) {
                const int first = larger(0, visibleFrom(shape, position[r]) - start);
                const int last = smaller(kAttentionChunk - 1, position[r] - start);
                if (first > last) {
                    continue; // before the row's window, or after the row: those that see the chunk are neighbours
                }
                firstRow = count == 0 ? r : firstRow;
                const bool begins = visibleFrom(shape, position[r]) >= start || chunk == 0;
                list[count++] = {query[r], first, last, begins ? acc[r] : next[r]};
            }
            attendChunkRows(shape, view, chunk, list, count);
            for (int i = 0; i < count; i++) {
                if (list[i].part == next[firstRow + i]) {
                    mergePart(acc[firstRow + i], next[firstRow + i], padded);
                }
            }
        }
        for (int r = 0; r < Rows; r++) {
            const int j = (at + r) / rows.heads;
            const int head = (at + r) % rows.heads;
            const float sink = rows.sinks ? rows.sinks[head] : kNoSink;
            finishPart(acc[r], sink, headSize, rows.y + static_cast<size_t>(j) * rows.yStride + head * headSize);
        }
    });
}

} // namespace
} // namespace kvasir::cpu
