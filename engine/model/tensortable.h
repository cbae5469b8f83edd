#pragma once

#include "base/result.h"
#include "model/config.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kvasir {

class GgufFile;
struct GgufTensor;

/// Some rows of a tensor: all of them, one part of a fused projection, or those of one expert.
struct TensorRows {
    const GgufTensor* tensor = nullptr;
    int first = 0;
    int count = 0;
};

/// A feed-forward: that of a layer, or one of its experts. `tensor` is null where there is none; biases are one row.
struct FeedForwardTensors {
    TensorRows gate;
    TensorRows up;
    TensorRows down;
    TensorRows gateBias;
    TensorRows upBias;
    TensorRows downBias;
};

/// The tensors of one layer; null where the architecture or the file has none.
struct LayerTensors {
    const GgufTensor* attentionNorm = nullptr;
    TensorRows query;
    TensorRows key;
    TensorRows value;
    const GgufTensor* queryBias = nullptr;
    const GgufTensor* keyBias = nullptr;
    const GgufTensor* valueBias = nullptr;
    const GgufTensor* queryNorm = nullptr;
    const GgufTensor* keyNorm = nullptr;
    const GgufTensor* output = nullptr;
    const GgufTensor* outputBias = nullptr;
    const GgufTensor* postAttentionNorm = nullptr;
    const GgufTensor* feedForwardNorm = nullptr;
    const GgufTensor* sinks = nullptr;
    const GgufTensor* router = nullptr; ///< null: one feed-forward for all rows
    const GgufTensor* routerBias = nullptr;
    std::vector<FeedForwardTensors> feedForwards; ///< one, or the experts
    const GgufTensor* postFeedForwardNorm = nullptr;
};

/// The tensors outside the layers.
struct ModelTensors {
    const GgufTensor* embedding = nullptr;
    const GgufTensor* outputNorm = nullptr;
    const GgufTensor* head = nullptr; ///< null: the embedding is used
    const GgufTensor* ropeFactors = nullptr;
    const GgufTensor* shortRopeFactors = nullptr;
    const GgufTensor* longRopeFactors = nullptr;
};

/// Finds the tensors of layer `layer`, their shapes checked. Errors: MissingTensor, Malformed.
Result<LayerTensors> findLayerTensors(const GgufFile& file, const ModelConfig& config, int layer);
Result<ModelTensors> findModelTensors(const GgufFile& file, const ModelConfig& config);

/// Refuses a tensor that the architecture, as Kvasir knows it, does not use: ignoring it would give wrong answers.
Result<void> refuseUnusedTensors(const GgufFile& file, const ModelConfig& config);

} // namespace kvasir
