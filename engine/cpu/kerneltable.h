#pragma once

// All kernels in the vocabulary of one instruction set: see simd.h.

#include "cpu/attentionkernels.h"
#include "cpu/matmulkernels.h"
#include "cpu/rowkernels.h"

namespace kvasir::cpu {
namespace {

inline constexpr Kernels kernelTable(InstructionSet set)
{
    return {
        .set = set,
        .matmul = matmul,
        .quantize = quantize,
        .rmsNorm = rmsNorm,
        .layerNorm = layerNorm,
        .rope = rope,
        .add = addTo,
        .multiply = multiplyBy,
        .scale = scaleBy,
        .addScaled = addScaled,
        .gated = gated,
        .gatedInterleaved = gatedInterleaved,
        .activate = activate,
        .softCap = softCap,
        .maximum = maximum,
        .expSum = expSum,
        .dot = dot,
        .allFinite = allFinite,
        .storeKv = storeKv,
        .attendChunk = attendChunk,
        .mergeParts = mergeParts,
        .attendQueries = attendQueries,
    };
}

} // namespace
} // namespace kvasir::cpu
