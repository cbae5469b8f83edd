#include "quant/precision.h"

namespace kvasir {

namespace {

template <class Precision, size_t N>
std::optional<Precision> named(const std::array<Precision, N>& all, std::string_view name)
{
    for (const Precision precision : all) {
        if (precisionName(precision) == name) {
            return precision;
        }
    }
    return std::nullopt;
}

} // namespace

std::string_view precisionName(WeightsPrecision precision)
{
    switch (precision) {
    case WeightsPrecision::AsStored:
        return "as-stored";
    case WeightsPrecision::Fp32:
        return "fp32";
    case WeightsPrecision::Fp16:
        return "fp16";
    case WeightsPrecision::Int8:
        return "int8";
    case WeightsPrecision::Int4:
        return "int4";
    case WeightsPrecision::Int4Nearest:
        return "int4-nearest";
    }
    return {};
}

std::string_view precisionName(KvPrecision precision)
{
    switch (precision) {
    case KvPrecision::Fp32:
        return "fp32";
    case KvPrecision::Fp16:
        return "fp16";
    case KvPrecision::Int8:
        return "int8";
    case KvPrecision::Int4:
        return "int4";
    }
    return {};
}

std::optional<WeightsPrecision> weightsPrecision(std::string_view name)
{
    return named(kWeightsPrecisions, name);
}

std::optional<KvPrecision> kvPrecision(std::string_view name)
{
    return named(kKvPrecisions, name);
}

TensorType targetType(WeightsPrecision precision, MatrixRole role, TensorType stored, uint64_t columns)
{
    TensorType target = stored;
    switch (precision) {
    case WeightsPrecision::AsStored:
        return stored;
    case WeightsPrecision::Fp32:
        return TensorType::F32;
    case WeightsPrecision::Fp16:
        return TensorType::F16;
    case WeightsPrecision::Int8:
        target = TensorType::Q8_0;
        break;
    case WeightsPrecision::Int4:
    case WeightsPrecision::Int4Nearest:
        target = role == MatrixRole::Vocabulary ? TensorType::Q8_0 : TensorType::Q4_1;
        break;
    }
    if (role == MatrixRole::Router) {
        return stored;
    }
    if (columns % blockShape(target).values != 0) {
        target = TensorType::F16;
    }
    return bitsPerWeight(stored) <= bitsPerWeight(target) ? stored : target;
}

double bitsPerWeight(TensorType type)
{
    const BlockShape shape = blockShape(type);
    return 8.0 * shape.bytes / shape.values;
}

} // namespace kvasir
