#pragma once

#include <bit>
#include <cstdint>

namespace kvasir {

/// IEEE 754 binary16 to binary32; exact for every finite value, subnormals included.
inline float halfToFloat(uint16_t half)
{
    const uint32_t sign = static_cast<uint32_t>(half & 0x8000u) << 16;
    const uint32_t exponent = (half >> 10) & 31u;
    const uint32_t mantissa = half & 0x3ffu;
    if (exponent == 31) {
        return std::bit_cast<float>(sign | 0x7f800000u | mantissa << 13);
    }
    if (exponent == 0) {
        const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
        return std::bit_cast<float>(std::bit_cast<uint32_t>(magnitude) | sign);
    }
    return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
}

/// Rounds to nearest, ties to even, as VCVTPS2PH does; overflow becomes infinity, a NaN stays a quiet NaN.
inline uint16_t floatToHalf(float value)
{
    const uint32_t bits = std::bit_cast<uint32_t>(value);
    const auto sign = static_cast<uint16_t>(bits >> 16 & 0x8000u);
    const uint32_t magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) {
        return static_cast<uint16_t>(sign | 0x7e00u | (magnitude >> 13 & 0x1ffu));
    }
    if (magnitude >= 0x477ff000u) { // rounds to 65536 or more
        return static_cast<uint16_t>(sign | 0x7c00u);
    }
    if (magnitude < 0x38800000u) { // subnormal result: adding 0.5 lets the FPU round at bit 2^-24
        const float rounded = std::bit_cast<float>(magnitude) + 0.5f;
        return static_cast<uint16_t>(sign | (std::bit_cast<uint32_t>(rounded) & 0x7ffu));
    }
    const uint32_t odd = magnitude >> 13 & 1u;
    return static_cast<uint16_t>(sign | ((magnitude - 0x38000000u + 0xfffu + odd) >> 13));
}

inline float bfloatToFloat(uint16_t bfloat)
{
    return std::bit_cast<float>(static_cast<uint32_t>(bfloat) << 16);
}

/// Rounds to nearest, ties to even.
inline uint16_t floatToBfloat(float value)
{
    const uint32_t bits = std::bit_cast<uint32_t>(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u) {
        return static_cast<uint16_t>(bits >> 16 | 0x40u);
    }
    return static_cast<uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

} // namespace kvasir
