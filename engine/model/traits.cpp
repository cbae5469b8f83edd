#include "model/traits.h"

#include <array>

namespace kvasir {

namespace {

constexpr std::array kTraits = {
    ArchitectureTraits{
        .name = "llama",
        .rope = cpu::RopeStyle::Pairs,
        .biases = Biases::Optional,
        .experts = true, // Mixtral
        .window = WindowRule::AllLayers,
        .ropeFactors = true,
    },
    ArchitectureTraits{.name = "qwen2", .biases = Biases::Qkv},
    ArchitectureTraits{.name = "qwen3", .qkNorm = QkNorm::PerHead},
    ArchitectureTraits{.name = "qwen3moe", .qkNorm = QkNorm::PerHead, .experts = true},
    ArchitectureTraits{
        .name = "gemma3",
        .normPlace = NormPlace::Both,
        .qkNorm = QkNorm::PerHead,
        .activation = cpu::Activation::GeluTanh,
        .window = WindowRule::Pattern,
        .windowPattern = 6,
        .windowKeepsBase = false,
        .embeddingTimesRoot = true,
        .widthScaleLayers = 62,
        .softCaps = true,
    },
    ArchitectureTraits{
        .name = "gemma2",
        .normPlace = NormPlace::Both,
        .activation = cpu::Activation::GeluTanh,
        .window = WindowRule::Pattern,
        .windowPattern = 2,
        .embeddingTimesRoot = true,
        .widthScaleLayers = 46,
        .softCaps = true,
    },
    ArchitectureTraits{.name = "phi3", .window = WindowRule::AllLayers, .longRope = true, .fusedProjections = true},
    ArchitectureTraits{.name = "smollm3", .rope = cpu::RopeStyle::Pairs, .biases = Biases::Optional, .noRopeEvery = 4},
    ArchitectureTraits{.name = "olmo2", .normPlace = NormPlace::After, .qkNorm = QkNorm::WholeRow},
    ArchitectureTraits{.name = "granite", .rope = cpu::RopeStyle::Pairs, .biases = Biases::Optional, .scales = true},
    ArchitectureTraits{
        .name = "command-r",
        .norm = NormKind::Layer,
        .parallel = true,
        .rope = cpu::RopeStyle::Pairs,
        .logitScale = true,
    },
    ArchitectureTraits{
        .name = "exaone4",
        .normPlace = NormPlace::After,
        .qkNorm = QkNorm::PerHead,
        .window = WindowRule::Pattern,
        .windowPattern = 4,
        .globalWithoutRope = true,
        .ropeFactors = true,
    },
    ArchitectureTraits{
        .name = "gpt-oss",
        .activation = cpu::Activation::ClampedSilu,
        .biases = Biases::Optional,
        .experts = true,
        .sinks = true,
        .feedForwardNorm = "post_attention_norm",
        .window = WindowRule::Pattern,
        .windowPattern = 2,
    },
};

} // namespace

const ArchitectureTraits* findTraits(std::string_view architecture)
{
    for (const ArchitectureTraits& traits : kTraits) {
        if (traits.name == architecture) {
            return &traits;
        }
    }
    return nullptr;
}

std::span<const ArchitectureTraits> allTraits()
{
    return kTraits;
}

} // namespace kvasir
