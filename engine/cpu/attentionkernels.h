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

template <bool Half> KVASIR_INLINE Floats loadCached(const std::byte* base, int index)
{
    if constexpr (Half) {
        return loadHalves(base + static_cast<size_t>(index) * 2);
    } else {
        return load(reinterpret_cast<const float*>(base) + index);
    }
}

/// Scores of `Rows` rows over `Blocks` blocks: q * k, times scale. queries[d * Rows + r] is value d of row r's query;
/// row r's scores go to scores + r * kAttentionChunk.
template <bool Half, int Rows, int Blocks>
[[gnu::noinline]] void scoreBlocks(const float* queries, const std::byte* const* keys, const std::byte* const* values,
    int headSize, float scale, float* scores)
{
    Floats acc[Rows][Blocks];
    clearTile(acc);
    for (int d = 0; d < headSize; d++, queries += Rows) {
        if (Rows <= 4 && d % 2 == 0) {
            // Decode streams: values come in while keys are being used.
            KVASIR_UNROLL
            for (int b = 0; b < Blocks; b++) {
                prefetch(values[b] + d * kKvBlock * 2);
            }
        }
        KVASIR_UNROLL
        for (int b = 0; b < Blocks; b++) {
            const Floats k = loadCached<Half>(keys[b], d * kKvBlock);
            KVASIR_REREAD(queries);
            KVASIR_UNROLL
            for (int r = 0; r < Rows; r++) {
                acc[r][b] = fma(k, broadcast(queries[r]), acc[r][b]);
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
[[gnu::noinline]] void softmaxRow(const ChunkRow& row, float softCap, float* scores)
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
[[gnu::noinline]] void sumValues(
    const ChunkRow* rows, const std::byte* const* values, int padded, int d, const float* p)
{
    Floats acc[Rows][Vectors];
    clearTile(acc);
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
                KVASIR_UNROLL
                for (int c = 0; c < Vectors; c++) {
                    const Floats v = loadCached<Half>(block, at + c * kLanes);
                    KVASIR_REREAD(p);
                    KVASIR_UNROLL
                    for (int r = 0; r < Rows; r++) {
                        if (All || (position >= rows[r].first && position <= rows[r].last)) {
                            acc[r][c] = fma(v, broadcast(p[r * kAttentionChunk + position]), acc[r][c]);
                        }
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
    float queries[Rows * kMaxHeadSize];
    const int headSize = shape.layout.headSize;
    for (int d = 0; d < headSize; d++) {
        KVASIR_UNROLL
        for (int r = 0; r < Rows; r++) {
            queries[d * Rows + r] = rows[r].query[d];
        }
    }
    constexpr int kFit = kVectorRegisters * 3 / 4 / Rows;
    constexpr int kBlocks = kFit < 1 ? 1 : kFit > 4 ? 4 : kFit;
    const auto score = [&]<bool Half>() {
        int b = first / kKvBlock;
        const int end = last / kKvBlock + 1;
        for (; b + kBlocks <= end; b += kBlocks) {
            scoreBlocks<Half, Rows, kBlocks>(
                queries, keys + b, values + b, headSize, shape.scale, scores + b * kKvBlock);
        }
        for (; b < end; b++) {
            scoreBlocks<Half, Rows, 1>(queries, keys + b, values + b, headSize, shape.scale, scores + b * kKvBlock);
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
KVASIR_INLINE int visibleFrom(const AttentionShape& shape, int position)
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
KVASIR_INLINE void mergePart(float* acc, const float* next, int padded)
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

KVASIR_INLINE void finishPart(float* acc, float sink, int headSize, float* y)
{
    Floats factor = broadcast(1.0f / acc[1]);
    if (sink > -__builtin_inff()) {
        const float top = acc[0] > sink ? acc[0] : sink;
        float shares[kLanes] = {acc[0] - top, sink - top};
        store(shares, exponential(load(shares)));
        factor = broadcast(shares[0] / __builtin_fmaf(acc[1], shares[0], shares[1]));
    }
    forEach16(headSize, [&](int at, int n) { storeUpTo(y + at, n, mul(load(acc + kPartHead + at), factor)); });
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

/// Rows whose chunk is worked on before the next one is read: its keys and values stay in the second level cache for
/// them.
inline constexpr int kPassRows = 48;

/// One chunk for rows [0, count), at most kAttentionRows, at ascending positions. Merges it into accs[r].
void attendTile(const AttentionShape& shape, const KvView& view, int chunk, const float* const* queries,
    const int* positions, float (*accs)[kPartHead + kMaxHeadSize], int count)
{
    alignas(64) float next[kAttentionRows][kPartHead + kMaxHeadSize];
    ChunkRow rows[kAttentionRows];
    int members[kAttentionRows];
    int seen = 0;
    const int start = chunk * kAttentionChunk;
    for (int r = 0; r < count; r++) {
        const int visible = visibleFrom(shape, positions[r]);
        const int first = larger(0, visible - start);
        const int last = smaller(kAttentionChunk - 1, positions[r] - start);
        if (first <= last) {
            const bool begins = visible / kAttentionChunk == chunk;
            rows[seen] = {queries[r], first, last, begins ? accs[r] : next[r]};
            members[seen++] = r;
        }
    }
    if (seen == 0) {
        return;
    }
    attendChunkRows(shape, view, chunk, rows, seen);
    for (int i = 0; i < seen; i++) {
        if (rows[i].part != accs[members[i]]) {
            mergePart(accs[members[i]], rows[i].part, (shape.layout.headSize + 15) / 16 * 16);
        }
    }
}

void attendQueries(const AttentionShape& shape, const KvView& view, const QueryRows& rows)
{
    const int headSize = shape.layout.headSize;
    const int total = rows.count * rows.heads;
    alignas(64) float accs[kPassRows][kPartHead + kMaxHeadSize];
    const float* queries[kPassRows];
    int positions[kPassRows];
    for (int start = 0; start < total; start += kPassRows) {
        const int count = smaller(kPassRows, total - start);
        for (int r = 0; r < count; r++) {
            const int j = (start + r) / rows.heads;
            positions[r] = rows.firstPosition + j;
            queries[r] = rows.queries + static_cast<size_t>(j) * rows.queryStride + (start + r) % rows.heads * headSize;
        }
        const int lastChunk = positions[count - 1] / kAttentionChunk;
        for (int chunk = visibleFrom(shape, positions[0]) / kAttentionChunk; chunk <= lastChunk; chunk++) {
            for (int r = 0; r < count;) {
                const int left = count - r;
                const int tile =
                    left > kAttentionRows && left < 2 * kAttentionRows ? (left + 1) / 2 : smaller(left, kAttentionRows);
                attendTile(shape, view, chunk, queries + r, positions + r, accs + r, tile);
                r += tile;
            }
        }
        for (int r = 0; r < count; r++) {
            const int j = (start + r) / rows.heads;
            const int head = (start + r) % rows.heads;
            const float sink = rows.sinks ? rows.sinks[head] : kNoSink;
            finishPart(accs[r], sink, headSize, rows.y + static_cast<size_t>(j) * rows.yStride + head * headSize);
        }
    }
}

} // namespace
} // namespace kvasir::cpu
