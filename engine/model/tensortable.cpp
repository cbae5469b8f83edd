#include "model/tensortable.h"

#include "files/gguf.h"

#include <algorithm>
#include <vector>

namespace kvasir {

namespace {

enum class Need { Required, Optional, None };

/// Looks tensors up and keeps the first error, so that a table of them reads as a table.
class Finder {
public:
    Finder(const GgufFile& file, std::string prefix)
        : m_file(file)
        , m_prefix(std::move(prefix))
    {
    }

    /// rows == 0: a vector.
    const GgufTensor* find(const char* name, int columns, int rows, Need need)
    {
        if (need == Need::None || m_error) {
            return nullptr;
        }
        const std::string full = m_prefix + name;
        const GgufTensor* tensor = m_file.tensor(full);
        if (!tensor) {
            if (need == Need::Required) {
                m_error = fail(ErrorCode::MissingTensor, "The file has no tensor " + full,
                    {{"path", m_file.path()}, {"name", full}})
                              .error;
            }
            return nullptr;
        }
        const int wantedDims = rows == 0 ? 1 : 2;
        const auto wantedRows = static_cast<uint64_t>(std::max(rows, 1));
        if (tensor->columns() != static_cast<uint64_t>(columns) || tensor->rows() != wantedRows || tensor->dimCount > 2
            || (tensor->dimCount != wantedDims && wantedRows != 1)) {
            m_error = shapeError(*tensor, columns, rows).error;
            return nullptr;
        }
        return tensor;
    }

    /// Consecutive parts of one matrix.
    void findParts(const char* name, int columns, std::initializer_list<std::pair<TensorRows*, int>> parts)
    {
        int rows = 0;
        for (const auto& [part, count] : parts) {
            rows += count;
        }
        const GgufTensor* tensor = find(name, columns, rows, Need::Required);
        int first = 0;
        for (const auto& [part, count] : parts) {
            *part = {tensor, first, count};
            first += count;
        }
    }

    const std::optional<Error>& error() const { return m_error; }

private:
    Failure shapeError(const GgufTensor& tensor, int columns, int rows) const
    {
        std::string found;
        for (int i = 0; i < tensor.dimCount; ++i) {
            found += (i == 0 ? "" : " x ") + std::to_string(tensor.dims[static_cast<size_t>(i)]);
        }
        std::string wanted = std::to_string(columns);
        if (rows != 0) {
            wanted += " x " + std::to_string(rows);
        }
        const std::string name(tensor.name);
        return fail(ErrorCode::Malformed,
            "Tensor " + name + " has the shape " + found + ", but the model's numbers ask for " + wanted,
            {{"path", m_file.path()}, {"what", "shape of " + name}});
    }

    const GgufFile& m_file;
    const std::string m_prefix;
    std::optional<Error> m_error;
};

Need when(bool condition)
{
    return condition ? Need::Required : Need::None;
}

} // namespace

Result<LayerTensors> findLayerTensors(const GgufFile& file, const ModelConfig& config, int layer)
{
    const ArchitectureTraits& traits = *config.traits;
    const bool before = traits.normPlace != NormPlace::After;
    const bool after = traits.normPlace != NormPlace::Before;
    const Need qkvBias = traits.biases == Biases::Qkv ? Need::Required
        : traits.biases == Biases::Optional           ? Need::Optional
                                                      : Need::None;
    const Need otherBias = traits.biases == Biases::Optional ? Need::Optional : Need::None;
    const Need qkNorm = when(traits.qkNorm != QkNorm::None);
    const bool wholeRow = traits.qkNorm == QkNorm::WholeRow;
    const int width = config.width;
    const int q = config.queryWidth();
    const int kv = config.kvWidth();
    const int wide = config.feedForward;

    Finder finder(file, "blk." + std::to_string(layer) + ".");
    LayerTensors t;
    t.attentionNorm = finder.find("attn_norm.weight", width, 0, when(before));
    if (traits.fusedProjections) {
        finder.findParts("attn_qkv.weight", width, {{&t.query, q}, {&t.key, kv}, {&t.value, kv}});
        finder.findParts("ffn_up.weight", width, {{&t.gate, wide}, {&t.up, wide}});
    } else {
        finder.findParts("attn_q.weight", width, {{&t.query, q}});
        finder.findParts("attn_k.weight", width, {{&t.key, kv}});
        finder.findParts("attn_v.weight", width, {{&t.value, kv}});
        finder.findParts("ffn_gate.weight", width, {{&t.gate, wide}});
        finder.findParts("ffn_up.weight", width, {{&t.up, wide}});
    }
    t.queryBias = finder.find("attn_q.bias", q, 0, qkvBias);
    t.keyBias = finder.find("attn_k.bias", kv, 0, qkvBias);
    t.valueBias = finder.find("attn_v.bias", kv, 0, qkvBias);
    t.queryNorm = finder.find("attn_q_norm.weight", wholeRow ? q : config.headSize, 0, qkNorm);
    t.keyNorm = finder.find("attn_k_norm.weight", wholeRow ? kv : config.headSize, 0, qkNorm);
    t.output = finder.find("attn_output.weight", q, width, Need::Required);
    t.outputBias = finder.find("attn_output.bias", width, 0, otherBias);
    t.postAttentionNorm = finder.find("post_attention_norm.weight", width, 0, when(after));
    t.feedForwardNorm = finder.find("ffn_norm.weight", width, 0, when(before && !traits.parallel));
    t.down = finder.find("ffn_down.weight", wide, width, Need::Required);
    t.gateBias = finder.find("ffn_gate.bias", wide, 0, otherBias);
    t.upBias = finder.find("ffn_up.bias", wide, 0, otherBias);
    t.downBias = finder.find("ffn_down.bias", width, 0, otherBias);
    t.postFeedForwardNorm = finder.find("post_ffw_norm.weight", width, 0, when(after));
    if (finder.error()) {
        return Failure{*finder.error()};
    }
    return t;
}

Result<ModelTensors> findModelTensors(const GgufFile& file, const ModelConfig& config)
{
    Finder finder(file, "");
    ModelTensors t;
    t.embedding = finder.find("token_embd.weight", config.width, config.vocabulary, Need::Required);
    t.outputNorm = finder.find("output_norm.weight", config.width, 0, Need::Required);
    t.head = finder.find("output.weight", config.width, config.vocabulary, Need::Optional);
    if (config.traits->ropeFactors && !config.ropes.empty()) {
        t.ropeFactors = finder.find("rope_freqs.weight", config.ropes[0].dimensions / 2, 0, Need::Optional);
    }
    if (finder.error()) {
        return Failure{*finder.error()};
    }
    return t;
}

Result<void> refuseUnusedTensors(const GgufFile& file, const ModelConfig& config)
{
    std::vector<const GgufTensor*> used;
    auto note = [&](std::initializer_list<const GgufTensor*> tensors) {
        used.insert(used.end(), tensors.begin(), tensors.end());
    };
    auto model = findModelTensors(file, config);
    KVASIR_TRY(model);
    note({model->embedding, model->outputNorm, model->head, model->ropeFactors});
    for (int i = 0; i < config.layers; ++i) {
        auto layer = findLayerTensors(file, config, i);
        KVASIR_TRY(layer);
        note({layer->attentionNorm, layer->query.tensor, layer->key.tensor, layer->value.tensor, layer->queryBias,
            layer->keyBias, layer->valueBias, layer->queryNorm, layer->keyNorm, layer->output, layer->outputBias,
            layer->postAttentionNorm, layer->feedForwardNorm, layer->gate.tensor, layer->up.tensor, layer->down,
            layer->gateBias, layer->upBias, layer->downBias, layer->postFeedForwardNorm});
    }
    std::sort(used.begin(), used.end());
    for (const GgufTensor& tensor : file.tensors()) {
        if (!std::binary_search(used.begin(), used.end(), &tensor) && !tensor.name.ends_with("attn_rot_embd.weight")) {
            const std::string name(tensor.name);
            return fail(ErrorCode::Unsupported,
                "The file has a tensor " + name + " that Kvasir does not know in architecture " + config.architecture,
                {{"what", "tensor"}, {"name", name}});
        }
    }
    return {};
}

} // namespace kvasir
