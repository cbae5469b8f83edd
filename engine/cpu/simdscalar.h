#pragma once

// The vocabulary of the kernels in plain C++: 16 lanes as arrays. It defines what the other sets must give, bit for
// bit. A kernel file chooses one of the simd headers. Everything in them and in the kernels'
// headers is in an unnamed namespace: the same names are compiled with different instructions in each file, and the
// linker keeps only one of two equally named inline functions.

#include "base/half.h"
#include "cpu/kernels.h"
#include "cpu/packedlayout.h"

#include <cmath>
#include <cstring>

#define KVASIR_UNROLL

namespace kvasir::cpu {
namespace {

inline constexpr int kLanes = 16;
inline constexpr int kVectorRegisters = 8; ///< registers of 16 lanes to plan with
inline constexpr int kTilePanels = 1;      ///< matmul tile of integer formats, n > 4
inline constexpr int kTileRows = 4;
inline constexpr int kFloatTilePanels = 1; ///< of float formats, n > 3
inline constexpr int kFloatTileRows = 6;
inline constexpr int kDirectTileRows = 4;   ///< activation rows at once where codes are unpacked in registers
inline constexpr bool kSplitsBytes = false; ///< whether products of 8-bit codes are made by nibbles
template <int Bits> inline constexpr int kDirectRows = 4; ///< up to so many rows they are; beyond, scratch pays

struct Floats {
    float v[kLanes];
};
struct Integers {
    int32_t v[kLanes];
};
struct Mask {
    bool v[kLanes];
};
struct Bytes {
    uint8_t v[4 * kLanes];
};

template <class F> KVASIR_INLINE Floats eachLane(F&& f)
{
    Floats o;
    for (int i = 0; i < kLanes; i++) {
        o.v[i] = f(i);
    }
    return o;
}
template <class F> KVASIR_INLINE Integers eachInteger(F&& f)
{
    Integers o;
    for (int i = 0; i < kLanes; i++) {
        o.v[i] = f(i);
    }
    return o;
}
template <class T> KVASIR_INLINE T loadAt(const void* at)
{
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

KVASIR_INLINE Floats zero()
{
    return eachLane([](int) { return 0.0f; });
}
KVASIR_INLINE Floats broadcast(float x)
{
    return eachLane([=](int) { return x; });
}
KVASIR_INLINE Floats load(const float* p)
{
    return eachLane([=](int i) { return p[i]; });
}
KVASIR_INLINE void store(float* p, const Floats& x)
{
    std::memcpy(p, x.v, sizeof x.v);
}
/// Lanes from `n` on are zero.
KVASIR_INLINE Floats loadPartial(const float* p, int n)
{
    return eachLane([=](int i) { return i < n ? p[i] : 0.0f; });
}
KVASIR_INLINE void storePartial(float* p, int n, const Floats& x)
{
    std::memcpy(p, x.v, static_cast<size_t>(n < kLanes ? n : kLanes) * sizeof(float));
}
KVASIR_INLINE Floats loadHalves(const void* p)
{
    const auto* halves = static_cast<const std::byte*>(p);
    return eachLane([=](int i) { return halfToFloat(loadAt<uint16_t>(halves + 2 * i)); });
}
KVASIR_INLINE void storeHalves(uint16_t* p, const Floats& x)
{
    for (int i = 0; i < kLanes; i++) {
        p[i] = floatToHalf(x.v[i]);
    }
}
/// The first, and the second, of two columns of 16 rows, stored [row][2].
KVASIR_INLINE Floats loadBfloatEven(const void* p)
{
    const auto* pairs = static_cast<const std::byte*>(p);
    return eachLane([=](int i) { return bfloatToFloat(loadAt<uint16_t>(pairs + 4 * i)); });
}
KVASIR_INLINE Floats loadBfloatOdd(const void* p)
{
    return loadBfloatEven(static_cast<const std::byte*>(p) + 2);
}
KVASIR_INLINE Floats loadUnsignedBytes(const std::byte* p)
{
    return eachLane([=](int i) { return static_cast<float>(loadAt<uint8_t>(p + i)); });
}
KVASIR_INLINE Floats loadSignedBytes(const std::byte* p)
{
    return eachLane([=](int i) { return static_cast<float>(loadAt<int8_t>(p + i)); });
}
/// p[0], p[0], p[1], p[1] ... of 8 values; those from `n` on are zero.
KVASIR_INLINE Floats loadTwice(const float* p, int n)
{
    return eachLane([=](int i) { return i / 2 < n ? p[i / 2] : 0.0f; });
}

KVASIR_INLINE Floats add(const Floats& a, const Floats& b)
{
    return eachLane([&](int i) { return a.v[i] + b.v[i]; });
}
KVASIR_INLINE Floats sub(const Floats& a, const Floats& b)
{
    return eachLane([&](int i) { return a.v[i] - b.v[i]; });
}
KVASIR_INLINE Floats mul(const Floats& a, const Floats& b)
{
    return eachLane([&](int i) { return a.v[i] * b.v[i]; });
}
KVASIR_INLINE Floats div(const Floats& a, const Floats& b)
{
    return eachLane([&](int i) { return a.v[i] / b.v[i]; });
}
KVASIR_INLINE Floats fma(const Floats& a, const Floats& b, const Floats& c)
{
    return eachLane([&](int i) { return std::fma(a.v[i], b.v[i], c.v[i]); });
}
/// c - a * b
KVASIR_INLINE Floats fnma(const Floats& a, const Floats& b, const Floats& c)
{
    return eachLane([&](int i) { return std::fma(-a.v[i], b.v[i], c.v[i]); });
}
/// As x86 has it: b where a or b is not a number.
KVASIR_INLINE Floats max(const Floats& a, const Floats& b)
{
    return eachLane([&](int i) { return a.v[i] > b.v[i] ? a.v[i] : b.v[i]; });
}
KVASIR_INLINE Floats min(const Floats& a, const Floats& b)
{
    return eachLane([&](int i) { return a.v[i] < b.v[i] ? a.v[i] : b.v[i]; });
}
KVASIR_INLINE Floats absolute(const Floats& a)
{
    return eachLane([&](int i) { return std::fabs(a.v[i]); });
}
KVASIR_INLINE Floats negate(const Floats& a)
{
    return eachLane([&](int i) { return -a.v[i]; });
}
KVASIR_INLINE Floats negateEven(const Floats& a)
{
    return eachLane([&](int i) { return i % 2 == 0 ? -a.v[i] : a.v[i]; });
}
KVASIR_INLINE Floats copySign(const Floats& magnitude, const Floats& sign)
{
    return eachLane([&](int i) { return std::copysign(magnitude.v[i], sign.v[i]); });
}
KVASIR_INLINE Floats swapPairs(const Floats& a)
{
    return eachLane([&](int i) { return a.v[i ^ 1]; });
}
/// To the nearest integer, ties to even.
KVASIR_INLINE Floats round(const Floats& a)
{
    return eachLane([&](int i) { return std::nearbyint(a.v[i]); });
}
/// x * 2^n for integral n, where neither side leaves the normal range.
KVASIR_INLINE Floats timesPowerOf2(const Floats& x, const Floats& n)
{
    return eachLane([&](int i) {
        const uint32_t e = n.v[i] == n.v[i] ? static_cast<uint32_t>(static_cast<int32_t>(n.v[i])) << 23 : 0;
        return std::bit_cast<float>(std::bit_cast<uint32_t>(x.v[i]) + e);
    });
}

KVASIR_INLINE Mask lessThan(const Floats& a, const Floats& b)
{
    Mask o;
    for (int i = 0; i < kLanes; i++) {
        o.v[i] = a.v[i] < b.v[i];
    }
    return o;
}
/// Lanes [first, last).
KVASIR_INLINE Mask laneRange(int first, int last)
{
    Mask o;
    for (int i = 0; i < kLanes; i++) {
        o.v[i] = i >= first && i < last;
    }
    return o;
}
KVASIR_INLINE Floats select(const Mask& mask, const Floats& yes, const Floats& no)
{
    return eachLane([&](int i) { return mask.v[i] ? yes.v[i] : no.v[i]; });
}

KVASIR_INLINE Floats toFloats(const Integers& a)
{
    return eachLane([&](int i) { return static_cast<float>(a.v[i]); });
}
/// Rounded to nearest, ties to even, and kept in [-127, 127]; NaN gives -127.
KVASIR_INLINE Integers toCodes(const Floats& a)
{
    return eachInteger([&](int i) {
        const float x = a.v[i];
        return x >= 127 ? 127 : x > -127 ? static_cast<int32_t>(std::nearbyint(x)) : -127;
    });
}
KVASIR_INLINE void storeCodes(int8_t* p, const Integers& a)
{
    for (int i = 0; i < kLanes; i++) {
        p[i] = static_cast<int8_t>(a.v[i]);
    }
}
KVASIR_INLINE int32_t sumLanes(const Integers& a)
{
    int32_t sum = 0;
    for (int32_t x : a.v) {
        sum += x;
    }
    return sum;
}
/// In a fixed tree: 8 + 8, 4 + 4, 2 + 2, 1 + 1.
KVASIR_INLINE float sumLanes(const Floats& a)
{
    float t[kLanes];
    std::memcpy(t, a.v, sizeof t);
    for (int half = kLanes / 2; half >= 1; half /= 2) {
        for (int i = 0; i < half; i++) {
            t[i] += t[i + half];
        }
    }
    return t[0];
}
KVASIR_INLINE float maxLanes(const Floats& a)
{
    float largest = a.v[0];
    for (float x : a.v) {
        largest = x > largest ? x : largest;
    }
    return largest;
}
/// Largest magnitude of 32 values; NaN if one of them is.
KVASIR_INLINE float largestMagnitude(const Floats& a, const Floats& b)
{
    uint32_t largest = 0;
    for (const Floats* x : {&a, &b}) {
        for (float lane : x->v) {
            const uint32_t bits = std::bit_cast<uint32_t>(lane) & 0x7fffffffu;
            largest = bits > largest ? bits : largest;
        }
    }
    return std::bit_cast<float>(largest);
}

KVASIR_INLINE Bytes loadBytes(const std::byte* p)
{
    return loadAt<Bytes>(p);
}
KVASIR_INLINE void storeBytes(std::byte* p, const Bytes& x)
{
    std::memcpy(p, x.v, sizeof x.v);
}
KVASIR_INLINE void splitNibbles(const Bytes& x, Bytes& low, Bytes& high)
{
    for (int i = 0; i < 4 * kLanes; i++) {
        low.v[i] = x.v[i] & 15;
        high.v[i] = x.v[i] >> 4;
    }
}
/// code |= (high >> Shift) & Keep, put at bit 4.
template <int Shift, int Keep> KVASIR_INLINE Bytes addHighBits(const Bytes& code, const Bytes& high)
{
    Bytes o;
    for (int i = 0; i < 4 * kLanes; i++) {
        o.v[i] = static_cast<uint8_t>(code.v[i] | (high.v[i] >> Shift & Keep) << 4);
    }
    return o;
}

KVASIR_INLINE void prefetch(const std::byte*) { }

/// sums[i][j] = start[j] + codes of panel i times q of row j, over steps [First, First + Steps) of a group.
/// `loadSteps.template operator()<CodePart::Whole>(i, t, even, odd)` gives steps 2t and 2t + 1, codes below 2^Bits. Row
/// j has its q at q + j * stride.
template <int Bits, int First, int Steps, int Panels, int Rows, class Load>
KVASIR_INLINE void dotSteps(
    const Load& loadSteps, const int8_t* q, size_t stride, const int32_t (&start)[Rows], Integers (&sums)[Panels][Rows])
{
    for (int i = 0; i < Panels; i++) {
        for (int j = 0; j < Rows; j++) {
            sums[i][j] = eachInteger([&](int) { return start[j]; });
        }
        for (int t = First / 2; t < (First + Steps) / 2; t++) {
            Bytes codes[2];
            loadSteps.template operator()<CodePart::Whole>(i, t, codes[0], codes[1]);
            for (int j = 0; j < Rows; j++) {
                for (int odd = 0; odd < 2; odd++) {
                    const int8_t* four = q + static_cast<size_t>(j) * stride + 4 * (2 * t + odd);
                    for (int lane = 0; lane < kLanes; lane++) {
                        for (int b = 0; b < 4; b++) {
                            sums[i][j].v[lane] += codes[odd].v[4 * lane + b] * four[b];
                        }
                    }
                }
            }
        }
    }
}

} // namespace
} // namespace kvasir::cpu
