#pragma once

#include "base/result.h"
#include "model/rope.h"
#include "model/traits.h"
#include "quant/tensortype.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kvasir {

class ModelFile;
struct StoredTensor;

/// What differs between the layers of one model.
struct LayerConfig {
    int window = 0; ///< positions that a row sees, its own included; 0: all
    int rope = 0;   ///< index into ModelConfig::ropes; -1: no rotation
};

/// The numbers of a model, read from a file and checked against each other and against the tensors' shapes.
struct ModelConfig {
    const ArchitectureTraits* traits = nullptr;
    std::string architecture;
    std::string name; ///< general.name; may be empty
    int vocabulary = 0;
    int width = 0; ///< of the residual stream ("embedding length")
    int layers = 0;
    int heads = 0;
    int kvHeads = 0;
    int headSize = 0;
    int feedForward = 0; ///< of an expert, where there are experts
    int experts = 0;     ///< 0: one feed-forward for all
    int expertsPerRow = 0;
    int trainedContext = 0; ///< bounded by kMaxContext
    float epsilon = 0;
    float attentionScale = 0;   ///< scores are multiplied by it
    float attentionSoftCap = 0; ///< 0: none
    float finalSoftCap = 0;     ///< 0: none
    float embeddingScale = 1;
    float residualScale = 1;
    float logitScale = 1;
    bool tiedHead = false;
    std::vector<RopeParameters> ropes; ///< [0] of ordinary layers, [1] of windowed ones where they have their own
    /// Takes the place of ropes[0] where a session's context is longer than `originalContext`; dimensions 0: none.
    RopeParameters longRope;
    int originalContext = 0;
    cpu::RopeStyle ropeStyle = cpu::RopeStyle::Halves; ///< of the architecture, unless the file's Q and K are otherwise
    std::vector<LayerConfig> layer;
    uint64_t parameters = 0;

    int queryWidth() const { return heads * headSize; }
    int kvWidth() const { return kvHeads * headSize; }
};

/// Longest context that is believed: positions stay exact in float.
inline constexpr int kMaxContext = 1 << 24;

/// Reads and checks everything but the weights themselves: keys, ranges, and that exactly the tensors of the
/// architecture are there in the right shapes. Nothing is allocated beyond the result.
/// Errors: Unsupported (architecture, feature or tensor, by name), MissingMetadata, MissingTensor, Malformed.
Result<ModelConfig> readModelConfig(const ModelFile& file);

} // namespace kvasir
