#include "engine/prompt.h"

#include "session/engine.h"
#include "text/chattemplate.h"
#include "text/replyformat.h"
#include "text/tokenizer.h"

#include <QStringDecoder>

namespace kvasir {

namespace {

QList<PromptMessage> inTurns(const QList<PromptMessage>& messages)
{
    QList<PromptMessage> turns;
    for (const PromptMessage& message : messages) {
        if (message.text.isEmpty() && message.calls.isEmpty()) {
            continue;
        }
        if (!turns.isEmpty() && turns.last().role == message.role) {
            turns.last().text += QLatin1String("\n\n") + message.text;
            turns.last().calls += message.calls;
        } else {
            turns << message;
        }
    }
    return turns;
}

nlohmann::ordered_json toJson(const ReplyFormat& format, const QList<PromptMessage>& turns, const QString& systemPrompt)
{
    auto json = nlohmann::ordered_json::array();
    if (!systemPrompt.isEmpty()) {
        json.push_back({{"role", "system"}, {"content", systemPrompt.toStdString()}});
    }
    for (const PromptMessage& turn : turns) {
        if (turn.role == MessageRole::User) {
            json.push_back({{"role", "user"}, {"content", turn.text.toStdString()}});
            continue;
        }
        std::vector<std::string> calls;
        for (const QString& call : turn.calls) {
            calls.push_back(call.toStdString());
        }
        json.push_back(messageOfEarlierReply(format, turn.reasoning.toStdString(), turn.text.toStdString(), calls));
    }
    return json;
}

bool asks(const QList<PromptMessage>& turns)
{
    return turns.isEmpty() || turns.last().role == MessageRole::User;
}

Prompt plainPrompt(const Tokenizer& tokenizer, const QList<PromptMessage>& turns, const QString& systemPrompt)
{
    QString text;
    if (!systemPrompt.isEmpty()) {
        text = systemPrompt + QLatin1String("\n\n");
    }
    for (const PromptMessage& turn : turns) {
        text += turn.role == MessageRole::User ? QLatin1String("User: ") : QLatin1String("Assistant: ");
        text += turn.text + QLatin1String("\n\n");
    }
    if (asks(turns)) {
        text += QLatin1String("Assistant:");
    }
    return {tokenizer.encode(text.toStdString(), {.addSpecial = true}), {"\nUser:"}, false};
}

} // namespace

Result<Prompt> buildPrompt(const Engine& engine, const QList<PromptMessage>& messages, const QString& systemPrompt)
{
    QList<PromptMessage> turns = inTurns(messages);
    const Tokenizer& tokenizer = engine.tokenizer();
    const ChatTemplate* chatTemplate = engine.chatTemplate();
    if (!chatTemplate) {
        return plainPrompt(tokenizer, turns, systemPrompt);
    }
    TemplateInput input;
    input.messages = toJson(engine.replyFormat(), turns, systemPrompt);
    input.addGenerationPrompt = asks(turns);
    setTokenNames(tokenizer, input);
    auto parts = chatTemplate->renderParts(input);
    if (!parts && !systemPrompt.isEmpty() && !turns.isEmpty()) {
        turns.first().text.prepend(systemPrompt + QLatin1String("\n\n"));
        input.messages = toJson(engine.replyFormat(), turns, {});
        parts = chatTemplate->renderParts(input);
    }
    KVASIR_TRY(parts);
    return Prompt{encodePrompt(tokenizer, *parts), {}, true};
}

QString tokenText(const std::string& bytes)
{
    QStringDecoder decoder(QStringDecoder::Utf8);
    const QString text = decoder(QByteArrayView(bytes.data(), static_cast<qsizetype>(bytes.size())));
    // An unfinished character at the end is no error to the decoder, but not part of the text either.
    if (!decoder.hasError() && text.toUtf8().size() == static_cast<qsizetype>(bytes.size())) {
        return text;
    }
    QString escaped;
    for (const char byte : bytes) {
        escaped += QStringLiteral("<0x%1>")
                       .arg(static_cast<uchar>(byte), 2, 16, QLatin1Char('0'))
                       .toUpper()
                       .replace(QLatin1String("<0X"), QLatin1String("<0x"));
    }
    return escaped;
}

} // namespace kvasir
