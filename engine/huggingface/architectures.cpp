#include "huggingface/architectures.h"

#include <array>

namespace kvasir {

namespace {

constexpr std::array kArchitectures = {
    HuggingFaceArchitecture{.className = "LlamaForCausalLM", .name = "llama", .turnsHalves = true},
    HuggingFaceArchitecture{.className = "MistralForCausalLM", .name = "llama", .turnsHalves = true},
    HuggingFaceArchitecture{.className = "MixtralForCausalLM", .name = "llama", .turnsHalves = true},
    HuggingFaceArchitecture{.className = "Qwen2ForCausalLM", .name = "qwen2"},
    HuggingFaceArchitecture{.className = "Qwen3ForCausalLM", .name = "qwen3"},
    HuggingFaceArchitecture{.className = "Qwen3MoeForCausalLM", .name = "qwen3moe"},
    HuggingFaceArchitecture{.className = "Gemma2ForCausalLM",
        .name = "gemma2",
        .normsFromOne = true,
        .tiedByDefault = true,
        .postAttentionNorm = "post_attention_norm"},
    HuggingFaceArchitecture{.className = "Gemma3ForCausalLM",
        .name = "gemma3",
        .normsFromOne = true,
        .tiedByDefault = true,
        .postAttentionNorm = "post_attention_norm"},
    HuggingFaceArchitecture{.className = "Phi3ForCausalLM", .name = "phi3"},
    HuggingFaceArchitecture{
        .className = "SmolLM3ForCausalLM", .name = "smollm3", .turnsHalves = true, .tiedByDefault = true},
    HuggingFaceArchitecture{
        .className = "Olmo2ForCausalLM", .name = "olmo2", .postAttentionNorm = "post_attention_norm"},
    HuggingFaceArchitecture{.className = "GraniteForCausalLM", .name = "granite", .turnsHalves = true},
    HuggingFaceArchitecture{.className = "CohereForCausalLM", .name = "command-r", .tiedByDefault = true},
    HuggingFaceArchitecture{
        .className = "Exaone4ForCausalLM", .name = "exaone4", .postAttentionNorm = "post_attention_norm"},
    HuggingFaceArchitecture{
        .className = "GptOssForCausalLM", .name = "gpt-oss", .postAttentionNorm = "post_attention_norm"},
};

} // namespace

Result<const HuggingFaceArchitecture*> findHuggingFaceArchitecture(
    const nlohmann::json& config, const std::string& path)
{
    const auto list = config.is_object() ? config.find("architectures") : config.end();
    if (!config.is_object() || list == config.end() || !list->is_array() || list->empty()
        || !list->front().is_string()) {
        return fail(ErrorCode::Malformed,
            "'" + path + "' names no architecture; it must be the config.json of a whole language model",
            {{"path", path}, {"what", "architectures"}});
    }
    const auto className = list->front().get<std::string>();
    for (const HuggingFaceArchitecture& architecture : kArchitectures) {
        if (architecture.className == className) {
            return &architecture;
        }
    }
    return fail(ErrorCode::Unsupported,
        "Kvasir does not know the architecture '" + className.substr(0, 80)
            + "' as a Hugging Face folder; look for a GGUF file of the model",
        {{"what", "architecture"}, {"name", className}});
}

} // namespace kvasir
