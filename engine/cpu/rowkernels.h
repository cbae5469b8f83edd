#pragma once

// Kernels that work on one row of activations. Sums run in 16 lanes, then down a fixed tree, so that their bits depend
// on the row's length alone.

#include "cpu/vectormath.h"

namespace kvasir::cpu {
namespace {

KVASIR_INLINE Floats loadUpTo(const float* p, int n)
{
    return n >= kLanes ? load(p) : loadPartial(p, n);
}
/// Masked stores are many times slower than plain ones (AVX2, Zen 4).
KVASIR_INLINE void storeUpTo(float* p, int n, const Floats& x)
{
    n >= kLanes ? store(p, x) : storePartial(p, n, x);
}

/// Calls f(at, n) for each 16 values of [0, n); the last call has fewer where n is no multiple.
template <class F> KVASIR_INLINE void forEach16(int n, F&& f)
{
    int at = 0;
    for (; at + kLanes <= n; at += kLanes) {
        f(at, kLanes);
    }
    if (at < n) {
        f(at, n - at);
    }
}

/// y[i] = f(x[i]) over whole registers and the rest.
template <class F> KVASIR_INLINE void map(const float* x, float* y, int n, F&& f)
{
    int at = 0;
    for (; at + kLanes <= n; at += kLanes) {
        store(y + at, f(load(x + at)));
    }
    if (at < n) {
        storePartial(y + at, n - at, f(loadPartial(x + at, n - at)));
    }
}
template <class F> KVASIR_INLINE void map2(const float* x, const float* y, float* z, int n, F&& f)
{
    int at = 0;
    for (; at + kLanes <= n; at += kLanes) {
        store(z + at, f(load(x + at), load(y + at)));
    }
    if (at < n) {
        storePartial(z + at, n - at, f(loadPartial(x + at, n - at), loadPartial(y + at, n - at)));
    }
}

/// Sum over i of term(sum, at, n): four sums in turn, which hides the latency of addition.
template <class F> KVASIR_INLINE float sumOver(int n, F&& accumulate)
{
    Floats sums[4] = {zero(), zero(), zero(), zero()};
    int at = 0;
    for (; at + 4 * kLanes <= n; at += 4 * kLanes) {
        for (int j = 0; j < 4; j++) {
            sums[j] = accumulate(sums[j], at + j * kLanes, kLanes);
        }
    }
    for (int j = 0; at < n; j++, at += kLanes) {
        sums[j] = accumulate(sums[j], at, n - at);
    }
    return sumLanes(add(add(sums[0], sums[1]), add(sums[2], sums[3])));
}

/// Below this magnitude a group counts as zero, as 127 / max would overflow.
inline constexpr float kSmallestMagnitude = 1e-30f;

KVASIR_INLINE void quantizeGroup(const float* x, ActBlock& out)
{
    const Floats a = load(x);
    const Floats b = load(x + kLanes);
    const float largest = largestMagnitude(a, b);
    const bool vanishes = largest < kSmallestMagnitude;
    const float d = vanishes ? 0.0f : largest / 127.0f;
    const Floats inverse = broadcast(vanishes ? 0.0f : 127.0f / largest);
    const Integers codesA = toCodes(mul(a, inverse));
    const Integers codesB = toCodes(mul(b, inverse));
    storeCodes(out.q, codesA);
    storeCodes(out.q + kLanes, codesB);
    const int32_t sumA = sumLanes(codesA);
    const int32_t sumB = sumLanes(codesB);
    out.d = d;
    out.sum = d * static_cast<float>(sumA + sumB);
    out.negativeSums[0] = -sumA;
    out.negativeSums[1] = -sumB;
}

void quantize(const float* x, ActBlock* blocks, int n)
{
    for (int g = 0; g < n / kGroupColumns; g++) {
        quantizeGroup(x + g * kGroupColumns, blocks[g]);
    }
}

void rmsNorm(const float* x, const float* weight, float* y, int n, float epsilon)
{
    const float squares = sumOver(n, [=](const Floats& sum, int at, int left) {
        const Floats v = loadUpTo(x + at, left);
        return fma(v, v, sum);
    });
    const Floats k = broadcast(1.0f / __builtin_sqrtf(squares / static_cast<float>(n) + epsilon));
    if (weight) {
        map2(x, weight, y, n, [&](const Floats& v, const Floats& w) { return mul(mul(v, k), w); });
    } else {
        map(x, y, n, [&](const Floats& v) { return mul(v, k); });
    }
}

void layerNorm(const float* x, const float* weight, const float* bias, float* y, int n, float epsilon)
{
    const float sum = sumOver(n, [=](const Floats& s, int at, int left) { return add(s, loadUpTo(x + at, left)); });
    const float mean = sum / static_cast<float>(n);
    const Floats middle = broadcast(mean);
    const float squares = sumOver(n, [&](const Floats& s, int at, int left) {
        Floats v = sub(loadUpTo(x + at, left), middle);
        if (left < kLanes) {
            v = select(laneRange(0, left), v, zero());
        }
        return fma(v, v, s);
    });
    const Floats k = broadcast(1.0f / __builtin_sqrtf(squares / static_cast<float>(n) + epsilon));
    map2(x, weight, y, n, [&](const Floats& v, const Floats& w) { return mul(mul(sub(v, middle), k), w); });
    if (bias) {
        map2(y, bias, y, n, [](const Floats& v, const Floats& b) { return add(v, b); });
    }
}

void ropePairs(float* x, int dimensions, const float* cosines, const float* sines)
{
    forEach16(dimensions, [=](int at, int n) {
        const Floats v = loadUpTo(x + at, n);
        const Floats c = loadTwice(cosines + at / 2, n / 2);
        const Floats s = loadTwice(sines + at / 2, n / 2);
        storeUpTo(x + at, n, fma(v, c, negateEven(mul(swapPairs(v), s))));
    });
}

void ropeHalves(float* x, int dimensions, const float* cosines, const float* sines)
{
    const int half = dimensions / 2;
    forEach16(half, [=](int at, int n) {
        const Floats a = loadUpTo(x + at, n);
        const Floats b = loadUpTo(x + half + at, n);
        const Floats c = loadUpTo(cosines + at, n);
        const Floats s = loadUpTo(sines + at, n);
        storeUpTo(x + at, n, fma(a, c, negate(mul(b, s))));
        storeUpTo(x + half + at, n, fma(b, c, mul(a, s)));
    });
}

void rope(float* x, int heads, int headSize, int dimensions, const float* cosines, const float* sines, RopeStyle style)
{
    for (int h = 0; h < heads; h++, x += headSize) {
        style == RopeStyle::Pairs ? ropePairs(x, dimensions, cosines, sines)
                                  : ropeHalves(x, dimensions, cosines, sines);
    }
}

void addTo(float* y, const float* x, int n)
{
    map2(y, x, y, n, [](const Floats& a, const Floats& b) { return add(a, b); });
}

void multiplyBy(float* y, const float* x, int n)
{
    map2(y, x, y, n, [](const Floats& a, const Floats& b) { return mul(a, b); });
}

void scaleBy(float* y, float factor, int n)
{
    map(y, y, n, [k = broadcast(factor)](const Floats& a) { return mul(a, k); });
}

void addScaled(float* y, const float* x, float factor, int n)
{
    map2(x, y, y, n, [k = broadcast(factor)](const Floats& a, const Floats& b) { return fma(a, k, b); });
}

template <class F> KVASIR_INLINE void withActivation(Activation activation, F&& f)
{
    switch (activation) {
    case Activation::Silu:
        f.template operator()<Activation::Silu>();
        break;
    case Activation::GeluTanh:
        f.template operator()<Activation::GeluTanh>();
        break;
    case Activation::GeluErf:
        f.template operator()<Activation::GeluErf>();
        break;
    case Activation::ClampedSilu:
        f.template operator()<Activation::ClampedSilu>();
        break;
    }
}

template <Activation A> KVASIR_INLINE Floats gatedProduct(const Floats& gate, const Floats& up)
{
    if constexpr (A == Activation::ClampedSilu) {
        const Floats limit = broadcast(7.0f);
        const Floats g = min(gate, limit);
        const Floats u = max(min(up, limit), negate(limit));
        const Floats sigmoid = div(g, add(broadcast(1.0f), exponential(mul(g, broadcast(-1.702f)))));
        return mul(sigmoid, add(u, broadcast(1.0f)));
    } else {
        return mul(activation<A>(gate), up);
    }
}

void gated(Activation function, const float* gate, const float* up, float* out, int n)
{
    withActivation(function, [=]<Activation A>() {
        map2(gate, up, out, n, [](const Floats& g, const Floats& u) { return gatedProduct<A>(g, u); });
    });
}

void gatedInterleaved(Activation function, const float* gateUp, float* out, int n)
{
    withActivation(function, [=]<Activation A>() {
        forEach16(n, [=](int at, int count) {
            const Floats g = load(gateUp + 2 * at);
            const Floats u = load(gateUp + 2 * at + kLanes);
            storeUpTo(out + at, count, gatedProduct<A>(g, u));
        });
    });
}

void activate(Activation function, float* x, int n)
{
    withActivation(function, [=]<Activation A>() {
        if constexpr (A != Activation::ClampedSilu) {
            map(x, x, n, [](const Floats& v) { return activation<A>(v); });
        }
    });
}

KVASIR_INLINE Floats softCapped(const Floats& x, const Floats& cap, const Floats& inverse)
{
    return mul(cap, hyperbolicTangent(mul(x, inverse)));
}

void softCap(float* x, float cap, int n)
{
    map(x, x, n,
        [k = broadcast(cap), inverse = broadcast(1.0f / cap)](const Floats& v) { return softCapped(v, k, inverse); });
}

float maximum(const float* x, int n)
{
    Floats largest = broadcast(x[0]);
    int at = 0;
    for (; at + kLanes <= n; at += kLanes) {
        largest = max(largest, load(x + at));
    }
    if (at < n) {
        largest = max(largest, select(laneRange(0, n - at), loadPartial(x + at, n - at), largest));
    }
    return maxLanes(largest);
}

float expSum(const float* x, float shift, float* out, int n)
{
    const Floats s = broadcast(shift);
    return sumOver(n, [&](const Floats& sum, int at, int left) {
        Floats e = exponential(sub(loadUpTo(x + at, left), s));
        if (left < kLanes) {
            e = select(laneRange(0, left), e, zero());
            storePartial(out + at, left, e);
        } else {
            store(out + at, e);
        }
        return add(sum, e);
    });
}

float dot(const float* a, const float* b, int n)
{
    return sumOver(n,
        [=](const Floats& sum, int at, int left) { return fma(loadUpTo(a + at, left), loadUpTo(b + at, left), sum); });
}

bool allFinite(const float* x, int n)
{
    const float infinity = __builtin_inff();
    int at = 0;
    for (; at + 2 * kLanes <= n; at += 2 * kLanes) {
        if (!(largestMagnitude(load(x + at), load(x + at + kLanes)) < infinity)) {
            return false;
        }
    }
    return at == n
        || largestMagnitude(loadPartial(x + at, n - at), loadPartial(x + at + kLanes, n - at - kLanes)) < infinity;
}

} // namespace
} // namespace kvasir::cpu
