#pragma once

#include "chat/chatmessage.h"
#include "engine/replyvalues.h"
#include "plots/memoryseries.h"
#include "store/messagetree.h"

#include <QElapsedTimer>
#include <QHash>
#include <QObject>
#include <QSet>
#include <QTimer>

#include <optional>

namespace kvasir {

class EngineWorker;
class StoreWorker;

/// What bends the curve of a reply from outside.
struct ReplyMark {
    enum class Kind { ChatJoined, ChatLeft };
    Nanoseconds sinceSubmit{0};
    Kind kind = Kind::ChatJoined;
};

/// A reply that is being computed, shown or not.
struct LiveReply {
    ConversationId conversation = 0;
    Message message;    ///< its text grows
    ReplyRecord record; ///< `stats` holds what is known so far
    PhaseTotals phases;
    Nanoseconds age{0};
    Nanoseconds reasoningBegan{0}; ///< since the question
    TimePoint submitted{};
    QList<ReplyMark> marks;
};

/// What the chat is about, without widgets: the shown conversation, its branches, and the replies being computed, in
/// this conversation or in others. Gathers what the engine tells and passes it on at most 30 times a second.
/// GUI thread.
class ChatSession : public QObject {
    Q_OBJECT

public:
    ChatSession(StoreWorker& store, EngineWorker& engine, QObject* parent = nullptr);

    // The shown conversation
    const ConversationInfo& info() const { return m_info; }
    const MessageTree& tree() const { return m_tree; }
    bool isEmpty() const { return m_tree.isEmpty(); }
    QList<ChatMessage> shownMessages() const;
    ChatMessage shownMessage(MessageId id) const;
    std::shared_ptr<const ReplyRecord> record(MessageId id) const { return m_records.value(id); }
    /// Replies of the shown branch that have measurements, newest first.
    QList<MessageId> measuredReplies() const;
    /// Memory against tokens, as far as it was watched in this conversation.
    QVector<MemorySample> memorySamples() const { return m_memory.value(m_info.id); }
    /// The shown branch, and `draft` as one more question, as a prompt has them.
    QList<PromptMessage> promptMessages(const QString& draft = {}) const;
    int contextUsed() const; ///< tokens that the shown branch takes, as last counted by the engine; 0: not known yet

    // All conversations, newest first
    const QList<ConversationInfo>& conversations() const { return m_list; }
    bool isAnswering(ConversationId id) const;
    /// The reply being computed in the shown conversation; null where there is none.
    const LiveReply* live() const;
    const QHash<MessageId, LiveReply>& liveReplies() const { return m_live; }

    const std::optional<ModelInfo>& model() const { return m_model; }
    void setModel(const std::optional<ModelInfo>& model);
    /// What new conversations start with.
    void setDefaults(const ChatSettings& defaults);
    bool canSend() const { return m_model.has_value() && !live(); }

public slots:
    void newConversation();
    void openConversation(qint64 id);
    /// Returns false, and keeps nothing, where nothing can be sent now.
    bool send(const QString& text);
    void stop();
    void regenerate(qint64 reply);                  ///< a sibling of the reply; of an interrupted or failed one as well
    void edit(qint64 message, const QString& text); ///< a sibling of the user's message, answered anew
    void switchBranch(qint64 message, int delta);
    void rename(qint64 conversation, const QString& title);
    void remove(qint64 conversation);
    void restore(qint64 conversation);
    void setChatSettings(const kvasir::ChatSettings& settings);
    /// Keeps what running replies have and ends them; for the end of the program.
    void finishAll();
    void retranslate() { emit shown(); }

signals:
    void shown(); ///< another conversation or branch, or all of it changed
    void messageAdded(const kvasir::ChatMessage& message);
    void messageChanged(const kvasir::ChatMessage& message);
    void textArrived(qint64 message, const QString& text);
    void reasoningArrived(qint64 message, const QString& text);
    void reasoningChanged(qint64 message, const QString& label);
    void footerChanged(qint64 message, const QList<kvasir::FooterPart>& parts);
    void listChanged();
    void infoChanged(); ///< title or settings of the shown conversation
    void modelChanged();
    void replyStarted(qint64 message);               ///< in the shown conversation
    void replyGrew(const kvasir::ReplyDelta& delta); ///< in the shown conversation
    void replyMarked(const kvasir::ReplyMark& mark); ///< in the shown conversation
    void replyEnded(qint64 message);                 ///< in the shown conversation
    void busyChanged(); ///< something may be sent or stopped that could not before, or the other way round
    void openFailed();

private:
    void onListed(const QList<ConversationInfo>& list);
    void onLoaded(const Conversation& conversation);
    void onProgressed(const std::shared_ptr<const ReplyDelta>& delta);
    void onFinished(const std::shared_ptr<const ReplyEnd>& end);
    void flushFrames();
    void apply(LiveReply& live, const ReplyDelta& delta);
    void countReasoning(LiveReply& live, const ReplyDelta& delta) const;
    void showText(const LiveReply& live, const Message& before);
    void markOthers(MessageId cause, ReplyMark::Kind kind);
    void ask(MessageId question, QList<Message> unsaved);
    void clear();
    void touch(); ///< the shown conversation changed: to the top of the list
    void updateListed(const ConversationInfo& info);
    bool isShown(const LiveReply& live) const { return live.conversation == m_info.id; }
    ChatMessage toShown(const Message& message) const;

    StoreWorker& m_store;
    EngineWorker& m_engine;
    std::optional<ModelInfo> m_model;
    ChatSettings m_defaults;

    QList<ConversationInfo> m_list;
    QSet<ConversationId> m_deleted;
    ConversationInfo m_info; ///< id 0: a new conversation that has no message yet
    MessageTree m_tree;
    QHash<MessageId, std::shared_ptr<const ReplyRecord>> m_records;
    ConversationId m_opening = 0;

    QHash<MessageId, LiveReply> m_live;
    QHash<MessageId, ReplyDelta> m_gathered;
    QTimer m_frame;
    QElapsedTimer m_sinceFrame;
    QElapsedTimer m_sinceFooter;
    QHash<ConversationId, QVector<MemorySample>> m_memory;
};

/// A title for a conversation, from its first message: the first line, cut at a word.
QString titleFor(const QString& text);

} // namespace kvasir
