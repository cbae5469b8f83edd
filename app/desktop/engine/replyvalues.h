#pragma once

#include "base/result.h"
#include "measure/ledger.h"
#include "measure/systemmemory.h"
#include "session/engine.h"
#include "store/conversation.h"

#include <QList>
#include <QMetaType>
#include <QString>

#include <memory>
#include <optional>

namespace kvasir {

/// A model that is ready, as the window tells of it.
struct ModelInfo {
    QString path;
    ModelSummary summary;
    bool hasTemplate = false;
    MemoryUse memory;
    SystemMemory system;
};

struct PromptMessage {
    MessageRole role = MessageRole::User;
    QString text;
};

struct ReplyRequest {
    MessageId id = 0;
    QList<PromptMessage> messages; ///< oldest first, the last one is the user's
    ChatSettings settings;
    TimePoint submitted = Clock::now();
};

/// How the two halves of a reply used the machine so far; sums over steps.
struct PhaseTotals {
    Nanoseconds prefillTime{0};
    int prefillTokens = 0;
    uint64_t prefillOperations = 0;
    uint64_t prefillBytes = 0;
    Nanoseconds decodeTime{0};
    int decodeTokens = 0;
    uint64_t decodeOperations = 0;
    uint64_t decodeBytes = 0;
};

struct PrefillProgress {
    int done = 0; ///< of (total - cached)
    int total = 0;
    int cached = 0;
    Nanoseconds queue{0}; ///< submitted to first scheduled
};

/// What was added to a reply since the delta before; a small copy that crosses threads.
struct ReplyDelta {
    MessageId id = 0;
    QString text;
    QList<ReplyToken> tokens;
    QList<PrefillMark> marks;
    std::optional<PrefillProgress> prefill; ///< the newest
    PhaseTotals phases;                     ///< the newest
    MemoryUse memory;                       ///< the newest
    SystemMemory system;                    ///< the newest
    Nanoseconds age{0};                     ///< of the question

    /// Adds what came later; newest wins where only one value can be shown.
    void append(const ReplyDelta& later);
};

struct ReplyEnd {
    MessageId id = 0;
    ReplyStats stats;
    bool failed = false;
    Error error; ///< where failed
};

} // namespace kvasir

Q_DECLARE_METATYPE(kvasir::ModelInfo)
