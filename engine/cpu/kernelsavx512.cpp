// Compiled with -m flags of its own (flags.cmake); empty for other processors.
#if defined(__AVX512VNNI__)

#define KVASIR_SIMD_HEADER "cpu/simdavx512.h"
#include "cpu/kernelsets.h"
#include "cpu/kerneltable.h"

namespace kvasir::cpu {

constinit const Kernels kAvx512VnniKernels = kernelTable(InstructionSet::Avx512Vnni);

} // namespace kvasir::cpu

#endif
