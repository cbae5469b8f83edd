#include "goldendata.h"

#include <QCryptographicHash>
#include <QDirIterator>
#include <QFileInfo>
#include <QJsonArray>
#include <QTest>

using namespace kvasir::testing;

class TestGoldenData : public QObject {
    Q_OBJECT

private slots:
    void init() { qputenv("KVASIR_GOLDEN", "none"); }
    void cleanup() { qunsetenv("KVASIR_GOLDEN"); }

    void unpacksTheBytesThatTheJsonNames_data();
    void unpacksTheBytesThatTheJsonNames();
    void equalsTheFullSetWhereThatIsPresent();
    void knowsNoFileThatIsNotThere();
};

namespace {

QByteArray sha256(const QByteArray& bytes)
{
    return QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex();
}

} // namespace

void TestGoldenData::unpacksTheBytesThatTheJsonNames_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QByteArray>("hash");
    const auto add = [](const QString& path, const QJsonValue& hash) {
        QTest::newRow(qPrintable(path)) << path << hash.toString().toLatin1();
    };
    init();
    for (const QJsonValue& file : readJson(goldenPath("bad/index.json"))["files"].toArray()) {
        add("bad/" + file["file"].toString(), file["sha256"]);
    }
    const QJsonObject tensors = readJson(goldenPath("quant/golden.json"))["tensors"].toObject();
    for (const QString& tensor : tensors.keys()) {
        const QJsonObject types = tensors[tensor].toObject();
        for (const QString& type : types.keys()) {
            if (types[type].isObject() && types[type].toObject().contains("sha256")) {
                add("quant/" + tensor + '.' + type + ".bin", types[type]["sha256"]);
            }
        }
    }
    for (const QString folder :
        {"tiny-quant", "tiny/llama-gqa", "tiny/llama-tied", "tiny/qwen2", "tiny/qwen3", "tiny/gemma3"}) {
        const QJsonObject files = readJson(goldenPath(folder + "/golden.json"))["files"].toObject();
        QVERIFY2(!files.isEmpty(), qPrintable(folder));
        for (const QString& file : files.keys()) {
            if (!goldenPath(folder + '/' + file).isEmpty()) {
                add(folder + '/' + file, files[file]["sha256"]);
            }
        }
    }
}

void TestGoldenData::unpacksTheBytesThatTheJsonNames()
{
    QFETCH(QString, path);
    QFETCH(QByteArray, hash);
    const QString unpacked = goldenPath(path);
    QVERIFY(QFileInfo(unpacked).isFile());
    QCOMPARE(sha256(readAll(unpacked)), hash);
}

void TestGoldenData::equalsTheFullSetWhereThatIsPresent()
{
    qunsetenv("KVASIR_GOLDEN");
    const QString full = fullGoldenDir();
    qputenv("KVASIR_GOLDEN", "none");
    if (full.isEmpty()) {
        QSKIP("the full golden data is not present");
    }
    int compared = 0;
    QDirIterator files(full, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QString path = files.next();
        const QString small = goldenPath(path.mid(full.size() + 1));
        if (!small.isEmpty() && !path.endsWith("README.md")) {
            QVERIFY2(readAll(path) == readAll(small), qPrintable(path));
            ++compared;
        }
    }
    QVERIFY2(compared > 300, qPrintable(QString::number(compared)));
}

void TestGoldenData::knowsNoFileThatIsNotThere()
{
    QCOMPARE(goldenPath("tiny/llama-gqa/no-such-file"), QString());
    QCOMPARE(goldenPath("bad/no-such-file"), QString());
    QCOMPARE(goldenPath("quant/no-such-file"), QString());
}

QTEST_GUILESS_MAIN(TestGoldenData)
#include "tst_goldendata.moc"
