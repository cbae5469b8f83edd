#include "store/replycodec.h"

#include <QDataStream>
#include <QIODevice>
#include <QJsonArray>
#include <QJsonDocument>

#include <utility>

namespace kvasir {

namespace {

constexpr quint32 kTraceVersion = 1;
constexpr qsizetype kMaxTraceBytes = 256 << 20;

constexpr StopReason kStopReasons[] = {StopReason::None, StopReason::Eos, StopReason::Stop, StopReason::Length,
    StopReason::Cancelled, StopReason::Context, StopReason::Failed};

Nanoseconds milliseconds(const QJsonObject& json, const char* key)
{
    return Nanoseconds(static_cast<qint64>(json.value(QLatin1String(key)).toDouble() * 1e6));
}

} // namespace

QJsonObject statisticsToJson(const ReplyStats& stats)
{
    return {{"queue_ms", toMilliseconds(stats.queue)}, {"prefill_ms", toMilliseconds(stats.prefill)},
        {"ttft_ms", toMilliseconds(stats.ttft)}, {"end_to_end_ms", toMilliseconds(stats.endToEnd)},
        {"tpot_ms", stats.tpotMilliseconds()}, {"prefill_tokens_per_second", stats.prefillTokensPerSecond()},
        {"decode_tokens_per_second", stats.decodeTokensPerSecond()}, {"prompt_tokens", stats.promptTokens},
        {"cached_tokens", stats.cachedTokens}, {"generated_tokens", stats.generatedTokens},
        {"reasoning_tokens", stats.reasoningTokens}, {"reasoning_ms", toMilliseconds(stats.reasoning)},
        {"ttfo_ms", toMilliseconds(stats.ttfo)}, {"stop_reason", QLatin1String(stopReasonName(stats.stopReason))}};
}

ReplyStats statisticsFromJson(const QJsonObject& json)
{
    ReplyStats stats;
    stats.queue = milliseconds(json, "queue_ms");
    stats.prefill = milliseconds(json, "prefill_ms");
    stats.ttft = milliseconds(json, "ttft_ms");
    stats.endToEnd = milliseconds(json, "end_to_end_ms");
    stats.promptTokens = json.value("prompt_tokens").toInt();
    stats.cachedTokens = json.value("cached_tokens").toInt();
    stats.generatedTokens = json.value("generated_tokens").toInt();
    stats.reasoningTokens = json.value("reasoning_tokens").toInt();
    stats.reasoning = milliseconds(json, "reasoning_ms");
    stats.ttfo = milliseconds(json, "ttfo_ms");
    const QString reason = json.value("stop_reason").toString();
    for (StopReason candidate : kStopReasons) {
        if (reason == QLatin1String(stopReasonName(candidate))) {
            stats.stopReason = candidate;
        }
    }
    return stats;
}

QString callsToJson(const QList<MessageCall>& calls)
{
    QJsonArray list;
    for (const MessageCall& call : calls) {
        list.append(QJsonObject{{"tool", call.tool}, {"text", call.text}, {"at", call.at}});
    }
    return calls.isEmpty() ? QString() : QString::fromUtf8(QJsonDocument(list).toJson(QJsonDocument::Compact));
}

QList<MessageCall> callsFromJson(const QString& text)
{
    QList<MessageCall> calls;
    for (const QJsonValue& value : QJsonDocument::fromJson(text.toUtf8()).array()) {
        calls.append({value["tool"].toString(), value["text"].toString(), value["at"].toInt()});
    }
    return calls;
}

QByteArray encodeTrace(const ReplyRecord& record)
{
    QByteArray bytes;
    QDataStream out(&bytes, QIODevice::WriteOnly);
    out.setVersion(QDataStream::Qt_6_0);
    out.setFloatingPointPrecision(QDataStream::SinglePrecision);
    out << kTraceVersion << static_cast<quint32>(record.prefill.size());
    for (const PrefillMark& mark : record.prefill) {
        out << static_cast<qint64>(mark.sinceSubmit.count()) << static_cast<qint32>(mark.tokens);
    }
    out << static_cast<quint32>(record.tokens.size());
    Nanoseconds before{0};
    for (const ReplyToken& token : record.tokens) {
        // Differences, because they repeat and so compress.
        out << static_cast<qint64>((token.time - std::exchange(before, token.time)).count()) << token.probability
            << token.entropy << token.text.toUtf8() << static_cast<quint8>(token.alternatives.size());
        for (const ReplyAlternative& alternative : token.alternatives) {
            out << alternative.text.toUtf8() << alternative.probability;
        }
    }
    return qCompress(bytes);
}

bool decodeTrace(const QByteArray& bytes, ReplyRecord& record)
{
    record.tokens.clear();
    record.prefill.clear();
    // qUncompress allocates what the first four bytes say.
    if (bytes.size() < 4
        || QByteArray::fromRawData(bytes.constData(), 4).toHex().toLongLong(nullptr, 16) > kMaxTraceBytes) {
        return false;
    }
    const QByteArray raw = qUncompress(bytes);
    QDataStream in(raw);
    in.setVersion(QDataStream::Qt_6_0);
    in.setFloatingPointPrecision(QDataStream::SinglePrecision);
    quint32 version = 0;
    quint32 marks = 0;
    in >> version >> marks;
    if (version != kTraceVersion) {
        return false;
    }
    for (quint32 i = 0; i < marks && in.status() == QDataStream::Ok; ++i) {
        qint64 since = 0;
        qint32 tokens = 0;
        in >> since >> tokens;
        record.prefill.append({Nanoseconds(since), tokens});
    }
    Nanoseconds time{0};
    quint32 count = 0;
    in >> count;
    for (quint32 i = 0; i < count && in.status() == QDataStream::Ok; ++i) {
        ReplyToken token;
        qint64 gap = 0;
        QByteArray text;
        quint8 alternatives = 0;
        in >> gap >> token.probability >> token.entropy >> text >> alternatives;
        time += Nanoseconds(gap);
        token.time = time;
        token.text = QString::fromUtf8(text);
        for (quint8 k = 0; k < alternatives && in.status() == QDataStream::Ok; ++k) {
            ReplyAlternative alternative;
            in >> text >> alternative.probability;
            alternative.text = QString::fromUtf8(text);
            token.alternatives.append(alternative);
        }
        record.tokens.append(token);
    }
    if (in.status() != QDataStream::Ok) {
        record.tokens.clear();
        record.prefill.clear();
        return false;
    }
    return true;
}

} // namespace kvasir
