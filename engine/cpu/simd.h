#pragma once

// The vocabulary that the kernels are written in, for the instruction set that the including .cpp chose by
// KVASIR_SIMD_HEADER.

// Registers must stay registers: gcc leaves a function of thirty instructions out of line when it is called twice.
#define KVASIR_INLINE inline __attribute__((always_inline))

// Keeps what was loaded through `pointer` from being used again without another load: where registers are used up, gcc
// would spill sums to keep broadcasts.
#define KVASIR_REREAD(pointer) asm("" : "+r"(pointer))

#ifndef KVASIR_SIMD_HEADER
#define KVASIR_SIMD_HEADER "cpu/simdscalar.h"
#endif
#include KVASIR_SIMD_HEADER
