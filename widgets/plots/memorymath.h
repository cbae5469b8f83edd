#pragma once

#include "plots/memoryseries.h"

#include <QVector>

#include <optional>

namespace kvasir {

/// The top edge of each layer, in bytes from zero: each stands on the one before.
struct MemoryStack {
    qint64 tokens = 0;
    double weights = 0;
    double activations = 0;
    double others = 0;
    double kvUsed = 0;
    double kvReserved = 0; ///< the top of everything
};

/// Process memory that the ledger does not explain; 0 where the process is unknown or smaller than the ledger (pages
/// that were reserved and never touched).
qint64 othersOf(const MemorySample& sample);

/// Negative figures count as 0 and KV used is at most KV reserved.
MemoryStack stackOf(const MemorySample& sample);

/// Stacks in ascending order of tokens: a sample with fewer tokens than those before it (an edited message) drops them,
/// one with the same number replaces it.
QVector<MemoryStack> stacksOf(const QVector<MemorySample>& samples);

/// Adds one sample to stacks by that rule.
void appendStack(QVector<MemoryStack>& stacks, const MemorySample& sample);

/// KV bytes a token: the slope of KV used against tokens (least squares). Unset with fewer than two different tokens,
/// or where it does not grow.
std::optional<double> fittedKvBytesPerToken(const QVector<MemorySample>& samples);

enum class OutlookKind { Unknown, FullAt, ContextFirst, NoLimitKnown, AlreadyFull };

/// Where a conversation is heading.
struct MemoryOutlook {
    OutlookKind kind = OutlookKind::Unknown;
    qint64 tokens = 0; ///< FullAt: tokens that still fit; ContextFirst: the context limit
    double kvBytesPerToken = 0;
    bool isFitted = false; ///< kvBytesPerToken comes from the samples
};

MemoryOutlook outlookOf(const MemorySeries& series);

/// Bytes that everything will occupy at `tokens`: now's total and whole blocks for the tokens to come.
double projectedBytes(const MemoryStack& now, qint64 tokens, double kvBytesPerToken, int blockTokens);

/// Value of the step-wise series at `tokens`: the last stack not beyond it. Unset before the first.
std::optional<MemoryStack> stackAt(const QVector<MemoryStack>& stacks, qint64 tokens);

/// The stacks with the others of the last one, to a whole MiB, in all: resident memory rises and falls for reasons that
/// have nothing to do with tokens, and the KV cache, which stands on it, would seem to.
QVector<MemoryStack> onSteadyBase(QVector<MemoryStack> stacks);

/// Stacks no further apart than `step` tokens: between two samples of a prompt that was read at once, KV used grows
/// token by token, while its blocks are all taken at the start.
QVector<MemoryStack> withoutGaps(const QVector<MemoryStack>& stacks, qint64 step);

/// At most `most` stacks, the last always among them.
QVector<MemoryStack> thinned(const QVector<MemoryStack>& stacks, int most);

} // namespace kvasir
