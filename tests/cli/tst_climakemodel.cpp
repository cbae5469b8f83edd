#include "files/gguf.h"
#include "outcome.h"
#include "quant/decode.h"
#include "randomweights.h"

#include <QCryptographicHash>
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <vector>

using namespace kvasir;
using namespace kvasir::testing;

Q_DECLARE_METATYPE(kvasir::TensorType)

class TestCliMakeModel : public QObject {
    Q_OBJECT

private slots:
    void randomWeightsHaveTheDeviationAskedFor_data();
    void randomWeightsHaveTheDeviationAskedFor();
    void madeModelsAreReadByEveryCommand();
    void aShapeIsTheSameFileEveryTime();
    void refusesWhatCannotBeMade_data();
    void refusesWhatCannotBeMade();
    void leavesNothingWhereItCannotWrite();

private:
    Outcome run(const QStringList& arguments) { return runProgram(KVASIR_CLI, arguments); }
    QString file(const QString& name) const { return m_folder.filePath(name); }

    QTemporaryDir m_folder;
};

void TestCliMakeModel::randomWeightsHaveTheDeviationAskedFor_data()
{
    QTest::addColumn<TensorType>("type");
    for (TensorType type :
        {TensorType::F32, TensorType::F16, TensorType::BF16, TensorType::Q4_0, TensorType::Q4_1, TensorType::Q5_0,
            TensorType::Q5_1, TensorType::Q8_0, TensorType::Q4_K, TensorType::Q5_K, TensorType::Q6_K}) {
        QTest::newRow(tensorTypeName(type).data()) << type;
    }
}

void TestCliMakeModel::randomWeightsHaveTheDeviationAskedFor()
{
    QFETCH(TensorType, type);
    constexpr size_t kValues = 256 * 1000;
    constexpr float kDeviation = 0.04f;
    std::vector<std::byte> stored(rowBytes(type, kValues));
    cli::RandomWeights(7).fill(type, kDeviation, stored);
    std::vector<float> values(kValues);
    dequantizeRow(type, stored.data(), values.data(), kValues);
    double sum = 0;
    double squares = 0;
    for (float value : values) {
        sum += value;
        squares += double{value} * value;
    }
    // Scale and minimum of a K-quant's group are drawn apart, which widens it by up to a half.
    const bool groups = type == TensorType::Q4_K || type == TensorType::Q5_K;
    QVERIFY2(std::abs(sum / kValues) < 0.02 * kDeviation, qPrintable(QString::number(sum / kValues)));
    const double deviation = std::sqrt(squares / kValues);
    QVERIFY2(deviation > 0.95 * kDeviation && deviation < (groups ? 1.6 : 1.05) * kDeviation,
        qPrintable(QString::number(deviation)));
}

void TestCliMakeModel::madeModelsAreReadByEveryCommand()
{
    const QString path = file("made.gguf");
    const Outcome made = run({"make-model", "--shape", "smollm2-135m", "--type", "q4_0", "-o", path});
    QVERIFY2(made.code == 0, made.error.constData());
    QVERIFY(made.out.contains("smollm2-135m"));

    const QJsonObject engine = run({"inspect", path, "--json"}).json()["engine"].toObject();
    QCOMPARE(engine["supported"].toBool(), true);
    QCOMPARE(engine["layers"].toInt(), 30);
    QCOMPARE(engine["vocabulary"].toInt(), 49152);
    const Outcome generated =
        run({"generate", "-m", path, "-p", "Any text", "-n", "3", "--temp", "0", "--ignore-eos", "-c", "64", "--json"});
    QVERIFY2(generated.code == 0, generated.error.constData());
    QCOMPARE(generated.json()["tokens"].toArray().size(), 3);

    // The plan of the shape is what the file of that shape takes.
    const QStringList options{"-c", "64", "-t", "1", "--json"};
    const QJsonObject planned = run(QStringList{"plan", "--shape", "smollm2-135m", "--type", "q4_0"} + options).json();
    const QJsonObject ofFile = run(QStringList{"plan", "-m", path} + options).json();
    QVERIFY(planned["total"].toDouble() > 0);
    QCOMPARE(planned["total"].toDouble(), ofFile["total"].toDouble());
}

void TestCliMakeModel::aShapeIsTheSameFileEveryTime()
{
    QByteArray hashes[2];
    for (QByteArray& hash : hashes) {
        QCOMPARE(run({"make-model", "--shape", "smollm2-135m", "--type", "q8_0", "-o", file("again.gguf")}).code, 0);
        QFile made(file("again.gguf"));
        QVERIFY(made.open(QIODevice::ReadOnly));
        QCryptographicHash of(QCryptographicHash::Sha256);
        QVERIFY(of.addData(&made));
        hash = of.result();
    }
    QCOMPARE(hashes[0], hashes[1]);
    QVERIFY(!QFile::exists(file("again.gguf.part")));
}

void TestCliMakeModel::refusesWhatCannotBeMade_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("reason");
    const QString out = file("never.gguf");
    QTest::newRow("no shape") << QStringList{"--type", "q4_0", "-o", out} << QByteArray("--shape is missing");
    QTest::newRow("no type") << QStringList{"--shape", "llama-2-7b", "-o", out} << QByteArray("--type is missing");
    QTest::newRow("no file") << QStringList{"--shape", "llama-2-7b", "--type", "q4_0"}
                             << QByteArray("--output is missing");
    QTest::newRow("unknown shape") << QStringList{"--shape", "gpt-9", "--type", "q4_0", "-o", out}
                                   << QByteArray("llama-2-7b");
    QTest::newRow("unknown type") << QStringList{"--shape", "llama-2-7b", "--type", "q1", "-o", out}
                                  << QByteArray("q4_0");
    QTest::newRow("broken blocks") << QStringList{"--shape", "smollm2-135m", "--type", "q4_k", "-o", out}
                                   << QByteArray("rows of 576 are no multiple of its block");
}

void TestCliMakeModel::refusesWhatCannotBeMade()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, reason);
    const Outcome outcome = run(QStringList{"make-model"} + arguments);
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.error.contains(reason), outcome.error.constData());
    QCOMPARE(outcome.error.count('\n'), 1);
    QVERIFY(!QFile::exists(file("never.gguf")));
}

void TestCliMakeModel::leavesNothingWhereItCannotWrite()
{
    const QStringList options{"make-model", "--shape", "smollm2-135m", "--type", "q4_0", "-o"};
    const Outcome nowhere = run(options + QStringList{file("no/such/folder/x.gguf")});
    QCOMPARE(nowhere.code, 1);
    QVERIFY2(nowhere.error.contains("cannot write"), nowhere.error.constData());

    // A file of that name that somebody else is writing stays as it is.
    QFile part(file("taken.gguf.part"));
    QVERIFY(part.open(QIODevice::WriteOnly));
    part.write("mine");
    part.close();
    const Outcome taken = run(options + QStringList{file("taken.gguf")});
    QCOMPARE(taken.code, 1);
    QVERIFY2(taken.error.contains("taken.gguf.part is there already"), taken.error.constData());
    QVERIFY(!QFile::exists(file("taken.gguf")));
    QCOMPARE(part.size(), 4);
}

QTEST_GUILESS_MAIN(TestCliMakeModel)
#include "tst_climakemodel.moc"
