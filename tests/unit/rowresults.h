#pragma once

#include "kernelinputs.h"

#include <array>

namespace kvasir::testing {

/// Sizes around whole registers (16) and whole rounds of four of them.
inline constexpr int kRowSizes[] = {1, 2, 7, 8, 15, 16, 17, 31, 33, 63, 64, 65, 100, 128, 576, 641};

struct RowInputs {
    int n;
    std::vector<float> x;
    std::vector<float> w;
    std::vector<float> angles;

    RowInputs(int size, Random& random)
        : n(size)
        , x(randomFloats(static_cast<size_t>(size), random, 3))
        , w(randomFloats(static_cast<size_t>(size), random))
        , angles(randomFloats(static_cast<size_t>(size), random, 0.3f))
    {
    }
};

/// What every kernel that works on single rows makes of the inputs: parts of n values each, then single ones.
inline std::vector<float> rowResults(const cpu::Kernels& k, const RowInputs& in)
{
    using cpu::Activation;
    using cpu::RopeStyle;
    const int n = in.n;
    const float* x = in.x.data();
    const float* w = in.w.data();
    std::vector<float> all;
    const auto keep = [&](auto&& f) {
        auto y = in.x;
        f(y.data());
        all.insert(all.end(), y.begin(), y.end());
    };
    keep([&](float* y) { k.rmsNorm(x, w, y, n, 1e-6f); });
    keep([&](float* y) { k.rmsNorm(y, nullptr, y, n, 1e-6f); });
    keep([&](float* y) { k.layerNorm(x, w, w, y, n, 1e-6f); });
    keep([&](float* y) { k.layerNorm(y, w, nullptr, y, n, 1e-6f); });
    keep([&](float* y) { k.rope(y, 1, n, n / 2 * 2, in.angles.data(), w, RopeStyle::Pairs); });
    keep([&](float* y) { k.rope(y, 1, n, n / 2 * 2, in.angles.data(), w, RopeStyle::Halves); });
    keep([&](float* y) { k.add(y, w, n); });
    keep([&](float* y) { k.multiply(y, w, n); });
    keep([&](float* y) { k.scale(y, 1.7f, n); });
    keep([&](float* y) { k.addScaled(y, w, 1.7f, n); });
    keep([&](float* y) { k.gated(Activation::ClampedSilu, x, w, y, n); });
    for (Activation activation : {Activation::Silu, Activation::GeluTanh, Activation::GeluErf}) {
        keep([&](float* y) { k.activate(activation, y, n); });
        keep([&](float* y) { k.gated(activation, x, w, y, n); });
    }
    keep([&](float* y) { k.softCap(y, 5, n); });
    keep([&](float* y) { y[0] = k.expSum(x, 20, y, n); });
    all.push_back(k.dot(x, w, n));
    all.push_back(k.maximum(x, n));
    return all;
}

} // namespace kvasir::testing
