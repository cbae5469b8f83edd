#include "engine/engineworker.h"
#include "engine/errortext.h"
#include "engine/prompt.h"
#include "goldendata.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

using namespace kvasir;

namespace {

constexpr int kTimeout = 60'000;

QString tinyModel()
{
    return kvasir::testing::goldenPath(QStringLiteral("tiny/llama-gqa/model-f32.gguf"));
}

/// A worker on its thread, as the window keeps it.
struct Background {
    QThread thread;
    EngineWorker* worker = new EngineWorker;

    Background()
    {
        worker->moveToThread(&thread);
        QObject::connect(&thread, &QThread::finished, worker, &QObject::deleteLater);
        thread.start();
    }
    ~Background()
    {
        thread.quit();
        thread.wait();
    }

    bool load(const QString& path)
    {
        QSignalSpy ready(worker, &EngineWorker::loaded);
        QSignalSpy failed(worker, &EngineWorker::loadFailed);
        worker->load(path, {});
        return QTest::qWaitFor([&] { return !ready.isEmpty() || !failed.isEmpty(); }, kTimeout) && !ready.isEmpty();
    }
};

ReplyRequest request(const QString& text, int tokens)
{
    ReplyRequest request;
    request.id = newId();
    request.messages = {{MessageRole::User, text, {}, {}}};
    request.settings.maxTokens = tokens;
    request.settings.sampling.temperature = 0;
    return request;
}

} // namespace

class TestEngineWorker : public QObject {
    Q_OBJECT

private slots:
    void refusesAQuestionWithoutAModel();
    void tellsEveryTokenOnce();
    void interleavesReplies();
    void stopsOneReplyAndNotTheOther();
    void countsTokensWhileItAnswers();
    void keepsTheModelWhenLoadingFails();
    void endsRepliesWhenAnotherModelIsLoaded();
    void givesUpMeasuringForAQuestion();
    void keepsMeasuredLimits();
    void endsInMidReply();
    void writesBytesThatAreNoText_data();
    void writesBytesThatAreNoText();
    void tellsEveryErrorInASentence();
};

void TestEngineWorker::refusesAQuestionWithoutAModel()
{
    Background background;
    QSignalSpy ended(background.worker, &EngineWorker::finished);
    background.worker->generate(request(QStringLiteral("hello"), 4));
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, kTimeout);
    QVERIFY(ended.first().first().value<std::shared_ptr<const ReplyEnd>>()->failed);
}

void TestEngineWorker::tellsEveryTokenOnce()
{
    Background background;
    QVERIFY(background.load(tinyModel()));
    QSignalSpy progress(background.worker, &EngineWorker::progressed);
    QSignalSpy ended(background.worker, &EngineWorker::finished);
    const ReplyRequest asked = request(QStringLiteral("hello"), 20);
    background.worker->generate(asked);
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, kTimeout);
    const auto end = ended.first().first().value<std::shared_ptr<const ReplyEnd>>();
    QCOMPARE(end->id, asked.id);
    QVERIFY(!end->failed);
    ReplyDelta all;
    bool sawPrefill = false;
    for (const QList<QVariant>& arguments : progress) {
        const auto delta = arguments.first().value<std::shared_ptr<const ReplyDelta>>();
        QCOMPARE(delta->id, asked.id);
        sawPrefill = sawPrefill || delta->prefill;
        all.append(*delta);
    }
    QVERIFY(sawPrefill);
    QCOMPARE(all.tokens.size(), end->stats.generatedTokens);
    QCOMPARE(all.prefill->total, end->stats.promptTokens);
    QVERIFY(all.memory[MemoryTag::Weights] > 0);
    QVERIFY(all.phases.decodeTokens > 0 && all.phases.prefillTokens > 0);
    for (qsizetype i = 1; i < all.tokens.size(); ++i) {
        QVERIFY(all.tokens.at(i).time >= all.tokens.at(i - 1).time);
    }
}

void TestEngineWorker::interleavesReplies()
{
    Background background;
    QVERIFY(background.load(tinyModel()));
    QSignalSpy ended(background.worker, &EngineWorker::finished);
    QSignalSpy progress(background.worker, &EngineWorker::progressed);
    const ReplyRequest first = request(QStringLiteral("hello"), 16);
    background.worker->generate(first);
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, kTimeout);
    const auto textOf = [&](MessageId id) {
        QString text;
        for (const QList<QVariant>& arguments : progress) {
            const auto delta = arguments.first().value<std::shared_ptr<const ReplyDelta>>();
            Message message;
            addPieces(message, delta->id == id ? delta->pieces : QList<TextPiece>());
            text += message.text;
        }
        return text;
    };
    const QString alone = textOf(first.id);
    const ReplyRequest again = request(QStringLiteral("hello"), 16);
    const ReplyRequest beside = request(QStringLiteral("goodbye, and more"), 16);
    background.worker->generate(beside);
    background.worker->generate(again);
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 3, kTimeout);
    QCOMPARE(textOf(again.id), alone);
}

void TestEngineWorker::stopsOneReplyAndNotTheOther()
{
    Background background;
    QVERIFY(background.load(tinyModel()));
    QSignalSpy ended(background.worker, &EngineWorker::finished);
    const ReplyRequest stopped = request(QStringLiteral("one"), 0);
    const ReplyRequest other = request(QStringLiteral("two"), 12);
    background.worker->generate(stopped);
    background.worker->generate(other);
    background.worker->stop(stopped.id);
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 2, kTimeout);
    for (const QList<QVariant>& arguments : ended) {
        const auto end = arguments.first().value<std::shared_ptr<const ReplyEnd>>();
        QVERIFY(!end->failed);
        if (end->id == other.id) {
            QVERIFY(end->stats.stopReason != StopReason::Cancelled);
        } else {
            QVERIFY(end->stats.stopReason == StopReason::Cancelled);
        }
    }
}

void TestEngineWorker::countsTokensWhileItAnswers()
{
    Background background;
    QVERIFY(background.load(tinyModel()));
    QSignalSpy counted(background.worker, &EngineWorker::tokensCounted);
    QSignalSpy ended(background.worker, &EngineWorker::finished);
    background.worker->generate(request(QStringLiteral("hello"), 40));
    background.worker->countTokens(7, QStringLiteral("hello there"));
    QTRY_COMPARE_WITH_TIMEOUT(counted.size(), 1, kTimeout);
    QCOMPARE(counted.first().at(0).toInt(), 7);
    QVERIFY(counted.first().at(1).toInt() > 0);
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, kTimeout);
}

void TestEngineWorker::keepsTheModelWhenLoadingFails()
{
    Background background;
    QVERIFY(background.load(tinyModel()));
    QSignalSpy failed(background.worker, &EngineWorker::loadFailed);
    background.worker->load(QStringLiteral("/nowhere/absent.gguf"), {});
    QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, kTimeout);
    QCOMPARE(failed.first().at(1).value<Error>().code, ErrorCode::FileNotFound);
    QVERIFY(failed.first().at(2).toBool());
    QSignalSpy ended(background.worker, &EngineWorker::finished);
    background.worker->generate(request(QStringLiteral("hello"), 4));
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, kTimeout);
    QVERIFY(!ended.first().first().value<std::shared_ptr<const ReplyEnd>>()->failed);
}

void TestEngineWorker::endsRepliesWhenAnotherModelIsLoaded()
{
    Background background;
    QVERIFY(background.load(tinyModel()));
    QSignalSpy ended(background.worker, &EngineWorker::finished);
    background.worker->generate(request(QStringLiteral("hello"), 0));
    QVERIFY(background.load(tinyModel()));
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, kTimeout);
}

void TestEngineWorker::givesUpMeasuringForAQuestion()
{
    Background background;
    QTemporaryDir folder;
    QVERIFY(background.load(tinyModel()));
    QSignalSpy failed(background.worker, &EngineWorker::limitsFailed);
    QSignalSpy measured(background.worker, &EngineWorker::limitsMeasured);
    QSignalSpy ended(background.worker, &EngineWorker::finished);
    background.worker->measureLimits(folder.filePath(QStringLiteral("limits.json")));
    background.worker->generate(request(QStringLiteral("hello"), 4));
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, kTimeout);
    QCOMPARE(failed.size(), 1);
    QCOMPARE(measured.size(), 0);
    QCOMPARE(failed.first().first().value<Error>().code, ErrorCode::Cancelled);
    QVERIFY(!QFile::exists(folder.filePath(QStringLiteral("limits.json"))));
}

void TestEngineWorker::keepsMeasuredLimits()
{
    Background background;
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("below/limits.json"));
    QSignalSpy measured(background.worker, &EngineWorker::limitsMeasured);
    QSignalSpy measuring(background.worker, &EngineWorker::limitsMeasuring);
    background.worker->measureLimits(file);
    QTRY_COMPARE_WITH_TIMEOUT(measured.size(), 1, kTimeout);
    QCOMPARE(measuring.size(), 1);
    const auto first = measured.at(0).first().value<HardwareLimits>();
    if (first.disturbed) {
        QVERIFY(!QFile::exists(file));
        QSKIP("other programs are busy, so that nothing is kept");
    }
    background.worker->measureLimits(file);
    QTRY_COMPARE_WITH_TIMEOUT(measured.size(), 2, kTimeout);
    QCOMPARE(measuring.size(), 1);
    const auto second = measured.at(1).first().value<HardwareLimits>();
    QVERIFY(first.readBytesPerSecond > 0);
    QCOMPARE(second.readBytesPerSecond, first.readBytesPerSecond);
}

void TestEngineWorker::endsInMidReply()
{
    Background background;
    QVERIFY(background.load(tinyModel()));
    background.worker->generate(request(QStringLiteral("hello"), 0));
    background.worker->generate(request(QStringLiteral("hello again"), 0));
    // The destructor quits the thread, which must not wait for the replies.
}

void TestEngineWorker::writesBytesThatAreNoText_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("text");
    QTest::newRow("text") << QByteArray("abc") << QStringLiteral("abc");
    QTest::newRow("Hangul") << QByteArray("\xed\x95\x9c") << QStringLiteral("한");
    QTest::newRow("half of it") << QByteArray("\xed\x95") << QStringLiteral("<0xED><0x95>");
    QTest::newRow("no UTF-8") << QByteArray("\xff") << QStringLiteral("<0xFF>");
    QTest::newRow("nothing") << QByteArray() << QString();
}

void TestEngineWorker::writesBytesThatAreNoText()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, text);
    QCOMPARE(tokenText(bytes.toStdString()), text);
}

void TestEngineWorker::tellsEveryErrorInASentence()
{
    for (int code = 0; code <= static_cast<int>(ErrorCode::Internal); ++code) {
        Error error;
        error.code = static_cast<ErrorCode>(code);
        error.parameters = {{"path", "/models/a.gguf"}, {"what", "header"}, {"need", "4096"}, {"have", "1024"},
            {"name", "N"}, {"key", "K"}, {"reason", "R"}};
        error.detail = "detail";
        const QString path = QStringLiteral("/models/a.gguf");
        for (const QString& sentence : {ErrorText::cause(error), ErrorText::loadFailed(path, error),
                 ErrorText::replyFailed(error), ErrorText::storeFailed(error), ErrorText::limitsFailed(error)}) {
            QVERIFY2(sentence.endsWith(u'.'), qPrintable(sentence));
            QVERIFY2(!sentence.contains(QLatin1String("%1")), qPrintable(sentence));
        }
        QVERIFY(ErrorText::loadFailed(path, error).contains(QStringLiteral("a.gguf")));
    }
}

QTEST_GUILESS_MAIN(TestEngineWorker)

#include "tst_engineworker.moc"
