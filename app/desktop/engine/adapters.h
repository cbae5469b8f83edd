#pragma once

#include "chat/chatmessage.h"
#include "engine/replyvalues.h"
#include "measure/limits.h"
#include "plots/memoryseries.h"
#include "plots/phasevalues.h"
#include "plots/replyseries.h"
#include "store/conversation.h"

#include <optional>

namespace kvasir {

/// The one place where values of the engine and the store become values that widgets draw.
namespace Adapters {

// Timeline
TokenPoint tokenPoint(const ReplyToken& token, Nanoseconds before, bool first);
ReplySeries replySeries(const ReplyRecord& record);
/// A reply that is being computed, `age` after the question; of `soFar`, the figures that are known by then are set.
ReplyProgress liveProgress(const ReplyRecord& soFar, Nanoseconds age);

// Memory
MemorySample memorySample(const MemoryUse& use, const SystemMemory& system, qint64 tokens);
MemorySeries memorySeries(const ModelInfo& model, const MemorySample& first, const SystemMemory& system);

// Prefill v decode
PhaseValues phaseValues(const PhaseTotals& totals, const ReplyRecord& record);
void setLimits(PhaseValues& values, const HardwareLimits& limits, const ModelSummary& model);

// Chat
/// The figures below a reply; `live`: it is still being written.
QList<FooterPart> footer(const ReplyRecord& record, bool live);
/// "Thought for 3.2 s · 214 tokens"; `live`: it still thinks. Empty where the reply has no reasoning.
QString reasoningLabel(const Message& message, const ReplyRecord* record);
/// The answer as Markdown with the tool calls in their places.
QString shownText(const Message& message);
ChatMessage chatMessage(const Message& message, const ReplyRecord* record);
QString stopReasonText(StopReason reason);
QString stopReasonHelp(StopReason reason);

/// "SmolLM2 135M Instruct": how the window names a model.
QString modelName(const ModelInfo& model);
QString modelLabel(const ModelInfo& model);       ///< with the precision of its weights
QString deviceLabel(const ModelSummary& summary); ///< "CPU · 2 threads"
QString modelTooltip(const ModelInfo& model);

} // namespace Adapters

} // namespace kvasir
