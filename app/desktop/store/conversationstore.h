#pragma once

#include "base/result.h"
#include "store/conversation.h"

#include <QSqlDatabase>

#include <functional>
#include <memory>

class QLockFile;
class QSqlQuery;

namespace kvasir {

/// Conversations in one SQLite file (write-ahead log, full-text index), or in memory where no file can be had.
/// One thread, the one that opened it. What fails leaves the data as it was and tells:
/// - FileUnwritable: path, reason = "read-only" | "disk-full" | "in-use" | else SQLite's words
/// - FileUnreadable: path, reason
/// - Malformed: path, what: the file is damaged
/// - Unsupported: what = "conversations", name = version: a later Kvasir wrote it
class ConversationStore {
public:
    /// Opens `<folder>/conversations.sqlite`, making both if need be. Replies that a killed program left unfinished
    /// become Interrupted; conversations that were deleted before the last end are removed for good.
    static Result<std::unique_ptr<ConversationStore>> open(const QString& folder);
    static std::unique_ptr<ConversationStore> inMemory();
    /// Renames a damaged file so that open() can start anew; gives the new name.
    static Result<QString> setAside(const QString& folder);
    ~ConversationStore();

    bool isInMemory() const { return m_path.isEmpty(); }
    QString path() const { return m_path; }

    Result<QList<ConversationInfo>> conversations(); ///< newest first, without the deleted ones
    Result<Conversation> load(ConversationId id);    ///< records come without their tokens
    /// The measurements of one reply with tokens; null where there are none.
    Result<std::shared_ptr<const ReplyRecord>> record(MessageId id);

    /// Inserts or updates the conversation and inserts `messages`, in one transaction that has reached the disk when
    /// this returns: a power cut does not take it back.
    Result<void> save(const ConversationInfo& info, const QList<Message>& messages = {});
    /// Text, reasoning and calls of a streaming reply so far. Survives the program, not a power cut.
    Result<void> updateReply(const Message& message);
    /// The last state of a message, and its measurements where it is a reply.
    Result<void> finishReply(const Message& message, const ReplyRecord* record);
    Result<void> setDeleted(ConversationId id, bool deleted);

    /// Conversations whose title or text holds every word of `words`, as part of a word; best first.
    Result<QList<SearchHit>> search(const QString& words, int limit = 100);

    /// Takes over all of `other`, e.g. what was kept in memory while there was no file.
    Result<void> absorb(ConversationStore& other);

private:
    ConversationStore(const QString& path);
    Result<void> connect();
    Result<void> migrate();
    Result<void> recover();
    Result<void> run(const QString& sql, const QVariantList& values = {});
    Result<void> inTransaction(const std::function<Result<void>()>& body);
    Result<void> insertMessage(ConversationId conversation, const Message& message);
    Result<void> index(MessageId id, const QString& text);
    Error errorOf(const QSqlQuery& query) const;

    QString m_path; ///< empty: in memory
    QString m_connection;
    std::unique_ptr<QLockFile> m_lock;
};

} // namespace kvasir
