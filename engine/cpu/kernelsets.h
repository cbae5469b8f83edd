#pragma once

#include "cpu/kernels.h"

namespace kvasir::cpu {

// The tables behind kernelsFor(), each in a file of its own flags.
extern const Kernels kScalarKernels;
extern const Kernels kAvx2Kernels;
extern const Kernels kAvxVnniKernels;
extern const Kernels kAvx512VnniKernels;
extern const Kernels kNeonKernels;
extern const Kernels kNeonDotKernels;

} // namespace kvasir::cpu
