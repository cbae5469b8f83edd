#include "huggingface/tensornames.h"

#include "huggingface/architectures.h"

#include <algorithm>

namespace kvasir {

namespace {

struct Row {
    std::string_view from;
    std::string_view to;
};

constexpr Row kModelNames[] = {
    {"model.embed_tokens.weight", "token_embd.weight"},
    {"model.norm.weight", "output_norm.weight"},
    {"lm_head.weight", "output.weight"},
};

/// Modules of a layer; ".weight" or ".bias" follows.
constexpr Row kModules[] = {
    {"input_layernorm", "attn_norm"},
    {"self_attn.q_proj", "attn_q"},
    {"self_attn.k_proj", "attn_k"},
    {"self_attn.v_proj", "attn_v"},
    {"self_attn.qkv_proj", "attn_qkv"},
    {"self_attn.o_proj", "attn_output"},
    {"self_attn.q_norm", "attn_q_norm"},
    {"self_attn.k_norm", "attn_k_norm"},
    {"pre_feedforward_layernorm", "ffn_norm"},
    {"post_feedforward_layernorm", "post_ffw_norm"},
    {"mlp.gate_proj", "ffn_gate"},
    {"mlp.up_proj", "ffn_up"},
    {"mlp.gate_up_proj", "ffn_up"}, // both, as in GGUF
    {"mlp.down_proj", "ffn_down"},
    {"mlp.gate", "ffn_gate_inp"},
    {"mlp.router", "ffn_gate_inp"},
    {"block_sparse_moe.gate", "ffn_gate_inp"},
};

/// Matrices of one expert: PREFIX + number + "." + matrix.
constexpr std::string_view kExpertPrefixes[] = {"mlp.experts.", "block_sparse_moe.experts."};
constexpr Row kExpertMatrices[] = {
    {"gate_proj", "ffn_gate"},
    {"up_proj", "ffn_up"},
    {"down_proj", "ffn_down"},
    {"w1", "ffn_gate"},
    {"w2", "ffn_down"},
    {"w3", "ffn_up"},
};

template <size_t Size> std::string_view lookUp(const Row (&rows)[Size], std::string_view name)
{
    const auto row = std::find_if(std::begin(rows), std::end(rows), [&](const Row& r) { return r.from == name; });
    return row == std::end(rows) ? std::string_view() : row->to;
}

/// The leading digits of a text.
std::string_view digits(std::string_view text)
{
    const size_t end = text.find_first_not_of("0123456789");
    return text.substr(0, end == std::string_view::npos ? text.size() : end);
}

std::string expertModule(std::string_view module)
{
    for (const std::string_view prefix : kExpertPrefixes) {
        if (!module.starts_with(prefix)) {
            continue;
        }
        const std::string_view number = digits(module.substr(prefix.size()));
        const std::string_view rest = module.substr(prefix.size() + number.size());
        const std::string_view matrix = rest.starts_with('.') ? lookUp(kExpertMatrices, rest.substr(1)) : "";
        if (!number.empty() && !matrix.empty()) {
            return std::string(matrix) + "." + std::string(number);
        }
    }
    return {};
}

} // namespace

std::optional<LayerTensorName> layerTensorName(std::string_view name)
{
    constexpr std::string_view kPrefix = "model.layers.";
    if (!name.starts_with(kPrefix)) {
        return {};
    }
    const std::string_view number = digits(name.substr(kPrefix.size()));
    const std::string_view rest = name.substr(kPrefix.size() + number.size());
    if (number.empty() || !rest.starts_with('.')) {
        return {};
    }
    return LayerTensorName{std::string(number), rest.substr(1)};
}

std::optional<std::string> ggufTensorName(const HuggingFaceArchitecture& architecture, std::string_view name)
{
    if (const std::string_view known = lookUp(kModelNames, name); !known.empty()) {
        return std::string(known);
    }
    const auto inLayer = layerTensorName(name);
    if (!inLayer) {
        return std::string(name);
    }
    const std::string prefix = "blk." + inLayer->layer + ".";
    if (inLayer->rest == "self_attn.sinks") {
        return prefix + "attn_sinks.weight";
    }
    if (inLayer->rest == "self_attn.rotary_emb.inv_freq") { // old checkpoints keep what follows from the config
        return {};
    }
    const size_t dot = inLayer->rest.rfind('.');
    const std::string_view module = inLayer->rest.substr(0, dot);
    const std::string_view kind = dot == std::string_view::npos ? "" : inLayer->rest.substr(dot);
    std::string known(module == "post_attention_layernorm" ? architecture.postAttentionNorm : lookUp(kModules, module));
    if (known.empty()) {
        known = expertModule(module);
    }
    if (known.empty() || (kind != ".weight" && kind != ".bias")) {
        return std::string(name);
    }
    return prefix + known + std::string(kind);
}

} // namespace kvasir
