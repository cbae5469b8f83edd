#include "hffolder.h"
#include "outcome.h"
#include "splitgguf.h"

#include <QJsonArray>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>

using namespace kvasir;
using namespace kvasir::testing;

/// The terminal program on models that are no single GGUF file.
class TestCliFormats : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();

    void inspectsThem_data() { addModels(); }
    void inspectsThem();
    void plansThem_data() { addModels(); }
    void plansThem();
    void tokenizesWithThem_data() { addModels(); }
    void tokenizesWithThem();
    void givesTheirLogits_data() { addModels(); }
    void givesTheirLogits();
    void rendersTheTemplateOfAFolder();
    void namesAFolderWithoutAModel();

private:
    void addModels() const
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<int>("files");
        QTest::newRow("folder") << m_folder.filePath("Tiny") << 1;
        QTest::newRow("config.json") << m_folder.filePath("Tiny/config.json") << 1;
        QTest::newRow("second part") << m_folder.filePath("split-00002-of-00002.gguf") << 2;
    }

    static Outcome run(const QStringList& arguments, const QByteArray& input = {})
    {
        return runProgram(KVASIR_CLI, arguments, input);
    }

    QTemporaryDir m_folder;
};

void TestCliFormats::initTestCase()
{
    QVERIFY(makeFolder("llama-gqa", m_folder.filePath("Tiny")));
    const auto whole = GgufFile::open(goldenPath("tiny/llama-gqa/model-f32.gguf").toStdString());
    QVERIFY(whole);
    const std::vector<GgufWriter> parts = splitGguf(*whole, 2);
    for (size_t i = 0; i < parts.size(); ++i) {
        QVERIFY(parts[i].write(splitPath(m_folder.filePath("split").toStdString(), i, parts.size())));
    }
}

void TestCliFormats::inspectsThem()
{
    QFETCH(QString, path);
    QFETCH(int, files);
    const Outcome outcome = run({"inspect", path, "--json"});
    QCOMPARE(outcome.code, 0);
    const QJsonObject found = outcome.json();
    QCOMPARE(found["files"].toInt(), files);
    QCOMPARE(found["engine"]["supported"].toBool(), true);
    QCOMPARE(found["engine"]["architecture"].toString(), QString("llama"));
    QCOMPARE(found["engine"]["layers"].toInt(), 3); // golden's config.json
    QCOMPARE(found["tensors"].toArray().size(), 30);
}

void TestCliFormats::plansThem()
{
    QFETCH(QString, path);
    const QJsonObject wanted = run({"plan", "--json", "-m", goldenPath("tiny/llama-gqa/model-f32.gguf")}).json();
    const Outcome outcome = run({"plan", "--json", "-m", path});
    QVERIFY2(outcome.code == 0, outcome.error);
    const QJsonObject found = outcome.json();
    QVERIFY(wanted["total"].toInteger() > 0);
    QCOMPARE(found["total"].toInteger(), wanted["total"].toInteger());
}

void TestCliFormats::tokenizesWithThem()
{
    QFETCH(QString, path);
    const QJsonArray cases = readJson(goldenPath("tiny/llama-gqa/tokenizer_golden.json"))["cases"].toArray();
    QVERIFY(!cases.isEmpty());
    const QJsonObject first = cases.first().toObject();
    const QJsonObject found = run({"tokenize", "--json", "-m", path}, first["text"].toString().toUtf8()).json();
    QCOMPARE(found["ids"].toArray(), first["ids"].toArray());
}

void TestCliFormats::givesTheirLogits()
{
    QFETCH(QString, path);
    const QJsonObject sequence =
        readJson(goldenPath("tiny/llama-gqa/golden.json"))["sequences"].toArray().first().toObject();
    QStringList ids;
    for (const QJsonValue& id : sequence["ids"].toArray()) {
        ids << QString::number(id.toInt());
    }
    const Outcome outcome = run({"logits", "--json", "--kv", "fp32", "-m", path, "--ids", ids.join(',')});
    QVERIFY2(outcome.code == 0, outcome.error);
    const QJsonObject found = outcome.json();
    const QJsonArray wanted = sequence["hf_f32"]["sample_logits"].toArray();
    QCOMPARE(found["sample_logits"].toArray().size(), wanted.size());
    for (qsizetype i = 0; i < wanted.size(); ++i) {
        QVERIFY(std::abs(found["sample_logits"][i].toDouble() - wanted[i].toDouble()) <= 1e-3); // golden/README
    }
}

void TestCliFormats::rendersTheTemplateOfAFolder()
{
    QVERIFY(writeFile(m_folder.filePath("Tiny/chat_template.jinja"), "{{ bos_token }}{{ messages[0].content }}!"));
    QVERIFY(writeFile(m_folder.filePath("messages.json"), R"([{"role": "user", "content": "Hi"}])"));
    const Outcome outcome =
        run({"template", "-m", m_folder.filePath("Tiny"), "--messages", m_folder.filePath("messages.json")});
    QVERIFY2(outcome.code == 0, outcome.error);
    QCOMPARE(outcome.out, QByteArray("<|begin_of_text|>Hi!"));
}

void TestCliFormats::namesAFolderWithoutAModel()
{
    const Outcome outcome = run({"plan", "-m", m_folder.path()});
    QCOMPARE(outcome.code, 2);
    QVERIFY(outcome.error.contains("config.json"));
    QVERIFY(outcome.isOneComplaint());
}

QTEST_GUILESS_MAIN(TestCliFormats)
#include "tst_cliformats.moc"
