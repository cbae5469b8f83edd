#include "modelrunner.h"

using namespace kvasir;
using testing::ModelRunner;

/// The small models of the golden data against transformers in float32 and llama.cpp on exact weights.
class LogitsTest : public QObject {
    Q_OBJECT

private slots:
    void matchesTheReference_data();
    void matchesTheReference();
    void staysCloseWithAHalfPrecisionCache_data();
    void staysCloseWithAHalfPrecisionCache();
    void refusesWeightsThatAreNotFinite();
};

namespace {

constexpr double kFloatTolerance = 1e-3; // golden/README: F32 and F16 files with float activations

const char* const kModels[] = {"llama-gqa", "llama3-rope", "llama-tied", "llama-linear", "llama-yarn", "mistral-swa",
    "mistral-headdim", "qwen2", "qwen3", "gemma3", "gemma2", "phi3", "smollm3", "olmo2", "granite", "command-r",
    "exaone4", "qwen3-moe", "mixtral", "gpt-oss", "gpt-oss-mxfp4", "phi3-longrope"};

/// The context for which the record was made: LongRoPE turns by it.
int contextOf(const QJsonObject& sequence, const QString& file)
{
    return sequence["llama_cpp"].toObject()[file].toObject()["n_ctx"].toInt(512);
}

/// The record that `file` must give, and how far from it rounding to 8 bits may lead.
struct Expected {
    QJsonObject record;
    double tolerance = kFloatTolerance;
};

Expected expectedOf(const QJsonObject& sequence, const QString& file)
{
    const QJsonObject ofFile = sequence["llama_cpp"].toObject()[file].toObject();
    if (ofFile.contains("exact_weights")) {
        const QJsonObject exact = ofFile["exact_weights"].toObject();
        // Activations are rounded to 8 bits here as in llama.cpp, whose own distance is the measure.
        return {exact, 1.5 * exact["max_abs_diff_vs_llama_cpp_quantized"].toDouble()};
    }
    if (ofFile.contains("hf_f32_window_off")) {
        return {ofFile["hf_f32_window_off"].toObject()};
    }
    return {sequence["hf_f32"].toObject()};
}

void addRows(bool quantized)
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("sequence");
    for (const char* model : kModels) {
        const QString path = testing::goldenPath(QString("tiny/%1/golden.json").arg(model));
        if (path.isEmpty()) {
            continue; // the small golden data holds some of the models
        }
        const QJsonObject golden = testing::readJson(path);
        const QJsonArray sequences = golden["sequences"].toArray();
        const QJsonObject files = golden["files"].toObject();
        for (auto file = files.begin(); file != files.end(); ++file) {
            if (!file.key().endsWith(".gguf")
                || (!quantized && (file.key().contains("q8_0") || file.key().contains("mxfp4")))
                || testing::goldenPath(QString("tiny/%1/%2").arg(model, file.key())).isEmpty()) {
                continue;
            }
            for (int i = 0; i < sequences.size(); ++i) {
                const QString name =
                    QString("%1 %2 %3").arg(model, file.key(), sequences[i].toObject()["name"].toString());
                QTest::newRow(qPrintable(name)) << model << file.key() << i;
            }
        }
    }
}

} // namespace

void LogitsTest::matchesTheReference_data()
{
    addRows(true);
}

void LogitsTest::matchesTheReference()
{
    QFETCH(QString, model);
    QFETCH(QString, file);
    QFETCH(int, sequence);
    const QJsonObject golden = testing::readJson(testing::goldenPath(QString("tiny/%1/golden.json").arg(model)));
    const QJsonObject given = golden["sequences"].toArray()[sequence].toObject();
    const Expected expected = expectedOf(given, file);
    ModelRunner runner = ModelRunner::load(
        testing::goldenPath(QString("tiny/%1/%2").arg(model, file)), ModelRunner::exact(contextOf(given, file)));
    QVERIFY2(runner, runner.error.c_str());
    BlockTable table(*runner.pool);
    const std::vector<float> logits = runner.feed(table, testing::tokensFrom(given["ids"]));
    QVERIFY2(!logits.empty(), runner.error.c_str());
    const testing::Distance distance = testing::distanceTo(expected.record, logits);
    qDebug("largest difference %.2e, rms %.2e, tolerance %.2e", distance.largest, distance.rms, expected.tolerance);
    QVERIFY(distance.largest <= expected.tolerance);
    QVERIFY(distance.aboveTop <= 2 * expected.tolerance);

    const std::vector<TokenId> wanted = testing::tokensFrom(expected.record["greedy"]);
    const size_t safe = testing::safeSteps(expected.record, expected.tolerance);
    if (expected.tolerance == kFloatTolerance) {
        QVERIFY(safe == wanted.size());
    }
    if (safe > 0) {
        const std::vector<TokenId> given32 = runner.greedy(table, logits, safe);
        QCOMPARE(given32, std::vector<TokenId>(wanted.begin(), wanted.begin() + static_cast<std::ptrdiff_t>(safe)));
    }
}

void LogitsTest::staysCloseWithAHalfPrecisionCache_data()
{
    addRows(false);
}

void LogitsTest::staysCloseWithAHalfPrecisionCache()
{
    QFETCH(QString, model);
    QFETCH(QString, file);
    QFETCH(int, sequence);
    const QJsonObject golden = testing::readJson(testing::goldenPath(QString("tiny/%1/golden.json").arg(model)));
    const QJsonObject given = golden["sequences"].toArray()[sequence].toObject();
    ModelRunner::Settings settings = ModelRunner::exact(contextOf(given, file));
    settings.options.keys = TensorType::F16;
    settings.options.values = TensorType::F16;
    ModelRunner runner = ModelRunner::load(testing::goldenPath(QString("tiny/%1/%2").arg(model, file)), settings);
    QVERIFY2(runner, runner.error.c_str());
    BlockTable table(*runner.pool);
    const std::vector<float> logits = runner.feed(table, testing::tokensFrom(given["ids"]));
    QVERIFY2(!logits.empty(), runner.error.c_str());
    const testing::Distance distance = testing::distanceTo(expectedOf(given, file).record, logits);
    // Eleven bits of mantissa, logits with a deviation of 3, a few layers.
    QVERIFY2(distance.largest <= 0.05, qPrintable(QString::number(distance.largest)));
}

void LogitsTest::refusesWeightsThatAreNotFinite()
{
    const ModelRunner runner = ModelRunner::load(testing::goldenPath("bad/nan_weights.gguf"), ModelRunner::exact());
    QVERIFY(!runner);
    QVERIFY2(QString::fromStdString(runner.error).contains("not a finite number"), runner.error.c_str());
}

QTEST_GUILESS_MAIN(LogitsTest)
#include "tst_logits.moc"
