#include "model/workspace.h"

#include <algorithm>

namespace kvasir {

namespace {

/// Softmax states beyond one row are only kept up to here; further rows are then worked out head by head.
constexpr size_t kPartBytes = size_t{4} << 20;

size_t largestScratch(const Weights& weights)
{
    size_t bytes = cpu::matmulScratchBytes(weights.head());
    for (const LayerWeights& layer : weights.layers()) {
        Weights::forEachMatrix(
            layer, [&](const cpu::PackedMatrix& matrix) { bytes = std::max(bytes, cpu::matmulScratchBytes(matrix)); });
    }
    return bytes;
}

RowBuffers takeRows(Arena& arena, size_t rows, size_t width, size_t queryWidth)
{
    RowBuffers buffers;
    buffers.x = arena.take<float>(rows * width);
    buffers.normed = arena.take<float>(rows * width);
    buffers.normedBlocks = arena.take<cpu::ActBlock>(rows * (width / cpu::kGroupColumns));
    buffers.attention = arena.take<float>(rows * queryWidth);
    buffers.attentionBlocks = arena.take<cpu::ActBlock>(rows * (queryWidth / cpu::kGroupColumns));
    buffers.spare = arena.take<float>(width);
    return buffers;
}

} // namespace

Result<Workspace> Workspace::allocate(const ModelConfig& config, const Weights& weights,
    const cpu::KvHeadLayout& kvLayout, const Sizes& sizes, MemoryLedger& ledger)
{
    Workspace space;
    Arena activations;
    Arena scratch;
    space.layOut(config, weights, kvLayout, sizes, activations, scratch);
    auto activationMemory = TrackedBuffer::allocate(ledger, MemoryTag::Activations, activations.used());
    KVASIR_TRY(activationMemory);
    auto scratchMemory = TrackedBuffer::allocate(ledger, MemoryTag::Scratch, scratch.used());
    KVASIR_TRY(scratchMemory);
    auto logitMemory = TrackedBuffer::allocate(ledger, MemoryTag::Logits,
        static_cast<size_t>(sizes.logitRows) * static_cast<size_t>(config.vocabulary) * sizeof(float));
    KVASIR_TRY(logitMemory);
    space.m_activations = *std::move(activationMemory);
    space.m_scratch = *std::move(scratchMemory);
    space.m_logits = *std::move(logitMemory);
    space.logits = space.m_logits.as<float>();
    activations = Arena(space.m_activations.data());
    scratch = Arena(space.m_scratch.data());
    space.layOut(config, weights, kvLayout, sizes, activations, scratch);
    return space;
}

void Workspace::layOut(const ModelConfig& config, const Weights& weights, const cpu::KvHeadLayout& kvLayout,
    const Sizes& sizes, Arena& activations, Arena& scratch)
{
    const auto rows = static_cast<size_t>(sizes.rows);
    const auto width = static_cast<size_t>(config.width);
    const auto queryWidth = static_cast<size_t>(config.queryWidth());
    const auto wide = static_cast<size_t>(config.feedForward);
    qkvStride = config.queryWidth() + 2 * config.kvWidth();
    gateUpStride = std::max(2 * config.feedForward, cpu::interleavedRows(config.feedForward));

    shared = takeRows(activations, rows, width, queryWidth);
    qkv = activations.take<float>(rows * static_cast<size_t>(qkvStride));
    projected = activations.take<float>(rows * width);
    const size_t slots = config.experts > 0 ? rows * static_cast<size_t>(config.expertsPerRow) : rows;
    gateUp = activations.take<float>(slots * static_cast<size_t>(gateUpStride));
    gated = activations.take<float>(slots * wide);
    gatedBlocks = activations.take<cpu::ActBlock>(slots * (wide / cpu::kGroupColumns));
    if (config.experts > 0) {
        experts.routerLogits = activations.take<float>(rows * static_cast<size_t>(config.experts));
        experts.ids = activations.take<int>(slots);
        experts.shares = activations.take<float>(slots);
        experts.inputs = activations.take<float>(slots * width);
        experts.inputBlocks = activations.take<cpu::ActBlock>(slots * (width / cpu::kGroupColumns));
        experts.outputs = activations.take<float>(slots * width);
    }

    cosines.clear();
    sines.clear();
    for (const RopeParameters& rope : config.ropes) {
        cosines.push_back(scratch.take<float>(rows * static_cast<size_t>(rope.dimensions / 2)));
        sines.push_back(scratch.take<float>(rows * static_cast<size_t>(rope.dimensions / 2)));
    }
    const auto partFloats = static_cast<size_t>(cpu::attentionPartFloats(kvLayout));
    const auto chunks = static_cast<size_t>(sizes.context / cpu::kAttentionChunk + 1);
    const size_t oneRow = static_cast<size_t>(config.heads) * chunks;
    const size_t fitting = std::min(rows, kPartBytes / (oneRow * partFloats * sizeof(float)));
    partCount = static_cast<int>(oneRow * std::max<size_t>(fitting, 1));
    parts = scratch.take<float>(static_cast<size_t>(partCount) * partFloats);
    const size_t matmulBytes = largestScratch(weights);
    own.resize(static_cast<size_t>(sizes.threads));
    matmulScratch.resize(own.size());
    for (size_t i = 0; i < own.size(); ++i) {
        own[i] = takeRows(scratch, kPrivateRows, width, queryWidth);
        matmulScratch[i] = scratch.take<std::byte>(matmulBytes);
    }
}

} // namespace kvasir
