#include "quant/encode.h"

#include "base/half.h"
#include "quant/blocks.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace kvasir {

namespace {

template <uint16_t (*convert)(float)> void encodeHalves(const float* source, std::byte* target, size_t columns)
{
    for (size_t i = 0; i < columns; ++i) {
        const uint16_t bits = convert(source[i]);
        std::memcpy(target + i * sizeof bits, &bits, sizeof bits);
    }
}

void encodeQ8_0(const float* source, std::byte* target, size_t columns)
{
    for (size_t i = 0; i < columns; i += BlockQ8_0::kValues) {
        float largest = 0;
        for (size_t j = 0; j < BlockQ8_0::kValues; ++j) {
            largest = std::max(largest, std::abs(source[i + j]));
        }
        const float scale = largest / 127.0f;
        const float inverse = scale != 0 ? 1.0f / scale : 0.0f;
        BlockQ8_0 block;
        block.scale = floatToHalf(scale);
        for (size_t j = 0; j < BlockQ8_0::kValues; ++j) {
            const float value = std::round(source[i + j] * inverse);
            // False for NaN as well: converting that, or what does not fit, would be undefined.
            block.values[j] = std::abs(value) <= 127.0f ? static_cast<int8_t>(value) : int8_t(0);
        }
        std::memcpy(target, &block, sizeof block);
        target += sizeof block;
    }
}

} // namespace

bool canEncode(TensorType type)
{
    return type == TensorType::F32 || type == TensorType::F16 || type == TensorType::BF16 || type == TensorType::Q8_0;
}

void encodeRow(TensorType type, const float* source, std::byte* target, size_t columns)
{
    switch (type) {
    case TensorType::F32:
        std::memcpy(target, source, columns * sizeof(float));
        break;
    case TensorType::F16:
        encodeHalves<floatToHalf>(source, target, columns);
        break;
    case TensorType::BF16:
        encodeHalves<floatToBfloat>(source, target, columns);
        break;
    case TensorType::Q8_0:
        encodeQ8_0(source, target, columns);
        break;
    default:
        break;
    }
}

} // namespace kvasir
