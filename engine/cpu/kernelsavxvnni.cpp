// Compiled with -m flags of its own (flags.cmake); empty for other processors.
#if defined(__AVXVNNI__)

#define KVASIR_SIMD_HEADER "cpu/simdavxvnni.h"
#include "cpu/kernelsets.h"
#include "cpu/kerneltable.h"

namespace kvasir::cpu {

constinit const Kernels kAvxVnniKernels = kernelTable(InstructionSet::AvxVnni);

} // namespace kvasir::cpu

#endif
