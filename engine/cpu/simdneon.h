#pragma once

// The kernels' vocabulary for 64-bit ARM: 16 lanes are four registers of 128 bits. simdscalar.h tells what each word
// means. With KVASIR_NEON_DOT four products are added by one sdot (ARMv8.2), else by widening. No function of the
// standard library is called: an inline one might be linked into files for older CPUs.

#include "cpu/kernels.h"
#include "cpu/packedlayout.h"

#include <arm_neon.h>

#define KVASIR_UNROLL _Pragma("GCC unroll 16")

namespace kvasir::cpu {
namespace {

inline constexpr int kLanes = 16;
inline constexpr int kVectorRegisters = 8;
inline constexpr int kTilePanels = 1;
inline constexpr int kTileRows = 4;
inline constexpr int kFloatTilePanels = 1;
inline constexpr int kFloatTileRows = 6; // 24 sums, 4 weights, 1 activation of 32 registers
inline constexpr int kDirectTileRows = 4;
inline constexpr bool kSplitsBytes = false;
// Unpacking nibbles costs no more than loading them unpacked.
template <int Bits> inline constexpr int kDirectRows = Bits == 4 ? 16 : 4;

inline constexpr int kParts = 4; ///< registers of 16 lanes

struct Floats {
    float32x4_t v[kParts];
};
struct Integers {
    int32x4_t v[kParts];
};
struct Mask {
    uint32x4_t v[kParts];
};
struct Bytes {
    uint8x16_t v[kParts];
};

template <class T> KVASIR_INLINE T loadAt(const void* at)
{
    T value;
    __builtin_memcpy(&value, at, sizeof value);
    return value;
}
/// f(part) for each register.
template <class F> KVASIR_INLINE Floats eachPart(F&& f)
{
    Floats o;
    KVASIR_UNROLL
    for (int i = 0; i < kParts; i++) {
        o.v[i] = f(i);
    }
    return o;
}
KVASIR_INLINE uint32x4_t bits(float32x4_t x)
{
    return vreinterpretq_u32_f32(x);
}
KVASIR_INLINE float32x4_t fromBits(uint32x4_t x)
{
    return vreinterpretq_f32_u32(x);
}

KVASIR_INLINE Floats zero()
{
    return eachPart([](int) { return vdupq_n_f32(0); });
}
KVASIR_INLINE Floats broadcast(float x)
{
    const float32x4_t v = vdupq_n_f32(x);
    return {{v, v, v, v}};
}
KVASIR_INLINE Floats load(const float* p)
{
    return eachPart([=](int i) { return vld1q_f32(p + 4 * i); });
}
KVASIR_INLINE void store(float* p, const Floats& x)
{
    KVASIR_UNROLL
    for (int i = 0; i < kParts; i++) {
        vst1q_f32(p + 4 * i, x.v[i]);
    }
}
KVASIR_INLINE Floats loadPartial(const float* p, int n)
{
    float lanes[kLanes] = {};
    for (int i = 0; i < n && i < kLanes; i++) {
        lanes[i] = p[i];
    }
    return load(lanes);
}
KVASIR_INLINE void storePartial(float* p, int n, const Floats& x)
{
    float lanes[kLanes];
    store(lanes, x);
    for (int i = 0; i < n && i < kLanes; i++) {
        p[i] = lanes[i];
    }
}
KVASIR_INLINE Floats loadHalves(const void* p)
{
    const auto* at = static_cast<const std::byte*>(p);
    return eachPart(
        [=](int i) { return vcvt_f32_f16(vreinterpret_f16_u64(vdup_n_u64(loadAt<uint64_t>(at + 8 * i)))); });
}
KVASIR_INLINE void storeHalves(uint16_t* p, const Floats& x)
{
    KVASIR_UNROLL
    for (int i = 0; i < kParts; i++) {
        vst1_u16(p + 4 * i, vreinterpret_u16_f16(vcvt_f16_f32(x.v[i])));
    }
}
KVASIR_INLINE uint32x4_t loadWords(const void* p, int part)
{
    return vreinterpretq_u32_u8(vld1q_u8(static_cast<const uint8_t*>(p) + 16 * part));
}
KVASIR_INLINE Floats loadBfloatEven(const void* p)
{
    return eachPart([=](int i) { return fromBits(vshlq_n_u32(loadWords(p, i), 16)); });
}
KVASIR_INLINE Floats loadBfloatOdd(const void* p)
{
    return eachPart([=](int i) { return fromBits(vandq_u32(loadWords(p, i), vdupq_n_u32(0xffff0000u))); });
}
KVASIR_INLINE Floats loadUnsignedBytes(const std::byte* p)
{
    const uint8x16_t bytes = vld1q_u8(reinterpret_cast<const uint8_t*>(p));
    const uint16x8_t low = vmovl_u8(vget_low_u8(bytes));
    const uint16x8_t high = vmovl_high_u8(bytes);
    return {{vcvtq_f32_u32(vmovl_u16(vget_low_u16(low))), vcvtq_f32_u32(vmovl_high_u16(low)),
        vcvtq_f32_u32(vmovl_u16(vget_low_u16(high))), vcvtq_f32_u32(vmovl_high_u16(high))}};
}
KVASIR_INLINE Floats loadSignedBytes(const std::byte* p)
{
    const int8x16_t bytes = vld1q_s8(reinterpret_cast<const int8_t*>(p));
    const int16x8_t low = vmovl_s8(vget_low_s8(bytes));
    const int16x8_t high = vmovl_high_s8(bytes);
    return {{vcvtq_f32_s32(vmovl_s16(vget_low_s16(low))), vcvtq_f32_s32(vmovl_high_s16(low)),
        vcvtq_f32_s32(vmovl_s16(vget_low_s16(high))), vcvtq_f32_s32(vmovl_high_s16(high))}};
}
KVASIR_INLINE Floats loadTwice(const float* p, int n)
{
    const Floats x = loadPartial(p, n < 8 ? n : 8);
    return {{vzip1q_f32(x.v[0], x.v[0]), vzip2q_f32(x.v[0], x.v[0]), vzip1q_f32(x.v[1], x.v[1]),
        vzip2q_f32(x.v[1], x.v[1])}};
}

KVASIR_INLINE Floats add(const Floats& a, const Floats& b)
{
    return eachPart([&](int i) { return vaddq_f32(a.v[i], b.v[i]); });
}
KVASIR_INLINE Floats sub(const Floats& a, const Floats& b)
{
    return eachPart([&](int i) { return vsubq_f32(a.v[i], b.v[i]); });
}
KVASIR_INLINE Floats mul(const Floats& a, const Floats& b)
{
    return eachPart([&](int i) { return vmulq_f32(a.v[i], b.v[i]); });
}
KVASIR_INLINE Floats div(const Floats& a, const Floats& b)
{
    return eachPart([&](int i) { return vdivq_f32(a.v[i], b.v[i]); });
}
KVASIR_INLINE Floats fma(const Floats& a, const Floats& b, const Floats& c)
{
    return eachPart([&](int i) { return vfmaq_f32(c.v[i], a.v[i], b.v[i]); });
}
KVASIR_INLINE Floats fnma(const Floats& a, const Floats& b, const Floats& c)
{
    return eachPart([&](int i) { return vfmsq_f32(c.v[i], a.v[i], b.v[i]); });
}
// Not vmaxq and vminq, which give NaN where one side is.
KVASIR_INLINE float32x4_t max(float32x4_t a, float32x4_t b)
{
    return vbslq_f32(vcgtq_f32(a, b), a, b);
}
KVASIR_INLINE float32x4_t min(float32x4_t a, float32x4_t b)
{
    return vbslq_f32(vcltq_f32(a, b), a, b);
}
KVASIR_INLINE Floats max(const Floats& a, const Floats& b)
{
    return eachPart([&](int i) { return max(a.v[i], b.v[i]); });
}
KVASIR_INLINE Floats min(const Floats& a, const Floats& b)
{
    return eachPart([&](int i) { return min(a.v[i], b.v[i]); });
}
KVASIR_INLINE Floats absolute(const Floats& a)
{
    return eachPart([&](int i) { return vabsq_f32(a.v[i]); });
}
KVASIR_INLINE Floats negate(const Floats& a)
{
    return eachPart([&](int i) { return vnegq_f32(a.v[i]); });
}
KVASIR_INLINE Floats negateEven(const Floats& a)
{
    const uint32x4_t sign = vreinterpretq_u32_u64(vdupq_n_u64(0x80000000u));
    return eachPart([&](int i) { return fromBits(veorq_u32(bits(a.v[i]), sign)); });
}
KVASIR_INLINE Floats copySign(const Floats& magnitude, const Floats& sign)
{
    return eachPart([&](int i) { return vbslq_f32(vdupq_n_u32(0x80000000u), sign.v[i], magnitude.v[i]); });
}
KVASIR_INLINE Floats swapPairs(const Floats& a)
{
    return eachPart([&](int i) { return vrev64q_f32(a.v[i]); });
}
KVASIR_INLINE Floats round(const Floats& a)
{
    return eachPart([&](int i) { return vrndnq_f32(a.v[i]); });
}
KVASIR_INLINE Floats timesPowerOf2(const Floats& x, const Floats& n)
{
    return eachPart([&](int i) {
        const uint32x4_t e = vshlq_n_u32(vreinterpretq_u32_s32(vcvtnq_s32_f32(n.v[i])), 23);
        return fromBits(vaddq_u32(bits(x.v[i]), e));
    });
}

KVASIR_INLINE Mask lessThan(const Floats& a, const Floats& b)
{
    Mask o;
    KVASIR_UNROLL
    for (int i = 0; i < kParts; i++) {
        o.v[i] = vcltq_f32(a.v[i], b.v[i]);
    }
    return o;
}
KVASIR_INLINE Mask laneRange(int first, int last)
{
    constexpr int32_t kFour[] = {0, 1, 2, 3};
    Mask o;
    KVASIR_UNROLL
    for (int i = 0; i < kParts; i++) {
        const int32x4_t at = vaddq_s32(vld1q_s32(kFour), vdupq_n_s32(4 * i));
        o.v[i] = vandq_u32(vcgeq_s32(at, vdupq_n_s32(first)), vcltq_s32(at, vdupq_n_s32(last)));
    }
    return o;
}
KVASIR_INLINE Floats select(const Mask& mask, const Floats& yes, const Floats& no)
{
    return eachPart([&](int i) { return vbslq_f32(mask.v[i], yes.v[i], no.v[i]); });
}

KVASIR_INLINE Floats toFloats(const Integers& a)
{
    return eachPart([&](int i) { return vcvtq_f32_s32(a.v[i]); });
}
KVASIR_INLINE Integers toCodes(const Floats& a)
{
    Integers o;
    KVASIR_UNROLL
    for (int i = 0; i < kParts; i++) { // max first: a NaN becomes -127
        o.v[i] = vcvtnq_s32_f32(min(max(a.v[i], vdupq_n_f32(-127)), vdupq_n_f32(127)));
    }
    return o;
}
KVASIR_INLINE void storeCodes(int8_t* p, const Integers& a)
{
    const int16x8_t low = vcombine_s16(vmovn_s32(a.v[0]), vmovn_s32(a.v[1]));
    const int16x8_t high = vcombine_s16(vmovn_s32(a.v[2]), vmovn_s32(a.v[3]));
    vst1q_s8(p, vcombine_s8(vmovn_s16(low), vmovn_s16(high)));
}
KVASIR_INLINE int32_t sumLanes(const Integers& a)
{
    return vaddvq_s32(vaddq_s32(vaddq_s32(a.v[0], a.v[1]), vaddq_s32(a.v[2], a.v[3])));
}
KVASIR_INLINE float sumLanes(const Floats& a)
{
    const float32x4_t four = vaddq_f32(vaddq_f32(a.v[0], a.v[2]), vaddq_f32(a.v[1], a.v[3]));
    const float32x2_t two = vadd_f32(vget_low_f32(four), vget_high_f32(four));
    return vget_lane_f32(two, 0) + vget_lane_f32(two, 1);
}
KVASIR_INLINE float maxLanes(const Floats& a)
{
    return vmaxvq_f32(vmaxq_f32(vmaxq_f32(a.v[0], a.v[1]), vmaxq_f32(a.v[2], a.v[3])));
}
KVASIR_INLINE float largestMagnitude(const Floats& a, const Floats& b)
{
    uint32x4_t largest = vdupq_n_u32(0);
    KVASIR_UNROLL
    for (int i = 0; i < kParts; i++) {
        largest = vmaxq_u32(largest, vmaxq_u32(bits(vabsq_f32(a.v[i])), bits(vabsq_f32(b.v[i]))));
    }
    return __builtin_bit_cast(float, vmaxvq_u32(largest));
}

KVASIR_INLINE Bytes loadBytes(const std::byte* p)
{
    const auto* at = reinterpret_cast<const uint8_t*>(p);
    return {{vld1q_u8(at), vld1q_u8(at + 16), vld1q_u8(at + 32), vld1q_u8(at + 48)}};
}
KVASIR_INLINE void storeBytes(std::byte* p, const Bytes& x)
{
    KVASIR_UNROLL
    for (int i = 0; i < kParts; i++) {
        vst1q_u8(reinterpret_cast<uint8_t*>(p) + 16 * i, x.v[i]);
    }
}
KVASIR_INLINE void splitNibbles(const Bytes& x, Bytes& low, Bytes& high)
{
    Bytes l;
    Bytes h;
    KVASIR_UNROLL
    for (int i = 0; i < kParts; i++) {
        l.v[i] = vandq_u8(x.v[i], vdupq_n_u8(15));
        h.v[i] = vshrq_n_u8(x.v[i], 4);
    }
    low = l;
    high = h;
}
template <int Shift, int Keep> KVASIR_INLINE Bytes addHighBits(const Bytes& code, const Bytes& high)
{
    Bytes o;
    KVASIR_UNROLL
    for (int i = 0; i < kParts; i++) {
        const uint8x16_t moved = vshlq_u8(high.v[i], vdupq_n_s8(4 - Shift)); // to the right where it is negative
        o.v[i] = vorrq_u8(code.v[i], vandq_u8(moved, vdupq_n_u8(Keep << 4)));
    }
    return o;
}

KVASIR_INLINE void prefetch(const std::byte* p)
{
    __builtin_prefetch(p, 0, 2);
}

/// Lane r of the result: sum[r] + the products of bytes 4r to 4r + 3 of `codes` and the four of `q` that `Step` names.
template <int Step> KVASIR_INLINE int32x4_t addProducts(int32x4_t sum, int8x16_t codes, int8x8_t q)
{
#if defined(KVASIR_NEON_DOT)
    return vdotq_lane_s32(sum, codes, q, Step);
#else
    // Two products of bytes add up to at most 2 * 128 * 127: they fit in int16.
    const int8x16_t four = vreinterpretq_s8_s32(vdupq_lane_s32(vreinterpret_s32_s8(q), Step));
    const int16x8_t low = vmull_s8(vget_low_s8(codes), vget_low_s8(four));
    const int16x8_t high = vmull_high_s8(codes, four);
    return vpadalq_s16(sum, vpaddq_s16(low, high));
#endif
}

template <int Bits, int First, int Steps, int Panels, int Rows, class Load>
KVASIR_INLINE void dotSteps(
    const Load& loadSteps, const int8_t* q, size_t stride, const int32_t (&start)[Rows], Integers (&sums)[Panels][Rows])
{
    static_assert(Panels == 1);
    // Signed times signed is what there is. Codes of 8 bits have their offset of 128 taken off by the sign bit, so that
    // the sum starts at nothing; others are small enough to count as signed.
    const uint8x16_t signBit = vdupq_n_u8(Bits == 8 ? 0x80 : 0);
    int32x4_t s[Rows][kParts];
    KVASIR_UNROLL
    for (int j = 0; j < Rows; j++) {
        KVASIR_UNROLL
        for (int i = 0; i < kParts; i++) {
            s[j][i] = vdupq_n_s32(Bits == 8 ? 0 : start[j]);
        }
    }
    KVASIR_UNROLL
    for (int t = First / 2; t < (First + Steps) / 2; t++) {
        Bytes even;
        Bytes odd;
        loadSteps.template operator()<CodePart::Whole>(0, t, even, odd);
        int8x8_t x[Rows];
        KVASIR_UNROLL
        for (int j = 0; j < Rows; j++) {
            x[j] = vld1_s8(q + static_cast<size_t>(j) * stride + 8 * t);
        }
        KVASIR_UNROLL
        for (int i = 0; i < kParts; i++) {
            const int8x16_t a = vreinterpretq_s8_u8(veorq_u8(even.v[i], signBit));
            const int8x16_t b = vreinterpretq_s8_u8(veorq_u8(odd.v[i], signBit));
            KVASIR_UNROLL
            for (int j = 0; j < Rows; j++) {
                s[j][i] = addProducts<1>(addProducts<0>(s[j][i], a, x[j]), b, x[j]);
            }
        }
    }
    KVASIR_UNROLL
    for (int j = 0; j < Rows; j++) {
        KVASIR_UNROLL
        for (int i = 0; i < kParts; i++) {
            sums[0][j].v[i] = s[j][i];
        }
    }
}

} // namespace
} // namespace kvasir::cpu
