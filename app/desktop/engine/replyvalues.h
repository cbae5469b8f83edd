#pragma once

#include "base/result.h"
#include "measure/ledger.h"
#include "measure/systemmemory.h"
#include "session/engine.h"
#include "store/conversation.h"
#include "text/replyformat.h"

#include <QList>
#include <QMetaType>
#include <QString>
#include <QStringList>

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
    QString reasoning; ///< of a reply
    QStringList calls; ///< of a reply: the words of its tool calls
};

/// A token of a prompt, for people.
struct PromptToken {
    int id = 0;
    QString text;
    bool isSpecial = false;
};

/// A conversation as a model receives it.
struct PromptView {
    QList<PromptToken> tokens;
    QString text;               ///< of all tokens together: a character may be several of them
    bool endsWithReply = false; ///< nothing is asked: the last message is the model's
    bool failed = false;
    Error error; ///< where failed
};

/// A stretch of a reply as what it is for; see ReplyPiece of the engine.
struct TextPiece {
    ReplyPart part = ReplyPart::Answer;
    bool begins = false;
    QString tool;
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
    QList<TextPiece> pieces;
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

/// Adds pieces of a reply to its message.
void addPieces(Message& message, const QList<TextPiece>& pieces);

struct ReplyEnd {
    MessageId id = 0;
    ReplyStats stats;
    bool failed = false;
    Error error; ///< where failed
};

} // namespace kvasir

Q_DECLARE_METATYPE(kvasir::ModelInfo)
Q_DECLARE_METATYPE(kvasir::PromptView)
