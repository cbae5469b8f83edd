#include "model/rope.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace kvasir {

namespace {

/// The pair, as a fraction of `dimensions` / 2 pairs, that makes `turns` full turns in `context` positions.
double pairOfTurns(double turns, double context, int dimensions, double base)
{
    return dimensions * std::log(context / (turns * 2 * std::numbers::pi)) / (2 * std::log(base));
}

} // namespace

RopeParameters makeRope(int dimensions, double base, const RopeScaling& scaling)
{
    RopeParameters rope;
    rope.dimensions = dimensions;
    rope.frequencies.resize(static_cast<size_t>(dimensions / 2));
    double low = 0;
    double high = 0;
    double ramp = 0;
    if (scaling.kind == RopeScaling::Kind::Yarn) {
        low = pairOfTurns(scaling.betaFast, scaling.originalContext, dimensions, base);
        high = pairOfTurns(scaling.betaSlow, scaling.originalContext, dimensions, base);
        if (scaling.wholeDimensions) {
            low = std::floor(low);
            high = std::ceil(high);
        }
        low = std::max(0.0, low);
        high = std::min(dimensions - 1.0, high);
        ramp = scaling.extrapolation;
        rope.magnitude = static_cast<float>(scaling.attentionFactor * (1 + 0.1 * std::log(scaling.factor)));
    } else {
        rope.magnitude = static_cast<float>(scaling.attentionFactor);
    }
    for (size_t i = 0; i < rope.frequencies.size(); ++i) {
        double frequency = std::pow(base, -2.0 * static_cast<double>(i) / dimensions);
        if (!scaling.divisors.empty()) {
            frequency /= scaling.divisors[i];
        }
        const double interpolated = scaling.kind == RopeScaling::Kind::None ? frequency : frequency / scaling.factor;
        const double position = (static_cast<double>(i) - low) / std::max(0.001, high - low);
        const double keep = ramp * (1 - std::clamp(position, 0.0, 1.0));
        rope.frequencies[i] = interpolated * (1 - keep) + frequency * keep;
    }
    return rope;
}

void ropeAngles(const RopeParameters& rope, int position, float* cosines, float* sines)
{
    for (size_t i = 0; i < rope.frequencies.size(); ++i) {
        const double angle = position * rope.frequencies[i];
        cosines[i] = static_cast<float>(std::cos(angle)) * rope.magnitude;
        sines[i] = static_cast<float>(std::sin(angle)) * rope.magnitude;
    }
}

} // namespace kvasir
