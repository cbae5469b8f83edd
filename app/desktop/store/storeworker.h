#pragma once

#include "base/result.h"
#include "store/conversation.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <memory>

namespace kvasir {

class ConversationStore;

/// Where conversations are kept, as the window tells it.
struct StoreState {
    bool saved = false; ///< false: in memory only, and `problem` says why
    Error problem;
    QString path;
};

/// Owns the conversation store on a thread of its own, because a commit waits for the disk. The functions may be called
/// from any thread, return at once and are done in order; answers come as signals.
/// Where the file cannot be had, or stops taking writes, everything goes on in memory and stateChanged() tells.
class StoreWorker : public QObject {
    Q_OBJECT

public:
    explicit StoreWorker(QObject* parent = nullptr);
    ~StoreWorker() override;

    void open(const QString& folder);
    void retry(bool setDamagedAside); ///< tries the file again and takes over what is in memory
    void listConversations();
    void loadConversation(ConversationId id);
    void loadRecord(MessageId id);
    void save(const ConversationInfo& info, const QList<Message>& messages = {});
    void updateReply(const Message& message); ///< written twice a second at most, the newest state wins
    void finishReply(const Message& message, std::shared_ptr<const ReplyRecord> record);
    void setDeleted(ConversationId id, bool deleted);
    void search(const QString& words);
    /// Writes what is waiting and closes the file; for the end of the program.
    void close();

signals:
    void stateChanged(const kvasir::StoreState& state);
    void conversationsListed(const QList<kvasir::ConversationInfo>& list);
    void conversationLoaded(const kvasir::Conversation& conversation);
    void recordLoaded(qint64 message, std::shared_ptr<const kvasir::ReplyRecord> record);
    void searched(const QString& words, const QList<kvasir::SearchHit>& hits);
    void saved(qint64 conversation); ///< has reached the disk, or memory where there is no file
    void loadFailed(qint64 conversation, const kvasir::Error& error);
    void readFailed(const kvasir::Error& error);

private:
    void post(std::function<void()> job);
    void write(const std::function<Result<void>(ConversationStore&)>& job);
    void list();
    void flush();
    void fallBack(const Error& problem);

    // Touched in the worker's thread only.
    std::unique_ptr<ConversationStore> m_store;
    QString m_folder;
    QTimer m_flush{this};
    QHash<MessageId, Message> m_waiting;
};

} // namespace kvasir
