#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kvasir {

struct HuggingFaceArchitecture;

/// A tensor's name inside a layer.
struct LayerTensorName {
    std::string layer;     ///< "0"
    std::string_view rest; ///< of the given name: "mlp.experts.gate_up_proj"
};

/// The parts of "model.layers.N.REST"; nothing for a tensor outside the layers.
std::optional<LayerTensorName> layerTensorName(std::string_view name);

/// The name that GGUF has for a tensor: "blk.0.attn_q.weight" for "model.layers.0.self_attn.q_proj.weight". A name that
/// is not known stays as it is, for messages. Nothing for what a model does not need.
std::optional<std::string> ggufTensorName(const HuggingFaceArchitecture& architecture, std::string_view name);

} // namespace kvasir
