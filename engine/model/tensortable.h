#pragma once

#include "base/result.h"
#include "model/config.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kvasir {

class ModelFile;
struct StoredTensor;

/// Some rows of a tensor: all of them, one part of a fused projection, or those of one expert.
struct TensorRows {
    const StoredTensor* tensor = nullptr;
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
    const StoredTensor* attentionNorm = nullptr;
    TensorRows query;
    TensorRows key;
    TensorRows value;
    const StoredTensor* queryBias = nullptr;
    const StoredTensor* keyBias = nullptr;
    const StoredTensor* valueBias = nullptr;
    const StoredTensor* queryNorm = nullptr;
    const StoredTensor* keyNorm = nullptr;
    const StoredTensor* output = nullptr;
    const StoredTensor* outputBias = nullptr;
    const StoredTensor* postAttentionNorm = nullptr;
    const StoredTensor* feedForwardNorm = nullptr;
    const StoredTensor* sinks = nullptr;
    const StoredTensor* router = nullptr; ///< null: one feed-forward for all rows
    const StoredTensor* routerBias = nullptr;
    std::vector<FeedForwardTensors> feedForwards; ///< one, or the experts
    const StoredTensor* postFeedForwardNorm = nullptr;
};

/// The tensors outside the layers.
struct ModelTensors {
    const StoredTensor* embedding = nullptr;
    const StoredTensor* outputNorm = nullptr;
    const StoredTensor* head = nullptr; ///< null: the embedding is used
    const StoredTensor* ropeFactors = nullptr;
    const StoredTensor* shortRopeFactors = nullptr;
    const StoredTensor* longRopeFactors = nullptr;
};

/// Finds the tensors of layer `layer`, their shapes checked. Errors: MissingTensor, Malformed.
Result<LayerTensors> findLayerTensors(const ModelFile& file, const ModelConfig& config, int layer);
Result<ModelTensors> findModelTensors(const ModelFile& file, const ModelConfig& config);

/// Refuses a tensor that the architecture, as Kvasir knows it, does not use: ignoring it would give wrong answers.
Result<void> refuseUnusedTensors(const ModelFile& file, const ModelConfig& config);

} // namespace kvasir
