#include "cpu/kernels.h"

#include "cpu/kernelsets.h"

#include <algorithm>

namespace kvasir::cpu {

const Kernels& kernelsFor(InstructionSet set)
{
#if defined(__x86_64__)
    if (set == InstructionSet::Avx512Vnni) {
        return kAvx512VnniKernels;
    }
    if (set == InstructionSet::AvxVnni) {
        return kAvxVnniKernels;
    }
    if (set == InstructionSet::Avx2) {
        return kAvx2Kernels;
    }
#elif defined(__aarch64__)
    if (set == InstructionSet::NeonDot) {
        return kNeonDotKernels;
    }
    if (set == InstructionSet::Neon) {
        return kNeonKernels;
    }
#else
    static_cast<void>(set);
#endif
    return kScalarKernels;
}

size_t matmulScratchBytes(const PackedMatrix& matrix)
{
    if (!usesInt8Activations(matrix.type)) {
        return 0;
    }
    // Two panels: 32 x 16 codes, two scales and two minima of 16 lanes a group. The same for every instruction set, so
    // that the memory a model takes does not depend on it.
    constexpr size_t kGroupBytes = 32 * kPanelRows + 4 * kPanelRows * sizeof(float);
    return 2 * static_cast<size_t>(matrix.columns / kGroupColumns) * kGroupBytes;
}

int panelUnit(InstructionSet set, TensorType type, int n)
{
    if (set != InstructionSet::Avx512Vnni || n < 3) {
        return usesInt8Activations(type) || n > 2 ? 1 : 2;
    }
    return usesInt8Activations(type) ? (n > 4 ? 2 : 1) : 3;
}

} // namespace kvasir::cpu
