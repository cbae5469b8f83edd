#pragma once

// The kernels' vocabulary for AVX-512 (x86-64-v4) with VNNI: 16 lanes are one register. simdscalar.h tells what each
// word means. No function of the standard library is called: an inline one might be linked into files for older CPUs.

#include "cpu/kernels.h"
#include "cpu/packedlayout.h"

#include <immintrin.h>

#define KVASIR_UNROLL _Pragma("GCC unroll 16")

namespace kvasir::cpu {
namespace {

inline constexpr int kLanes = 16;
inline constexpr int kVectorRegisters = 32;
inline constexpr int kTilePanels = 2;
inline constexpr int kTileRows = 6; // 12 integer and 12 float sums, 2 weights, 1 activation of 32 registers
inline constexpr int kFloatTilePanels = 3;
inline constexpr int kFloatTileRows = 8;  // 24 sums
inline constexpr int kDirectTileRows = 8; // 8 integer and 8 float sums
inline constexpr bool kSplitsBytes = false;
template <int Bits> inline constexpr int kDirectRows = 16;

struct Floats {
    __m512 v;
};
struct Integers {
    __m512i v;
};
struct Mask {
    __mmask16 v;
};
struct Bytes {
    __m512i v;
};

template <class T> KVASIR_INLINE T loadAt(const void* at)
{
    T value;
    __builtin_memcpy(&value, at, sizeof value);
    return value;
}
/// The lowest n lanes, n from below 0 to above 16.
KVASIR_INLINE __mmask16 firstLanes(int n)
{
    return static_cast<__mmask16>(n >= kLanes ? 0xffffu : n <= 0 ? 0u : (1u << n) - 1u);
}

KVASIR_INLINE Floats zero()
{
    return {_mm512_setzero_ps()};
}
KVASIR_INLINE Floats broadcast(float x)
{
    return {_mm512_set1_ps(x)};
}
KVASIR_INLINE Floats load(const float* p)
{
    return {_mm512_loadu_ps(p)};
}
KVASIR_INLINE void store(float* p, const Floats& x)
{
    _mm512_storeu_ps(p, x.v);
}
KVASIR_INLINE Floats loadPartial(const float* p, int n)
{
    return {_mm512_maskz_loadu_ps(firstLanes(n), p)};
}
KVASIR_INLINE void storePartial(float* p, int n, const Floats& x)
{
    _mm512_mask_storeu_ps(p, firstLanes(n), x.v);
}
KVASIR_INLINE Floats loadHalves(const void* p)
{
    return {_mm512_cvtph_ps(_mm256_loadu_si256(static_cast<const __m256i*>(p)))};
}
KVASIR_INLINE void storeHalves(uint16_t* p, const Floats& x)
{
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm512_cvtps_ph(x.v, _MM_FROUND_TO_NEAREST_INT));
}
KVASIR_INLINE Floats loadBfloatEven(const void* p)
{
    return {_mm512_castsi512_ps(_mm512_slli_epi32(_mm512_loadu_si512(p), 16))};
}
KVASIR_INLINE Floats loadBfloatOdd(const void* p)
{
    const __m512i top = _mm512_set1_epi32(static_cast<int>(0xffff0000u));
    return {_mm512_castsi512_ps(_mm512_and_si512(_mm512_loadu_si512(p), top))};
}
KVASIR_INLINE Floats loadUnsignedBytes(const std::byte* p)
{
    return {_mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))))};
}
KVASIR_INLINE Floats loadSignedBytes(const std::byte* p)
{
    return {_mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))))};
}
KVASIR_INLINE Floats loadTwice(const float* p, int n)
{
    const __m512 v = _mm512_maskz_loadu_ps(static_cast<__mmask16>(firstLanes(n) & 0xff), p);
    return {_mm512_permutexvar_ps(_mm512_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7), v)};
}

KVASIR_INLINE Floats add(const Floats& a, const Floats& b)
{
    return {_mm512_add_ps(a.v, b.v)};
}
KVASIR_INLINE Floats sub(const Floats& a, const Floats& b)
{
    return {_mm512_sub_ps(a.v, b.v)};
}
KVASIR_INLINE Floats mul(const Floats& a, const Floats& b)
{
    return {_mm512_mul_ps(a.v, b.v)};
}
KVASIR_INLINE Floats div(const Floats& a, const Floats& b)
{
    return {_mm512_div_ps(a.v, b.v)};
}
KVASIR_INLINE Floats fma(const Floats& a, const Floats& b, const Floats& c)
{
    return {_mm512_fmadd_ps(a.v, b.v, c.v)};
}
KVASIR_INLINE Floats fnma(const Floats& a, const Floats& b, const Floats& c)
{
    return {_mm512_fnmadd_ps(a.v, b.v, c.v)};
}
KVASIR_INLINE Floats max(const Floats& a, const Floats& b)
{
    return {_mm512_max_ps(a.v, b.v)};
}
KVASIR_INLINE Floats min(const Floats& a, const Floats& b)
{
    return {_mm512_min_ps(a.v, b.v)};
}
KVASIR_INLINE Floats absolute(const Floats& a)
{
    return {_mm512_andnot_ps(_mm512_set1_ps(-0.0f), a.v)};
}
KVASIR_INLINE Floats negate(const Floats& a)
{
    return {_mm512_xor_ps(_mm512_set1_ps(-0.0f), a.v)};
}
KVASIR_INLINE Floats negateEven(const Floats& a)
{
    return {_mm512_mask_xor_ps(a.v, 0x5555, a.v, _mm512_set1_ps(-0.0f))};
}
KVASIR_INLINE Floats copySign(const Floats& magnitude, const Floats& sign)
{
    const __m512 bit = _mm512_set1_ps(-0.0f);
    return {_mm512_or_ps(_mm512_andnot_ps(bit, magnitude.v), _mm512_and_ps(bit, sign.v))};
}
KVASIR_INLINE Floats swapPairs(const Floats& a)
{
    return {_mm512_permute_ps(a.v, 0xB1)};
}
KVASIR_INLINE Floats round(const Floats& a)
{
    return {_mm512_roundscale_ps(a.v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)};
}
KVASIR_INLINE Floats timesPowerOf2(const Floats& x, const Floats& n)
{
    const __m512i e = _mm512_slli_epi32(_mm512_cvtps_epi32(n.v), 23);
    return {_mm512_castsi512_ps(_mm512_add_epi32(_mm512_castps_si512(x.v), e))};
}

KVASIR_INLINE Mask lessThan(const Floats& a, const Floats& b)
{
    return {_mm512_cmp_ps_mask(a.v, b.v, _CMP_LT_OQ)};
}
KVASIR_INLINE Mask laneRange(int first, int last)
{
    return {static_cast<__mmask16>(firstLanes(last) & ~firstLanes(first))};
}
KVASIR_INLINE Floats select(const Mask& mask, const Floats& yes, const Floats& no)
{
    return {_mm512_mask_mov_ps(no.v, mask.v, yes.v)};
}

KVASIR_INLINE Floats toFloats(const Integers& a)
{
    return {_mm512_cvtepi32_ps(a.v)};
}
KVASIR_INLINE Integers toCodes(const Floats& a)
{
    // Max first: a NaN becomes -127, and what is too large for an int32 never reaches the conversion.
    const __m512 x = _mm512_min_ps(_mm512_max_ps(a.v, _mm512_set1_ps(-127)), _mm512_set1_ps(127));
    return {_mm512_cvtps_epi32(x)};
}
KVASIR_INLINE void storeCodes(int8_t* p, const Integers& a)
{
    _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm512_cvtepi32_epi8(a.v));
}
KVASIR_INLINE int32_t sumLanes(const Integers& a)
{
    return _mm512_reduce_add_epi32(a.v);
}
KVASIR_INLINE float sumLanes(const Floats& a)
{
    const __m256 eight = _mm256_add_ps(_mm512_castps512_ps256(a.v), _mm512_extractf32x8_ps(a.v, 1));
    __m128 four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
    four = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(four, _mm_movehdup_ps(four)));
}
KVASIR_INLINE float maxLanes(const Floats& a)
{
    return _mm512_reduce_max_ps(a.v);
}
KVASIR_INLINE float largestMagnitude(const Floats& a, const Floats& b)
{
    const __m512i magnitude = _mm512_set1_epi32(0x7fffffff);
    const __m512i x = _mm512_and_si512(_mm512_castps_si512(a.v), magnitude);
    const __m512i y = _mm512_and_si512(_mm512_castps_si512(b.v), magnitude);
    return __builtin_bit_cast(float, _mm512_reduce_max_epi32(_mm512_max_epi32(x, y)));
}

KVASIR_INLINE Bytes loadBytes(const std::byte* p)
{
    return {_mm512_loadu_si512(p)};
}
KVASIR_INLINE void storeBytes(std::byte* p, const Bytes& x)
{
    _mm512_storeu_si512(p, x.v);
}
KVASIR_INLINE void splitNibbles(const Bytes& x, Bytes& low, Bytes& high)
{
    const __m512i nibble = _mm512_set1_epi8(15);
    low = {_mm512_and_si512(x.v, nibble)};
    high = {_mm512_and_si512(_mm512_srli_epi16(x.v, 4), nibble)};
}
template <int Shift, int Keep> KVASIR_INLINE Bytes addHighBits(const Bytes& code, const Bytes& high)
{
    // The bits that cross from one byte into its neighbour are masked away.
    const __m512i moved = Shift < 4 ? _mm512_slli_epi16(high.v, 4 - Shift) : _mm512_srli_epi16(high.v, Shift - 4);
    constexpr int kAndOr = 0xEA; // (a & b) | c
    return {_mm512_ternarylogic_epi32(moved, _mm512_set1_epi8(Keep << 4), code.v, kAndOr)};
}

KVASIR_INLINE void prefetch(const std::byte* p)
{
    _mm_prefetch(reinterpret_cast<const char*>(p), _MM_HINT_T1);
}

template <int Bits, int First, int Steps, int Panels, int Rows, class Load>
KVASIR_INLINE void dotSteps(
    const Load& loadSteps, const int8_t* q, size_t stride, const int32_t (&start)[Rows], Integers (&sums)[Panels][Rows])
{
    __m512i s[Panels][Rows];
    KVASIR_UNROLL
    for (int j = 0; j < Rows; j++) {
        KVASIR_UNROLL
        for (int i = 0; i < Panels; i++) {
            s[i][j] = _mm512_set1_epi32(start[j]);
        }
    }
    KVASIR_UNROLL
    for (int t = First / 2; t < (First + Steps) / 2; t++) {
        Bytes even[Panels];
        Bytes odd[Panels];
        KVASIR_UNROLL
        for (int i = 0; i < Panels; i++) {
            loadSteps.template operator()<CodePart::Whole>(i, t, even[i], odd[i]);
        }
        KVASIR_UNROLL
        for (int j = 0; j < Rows; j++) {
            const int8_t* row = q + static_cast<size_t>(j) * stride + 8 * t;
            const __m512i x = _mm512_set1_epi32(loadAt<int32_t>(row));
            KVASIR_UNROLL
            for (int i = 0; i < Panels; i++) {
                s[i][j] = _mm512_dpbusd_epi32(s[i][j], even[i].v, x);
            }
        }
        KVASIR_UNROLL
        for (int j = 0; j < Rows; j++) {
            const int8_t* row = q + static_cast<size_t>(j) * stride + 8 * t + 4;
            const __m512i y = _mm512_set1_epi32(loadAt<int32_t>(row));
            KVASIR_UNROLL
            for (int i = 0; i < Panels; i++) {
                s[i][j] = _mm512_dpbusd_epi32(s[i][j], odd[i].v, y);
            }
        }
    }
    KVASIR_UNROLL
    for (int j = 0; j < Rows; j++) {
        KVASIR_UNROLL
        for (int i = 0; i < Panels; i++) {
            sums[i][j].v = s[i][j];
        }
    }
}

} // namespace
} // namespace kvasir::cpu
