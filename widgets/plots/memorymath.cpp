#include "plots/memorymath.h"

#include <algorithm>
#include <cmath>

namespace kvasir {

namespace {

constexpr qint64 kMostTokens = 1'000'000'000'000; // beyond it axes lose whole tokens

double positive(qint64 bytes)
{
    return static_cast<double>(std::max<qint64>(bytes, 0));
}

double blocksOf(qint64 tokens, int blockTokens)
{
    return std::ceil(static_cast<double>(std::max<qint64>(tokens, 0)) / std::max(blockTokens, 1));
}

} // namespace

qint64 othersOf(const MemorySample& sample)
{
    if (!sample.process) {
        return 0;
    }
    const double ledger = positive(sample.weights) + positive(sample.activations) + positive(sample.kvReserved);
    return static_cast<qint64>(std::max(0.0, positive(*sample.process) - ledger));
}

MemoryStack stackOf(const MemorySample& sample)
{
    MemoryStack stack;
    stack.tokens = std::clamp<qint64>(sample.tokens, 0, kMostTokens);
    stack.weights = positive(sample.weights);
    stack.activations = stack.weights + positive(sample.activations);
    stack.others = stack.activations + static_cast<double>(othersOf(sample));
    stack.kvUsed = stack.others + std::min(positive(sample.kvUsed), positive(sample.kvReserved));
    stack.kvReserved = stack.others + positive(sample.kvReserved);
    return stack;
}

QVector<MemoryStack> stacksOf(const QVector<MemorySample>& samples)
{
    QVector<MemoryStack> stacks;
    stacks.reserve(samples.size());
    for (const MemorySample& sample : samples) {
        appendStack(stacks, sample);
    }
    return stacks;
}

void appendStack(QVector<MemoryStack>& stacks, const MemorySample& sample)
{
    const MemoryStack stack = stackOf(sample);
    while (!stacks.isEmpty() && stacks.last().tokens >= stack.tokens) {
        stacks.removeLast();
    }
    stacks.append(stack);
}

std::optional<double> fittedKvBytesPerToken(const QVector<MemorySample>& samples)
{
    double n = 0;
    double sumX = 0;
    double sumY = 0;
    for (const MemorySample& sample : samples) {
        n += 1;
        sumX += positive(sample.tokens);
        sumY += positive(sample.kvUsed);
    }
    double sxx = 0;
    double sxy = 0;
    for (const MemorySample& sample : samples) { // centred first: sums of squares of large numbers would cancel
        const double x = positive(sample.tokens) - sumX / n;
        sxx += x * x;
        sxy += x * (positive(sample.kvUsed) - sumY / n);
    }
    if (!(sxx > 0) || !(sxy > 0)) {
        return std::nullopt;
    }
    return sxy / sxx;
}

MemoryOutlook outlookOf(const MemorySeries& series)
{
    MemoryOutlook outlook;
    if (series.samples.isEmpty()) {
        return outlook;
    }
    std::optional<double> slope = series.kvBytesPerToken;
    if (!slope || !std::isfinite(*slope) || *slope <= 0) {
        slope = fittedKvBytesPerToken(series.samples);
        outlook.isFitted = true;
    }
    const MemoryStack now = stackOf(series.samples.last());
    if (series.limitBytes && now.kvReserved > positive(*series.limitBytes)) {
        outlook.kind = OutlookKind::AlreadyFull;
        outlook.tokens = now.tokens;
        return outlook;
    }
    if (!slope) {
        return outlook;
    }
    outlook.kvBytesPerToken = *slope;
    const int block = std::max(series.blockTokens, 1);
    std::optional<double> fits;
    if (series.limitBytes) {
        const double blocks = std::floor((positive(*series.limitBytes) - now.kvReserved) / (*slope * block));
        fits = (blocksOf(now.tokens, block) + blocks) * block;
    }
    const bool hasContext = series.contextLimit && *series.contextLimit > 0;
    if (hasContext && (!fits || *fits >= static_cast<double>(*series.contextLimit))) {
        outlook.kind = OutlookKind::ContextFirst;
        outlook.tokens = *series.contextLimit;
    } else if (fits) {
        outlook.kind = OutlookKind::FullAt;
        outlook.tokens = static_cast<qint64>(std::min(*fits, 1e15));
    } else {
        outlook.kind = OutlookKind::NoLimitKnown;
    }
    return outlook;
}

double projectedBytes(const MemoryStack& now, qint64 tokens, double kvBytesPerToken, int blockTokens)
{
    const double blocks = blocksOf(tokens, blockTokens) - blocksOf(now.tokens, blockTokens);
    return now.kvReserved + std::max(0.0, blocks) * std::max(blockTokens, 1) * kvBytesPerToken;
}

std::optional<MemoryStack> stackAt(const QVector<MemoryStack>& stacks, qint64 tokens)
{
    const auto next = std::upper_bound(
        stacks.cbegin(), stacks.cend(), tokens, [](qint64 at, const MemoryStack& stack) { return at < stack.tokens; });
    if (next == stacks.cbegin()) {
        return std::nullopt;
    }
    return *(next - 1);
}

QVector<MemoryStack> onSteadyBase(QVector<MemoryStack> stacks)
{
    if (stacks.isEmpty()) {
        return stacks;
    }
    constexpr double kMib = 1024.0 * 1024.0;
    const MemoryStack& last = stacks.constLast();
    const double others = std::round((last.others - last.activations) / kMib) * kMib;
    for (MemoryStack& stack : stacks) {
        const double shift = stack.activations + others - stack.others;
        stack.others += shift;
        stack.kvUsed += shift;
        stack.kvReserved += shift;
    }
    return stacks;
}

QVector<MemoryStack> withoutGaps(const QVector<MemoryStack>& stacks, qint64 step)
{
    QVector<MemoryStack> filled;
    filled.reserve(stacks.size());
    for (const MemoryStack& stack : stacks) {
        if (!filled.isEmpty() && step > 0) {
            const MemoryStack from = filled.constLast();
            const auto gap = static_cast<double>(stack.tokens - from.tokens);
            const double used = from.kvUsed - from.others;
            for (qint64 tokens = from.tokens + step; tokens < stack.tokens; tokens += step) {
                MemoryStack between = stack;
                between.tokens = tokens;
                const double share = static_cast<double>(tokens - from.tokens) / gap;
                between.kvUsed = stack.others + used + share * (stack.kvUsed - stack.others - used);
                filled.append(between);
            }
        }
        filled.append(stack);
    }
    return filled;
}

QVector<MemoryStack> thinned(const QVector<MemoryStack>& stacks, int most)
{
    if (stacks.size() <= most || most < 2) {
        return stacks;
    }
    QVector<MemoryStack> kept;
    kept.reserve(most);
    const double stride = static_cast<double>(stacks.size() - 1) / (most - 1);
    for (int i = 0; i < most; ++i) {
        kept.append(stacks[std::min<qsizetype>(std::llround(i * stride), stacks.size() - 1)]);
    }
    return kept;
}

} // namespace kvasir
