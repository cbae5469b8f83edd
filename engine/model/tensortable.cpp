#include "model/tensortable.h"

#include "files/modelfile.h"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace kvasir {

namespace {

enum class Need { Required, Optional, None };

/// Looks tensors up and keeps the first error, so that a table of them reads as a table.
class Finder {
public:
    Finder(const ModelFile& file, std::string prefix)
        : m_file(file)
        , m_prefix(std::move(prefix))
    {
    }

    /// rows == 0: a vector. `copies`: so many of them in one tensor.
    const StoredTensor* find(const std::string& name, int columns, int rows, Need need, int copies = 0)
    {
        if (need == Need::None || m_error) {
            return nullptr;
        }
        const std::string full = m_prefix + name;
        const StoredTensor* tensor = m_file.tensor(full);
        if (!tensor) {
            if (need == Need::Required) {
                m_error = fail(ErrorCode::MissingTensor, "The file has no tensor " + full,
                    {{"path", m_file.path()}, {"name", full}})
                              .error;
            }
            return nullptr;
        }
        // Dimensions of 1 at the end may be left out.
        std::vector<int> wanted{columns};
        if (rows != 0) {
            wanted.push_back(rows);
        }
        if (copies != 0) {
            wanted.push_back(copies);
        }
        for (size_t i = 0; i < tensor->dims.size(); ++i) {
            if (tensor->dims[i] != static_cast<uint64_t>(i < wanted.size() ? wanted[i] : 1)) {
                m_error = shapeError(*tensor, wanted).error;
                return nullptr;
            }
        }
        return tensor;
    }
    bool has(const std::string& name) const { return m_file.tensor(m_prefix + name) != nullptr; }

    /// Consecutive parts of one matrix.
    void findParts(const char* name, int columns, std::initializer_list<std::pair<TensorRows*, int>> parts)
    {
        int rows = 0;
        for (const auto& [part, count] : parts) {
            rows += count;
        }
        const StoredTensor* tensor = find(name, columns, rows, Need::Required);
        int first = 0;
        for (const auto& [part, count] : parts) {
            *part = {tensor, first, count};
            first += count;
        }
    }

    const std::optional<Error>& error() const { return m_error; }

private:
    template <class Sizes> static std::string shapeText(const Sizes& sizes)
    {
        std::string text;
        for (auto size : sizes) {
            text += (text.empty() ? "" : " x ") + std::to_string(size);
        }
        return text;
    }

    Failure shapeError(const StoredTensor& tensor, const std::vector<int>& wanted) const
    {
        const std::string name(tensor.name);
        return fail(ErrorCode::Malformed,
            "Tensor " + name + " has the shape "
                + shapeText(std::span(tensor.dims).first(static_cast<size_t>(tensor.dimCount)))
                + ", but the model's numbers ask for " + shapeText(wanted),
            {{"path", m_file.path()}, {"what", "shape of " + name}});
    }

    const ModelFile& m_file;
    const std::string m_prefix;
    std::optional<Error> m_error;
};

Need when(bool condition)
{
    return condition ? Need::Required : Need::None;
}

TensorRows rowsOf(const StoredTensor* tensor, int first, int count)
{
    return {tensor, first, tensor ? count : 0};
}

/// The feed-forward of a layer without experts.
FeedForwardTensors findDense(Finder& finder, const ModelConfig& config, Need bias)
{
    const int width = config.width;
    const int wide = config.feedForward;
    FeedForwardTensors t;
    if (config.traits->fusedProjections) {
        finder.findParts("ffn_up.weight", width, {{&t.gate, wide}, {&t.up, wide}});
    } else {
        finder.findParts("ffn_gate.weight", width, {{&t.gate, wide}});
        finder.findParts("ffn_up.weight", width, {{&t.up, wide}});
    }
    finder.findParts("ffn_down.weight", wide, {{&t.down, width}});
    t.gateBias = rowsOf(finder.find("ffn_gate.bias", wide, 0, bias), 0, 1);
    t.upBias = rowsOf(finder.find("ffn_up.bias", wide, 0, bias), 0, 1);
    t.downBias = rowsOf(finder.find("ffn_down.bias", width, 0, bias), 0, 1);
    return t;
}

/// The experts of a layer: each kind of matrix in one tensor, or, in older files and those of other formats, one tensor
/// an expert ("ffn_gate.3.weight").
std::vector<FeedForwardTensors> findExperts(Finder& finder, const ModelConfig& config, Need bias)
{
    std::vector<FeedForwardTensors> experts(static_cast<size_t>(config.experts));
    const auto find = [&](TensorRows FeedForwardTensors::*matrix, TensorRows FeedForwardTensors::*vector,
                          const std::string& kind, int columns, int rows) {
        const bool stacked = finder.has(kind + "_exps.weight");
        const StoredTensor* all = finder.find(kind + "_exps.weight", columns, rows, when(stacked), config.experts);
        const StoredTensor* biases = finder.find(kind + "_exps.bias", rows, config.experts, bias);
        for (int i = 0; i < config.experts; ++i) {
            FeedForwardTensors& expert = experts[static_cast<size_t>(i)];
            expert.*matrix = stacked
                ? rowsOf(all, i * rows, rows)
                : rowsOf(
                    finder.find(kind + "." + std::to_string(i) + ".weight", columns, rows, Need::Required), 0, rows);
            expert.*vector = rowsOf(biases, i, 1);
        }
    };
    using T = FeedForwardTensors;
    find(&T::gate, &T::gateBias, "ffn_gate", config.width, config.feedForward);
    find(&T::up, &T::upBias, "ffn_up", config.width, config.feedForward);
    find(&T::down, &T::downBias, "ffn_down", config.feedForward, config.width);
    return experts;
}

} // namespace

Result<LayerTensors> findLayerTensors(const ModelFile& file, const ModelConfig& config, int layer)
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

    Finder finder(file, "blk." + std::to_string(layer) + ".");
    LayerTensors t;
    t.attentionNorm = finder.find("attn_norm.weight", width, 0, when(before));
    if (traits.fusedProjections) {
        finder.findParts("attn_qkv.weight", width, {{&t.query, q}, {&t.key, kv}, {&t.value, kv}});
    } else {
        finder.findParts("attn_q.weight", width, {{&t.query, q}});
        finder.findParts("attn_k.weight", width, {{&t.key, kv}});
        finder.findParts("attn_v.weight", width, {{&t.value, kv}});
    }
    t.queryBias = finder.find("attn_q.bias", q, 0, qkvBias);
    t.keyBias = finder.find("attn_k.bias", kv, 0, qkvBias);
    t.valueBias = finder.find("attn_v.bias", kv, 0, qkvBias);
    t.queryNorm = finder.find("attn_q_norm.weight", wholeRow ? q : config.headSize, 0, qkNorm);
    t.keyNorm = finder.find("attn_k_norm.weight", wholeRow ? kv : config.headSize, 0, qkNorm);
    t.output = finder.find("attn_output.weight", q, width, Need::Required);
    t.outputBias = finder.find("attn_output.bias", width, 0, otherBias);
    t.postAttentionNorm = finder.find("post_attention_norm.weight", width, 0, when(after));
    t.feedForwardNorm =
        finder.find(std::string(traits.feedForwardNorm) + ".weight", width, 0, when(before && !traits.parallel));
    t.sinks = finder.find("attn_sinks.weight", config.heads, 0, when(traits.sinks));
    if (config.experts > 0) {
        t.router = finder.find("ffn_gate_inp.weight", width, config.experts, Need::Required);
        t.routerBias = finder.find("ffn_gate_inp.bias", config.experts, 0, otherBias);
        t.feedForwards = findExperts(finder, config, otherBias);
    } else {
        t.feedForwards = {findDense(finder, config, otherBias)};
    }
    t.postFeedForwardNorm = finder.find("post_ffw_norm.weight", width, 0, when(after));
    if (finder.error()) {
        return Failure{*finder.error()};
    }
    return t;
}

Result<ModelTensors> findModelTensors(const ModelFile& file, const ModelConfig& config)
{
    Finder finder(file, "");
    ModelTensors t;
    t.embedding = finder.find("token_embd.weight", config.width, config.vocabulary, Need::Required);
    t.outputNorm = finder.find("output_norm.weight", config.width, 0, Need::Required);
    t.head = finder.find("output.weight", config.width, config.vocabulary, Need::Optional);
    if (config.traits->ropeFactors && !config.ropes.empty()) {
        t.ropeFactors = finder.find("rope_freqs.weight", config.ropes[0].dimensions / 2, 0, Need::Optional);
    }
    if (config.longRope.dimensions > 0) {
        const int pairs = config.longRope.dimensions / 2;
        t.shortRopeFactors = finder.find("rope_factors_short.weight", pairs, 0, Need::Required);
        t.longRopeFactors = finder.find("rope_factors_long.weight", pairs, 0, Need::Required);
    }
    if (finder.error()) {
        return Failure{*finder.error()};
    }
    return t;
}

Result<void> refuseUnusedTensors(const ModelFile& file, const ModelConfig& config)
{
    std::vector<const StoredTensor*> used;
    auto note = [&](std::initializer_list<const StoredTensor*> tensors) {
        used.insert(used.end(), tensors.begin(), tensors.end());
    };
    auto model = findModelTensors(file, config);
    KVASIR_TRY(model);
    note({model->embedding, model->outputNorm, model->head, model->ropeFactors, model->shortRopeFactors,
        model->longRopeFactors});
    for (int i = 0; i < config.layers; ++i) {
        auto layer = findLayerTensors(file, config, i);
        KVASIR_TRY(layer);
        note({layer->attentionNorm, layer->query.tensor, layer->key.tensor, layer->value.tensor, layer->queryBias,
            layer->keyBias, layer->valueBias, layer->queryNorm, layer->keyNorm, layer->output, layer->outputBias,
            layer->postAttentionNorm, layer->feedForwardNorm, layer->sinks, layer->router, layer->routerBias,
            layer->postFeedForwardNorm});
        for (const FeedForwardTensors& t : layer->feedForwards) {
            note({t.gate.tensor, t.up.tensor, t.down.tensor, t.gateBias.tensor, t.upBias.tensor, t.downBias.tensor});
        }
    }
    std::sort(used.begin(), used.end());
    for (const StoredTensor& tensor : file.tensors()) {
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
