#include "base/half.h"
#include "quant/decode.h"

#include <bit>

// Formats whose codes are looked up in a table, and ternary ones.

namespace kvasir {

namespace {

void decodeTable(const uint8_t nibbles[16], const int8_t table[16], float scale, float* target)
{
    for (int j = 0; j < 16; ++j) {
        target[j] = scale * static_cast<float>(table[nibbles[j] & 15]);
        target[j + 16] = scale * static_cast<float>(table[nibbles[j] >> 4]);
    }
}

/// 2^(exponent - 128): half the scale, as the table holds doubled values. 0 and 1 give subnormals.
float halvedScale(uint8_t exponent)
{
    return std::bit_cast<float>(exponent < 2 ? 0x00200000u << exponent : uint32_t(exponent - 1) << 23);
}

} // namespace

void decodeBlock(const BlockIQ4_NL& block, float* target)
{
    decodeTable(block.nibbles, kIq4Values, halfToFloat(block.scale), target);
}

void decodeBlock(const BlockIQ4_XS& block, float* target)
{
    const float scale = halfToFloat(block.scale);
    for (int group = 0; group < 8; ++group) {
        const int low = block.scalesLow[group / 2] >> (group % 2 * 4) & 15;
        const int high = block.scalesHigh >> (group * 2) & 3;
        const float groupScale = scale * static_cast<float>((low | high << 4) - 32);
        decodeTable(block.nibbles + group * 16, kIq4Values, groupScale, target + group * 32);
    }
}

void decodeBlock(const BlockMXFP4& block, float* target)
{
    decodeTable(block.nibbles, kMxfp4Doubled, halvedScale(block.exponent), target);
}

void decodeBlock(const BlockTQ1_0& block, float* target)
{
    const float scale = halfToFloat(block.scale);
    for (int i = 0; i < static_cast<int>(kSuperBlock); ++i) {
        target[i] = static_cast<float>(ternaryDigit(block, i) - 1) * scale;
    }
}

void decodeBlock(const BlockTQ2_0& block, float* target)
{
    const float scale = halfToFloat(block.scale);
    for (int group = 0; group < 8; ++group) {
        const uint8_t* quants = block.quants + group / 4 * 32;
        for (int j = 0; j < 32; ++j) {
            *target++ = static_cast<float>((quants[j] >> (group % 4 * 2) & 3) - 1) * scale;
        }
    }
}

} // namespace kvasir
