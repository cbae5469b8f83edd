#pragma once

#include <span>
#include <vector>

namespace kvasir {

/// Rotary position embedding of one kind of layer: pair i of a head turns by position * frequency[i].
struct RopeParameters {
    int dimensions = 0;              ///< leading values of a head that turn; even
    std::vector<double> frequencies; ///< dimensions / 2, radians a position, scaling included
    float magnitude = 1;             ///< cosine and sine are multiplied by it (YaRN)
};

/// What a file says about positions beyond those of the first training.
struct RopeScaling {
    enum class Kind { None, Linear, Yarn };
    Kind kind = Kind::None;
    double factor = 1;               ///< how much longer the context became
    double originalContext = 0;      ///< positions before that (YaRN)
    double extrapolation = 1;        ///< weight of YaRN's ramp
    double attentionFactor = 1;      ///< multiplies YaRN's own magnitude
    double betaFast = 32;            ///< turns in the original context above which a pair keeps its frequency
    double betaSlow = 1;             ///< and below which it is interpolated
    bool wholeDimensions = true;     ///< YaRN's ramp begins and ends on whole dimensions
    std::span<const float> divisors; ///< of each frequency (Llama 3's rope_freqs.weight); may be empty
};

/// Su et al. 2021; linear scaling by Chen et al. 2023; YaRN by Peng et al. 2023.
RopeParameters makeRope(int dimensions, double base, const RopeScaling& scaling);

/// Cosines and sines of one position: `dimensions` / 2 values each.
void ropeAngles(const RopeParameters& rope, int position, float* cosines, float* sines);

} // namespace kvasir
