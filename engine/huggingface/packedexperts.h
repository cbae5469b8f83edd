#pragma once

#include "base/result.h"
#include "files/safetensors.h"

#include <map>
#include <string>
#include <string_view>

namespace kvasir {

class TensorWriter;

/// The tensors of gpt-oss's experts, which stand together otherwise than in GGUF: [expert][input][output] with gate and
/// up alternating in the outputs, or as MXFP4 [expert][output][block] with scales and nibbles apart.
class PackedExperts {
public:
    /// Whether `name` ("model.layers.0.mlp.experts.gate_up_proj_blocks") is one of them, which is then kept.
    bool take(const std::string& path, const SafeTensor& tensor);
    /// Lists what was kept. Errors: Malformed, MissingTensor (a part of an MXFP4 tensor), Unsupported (type).
    Result<void> write(TensorWriter& tensors) const;

private:
    struct Stored {
        const SafeTensor* tensor = nullptr;
        std::string path;
    };
    Result<void> writeOne(
        const std::string& layer, const std::string& kind, const Stored& stored, TensorWriter& tensors) const;
    Result<void> writeMxfp4(
        const std::string& layer, const std::string& kind, const Stored& blocks, TensorWriter& tensors) const;

    std::map<std::pair<std::string, std::string>, Stored> m_stored; ///< by layer and rest: "gate_up_proj_blocks"
};

} // namespace kvasir
