#pragma once

// The vocabulary that the kernels are written in, for the instruction set that the including .cpp chose by
// KVASIR_SIMD_HEADER.

#ifndef KVASIR_SIMD_HEADER
#define KVASIR_SIMD_HEADER "cpu/simdscalar.h"
#endif
#include KVASIR_SIMD_HEADER
