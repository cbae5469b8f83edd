#pragma once

#include "base/types.h"

#include <cstddef>
#include <span>
#include <vector>

namespace kvasir {

struct Candidate {
    TokenId token = kNoToken;
    float logit = 0;
};

/// The order of candidates everywhere: larger logit first, lower id on ties.
inline bool isBefore(const Candidate& a, const Candidate& b)
{
    return a.logit != b.logit ? a.logit > b.logit : a.token < b.token;
}

/// Largest logit of each block of kScanBlock; what lets a vocabulary of 262,144 be searched without sorting it.
inline constexpr size_t kScanBlock = 64;

struct LogitMaxima {
    std::vector<float> blocks;
    float largest = 0;
    bool finite = true;         ///< no NaN and no infinity among the logits
    std::vector<float> scratch; ///< for selectTop(), so that a step allocates nothing
};

/// Fills `maxima` from `logits`; its memory is reused.
void scanMaxima(std::span<const float> logits, LogitMaxima& maxima);

struct SoftmaxSums {
    double weights = 0;  ///< sum of exp(d), where d = (logit - largest) / temperature
    double weighted = 0; ///< sum of exp(d) * d
};

/// Within 1e-6 relative; the same bits on every instruction set.
SoftmaxSums softmaxSums(std::span<const float> logits, float largest, float temperature);

/// The first `count` candidates of `logits` (all, where there are fewer), in order.
void selectTop(std::span<const float> logits, LogitMaxima& maxima, size_t count, std::vector<Candidate>& top);

/// All candidates with a logit of at least `threshold`, in order of ids.
void selectAbove(
    std::span<const float> logits, const LogitMaxima& maxima, float threshold, std::vector<Candidate>& above);

} // namespace kvasir
