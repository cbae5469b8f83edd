#pragma once

#include "plots/replyseries.h"
#include "plots/seriesmath.h"

#include <QCoreApplication>
#include <QStringList>

namespace kvasir {

/// A reply with what is derived from it as it grows.
struct TimelineReply {
    ReplySeries series;
    SortedValues gaps; ///< ITL, without the first token

    void append(const QVector<TokenPoint>& tokens);
    /// Age of the reply: the latest moment known, in milliseconds.
    double endMs() const;
    /// End of the queue: where prefill begins, or now.
    double queueEndMs() const;
    /// End of prefill, or now while it runs. Unset before it begins.
    std::optional<double> prefillEndMs() const;
    bool isEmpty() const { return series.progress.state == ReplyState::Empty && series.tokens.isEmpty(); }
    bool isRunning() const;
};

/// The timeline in words.
class TimelineText {
    Q_DECLARE_TR_FUNCTIONS(kvasir::TimelineText)

public:
    /// Definitions of the field's terms, a sentence each.
    static QString ttftDefinition();
    static QString itlDefinition();

    /// A token's text with white space made visible.
    static QString visibleText(const QString& text);
    static QStringList tokenReadout(const TimelineReply& reply, int index);
    static QStringList queueReadout(const TimelineReply& reply);
    static QStringList prefillReadout(const TimelineReply& reply);
    /// "prefill", "12 of 34 new", "180 cached".
    static QStringList prefillLabels(const TimelineReply& reply);
    static QString summary(const TimelineReply& reply);
    static QString csv(const TimelineReply& reply);
};

} // namespace kvasir
