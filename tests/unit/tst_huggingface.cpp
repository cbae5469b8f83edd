#include "modelrunner.h"
#include "session/openmodel.h"
#include "tokenizergolden.h"

#include <QDir>

using namespace kvasir;
using namespace kvasir::testing;

/// Hugging Face folders: the golden models' logits and token ids, as from their GGUF files.
class HuggingFaceTest : public QObject {
    Q_OBJECT

private slots:
    void givesTheLogitsOfTheReference_data();
    void givesTheLogitsOfTheReference();
    void givesTheIdsOfTheReference_data();
    void givesTheIdsOfTheReference();
};

namespace {

constexpr double kTolerance = 1e-3; // golden/README: float weights in float32

/// One row for each folder of the golden data.
void addFolders()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("folder");
    if (fullGoldenDir().isEmpty()) {
        QSKIP("the small golden data has no weights of folders: tst_hffolder makes some");
    }
    const QDir models(fullGoldenDir() + "/tiny");
    for (const QString& model : models.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        for (const QString& folder : QDir(models.filePath(model)).entryList({"hf*"}, QDir::Dirs)) {
            QTest::newRow(qPrintable(model + " " + folder)) << model << models.filePath(model + "/" + folder);
        }
    }
}

/// The context for which the record was made: LongRoPE turns by it.
int contextOf(const QJsonObject& sequence)
{
    const QJsonObject files = sequence["llama_cpp"].toObject();
    return files.begin()->toObject()["n_ctx"].toInt(512);
}

/// Experts in four bits are computed with activations rounded to eight, as llama.cpp does: its own distance is the
/// measure.
double toleranceOf(const QString& folder, const QJsonObject& sequence)
{
    if (!folder.endsWith("hf-mxfp4")) {
        return kTolerance;
    }
    const QJsonObject file = sequence["llama_cpp"].toObject()["model-mxfp4.gguf"].toObject();
    return 1.5 * file["exact_weights"].toObject()["max_abs_diff_vs_llama_cpp_quantized"].toDouble();
}

} // namespace

void HuggingFaceTest::givesTheLogitsOfTheReference_data()
{
    addFolders();
}

void HuggingFaceTest::givesTheLogitsOfTheReference()
{
    QFETCH(QString, model);
    QFETCH(QString, folder);
    const auto file = openModel(folder.toStdString());
    QVERIFY2(file, file ? "" : file.error().detail.c_str());
    const QJsonObject golden = readJson(goldenPath(QString("tiny/%1/golden.json").arg(model)));
    for (const QJsonValue& value : golden["sequences"].toArray()) {
        const QJsonObject sequence = value.toObject();
        const QJsonObject record = sequence["hf_f32"].toObject();
        const double tolerance = toleranceOf(folder, sequence);
        ModelRunner runner = ModelRunner::load(*file, ModelRunner::exact(contextOf(sequence)));
        QVERIFY2(runner, runner.error.c_str());
        BlockTable table(*runner.pool);
        const std::vector<float> logits = runner.feed(table, tokensFrom(sequence["ids"]));
        QVERIFY2(!logits.empty(), runner.error.c_str());
        const Distance distance = distanceTo(record, logits);
        qDebug("%s: largest difference %.2e, tolerance %.2e", qPrintable(sequence["name"].toString()), distance.largest,
            tolerance);
        QVERIFY(distance.largest <= tolerance);
        QVERIFY(distance.aboveTop <= 2 * tolerance);
        const std::vector<TokenId> wanted = tokensFrom(record["greedy"]);
        const size_t safe = safeSteps(record, tolerance);
        QVERIFY(tolerance > kTolerance || safe == wanted.size());
        if (safe > 0) {
            QCOMPARE(runner.greedy(table, logits, safe),
                std::vector<TokenId>(wanted.begin(), wanted.begin() + static_cast<std::ptrdiff_t>(safe)));
        }
    }
}

void HuggingFaceTest::givesTheIdsOfTheReference_data()
{
    addFolders();
}

void HuggingFaceTest::givesTheIdsOfTheReference()
{
    QFETCH(QString, model);
    QFETCH(QString, folder);
    const auto file = openModel(folder.toStdString());
    QVERIFY2(file, file ? "" : file.error().detail.c_str());
    const auto tokenizer = makeTokenizer(*file);
    QVERIFY2(tokenizer, tokenizer ? "" : tokenizer.error().detail.c_str());
    checkTinyTokenizer(**tokenizer, goldenPath(QString("tiny/%1/tokenizer_golden.json").arg(model)));
}

QTEST_GUILESS_MAIN(HuggingFaceTest)
#include "tst_huggingface.moc"
