#pragma once

#include "quant/tensortype.h"

#include <array>
#include <optional>
#include <string_view>

namespace kvasir {

/// What matrices are held as. Vectors (norms, biases) are floats in each.
enum class WeightsPrecision {
    AsStored,
    Fp32,
    Fp16,
    Int8,        ///< groups of 32 with an FP16 scale: Q8_0
    Int4,        ///< groups of 32 with an FP16 scale and minimum fitted by least squares: Q4_1
    Int4Nearest, ///< the same with scale and minimum from the group's range: what fitting is compared with
};

/// What keys or values are held as in the cache. The integers have a scale (Int4: and a minimum) a token and head.
enum class KvPrecision { Fp32, Fp16, Int8, Int4 };

inline constexpr std::array kWeightsPrecisions{WeightsPrecision::AsStored, WeightsPrecision::Fp32,
    WeightsPrecision::Fp16, WeightsPrecision::Int8, WeightsPrecision::Int4, WeightsPrecision::Int4Nearest};
inline constexpr std::array kKvPrecisions{
    KvPrecision::Fp32, KvPrecision::Fp16, KvPrecision::Int8, KvPrecision::Int4};

/// "as-stored", "fp32", "fp16", "int8", "int4", "int4-nearest": as options and files name them.
std::string_view precisionName(WeightsPrecision precision);
std::string_view precisionName(KvPrecision precision);
/// Nothing where there is no precision of this name.
std::optional<WeightsPrecision> weightsPrecision(std::string_view name);
std::optional<KvPrecision> kvPrecision(std::string_view name);

/// What a matrix is for decides how far it may be rounded.
enum class MatrixRole {
    Body,
    Vocabulary, ///< embedding and head: INT4 would cost more there than it saves
    Router,     ///< of experts: small, and a wrong choice costs most
};

/// The type that a matrix of `columns` columns stored as `stored` is converted to. It is never given more bits by an
/// integer precision, which would only cost memory: what is as small already stays as stored. A row that groups of 32
/// do not fill becomes F16.
TensorType targetType(WeightsPrecision precision, MatrixRole role, TensorType stored, uint64_t columns);

/// Of a value of this type, scales included: 4.5 for Q4_0.
double bitsPerWeight(TensorType type);

} // namespace kvasir
