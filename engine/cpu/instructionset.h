#pragma once

#include <string_view>
#include <vector>

namespace kvasir::cpu {

/// In rising order of speed. All give the same bits.
enum class InstructionSet { Scalar, Avx2, Avx512Vnni };

/// "scalar", "AVX2" (with FMA and F16C), "AVX-512 VNNI".
std::string_view instructionSetName(InstructionSet set);

/// Those that this CPU and this build can run, Scalar first.
std::vector<InstructionSet> availableInstructionSets();

/// The fastest available one, or a lower one that the environment variable KVASIR_ISA (scalar, avx2, avx512) names.
InstructionSet bestInstructionSet();

} // namespace kvasir::cpu
