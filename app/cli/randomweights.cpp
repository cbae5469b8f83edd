#include "randomweights.h"

#include "base/half.h"
#include "quant/blocks.h"
#include "quant/encode.h"

#include <algorithm>
#include <cstring>

namespace kvasir::cli {
namespace {

/// Gives every block the scale and, where it has one, the minimum, of a random sign: codes reach further below their
/// offset than above it.
template <class Block> void setScales(std::span<std::byte> target, float scale, float min, uint64_t signs)
{
    for (size_t at = 0; at + sizeof(Block) <= target.size(); at += sizeof(Block)) {
        signs = signs * 6364136223846793005u + 1442695040888963407u; // Knuth's MMIX generator
        const float sign = signs >> 63 ? -1.0f : 1.0f;
        const uint16_t scaleHalf = floatToHalf(sign * scale);
        std::memcpy(target.data() + at + offsetof(Block, scale), &scaleHalf, sizeof scaleHalf);
        if constexpr (requires(Block block) { block.min; }) {
            const uint16_t minHalf = floatToHalf(sign * min);
            std::memcpy(target.data() + at + offsetof(Block, min), &minHalf, sizeof minHalf);
        }
    }
}

// Deviations of uniform codes: sqrt((n^2 - 1) / 12) of n values.
constexpr float kOf4Bits = 4.61f;
constexpr float kOf5Bits = 9.23f;
constexpr float kOf6Bits = 18.5f;
constexpr float kOf8Bits = 73.9f;
/// Root of the mean square of group scales of 6 bits, unsigned, and of 8 bits, signed.
constexpr float kGroupScale = 36.4f;
constexpr float kSignedGroupScale = 73.9f;

} // namespace

uint64_t RandomWeights::next()
{
    m_state ^= m_state >> 12;
    m_state ^= m_state << 25;
    m_state ^= m_state >> 27;
    return m_state * 0x2545f4914f6cdd1du;
}

void RandomWeights::fill(TensorType type, float deviation, std::span<std::byte> target)
{
    if (type == TensorType::F32 || type == TensorType::F16 || type == TensorType::BF16) {
        constexpr size_t kAtOnce = 256;
        constexpr float kRootOf12 = 3.4641f; // a uniform number of width 1 deviates by 1 / sqrt(12)
        const size_t size = rowBytes(type, 1);
        for (size_t at = 0; at < target.size(); at += kAtOnce * size) {
            const size_t count = std::min(kAtOnce, (target.size() - at) / size);
            float values[kAtOnce];
            for (size_t i = 0; i < count; i++) {
                values[i] = (static_cast<float>(next() >> 40) * 0x1p-24f - 0.5f) * kRootOf12 * deviation;
            }
            encodeRow(type, values, target.data() + at, count);
        }
        return;
    }
    for (size_t at = 0; at < target.size(); at += sizeof(uint64_t)) {
        const uint64_t bits = next();
        std::memcpy(target.data() + at, &bits, std::min(sizeof bits, target.size() - at));
    }
    const auto scales = [&]<class Block>(float codes, float middle) {
        const float scale = deviation / codes;
        setScales<Block>(target, scale, middle * scale, next());
    };
    switch (type) {
    case TensorType::Q4_0:
        scales.template operator()<BlockQ4_0>(kOf4Bits, 0);
        break;
    case TensorType::Q4_1:
        scales.template operator()<BlockQ4_1>(kOf4Bits, -7.5f);
        break;
    case TensorType::Q5_0:
        scales.template operator()<BlockQ5_0>(kOf5Bits, 0);
        break;
    case TensorType::Q5_1:
        scales.template operator()<BlockQ5_1>(kOf5Bits, -15.5f);
        break;
    case TensorType::Q8_0:
        scales.template operator()<BlockQ8_0>(kOf8Bits, 0);
        break;
    case TensorType::Q4_K: // the minimum is taken off
        scales.template operator()<BlockQ4_K>(kOf4Bits * kGroupScale, 7.5f);
        break;
    case TensorType::Q5_K:
        scales.template operator()<BlockQ5_K>(kOf5Bits * kGroupScale, 15.5f);
        break;
    case TensorType::Q6_K:
        scales.template operator()<BlockQ6_K>(kOf6Bits * kSignedGroupScale, 0);
        break;
    default:
        break;
    }
}

} // namespace kvasir::cli
