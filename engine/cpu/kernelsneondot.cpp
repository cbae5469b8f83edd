// Compiled with -m flags of its own (flags.cmake); empty for other processors.
#if defined(__ARM_FEATURE_DOTPROD)

#define KVASIR_NEON_DOT
#define KVASIR_SIMD_HEADER "cpu/simdneon.h"
#include "cpu/kernelsets.h"
#include "cpu/kerneltable.h"

namespace kvasir::cpu {

constinit const Kernels kNeonDotKernels = kernelTable(InstructionSet::NeonDot);

} // namespace kvasir::cpu

#endif
