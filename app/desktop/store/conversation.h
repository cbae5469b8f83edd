#pragma once

#include "measure/records.h"
#include "store/chatsettings.h"

#include <QByteArray>
#include <QDateTime>
#include <QList>
#include <QMetaType>
#include <QString>

#include <memory>

namespace kvasir {

using ConversationId = qint64;
using MessageId = qint64;

/// Unique and ascending within a user's data, so that the window can name a message before it is stored:
/// microseconds since 1970, or one more than the last id where the clock stood or went back. Any thread.
qint64 newId();

enum class MessageRole { User, Assistant };

/// What became of a message. Streaming is only met in memory and in the rows of a program that was killed.
enum class MessageState { Complete, Streaming, Interrupted, Failed };

/// A tool that the model asked for, in its own words.
struct MessageCall {
    QString tool; ///< where its format names it beside the words; mostly empty
    QString text;
    int at = 0; ///< characters of the message's text that stand in front of it

    bool operator==(const MessageCall&) const = default;
};

struct Message {
    MessageId id = 0;
    MessageId parent = 0; ///< 0: the conversation starts here
    MessageRole role = MessageRole::User;
    MessageState state = MessageState::Complete;
    QString text;             ///< of a reply: the answer
    QString reasoning;        ///< of a reply: what the model wrote for itself before
    QList<MessageCall> calls; ///< of a reply
    QDateTime created;
    QString model;   ///< who wrote a reply, "SmolLM2 135M Instruct · Q4_1"
    QString problem; ///< a Failed reply: the error as JSON, so that it can be told in any language
};

struct ReplyAlternative {
    QString text;
    float probability = 0;
};

/// One generated token as the timeline shows it, its text resolved.
struct ReplyToken {
    QString text;
    Nanoseconds time{0}; ///< since the question was submitted; the gap (ITL) is the difference to the token before
    float probability = 0;
    float entropy = 0; ///< bits
    QList<ReplyAlternative> alternatives;
    bool isReasoning = false; ///< while it is new; not kept
};

/// One moment of a prompt being read.
struct PrefillMark {
    Nanoseconds sinceSubmit{0};
    int tokens = 0; ///< computed so far, cached ones not counted
};

/// The measurements of one reply, kept beside it.
struct ReplyRecord {
    ReplyStats stats; ///< `itl` is empty: the gaps are between the `tokens`
    QList<ReplyToken> tokens;
    QList<PrefillMark> prefill;
};

struct ConversationInfo {
    ConversationId id = 0;
    QString title;
    bool titleByUser = false;
    QDateTime created;
    QDateTime updated;
    MessageId activeLeaf = 0; ///< the last message of the branch that is shown
    ChatSettings settings;
    int messageCount = 0; ///< of the shown branch
};

struct Conversation {
    ConversationInfo info;
    QList<Message> messages; ///< all branches, by id
    /// Measurements by message; present for finished replies.
    QHash<MessageId, std::shared_ptr<const ReplyRecord>> records;
};

struct SearchHit {
    ConversationId conversation = 0;
    MessageId message = 0; ///< 0: the title
    QString snippet;       ///< hits stand between U+0002 and U+0003
};

} // namespace kvasir

Q_DECLARE_METATYPE(kvasir::ConversationInfo)
Q_DECLARE_METATYPE(kvasir::Conversation)
