#include "session/sampler.h"

#include "session/random.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace kvasir {
namespace {

// Colder than this, the quotient would overflow where it matters; the draw is the most likely token long before.
constexpr float kGreedyBelow = 1e-6f;
// Candidates looked at first when nothing but top-p bounds their number; grows fourfold until they hold enough.
constexpr size_t kFirstCandidates = 256;

Failure badSetting(const char* name, double value, const char* allowed)
{
    std::string text = std::to_string(value);
    return fail(ErrorCode::BadArgument, std::string(name) + " must be " + allowed,
        {{"what", name}, {"value", std::move(text)}});
}

} // namespace

Result<void> Sampler::check(const SamplingSettings& settings, int vocabulary)
{
    if (!(settings.temperature >= 0) || !std::isfinite(settings.temperature)) {
        return badSetting("temperature", settings.temperature, "0 or more");
    }
    if (settings.topK < 0) {
        return badSetting("top-k", settings.topK, "0 (off) or more");
    }
    if (!(settings.topP > 0 && settings.topP <= 1)) {
        return badSetting("top-p", settings.topP, "above 0 and at most 1 (off)");
    }
    if (!(settings.minP >= 0 && settings.minP <= 1)) {
        return badSetting("min-p", settings.minP, "between 0 (off) and 1");
    }
    if (!(settings.repetitionPenalty > 0) || !std::isfinite(settings.repetitionPenalty)) {
        return badSetting("repetition penalty", settings.repetitionPenalty, "above 0 (1 is off)");
    }
    if (!std::isfinite(settings.presencePenalty)) {
        return badSetting("presence penalty", settings.presencePenalty, "a finite number");
    }
    if (!std::isfinite(settings.frequencyPenalty)) {
        return badSetting("frequency penalty", settings.frequencyPenalty, "a finite number");
    }
    if (settings.penaltyWindow < -1) {
        return badSetting("penalty window", settings.penaltyWindow, "-1 (all) or more");
    }
    for (const LogitBias& bias : settings.bias) {
        if (bias.token < 0 || bias.token >= vocabulary) {
            return badSetting("a biased token", bias.token, "an id of the vocabulary");
        }
        if (!(bias.bias < std::numeric_limits<float>::infinity())) {
            return badSetting("a bias", bias.bias, "a number, or minus infinity to forbid the token");
        }
    }
    return {};
}

Result<Sample> Sampler::sample(
    std::span<const float> logits, std::span<const TokenId> history, const SamplingSettings& settings, uint64_t index)
{
    scanMaxima(logits, m_maxima);
    if (!m_maxima.finite || logits.empty()) {
        return fail(ErrorCode::NotFinite, "the model gave logits that are not finite numbers", {{"what", "logits"}});
    }
    const std::span<const float> adjusted = adjust(logits, history, settings);
    LogitMaxima* maxima = &m_maxima;
    if (adjusted.data() != logits.data()) {
        scanMaxima(adjusted, m_adjustedMaxima);
        maxima = &m_adjustedMaxima;
    }
    if (!std::isfinite(maxima->largest)) {
        return fail(ErrorCode::BadArgument, "the logit bias forbids every token", {{"what", "bias"}, {"value", ""}});
    }
    Sample sample;
    sample.token = draw(adjusted, *maxima, settings, index);
    describe(logits, sample);
    return sample;
}

void Sampler::describe(std::span<const float> logits, Sample& sample)
{
    const SoftmaxSums sums = softmaxSums(logits, m_maxima.largest, 1.0f);
    const auto probability = [&](float logit) {
        return static_cast<float>(std::exp(static_cast<double>(logit - m_maxima.largest)) / sums.weights);
    };
    sample.probability = probability(logits[static_cast<size_t>(sample.token)]);
    // H = -sum p ln p with ln p = d - ln Z
    const double nats = std::log(sums.weights) - sums.weighted / sums.weights;
    sample.entropy = static_cast<float>(std::max(0.0, nats) / std::log(2.0));
    selectTop(logits, m_maxima, kAlternatives, m_candidates);
    for (size_t i = 0; i < m_candidates.size(); ++i) {
        sample.alternatives[i] = {m_candidates[i].token, probability(m_candidates[i].logit)};
    }
}

std::span<const float> Sampler::adjust(
    std::span<const float> logits, std::span<const TokenId> history, const SamplingSettings& settings)
{
    const bool penalised = settings.penaltyWindow != 0 && !history.empty()
        && (settings.repetitionPenalty != 1 || settings.presencePenalty != 0 || settings.frequencyPenalty != 0);
    if (!penalised && settings.bias.empty()) {
        return logits;
    }
    m_adjusted.assign(logits.begin(), logits.end());
    for (const LogitBias& bias : settings.bias) {
        m_adjusted[static_cast<size_t>(bias.token)] += bias.bias;
    }
    if (!penalised) {
        return m_adjusted;
    }
    if (settings.penaltyWindow > 0 && static_cast<size_t>(settings.penaltyWindow) < history.size()) {
        history = history.last(static_cast<size_t>(settings.penaltyWindow));
    }
    m_counts.resize(logits.size(), 0);
    m_occurred.clear();
    for (const TokenId token : history) {
        if (m_counts[static_cast<size_t>(token)]++ == 0) {
            m_occurred.push_back(token);
        }
    }
    for (const TokenId token : m_occurred) {
        float& logit = m_adjusted[static_cast<size_t>(token)];
        int& count = m_counts[static_cast<size_t>(token)];
        logit = logit > 0 ? logit / settings.repetitionPenalty : logit * settings.repetitionPenalty;
        logit -= settings.presencePenalty + settings.frequencyPenalty * static_cast<float>(count);
        count = 0;
    }
    return m_adjusted;
}

TokenId Sampler::draw(
    std::span<const float> logits, LogitMaxima& maxima, const SamplingSettings& settings, uint64_t index)
{
    if (settings.temperature < kGreedyBelow || settings.topK == 1) {
        selectTop(logits, maxima, 1, m_candidates);
        return m_candidates.front().token;
    }
    const double uniform = uniformAt(settings.seed, index);
    if (settings.topK == 0 && settings.topP >= 1 && settings.minP <= 0) {
        return drawFromAll(logits, maxima.largest, settings.temperature, uniform);
    }
    truncate(logits, maxima, settings);
    double left = uniform * std::accumulate(m_weights.begin(), m_weights.end(), 0.0);
    for (size_t i = 0; i < m_weights.size(); ++i) {
        left -= m_weights[i];
        if (left < 0) {
            return m_candidates[i].token;
        }
    }
    return m_candidates.front().token; // the sum's rounding left nothing to land on
}

/// Nothing truncates: walks the whole vocabulary in the order of ids, by blocks and then inside one.
TokenId Sampler::drawFromAll(std::span<const float> logits, float largest, float temperature, double uniform)
{
    m_weights.clear();
    for (size_t start = 0; start < logits.size(); start += kScanBlock) {
        const auto block = logits.subspan(start, std::min(kScanBlock, logits.size() - start));
        m_weights.push_back(softmaxSums(block, largest, temperature).weights);
    }
    double left = uniform * std::accumulate(m_weights.begin(), m_weights.end(), 0.0);
    size_t chosen = 0;
    for (size_t block = 0; block < m_weights.size(); ++block) {
        chosen = m_weights[block] > 0 ? block : chosen;
        if (left < m_weights[block]) {
            break;
        }
        left -= m_weights[block];
    }
    const size_t end = std::min(logits.size(), (chosen + 1) * kScanBlock);
    auto token = static_cast<TokenId>(chosen * kScanBlock);
    for (size_t i = chosen * kScanBlock; i < end && left >= 0; ++i) {
        const double weight = std::exp(static_cast<double>(logits[i] - largest) / static_cast<double>(temperature));
        left -= weight;
        token = weight > 0 ? static_cast<TokenId>(i) : token;
    }
    return token;
}

/// Leaves in m_candidates, best first, what top-k, top-p and min-p keep, and in m_weights their weights.
void Sampler::truncate(std::span<const float> logits, LogitMaxima& maxima, const SamplingSettings& settings)
{
    const auto temperature = static_cast<double>(settings.temperature);
    const auto weight = [&](const Candidate& candidate) {
        return std::exp(static_cast<double>(candidate.logit - maxima.largest) / temperature);
    };
    const size_t most = settings.topK > 0 ? std::min(static_cast<size_t>(settings.topK), logits.size()) : logits.size();
    // min-p compares with the most likely token, so it is the same threshold before and after top-p.
    const double leastWeight = settings.minP;
    const bool bounded = settings.topP < 1;
    double total = 0;
    if (bounded && settings.topK == 0) {
        total = softmaxSums(logits, maxima.largest, settings.temperature).weights;
    }

    size_t looked = settings.topK > 0 ? most : std::min(kFirstCandidates, most);
    for (;; looked = std::min(4 * looked, most)) {
        selectTop(logits, maxima, looked, m_candidates);
        m_weights.resize(m_candidates.size());
        std::transform(m_candidates.begin(), m_candidates.end(), m_weights.begin(), weight);
        if (bounded && settings.topK > 0) {
            total = std::accumulate(m_weights.begin(), m_weights.end(), 0.0);
        }
        size_t kept = 0;
        double mass = 0;
        bool complete = false;
        while (kept < m_weights.size() && !complete) {
            if (kept > 0 && (m_weights[kept] < leastWeight || m_weights[kept] <= 0)) {
                complete = true;
                break;
            }
            mass += m_weights[kept++];
            complete = bounded && mass >= static_cast<double>(settings.topP) * total;
        }
        if (complete || looked == most) {
            m_candidates.resize(kept);
            m_weights.resize(kept);
            return;
        }
    }
}

} // namespace kvasir
