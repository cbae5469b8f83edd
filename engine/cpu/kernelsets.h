#pragma once

#include "cpu/kernels.h"

namespace kvasir::cpu {

// The tables behind kernelsFor(), each in a file of its own flags.
extern const Kernels kScalarKernels;
extern const Kernels kAvx2Kernels;
extern const Kernels kAvx512VnniKernels;

} // namespace kvasir::cpu
