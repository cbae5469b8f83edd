#pragma once

#include "base/result.h"
#include "base/types.h"
#include "measure/records.h"
#include "session/logitscan.h"
#include "session/sampling.h"

#include <array>
#include <span>
#include <vector>

namespace kvasir {

/// What is drawn, and how the model itself saw it: at temperature 1, before bias, penalties and truncation.
struct Sample {
    TokenId token = kNoToken;
    float probability = 0;
    float entropy = 0;                                     ///< bits
    std::array<Alternative, kAlternatives> alternatives{}; ///< fewer than kAlternatives tokens: the rest is kNoToken
};

/// Draws tokens. Its result is a function of (logits, history, settings, index); the members are scratch memory that
/// one thread reuses for every sequence, so that a step allocates nothing.
class Sampler {
public:
    /// What a person may have typed: ranges, and ids against the vocabulary.
    static Result<void> check(const SamplingSettings& settings, int vocabulary);

    /// `logits`: one per token of the vocabulary. `history`: the prompt and what was generated, for the penalties.
    /// `index`: of the token in its reply. Fails with NotFinite where a logit is NaN or infinite, and with BadArgument
    /// where the bias forbids every token.
    Result<Sample> sample(std::span<const float> logits, std::span<const TokenId> history,
        const SamplingSettings& settings, uint64_t index);

private:
    void describe(std::span<const float> logits, Sample& sample);
    std::span<const float> adjust(
        std::span<const float> logits, std::span<const TokenId> history, const SamplingSettings& settings);
    TokenId draw(std::span<const float> logits, LogitMaxima& maxima, const SamplingSettings& settings, uint64_t index);
    TokenId drawFromAll(std::span<const float> logits, float largest, float temperature, double uniform);
    void truncate(std::span<const float> logits, LogitMaxima& maxima, const SamplingSettings& settings);

    LogitMaxima m_maxima;
    LogitMaxima m_adjustedMaxima;
    std::vector<float> m_adjusted;
    std::vector<int> m_counts; // by token; all 0 between calls
    std::vector<TokenId> m_occurred;
    std::vector<Candidate> m_candidates;
    std::vector<double> m_weights; // of m_candidates: exp((logit - largest) / temperature)
};

} // namespace kvasir
