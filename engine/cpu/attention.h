#pragma once

#include "quant/tensortype.h"

#include <cstddef>
#include <limits>

namespace kvasir::cpu {

inline constexpr int kKvBlock = 16;         ///< positions of a cache block
inline constexpr int kAttentionChunk = 256; ///< positions whose softmax is worked out together, counted from position 0
inline constexpr int kMaxHeadSize = 256;

/// One block (16 positions) of one key/value head in one layer: keys as [d][16 positions], so that a lane is a position
/// and no sum runs across lanes, then values as [position][d], d padded to a multiple of 16.
struct KvHeadLayout {
    TensorType keys = TensorType::F16; ///< F16 or F32
    TensorType values = TensorType::F16;
    int headSize = 0; ///< 1..256

    int paddedHeadSize() const { return (headSize + 15) / 16 * 16; }
    size_t keyBytes() const { return size_t{kKvBlock} * static_cast<size_t>(headSize) * elementBytes(keys); }
    size_t valueBytes() const
    {
        return size_t{kKvBlock} * static_cast<size_t>(paddedHeadSize()) * elementBytes(values);
    }
    size_t bytes() const { return (keyBytes() + valueBytes() + 63) / 64 * 64; }

private:
    static size_t elementBytes(TensorType type) { return type == TensorType::F32 ? 4 : 2; }
};

struct AttentionShape {
    KvHeadLayout layout;
    float scale = 1;   ///< of q * k
    float softCap = 0; ///< score = cap * tanh(score / cap); 0: none
    int window = 0;    ///< a position sees itself and window - 1 before it; 0: all before it
};

/// The cache of one sequence as one key/value head of one layer sees it. Position p lies in slot p % 16 of block p
/// / 16. Blocks with no visible position may be null; slots after the query's position are not used.
struct KvView {
    const std::byte* const* blocks = nullptr;
    size_t offset = 0; ///< of the head inside a block, a multiple of 64
};

/// First position that `position` sees.
inline int firstVisible(const AttentionShape& shape, int position)
{
    return shape.window > 0 && position >= shape.window ? position - shape.window + 1 : 0;
}
/// Chunks that hold a position visible from `position`: [first, first + count).
inline int firstChunk(const AttentionShape& shape, int position)
{
    return firstVisible(shape, position) / kAttentionChunk;
}
inline int chunkCount(const AttentionShape& shape, int position)
{
    return position / kAttentionChunk - firstChunk(shape, position) + 1;
}

/// Floats of one softmax state: maximum, sum, and from 16 on the sum of values.
inline int attentionPartFloats(const KvHeadLayout& layout)
{
    return 16 + layout.paddedHeadSize();
}

/// No sink: see mergeParts().
inline constexpr float kNoSink = -std::numeric_limits<float>::infinity();

/// Query rows of prefill: `count` positions from `firstPosition` on, `heads` query heads each, all of one key/value
/// head.
struct QueryRows {
    const float* queries = nullptr; ///< position j, head h at queries + j * queryStride + h * headSize
    size_t queryStride = 0;
    float* y = nullptr; ///< result at y + j * yStride + h * headSize
    size_t yStride = 0;
    int heads = 0;
    int firstPosition = 0;
    int count = 0;
    const float* sinks = nullptr; ///< one a head, or null
};

// In struct Kernels:
//
// storeKv: writes key and value (headSize floats each) of one position. `head` is the block's memory of this head,
// `slot` is
//   position % 16. Values beyond the range of F16 are stored as its largest.
//
// attendChunk: the part of chunk `chunk` (counted from position 0) for `rows` query heads that share the key/value
// head,
//   all at `position`. Row r's query is at queries + r * headSize, its part is written to parts + r * partStride
//   (floats, attentionPartFloats() each). The chunk must hold a visible position. Decode: items (head, chunk) go to
//   threads.
//
// mergeParts: y (headSize floats) = attention of one row from its `count` parts, in order of chunks, at parts,
//   parts + partStride, ... `sink` is a score that takes its share of the softmax without a value (kNoSink: none).
//
// attendQueries: all of it for prefill; items (key/value head, 16 positions or so) go to threads, the last ones first
// as they
//   are the longest. The same bits as attendChunk and mergeParts.

} // namespace kvasir::cpu
