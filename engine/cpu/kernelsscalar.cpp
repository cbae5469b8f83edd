#define KVASIR_SIMD_HEADER "cpu/simdscalar.h"
#include "cpu/kernelsets.h"
#include "cpu/kerneltable.h"

namespace kvasir::cpu {

constinit const Kernels kScalarKernels = kernelTable(InstructionSet::Scalar);

} // namespace kvasir::cpu
