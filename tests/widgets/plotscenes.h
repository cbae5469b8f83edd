#pragma once

#include "plots/memoryseries.h"
#include "plots/phasevalues.h"
#include "plots/replyseries.h"

namespace kvasir::testing {

inline constexpr qint64 kMib = 1024 * 1024;

/// A reply of `count` tokens: queue 10 ms, prefill 90 ms, then a token each 20 ms, but for token 4, which takes 60 ms.
inline ReplySeries sampleReply(int count, ReplyState state = ReplyState::Finished)
{
    ReplySeries series;
    ReplyProgress& progress = series.progress;
    progress.state = state;
    progress.queueMs = 10;
    progress.prefillBeginMs = 10;
    progress.prefillEndMs = 100;
    progress.ttftMs = 100;
    progress.promptTokens = 214;
    progress.cachedTokens = 180;
    progress.prefillDone = 34;
    double time = 100;
    for (int i = 0; i < count; ++i) {
        const double gap = i == 0 ? 0 : (i == 4 ? 60 : 20);
        time += gap;
        series.tokens.append({time, gap, QStringLiteral(" tok%1").arg(i), 0.5, 1.5,
            {{QStringLiteral(" river"), 0.5}, {QStringLiteral("\n"), 0.25}}});
    }
    progress.nowMs = time;
    return series;
}

/// Memory of a conversation of `tokens` tokens: weights 138 MiB, activations 22 MiB, 64 KiB of KV cache a token.
inline MemorySeries sampleMemory(qint64 tokens, qint64 limit)
{
    MemorySeries series;
    series.limitBytes = limit;
    series.machineBytes = qint64{24} * 1024 * kMib;
    series.contextLimit = 8192;
    series.kvBytesPerToken = 65536;
    for (qint64 i = 0; i <= tokens; ++i) {
        MemorySample sample;
        sample.tokens = i;
        sample.weights = 138 * kMib;
        sample.activations = 22 * kMib;
        sample.kvUsed = i * 65536;
        sample.kvReserved = (i + 15) / 16 * 16 * 65536;
        sample.process = sample.weights + sample.activations + sample.kvReserved + 30 * kMib;
        series.samples.append(sample);
    }
    return series;
}

/// Prefill at 31 % of the arithmetic, decode at 84 % of the bandwidth; prefill took 74 % of the reply.
inline PhaseValues samplePhases()
{
    PhaseValues values;
    values.prefill = {1030.0, 740.0, 290.16e9, 0.8e9, 4e6};
    values.decode = {41.0, 260.0, 11e9, 22.596e9, 159.0 * kMib};
    values.limits = LimitsState::Measured;
    values.readBytesPerSecond = 26.9e9;
    values.operationsPerSecond = 936e9;
    values.dashboardShare = 0.003;
    return values;
}

} // namespace kvasir::testing
