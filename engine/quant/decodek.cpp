#include "base/half.h"
#include "quant/decode.h"

// The K formats: 256 values in groups whose own small scales are multiplied by the block's.

namespace kvasir {

void decodeBlock(const BlockQ2_K& block, float* target)
{
    const float scale = halfToFloat(block.scale);
    const float min = halfToFloat(block.min);
    for (int group = 0; group < 16; ++group) {
        const float groupScale = scale * static_cast<float>(block.groupScales[group] & 15);
        const float groupMin = min * static_cast<float>(block.groupScales[group] >> 4);
        const uint8_t* quants = block.quants + group / 8 * 32 + group % 2 * 16;
        const int shift = group % 8 / 2 * 2;
        for (int j = 0; j < 16; ++j) {
            *target++ = groupScale * static_cast<float>(quants[j] >> shift & 3) - groupMin;
        }
    }
}

void decodeBlock(const BlockQ3_K& block, float* target)
{
    const float scale = halfToFloat(block.scale);
    for (int group = 0; group < 16; ++group) {
        const float groupScale = scale * static_cast<float>(q3GroupScale(block.groupScales, group));
        const uint8_t* quants = block.quants + group / 8 * 32 + group % 2 * 16;
        const uint8_t* highMask = block.highMask + group % 2 * 16;
        const int shift = group % 8 / 2 * 2;
        for (int j = 0; j < 16; ++j) {
            const int high = highMask[j] >> (group / 2) & 1;
            *target++ = groupScale * static_cast<float>((quants[j] >> shift & 3) + 4 * high - 4);
        }
    }
}

void decodeBlock(const BlockQ4_K& block, float* target)
{
    const float scale = halfToFloat(block.scale);
    const float min = halfToFloat(block.min);
    for (int group = 0; group < 8; ++group) {
        const GroupScale own = q4GroupScale(block.groupScales, group);
        const float groupScale = scale * static_cast<float>(own.scale);
        const float groupMin = min * static_cast<float>(own.min);
        const uint8_t* nibbles = block.nibbles + group / 2 * 32;
        const int shift = group % 2 * 4;
        for (int j = 0; j < 32; ++j) {
            *target++ = groupScale * static_cast<float>(nibbles[j] >> shift & 15) - groupMin;
        }
    }
}

void decodeBlock(const BlockQ5_K& block, float* target)
{
    const float scale = halfToFloat(block.scale);
    const float min = halfToFloat(block.min);
    for (int group = 0; group < 8; ++group) {
        const GroupScale own = q4GroupScale(block.groupScales, group);
        const float groupScale = scale * static_cast<float>(own.scale);
        const float groupMin = min * static_cast<float>(own.min);
        const uint8_t* nibbles = block.nibbles + group / 2 * 32;
        const int shift = group % 2 * 4;
        for (int j = 0; j < 32; ++j) {
            const int high = block.high[j] >> group & 1;
            *target++ = groupScale * static_cast<float>((nibbles[j] >> shift & 15) + 16 * high) - groupMin;
        }
    }
}

void decodeBlock(const BlockQ6_K& block, float* target)
{
    const float scale = halfToFloat(block.scale);
    for (int group = 0; group < 16; ++group) {
        const float groupScale = scale * static_cast<float>(block.groupScales[group]);
        const int half = group / 8;
        const int quarter = group % 8 / 2; // 32 values each
        const uint8_t* nibbles = block.nibbles + half * 64 + quarter % 2 * 32 + group % 2 * 16;
        const uint8_t* high = block.high + half * 32 + group % 2 * 16;
        for (int j = 0; j < 16; ++j) {
            const int low = nibbles[j] >> (quarter / 2 * 4) & 15;
            const int upper = high[j] >> (quarter * 2) & 3;
            *target++ = groupScale * static_cast<float>((low | upper << 4) - 32);
        }
    }
}

} // namespace kvasir
