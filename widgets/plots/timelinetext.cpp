#include "plots/timelinetext.h"

#include "base/numberformat.h"

#include <algorithm>
#include <cmath>

namespace kvasir {

using namespace NumberFormat;

namespace {

double finite(double value)
{
    return std::isfinite(value) ? std::clamp(value, 0.0, 1e12) : 0.0;
}

} // namespace

void TimelineReply::append(const QVector<TokenPoint>& tokens)
{
    for (const TokenPoint& token : tokens) {
        const double previous = series.tokens.isEmpty() ? 0.0 : series.tokens.constLast().timeMs;
        series.tokens.append(sanitised(token, previous));
        if (series.tokens.size() > 1) {
            gaps.insert(series.tokens.constLast().gapMs);
        }
    }
}

double TimelineReply::endMs() const
{
    const ReplyProgress& p = series.progress;
    double end = std::max({finite(p.nowMs), finite(p.ttftMs.value_or(0)), finite(p.prefillEndMs.value_or(0))});
    if (!series.tokens.isEmpty()) {
        end = std::max(end, series.tokens.constLast().timeMs);
    }
    return end;
}

double TimelineReply::queueEndMs() const
{
    const ReplyProgress& p = series.progress;
    return p.state == ReplyState::Queued ? endMs() : finite(p.prefillBeginMs.value_or(p.queueMs));
}

std::optional<double> TimelineReply::prefillEndMs() const
{
    const ReplyProgress& p = series.progress;
    if (!p.prefillBeginMs) {
        return std::nullopt;
    }
    if (p.prefillEndMs) {
        return finite(*p.prefillEndMs);
    }
    return p.state == ReplyState::Prefill ? endMs() : finite(p.ttftMs.value_or(endMs()));
}

bool TimelineReply::isRunning() const
{
    const ReplyState state = series.progress.state;
    return state == ReplyState::Queued || state == ReplyState::Prefill || state == ReplyState::Decoding;
}

QString TimelineText::ttftDefinition()
{
    return tr("TTFT, time to first token: from sending the question to the first token of the reply.");
}

QString TimelineText::itlDefinition()
{
    return tr(
        "ITL, inter-token latency: the gap between one token and the next. Half of the gaps are shorter than p50, "
        "99 % shorter than p99.");
}

QString TimelineText::visibleText(const QString& text)
{
    QString shown;
    for (const QChar c : text) {
        if (c == QLatin1Char('\n')) {
            shown += QChar(0x23ce); // ⏎
        } else if (c == QLatin1Char('\t')) {
            shown += QChar(0x21e5); // ⇥
        } else if (c == QLatin1Char(' ')) {
            shown += QChar(0x00b7); // ·
        } else if (c.isPrint() || c.isSurrogate() || c == QChar(0x200d)) {
            shown += c;
        }
    }
    return shown;
}

QStringList TimelineText::tokenReadout(const TimelineReply& reply, int index)
{
    const TokenPoint& token = reply.series.tokens[index];
    QStringList lines;
    lines.append(
        tr("“%1”  token %2 of %3").arg(visibleText(token.text), count(index + 1), count(reply.series.tokens.size())));
    if (index == 0) {
        lines.append(tr("first token after %1 (TTFT)").arg(milliseconds(token.timeMs)));
    } else {
        lines.append(tr("gap %1 (ITL), at %2").arg(milliseconds(token.gapMs), milliseconds(token.timeMs)));
    }
    if (token.probability && token.entropyBits) {
        lines.append(
            tr("probability %1, entropy %2 bits").arg(percent(*token.probability), figures(*token.entropyBits, 2)));
    } else if (token.probability) {
        lines.append(tr("probability %1").arg(percent(*token.probability)));
    }
    QStringList alternatives;
    for (const TokenAlternative& alternative : token.alternatives) {
        alternatives.append(
            QStringLiteral("“%1” %2").arg(visibleText(alternative.text), percent(alternative.probability)));
    }
    for (int i = 0; i < alternatives.size(); i += 2) { // two a line keep the box narrow
        lines.append(alternatives.mid(i, 2).join(QStringLiteral("   ")));
    }
    return lines;
}

QStringList TimelineText::queueReadout(const TimelineReply& reply)
{
    return {
        tr("queue %1").arg(milliseconds(reply.queueEndMs())), tr("from sending the question to the start of prefill")};
}

QStringList TimelineText::prefillReadout(const TimelineReply& reply)
{
    const ReplyProgress& p = reply.series.progress;
    QStringList lines{
        tr("prefill %1").arg(milliseconds(reply.prefillEndMs().value_or(0) - finite(p.prefillBeginMs.value_or(0))))};
    lines.append(tr("the prompt is read: %1").arg(prefillLabels(reply).mid(1).join(QLatin1String(", "))));
    return lines;
}

QStringList TimelineText::prefillLabels(const TimelineReply& reply)
{
    const ReplyProgress& p = reply.series.progress;
    const int fresh = std::max(p.promptTokens - p.cachedTokens, 0);
    QStringList labels{tr("prefill")};
    if (p.state == ReplyState::Prefill) {
        labels.append(tr("%1 of %2 new").arg(count(std::clamp(p.prefillDone, 0, fresh)), count(fresh)));
    } else {
        labels.append(tr("%1 new").arg(count(fresh)));
    }
    if (p.cachedTokens > 0) {
        labels.append(tr("%1 cached").arg(count(p.cachedTokens)));
    }
    return labels;
}

QString TimelineText::summary(const TimelineReply& reply)
{
    const ReplyProgress& p = reply.series.progress;
    if (reply.isEmpty()) {
        return tr("No reply yet.");
    }
    QStringList sentences;
    switch (p.state) {
    case ReplyState::Empty:
        break;
    case ReplyState::Queued:
        sentences.append(tr("The question waits in the queue, %1 so far.").arg(milliseconds(reply.endMs())));
        break;
    case ReplyState::Prefill:
        sentences.append(tr("Prefill is running: %1.").arg(prefillLabels(reply).mid(1).join(QLatin1String(", "))));
        break;
    case ReplyState::Decoding:
        sentences.append(tr("The reply is being written."));
        break;
    case ReplyState::Finished:
        sentences.append(tr("The reply is finished."));
        break;
    case ReplyState::Stopped:
        sentences.append(tr("The reply was stopped."));
        break;
    case ReplyState::Failed:
        sentences.append(tr("The reply failed: %1").arg(p.failure));
        break;
    }
    if (p.ttftMs) {
        sentences.append(tr("First token after %1: queue %2, prefill %3 (%4).")
                             .arg(milliseconds(finite(*p.ttftMs)), milliseconds(reply.queueEndMs()),
                                 milliseconds(reply.prefillEndMs().value_or(0) - finite(p.prefillBeginMs.value_or(0))),
                                 prefillLabels(reply).mid(1).join(QLatin1String(", "))));
    }
    if (reply.gaps.size() > 0) {
        sentences.append(tr("%n token(s); gap p50 %1, p90 %2, p99 %3, longest %4.", nullptr,
            static_cast<int>(reply.series.tokens.size()))
                             .arg(milliseconds(*reply.gaps.quantile(0.5)), milliseconds(*reply.gaps.quantile(0.9)),
                                 milliseconds(*reply.gaps.quantile(0.99)), milliseconds(*reply.gaps.quantile(1))));
    }
    for (const ReplyEvent& event : reply.series.events) {
        sentences.append(tr("%1 at %2.").arg(event.text, milliseconds(event.timeMs)));
    }
    return sentences.join(QLatin1Char(' '));
}

QString TimelineText::csv(const TimelineReply& reply)
{
    const ReplyProgress& p = reply.series.progress;
    QString out = QStringLiteral("kind,index,begin_ms,end_ms,gap_ms,text,probability,entropy_bits\n");
    const auto row = [&out](const char* kind, const QString& index, std::optional<double> begin,
                         std::optional<double> end, std::optional<double> gap, const QString& text,
                         std::optional<double> probability, std::optional<double> entropy) {
        const QStringList fields{QLatin1String(kind), index, csvNumber(begin), csvNumber(end), csvNumber(gap),
            csvField(text), csvNumber(probability), csvNumber(entropy)};
        out += fields.join(QLatin1Char(',')) + QLatin1Char('\n');
    };
    if (reply.isEmpty()) {
        return out;
    }
    row("queue", {}, 0.0, reply.queueEndMs(), {}, {}, {}, {});
    if (p.prefillBeginMs) {
        row("prefill", {}, p.prefillBeginMs, reply.prefillEndMs(), {}, {}, {}, {});
    }
    for (int i = 0; i < reply.series.tokens.size(); ++i) {
        const TokenPoint& token = reply.series.tokens[i];
        const std::optional<double> gap = i == 0 ? std::nullopt : std::optional(token.gapMs);
        row("token", QString::number(i), token.timeMs - token.gapMs, token.timeMs, gap, token.text, token.probability,
            token.entropyBits);
    }
    for (const ReplyEvent& event : reply.series.events) {
        row("event", {}, event.timeMs, event.timeMs, {}, event.text, {}, {});
    }
    return out;
}

} // namespace kvasir
