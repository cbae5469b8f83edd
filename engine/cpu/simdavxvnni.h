#pragma once

// The kernels' vocabulary for AVX2 with VNNI at 256 bits (AVX-VNNI): processors that have it without AVX-512.

#include "cpu/simd256.h"

namespace kvasir::cpu {
namespace {

inline constexpr int kTileRows = 4;
inline constexpr int kDirectTileRows = 4;
template <int Bits> inline constexpr int kDirectRows = 16;
inline constexpr bool kSplitsBytes = false;

template <int Bits, int First, int Steps, int Panels, int Rows, class Load>
KVASIR_INLINE void dotSteps(
    const Load& loadSteps, const int8_t* q, size_t stride, const int32_t (&start)[Rows], Integers (&sums)[Panels][Rows])
{
    static_assert(Panels == 1);
    __m256i lo[Rows];
    __m256i hi[Rows];
    KVASIR_UNROLL
    for (int j = 0; j < Rows; j++) {
        lo[j] = hi[j] = _mm256_set1_epi32(start[j]);
    }
    KVASIR_UNROLL
    for (int t = First / 2; t < (First + Steps) / 2; t++) {
        Bytes even;
        Bytes odd;
        loadSteps.template operator()<CodePart::Whole>(0, t, even, odd);
        KVASIR_UNROLL
        for (int j = 0; j < Rows; j++) {
            const int8_t* row = q + static_cast<size_t>(j) * stride + 8 * t;
            const __m256i x = _mm256_set1_epi32(loadAt<int32_t>(row));
            const __m256i y = _mm256_set1_epi32(loadAt<int32_t>(row + 4));
            lo[j] = _mm256_dpbusd_avx_epi32(lo[j], even.lo, x);
            hi[j] = _mm256_dpbusd_avx_epi32(hi[j], even.hi, x);
            lo[j] = _mm256_dpbusd_avx_epi32(lo[j], odd.lo, y);
            hi[j] = _mm256_dpbusd_avx_epi32(hi[j], odd.hi, y);
        }
    }
    KVASIR_UNROLL
    for (int j = 0; j < Rows; j++) {
        sums[0][j] = {lo[j], hi[j]};
    }
}

} // namespace
} // namespace kvasir::cpu
