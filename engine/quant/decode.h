#pragma once

#include "quant/blocks.h"

#include <cstring>

namespace kvasir {

// One block each into Block::kValues floats, with the same operations in the same order as ggml's reference decoders.
void decodeBlock(const BlockQ4_0& block, float* target);
void decodeBlock(const BlockQ4_1& block, float* target);
void decodeBlock(const BlockQ5_0& block, float* target);
void decodeBlock(const BlockQ5_1& block, float* target);
void decodeBlock(const BlockQ8_0& block, float* target);
void decodeBlock(const BlockQ2_K& block, float* target);
void decodeBlock(const BlockQ3_K& block, float* target);
void decodeBlock(const BlockQ4_K& block, float* target);
void decodeBlock(const BlockQ5_K& block, float* target);
void decodeBlock(const BlockQ6_K& block, float* target);
void decodeBlock(const BlockIQ4_NL& block, float* target);
void decodeBlock(const BlockIQ4_XS& block, float* target);
void decodeBlock(const BlockMXFP4& block, float* target);
void decodeBlock(const BlockTQ1_0& block, float* target);
void decodeBlock(const BlockTQ2_0& block, float* target);

template <class Block> void decodeBlocks(const std::byte* source, float* target, size_t columns)
{
    for (size_t i = 0; i < columns; i += Block::kValues) {
        Block block;
        std::memcpy(&block, source, sizeof block);
        decodeBlock(block, target + i);
        source += sizeof block;
    }
}

} // namespace kvasir
