#include "huggingface/rotation.h"

#include "huggingface/architectures.h"
#include "huggingface/configreader.h"
#include "huggingface/metadatawriter.h"
#include "huggingface/tensorwriter.h"
#include "model/traits.h"

#include <cmath>
#include <numbers>

namespace kvasir {

using Json = nlohmann::json;

namespace {

constexpr uint64_t kMaxHeadSize = 1 << 16;
constexpr double kDefaultBase = 10000;

/// What the two layouts come to.
struct Layout {
    Json all = Json::object();   ///< parameters of ordinary layers
    Json local = Json::object(); ///< of windowed ones, where they have their own
};

Layout readLayout(ConfigReader& config)
{
    const char* name = config.find("rope_parameters") ? "rope_parameters" : "rope_scaling";
    const Json* given = config.find(name);
    Layout layout;
    if (given && !given->is_object()) {
        config.refuse(name, "it must be an object");
        return layout;
    }
    if (given) {
        layout.all = *given;
    }
    const auto nested = layout.all.find("full_attention");
    if (nested != layout.all.end()) {
        if (const auto local = given->find("sliding_attention"); local != given->end() && local->is_object()) {
            layout.local = *local;
        }
        layout.all = nested->is_object() ? Json(*nested) : Json::object();
    }
    // What stands beside the parameters in the older layout.
    for (const char* key : {"rope_theta", "partial_rotary_factor", "original_max_position_embeddings"}) {
        const Json* value = config.find(key);
        const auto own = layout.all.find(key);
        if (value && (own == layout.all.end() || own->is_null())) {
            layout.all[key] = *value;
        }
    }
    if (const Json* base = config.find("rope_local_base_freq"); base && !layout.local.contains("rope_theta")) {
        layout.local["rope_theta"] = *base;
    }
    return layout;
}

/// Divisors of the frequencies that Llama 3 stretches: long waves by the factor, short ones not, a ramp between.
std::vector<float> llama3Divisors(ConfigReader& rope, double base, uint64_t dimensions)
{
    const double factor = rope.requireNumber("factor");
    const double lowFactor = rope.requireNumber("low_freq_factor");
    const double highFactor = rope.requireNumber("high_freq_factor");
    const double context = rope.requireNumber("original_max_position_embeddings");
    std::vector<float> divisors;
    for (uint64_t i = 0; !rope.error() && i < dimensions / 2; ++i) {
        const double exponent = 2 * static_cast<double>(i) / static_cast<double>(dimensions);
        const double turns = context * std::pow(base, -exponent) / (2 * std::numbers::pi); // in the first context
        const double ramp = (turns - lowFactor) / (highFactor - lowFactor);
        const double keep = turns < lowFactor ? 0 : turns > highFactor ? 1 : ramp;
        divisors.push_back(static_cast<float>(1 / ((1 - keep) / factor + keep)));
    }
    return divisors;
}

std::vector<float> factors(ConfigReader& rope, const char* name, uint64_t dimensions)
{
    const Json* list = rope.find(name);
    std::vector<float> values;
    for (size_t i = 0; list && list->is_array() && i < list->size(); ++i) {
        if ((*list)[i].is_number()) {
            values.push_back((*list)[i].get<float>());
        }
    }
    if (!list || values.size() != dimensions / 2 || !list->is_array() || list->size() != values.size()) {
        rope.refuse(name, "it must have a number for each of " + std::to_string(dimensions / 2) + " pairs");
    }
    return values;
}

struct Target {
    const std::string& prefix;
    MetadataWriter& metadata;
    TensorWriter& tensors;
    uint64_t dimensions;
    double trainedContext;
};

void writeYarn(ConfigReader& rope, const Target& target)
{
    const double original = rope.number("original_max_position_embeddings").value_or(target.trainedContext);
    const double factor = rope.number("factor").value_or(target.trainedContext / original);
    const auto magnitude = [&](double scale) { return factor > 1 ? 1 + 0.1 * scale * std::log(factor) : 1; };
    const auto mscale = rope.number("mscale");
    const auto mscaleAll = rope.number("mscale_all_dim");
    const double wanted =
        rope.number("attention_factor")
            .value_or(mscale.value_or(0) != 0 && mscaleAll.value_or(0) != 0 ? magnitude(*mscale) / magnitude(*mscaleAll)
                                                                            : magnitude(1));
    target.metadata.add(target.prefix + "rope.scaling.type", std::string_view("yarn"));
    target.metadata.add(target.prefix + "rope.scaling.factor", factor);
    target.metadata.add(target.prefix + "rope.scaling.original_context_length", original);
    // GGUF's key multiplies the magnitude that follows from the factor.
    target.metadata.add(target.prefix + "rope.scaling.yarn_attn_factor", wanted / (1 + 0.1 * std::log(factor)));
    target.metadata.add(target.prefix + "rope.scaling.yarn_beta_fast", rope.number("beta_fast").value_or(32));
    target.metadata.add(target.prefix + "rope.scaling.yarn_beta_slow", rope.number("beta_slow").value_or(1));
    target.metadata.add("kvasir.yarn_whole_dimensions", rope.flag("truncate").value_or(true));
}

void writeLongRope(ConfigReader& rope, const Target& target)
{
    const auto original = rope.requireNatural("original_max_position_embeddings");
    const double factor = target.trainedContext / static_cast<double>(original);
    const double magnitude =
        rope.number("attention_factor")
            .value_or(factor > 1 ? std::sqrt(1 + std::log(factor) / std::log(static_cast<double>(original))) : 1.0);
    target.metadata.add(target.prefix + "rope.scaling.type", std::string_view("longrope"));
    target.metadata.add(target.prefix + "rope.scaling.original_context_length", original);
    target.metadata.add(target.prefix + "rope.scaling.attn_factor", magnitude);
    target.tensors.addFloats("rope_factors_short.weight", factors(rope, "short_factor", target.dimensions));
    target.tensors.addFloats("rope_factors_long.weight", factors(rope, "long_factor", target.dimensions));
}

void writeLocal(ConfigReader& local, const ArchitectureTraits& traits, double base, const Target& target)
{
    const double own = local.number("rope_theta").value_or(base);
    const std::string type = local.text("rope_type").value_or("default");
    if (!traits.windowKeepsBase) {
        target.metadata.add(target.prefix + "rope.freq_base_swa", own);
        if (type != "default") {
            local.refuse("rope_type", "windowed layers are known without scaling");
        }
    } else if (own != base) {
        local.refuse("rope_theta", "the architecture is known with one base for all layers");
    }
}

} // namespace

Result<void> writeRotation(const Json& json, const std::string& path, const HuggingFaceArchitecture& architecture,
    MetadataWriter& metadata, TensorWriter& tensors)
{
    const ArchitectureTraits& traits = *findTraits(architecture.name);
    const std::string prefix = std::string(architecture.name) + ".";
    ConfigReader config(json, path);
    const Layout layout = readLayout(config);
    ConfigReader rope(layout.all, path, "rope.");
    ConfigReader local(layout.local, path, "rope.sliding_attention.");

    const auto heads = config.requireNatural("num_attention_heads");
    const auto width = config.requireNatural("hidden_size");
    const auto headSize = config.natural("head_dim").value_or(heads > 0 ? width / heads : 0);
    const double share = rope.number("partial_rotary_factor").value_or(1);
    if (headSize < 1 || headSize > kMaxHeadSize || !(share > 0 && share <= 1)) {
        rope.refuse("partial_rotary_factor", "no part of a head of " + std::to_string(headSize) + " values");
    } else if (share != 1 && !traits.longRope) {
        rope.refuse("partial_rotary_factor", "the architecture is known with whole heads turning");
    }
    const auto dimensions = static_cast<uint64_t>(share * static_cast<double>(headSize));
    const double base = rope.number("rope_theta").value_or(kDefaultBase);
    std::string type = rope.text("rope_type").value_or(rope.text("type").value_or("default"));
    const Target target{prefix, metadata, tensors, dimensions, config.requireNumber("max_position_embeddings")};
    if (rope.error() || config.error()) {
        return Failure{rope.error() ? *rope.error() : *config.error()};
    }
    metadata.add(prefix + "rope.dimension_count", dimensions);
    metadata.add(prefix + "rope.freq_base", base);
    if (type == "linear") {
        metadata.add(prefix + "rope.scaling.type", std::string_view("linear"));
        metadata.add(prefix + "rope.scaling.factor", rope.requireNumber("factor"));
    } else if (type == "yarn") {
        writeYarn(rope, target);
    } else if (type == "llama3" && traits.ropeFactors) {
        tensors.addFloats("rope_freqs.weight", llama3Divisors(rope, base, dimensions));
    } else if ((type == "longrope" || type == "su") && traits.longRope) {
        writeLongRope(rope, target);
    } else if (type != "default") {
        rope.set(fail(ErrorCode::Unsupported,
            "Kvasir does not support the rope scaling '" + type.substr(0, 40) + "' in architecture "
                + std::string(traits.name) + "; look for a GGUF file of the model",
            {{"what", "rope scaling"}, {"name", type}}));
    }
    if (layout.local.contains("rope_theta") || !traits.windowKeepsBase) {
        writeLocal(local, traits, traits.windowKeepsBase ? base : kDefaultBase, target);
    }
    for (const ConfigReader* reader : {&rope, &local, &config}) {
        if (reader->error()) {
            return Failure{*reader->error()};
        }
    }
    return {};
}

} // namespace kvasir
