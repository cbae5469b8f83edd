#include "store/bigramtokenizer.h"
#include "store/conversationstore.h"
#include "store/messagetree.h"
#include "store/replycodec.h"
#include "store/storeworker.h"

#include <QElapsedTimer>
#include <QProcess>
#include <QSignalSpy>
#include <QSqlDriver>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include <csignal>
#include <sys/stat.h>
#include <unistd.h>

using namespace kvasir;

namespace {

constexpr const char* kWriterFolder = "KVASIR_TEST_WRITER_FOLDER";
// The child writes a reply of this many characters a millisecond, so that a length tells when it was written.
constexpr int kMillisecondsAPiece = 10;

Message message(MessageId parent, MessageRole role, const QString& text, MessageState state = MessageState::Complete)
{
    Message result;
    result.id = newId();
    result.parent = parent;
    result.role = role;
    result.text = text;
    result.state = state;
    result.created = QDateTime::fromMSecsSinceEpoch(1'764'400'000'000);
    return result;
}

ConversationInfo info(const QString& title, MessageId leaf)
{
    ConversationInfo result;
    result.id = newId();
    result.title = title;
    result.created = QDateTime::fromMSecsSinceEpoch(1'764'400'000'000);
    result.updated = result.created;
    result.activeLeaf = leaf;
    return result;
}

std::unique_ptr<ConversationStore> opened(const QString& folder)
{
    auto store = ConversationStore::open(folder);
    return store ? std::move(*store) : nullptr;
}

QString databaseOf(const QTemporaryDir& folder)
{
    return folder.filePath(QStringLiteral("conversations.sqlite"));
}

/// Acts as another user while it lives: root may write anywhere, and tests often run as root.
class AsNobody {
public:
    AsNobody() { m_changed = geteuid() == 0 && seteuid(65534) == 0; }
    ~AsNobody()
    {
        if (m_changed && seteuid(0) != 0) {
            qFatal("cannot become root again");
        }
    }

private:
    bool m_changed;
};

/// The child of survivesBeingKilledInMidReply(): streams into the store until it is killed.
int streamForever(const QString& folder)
{
    QThread thread;
    StoreWorker worker;
    worker.moveToThread(&thread);
    thread.start();
    worker.open(folder);
    const Message question = message(0, MessageRole::User, QStringLiteral("question"));
    Message reply = message(question.id, MessageRole::Assistant, {}, MessageState::Streaming);
    worker.save(info(QStringLiteral("killed"), reply.id), {question, reply});
    for (;;) {
        reply.text += u'x';
        worker.updateReply(reply);
        printf("%d\n", static_cast<int>(reply.text.size()));
        fflush(stdout);
        QThread::msleep(kMillisecondsAPiece);
    }
}

} // namespace

class TestConversationStore : public QObject {
    Q_OBJECT

private slots:
    void givesBackWhatWasSaved();
    void keepsBranches();
    void showsOrphansOfADamagedTree();
    void keepsTokensOfAReply();
    void refusesForeignTraceBytes();
    void findsPartsOfKoreanWords_data();
    void findsPartsOfKoreanWords();
    void findsTitlesAndForgetsDeletedOnes();
    void bringsBackADeletedConversation();
    void marksUnfinishedRepliesInterrupted();
    void upgradesTheFirstVersion();
    void upgradesTheSecondVersion();
    void keepsReasoningAndCalls();
    void refusesALaterVersion();
    void refusesADamagedFile();
    void setsADamagedFileAside();
    void refusesASecondInstance();
    void refusesAReadOnlyFolder();
    void reportsAFullDisk();
    void goesOnInMemoryAndComesBack();
    void survivesBeingKilledInMidReply();
    void keepsSettingsOfAConversation();
};

void TestConversationStore::givesBackWhatWasSaved()
{
    QTemporaryDir folder;
    const Message question = message(0, MessageRole::User, QStringLiteral("한강은 얼마나 깁니까?"));
    const Message reply = message(question.id, MessageRole::Assistant, QStringLiteral("494 km 😀"));
    ConversationInfo chat = info(QStringLiteral("강"), reply.id);
    chat.settings.systemPrompt = QStringLiteral("짧게");
    {
        auto store = opened(folder.path());
        QVERIFY(store);
        QVERIFY(store->save(chat, {question, reply}));
    }
    auto store = opened(folder.path());
    QVERIFY(store);
    const auto list = store->conversations();
    QVERIFY(list);
    QCOMPARE(list->size(), 1);
    QCOMPARE(list->first().title, chat.title);
    QCOMPARE(list->first().messageCount, 2);
    const auto loaded = store->load(chat.id);
    QVERIFY(loaded);
    QCOMPARE(loaded->messages.size(), 2);
    QCOMPARE(loaded->messages.at(0).text, question.text);
    QCOMPARE(loaded->messages.at(1).text, reply.text);
    QCOMPARE(loaded->messages.at(1).parent, question.id);
    QCOMPARE(loaded->info.settings.systemPrompt, QStringLiteral("짧게"));
    QVERIFY(!store->load(12345));
}

void TestConversationStore::keepsBranches()
{
    const Message a = message(0, MessageRole::User, QStringLiteral("a"));
    const Message b1 = message(a.id, MessageRole::Assistant, QStringLiteral("b1"));
    const Message b2 = message(a.id, MessageRole::Assistant, QStringLiteral("b2"));
    const Message c = message(b1.id, MessageRole::User, QStringLiteral("c"));
    auto store = ConversationStore::inMemory();
    const ConversationInfo chat = info({}, b2.id);
    QVERIFY(store->save(chat, {a, b1, b2, c}));
    QCOMPARE(store->conversations()->first().messageCount, 2);

    const auto loaded = store->load(chat.id);
    MessageTree tree(loaded->messages, loaded->info.activeLeaf);
    QCOMPARE(tree.branch(), QList<MessageId>({a.id, b2.id}));
    QCOMPARE(tree.siblings(b2.id), QList<MessageId>({b1.id, b2.id}));
    tree.setLeaf(tree.newestLeafBelow(b1.id));
    QCOMPARE(tree.branch(), QList<MessageId>({a.id, b1.id, c.id}));
    tree.remove(c.id);
    QCOMPARE(tree.leaf(), b1.id);
}

void TestConversationStore::showsOrphansOfADamagedTree()
{
    Message a = message(99, MessageRole::User, QStringLiteral("a"));
    Message b = message(0, MessageRole::Assistant, QStringLiteral("b"));
    a.parent = b.id; // b came later: a cycle, were it followed
    b.parent = a.id;
    const MessageTree tree({a, b}, b.id);
    QCOMPARE(tree.branch(), QList<MessageId>({a.id, b.id}));
}

void TestConversationStore::keepsTokensOfAReply()
{
    auto store = ConversationStore::inMemory();
    const Message question = message(0, MessageRole::User, QStringLiteral("q"));
    Message reply = message(question.id, MessageRole::Assistant, {}, MessageState::Streaming);
    const ConversationInfo chat = info({}, reply.id);
    QVERIFY(store->save(chat, {question, reply}));

    ReplyRecord record;
    record.stats.ttft = std::chrono::milliseconds(312);
    record.stats.promptTokens = 214;
    record.stats.cachedTokens = 180;
    record.stats.generatedTokens = 1000;
    record.stats.stopReason = StopReason::Length;
    record.prefill = {{std::chrono::milliseconds(10), 0}, {std::chrono::milliseconds(300), 34}};
    for (int i = 0; i < 1000; ++i) {
        record.tokens << ReplyToken{QStringLiteral("강"), Nanoseconds(i * 1000), 0.5f, 1.25f,
            {{QStringLiteral("강"), 0.5f}, {QStringLiteral("산"), 0.25f}}};
    }
    reply.state = MessageState::Complete;
    reply.text = QStringLiteral("done");
    QVERIFY(store->finishReply(reply, &record));

    const auto kept = store->record(reply.id);
    QVERIFY(kept && *kept);
    QCOMPARE((*kept)->tokens.size(), 1000);
    QCOMPARE((*kept)->tokens.at(999).time, Nanoseconds(999'000));
    QCOMPARE((*kept)->tokens.at(7).alternatives.at(1).text, QStringLiteral("산"));
    QCOMPARE((*kept)->prefill.at(1).tokens, 34);
    QCOMPARE((*kept)->stats.ttft, record.stats.ttft);
    QCOMPARE((*kept)->stats.cachedTokens, 180);
    QCOMPARE((*kept)->stats.stopReason, StopReason::Length);
    QVERIFY(store->record(question.id) && !*store->record(question.id));
    QVERIFY(encodeTrace(record).size() < 30 * 1000);
}

void TestConversationStore::refusesForeignTraceBytes()
{
    ReplyRecord record;
    record.tokens << ReplyToken{QStringLiteral("a"), Nanoseconds(1), 0.5f, 1, {{QStringLiteral("b"), 0.5f}}};
    const QByteArray valid = encodeTrace(record);
    ReplyRecord read;
    QVERIFY(decodeTrace(valid, read));
    QCOMPARE(read.tokens.size(), 1);
    for (const QByteArray& bytes : {QByteArray(), QByteArray("abc"), QByteArray("\xff\xff\xff\xff", 4) + valid,
             qCompress(QByteArray("no trace"))}) {
        QVERIFY(!decodeTrace(bytes, read));
        QVERIFY(read.tokens.isEmpty());
    }
    const QByteArray raw = qUncompress(valid);
    for (qsizetype length = 0; length < raw.size(); ++length) {
        QVERIFY(!decodeTrace(qCompress(raw.left(length)), read));
    }
}

void TestConversationStore::findsPartsOfKoreanWords_data()
{
    QTest::addColumn<QString>("words");
    QTest::addColumn<bool>("found");
    for (const char* hit : {"국어", "한국어", "안녕", "하세요", "검색", "hello", "HELLO", "hel", "세계", "국", "어",
             "색", "전문 검색", "hello 검색", "12", "naïve", "東京", "京", "안녕하세요"}) {
        QTest::newRow(hit) << QString::fromUtf8(hit) << true;
    }
    for (const char* miss : {"국안", "ello", "검색 없음", "안세", "\"", "*", "OR NOT", "京東"}) {
        QTest::newRow(miss) << QString::fromUtf8(miss) << false;
    }
}

void TestConversationStore::findsPartsOfKoreanWords()
{
    QFETCH(QString, words);
    QFETCH(bool, found);
    auto store = ConversationStore::inMemory();
    const Message text =
        message(0, MessageRole::User, QStringLiteral("안녕하세요 세계, 한국어 전문 검색 Hello World 12 Naïve 東京"));
    QVERIFY(store->save(info(QStringLiteral("t"), text.id), {text}));
    const auto hits = store->search(words);
    QVERIFY2(hits, hits ? "" : hits.error().detail.c_str());
    QCOMPARE(hits->size(), found ? 1 : 0);
    if (found) {
        QCOMPARE(hits->first().message, text.id);
        QVERIFY(hits->first().snippet.contains(QChar(2)));
    }
    // Hangul in single letters, as macOS writes it, is the same word.
    const auto decomposed = store->search(words.normalized(QString::NormalizationForm_D));
    QVERIFY(decomposed);
    QCOMPARE(decomposed->size(), found ? 1 : 0);
}

void TestConversationStore::findsTitlesAndForgetsDeletedOnes()
{
    auto store = ConversationStore::inMemory();
    const Message text = message(0, MessageRole::User, QStringLiteral("nothing here"));
    const ConversationInfo chat = info(QStringLiteral("Rivers of Korea"), text.id);
    QVERIFY(store->save(chat, {text}));
    QCOMPARE(store->search(QStringLiteral("river"))->size(), 1);
    QCOMPARE(store->search(QStringLiteral("river"))->first().message, 0);
    QVERIFY(store->setDeleted(chat.id, true));
    QCOMPARE(store->search(QStringLiteral("river"))->size(), 0);
    QCOMPARE(store->search(QStringLiteral("nothing"))->size(), 0);
}

void TestConversationStore::bringsBackADeletedConversation()
{
    QTemporaryDir folder;
    const Message text = message(0, MessageRole::User, QStringLiteral("text"));
    const ConversationInfo kept = info(QStringLiteral("kept"), text.id);
    const Message other = message(0, MessageRole::User, QStringLiteral("secret"));
    const ConversationInfo gone = info(QStringLiteral("gone"), other.id);
    {
        auto store = opened(folder.path());
        QVERIFY(store->save(kept, {text}));
        QVERIFY(store->save(gone, {other}));
        QVERIFY(store->setDeleted(kept.id, true));
        QVERIFY(store->setDeleted(gone.id, true));
        QCOMPARE(store->conversations()->size(), 0);
        QVERIFY(store->setDeleted(kept.id, false));
        QCOMPARE(store->conversations()->size(), 1);
    }
    auto store = opened(folder.path());
    QCOMPARE(store->conversations()->size(), 1);
    QVERIFY(!store->load(gone.id));
    QCOMPARE(store->search(QStringLiteral("secret"))->size(), 0);
    QVERIFY(!store->record(other.id) || !*store->record(other.id));
}

void TestConversationStore::marksUnfinishedRepliesInterrupted()
{
    QTemporaryDir folder;
    const Message question = message(0, MessageRole::User, QStringLiteral("q"));
    Message reply = message(question.id, MessageRole::Assistant, {}, MessageState::Streaming);
    const ConversationInfo chat = info({}, reply.id);
    {
        auto store = opened(folder.path());
        QVERIFY(store->save(chat, {question, reply}));
        reply.text = QStringLiteral("half a senten");
        reply.reasoning = QStringLiteral("first I think");
        QVERIFY(store->updateReply(reply));
    }
    auto store = opened(folder.path());
    const auto loaded = store->load(chat.id);
    QCOMPARE(loaded->messages.last().state, MessageState::Interrupted);
    QCOMPARE(loaded->messages.last().text, QStringLiteral("half a senten"));
    QCOMPARE(loaded->messages.last().reasoning, QStringLiteral("first I think"));
    QCOMPARE(store->search(QStringLiteral("senten"))->size(), 1);
}

void TestConversationStore::upgradesTheFirstVersion()
{
    QTemporaryDir folder;
    const Message text = message(0, MessageRole::User, QStringLiteral("한국어 문장"));
    const ConversationInfo chat = info(QStringLiteral("old"), text.id);
    {
        auto store = opened(folder.path());
        QVERIFY(store->save(chat, {text}));
    }
    {
        // Version 1 had no search index.
        auto db = QSqlDatabase::addDatabase("QSQLITE", "old");
        db.setDatabaseName(databaseOf(folder));
        QVERIFY(db.open());
        QVERIFY(registerBigramTokenizer(*static_cast<sqlite3* const*>(db.driver()->handle().data())));
        for (const char* sql :
            {"DROP TRIGGER message_unindex", "DROP TABLE search", "ALTER TABLE message DROP COLUMN reasoning",
                "ALTER TABLE message DROP COLUMN calls", "PRAGMA user_version = 1"}) {
            QSqlQuery query(db);
            QVERIFY(query.exec(sql));
        }
        db.close();
    }
    QSqlDatabase::removeDatabase("old");
    auto store = opened(folder.path());
    QVERIFY(store);
    QCOMPARE(store->search(QStringLiteral("국어"))->size(), 1);
    QVERIFY(QFile::exists(databaseOf(folder) + QStringLiteral(".version1")));
}

void TestConversationStore::upgradesTheSecondVersion()
{
    QTemporaryDir folder;
    const Message question = message(0, MessageRole::User, QStringLiteral("q"));
    const Message reply = message(question.id, MessageRole::Assistant, QStringLiteral("kept"));
    const ConversationInfo chat = info(QStringLiteral("old"), reply.id);
    {
        auto store = opened(folder.path());
        QVERIFY(store->save(chat, {question, reply}));
    }
    {
        // Version 2 knew nothing of reasoning and tool calls.
        auto db = QSqlDatabase::addDatabase("QSQLITE", "old");
        db.setDatabaseName(databaseOf(folder));
        QVERIFY(db.open());
        QVERIFY(registerBigramTokenizer(*static_cast<sqlite3* const*>(db.driver()->handle().data())));
        for (const char* sql : {"ALTER TABLE message DROP COLUMN reasoning", "ALTER TABLE message DROP COLUMN calls",
                 "PRAGMA user_version = 2"}) {
            QSqlQuery query(db);
            QVERIFY(query.exec(sql));
        }
        db.close();
    }
    QSqlDatabase::removeDatabase("old");
    auto store = opened(folder.path());
    QVERIFY(store);
    const auto loaded = store->load(chat.id);
    QCOMPARE(loaded->messages.last().text, QStringLiteral("kept"));
    QCOMPARE(loaded->messages.last().reasoning, QString());
    QVERIFY(loaded->messages.last().calls.isEmpty());
    QVERIFY(QFile::exists(databaseOf(folder) + QStringLiteral(".version2")));
}

void TestConversationStore::keepsReasoningAndCalls()
{
    QTemporaryDir folder;
    const Message question = message(0, MessageRole::User, QStringLiteral("q"));
    Message reply = message(question.id, MessageRole::Assistant, {}, MessageState::Streaming);
    const ConversationInfo chat = info(QStringLiteral("thinks"), reply.id);
    ReplyRecord record;
    record.stats.generatedTokens = 9;
    record.stats.reasoningTokens = 5;
    record.stats.reasoning = std::chrono::milliseconds(1500);
    record.stats.ttfo = std::chrono::milliseconds(2000);
    {
        auto store = opened(folder.path());
        QVERIFY(store->save(chat, {question, reply}));
        reply.state = MessageState::Complete;
        reply.text = QStringLiteral("Six.");
        reply.reasoning = QStringLiteral("둘에 셋을\n곱한다");
        reply.calls = {{QStringLiteral("add"), QStringLiteral("{\"a\": 1}"), 4}, {{}, QStringLiteral("?"), 4}};
        QVERIFY(store->finishReply(reply, &record));
    }
    auto store = opened(folder.path());
    const auto loaded = store->load(chat.id);
    QVERIFY(loaded);
    const Message& kept = loaded->messages.last();
    QCOMPARE(kept.text, reply.text);
    QCOMPARE(kept.reasoning, reply.reasoning);
    QCOMPARE(kept.calls, reply.calls);
    const ReplyStats& stats = loaded->records.value(reply.id)->stats;
    QCOMPARE(stats.reasoningTokens, 5);
    QCOMPARE(stats.reasoning, record.stats.reasoning);
    QCOMPARE(stats.ttfo, record.stats.ttfo);
    // Memory that becomes a file takes them along.
    auto memory = ConversationStore::inMemory();
    QVERIFY(memory->absorb(*store));
    QCOMPARE(memory->load(chat.id)->messages.last().calls, reply.calls);
}

void TestConversationStore::refusesALaterVersion()
{
    QTemporaryDir folder;
    opened(folder.path());
    {
        auto db = QSqlDatabase::addDatabase("QSQLITE", "later");
        db.setDatabaseName(databaseOf(folder));
        QVERIFY(db.open());
        QSqlQuery query(db);
        QVERIFY(query.exec("PRAGMA user_version = 99"));
        query.finish();
        db.close();
    }
    QSqlDatabase::removeDatabase("later");
    const auto store = ConversationStore::open(folder.path());
    QVERIFY(!store);
    QCOMPARE(store.error().code, ErrorCode::Unsupported);
    QCOMPARE(store.error().parameter("name"), std::string_view("99"));
}

void TestConversationStore::refusesADamagedFile()
{
    // Garbage from the first byte, from the first page, and from the middle.
    for (const int keep : {0, 100, 4096, 9000}) {
        QTemporaryDir folder;
        {
            auto store = opened(folder.path());
            for (int i = 0; i < 50; ++i) {
                const Message text = message(0, MessageRole::User, QString(500, u'a'));
                QVERIFY(store->save(info({}, text.id), {text}));
            }
        }
        QFile file(databaseOf(folder));
        QVERIFY(file.open(QIODevice::ReadWrite));
        const qint64 size = file.size();
        file.seek(keep);
        file.write(QByteArray(static_cast<qsizetype>(size - keep), '\x5a'));
        file.close();
        const auto store = ConversationStore::open(folder.path());
        Error error;
        if (store) {
            const auto list = (*store)->conversations();
            QVERIFY2(!list, qPrintable(QString::number(keep)));
            error = list.error();
        } else {
            error = store.error();
        }
        QCOMPARE(error.code, ErrorCode::Malformed);
    }
}

void TestConversationStore::setsADamagedFileAside()
{
    QTemporaryDir folder;
    QFile file(databaseOf(folder));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray(8192, 'z'));
    file.close();

    StoreWorker worker;
    QSignalSpy states(&worker, &StoreWorker::stateChanged);
    worker.open(folder.path());
    QTRY_COMPARE(states.size(), 1);
    QCOMPARE(states.at(0).at(0).value<StoreState>().saved, false);
    QCOMPARE(states.at(0).at(0).value<StoreState>().problem.code, ErrorCode::Malformed);
    worker.retry(true);
    QTRY_COMPARE(states.size(), 2);
    QCOMPARE(states.at(1).at(0).value<StoreState>().saved, true);
    const QStringList aside = QDir(folder.path()).entryList({"conversations-damaged-*.sqlite"});
    QCOMPARE(aside.size(), 1);
    QCOMPARE(QFileInfo(folder.filePath(aside.first())).size(), 8192);
}

void TestConversationStore::refusesASecondInstance()
{
    QTemporaryDir folder;
    auto first = opened(folder.path());
    QVERIFY(first);
    const auto second = ConversationStore::open(folder.path());
    QVERIFY(!second);
    QCOMPARE(second.error().code, ErrorCode::FileUnwritable);
    QCOMPARE(second.error().parameter("reason"), std::string_view("in-use"));
    first.reset();
    QVERIFY(opened(folder.path()));
}

void TestConversationStore::refusesAReadOnlyFolder()
{
    QTemporaryDir folder;
    QVERIFY(chmod(folder.path().toLocal8Bit().constData(), 0555) == 0);
    {
        const AsNobody nobody;
        const auto store = ConversationStore::open(folder.path());
        QVERIFY(!store);
        QCOMPARE(store.error().code, ErrorCode::FileUnwritable);
        QCOMPARE(store.error().parameter("reason"), std::string_view("read-only"));
        QVERIFY(!ConversationStore::open(folder.filePath(QStringLiteral("below"))));
    }
    chmod(folder.path().toLocal8Bit().constData(), 0755);
}

void TestConversationStore::reportsAFullDisk()
{
    // A real full disk: /dev/full cannot hold a database, so a page limit stands for it, which SQLite reports alike.
    QTemporaryDir folder;
    auto store = opened(folder.path());
    const auto connections = QSqlDatabase::connectionNames();
    QCOMPARE(connections.size(), 1);
    QSqlQuery limit(QSqlDatabase::database(connections.first(), false));
    QVERIFY(limit.exec("PRAGMA max_page_count = 1"));
    limit.finish();
    const Message text = message(0, MessageRole::User, QString(2'000'000, u'a'));
    const auto saved = store->save(info(QStringLiteral("big"), text.id), {text});
    QVERIFY(!saved);
    QCOMPARE(saved.error().code, ErrorCode::FileUnwritable);
    QCOMPARE(saved.error().parameter("reason"), std::string_view("disk-full"));
    QCOMPARE(store->conversations()->size(), 0);
}

void TestConversationStore::goesOnInMemoryAndComesBack()
{
    QTemporaryDir folder;
    auto owner = opened(folder.path());
    StoreWorker worker;
    QSignalSpy states(&worker, &StoreWorker::stateChanged);
    QSignalSpy saves(&worker, &StoreWorker::saved);
    worker.open(folder.path());
    const Message question = message(0, MessageRole::User, QStringLiteral("q"));
    Message reply = message(question.id, MessageRole::Assistant, {}, MessageState::Streaming);
    const ConversationInfo chat = info(QStringLiteral("kept"), reply.id);
    worker.save(chat, {question, reply});
    QTRY_COMPARE(saves.size(), 1);
    QCOMPARE(states.at(0).at(0).value<StoreState>().saved, false);
    reply.text = QStringLiteral("streamed");
    worker.updateReply(reply);
    owner.reset();
    worker.retry(false);
    QTRY_COMPARE(states.size(), 2);
    QCOMPARE(states.at(1).at(0).value<StoreState>().saved, true);
    worker.close();
    QTest::qWait(0);
    auto store = opened(folder.path());
    QVERIFY(store);
    QCOMPARE(store->load(chat.id)->messages.last().text, QStringLiteral("streamed"));
}

void TestConversationStore::survivesBeingKilledInMidReply()
{
#if defined(__SANITIZE_THREAD__)
    QSKIP("the thread sanitizer hangs where QProcess forks");
#endif
    for (const int delay : {700, 1900}) {
        QTemporaryDir folder;
        QProcess child;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QLatin1String(kWriterFolder), folder.path());
        child.setProcessEnvironment(environment);
        child.start(QCoreApplication::applicationFilePath(), {});
        QVERIFY(child.waitForStarted());
        QElapsedTimer clock;
        clock.start();
        while (clock.elapsed() < delay) {
            child.waitForReadyRead(50);
        }
        kill(static_cast<pid_t>(child.processId()), SIGKILL);
        QVERIFY(child.waitForFinished());
        QCOMPARE(child.exitStatus(), QProcess::CrashExit);
        const QList<QByteArray> lines = child.readAllStandardOutput().split('\n');
        const int written = lines.value(lines.size() - 2).toInt();
        QVERIFY(written > 20);

        auto store = opened(folder.path());
        QVERIFY(store);
        const auto list = store->conversations();
        QCOMPARE(list->size(), 1);
        const auto loaded = store->load(list->first().id);
        QCOMPARE(loaded->messages.size(), 2);
        QCOMPARE(loaded->messages.last().state, MessageState::Interrupted);
        const int lost = written - static_cast<int>(loaded->messages.last().text.size());
        QVERIFY2(lost * kMillisecondsAPiece <= 1000, qPrintable(QString::number(lost)));
    }
}

void TestConversationStore::keepsSettingsOfAConversation()
{
    ChatSettings settings;
    settings.systemPrompt = QStringLiteral("Be brief.");
    settings.sampling.temperature = 1.5f;
    settings.sampling.topK = 7;
    settings.sampling.seed = ~0ull;
    settings.fixedSeed = true;
    settings.maxTokens = 321;
    QVERIFY(chatSettingsFromJson(toJson(settings)) == settings);
    QCOMPARE(chatSettingsFromJson(toJson(settings)).sampling.seed, ~0ull);
    QVERIFY(chatSettingsFromJson({}) == ChatSettings());
    QCOMPARE(chatSettingsFromJson({{"temperature", "hot"}, {"top_p", 7}}).sampling.topP, 1.0f);
}

int main(int argc, char* argv[])
{
    QCoreApplication app(argc, argv);
    if (const QString folder = qEnvironmentVariable(kWriterFolder); !folder.isEmpty()) {
        return streamForever(folder);
    }
    TestConversationStore test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_conversationstore.moc"
