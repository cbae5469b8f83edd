#include "store/conversationstore.h"

#include "store/bigramtokenizer.h"
#include "store/replycodec.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QLockFile>
#include <QSet>
#include <QSqlDriver>
#include <QSqlError>
#include <QSqlQuery>
#include <QVariant>

#include <sqlite3.h>

namespace kvasir {

namespace {

constexpr const char* kFileName = "conversations.sqlite";

// One entry a version: the statements that lead to it from the one before.
const QList<QStringList>& migrations()
{
    static const QList<QStringList> steps = {
        {
            "CREATE TABLE conversation (id INTEGER PRIMARY KEY, title TEXT NOT NULL, title_by_user INTEGER NOT NULL, "
            "created INTEGER NOT NULL, updated INTEGER NOT NULL, active_leaf INTEGER NOT NULL, "
            "settings TEXT NOT NULL, deleted INTEGER NOT NULL DEFAULT 0)",
            "CREATE TABLE message (id INTEGER PRIMARY KEY, conversation INTEGER NOT NULL "
            "REFERENCES conversation(id) ON DELETE CASCADE, parent INTEGER NOT NULL, role INTEGER NOT NULL, "
            "state INTEGER NOT NULL, text TEXT NOT NULL, created INTEGER NOT NULL, model TEXT NOT NULL, "
            "problem TEXT NOT NULL)",
            "CREATE INDEX message_by_conversation ON message(conversation)",
            "CREATE INDEX message_by_state ON message(state) WHERE state = 1",
            "CREATE TABLE reply (message INTEGER PRIMARY KEY REFERENCES message(id) ON DELETE CASCADE, "
            "statistics TEXT NOT NULL, trace BLOB NOT NULL)",
        },
        {
            QStringLiteral("CREATE VIRTUAL TABLE search USING fts5(text, tokenize = '%1')")
                .arg(QLatin1String(kBigramTokenizer)),
            "INSERT INTO search(rowid, text) SELECT id, text FROM message WHERE state <> 1",
            "CREATE TRIGGER message_unindex AFTER DELETE ON message BEGIN "
            "DELETE FROM search WHERE rowid = old.id; END",
        },
        {
            "ALTER TABLE message ADD COLUMN reasoning TEXT NOT NULL DEFAULT ''",
            "ALTER TABLE message ADD COLUMN calls TEXT NOT NULL DEFAULT ''",
        },
    };
    return steps;
}

Failure failed(ErrorCode code, const QString& path, const char* key, const QString& value, const QString& detail)
{
    return fail(code, detail.toStdString(), {{"path", path.toStdString()}, {key, value.toStdString()}});
}

sqlite3* handle(const QString& connection)
{
    return *static_cast<sqlite3* const*>(QSqlDatabase::database(connection, false).driver()->handle().data());
}

qint64 milliseconds(const QDateTime& time)
{
    return time.toMSecsSinceEpoch();
}

QString compact(const QJsonObject& json)
{
    return QString::fromUtf8(QJsonDocument(json).toJson(QJsonDocument::Compact));
}

QJsonObject object(const QVariant& text)
{
    return QJsonDocument::fromJson(text.toString().toUtf8()).object();
}

// A null string would be stored as NULL.
QString notNull(const QString& text)
{
    return text.isNull() ? QLatin1String("") : text;
}

ConversationInfo readInfo(const QSqlQuery& row)
{
    ConversationInfo info;
    info.id = row.value(0).toLongLong();
    info.title = row.value(1).toString();
    info.titleByUser = row.value(2).toBool();
    info.created = QDateTime::fromMSecsSinceEpoch(row.value(3).toLongLong());
    info.updated = QDateTime::fromMSecsSinceEpoch(row.value(4).toLongLong());
    info.activeLeaf = row.value(5).toLongLong();
    info.settings = chatSettingsFromJson(object(row.value(6)));
    info.messageCount = row.value(7).toInt();
    return info;
}

// The shown branch is counted by walking from its leaf; ids ascend from parent to child, so this ends.
constexpr const char* kInfoColumns =
    "c.id, c.title, c.title_by_user, c.created, c.updated, c.active_leaf, c.settings, "
    "(WITH RECURSIVE up(id, parent) AS (SELECT id, parent FROM message WHERE id = c.active_leaf "
    "UNION ALL SELECT m.id, m.parent FROM message m JOIN up ON m.id = up.parent AND m.id < up.id) "
    "SELECT count(*) FROM up)";

/// Each word as a phrase whose last token may go on: finds parts of Korean words and starts of others.
QString matchExpression(const QStringList& words)
{
    QStringList phrases;
    for (QString word : words) {
        phrases << u'"' + word.replace(u'"', QLatin1String("\"\"")) + QLatin1String("\" *");
    }
    return phrases.join(u' ');
}

} // namespace

ConversationStore::ConversationStore(const QString& path)
    : m_path(path)
    , m_connection(QStringLiteral("conversations-%1").arg(newId()))
{
}

ConversationStore::~ConversationStore()
{
    QSqlDatabase::database(m_connection, false).close();
    QSqlDatabase::removeDatabase(m_connection);
}

Result<std::unique_ptr<ConversationStore>> ConversationStore::open(const QString& folder)
{
    const QString path = QDir(folder).filePath(QLatin1String(kFileName));
    if (!QDir().mkpath(folder)) {
        return failed(ErrorCode::FileUnwritable, folder, "reason", "read-only", "cannot make the folder " + folder);
    }
    auto lock = std::make_unique<QLockFile>(path + QLatin1String(".lock"));
    lock->setStaleLockTime(0); // only the death of its owner frees it
    if (!lock->tryLock()) {
        const bool inUse = lock->error() == QLockFile::LockFailedError;
        return failed(ErrorCode::FileUnwritable, path, "reason", inUse ? "in-use" : "read-only",
            inUse ? "another Kvasir has these conversations open" : "cannot write into " + folder);
    }
    std::unique_ptr<ConversationStore> store(new ConversationStore(path));
    store->m_lock = std::move(lock);
    KVASIR_TRY(store->connect());
    KVASIR_TRY(store->migrate());
    KVASIR_TRY(store->recover());
    return store;
}

std::unique_ptr<ConversationStore> ConversationStore::inMemory()
{
    std::unique_ptr<ConversationStore> store(new ConversationStore({}));
    const bool opened = store->connect() && store->migrate();
    Q_ASSERT(opened);
    Q_UNUSED(opened);
    return store;
}

Result<QString> ConversationStore::setAside(const QString& folder)
{
    const QString path = QDir(folder).filePath(QLatin1String(kFileName));
    const QString stamp = QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmmss"));
    const QString aside = QDir(folder).filePath(QStringLiteral("conversations-damaged-%1.sqlite").arg(stamp));
    if (!QFile::rename(path, aside)) {
        return failed(ErrorCode::FileUnwritable, path, "reason", "read-only", "cannot rename " + path);
    }
    // The log belongs to the damaged file: left behind it would be replayed into the new one.
    for (const char* suffix : {"-wal", "-shm"}) {
        QFile::rename(path + QLatin1String(suffix), aside + QLatin1String(suffix));
    }
    return aside;
}

Result<void> ConversationStore::connect()
{
    QSqlDatabase db = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_connection);
    db.setDatabaseName(isInMemory() ? QStringLiteral(":memory:") : m_path);
    if (!db.open()) {
        return failed(ErrorCode::FileUnreadable, m_path, "reason", db.lastError().text(), "cannot open " + m_path);
    }
    sqlite3_extended_result_codes(handle(m_connection), 1);
    if (!registerBigramTokenizer(handle(m_connection))) {
        return failed(ErrorCode::FileUnreadable, m_path, "reason", "FTS5", "SQLite has no full-text search");
    }
    KVASIR_TRY(run("PRAGMA foreign_keys = ON"));
    KVASIR_TRY(run("PRAGMA secure_delete = ON"));
    if (!isInMemory()) {
        KVASIR_TRY(run("PRAGMA journal_mode = WAL"));
        KVASIR_TRY(run("PRAGMA synchronous = FULL"));
    }
    return {};
}

Result<void> ConversationStore::migrate()
{
    QSqlQuery query(QSqlDatabase::database(m_connection, false));
    if (!query.exec("PRAGMA user_version") || !query.next()) {
        return Failure{errorOf(query)};
    }
    const int found = query.value(0).toInt();
    query.finish();
    if (found > migrations().size()) {
        return failed(
            ErrorCode::Unsupported, m_path, "name", QString::number(found), "a later Kvasir wrote these conversations");
    }
    if (found > 0 && found < migrations().size()) {
        const QString backup = QStringLiteral("%1.version%2").arg(m_path).arg(found);
        QFile::remove(backup);
        KVASIR_TRY(run("VACUUM INTO ?", {backup}));
    }
    for (int version = found; version < migrations().size(); ++version) {
        const auto step = [&]() -> Result<void> {
            for (const QString& statement : migrations().at(version)) {
                KVASIR_TRY(run(statement));
            }
            return run(QStringLiteral("PRAGMA user_version = %1").arg(version + 1));
        };
        KVASIR_TRY(inTransaction(step));
    }
    return {};
}

Result<void> ConversationStore::recover()
{
    return inTransaction([this]() -> Result<void> {
        KVASIR_TRY(run("DELETE FROM conversation WHERE deleted <> 0"));
        // What a killed program had not yet come to index.
        KVASIR_TRY(run("INSERT INTO search(rowid, text) SELECT id, text FROM message WHERE state = ?",
            {static_cast<int>(MessageState::Streaming)}));
        return run("UPDATE message SET state = ? WHERE state = ?",
            {static_cast<int>(MessageState::Interrupted), static_cast<int>(MessageState::Streaming)});
    });
}

Result<QList<ConversationInfo>> ConversationStore::conversations()
{
    QSqlQuery query(QSqlDatabase::database(m_connection, false));
    if (!query.exec(QStringLiteral("SELECT %1 FROM conversation c WHERE deleted = 0 ORDER BY updated DESC, id DESC")
                        .arg(QLatin1String(kInfoColumns)))) {
        return Failure{errorOf(query)};
    }
    QList<ConversationInfo> list;
    while (query.next()) {
        list << readInfo(query);
    }
    if (query.lastError().isValid()) {
        return Failure{errorOf(query)};
    }
    return list;
}

Result<Conversation> ConversationStore::load(ConversationId id)
{
    QSqlQuery query(QSqlDatabase::database(m_connection, false));
    query.prepare(QStringLiteral("SELECT %1 FROM conversation c WHERE c.id = ?").arg(QLatin1String(kInfoColumns)));
    query.addBindValue(id);
    if (!query.exec()) {
        return Failure{errorOf(query)};
    }
    if (!query.next()) {
        return fail(ErrorCode::BadArgument, "no such conversation", {{"what", "conversation"}});
    }
    Conversation conversation;
    conversation.info = readInfo(query);
    query.prepare("SELECT m.id, parent, role, state, text, created, model, problem, statistics, "
                  "reasoning, calls FROM message m "
                  "LEFT JOIN reply r ON r.message = m.id WHERE conversation = ? ORDER BY m.id");
    query.addBindValue(id);
    if (!query.exec()) {
        return Failure{errorOf(query)};
    }
    while (query.next()) {
        Message message;
        message.id = query.value(0).toLongLong();
        message.parent = query.value(1).toLongLong();
        message.role = query.value(2).toInt() == 0 ? MessageRole::User : MessageRole::Assistant;
        message.state = static_cast<MessageState>(std::clamp(query.value(3).toInt(), 0, 3));
        message.text = query.value(4).toString();
        message.created = QDateTime::fromMSecsSinceEpoch(query.value(5).toLongLong());
        message.model = query.value(6).toString();
        message.problem = query.value(7).toString();
        message.reasoning = query.value(9).toString();
        message.calls = callsFromJson(query.value(10).toString());
        conversation.messages << message;
        if (!query.isNull(8)) {
            auto record = std::make_shared<ReplyRecord>();
            record->stats = statisticsFromJson(object(query.value(8)));
            conversation.records.insert(message.id, std::move(record));
        }
    }
    if (query.lastError().isValid()) {
        return Failure{errorOf(query)};
    }
    return conversation;
}

Result<std::shared_ptr<const ReplyRecord>> ConversationStore::record(MessageId id)
{
    QSqlQuery query(QSqlDatabase::database(m_connection, false));
    query.prepare("SELECT statistics, trace FROM reply WHERE message = ?");
    query.addBindValue(id);
    if (!query.exec()) {
        return Failure{errorOf(query)};
    }
    if (!query.next()) {
        return std::shared_ptr<const ReplyRecord>();
    }
    auto record = std::make_shared<ReplyRecord>();
    record->stats = statisticsFromJson(object(query.value(0)));
    decodeTrace(query.value(1).toByteArray(), *record);
    return std::shared_ptr<const ReplyRecord>(std::move(record));
}

Result<void> ConversationStore::save(const ConversationInfo& info, const QList<Message>& messages)
{
    return inTransaction([&]() -> Result<void> {
        KVASIR_TRY(run("INSERT INTO conversation(id, title, title_by_user, created, updated, active_leaf, settings) "
                       "VALUES(?, ?, ?, ?, ?, ?, ?) ON CONFLICT(id) DO UPDATE SET title = excluded.title, "
                       "title_by_user = excluded.title_by_user, updated = excluded.updated, "
                       "active_leaf = excluded.active_leaf, settings = excluded.settings",
            {info.id, notNull(info.title), info.titleByUser, milliseconds(info.created), milliseconds(info.updated),
                info.activeLeaf, compact(toJson(info.settings))}));
        for (const Message& message : messages) {
            KVASIR_TRY(insertMessage(info.id, message));
        }
        return {};
    });
}

Result<void> ConversationStore::insertMessage(ConversationId conversation, const Message& message)
{
    KVASIR_TRY(
        run("INSERT OR REPLACE INTO message(id, conversation, parent, role, state, text, created, model, problem, "
            "reasoning, calls) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            {message.id, conversation, message.parent, static_cast<int>(message.role), static_cast<int>(message.state),
                notNull(message.text), milliseconds(message.created), notNull(message.model), notNull(message.problem),
                notNull(message.reasoning), notNull(callsToJson(message.calls))}));
    return message.state == MessageState::Streaming ? Result<void>() : index(message.id, message.text);
}

Result<void> ConversationStore::index(MessageId id, const QString& text)
{
    KVASIR_TRY(run("DELETE FROM search WHERE rowid = ?", {id}));
    // Composed form: files from macOS hold Hangul in single letters, which nobody types into a search field.
    return run(
        "INSERT INTO search(rowid, text) VALUES(?, ?)", {id, notNull(text.normalized(QString::NormalizationForm_C))});
}

Result<void> ConversationStore::updateReply(const Message& message)
{
    // A commit twice a second need not wait for the disk: a killed program loses nothing that the system has taken.
    if (!isInMemory()) {
        KVASIR_TRY(run("PRAGMA synchronous = NORMAL"));
    }
    const Result<void> written = run("UPDATE message SET text = ?, reasoning = ?, calls = ? WHERE id = ?",
        {notNull(message.text), notNull(message.reasoning), notNull(callsToJson(message.calls)), message.id});
    if (!isInMemory()) {
        KVASIR_TRY(run("PRAGMA synchronous = FULL"));
    }
    return written;
}

Result<void> ConversationStore::finishReply(const Message& message, const ReplyRecord* record)
{
    return inTransaction([&]() -> Result<void> {
        KVASIR_TRY(run("UPDATE message SET state = ?, text = ?, model = ?, problem = ?, reasoning = ?, calls = ? "
                       "WHERE id = ?",
            {static_cast<int>(message.state), notNull(message.text), notNull(message.model), notNull(message.problem),
                notNull(message.reasoning), notNull(callsToJson(message.calls)), message.id}));
        if (record) {
            KVASIR_TRY(run("INSERT OR REPLACE INTO reply(message, statistics, trace) VALUES(?, ?, ?)",
                {message.id, compact(statisticsToJson(record->stats)), encodeTrace(*record)}));
        }
        return index(message.id, message.text);
    });
}

Result<void> ConversationStore::setDeleted(ConversationId id, bool deleted)
{
    return run("UPDATE conversation SET deleted = ? WHERE id = ?", {deleted ? 1 : 0, id});
}

Result<QList<SearchHit>> ConversationStore::search(const QString& words, int limit)
{
    const QStringList list =
        words.normalized(QString::NormalizationForm_C).simplified().split(u' ', Qt::SkipEmptyParts);
    QList<SearchHit> hits;
    if (list.isEmpty()) {
        return hits;
    }
    QSet<ConversationId> seen;
    QSqlQuery query(QSqlDatabase::database(m_connection, false));
    QString titleQuery = QStringLiteral("SELECT id, title FROM conversation WHERE deleted = 0");
    for (int i = 0; i < list.size(); ++i) {
        titleQuery += QLatin1String(" AND instr(lower(title), ?) > 0");
    }
    query.prepare(titleQuery + QLatin1String(" ORDER BY updated DESC LIMIT ?"));
    for (const QString& word : list) {
        query.addBindValue(word.toLower());
    }
    query.addBindValue(limit);
    if (!query.exec()) {
        return Failure{errorOf(query)};
    }
    while (query.next()) {
        seen.insert(query.value(0).toLongLong());
        hits << SearchHit{query.value(0).toLongLong(), 0, {}};
    }
    query.prepare("SELECT m.conversation, m.id, snippet(search, 0, char(2), char(3), '…', 12) FROM search "
                  "JOIN message m ON m.id = search.rowid JOIN conversation c ON c.id = m.conversation "
                  "WHERE search MATCH ? AND c.deleted = 0 ORDER BY rank LIMIT ?");
    query.addBindValue(matchExpression(list));
    query.addBindValue(limit);
    if (!query.exec()) {
        return Failure{errorOf(query)};
    }
    while (query.next()) {
        const ConversationId conversation = query.value(0).toLongLong();
        if (!seen.contains(conversation)) {
            seen.insert(conversation);
            hits << SearchHit{conversation, query.value(1).toLongLong(), query.value(2).toString()};
        }
    }
    if (query.lastError().isValid()) {
        return Failure{errorOf(query)};
    }
    return hits;
}

Result<void> ConversationStore::absorb(ConversationStore& other)
{
    auto list = other.conversations();
    KVASIR_TRY(list);
    for (const ConversationInfo& info : *list) {
        auto conversation = other.load(info.id);
        KVASIR_TRY(conversation);
        KVASIR_TRY(save(conversation->info, conversation->messages));
        for (const Message& message : conversation->messages) {
            auto kept = other.record(message.id);
            KVASIR_TRY(kept);
            if (*kept) {
                KVASIR_TRY(finishReply(message, kept->get()));
            }
        }
    }
    return {};
}

Result<void> ConversationStore::run(const QString& sql, const QVariantList& values)
{
    QSqlQuery query(QSqlDatabase::database(m_connection, false));
    if (!query.prepare(sql)) {
        return Failure{errorOf(query)};
    }
    for (const QVariant& value : values) {
        query.addBindValue(value);
    }
    if (!query.exec()) {
        return Failure{errorOf(query)};
    }
    return {};
}

Result<void> ConversationStore::inTransaction(const std::function<Result<void>()>& body)
{
    KVASIR_TRY(run("BEGIN IMMEDIATE"));
    if (auto done = body(); !done) {
        static_cast<void>(run("ROLLBACK"));
        return done;
    }
    if (auto done = run("COMMIT"); !done) {
        static_cast<void>(run("ROLLBACK"));
        return done;
    }
    return {};
}

Error ConversationStore::errorOf(const QSqlQuery& query) const
{
    const QString reason = query.lastError().databaseText();
    const QString detail = QStringLiteral("SQLite: %1").arg(reason);
    switch (query.lastError().nativeErrorCode().toInt() & 0xFF) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_ERROR: // a table or column that should be there is not
        return failed(ErrorCode::Malformed, m_path, "what", reason, detail).error;
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
        return failed(ErrorCode::FileUnwritable, m_path, "reason", "read-only", detail).error;
    case SQLITE_FULL:
        return failed(ErrorCode::FileUnwritable, m_path, "reason", "disk-full", detail).error;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return failed(ErrorCode::FileUnwritable, m_path, "reason", "in-use", detail).error;
    default:
        return failed(ErrorCode::FileUnwritable, m_path, "reason", reason, detail).error;
    }
}

} // namespace kvasir
