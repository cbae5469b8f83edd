#pragma once

// What AVX2 and AVX-VNNI share of the kernels' vocabulary: 16 lanes are two registers of 256 bits, with FMA and F16C.
// simdscalar.h tells what each word means. No function of the standard library is called: an inline one might be linked
// into files for older CPUs.

#include "cpu/kernels.h"
#include "cpu/packedlayout.h"

#include <immintrin.h>

#define KVASIR_UNROLL _Pragma("GCC unroll 16")

namespace kvasir::cpu {
namespace {

inline constexpr int kLanes = 16;
inline constexpr int kVectorRegisters = 8;
inline constexpr int kTilePanels = 1;
inline constexpr int kFloatTilePanels = 1;
inline constexpr int kFloatTileRows = 6; // 12 sums, 2 weights, 1 activation of 16 registers

struct Floats {
    __m256 lo;
    __m256 hi;
};
struct Integers {
    __m256i lo;
    __m256i hi;
};
struct Mask {
    __m256 lo;
    __m256 hi;
};
struct Bytes {
    __m256i lo;
    __m256i hi;
};

template <class T> KVASIR_INLINE T loadAt(const void* at)
{
    T value;
    __builtin_memcpy(&value, at, sizeof value);
    return value;
}
KVASIR_INLINE __m256i loadRegister(const void* p)
{
    return _mm256_loadu_si256(static_cast<const __m256i*>(p));
}
KVASIR_INLINE __m256i lanes(int shift)
{
    return _mm256_add_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), _mm256_set1_epi32(shift));
}
/// All bits in lanes below n.
KVASIR_INLINE __m256i firstLanes(int n)
{
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(n), lanes(0));
}

KVASIR_INLINE Floats zero()
{
    return {_mm256_setzero_ps(), _mm256_setzero_ps()};
}
KVASIR_INLINE Floats broadcast(float x)
{
    const __m256 v = _mm256_set1_ps(x);
    return {v, v};
}
KVASIR_INLINE Floats load(const float* p)
{
    return {_mm256_loadu_ps(p), _mm256_loadu_ps(p + 8)};
}
KVASIR_INLINE void store(float* p, const Floats& x)
{
    _mm256_storeu_ps(p, x.lo);
    _mm256_storeu_ps(p + 8, x.hi);
}
KVASIR_INLINE Floats loadPartial(const float* p, int n)
{
    return {_mm256_maskload_ps(p, firstLanes(n)), _mm256_maskload_ps(p + 8, firstLanes(n - 8))};
}
KVASIR_INLINE void storePartial(float* p, int n, const Floats& x)
{
    _mm256_maskstore_ps(p, firstLanes(n), x.lo);
    _mm256_maskstore_ps(p + 8, firstLanes(n - 8), x.hi);
}
KVASIR_INLINE Floats loadHalves(const void* p)
{
    const auto* at = static_cast<const __m128i*>(p);
    return {_mm256_cvtph_ps(_mm_loadu_si128(at)), _mm256_cvtph_ps(_mm_loadu_si128(at + 1))};
}
KVASIR_INLINE void storeHalves(uint16_t* p, const Floats& x)
{
    auto* at = reinterpret_cast<__m128i*>(p);
    _mm_storeu_si128(at, _mm256_cvtps_ph(x.lo, _MM_FROUND_TO_NEAREST_INT));
    _mm_storeu_si128(at + 1, _mm256_cvtps_ph(x.hi, _MM_FROUND_TO_NEAREST_INT));
}
KVASIR_INLINE Floats loadBfloatEven(const void* p)
{
    const __m256i a = _mm256_slli_epi32(loadRegister(p), 16);
    const __m256i b = _mm256_slli_epi32(loadRegister(static_cast<const std::byte*>(p) + 32), 16);
    return {_mm256_castsi256_ps(a), _mm256_castsi256_ps(b)};
}
KVASIR_INLINE Floats loadBfloatOdd(const void* p)
{
    const __m256i top = _mm256_set1_epi32(static_cast<int>(0xffff0000u));
    const __m256i a = _mm256_and_si256(loadRegister(p), top);
    const __m256i b = _mm256_and_si256(loadRegister(static_cast<const std::byte*>(p) + 32), top);
    return {_mm256_castsi256_ps(a), _mm256_castsi256_ps(b)};
}
KVASIR_INLINE Floats loadUnsignedBytes(const std::byte* p)
{
    const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    return {
        _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(v)), _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_srli_si128(v, 8)))};
}
KVASIR_INLINE Floats loadSignedBytes(const std::byte* p)
{
    const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    return {
        _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(v)), _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_srli_si128(v, 8)))};
}
KVASIR_INLINE Floats loadTwice(const float* p, int n)
{
    const __m256 v = _mm256_maskload_ps(p, firstLanes(n));
    return {_mm256_permutevar8x32_ps(v, _mm256_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3)),
        _mm256_permutevar8x32_ps(v, _mm256_setr_epi32(4, 4, 5, 5, 6, 6, 7, 7))};
}

KVASIR_INLINE Floats add(const Floats& a, const Floats& b)
{
    return {_mm256_add_ps(a.lo, b.lo), _mm256_add_ps(a.hi, b.hi)};
}
KVASIR_INLINE Floats sub(const Floats& a, const Floats& b)
{
    return {_mm256_sub_ps(a.lo, b.lo), _mm256_sub_ps(a.hi, b.hi)};
}
KVASIR_INLINE Floats mul(const Floats& a, const Floats& b)
{
    return {_mm256_mul_ps(a.lo, b.lo), _mm256_mul_ps(a.hi, b.hi)};
}
KVASIR_INLINE Floats div(const Floats& a, const Floats& b)
{
    return {_mm256_div_ps(a.lo, b.lo), _mm256_div_ps(a.hi, b.hi)};
}
KVASIR_INLINE Floats fma(const Floats& a, const Floats& b, const Floats& c)
{
    return {_mm256_fmadd_ps(a.lo, b.lo, c.lo), _mm256_fmadd_ps(a.hi, b.hi, c.hi)};
}
KVASIR_INLINE Floats fnma(const Floats& a, const Floats& b, const Floats& c)
{
    return {_mm256_fnmadd_ps(a.lo, b.lo, c.lo), _mm256_fnmadd_ps(a.hi, b.hi, c.hi)};
}
KVASIR_INLINE Floats max(const Floats& a, const Floats& b)
{
    return {_mm256_max_ps(a.lo, b.lo), _mm256_max_ps(a.hi, b.hi)};
}
KVASIR_INLINE Floats min(const Floats& a, const Floats& b)
{
    return {_mm256_min_ps(a.lo, b.lo), _mm256_min_ps(a.hi, b.hi)};
}
KVASIR_INLINE Floats absolute(const Floats& a)
{
    const __m256 sign = _mm256_set1_ps(-0.0f);
    return {_mm256_andnot_ps(sign, a.lo), _mm256_andnot_ps(sign, a.hi)};
}
KVASIR_INLINE Floats negate(const Floats& a)
{
    const __m256 sign = _mm256_set1_ps(-0.0f);
    return {_mm256_xor_ps(sign, a.lo), _mm256_xor_ps(sign, a.hi)};
}
KVASIR_INLINE Floats negateEven(const Floats& a)
{
    const __m256 sign = _mm256_setr_ps(-0.0f, 0, -0.0f, 0, -0.0f, 0, -0.0f, 0);
    return {_mm256_xor_ps(sign, a.lo), _mm256_xor_ps(sign, a.hi)};
}
KVASIR_INLINE Floats copySign(const Floats& magnitude, const Floats& sign)
{
    const __m256 bit = _mm256_set1_ps(-0.0f);
    return {_mm256_or_ps(_mm256_andnot_ps(bit, magnitude.lo), _mm256_and_ps(bit, sign.lo)),
        _mm256_or_ps(_mm256_andnot_ps(bit, magnitude.hi), _mm256_and_ps(bit, sign.hi))};
}
KVASIR_INLINE Floats swapPairs(const Floats& a)
{
    return {_mm256_permute_ps(a.lo, 0xB1), _mm256_permute_ps(a.hi, 0xB1)};
}
KVASIR_INLINE Floats round(const Floats& a)
{
    return {_mm256_round_ps(a.lo, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC),
        _mm256_round_ps(a.hi, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)};
}
KVASIR_INLINE __m256 timesPowerOf2(__m256 x, __m256 n)
{
    return _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(x), _mm256_slli_epi32(_mm256_cvtps_epi32(n), 23)));
}
KVASIR_INLINE Floats timesPowerOf2(const Floats& x, const Floats& n)
{
    return {timesPowerOf2(x.lo, n.lo), timesPowerOf2(x.hi, n.hi)};
}

KVASIR_INLINE Mask lessThan(const Floats& a, const Floats& b)
{
    return {_mm256_cmp_ps(a.lo, b.lo, _CMP_LT_OQ), _mm256_cmp_ps(a.hi, b.hi, _CMP_LT_OQ)};
}
KVASIR_INLINE Mask laneRange(int first, int last)
{
    const auto part = [&](int shift) {
        const __m256i at = lanes(shift);
        return _mm256_castsi256_ps(_mm256_andnot_si256(
            _mm256_cmpgt_epi32(_mm256_set1_epi32(first), at), _mm256_cmpgt_epi32(_mm256_set1_epi32(last), at)));
    };
    return {part(0), part(8)};
}
KVASIR_INLINE Floats select(const Mask& mask, const Floats& yes, const Floats& no)
{
    return {_mm256_blendv_ps(no.lo, yes.lo, mask.lo), _mm256_blendv_ps(no.hi, yes.hi, mask.hi)};
}

KVASIR_INLINE Floats toFloats(const Integers& a)
{
    return {_mm256_cvtepi32_ps(a.lo), _mm256_cvtepi32_ps(a.hi)};
}
KVASIR_INLINE __m256i toCodes(__m256 x)
{
    // Max first: a NaN becomes -127, and what is too large for an int32 never reaches the conversion.
    x = _mm256_min_ps(_mm256_max_ps(x, _mm256_set1_ps(-127)), _mm256_set1_ps(127));
    return _mm256_cvtps_epi32(x);
}
KVASIR_INLINE Integers toCodes(const Floats& a)
{
    return {toCodes(a.lo), toCodes(a.hi)};
}
KVASIR_INLINE void storeCodes(int8_t* p, const Integers& a)
{
    const __m256i words = _mm256_permute4x64_epi64(_mm256_packs_epi32(a.lo, a.hi), 0xD8);
    const __m128i bytes = _mm_packs_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(p), bytes);
}
KVASIR_INLINE int32_t sumLanes(const Integers& a)
{
    const __m256i eight = _mm256_add_epi32(a.lo, a.hi);
    __m128i four = _mm_add_epi32(_mm256_castsi256_si128(eight), _mm256_extracti128_si256(eight, 1));
    four = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4E));
    return _mm_cvtsi128_si32(_mm_add_epi32(four, _mm_shuffle_epi32(four, 0xB1)));
}
KVASIR_INLINE float sumLanes(const Floats& a)
{
    const __m256 eight = _mm256_add_ps(a.lo, a.hi);
    __m128 four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
    four = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(four, _mm_movehdup_ps(four)));
}
KVASIR_INLINE float maxLanes(const Floats& a)
{
    const __m256 eight = _mm256_max_ps(a.lo, a.hi);
    __m128 four = _mm_max_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
    four = _mm_max_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_max_ss(four, _mm_movehdup_ps(four)));
}
KVASIR_INLINE float largestMagnitude(const Floats& a, const Floats& b)
{
    const auto bits = [](__m256 x) { return _mm256_and_si256(_mm256_castps_si256(x), _mm256_set1_epi32(0x7fffffff)); };
    const __m256i eight =
        _mm256_max_epi32(_mm256_max_epi32(bits(a.lo), bits(a.hi)), _mm256_max_epi32(bits(b.lo), bits(b.hi)));
    __m128i four = _mm_max_epi32(_mm256_castsi256_si128(eight), _mm256_extracti128_si256(eight, 1));
    four = _mm_max_epi32(four, _mm_shuffle_epi32(four, 0x4E));
    four = _mm_max_epi32(four, _mm_shuffle_epi32(four, 0xB1));
    return _mm_cvtss_f32(_mm_castsi128_ps(four));
}

KVASIR_INLINE Bytes loadBytes(const std::byte* p)
{
    return {loadRegister(p), loadRegister(p + 32)};
}
KVASIR_INLINE void storeBytes(std::byte* p, const Bytes& x)
{
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), x.lo);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p + 32), x.hi);
}
KVASIR_INLINE void splitNibbles(const Bytes& x, Bytes& low, Bytes& high)
{
    const __m256i nibble = _mm256_set1_epi8(15);
    low = {_mm256_and_si256(x.lo, nibble), _mm256_and_si256(x.hi, nibble)};
    high = {_mm256_and_si256(_mm256_srli_epi16(x.lo, 4), nibble), _mm256_and_si256(_mm256_srli_epi16(x.hi, 4), nibble)};
}
template <int Shift, int Keep> KVASIR_INLINE __m256i addHighBits(__m256i code, __m256i high)
{
    // The bits that cross from one byte into its neighbour are masked away.
    const __m256i moved = Shift < 4 ? _mm256_slli_epi16(high, 4 - Shift) : _mm256_srli_epi16(high, Shift - 4);
    return _mm256_or_si256(code, _mm256_and_si256(moved, _mm256_set1_epi8(Keep << 4)));
}
template <int Shift, int Keep> KVASIR_INLINE Bytes addHighBits(const Bytes& code, const Bytes& high)
{
    return {addHighBits<Shift, Keep>(code.lo, high.lo), addHighBits<Shift, Keep>(code.hi, high.hi)};
}

KVASIR_INLINE void prefetch(const std::byte* p)
{
    _mm_prefetch(reinterpret_cast<const char*>(p), _MM_HINT_T1);
}

} // namespace
} // namespace kvasir::cpu
