#pragma once

// Functions of 16 lanes from plain IEEE operations in a fixed order: no estimates (rcp, rsqrt), whose bits differ
// between CPUs.

#include "cpu/simd.h"

namespace kvasir::cpu {
namespace {

/// exp(x): relative error below 3e-7. Exactly 1 at 0 and exactly 0 below -87, -infinity included; from 88 on it stays
/// at exp(88). The argument is reduced by multiples of ln 2 in two parts, then a Taylor polynomial of degree 6.
KVASIR_INLINE Floats exponential(const Floats& x)
{
    const Floats low = broadcast(-87.0f);
    // The operand order lets a NaN through.
    const Floats clamped = min(broadcast(88.0f), max(low, x));
    const Floats n = round(mul(clamped, broadcast(1.44269504f)));
    Floats r = fnma(n, broadcast(0.693145752f), clamped);
    r = fnma(n, broadcast(1.42860677e-6f), r);
    Floats p = broadcast(1.0f / 720);
    p = fma(p, r, broadcast(1.0f / 120));
    p = fma(p, r, broadcast(1.0f / 24));
    p = fma(p, r, broadcast(1.0f / 6));
    p = fma(p, r, broadcast(0.5f));
    p = fma(p, r, broadcast(1.0f));
    p = fma(p, r, broadcast(1.0f));
    return select(lessThan(x, low), zero(), timesPowerOf2(p, n));
}

/// tanh(x): relative error below 5e-7. Small arguments by Cephes' polynomial, others by the exponential.
KVASIR_INLINE Floats hyperbolicTangent(const Floats& x)
{
    const Floats magnitude = absolute(x);
    const Floats square = mul(x, x);
    Floats p = broadcast(-5.70498872745e-3f);
    p = fma(p, square, broadcast(2.06390887954e-2f));
    p = fma(p, square, broadcast(-5.37397155531e-2f));
    p = fma(p, square, broadcast(1.33314422036e-1f));
    p = fma(p, square, broadcast(-3.33332819422e-1f));
    const Floats small = fma(mul(p, square), x, x);
    const Floats one = broadcast(1.0f);
    const Floats e = exponential(add(magnitude, magnitude));
    const Floats large = sub(one, div(broadcast(2.0f), add(e, one)));
    return select(lessThan(magnitude, broadcast(0.625f)), small, copySign(large, x));
}

/// x / (1 + exp(-x)).
KVASIR_INLINE Floats silu(const Floats& x)
{
    return div(x, add(broadcast(1.0f), exponential(negate(x))));
}

/// 0.5 x (1 + tanh u) = x / (1 + exp(-2u)), u = sqrt(2 / pi) (x + 0.044715 x^3).
KVASIR_INLINE Floats geluTanh(const Floats& x)
{
    const Floats k = fma(mul(x, x), broadcast(0.044715f * 1.59576912f), broadcast(1.59576912f));
    return div(x, add(broadcast(1.0f), exponential(negate(mul(x, k)))));
}

/// x Phi(x) with the error function of Abramowitz and Stegun 7.1.26, whose absolute error is 1.5e-7.
KVASIR_INLINE Floats geluErf(const Floats& x)
{
    const Floats one = broadcast(1.0f);
    const Floats z = mul(absolute(x), broadcast(0.707106781f));
    const Floats t = div(one, fma(z, broadcast(0.3275911f), one));
    Floats p = broadcast(1.061405429f);
    p = fma(p, t, broadcast(-1.453152027f));
    p = fma(p, t, broadcast(1.421413741f));
    p = fma(p, t, broadcast(-0.284496736f));
    p = fma(p, t, broadcast(0.254829592f));
    p = mul(p, t);
    const Floats e = exponential(negate(mul(z, z)));
    const Floats tail = mul(mul(p, e), broadcast(0.5f)); // 1 - Phi(|x|)
    return mul(x, select(lessThan(x, zero()), tail, sub(one, tail)));
}

template <Activation A> KVASIR_INLINE Floats activation(const Floats& x)
{
    if constexpr (A == Activation::Silu) {
        return silu(x);
    } else if constexpr (A == Activation::GeluTanh) {
        return geluTanh(x);
    } else {
        return geluErf(x);
    }
}

} // namespace
} // namespace kvasir::cpu
