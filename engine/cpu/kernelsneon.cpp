// Empty for other processors.
#if defined(__aarch64__)

#define KVASIR_SIMD_HEADER "cpu/simdneon.h"
#include "cpu/kernelsets.h"
#include "cpu/kerneltable.h"

namespace kvasir::cpu {

constinit const Kernels kNeonKernels = kernelTable(InstructionSet::Neon);

} // namespace kvasir::cpu

#endif
