#pragma once

#include <cstddef>
#include <cstdint>

namespace kvasir {

// The blocks of the stored formats, byte for byte as in the file. Scales named `scale`, `min` and the like are binary16
// (base/half.h) unless said otherwise. "Half a block apart" means: the low nibble of byte j is value j, the high nibble
// is value j + 16.

inline constexpr size_t kSmallBlock = 32;  ///< values in a block of the simple formats
inline constexpr size_t kSuperBlock = 256; ///< values in a block of the K, IQ4_XS and ternary formats

/// x = scale * (q - 8), nibbles half a block apart.
struct BlockQ4_0 {
    static constexpr size_t kValues = kSmallBlock;
    uint16_t scale;
    uint8_t nibbles[16];
};

/// x = scale * q + min, nibbles half a block apart.
struct BlockQ4_1 {
    static constexpr size_t kValues = kSmallBlock;
    uint16_t scale;
    uint16_t min;
    uint8_t nibbles[16];
};

/// x = scale * (q - 16); bit i of `high` (little-endian) is bit 4 of value i.
struct BlockQ5_0 {
    static constexpr size_t kValues = kSmallBlock;
    uint16_t scale;
    uint8_t high[4];
    uint8_t nibbles[16];
};

/// x = scale * q + min; bits as in BlockQ5_0.
struct BlockQ5_1 {
    static constexpr size_t kValues = kSmallBlock;
    uint16_t scale;
    uint16_t min;
    uint8_t high[4];
    uint8_t nibbles[16];
};

/// x = scale * q.
struct BlockQ8_0 {
    static constexpr size_t kValues = kSmallBlock;
    uint16_t scale;
    int8_t values[32];
};

/// 16 groups of 16: x = scale * (s & 15) * q - min * (s >> 4) with q of 2 bits.
/// Value i: byte i / 128 * 32 + i % 32 of `quants`, bits 2 * (i % 128 / 32).
struct BlockQ2_K {
    static constexpr size_t kValues = kSuperBlock;
    uint8_t groupScales[16];
    uint8_t quants[64];
    uint16_t scale;
    uint16_t min;
};

/// 16 groups of 16: x = scale * (s - 32) * (q - 4) with s of 6 and q of 3 bits; the low 2 bits of q lie as in
/// BlockQ2_K, the third of value i is bit i / 32 of highMask[i % 32].
struct BlockQ3_K {
    static constexpr size_t kValues = kSuperBlock;
    uint8_t highMask[32];
    uint8_t quants[64];
    uint8_t groupScales[12]; ///< 16 times 6 bits: see q3GroupScale()
    uint16_t scale;
};

/// 8 groups of 32: x = scale * s * q - min * m with s, m of 6 bits (q4GroupScale()) and q of 4.
/// Value i: byte i / 64 * 32 + i % 32, low nibble for the first 32 of each 64, high for the others.
struct BlockQ4_K {
    static constexpr size_t kValues = kSuperBlock;
    uint16_t scale;
    uint16_t min;
    uint8_t groupScales[12];
    uint8_t nibbles[128];
};

/// As BlockQ4_K with a fifth bit: bit i / 32 of high[i % 32].
struct BlockQ5_K {
    static constexpr size_t kValues = kSuperBlock;
    uint16_t scale;
    uint16_t min;
    uint8_t groupScales[12];
    uint8_t high[32];
    uint8_t nibbles[128];
};

/// 16 groups of 16: x = scale * s * (q - 32) with q of 6 bits. In each half of 128, value i has its low nibble in byte
/// i % 64 of the half's 64 (high nibble from i = 64 on) and its high bits at 2 * (i / 32) of byte i % 32 of the
/// half's 32.
struct BlockQ6_K {
    static constexpr size_t kValues = kSuperBlock;
    uint8_t nibbles[128];
    uint8_t high[64];
    int8_t groupScales[16];
    uint16_t scale;
};

/// x = scale * table[q], nibbles half a block apart.
struct BlockIQ4_NL {
    static constexpr size_t kValues = kSmallBlock;
    uint16_t scale;
    uint8_t nibbles[16];
};

/// 8 groups of 32 laid out as BlockIQ4_NL: x = scale * (s - 32) * table[q]; of s, the low 4 bits are nibble g of
/// scalesLow, the high 2 are at 2 * g of scalesHigh.
struct BlockIQ4_XS {
    static constexpr size_t kValues = kSuperBlock;
    uint16_t scale;
    uint16_t scalesHigh;
    uint8_t scalesLow[4];
    uint8_t nibbles[128];
};

/// x = 2^(exponent - 127) * e2m1, nibbles half a block apart (OCP Microscaling Formats 1.0).
struct BlockMXFP4 {
    static constexpr size_t kValues = kSmallBlock;
    uint8_t exponent;
    uint8_t nibbles[16];
};

/// x = scale * (t - 1) with five base-3 digits t a byte, stored as a fraction of 256 (`quants`), four in `rest`: see
/// ternaryDigit().
struct BlockTQ1_0 {
    static constexpr size_t kValues = kSuperBlock;
    uint8_t quants[48];
    uint8_t rest[4];
    uint16_t scale;
};

/// x = scale * (q - 1) with q of 2 bits, laid out as in BlockQ2_K.
struct BlockTQ2_0 {
    static constexpr size_t kValues = kSuperBlock;
    uint8_t quants[64];
    uint16_t scale;
};

static_assert(sizeof(BlockQ4_0) == 18 && sizeof(BlockQ4_1) == 20 && sizeof(BlockQ5_0) == 22 && sizeof(BlockQ5_1) == 24);
static_assert(sizeof(BlockQ8_0) == 34 && sizeof(BlockIQ4_NL) == 18 && sizeof(BlockMXFP4) == 17);
static_assert(sizeof(BlockQ2_K) == 84 && sizeof(BlockQ3_K) == 110 && sizeof(BlockQ4_K) == 144);
static_assert(sizeof(BlockQ5_K) == 176 && sizeof(BlockQ6_K) == 210 && sizeof(BlockIQ4_XS) == 136);
static_assert(sizeof(BlockTQ1_0) == 54 && sizeof(BlockTQ2_0) == 66);

/// What IQ4_NL and IQ4_XS nibbles stand for.
inline constexpr int8_t kIq4Values[16] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
/// Twice what MXFP4 nibbles (sign, 2 bits of exponent, 1 of mantissa) stand for.
inline constexpr int8_t kMxfp4Doubled[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

/// Digit t of value `index` (0 to 255) of a block: value i has digit i / 32 of byte i % 32 up to 160, then digit
/// (i - 160) / 16 of byte 32 + i % 16 up to 240, then digit (i - 240) / 4 of `rest`. Digit 0 is the most significant;
/// fractions are rounded up.
inline int ternaryDigit(const BlockTQ1_0& block, int index)
{
    constexpr uint8_t kPowers[5] = {1, 3, 9, 27, 81};
    const uint8_t fraction = index < 160 ? block.quants[index % 32]
        : index < 240                    ? block.quants[32 + index % 16]
                                         : block.rest[index % 4];
    const int place = index < 160 ? index / 32 : index < 240 ? (index - 160) / 16 : (index - 240) / 4;
    return static_cast<uint8_t>(fraction * kPowers[place]) * 3 >> 8;
}

struct GroupScale {
    uint8_t scale; ///< 6 bits
    uint8_t min;   ///< 6 bits
};

/// Scale and minimum of group 0 to 7 of a Q4_K or Q5_K block: groups 0 to 3 have six bits of bytes g and g + 4; those
/// of groups 4 to 7 are the nibbles of byte g + 4, topped by the two bits that bytes g - 4 and g have left.
inline GroupScale q4GroupScale(const uint8_t scales[12], int group)
{
    if (group < 4) {
        return {uint8_t(scales[group] & 63), uint8_t(scales[group + 4] & 63)};
    }
    return {uint8_t((scales[group + 4] & 15) | (scales[group - 4] >> 6 << 4)),
        uint8_t((scales[group + 4] >> 4) | (scales[group] >> 6 << 4))};
}

/// Scale of group 0 to 15 of a Q3_K block, -32 to 31: the low four bits are nibble g / 8 of byte g % 8, the high two
/// bits g / 4 of byte 8 + g % 4.
inline int q3GroupScale(const uint8_t scales[12], int group)
{
    const int low = scales[group % 8] >> (group / 8 * 4) & 15;
    const int high = scales[8 + group % 4] >> (group / 4 * 2) & 3;
    return (low | high << 4) - 32;
}

} // namespace kvasir
