#include "goldendata.h"
#include "outcome.h"
#include "scriptedmodel.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace kvasir::testing;

namespace {

QByteArray inspect(const QStringList& arguments)
{
    return runProgram(KVASIR_CLI, QStringList{"inspect"} + arguments).out;
}

/// "kind: sentence" for each note.
QStringList notesOf(const QString& path)
{
    QStringList notes;
    for (const QJsonValue& note : QJsonDocument::fromJson(inspect({path, "--json"})).object()["notes"].toArray()) {
        notes << note["kind"].toString() + ": " + note["text"].toString();
    }
    return notes;
}

} // namespace

/// What `inspect` explains to a person.
class TestCliInspect : public QObject {
    Q_OBJECT

private slots:
    void explainsGoldenModels_data();
    void explainsGoldenModels();
    void tellsWhatTheChatIsLike_data();
    void tellsWhatTheChatIsLike();
    void tellsThatThePreTokenizerIsAGuess();
    void tellsBothBeginnings();
    void needsWhatPlanSays();
    void explainsInParagraphs();
    void saysWhyItCannotRun();
};

void TestCliInspect::explainsGoldenModels_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("start"); // of a note that must be there
    QTest::addColumn<QString>("part");  // of the same note
    const auto row = [](const char* name, const char* file, const char* start, const char* part) {
        QTest::newRow(name) << QString(file) << QString(start) << QString(part);
    };
    // The numbers are those of the models' configurations.
    row("parameters and layers", "tiny/llama-gqa/model-f32.gguf", "is: ", "layers of the architecture llama");
    row("window", "tiny/gemma3/model-f32.gguf", "unusual: ", "see only the last");
    row("experts", "tiny/mixtral/model-f32.gguf", "is: Each layer has 4 experts, of which 2 work on a token", "");
    row("yarn", "tiny/llama-yarn/model-f32.gguf", "unusual: Its positions are stretched (yarn, factor",
        "first trained for");
    row("long rope", "tiny/phi3-longrope/model-f32.gguf", "unusual: Its positions are stretched (longrope",
        "256 tokens");
    row("base model", "tiny/llama-gqa/model-f32.gguf", "missing: It has no chat template and no turn marks",
        "base model");
    row("short context", "tiny/qwen2/model-f32.gguf", "unusual: It was trained for ", "tokens only");
    row("mix of types", "tiny-quant/model-q4_k_m.gguf", "is: Its weights are stored as ", "Q4_K (");
    row("broken template", "bad/chat_template_broken.gguf", "missing: Its chat template cannot be used: ", "line 1");
}

void TestCliInspect::explainsGoldenModels()
{
    QFETCH(QString, file);
    QFETCH(QString, start);
    QFETCH(QString, part);
    const QString path = goldenPath(file);
    if (path.isEmpty()) {
        QSKIP("the file is not on this machine");
    }
    const QStringList notes = notesOf(path);
    const bool found = std::any_of(
        notes.begin(), notes.end(), [&](const QString& note) { return note.startsWith(start) && note.contains(part); });
    QVERIFY2(found, qPrintable(notes.join('\n')));
}

void TestCliInspect::tellsWhatTheChatIsLike_data()
{
    QTest::addColumn<QStringList>("control");
    QTest::addColumn<QStringList>("userDefined");
    QTest::addColumn<QString>("chatTemplate");
    QTest::addColumn<QString>("note");
    QTest::newRow("known format")
        << QStringList{"<|im_start|>", "<|im_end|>"} << QStringList{} << QString()
        << "missing: It has no chat template. The turn marks in its vocabulary are those of ChatML";
    QTest::newRow("reasoning") << QStringList{"<eos>"} << QStringList{"<think>", "</think>"} << "{{ messages }}"
                               << "is: It may think before it answers, between <think> and </think>";
    QTest::newRow("ends") << QStringList{"<|im_start|>", "<|im_end|>"} << QStringList{} << "{{ messages }}"
                          << "is: A reply ends with <|im_end|>.";
    QTest::newRow("ends of the template") << QStringList{"<|mine|>", "<eos>"} << QStringList{}
                                          << "{% for m in messages %}{{ m.content }}<|mine|>{% endfor %}"
                                          << "is: A reply ends with <|mine|> and <eos>.";
    QTest::newRow("no end") << QStringList{} << QStringList{} << "{{ messages }}"
                            << "missing: It knows no token that ends a reply";
}

void TestCliInspect::tellsWhatTheChatIsLike()
{
    QFETCH(QStringList, control);
    QFETCH(QStringList, userDefined);
    QFETCH(QString, chatTemplate);
    QFETCH(QString, note);
    ScriptedModel model;
    for (const QString& text : control) {
        model.control.push_back(text.toStdString());
    }
    for (const QString& text : userDefined) {
        model.userDefined.push_back(text.toStdString());
    }
    model.chatTemplate = chatTemplate.toStdString();
    model.script = {"a"};
    const QTemporaryDir folder;
    const QString path = folder.filePath("model.gguf");
    QVERIFY(model.write(path.toStdString()));
    const QStringList notes = notesOf(path);
    QVERIFY2(notes.join('\n').contains(note), qPrintable(notes.join('\n')));
}

void TestCliInspect::tellsThatThePreTokenizerIsAGuess()
{
    ScriptedModel model;
    model.script = {"a"};
    model.preTokenizer = "of-tomorrow";
    const QTemporaryDir folder;
    const QString path = folder.filePath("model.gguf");
    QVERIFY(model.write(path.toStdString()));
    const QString note = notesOf(path).filter("missing: Its tokenizer is a guess").value(0);
    QVERIFY2(note.contains("'of-tomorrow' is not known"), qPrintable(notesOf(path).join('\n')));
}

void TestCliInspect::tellsBothBeginnings()
{
    const QString gemma = realModelPath("gemma-3-270m-q4_k_m.gguf");
    if (gemma.isEmpty()) {
        QSKIP("the real models are not on this machine");
    }
    // The base model has no template, so nothing puts the beginning twice.
    QVERIFY(notesOf(gemma).filter("in front of a conversation").isEmpty());
    QCOMPARE(notesOf(gemma).filter("15 of its 18 layers see only the last 512 tokens").size(), 1);
}

void TestCliInspect::needsWhatPlanSays()
{
    const QString path = goldenPath("tiny/llama-gqa/model-f32.gguf");
    const double total = runProgram(KVASIR_CLI, {"plan", "-m", path, "--json"}).json()["total"].toDouble();
    QVERIFY(total > 0);
    const QStringList needs = notesOf(path).filter("needs: ");
    QCOMPARE(needs.size(), 1);
    const QString mib = QString::number(total / 1048576, 'f', total / 1048576 < 10 ? 2 : 1);
    QVERIFY2(needs.first().startsWith("needs: " + mib + " MiB of memory with its whole context"),
        qPrintable(needs.first() + mib));
}

void TestCliInspect::explainsInParagraphs()
{
    const QByteArray text = inspect({goldenPath("tiny/llama-gqa/model-f32.gguf")});
    QVERIFY(text.indexOf("what it is\n  - ") < text.indexOf("what it needs\n  - "));
    QVERIFY(text.indexOf("what it needs\n  - ") < text.indexOf("what is missing\n  - "));
    QVERIFY(text.indexOf("what is missing") < text.indexOf("general.architecture"));
}

void TestCliInspect::saysWhyItCannotRun()
{
    const QByteArray text = inspect({goldenPath("bad/unknown_architecture.gguf")});
    QVERIFY(text.contains("\nKvasir cannot run it: "));
    QVERIFY(!text.contains("what it needs"));
    QVERIFY(notesOf(goldenPath("bad/unknown_architecture.gguf")).isEmpty());
}

QTEST_GUILESS_MAIN(TestCliInspect)
#include "tst_cliinspect.moc"
