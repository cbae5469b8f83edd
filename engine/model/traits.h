#pragma once

#include "cpu/kernels.h"

#include <span>
#include <string_view>

namespace kvasir {

enum class NormKind { Rms, Layer }; ///< Layer: mean taken off too, weight but no bias
enum class NormPlace {
    Before, ///< of attention and of feed-forward
    After,  ///< of what they give, before it joins the residual
    Both,
};
enum class QkNorm {
    None,
    PerHead,  ///< one weight of head size for all heads
    WholeRow, ///< over all heads of a row at once
};
enum class Biases {
    None,
    Optional, ///< on every matrix of a layer, where the file has them
    Qkv,      ///< on Q, K and V, required
};
enum class WindowRule {
    None, ///< a window in the file is refused
    AllLayers,
    Pattern, ///< every `windowPattern`-th layer sees everything, the others the window
};

/// One transformer block described by data: what the file does not say but its architecture implies. A new architecture
/// is a row in traits.cpp and a golden test.
struct ArchitectureTraits {
    std::string_view name; ///< general.architecture
    NormKind norm = NormKind::Rms;
    NormPlace normPlace = NormPlace::Before;
    bool parallel = false; ///< attention and feed-forward read the same normed row and join together
    QkNorm qkNorm = QkNorm::None;
    cpu::RopeStyle rope = cpu::RopeStyle::Halves;
    cpu::Activation activation = cpu::Activation::Silu;
    Biases biases = Biases::None;
    bool experts = false; ///< may have: a router picks some of many feed-forwards for each row
    bool sinks = false;   ///< each query head has a score that takes its share of the softmax without a value
    std::string_view feedForwardNorm = "ffn_norm"; ///< the tensor's name
    WindowRule window = WindowRule::None;
    int windowPattern = 0;
    bool windowKeepsBase = true;     ///< windowed layers rotate as the others do; false: own base, never scaled
    int noRopeEvery = 0;             ///< every n-th layer does not rotate; 0: all rotate
    bool globalWithoutRope = false;  ///< where there is a window, layers without it do not rotate
    bool ropeFactors = false;        ///< may hold rope_freqs.weight
    bool longRope = false;           ///< may hold rope_factors_short.weight and rope_factors_long.weight
    bool fusedProjections = false;   ///< attn_qkv and a doubled ffn_up hold what others hold apart
    bool embeddingTimesRoot = false; ///< embeddings are multiplied by sqrt(width)
    int widthScaleLayers =
        0;                 ///< a model with so many layers scales scores by sqrt(heads / width), not by the head size
    bool softCaps = false; ///< attention and final logits may be capped: cap * tanh(x / cap)
    bool scales = false; ///< embedding, residual, logit and attention scales are in the file (granite: logits divided)
    bool logitScale = false; ///< logits are multiplied by logit_scale of the file
};

/// Null where the architecture is not known.
const ArchitectureTraits* findTraits(std::string_view architecture);
/// All that are known, for messages and `inspect`.
std::span<const ArchitectureTraits> allTraits();

} // namespace kvasir
