#pragma once

#include <QMetaType>
#include <QString>
#include <QVector>

#include <optional>

namespace kvasir {

/// What else the model might have said in a token's place.
struct TokenAlternative {
    QString text;
    double probability = 0; ///< 0 to 1
};

/// One generated token as the timeline draws it: a bar at timeMs, gapMs high.
struct TokenPoint {
    double timeMs = 0; ///< milliseconds since the question was submitted
    double gapMs = 0;  ///< to the token before it (ITL); 0 for the first token, which has none
    QString text;
    std::optional<double> probability; ///< 0 to 1
    std::optional<double> entropyBits;
    QVector<TokenAlternative> alternatives; ///< best first
};

/// Something that bent the curve: a short mark where it happened.
struct ReplyEvent {
    double timeMs = 0; ///< milliseconds since the question was submitted
    QString text;      ///< two or three words, translated: "another chat joined"
};

enum class ReplyState { Empty, Queued, Prefill, Decoding, Finished, Stopped, Failed };

/// Everything about a reply but its tokens and events: small enough to be copied for each update.
struct ReplyProgress {
    ReplyState state = ReplyState::Empty;
    QString failure;    ///< why, translated; only with Failed
    double nowMs = 0;   ///< age of the question when this was gathered; end of the reply once it is finished
    double queueMs = 0; ///< submitted to first scheduled
    std::optional<double> prefillBeginMs; ///< unset while queued
    std::optional<double> prefillEndMs;   ///< unset while prefill runs
    std::optional<double> ttftMs;         ///< unset before the first token
    int promptTokens = 0;                 ///< prefillDone of (promptTokens - cachedTokens) have been computed
    int cachedTokens = 0;                 ///< of the prompt, taken from the KV cache
    int prefillDone = 0;
};

/// One reply, live or earlier.
struct ReplySeries {
    ReplyProgress progress;
    QVector<TokenPoint> tokens; ///< in order of time
    QVector<ReplyEvent> events;
};

} // namespace kvasir

Q_DECLARE_METATYPE(kvasir::ReplySeries)
