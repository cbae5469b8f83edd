#include "modelrunner.h"
#include "sanitized.h"
#include "text/tokenizer.h"

#include <QCryptographicHash>

using namespace kvasir;
using testing::ModelRunner;

/// SmolLM2 135M Q4_1 and Gemma 3 270M Q4_K_M against float32 arithmetic on the same dequantized weights.
class RealModelsTest : public QObject {
    Q_OBJECT

private slots:
    void answersPromptsAsExactWeightsDo_data();
    void answersPromptsAsExactWeightsDo();
    void keepsThePerplexityOfExactWeights_data();
    void keepsThePerplexityOfExactWeights();
};

namespace {

struct RealModel {
    const char* folder;
    const char* file;
};
constexpr RealModel kModels[] = {
    {"smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf"}, {"gemma3", "gemma-3-270m-q4_k_m.gguf"}};

/// Logits of the tokens fed in, softmax in double: nats.
double negativeLogLikelihood(const float* logits, size_t count, TokenId token)
{
    const double top = static_cast<double>(*std::max_element(logits, logits + count));
    double sum = 0;
    for (size_t i = 0; i < count; ++i) {
        sum += std::exp(static_cast<double>(logits[i]) - top);
    }
    return top + std::log(sum) - static_cast<double>(logits[token]);
}

} // namespace

void RealModelsTest::answersPromptsAsExactWeightsDo_data()
{
    QTest::addColumn<QString>("folder");
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("prompt");
    QTest::addColumn<QString>("cache");
    for (const RealModel& model : kModels) {
        const QJsonArray prompts =
            testing::readJson(testing::goldenPath(QString("real/%1/golden.json").arg(model.folder)))["prompts"]
                .toArray();
        const auto count = testing::kSanitized ? 1 : prompts.size();
        for (int i = 0; i < count; ++i) {
            for (const char* cache : {"f32", "f16"}) {
                const QString name = prompts[i].toObject()["name"].toString();
                QTest::addRow("%s %s %s", model.folder, qPrintable(name), cache)
                    << model.folder << model.file << i << cache;
            }
        }
    }
}

void RealModelsTest::answersPromptsAsExactWeightsDo()
{
    QFETCH(QString, folder);
    QFETCH(QString, file);
    QFETCH(int, prompt);
    QFETCH(QString, cache);
    const QString path = testing::realModelPath(file);
    if (path.isEmpty()) {
        QSKIP("the model is not in the models folder");
    }
    const QJsonObject golden = testing::readJson(testing::goldenPath(QString("real/%1/golden.json").arg(folder)));
    const QJsonObject given = golden["prompts"].toArray()[prompt].toObject();
    const QJsonObject results = given["results"].toObject();
    const QJsonObject exact = results["exact_weights_f32"].toObject();
    ModelRunner::Settings settings = ModelRunner::exact(2048);
    if (cache == "f16") {
        settings.options.keys = TensorType::F16;
        settings.options.values = TensorType::F16;
    }
    ModelRunner runner = ModelRunner::load(path, settings);
    QVERIFY2(runner, runner.error.c_str());
    BlockTable table(*runner.pool);
    const std::vector<float> logits = runner.feed(table, testing::tokensFrom(given["ids"]));
    QVERIFY2(!logits.empty(), runner.error.c_str());
    const testing::Distance distance = testing::distanceTo(exact, logits);
    const double peer = exact["max_abs_sample_diff_vs_kv_f32"].toDouble();
    qDebug("largest %.3f (peer %.3f), rms %.3f", distance.largest, peer, distance.rms);
    QVERIFY(distance.largest <= 1.5 * peer);

    // Greedy text leaves that of the exact weights where two tokens are closer than rounding to 8 bits: only as far as
    // the margins of the exact weights stand above it do the ids have to agree.
    std::vector<TokenId> wanted = testing::tokensFrom(exact["greedy"]);
    if (testing::kSanitized) {
        wanted.resize(std::min<size_t>(wanted.size(), 4));
    }
    const std::vector<TokenId> got = runner.greedy(table, logits, wanted.size());
    const auto equal = std::mismatch(got.begin(), got.end(), wanted.begin()).first - got.begin();
    qDebug("%d of %d greedy tokens equal", static_cast<int>(equal), static_cast<int>(wanted.size()));
    if (exact["min_margin"].toDouble() > 2 * distance.largest) {
        QCOMPARE(got, wanted);
    }
    QVERIFY(
        equal >= 1 || exact["top_logits"].toArray()[0].toDouble() - exact["top_logits"].toArray()[1].toDouble() < 0.5);
}

void RealModelsTest::keepsThePerplexityOfExactWeights_data()
{
    QTest::addColumn<QString>("folder");
    QTest::addColumn<QString>("file");
    for (const RealModel& model : kModels) {
        QTest::newRow(model.folder) << model.folder << model.file;
    }
}

void RealModelsTest::keepsThePerplexityOfExactWeights()
{
    QFETCH(QString, folder);
    QFETCH(QString, file);
    const QString path = testing::realModelPath(file);
    if (path.isEmpty()) {
        QSKIP("the model is not in the models folder");
    }
    const QJsonObject golden =
        testing::readJson(testing::goldenPath(QString("real/%1/golden.json").arg(folder)))["perplexity"].toObject();
    const auto gguf = GgufFile::open(path.toStdString());
    QVERIFY(gguf);
    const auto tokenizer = makeTokenizer(*gguf);
    QVERIFY2(tokenizer, tokenizer ? "" : tokenizer.error().detail.c_str());
    const QByteArray text = testing::readAll(testing::goldenPath(QString("real/%1/ppl.txt").arg(folder)));
    const std::vector<TokenId> tokens =
        (*tokenizer)->encode({text.data(), static_cast<size_t>(text.size())}, {.addSpecial = true});
    QByteArray joined;
    for (TokenId token : tokens) {
        joined += (joined.isEmpty() ? "" : ",") + QByteArray::number(token);
    }
    QCOMPARE(QCryptographicHash::hash(joined, QCryptographicHash::Sha256).toHex(),
        golden["ids_sha256_of_comma_joined"].toString().toLatin1());

    const QJsonObject exact = golden["results"].toObject()["exact_weights_f32"].toObject();
    size_t scored = tokens.size() - 1;
    double wanted = exact["mean_nll"].toDouble();
    double bound = 0.005;
    if (testing::kSanitized) {
        scored = 256;
        bound = 0.02; // a twelfth of the text's tokens: rounding to 8 bits averages out less
        wanted = exact["cumulative_nll_every_256"].toArray()[0].toDouble() / 256;
    }
    ModelRunner::Settings settings;
    settings.options.context = static_cast<int>(tokens.size());
    settings.options.logitRows = 32;
    ModelRunner runner = ModelRunner::load(path, settings);
    QVERIFY2(runner, runner.error.c_str());
    const auto vocabulary = static_cast<size_t>(runner.model->config().vocabulary);
    BlockTable table(*runner.pool);
    double sum = 0;
    for (size_t first = 0; first < scored; first += 32) {
        const size_t count = std::min<size_t>(32, scored - first);
        const std::vector<TokenId> part(tokens.begin() + static_cast<std::ptrdiff_t>(first),
            tokens.begin() + static_cast<std::ptrdiff_t>(first + count));
        const std::vector<float> logits = runner.feedAll(table, part, 32);
        QVERIFY2(!logits.empty(), runner.error.c_str());
        for (size_t i = 0; i < count; ++i) {
            sum += negativeLogLikelihood(logits.data() + i * vocabulary, vocabulary, tokens[first + i + 1]);
        }
    }
    const double perplexity = std::exp(sum / static_cast<double>(scored));
    const double change = perplexity / std::exp(wanted) - 1;
    qDebug("perplexity %.4f, exact weights %.4f: %+.3f %%", perplexity, std::exp(wanted), 100 * change);
    QVERIFY(std::abs(change) < bound);
}

QTEST_GUILESS_MAIN(RealModelsTest)
#include "tst_realmodels.moc"
