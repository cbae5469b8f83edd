#pragma once

#include "cpu/attention.h"
#include "cpu/instructionset.h"
#include "cpu/packedmatrix.h"

#include <cstddef>
#include <cstdint>

namespace kvasir::cpu {

/// 32 activations as int8: value = d * q. Everything a product needs from one pointer.
struct ActBlock {
    int8_t q[32]; ///< in [-127, 127]
    float d;
    float sum;               ///< d * sum(q), for weights with a minimum
    int32_t negativeSums[2]; ///< -sum(q) of the first and of the last 16, for weights with an offset
};
static_assert(sizeof(ActBlock) == 48);

/// y = W x for `n` activation rows. y[j * yStride + r] is row r of W times activation row j; exactly matrix.rows values
/// a row of y are written (those of the panels asked for).
struct MatmulArguments {
    const PackedMatrix* weights = nullptr;
    const ActBlock* blocks = nullptr; ///< usesInt8Activations(type): row j at blocks + j * columns / 32
    const float* floats = nullptr;    ///< other types: row j at floats + j * floatStride
    size_t floatStride = 0;
    float* y = nullptr;
    size_t yStride = 0;
    int n = 0;
    std::byte* scratch = nullptr; ///< matmulScratchBytes() of this thread's own, aligned to 64; may be null for n <= 4
};

enum class RopeStyle {
    Pairs,  ///< turns (x[2i], x[2i + 1]): Llama as GGUF files store it
    Halves, ///< turns (x[i], x[i + dimensions / 2]): NeoX, Qwen, Gemma
};

/// Gated activations: out = f(gate) * up.
enum class Activation {
    Silu,
    GeluTanh,
    GeluErf,
    ClampedSilu, ///< gpt-oss: g sigmoid(1.702 g) (u + 1) with g = min(gate, 7), u = up within +-7
};

/// The kernels of one instruction set. Every function gives the same bits in all sets. A row's bits depend on that row
/// alone, not on how many rows, panels or threads there are. Only matrices and `scratch` need alignment; sizes may be
/// odd.
struct Kernels {
    InstructionSet set;

    /// Panels [firstPanel, lastPanel) of the product; threads share panels, see panelUnit(). Sums run over columns in
    /// order: per group of 32 acc = fma(sum(code * q), scale * d, acc), then acc = fma(min, sum, acc), each twice where
    /// half groups have their own (Q6_K, Q2_K); for float types acc = fma(w, x, acc) a column.
    void (*matmul)(const MatmulArguments& arguments, int firstPanel, int lastPanel);

    /// n values (a multiple of 32) to n / 32 blocks: d = max|x| / 127, q = round(x / d), ties to even. A value that is
    /// not finite makes its block's d not finite.
    void (*quantize)(const float* x, ActBlock* blocks, int n);

    /// y = x / sqrt(mean(x^2) + epsilon) * weight; `weight` may be null; y may be x.
    void (*rmsNorm)(const float* x, const float* weight, float* y, int n, float epsilon);
    /// y = (x - mean) / sqrt(variance + epsilon) * weight + bias; `bias` may be null; y may be x.
    void (*layerNorm)(const float* x, const float* weight, const float* bias, float* y, int n, float epsilon);

    /// Turns the first `dimensions` (even) values of each of `heads` heads at x, x + headSize, ...; `cosines` and
    /// `sines` hold dimensions / 2 values of the row's position.
    void (*rope)(
        float* x, int heads, int headSize, int dimensions, const float* cosines, const float* sines, RopeStyle style);

    void (*add)(float* y, const float* x, int n);                     ///< y += x
    void (*multiply)(float* y, const float* x, int n);                ///< y *= x
    void (*scale)(float* y, float factor, int n);                     ///< y *= factor
    void (*addScaled)(float* y, const float* x, float factor, int n); ///< y = fma(x, factor, y)
    /// out = f(gate) * up (ClampedSilu: see there); out may be gate or up.
    void (*gated)(Activation activation, const float* gate, const float* up, float* out, int n);
    /// The same from a product with interleaved panels: 16 gates, 16 ups, 16 gates ... `n` outputs; reads
    /// interleavedRows(n) floats. `out` must not overlap.
    void (*gatedInterleaved)(Activation activation, const float* gateUp, float* out, int n);
    /// x = f(x); not ClampedSilu, which has two inputs.
    void (*activate)(Activation activation, float* x, int n);
    /// x = cap * tanh(x / cap).
    void (*softCap)(float* x, float cap, int n);

    float (*maximum)(const float* x, int n); ///< n >= 1; all must be numbers
    /// out = exp(x - shift); returns their sum. out may be x.
    float (*expSum)(const float* x, float shift, float* out, int n);
    float (*dot)(const float* a, const float* b, int n);
    bool (*allFinite)(const float* x, int n); ///< no infinity and no NaN among them

    /// See attention.h.
    void (*storeKv)(const KvHeadLayout& layout, std::byte* head, int slot, const float* key, const float* value);
    void (*attendChunk)(const AttentionShape& shape, const KvView& view, const float* queries, int rows, int position,
        int chunk, float* parts, size_t partStride);
    void (*mergeParts)(
        const AttentionShape& shape, const float* parts, size_t partStride, int count, float sink, float* y);
    void (*attendQueries)(const AttentionShape& shape, const KvView& view, const QueryRows& rows);
};

/// `set` must be available on this CPU.
const Kernels& kernelsFor(InstructionSet set);

/// Bytes of scratch that matmul() needs in each thread for products with `matrix` of more than 4 activation rows.
size_t matmulScratchBytes(const PackedMatrix& matrix);

/// Panels are best shared between threads in multiples of this.
int panelUnit(InstructionSet set, TensorType type, int n);

} // namespace kvasir::cpu
