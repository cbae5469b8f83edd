#include "goldendata.h"
#include "sanitized.h"
#include "settings/paths.h"
#include "settings/settings.h"
#include "store/conversationstore.h"

#include <QDir>
#include <QElapsedTimer>
#include <QImage>
#include <QProcess>
#include <QSet>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace kvasir;

namespace {

QString testModel()
{
    const QString real = kvasir::testing::realModelPath(starterModelName());
    return real.isEmpty() ? kvasir::testing::goldenPath(QStringLiteral("tiny/llama-gqa/model-f32.gguf")) : real;
}

struct Run {
    int code = -1;
    QString output;
    QString errors;
};

Run run(const QStringList& arguments, const QProcessEnvironment& environment = QProcessEnvironment::systemEnvironment())
{
    QProcess program;
    program.setProcessEnvironment(environment);
    program.start(QStringLiteral(KVASIR_PROGRAM), arguments);
    if (!program.waitForFinished(180'000)) {
        program.kill();
        program.waitForFinished();
    }
    return {program.exitStatus() == QProcess::NormalExit ? program.exitCode() : -1,
        QString::fromUtf8(program.readAllStandardOutput()), QString::fromUtf8(program.readAllStandardError())};
}

/// A sampled reply may be as long as the context, which takes minutes under a sanitizer.
void limitReplies(const QString& dataDirectory)
{
    QDir().mkpath(dataDirectory);
    Settings settings(Paths::standard(dataDirectory));
    ChatSettings defaults = settings.chatDefaults();
    defaults.maxTokens = 48;
    settings.setChatDefaults(defaults);
    settings.sync();
}

} // namespace

class TestProgram : public QObject {
    Q_OBJECT

private slots:
    void explainsItselfWithoutADisplay();
    void namesTheTerminalChatWithoutADisplay();
    void endsWithTwoOnBadOptions();
    void drawsARealReply_data();
    void drawsARealReply();
    void failsWithASentenceOnABrokenModel();
    void loadsUnderAMemoryLimitOrTellsWhyNot();
    void keepsAReplyThatWasKilled();
};

void TestProgram::explainsItselfWithoutADisplay()
{
    QProcessEnvironment bare = QProcessEnvironment::systemEnvironment();
    bare.remove("DISPLAY");
    bare.remove("WAYLAND_DISPLAY");
    const Run version = run({"--version"}, bare);
    QCOMPARE(version.code, 0);
    QVERIFY(version.output.startsWith("kvasir "));
    const Run help = run({"--help"}, bare);
    QCOMPARE(help.code, 0);
    for (const char* option : {"--model", "--language", "--data-dir", "--prompt", "--screenshot", "--exit"}) {
        QVERIFY2(help.output.contains(QLatin1String(option)), option);
    }
}

void TestProgram::namesTheTerminalChatWithoutADisplay()
{
    QProcessEnvironment bare = QProcessEnvironment::systemEnvironment();
    bare.remove("WAYLAND_DISPLAY");
    bare.remove("QT_QPA_PLATFORM");
    for (const char* display : {"", ":97"}) {
        bare.insert("DISPLAY", QLatin1String(display));
        const Run result = run({"--exit"}, bare);
        QCOMPARE(result.code, 1);
        QVERIFY2(result.errors.contains("kvasir-cli chat"), qPrintable(result.errors));
    }
}

void TestProgram::endsWithTwoOnBadOptions()
{
    const Run result = run({"--language", "fr"});
    QCOMPARE(result.code, 2);
    QVERIFY(result.errors.startsWith("kvasir: "));
    QCOMPARE(result.errors.count(u'\n'), 1);
}

void TestProgram::drawsARealReply_data()
{
    QTest::addColumn<QString>("language");
    QTest::addColumn<QString>("theme");
    QTest::newRow("English, light") << "en"
                                    << "light";
    QTest::newRow("Korean, dark") << "ko"
                                  << "dark";
}

void TestProgram::drawsARealReply()
{
    QFETCH(QString, language);
    QFETCH(QString, theme);
    QTemporaryDir folder;
    const QString picture = folder.filePath("window.png");
    limitReplies(folder.filePath("data"));
    const Run result =
        run({"--model", testModel(), "--language", language, "--theme", theme, "--data-dir", folder.filePath("data"),
            "--prompt", "Name three rivers.", "--screenshot", picture, "--size", "1300x820", "--exit"});
    QVERIFY2(result.code == 0, qPrintable(result.errors));
    const QImage image(picture);
    QCOMPARE(image.size() / image.devicePixelRatio(), QSize(1300, 820));
    // The colours of prefill and decode are there, and more than a flat window has.
    QSet<QRgb> colours;
    bool prefill = false;
    for (int y = 0; y < image.height(); y += 2) {
        for (int x = 0; x < image.width(); x += 2) {
            const QRgb pixel = image.pixel(x, y) | 0xff000000;
            colours.insert(pixel);
            prefill = prefill || pixel == 0xffe69f00;
        }
    }
    QVERIFY(colours.size() > 100);
    QVERIFY(prefill);
    auto store = ConversationStore::open(folder.filePath("data"));
    QVERIFY(store);
    const auto list = (*store)->conversations();
    QCOMPARE(list->size(), 1);
    QCOMPARE((*store)->load(list->first().id)->messages.last().state, MessageState::Complete);
}

void TestProgram::failsWithASentenceOnABrokenModel()
{
    QTemporaryDir folder;
    QFile broken(folder.filePath("broken.gguf"));
    QVERIFY(broken.open(QIODevice::WriteOnly));
    broken.write("GGUF and then nothing");
    broken.close();
    const QString picture = folder.filePath("window.png");
    const Run result = run({"--model", broken.fileName(), "--data-dir", folder.filePath("data"), "--language", "en",
        "--prompt", "hello", "--screenshot", picture, "--exit"});
    QCOMPARE(result.code, 1);
    QVERIFY2(result.errors.contains("broken.gguf"), qPrintable(result.errors));
    QVERIFY(!QImage(picture).isNull());
}

void TestProgram::loadsUnderAMemoryLimitOrTellsWhyNot()
{
    if (testing::kSanitized) {
        QSKIP("a sanitizer needs more address space than the limit leaves");
    }
    QTemporaryDir folder;
    for (const int mebibytes : {900, 1200, 2000}) {
        limitReplies(folder.filePath(QString::number(mebibytes)));
        QProcess program;
        program.start("/bin/bash",
            {"-c", QStringLiteral("ulimit -v %1; exec \"$0\" \"$@\"").arg(mebibytes * 1024),
                QStringLiteral(KVASIR_PROGRAM), "--model", testModel(), "--data-dir",
                folder.filePath(QString::number(mebibytes)), "--language", "en", "--prompt", "Say one word.",
                "--exit"});
        QVERIFY(program.waitForFinished(180'000));
        QCOMPARE(program.exitStatus(), QProcess::NormalExit);
        QVERIFY2(program.exitCode() == 0 || program.exitCode() == 1, program.readAllStandardError().constData());
    }
}

void TestProgram::keepsAReplyThatWasKilled()
{
    if (kvasir::testing::realModelPath(starterModelName()).isEmpty()) {
        QSKIP("a reply of the tiny model is over before it can be killed");
    }
    QTemporaryDir folder;
    QProcess program;
    program.start(QStringLiteral(KVASIR_PROGRAM),
        {"--model", testModel(), "--data-dir", folder.path(), "--prompt",
            "Write a very long story about a lighthouse keeper, with all of its chapters."});
    QVERIFY(program.waitForStarted());
    // Another process may read the database while the program writes it.
    const QString path = folder.filePath("conversations.sqlite");
    const auto textLength = [&] {
        int length = 0;
        {
            auto db = QSqlDatabase::addDatabase("QSQLITE", "watch");
            db.setDatabaseName(path);
            db.setConnectOptions("QSQLITE_OPEN_READONLY");
            if (QFile::exists(path) && db.open()) {
                QSqlQuery query(db);
                if (query.exec("SELECT length(text) FROM message WHERE role = 1") && query.next()) {
                    length = query.value(0).toInt();
                }
                query.finish();
                db.close();
            }
        }
        QSqlDatabase::removeDatabase("watch");
        return length;
    };
    QElapsedTimer clock;
    clock.start();
    int seen = 0;
    while (seen < 20 && clock.elapsed() < 120'000) {
        QTest::qWait(100);
        seen = textLength();
    }
    QVERIFY(seen >= 20);
    kill(static_cast<pid_t>(program.processId()), SIGKILL);
    QVERIFY(program.waitForFinished());
    auto store = ConversationStore::open(folder.path());
    QVERIFY(store);
    const auto list = (*store)->conversations();
    QCOMPARE(list->size(), 1);
    const auto conversation = (*store)->load(list->first().id);
    QCOMPARE(conversation->messages.size(), 2);
    QCOMPARE(conversation->messages.last().state, MessageState::Interrupted);
    QVERIFY(conversation->messages.last().text.size() >= seen);
}

QTEST_MAIN(TestProgram)

#include "tst_program.moc"
