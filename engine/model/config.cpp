#include "model/config.h"

#include "cpu/attention.h"
#include "files/modelfile.h"
#include "model/tensortable.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace kvasir {

namespace {

Failure malformed(const ModelFile& file, const std::string& key, const std::string& detail)
{
    return fail(ErrorCode::Malformed, detail, {{"path", file.path()}, {"what", key}});
}

Failure unsupported(const std::string& what, const std::string& name, const std::string& detail)
{
    return fail(ErrorCode::Unsupported, detail, {{"what", what}, {"name", name}});
}

/// Reads keys below "<architecture>." and keeps the first error, so that reading is a list and not a ladder.
class KeyReader {
public:
    KeyReader(const ModelFile& file, const std::string& architecture)
        : m_file(file)
        , m_prefix(architecture + ".")
    {
    }

    const std::optional<Error>& error() const { return m_error; }
    std::string full(const char* name) const { return m_prefix + name; }
    bool has(const char* name) const { return m_file.has(full(name)); }

    /// An integer in [low, high]; an array of equal ones (per layer) counts as one.
    int64_t integer(const char* name, int64_t low, int64_t high, std::optional<int64_t> fallback = {})
    {
        const std::string key = full(name);
        const GgufEntry* entry = m_file.find(key);
        if (!entry && fallback) {
            return *fallback;
        }
        int64_t value = 0;
        if (entry && entry->isArray) {
            auto values = m_file.integers(key);
            if (!keep(values)) {
                return 0;
            }
            if (values->empty()
                || std::any_of(values->begin(), values->end(), [&](int64_t v) { return v != values->front(); })) {
                set(unsupported("a different number in each layer", key,
                    "Kvasir does not support different values of " + key + " in the layers of a model"));
                return 0;
            }
            value = values->front();
        } else {
            auto read = m_file.i64(key);
            if (!keep(read)) {
                return 0;
            }
            value = *read;
        }
        if (value < low || value > high) {
            set(malformed(m_file, key,
                key + " is " + std::to_string(value) + ", expected " + std::to_string(low) + " to "
                    + std::to_string(high)));
            return 0;
        }
        return value;
    }

    /// A finite number in [low, high].
    double number(const char* name, double low, double high, std::optional<double> fallback = {})
    {
        const std::string key = full(name);
        if (fallback && !m_file.has(key)) {
            return *fallback;
        }
        auto value = m_file.f64(key);
        if (!keep(value)) {
            return low;
        }
        if (!(*value >= low && *value <= high)) { // also refuses a NaN
            set(malformed(m_file, key, key + " is " + std::to_string(*value) + ", which makes no sense there"));
            return low;
        }
        return *value;
    }

    bool boolean(const char* name, bool fallback)
    {
        auto value = m_file.boolean(full(name), fallback);
        return keep(value) && *value;
    }

    /// A key of Kvasir's own, which stands for what GGUF has no key for.
    bool own(const char* key, bool fallback)
    {
        auto value = m_file.boolean(key, fallback);
        return keep(value) && *value;
    }

    std::string_view string(const char* name, std::string_view fallback)
    {
        auto value = m_file.string(full(name), fallback);
        return keep(value) ? *value : fallback;
    }

    void set(Failure failure)
    {
        if (!m_error) {
            m_error = std::move(failure.error);
        }
    }

private:
    template <class T> bool keep(const Result<T>& result)
    {
        if (!result && !m_error) {
            m_error = result.error();
        }
        return result.has_value();
    }

    const ModelFile& m_file;
    const std::string m_prefix;
    std::optional<Error> m_error;
};

constexpr double kMaxNumber = 1e30;
constexpr double kTiny = 1e-30;
constexpr int kMaxExperts = 1 << 12;
constexpr uint64_t kMaxVocabulary = 1 << 26;

/// Keys that change the arithmetic in ways that only some architectures have. `neutral` is the value that changes
/// nothing.
struct FeatureKey {
    const char* name;
    double neutral;
    bool ArchitectureTraits::*allowed; ///< null: no architecture that Kvasir knows
};

constexpr FeatureKey kFeatureKeys[] = {
    {"expert_count", 0, &ArchitectureTraits::experts},
    {"expert_shared_count", 0, nullptr},
    {"expert_group_count", 0, nullptr},
    {"expert_weights_scale", 1, nullptr},
    {"expert_gating_func", 1, nullptr}, // softmax
    {"leading_dense_block_count", 0, nullptr},
    {"attention.clamp_kqv", 0, nullptr},
    {"attention.max_alibi_bias", 0, nullptr},
    {"attention.temperature_length", 0, nullptr},
    {"attention.temperature_scale", 0, nullptr},
    {"rope.scaling.yarn_log_multiplier", 0, nullptr},
    {"attn_logit_softcapping", 0, &ArchitectureTraits::softCaps},
    {"final_logit_softcapping", 0, &ArchitectureTraits::softCaps},
    {"attention.scale", 0, &ArchitectureTraits::scales},
    {"embedding_scale", 1, &ArchitectureTraits::scales},
    {"residual_scale", 1, &ArchitectureTraits::scales},
};

void refuseUnknownFeatures(KeyReader& keys, const ArchitectureTraits& traits)
{
    for (const FeatureKey& feature : kFeatureKeys) {
        if ((feature.allowed && traits.*feature.allowed) || !keys.has(feature.name)) {
            continue;
        }
        if (keys.number(feature.name, -kMaxNumber, kMaxNumber) != feature.neutral) {
            keys.set(unsupported("feature", keys.full(feature.name),
                "Kvasir does not support " + keys.full(feature.name) + " in architecture " + std::string(traits.name)));
        }
    }
    if (!traits.scales && !traits.logitScale && keys.number("logit_scale", -kMaxNumber, kMaxNumber, 1.0) != 1.0) {
        keys.set(unsupported("feature", keys.full("logit_scale"),
            "Kvasir does not support " + keys.full("logit_scale") + " in architecture " + std::string(traits.name)));
    }
    if (!keys.boolean("attention.causal", true)) {
        keys.set(unsupported(
            "feature", keys.full("attention.causal"), "Kvasir does not support models without a causal mask"));
    }
}

/// Heads, widths and ranges.
void readSizes(KeyReader& keys, const ModelFile& file, ModelConfig& config)
{
    const ArchitectureTraits& traits = *config.traits;
    auto count = [&](const char* name, int64_t high, std::optional<int64_t> fallback = {}) {
        return static_cast<int>(keys.integer(name, 1, high, fallback));
    };
    // A layer has several tensors, so that more layers than tensors can not be; this bounds all that follows.
    config.layers = count("block_count", static_cast<int64_t>(std::max<size_t>(file.tensors().size(), 1)));
    config.width = count("embedding_length", 1 << 20);
    if (traits.experts) {
        config.experts = static_cast<int>(keys.integer("expert_count", 0, kMaxExperts, 0));
    }
    if (config.experts > 0) {
        config.expertsPerRow = count("expert_used_count", config.experts);
    }
    config.feedForward = config.experts > 0 && keys.has("expert_feed_forward_length")
        ? count("expert_feed_forward_length", 1 << 24)
        : count("feed_forward_length", 1 << 24);
    config.heads = count("attention.head_count", 1 << 16);
    config.kvHeads = count("attention.head_count_kv", 1 << 16, config.heads);
    config.trainedContext = static_cast<int>(
        std::min<int64_t>(keys.integer("context_length", 1, std::numeric_limits<int64_t>::max()), kMaxContext));
    config.epsilon = static_cast<float>(
        keys.number(traits.norm == NormKind::Rms ? "attention.layer_norm_rms_epsilon" : "attention.layer_norm_epsilon",
            kTiny, 1.0));
    if (keys.error()) {
        return;
    }
    if (config.heads % config.kvHeads != 0) {
        keys.set(malformed(file, keys.full("attention.head_count_kv"),
            std::to_string(config.heads) + " heads can not share " + std::to_string(config.kvHeads)
                + " key/value heads evenly"));
        return;
    }
    if (!keys.has("attention.key_length") && config.width % config.heads != 0) {
        keys.set(malformed(file, keys.full("attention.head_count"),
            "The embedding length " + std::to_string(config.width) + " can not be divided by "
                + std::to_string(config.heads) + " heads"));
        return;
    }
    config.headSize = count("attention.key_length", cpu::kMaxHeadSize, config.width / config.heads);
    const int valueSize = count("attention.value_length", cpu::kMaxHeadSize, config.width / config.heads);
    if (!keys.error() && config.headSize != valueSize) {
        keys.set(unsupported("feature", keys.full("attention.value_length"),
            "Kvasir does not support heads whose keys and values differ in size"));
    }
}

void readScales(KeyReader& keys, ModelConfig& config)
{
    const ArchitectureTraits& traits = *config.traits;
    config.attentionScale = 1 / std::sqrt(static_cast<float>(config.headSize));
    if (traits.widthScaleLayers == config.layers) {
        config.attentionScale = 1 / std::sqrt(static_cast<float>(config.width / config.heads));
    }
    if (traits.embeddingTimesRoot) {
        config.embeddingScale = std::sqrt(static_cast<float>(config.width));
    }
    if (traits.softCaps) {
        config.attentionSoftCap = static_cast<float>(keys.number("attn_logit_softcapping", 0, kMaxNumber, 0.0));
        config.finalSoftCap = static_cast<float>(keys.number("final_logit_softcapping", 0, kMaxNumber, 0.0));
    }
    if (traits.scales) {
        config.embeddingScale = static_cast<float>(keys.number("embedding_scale", kTiny, kMaxNumber, 1.0));
        config.residualScale = static_cast<float>(keys.number("residual_scale", kTiny, kMaxNumber, 1.0));
        config.logitScale = 1 / static_cast<float>(keys.number("logit_scale", kTiny, kMaxNumber, 1.0));
        config.attentionScale = static_cast<float>(
            keys.number("attention.scale", kTiny, kMaxNumber, static_cast<double>(config.attentionScale)));
    } else if (traits.logitScale) {
        config.logitScale = static_cast<float>(keys.number("logit_scale", kTiny, kMaxNumber, 1.0));
    }
}

/// Which layers see a window only.
void readWindows(KeyReader& keys, const ModelFile& file, ModelConfig& config)
{
    const ArchitectureTraits& traits = *config.traits;
    config.layer.resize(static_cast<size_t>(config.layers));
    const auto window = static_cast<int>(keys.integer("attention.sliding_window", 0, kMaxContext, 0));
    if (window == 0 || keys.error()) {
        return;
    }
    if (traits.window == WindowRule::None) {
        keys.set(unsupported("feature", keys.full("attention.sliding_window"),
            "Kvasir does not support a sliding window in architecture " + config.architecture));
        return;
    }
    const std::string patternKey = keys.full("attention.sliding_window_pattern");
    const GgufEntry* entry = file.find(patternKey);
    std::vector<int64_t> windowed;
    int64_t period = traits.window == WindowRule::AllLayers ? 0 : traits.windowPattern;
    if (entry && entry->isArray) {
        auto values = file.integers(patternKey);
        if (!values) {
            keys.set(Failure{values.error()});
            return;
        }
        if (values->size() != config.layer.size()) {
            keys.set(malformed(file, patternKey,
                patternKey + " has " + std::to_string(values->size()) + " entries for " + std::to_string(config.layers)
                    + " layers"));
            return;
        }
        windowed = std::move(*values);
    } else if (entry) {
        period = keys.integer("attention.sliding_window_pattern", 0, config.layers + 1);
    }
    for (size_t i = 0; i < config.layer.size(); ++i) {
        const bool global = !windowed.empty() ? windowed[i] == 0
            : period > 0                      ? i % static_cast<size_t>(period) == static_cast<size_t>(period) - 1
                                              : false;
        config.layer[i].window = global ? 0 : window;
    }
}

RopeScaling readScaling(KeyReader& keys, const ModelConfig& config)
{
    RopeScaling scaling;
    const double legacy = keys.number("rope.scale_linear", kTiny, kMaxNumber, 1.0);
    scaling.factor = keys.number("rope.scaling.factor", kTiny, kMaxNumber, legacy);
    scaling.attentionFactor = keys.number("rope.scaling.attn_factor", kTiny, kMaxNumber, 1.0);
    const std::string_view kind = keys.string("rope.scaling.type", scaling.factor == 1 ? "none" : "linear");
    if (kind == "linear") {
        scaling.kind = RopeScaling::Kind::Linear;
    } else if (kind == "yarn") {
        scaling.kind = RopeScaling::Kind::Yarn;
        scaling.originalContext =
            keys.number("rope.scaling.original_context_length", 1, kMaxNumber, config.trainedContext);
        scaling.extrapolation = keys.number("rope.scaling.yarn_ext_factor", 0, 1, 1.0);
        scaling.attentionFactor =
            keys.number("rope.scaling.yarn_attn_factor", kTiny, kMaxNumber, scaling.attentionFactor);
        scaling.betaFast = keys.number("rope.scaling.yarn_beta_fast", kTiny, kMaxNumber, 32.0);
        scaling.betaSlow = keys.number("rope.scaling.yarn_beta_slow", kTiny, kMaxNumber, 1.0);
        scaling.wholeDimensions = keys.own("kvasir.yarn_whole_dimensions", true);
    } else if (kind != "none" && !(kind == "longrope" && config.traits->longRope)) {
        keys.set(unsupported(
            "rope scaling", std::string(kind), "Kvasir does not support the rope scaling '" + std::string(kind) + "'"));
    }
    return scaling;
}

/// The divisors of frequencies in tensor `name`, checked; empty where the file has no such tensor.
Result<std::vector<float>> readRopeFactors(const ModelFile& file, const std::string& name, int dimensions)
{
    const StoredTensor* tensor = file.tensor(name);
    if (!tensor) {
        return std::vector<float>();
    }
    const auto wanted = static_cast<uint64_t>(dimensions / 2);
    if (tensor->elements() != wanted || wanted % blockShape(tensor->type).values != 0) {
        return malformed(file, "shape of " + name,
            "Tensor " + name + " has " + std::to_string(tensor->elements()) + " values, but "
                + std::to_string(dimensions) + " dimensions turn and ask for " + std::to_string(wanted));
    }
    std::vector<float> factors(wanted);
    std::vector<std::byte> made;
    dequantizeRow(tensor->type, tensor->readRows(0, tensor->rows(), made), factors.data(), wanted);
    for (float factor : factors) {
        if (!(factor > 0) || !std::isfinite(factor)) {
            return malformed(file, name, "Tensor " + name + " holds " + std::to_string(factor));
        }
    }
    return factors;
}

/// LongRoPE (Ding et al. 2024) has divisors for sequences up to the length of the first training and others for longer
/// ones. Which it is can not change within a sequence, whose cached keys are turned already: the context decides.
Result<void> readLongRope(
    KeyReader& keys, const ModelFile& file, ModelConfig& config, int dimensions, double base, RopeScaling scaling)
{
    auto shortFactors = readRopeFactors(file, "rope_factors_short.weight", dimensions);
    KVASIR_TRY(shortFactors);
    auto longFactors = readRopeFactors(file, "rope_factors_long.weight", dimensions);
    KVASIR_TRY(longFactors);
    if (shortFactors->empty() != longFactors->empty()) {
        const std::string missing = shortFactors->empty() ? "rope_factors_short.weight" : "rope_factors_long.weight";
        return fail(
            ErrorCode::MissingTensor, "The file has no tensor " + missing, {{"path", file.path()}, {"name", missing}});
    }
    if (longFactors->empty()) {
        return {};
    }
    config.originalContext =
        static_cast<int>(keys.integer("rope.scaling.original_context_length", 1, kMaxContext, config.trainedContext));
    scaling.divisors = *shortFactors;
    config.ropes[0] = makeRope(dimensions, base, scaling);
    scaling.divisors = *longFactors;
    config.longRope = makeRope(dimensions, base, scaling);
    return {};
}

Result<void> readRopes(KeyReader& keys, const ModelFile& file, ModelConfig& config)
{
    const ArchitectureTraits& traits = *config.traits;
    const auto dimensions = static_cast<int>(keys.integer("rope.dimension_count", 1, config.headSize, config.headSize));
    const double base = keys.number("rope.freq_base", 1e-3, kMaxNumber, 10000.0);
    RopeScaling scaling = readScaling(keys, config);
    config.ropeStyle = keys.own("kvasir.rope_halves", false) ? cpu::RopeStyle::Halves : traits.rope;
    if (keys.error()) {
        return Failure{*keys.error()};
    }
    if (dimensions % 2 != 0) {
        return malformed(file, keys.full("rope.dimension_count"),
            "An odd number of dimensions (" + std::to_string(dimensions) + ") can not turn in pairs");
    }
    std::vector<float> factors;
    if (traits.ropeFactors) {
        auto read = readRopeFactors(file, "rope_freqs.weight", dimensions);
        KVASIR_TRY(read);
        factors = *std::move(read);
    }
    scaling.divisors = factors;
    config.ropes.push_back(makeRope(dimensions, base, scaling));
    if (traits.longRope) {
        KVASIR_TRY(readLongRope(keys, file, config, dimensions, base, scaling));
    }
    const bool hasWindows = std::any_of(
        config.layer.begin(), config.layer.end(), [](const LayerConfig& layer) { return layer.window > 0; });
    if (hasWindows && !traits.windowKeepsBase) {
        const double localBase = keys.number("rope.freq_base_swa", 1e-3, kMaxNumber, 10000.0);
        if (keys.error()) {
            return Failure{*keys.error()};
        }
        config.ropes.push_back(makeRope(dimensions, localBase, {}));
    }
    for (size_t i = 0; i < config.layer.size(); ++i) {
        LayerConfig& layer = config.layer[i];
        const bool skipped = traits.noRopeEvery > 0 && (i + 1) % static_cast<size_t>(traits.noRopeEvery) == 0;
        if (skipped || (traits.globalWithoutRope && hasWindows && layer.window == 0)) {
            layer.rope = -1;
        } else {
            layer.rope = layer.window > 0 && config.ropes.size() > 1 ? 1 : 0;
        }
    }
    return {};
}

} // namespace

Result<ModelConfig> readModelConfig(const ModelFile& file)
{
    ModelConfig config;
    auto architecture = file.string("general.architecture");
    KVASIR_TRY(architecture);
    config.architecture = *architecture;
    config.traits = findTraits(*architecture);
    if (!config.traits) {
        return unsupported(
            "architecture", config.architecture, "Kvasir does not know the architecture '" + config.architecture + "'");
    }
    config.name = file.string("general.name", "").has_value() ? *file.string("general.name", "") : "";
    KeyReader keys(file, config.architecture);
    refuseUnknownFeatures(keys, *config.traits);
    readSizes(keys, file, config);
    if (!keys.error()) {
        readScales(keys, config);
        readWindows(keys, file, config);
    }
    if (keys.error()) {
        return Failure{*keys.error()};
    }
    KVASIR_TRY(readRopes(keys, file, config));

    const GgufEntry* tokens = file.find("tokenizer.ggml.tokens");
    if (!tokens || !tokens->isArray) {
        return fail(ErrorCode::MissingMetadata, "The file has no vocabulary (tokenizer.ggml.tokens)",
            {{"path", file.path()}, {"key", "tokenizer.ggml.tokens"}});
    }
    if (tokens->count == 0 || tokens->count > kMaxVocabulary) {
        return malformed(file, "tokenizer.ggml.tokens",
            "A vocabulary of " + std::to_string(tokens->count) + " tokens makes no sense");
    }
    config.vocabulary = static_cast<int>(tokens->count);
    config.tiedHead = file.tensor("output.weight") == nullptr;
    KVASIR_TRY(refuseUnusedTensors(file, config));
    for (const StoredTensor& tensor : file.tensors()) {
        config.parameters += tensor.elements();
    }
    return config;
}

} // namespace kvasir
