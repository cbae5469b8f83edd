#include "engine/adapters.h"

#include "base/numberformat.h"
#include "chat/markdown.h"
#include "engine/errortext.h"
#include "settings/modelpaths.h"
#include "store/errorcodec.h"
#include "text/toolcall.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QJsonDocument>
#include <QLocale>
#include <QRegularExpression>

#include <algorithm>

namespace kvasir::Adapters {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(Adapters)
};

std::optional<double> rate(double amount, Nanoseconds time)
{
    return time.count() > 0 && amount > 0 ? std::optional(amount / toSeconds(time)) : std::nullopt;
}

bool computesInFloat(const ModelSummary& model)
{
    return model.weightsName == "F32" || model.weightsName == "F16" || model.weightsName == "BF16";
}

/// A code block that the chat shows as the call of a tool; `isWhole`: nothing more will be added to it.
QString fencedCall(const ToolCall& call, bool isWhole)
{
    QString arguments = QString::fromStdString(call.arguments);
    if (const QJsonDocument json = QJsonDocument::fromJson(arguments.toUtf8()); isWhole && !json.object().isEmpty()) {
        arguments = QString::fromUtf8(json.toJson(QJsonDocument::Indented)).trimmed();
    }
    qsizetype ticks = 0; // the longest run of them inside; the fence is longer
    qsizetype run = 0;
    for (const QChar c : arguments) {
        run = c == u'`' ? run + 1 : 0;
        ticks = std::max(ticks, run);
    }
    const QString fence(std::max<qsizetype>(3, ticks + 1), u'`');
    QString head = QString::fromLatin1(kToolCallFence);
    static const QRegularExpression kOdd(QStringLiteral("[^\\w.:-]"), QRegularExpression::UseUnicodePropertiesOption);
    if (const QString name = QString::fromStdString(call.name).remove(kOdd); !name.isEmpty()) {
        head += u':' + name;
    }
    return QStringLiteral("\n\n") + fence + head + u'\n' + arguments + (isWhole ? u'\n' + fence : QString());
}

} // namespace

TokenPoint tokenPoint(const ReplyToken& token, Nanoseconds before, bool first)
{
    TokenPoint point;
    point.timeMs = toMilliseconds(token.time);
    point.gapMs = first ? 0 : toMilliseconds(token.time - before);
    point.text = token.text;
    point.probability = token.probability;
    point.entropyBits = token.entropy;
    for (const ReplyAlternative& alternative : token.alternatives) {
        point.alternatives.append({alternative.text, alternative.probability});
    }
    return point;
}

ReplySeries replySeries(const ReplyRecord& record)
{
    const ReplyStats& stats = record.stats;
    ReplySeries series;
    ReplyProgress& progress = series.progress;
    progress.state = stats.stopReason == StopReason::Failed ? ReplyState::Failed
        : stats.stopReason == StopReason::Cancelled         ? ReplyState::Stopped
                                                            : ReplyState::Finished;
    progress.nowMs = toMilliseconds(stats.endToEnd);
    progress.queueMs = toMilliseconds(stats.queue);
    progress.prefillBeginMs = progress.queueMs;
    progress.promptTokens = stats.promptTokens;
    progress.cachedTokens = stats.cachedTokens;
    progress.prefillDone = record.prefill.isEmpty() ? 0 : record.prefill.last().tokens;
    if (stats.generatedTokens > 0) {
        progress.prefillEndMs = toMilliseconds(stats.queue + stats.prefill);
        progress.ttftMs = toMilliseconds(stats.ttft);
        progress.prefillDone = stats.promptTokens - stats.cachedTokens;
    }
    Nanoseconds before{0};
    for (const ReplyToken& token : record.tokens) {
        series.tokens.append(tokenPoint(token, before, series.tokens.isEmpty()));
        before = token.time;
    }
    return series;
}

ReplyProgress liveProgress(const ReplyRecord& soFar, Nanoseconds age)
{
    ReplyProgress progress;
    progress.nowMs = toMilliseconds(age);
    progress.state = ReplyState::Queued;
    progress.promptTokens = soFar.stats.promptTokens;
    progress.cachedTokens = soFar.stats.cachedTokens;
    if (!soFar.prefill.isEmpty()) {
        progress.state = ReplyState::Prefill;
        progress.queueMs = toMilliseconds(soFar.stats.queue);
        progress.prefillBeginMs = progress.queueMs;
        progress.prefillDone = soFar.prefill.last().tokens;
    }
    if (!soFar.tokens.isEmpty()) {
        progress.state = ReplyState::Decoding;
        progress.ttftMs = toMilliseconds(soFar.tokens.first().time);
        progress.prefillEndMs = progress.ttftMs;
    }
    return progress;
}

MemorySample memorySample(const MemoryUse& use, const SystemMemory& system, qint64 tokens)
{
    MemorySample sample;
    sample.tokens = tokens;
    sample.weights = static_cast<qint64>(use[MemoryTag::Weights] + use[MemoryTag::Draft]);
    sample.activations =
        static_cast<qint64>(use[MemoryTag::Activations] + use[MemoryTag::Scratch] + use[MemoryTag::Logits]);
    sample.kvUsed = static_cast<qint64>(use[MemoryTag::KvUsed]);
    sample.kvReserved = static_cast<qint64>(use[MemoryTag::KvReserved]);
    if (system.processResident > 0) {
        sample.process = static_cast<qint64>(system.processResident);
    }
    return sample;
}

MemorySeries memorySeries(const ModelInfo& model, const MemorySample& first, const SystemMemory& system)
{
    MemorySeries series;
    series.samples = {first};
    if (system.available > 0) {
        series.limitBytes = static_cast<qint64>(system.processResident + system.available);
    }
    if (system.total > 0) {
        series.machineBytes = static_cast<qint64>(system.total);
    }
    series.contextLimit = model.summary.context;
    if (model.summary.kvBytesPerToken > 0) {
        series.kvBytesPerToken = static_cast<double>(model.summary.kvBytesPerToken);
    }
    return series;
}

PhaseValues phaseValues(const PhaseTotals& totals, const ReplyRecord& record)
{
    const ReplyStats& stats = record.stats;
    PhaseValues values;
    values.prefill.tokensPerSecond = rate(totals.prefillTokens, totals.prefillTime);
    values.prefill.operationsPerSecond = rate(static_cast<double>(totals.prefillOperations), totals.prefillTime);
    values.prefill.bytesPerSecond = rate(static_cast<double>(totals.prefillBytes), totals.prefillTime);
    if (totals.prefillTokens > 0) {
        values.prefill.milliseconds = toMilliseconds(totals.prefillTime);
        values.prefill.bytesPerToken = static_cast<double>(totals.prefillBytes) / totals.prefillTokens;
    }
    values.decode.operationsPerSecond = rate(static_cast<double>(totals.decodeOperations), totals.decodeTime);
    values.decode.bytesPerSecond = rate(static_cast<double>(totals.decodeBytes), totals.decodeTime);
    if (totals.decodeTokens > 0) {
        values.decode.bytesPerToken = static_cast<double>(totals.decodeBytes) / totals.decodeTokens;
    }
    // Rates are of whole gaps, as below the message, so that the two places never disagree; the gauges are of steps.
    if (record.tokens.size() > 1) {
        const Nanoseconds span = record.tokens.last().time - record.tokens.first().time;
        values.decode.tokensPerSecond = rate(static_cast<double>(record.tokens.size() - 1), span);
        values.decode.milliseconds = toMilliseconds(span);
    }
    if (stats.stopReason != StopReason::None && stats.generatedTokens > 0) {
        values.decode.tokensPerSecond = rate(stats.generatedTokens - 1, stats.endToEnd - stats.ttft);
        values.decode.milliseconds = toMilliseconds(stats.endToEnd - stats.ttft);
        values.prefill.tokensPerSecond = rate(stats.promptTokens - stats.cachedTokens, stats.prefill);
        values.prefill.milliseconds = toMilliseconds(stats.prefill);
    }
    values.live = stats.stopReason == StopReason::None;
    return values;
}

void setLimits(PhaseValues& values, const HardwareLimits& limits, const ModelSummary& model)
{
    const bool inFloat = computesInFloat(model);
    values.limits = LimitsState::Measured;
    values.readBytesPerSecond = limits.readBytesPerSecond;
    values.operationsPerSecond = inFloat ? limits.fp32OperationsPerSecond : limits.int8OperationsPerSecond;
    values.operationsUnit = inFloat ? QStringLiteral("GFLOPS") : QStringLiteral("GOPS");
}

QString stopReasonText(StopReason reason)
{
    switch (reason) {
    case StopReason::None:
        return Text::tr("writing…");
    case StopReason::Eos:
        return Text::tr("ended by the model");
    case StopReason::Stop:
        return Text::tr("ended at a stop text");
    case StopReason::Length:
        return Text::tr("token limit reached");
    case StopReason::Cancelled:
        return Text::tr("stopped by you");
    case StopReason::Context:
        return Text::tr("context full");
    case StopReason::Failed:
        return Text::tr("failed");
    }
    return {};
}

QString stopReasonHelp(StopReason reason)
{
    switch (reason) {
    case StopReason::None:
        return Text::tr("The reply is being written.");
    case StopReason::Eos:
        return Text::tr("The model produced its end-of-turn token: it considers the reply complete.");
    case StopReason::Stop:
        return Text::tr("The reply reached a text that ends it.");
    case StopReason::Length:
        return Text::tr(
            "The reply reached the largest number of tokens set for this chat. Raise it in the chat settings.");
    case StopReason::Cancelled:
        return Text::tr("You stopped the reply; what was written stays.");
    case StopReason::Context:
        return Text::tr("Conversation and reply together reached the context length: the model cannot take in more. "
                        "Start a new chat, or set a longer context in the settings.");
    case StopReason::Failed:
        return Text::tr("The reply could not be completed.");
    }
    return {};
}

QList<FooterPart> footer(const ReplyRecord& record, bool live)
{
    const ReplyStats& stats = record.stats;
    const QString widestRate = NumberFormat::tokensPerSecond(888.8);
    QList<FooterPart> parts;
    const auto add = [&](const QString& text, const QString& tooltip, const QString& widest = {}) {
        parts.append({text, tooltip, live ? widest : QString()});
    };
    if (live && record.tokens.isEmpty()) {
        const int done = record.prefill.isEmpty() ? 0 : record.prefill.last().tokens;
        const int total = stats.promptTokens - stats.cachedTokens;
        add(total > 0 ? Text::tr("reading the prompt: %1 of %2 tokens")
                            .arg(NumberFormat::count(done), NumberFormat::count(total))
                      : Text::tr("reading the prompt…"),
            Text::tr("Prefill: the model takes in the whole conversation before it can write the first token."));
        return parts;
    }
    const Nanoseconds ttft = record.tokens.isEmpty() ? stats.ttft : record.tokens.first().time;
    const int count = live ? static_cast<int>(record.tokens.size()) : stats.generatedTokens;
    if (count > 0) {
        add(Text::tr("first token %1").arg(NumberFormat::milliseconds(toMilliseconds(ttft))),
            Text::tr("TTFT, time to first token: from sending the message (before tokenization) to the first token."));
    }
    if (count > 1) {
        Nanoseconds span = stats.endToEnd - stats.ttft;
        if (!record.tokens.isEmpty()) {
            span = record.tokens.last().time - record.tokens.first().time;
        }
        const double tpot = live ? toMilliseconds(span) / (count - 1) : stats.tpotMilliseconds();
        const double speed = live ? (count - 1) / toSeconds(span) : stats.decodeTokensPerSecond();
        add(Text::tr("%1 a token").arg(NumberFormat::milliseconds(tpot)),
            Text::tr("TPOT, time per output token: (whole time − TTFT) / (tokens − 1)."),
            Text::tr("%1 a token").arg(NumberFormat::milliseconds(888.8)));
        add(NumberFormat::tokensPerSecond(speed),
            Text::tr("Decode rate: tokens written per second after the first one."), widestRate);
    }
    add(Text::tr("%n token(s)", nullptr, count), Text::tr("Tokens that the model wrote."),
        Text::tr("%n token(s)", nullptr, 8888));
    if (stats.reasoningTokens > 0) {
        add(Text::tr("%n of reasoning", nullptr, stats.reasoningTokens),
            Text::tr("Tokens of the reply that the model wrote for itself, before the answer."),
            Text::tr("%n of reasoning", nullptr, 8888));
    }
    if (!live && stats.reasoningTokens > 0 && stats.ttfo.count() > 0) {
        add(Text::tr("answer after %1").arg(NumberFormat::milliseconds(toMilliseconds(stats.ttfo))),
            Text::tr("TTFO, time to first output: from sending the message to the first token behind the reasoning."));
    }
    if (stats.promptTokens > 0) {
        add(stats.cachedTokens > 0
                ? Text::tr("prompt %1 (%2 cached)")
                      .arg(NumberFormat::count(stats.promptTokens), NumberFormat::count(stats.cachedTokens))
                : Text::tr("prompt %1").arg(NumberFormat::count(stats.promptTokens)),
            Text::tr(
                "Tokens of the whole conversation as the model received it. Cached ones were still in the KV cache "
                "from the turn before and were not computed again."));
    }
    if (!live && stats.prefillTokensPerSecond() > 0) {
        add(Text::tr("prefill %1").arg(NumberFormat::tokensPerSecond(stats.prefillTokensPerSecond())),
            Text::tr("Prefill rate: prompt tokens computed (not cached) per second until the first token."));
    }
    add(stopReasonText(live ? StopReason::None : stats.stopReason),
        stopReasonHelp(live ? StopReason::None : stats.stopReason));
    return parts;
}

QString reasoningLabel(const Message& message, const ReplyRecord* record)
{
    if (message.reasoning.isEmpty()) {
        return {};
    }
    const int tokens = record ? record->stats.reasoningTokens : 0;
    if (tokens == 0) {
        return Text::tr("Reasoning");
    }
    const QString count = Text::tr("%n token(s)", nullptr, tokens);
    const bool thinks = message.state == MessageState::Streaming && message.text.isEmpty() && message.calls.isEmpty();
    return thinks ? Text::tr("Thinking… · %1").arg(count)
                  : Text::tr("Thought for %1 · %2")
                        .arg(NumberFormat::milliseconds(toMilliseconds(record->stats.reasoning)), count);
}

QString shownText(const Message& message)
{
    QString shown;
    qsizetype from = 0;
    for (const MessageCall& call : message.calls) {
        const qsizetype at = std::clamp<qsizetype>(call.at, from, message.text.size());
        shown += message.text.mid(from, at - from);
        from = at;
        // What is still being written cannot be read yet; and a text that only grows is cheap to show.
        const bool isOpen = message.state == MessageState::Streaming && &call == &message.calls.last();
        const auto calls = isOpen ? std::vector<ToolCall>{{call.tool.toStdString(), call.text.toStdString()}}
                                  : readToolCalls(call.text.toStdString(), call.tool.toStdString());
        for (const ToolCall& one : calls) {
            shown += fencedCall(one, !isOpen);
        }
    }
    const QString rest = message.text.mid(from);
    return shown + (shown.isEmpty() || rest.isEmpty() ? rest : QLatin1String("\n\n") + rest);
}

ChatMessage chatMessage(const Message& message, const ReplyRecord* record)
{
    ChatMessage shown;
    shown.id = message.id;
    shown.text = shownText(message);
    if (message.role == MessageRole::User) {
        shown.role = ChatMessage::Role::User;
        shown.header = Text::tr("You");
        return shown;
    }
    shown.role = ChatMessage::Role::Assistant;
    shown.header = message.model;
    shown.reasoning = message.reasoning;
    shown.reasoningLabel = reasoningLabel(message, record);
    switch (message.state) {
    case MessageState::Complete:
        break;
    case MessageState::Streaming:
        shown.state = ChatMessage::State::Streaming;
        break;
    case MessageState::Interrupted:
        shown.state = ChatMessage::State::Interrupted;
        shown.notice =
            Text::tr("Interrupted: Kvasir ended while this reply was being written. What had arrived is kept.");
        shown.actionLabel = Text::tr("Ask again");
        break;
    case MessageState::Failed:
        shown.state = ChatMessage::State::Error;
        shown.notice = ErrorText::replyFailed(decodeError(message.problem));
        shown.actionLabel = Text::tr("Ask again");
        break;
    }
    if (record && message.state != MessageState::Failed) {
        shown.footer = footer(*record, message.state == MessageState::Streaming);
    }
    if (record && record->stats.stopReason == StopReason::Context && message.state == MessageState::Complete) {
        shown.state = ChatMessage::State::Interrupted;
        shown.notice = stopReasonHelp(StopReason::Context);
    }
    return shown;
}

QString modelName(const ModelInfo& model)
{
    // What the file is called is what its user knows it by; the name inside is often that of a training run.
    QString name = modelBaseName(model.path);
    const QString weights = QString::fromStdString(model.summary.weightsName);
    if (!weights.isEmpty() && name.endsWith(weights, Qt::CaseInsensitive)) {
        name.chop(weights.size());
    }
    name.replace(u'-', u' ').replace(u'_', u' ');
    while (name.endsWith(u'.') || name.endsWith(u' ')) {
        name.chop(1);
    }
    return name.isEmpty() ? QFileInfo(model.path).fileName() : name;
}

QString modelLabel(const ModelInfo& model)
{
    const QString weights = QString::fromStdString(model.summary.weightsName);
    return weights.isEmpty() ? modelName(model) : modelName(model) + QStringLiteral(" · ") + weights;
}

QString deviceLabel(const ModelSummary& summary)
{
    return Text::tr("CPU · %n thread(s)", nullptr, summary.threads);
}

QString modelTooltip(const ModelInfo& model)
{
    const ModelSummary& summary = model.summary;
    const double millions = static_cast<double>(summary.parameters) / 1e6;
    const QString parameters =
        millions < 1000 ? NumberFormat::figures(millions) + u'M' : NumberFormat::figures(millions / 1000) + u'B';
    QStringList lines{Text::tr("%1, %2 parameters, %n layer(s)", nullptr, summary.layers)
                          .arg(QString::fromStdString(summary.architecture), parameters),
        Text::tr("Weights %1 (%2), each token reads %3")
            .arg(QString::fromStdString(summary.weightsName),
                NumberFormat::bytes(static_cast<double>(summary.weightBytes)),
                NumberFormat::bytes(static_cast<double>(summary.weightBytesPerToken))),
        Text::tr("Context %1 tokens (trained for %2), KV cache %3 a token")
            .arg(NumberFormat::count(summary.context), NumberFormat::count(summary.trainedContext),
                NumberFormat::bytes(static_cast<double>(summary.kvBytesPerToken))),
        Text::tr("Computed with %1").arg(QString::fromStdString(summary.instructionSet)), model.path};
    return lines.join(u'\n');
}

} // namespace kvasir::Adapters
