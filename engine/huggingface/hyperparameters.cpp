#include "huggingface/hyperparameters.h"

#include "huggingface/architectures.h"
#include "huggingface/configreader.h"
#include "huggingface/metadatawriter.h"
#include "huggingface/rotation.h"
#include "model/traits.h"

#include <algorithm>

namespace kvasir {

using Json = nlohmann::json;

namespace {

constexpr uint64_t kMaxLayers = 4096;

/// A number of config.json and the key that it goes to.
struct NumberRow {
    const char* name;
    const char* key;
    bool required;
};

constexpr NumberRow kNaturals[] = {
    {"num_hidden_layers", "block_count", true},
    {"hidden_size", "embedding_length", true},
    {"intermediate_size", "feed_forward_length", true},
    {"moe_intermediate_size", "expert_feed_forward_length", false},
    {"num_attention_heads", "attention.head_count", true},
    {"num_key_value_heads", "attention.head_count_kv", false},
    {"head_dim", "attention.key_length", false},
    {"head_dim", "attention.value_length", false},
    {"num_experts_per_tok", "expert_used_count", false},
};

constexpr NumberRow kNumbers[] = {
    {"rms_norm_eps", "attention.layer_norm_rms_epsilon", false},
    {"layer_norm_eps", "attention.layer_norm_epsilon", false},
    {"attn_logit_softcapping", "attn_logit_softcapping", false},
    {"final_logit_softcapping", "final_logit_softcapping", false},
    {"embedding_multiplier", "embedding_scale", false},
    {"residual_multiplier", "residual_scale", false},
    {"logits_scaling", "logit_scale", false},
    {"logit_scale", "logit_scale", false},
    {"attention_multiplier", "attention.scale", false},
};

/// A switch that changes the arithmetic in a way that Kvasir does not know; only this value of it is harmless.
struct Switch {
    const char* name;
    Json harmless;
};

void refuseUnknownSwitches(ConfigReader& config)
{
    static const Switch kSwitches[] = {{"use_qk_norm", false}, {"qk_layernorm", false}, {"clip_qkv", nullptr},
        {"use_bidirectional_attention", false}, {"norm_topk_prob", true}, {"decoder_sparse_step", 1},
        {"mlp_only_layers", Json::array()}, {"swiglu_limit", 7.0}, {"swiglu_alpha", 1.702},
        {"attention_chunk_size", nullptr}, {"num_shared_experts", 0}, {"n_shared_experts", 0}};
    for (const Switch& known : kSwitches) {
        const Json* value = config.find(known.name);
        if (value && *value != known.harmless) {
            config.refuse(known.name, "only " + known.harmless.dump() + " is known here");
        }
    }
}

void refuseQuantization(ConfigReader& config, const HuggingFaceArchitecture& architecture)
{
    const Json* quantization = config.find("quantization_config");
    if (!quantization) {
        quantization = config.find("compression_config");
    }
    if (!quantization) {
        return;
    }
    const auto method = quantization->is_object() ? quantization->find("quant_method") : quantization->end();
    const std::string name = quantization->is_object() && method != quantization->end() && method->is_string()
        ? method->get<std::string>()
        : "unknown";
    if (name != "mxfp4" || architecture.name != "gpt-oss") {
        config.set(fail(ErrorCode::Unsupported,
            "the weights in the folder are quantized by '" + name.substr(0, 40)
                + "', which Kvasir does not read; use the model's own weights (BF16 or F16) or a quantized GGUF file",
            {{"what", "quantization"}, {"name", name}}));
    }
}

void refuseOtherActivations(ConfigReader& config, const ArchitectureTraits& traits)
{
    const char* name = config.find("hidden_activation") ? "hidden_activation" : "hidden_act";
    const auto given = config.text(name);
    const bool gelu = traits.activation == cpu::Activation::GeluTanh;
    if (given && *given != (gelu ? "gelu_pytorch_tanh" : "silu") && (gelu || *given != "swish")) {
        config.refuse(name, "the architecture is known with another activation");
    }
}

/// Gemma names the divisor of its scores. Kvasir takes the head size, or heads / width in the sizes that do so.
void checkScoreScale(ConfigReader& config, const ArchitectureTraits& traits)
{
    const auto scalar = config.number("query_pre_attn_scalar");
    const auto layers = config.natural("num_hidden_layers");
    const auto width = config.natural("hidden_size");
    const auto heads = config.natural("num_attention_heads");
    const auto headSize = config.natural("head_dim");
    if (!scalar || !layers || !width || !heads || *heads == 0) {
        return;
    }
    const bool byWidth = traits.widthScaleLayers > 0 && *layers == static_cast<uint64_t>(traits.widthScaleLayers);
    const uint64_t expected = byWidth ? *width / *heads : headSize.value_or(*width / *heads);
    if (*scalar != static_cast<double>(expected)) {
        config.refuse("query_pre_attn_scalar", "Kvasir would take " + std::to_string(expected));
    }
}

/// Which layers see a window only, one truth value a layer; empty where the file leaves it to the architecture.
std::vector<bool> windowedLayers(ConfigReader& config, uint64_t layers)
{
    std::vector<bool> windowed;
    if (const Json* types = config.find("layer_types")) {
        if (!types->is_array() || types->size() != layers) {
            config.refuse("layer_types", "it must have an entry for each layer");
            return {};
        }
        for (const Json& type : *types) {
            if (type != "full_attention" && type != "sliding_attention") {
                config.refuse("layer_types", "only full_attention and sliding_attention are known");
                return {};
            }
            windowed.push_back(type == "sliding_attention");
        }
        return windowed;
    }
    const char* name = config.find("sliding_window_pattern") ? "sliding_window_pattern" : "_sliding_window_pattern";
    const Json* pattern = config.find(name);
    for (uint64_t i = 0; pattern && i < layers; ++i) {
        if (pattern->is_string() && !pattern->get_ref<const std::string&>().empty()) { // "LLLG": local and global
            const auto& letters = pattern->get_ref<const std::string&>();
            windowed.push_back(letters[i % letters.size()] == 'L');
        } else if (pattern->is_number_unsigned()) {
            const auto period = pattern->get<uint64_t>();
            windowed.push_back(period != 0 && (i + 1) % period != 0);
        } else {
            config.refuse(name, "it must be a number or letters");
            return {};
        }
    }
    return windowed;
}

void writeWindows(ConfigReader& config, const std::string& prefix, uint64_t layers, MetadataWriter& metadata)
{
    const auto window = config.natural("sliding_window");
    const std::vector<bool> windowed = windowedLayers(config, layers);
    const bool any = windowed.empty() || std::find(windowed.begin(), windowed.end(), true) != windowed.end();
    if (!window || *window == 0 || !config.flag("use_sliding_window").value_or(true) || !any) {
        return;
    }
    metadata.add(prefix + "attention.sliding_window", *window);
    if (!windowed.empty()) {
        metadata.addBooleans(prefix + "attention.sliding_window_pattern", windowed);
    }
}

/// SmolLM3 lists which layers turn; Kvasir knows the pattern of its architecture.
void checkTurningLayers(ConfigReader& config, const ArchitectureTraits& traits)
{
    const Json* turning = config.find("no_rope_layers");
    for (size_t i = 0; turning && turning->is_array() && i < turning->size(); ++i) {
        const bool skipped = traits.noRopeEvery > 0 && (i + 1) % static_cast<size_t>(traits.noRopeEvery) == 0;
        if ((*turning)[i] != (skipped ? 0 : 1)) {
            config.refuse("no_rope_layers", "the architecture is known with another pattern");
            return;
        }
    }
}

} // namespace

Result<void> writeHyperparameters(const Json& json, const std::string& path,
    const HuggingFaceArchitecture& architecture, MetadataWriter& metadata, TensorWriter& tensors)
{
    const ArchitectureTraits* traits = findTraits(architecture.name);
    const std::string prefix = std::string(architecture.name) + ".";
    ConfigReader config(json, path);
    refuseQuantization(config, architecture);
    refuseUnknownSwitches(config);
    refuseOtherActivations(config, *traits);
    checkScoreScale(config, *traits);
    checkTurningLayers(config, *traits);
    for (const NumberRow& row : kNaturals) {
        const auto value = row.required ? config.requireNatural(row.name) : config.natural(row.name);
        if (value) {
            metadata.add(prefix + row.key, *value);
        }
    }
    for (const NumberRow& row : kNumbers) {
        if (const auto value = config.number(row.name)) {
            metadata.add(prefix + row.key, *value);
        }
    }
    // Where there is one, it is what the model was trained for (Command R).
    const auto longest = config.natural("model_max_length");
    metadata.add(prefix + "context_length", longest ? *longest : config.requireNatural("max_position_embeddings"));
    const char* experts = config.find("num_local_experts") ? "num_local_experts" : "num_experts";
    if (const auto count = config.natural(experts)) {
        metadata.add(prefix + "expert_count", *count);
    }
    const uint64_t layers = config.requireNatural("num_hidden_layers");
    if (layers > kMaxLayers) {
        config.refuse("num_hidden_layers", "no model has so many");
    }
    if (config.error()) {
        return Failure{*config.error()};
    }
    writeWindows(config, prefix, layers, metadata);
    if (config.error()) {
        return Failure{*config.error()};
    }
    if (architecture.turnsHalves) {
        metadata.add("kvasir.rope_halves", true);
    }
    return writeRotation(json, path, architecture, metadata, tensors);
}

} // namespace kvasir
