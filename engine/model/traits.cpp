#include "model/traits.h"

#include <array>

namespace kvasir {

namespace {

constexpr std::array kTraits = {
    ArchitectureTraits{
        .name = "llama",
        .rope = cpu::RopeStyle::Pairs,
        .biases = Biases::Optional,
        .window = WindowRule::AllLayers,
        .ropeFactors = true,
    },
    ArchitectureTraits{.name = "qwen2", .biases = Biases::Qkv},
    ArchitectureTraits{.name = "qwen3", .qkNorm = QkNorm::PerHead},
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
