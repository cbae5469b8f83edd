#pragma once

#include "base/types.h"

#include <cstdint>
#include <vector>

namespace kvasir {

struct LogitBias {
    TokenId token = kNoToken;
    float bias = 0;
};

/// Applied in this order: bias, penalties, temperature, top-k, top-p, min-p, draw.
/// A reply is a function of (model, tokens, these settings); the generator is Philox or PCG, seeded by `seed`.
struct SamplingSettings {
    float temperature = 0.7f; ///< 0: the most likely token, lowest id on ties
    int topK = 40; ///< 0: off
    float topP = 0.95f; ///< 1: off
    float minP = 0.05f; ///< 0: off
    float repetitionPenalty = 1.0f; ///< 1: off; divides positive and multiplies negative logits (Keskar et al. 2019)
    float presencePenalty = 0.0f; ///< 0: off; subtracted once for a token that occurred
    float frequencyPenalty = 0.0f; ///< 0: off; subtracted for each occurrence
    int penaltyWindow = 64; ///< the last tokens that penalties look at, prompt included; -1: all
    std::vector<LogitBias> bias;
    uint64_t seed = 0;
};

} // namespace kvasir
