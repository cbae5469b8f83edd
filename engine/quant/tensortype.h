#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace kvasir {

/// Element types of stored tensors. The numbers are GGUF's type codes (ggml's `ggml_type`).
enum class TensorType : uint32_t {
    F32 = 0,
    F16 = 1,
    Q4_0 = 2,
    Q4_1 = 3,
    Q5_0 = 6,
    Q5_1 = 7,
    Q8_0 = 8,
    Q2_K = 10,
    Q3_K = 11,
    Q4_K = 12,
    Q5_K = 13,
    Q6_K = 14,
    IQ4_NL = 20,
    IQ4_XS = 23,
    BF16 = 30,
    TQ1_0 = 34,
    TQ2_0 = 35,
    MXFP4 = 39,
};

/// How a type is stored: `values` elements in `bytes` bytes, along a row.
struct BlockShape {
    uint32_t values;
    uint32_t bytes;
};

/// Nothing where the code is no type that Kvasir decodes.
std::optional<TensorType> tensorTypeFromCode(uint32_t code);
BlockShape blockShape(TensorType type);
/// "Q4_K"; for a code that Kvasir does not decode, its name in the format if known (for error messages), else
/// "unknown".
std::string_view tensorTypeName(TensorType type);

/// Bytes of a row of `columns` values; `columns` must be a multiple of the block.
inline size_t rowBytes(TensorType type, size_t columns)
{
    const BlockShape shape = blockShape(type);
    return columns / shape.values * shape.bytes;
}

/// Decodes `columns` values of `type` from `source` into `target`. Bit-equal to ggml's reference decoders.
/// `columns` must be a multiple of the block; `source` needs no alignment.
void dequantizeRow(TensorType type, const std::byte* source, float* target, size_t columns);

} // namespace kvasir
