// Compiled with -m flags of its own (flags.cmake); empty for other processors.
#if defined(__AVX2__)

#define KVASIR_SIMD_HEADER "cpu/simdavx2.h"
#include "cpu/kernelsets.h"
#include "cpu/kerneltable.h"

namespace kvasir::cpu {

constinit const Kernels kAvx2Kernels = kernelTable(InstructionSet::Avx2);

} // namespace kvasir::cpu

#endif
