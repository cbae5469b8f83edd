#pragma once

// The kernels' vocabulary for AVX2, FMA and F16C.

#include "cpu/simd256.h"

namespace kvasir::cpu {
namespace {

inline constexpr int kTileRows = 4;
inline constexpr int kDirectTileRows = 4;
// Unpacking nibbles costs no more than loading them unpacked.
template <int Bits> inline constexpr int kDirectRows = Bits == 4 ? 16 : 4;
inline constexpr bool kSplitsBytes = true;

/// Adds `Adds` products of vpmaddubsw in int16, then widens. A product of two is at most 2 * (2^Bits - 1) * 128, so
/// that 8, 4 or 2 of them fit for 4, 5 or 6 bits.
template <int Bits, int First, int Steps, int Rows, class Load>
KVASIR_INLINE void dotNarrow(
    const Load& loadSteps, const int8_t* q, size_t stride, __m256i (&lo)[Rows], __m256i (&hi)[Rows])
{
    constexpr int kMostPairs = (Bits == 4 ? 8 : Bits == 5 ? 4 : 2) / 2;
    constexpr int kPairs = kMostPairs < Steps / 2 ? kMostPairs : Steps / 2;
    constexpr int kFirstPair = First / 2;
    constexpr int kLastPair = (First + Steps) / 2;
    static_assert(Steps / 2 % kPairs == 0);
    const __m256i ones = _mm256_set1_epi16(1);
    KVASIR_UNROLL
    for (int block = kFirstPair; block < kLastPair; block += kPairs) {
        __m256i a[Rows];
        __m256i b[Rows];
        KVASIR_UNROLL
        for (int t = block; t < block + kPairs; t++) {
            Bytes even;
            Bytes odd;
            loadSteps(0, t, even, odd);
            KVASIR_UNROLL
            for (int j = 0; j < Rows; j++) {
                const int8_t* row = q + static_cast<size_t>(j) * stride + 8 * t;
                const __m256i x = _mm256_set1_epi32(loadAt<int32_t>(row));
                const __m256i y = _mm256_set1_epi32(loadAt<int32_t>(row + 4));
                const __m256i p = _mm256_maddubs_epi16(even.lo, x);
                const __m256i r = _mm256_maddubs_epi16(even.hi, x);
                a[j] = t == block ? p : _mm256_add_epi16(a[j], p);
                b[j] = t == block ? r : _mm256_add_epi16(b[j], r);
                a[j] = _mm256_add_epi16(a[j], _mm256_maddubs_epi16(odd.lo, y));
                b[j] = _mm256_add_epi16(b[j], _mm256_maddubs_epi16(odd.hi, y));
                asm("" : "+x"(a[j]), "+x"(b[j]));
            }
        }
        KVASIR_UNROLL
        for (int j = 0; j < Rows; j++) {
            const __m256i p = _mm256_madd_epi16(a[j], ones);
            const __m256i r = _mm256_madd_epi16(b[j], ones);
            lo[j] = block == kFirstPair ? p : _mm256_add_epi32(lo[j], p);
            hi[j] = block == kFirstPair ? r : _mm256_add_epi32(hi[j], r);
        }
    }
}

template <int Bits, int First, int Steps, int Panels, int Rows, class Load>
KVASIR_INLINE void dotSteps(
    const Load& loadSteps, const int8_t* q, size_t stride, const int32_t (&start)[Rows], Integers (&sums)[Panels][Rows])
{
    static_assert(Panels == 1);
    __m256i lo[Rows];
    __m256i hi[Rows];
    if constexpr (Bits == 8) {
        // Two products of bytes do not fit in int16; those of their nibbles do.
        const auto low = [&](int i, int t, Bytes& even, Bytes& odd) {
            loadSteps.template operator()<CodePart::LowNibble>(i, t, even, odd);
        };
        const auto high = [&](int i, int t, Bytes& even, Bytes& odd) {
            loadSteps.template operator()<CodePart::HighNibble>(i, t, even, odd);
        };
        __m256i highLo[Rows];
        __m256i highHi[Rows];
        dotNarrow<4, First, Steps, Rows>(high, q, stride, highLo, highHi);
        KVASIR_REREAD(q);
        dotNarrow<4, First, Steps, Rows>(low, q, stride, lo, hi);
        KVASIR_UNROLL
        for (int j = 0; j < Rows; j++) {
            lo[j] = _mm256_add_epi32(lo[j], _mm256_slli_epi32(highLo[j], 4));
            hi[j] = _mm256_add_epi32(hi[j], _mm256_slli_epi32(highHi[j], 4));
        }
    } else {
        const auto whole = [&](int i, int t, Bytes& even, Bytes& odd) {
            loadSteps.template operator()<CodePart::Whole>(i, t, even, odd);
        };
        dotNarrow<Bits, First, Steps, Rows>(whole, q, stride, lo, hi);
    }
    KVASIR_UNROLL
    for (int j = 0; j < Rows; j++) {
        const __m256i s = _mm256_set1_epi32(start[j]);
        sums[0][j] = {_mm256_add_epi32(lo[j], s), _mm256_add_epi32(hi[j], s)};
    }
}

} // namespace
} // namespace kvasir::cpu
