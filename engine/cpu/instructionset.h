#pragma once

#include <string_view>
#include <vector>

namespace kvasir::cpu {

/// In rising order of speed. All give the same bits.
enum class InstructionSet {
    Scalar,
    Avx2,    ///< with FMA and F16C
    AvxVnni, ///< AVX2 and four products of bytes at once
    Avx512Vnni,
    Neon,    ///< 64-bit ARM
    NeonDot, ///< the same and four products of bytes at once (ARMv8.2)
};

/// "scalar", "AVX2", "AVX-VNNI", "AVX-512 VNNI", "NEON", "NEON dot product".
std::string_view instructionSetName(InstructionSet set);

/// Those that this CPU and this build can run, Scalar first.
std::vector<InstructionSet> availableInstructionSets();

/// The fastest available one, or a lower one that the environment variable KVASIR_CPU names: scalar, avx2, avxvnni,
/// avx512, neon, neondot. Other values change nothing.
InstructionSet bestInstructionSet();

} // namespace kvasir::cpu
