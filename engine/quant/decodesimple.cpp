#include "base/half.h"
#include "quant/decode.h"

// Formats with one scale for 32 values.

namespace kvasir {

namespace {

uint32_t highBits(const uint8_t high[4])
{
    return high[0] | uint32_t(high[1]) << 8 | uint32_t(high[2]) << 16 | uint32_t(high[3]) << 24;
}

} // namespace

void decodeBlock(const BlockQ4_0& block, float* target)
{
    const float scale = halfToFloat(block.scale);
    for (int j = 0; j < 16; ++j) {
        target[j] = static_cast<float>((block.nibbles[j] & 15) - 8) * scale;
        target[j + 16] = static_cast<float>((block.nibbles[j] >> 4) - 8) * scale;
    }
}

void decodeBlock(const BlockQ4_1& block, float* target)
{
    const float scale = halfToFloat(block.scale);
    const float min = halfToFloat(block.min);
    for (int j = 0; j < 16; ++j) {
        target[j] = static_cast<float>(block.nibbles[j] & 15) * scale + min;
        target[j + 16] = static_cast<float>(block.nibbles[j] >> 4) * scale + min;
    }
}

void decodeBlock(const BlockQ5_0& block, float* target)
{
    const float scale = halfToFloat(block.scale);
    const uint32_t high = highBits(block.high);
    for (int j = 0; j < 16; ++j) {
        const int low = (block.nibbles[j] & 15) | int(high >> j & 1) << 4;
        const int upper = block.nibbles[j] >> 4 | int(high >> (j + 16) & 1) << 4;
        target[j] = static_cast<float>(low - 16) * scale;
        target[j + 16] = static_cast<float>(upper - 16) * scale;
    }
}

void decodeBlock(const BlockQ5_1& block, float* target)
{
    const float scale = halfToFloat(block.scale);
    const float min = halfToFloat(block.min);
    const uint32_t high = highBits(block.high);
    for (int j = 0; j < 16; ++j) {
        const int low = (block.nibbles[j] & 15) | int(high >> j & 1) << 4;
        const int upper = block.nibbles[j] >> 4 | int(high >> (j + 16) & 1) << 4;
        target[j] = static_cast<float>(low) * scale + min;
        target[j + 16] = static_cast<float>(upper) * scale + min;
    }
}

void decodeBlock(const BlockQ8_0& block, float* target)
{
    const float scale = halfToFloat(block.scale);
    for (int j = 0; j < 32; ++j) {
        target[j] = static_cast<float>(block.values[j]) * scale;
    }
}

} // namespace kvasir
