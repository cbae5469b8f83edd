#include "hffolder.h"
#include "splitgguf.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
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

    QJsonObject run(const QStringList& arguments, const QByteArray& input = {})
    {
        QProcess process;
        process.start(KVASIR_CLI, arguments);
        process.write(input);
        process.closeWriteChannel();
        process.waitForFinished(60000);
        m_output = process.readAllStandardOutput();
        m_error = process.readAllStandardError();
        m_code = process.exitCode();
        return QJsonDocument::fromJson(m_output).object();
    }

    QTemporaryDir m_folder;
    QByteArray m_output;
    QByteArray m_error;
    int m_code = -1;
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
    const QJsonObject found = run({"inspect", path, "--json"});
    QCOMPARE(m_code, 0);
    QCOMPARE(found["files"].toInt(), files);
    QCOMPARE(found["engine"]["supported"].toBool(), true);
    QCOMPARE(found["engine"]["architecture"].toString(), QString("llama"));
    QCOMPARE(found["engine"]["layers"].toInt(), 3); // golden's config.json
    QCOMPARE(found["tensors"].toArray().size(), 30);
}

void TestCliFormats::plansThem()
{
    QFETCH(QString, path);
    const QJsonObject wanted = run({"plan", "--json", "-m", goldenPath("tiny/llama-gqa/model-f32.gguf")});
    const QJsonObject found = run({"plan", "--json", "-m", path});
    QVERIFY2(m_code == 0, m_error);
    QVERIFY(wanted["total"].toInteger() > 0);
    QCOMPARE(found["total"].toInteger(), wanted["total"].toInteger());
}

void TestCliFormats::tokenizesWithThem()
{
    QFETCH(QString, path);
    const QJsonArray cases = readJson(goldenPath("tiny/llama-gqa/tokenizer_golden.json"))["cases"].toArray();
    QVERIFY(!cases.isEmpty());
    const QJsonObject first = cases.first().toObject();
    const QJsonObject found = run({"tokenize", "--json", "-m", path}, first["text"].toString().toUtf8());
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
    const QJsonObject found = run({"logits", "--json", "--kv", "fp32", "-m", path, "--ids", ids.join(',')});
    QVERIFY2(m_code == 0, m_error);
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
    run({"template", "-m", m_folder.filePath("Tiny"), "--messages", m_folder.filePath("messages.json")});
    QVERIFY2(m_code == 0, m_error);
    QCOMPARE(m_output, QByteArray("<|begin_of_text|>Hi!"));
}

void TestCliFormats::namesAFolderWithoutAModel()
{
    run({"plan", "-m", m_folder.path()});
    QCOMPARE(m_code, 2);
    QVERIFY(m_error.contains("config.json"));
    QCOMPARE(m_error.count('\n'), 1);
}

QTEST_GUILESS_MAIN(TestCliFormats)
#include "tst_cliformats.moc"
