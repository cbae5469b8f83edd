#include "modelrunner.h"

#include <cstring>
#include <random>

using namespace kvasir;
using testing::ModelRunner;

/// A token's logits depend only on the tokens before it: every way of feeding the same tokens gives the same bits.
class SameBitsTest : public QObject {
    Q_OBJECT

private slots:
    void whateverTheChunks_data() { addModels(); }
    void whateverTheChunks();
    void whateverTheThreads_data() { addModels(); }
    void whateverTheThreads();
    void whateverTheInstructionSet_data() { addModels(); }
    void whateverTheInstructionSet();
    void whateverElseIsInTheStep_data() { addModels(); }
    void whateverElseIsInTheStep();
    void afterForkingAndForgetting_data() { addModels(); }
    void afterForkingAndForgetting();
    void onARealModel();

private:
    static void addModels();
};

namespace {

constexpr int kTokens = 300; // beyond an attention chunk of 256 positions and every window

std::vector<TokenId> someTokens(int count, int vocabulary, unsigned seed)
{
    std::mt19937 generator(seed);
    std::vector<TokenId> tokens;
    for (int i = 0; i < count; ++i) {
        tokens.push_back(static_cast<TokenId>(generator() % static_cast<unsigned>(vocabulary)));
    }
    return tokens;
}

bool sameBits(const std::vector<float>& a, const std::vector<float>& b)
{
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

ModelRunner::Settings settingsFor(int threads)
{
    ModelRunner::Settings settings;
    settings.threads = threads;
    settings.options.stepTokens = kTokens;
    settings.options.logitRows = kTokens;
    settings.options.context = 512;
    return settings;
}

/// The logits of all positions, fed one token at a time by one thread.
std::vector<float> reference(const QString& path, const std::vector<TokenId>& tokens)
{
    ModelRunner runner = ModelRunner::load(path, settingsFor(1));
    if (!runner) {
        return {};
    }
    BlockTable table(*runner.pool);
    return runner.feedAll(table, tokens, 1);
}

} // namespace

void SameBitsTest::addModels()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<int>("vocabulary");
    const std::pair<const char*, int> models[] = {{"tiny/llama-gqa/model-f32.gguf", 512},
        {"tiny/llama-tied/model-f16.gguf", 512}, {"tiny/llama-tied/model-q8_0.gguf", 512},
        {"tiny/mistral-swa/model-f32-window-key.gguf", 500}, {"tiny/qwen2/model-f32.gguf", 480},
        {"tiny/qwen3/model-q8_0.gguf", 480}, {"tiny/gemma3/model-f32.gguf", 528}, {"tiny/gemma3/model-q8_0.gguf", 528},
        {"tiny/gemma2/model-f32.gguf", 528}, {"tiny/phi3/model-f32.gguf", 484}, {"tiny/olmo2/model-f32.gguf", 448},
        {"tiny/command-r/model-f32.gguf", 464}, {"tiny/mixtral/model-f32.gguf", 500},
        {"tiny/gpt-oss-mxfp4/model-mxfp4.gguf", 512}, {"tiny-quant/model-bf16.gguf", 512},
        {"tiny-quant/model-q2_k.gguf", 512}, {"tiny-quant/model-iq4_xs.gguf", 512}, {"tiny-quant/model-q4_0.gguf", 512},
        {"tiny-quant/model-q4_1.gguf", 512}, {"tiny-quant/model-q5_1.gguf", 512}, {"tiny-quant/model-q4_k_m.gguf", 512},
        {"tiny-quant/model-q5_k_m.gguf", 512}};
    for (const auto& [model, vocabulary] : models) {
        const QString path = testing::goldenPath(model);
        if (!path.isEmpty()) {
            QTest::newRow(model) << path << vocabulary;
        }
    }
}

void SameBitsTest::whateverTheChunks()
{
    QFETCH(QString, path);
    QFETCH(int, vocabulary);
    const std::vector<TokenId> tokens = someTokens(kTokens, vocabulary, 1);
    const std::vector<float> expected = reference(path, tokens);
    QCOMPARE(expected.size(), tokens.size() * static_cast<size_t>(vocabulary));
    ModelRunner runner = ModelRunner::load(path, settingsFor(1));
    QVERIFY2(runner, runner.error.c_str());
    for (int chunk : {1, 2, 3, 4, 5, 7, 16, 64, kTokens}) {
        BlockTable table(*runner.pool);
        QVERIFY2(sameBits(runner.feedAll(table, tokens, chunk), expected), qPrintable(QString::number(chunk)));
    }
}

void SameBitsTest::whateverTheThreads()
{
    QFETCH(QString, path);
    QFETCH(int, vocabulary);
    const std::vector<TokenId> tokens = someTokens(kTokens, vocabulary, 2);
    const std::vector<float> expected = reference(path, tokens);
    for (int threads : {2, 3, 4}) {
        ModelRunner runner = ModelRunner::load(path, settingsFor(threads));
        QVERIFY2(runner, runner.error.c_str());
        for (int chunk : {1, 7, kTokens}) {
            BlockTable table(*runner.pool);
            const std::vector<TokenId> fed(tokens.begin(),
                tokens.begin()
                    + (chunk == 1        ? 8
                            : chunk == 7 ? 35
                                         : kTokens));
            const std::vector<float> part(
                expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(fed.size()) * vocabulary);
            QVERIFY2(sameBits(runner.feedAll(table, fed, chunk), part),
                qPrintable(QString("%1 threads, chunks of %2").arg(threads).arg(chunk)));
        }
    }
}

void SameBitsTest::whateverTheInstructionSet()
{
    QFETCH(QString, path);
    QFETCH(int, vocabulary);
    const std::vector<TokenId> tokens = someTokens(kTokens, vocabulary, 3);
    std::vector<float> expected;
    for (cpu::InstructionSet set : cpu::availableInstructionSets()) {
        ModelRunner::Settings settings = settingsFor(1);
        settings.options.instructionSet = set;
        ModelRunner runner = ModelRunner::load(path, settings);
        QVERIFY2(runner, runner.error.c_str());
        // One way is enough for the slow one: whateverTheChunks() has shown the others equal.
        const bool scalar = set == cpu::InstructionSet::Scalar;
        for (int chunk : scalar ? std::vector{kTokens} : std::vector{1, kTokens}) {
            BlockTable table(*runner.pool);
            const std::vector<float> logits = runner.feedAll(table, tokens, chunk);
            QVERIFY2(!logits.empty(), runner.error.c_str());
            if (expected.empty()) {
                expected = logits;
            }
            QVERIFY2(sameBits(logits, expected), cpu::instructionSetName(set).data());
        }
    }
}

void SameBitsTest::whateverElseIsInTheStep()
{
    QFETCH(QString, path);
    QFETCH(int, vocabulary);
    const std::vector<TokenId> tokens[] = {
        someTokens(40, vocabulary, 4), someTokens(90, vocabulary, 5), someTokens(150, vocabulary, 6)};
    ModelRunner runner = ModelRunner::load(path, settingsFor(2));
    QVERIFY2(runner, runner.error.c_str());
    std::vector<float> expected[3];
    for (size_t i = 0; i < 3; ++i) {
        expected[i] = reference(path, tokens[i]);
    }
    // Decode of one beside prefill chunks of the others, of sizes that change from step to step.
    std::mt19937 generator(7);
    std::vector<BlockTable> tables;
    for (int i = 0; i < 3; ++i) {
        tables.emplace_back(*runner.pool);
    }
    for (;;) {
        std::vector<SequenceRows> step;
        std::vector<size_t> who;
        int lastRow[3];
        for (size_t i = 0; i < 3; ++i) {
            const auto done = static_cast<size_t>(tables[i].length());
            const size_t left = tokens[i].size() - done;
            const size_t count = std::min(left, i == 0 ? size_t{1} : generator() % 40);
            if (count > 0) {
                lastRow[i] = static_cast<int>(count) - 1;
                step.push_back({&tables[i], std::span(tokens[i]).subspan(done, count), std::span(&lastRow[i], 1)});
                who.push_back(i);
            }
        }
        if (step.empty()) {
            break;
        }
        StepRecord record;
        const auto logits = runner.model->forward(step, record);
        QVERIFY2(logits, logits ? "" : logits.error().detail.c_str());
        for (size_t k = 0; k < who.size(); ++k) {
            const auto at = static_cast<size_t>(tables[who[k]].length() - 1) * static_cast<size_t>(vocabulary);
            const float* got = logits->data() + k * static_cast<size_t>(vocabulary);
            QVERIFY(
                std::memcmp(got, expected[who[k]].data() + at, static_cast<size_t>(vocabulary) * sizeof(float)) == 0);
        }
    }
}

void SameBitsTest::afterForkingAndForgetting()
{
    QFETCH(QString, path);
    QFETCH(int, vocabulary);
    const std::vector<TokenId> tokens = someTokens(70, vocabulary, 8);
    const std::vector<TokenId> other = someTokens(30, vocabulary, 9);
    ModelRunner runner = ModelRunner::load(path, settingsFor(2));
    QVERIFY2(runner, runner.error.c_str());
    BlockTable straight(*runner.pool);
    const std::vector<float> expected = runner.feed(straight, tokens);
    QVERIFY2(!expected.empty(), runner.error.c_str());

    // A fork goes another way, in a block that both share; the first is not disturbed.
    BlockTable table(*runner.pool);
    runner.feed(table, {tokens.begin(), tokens.begin() + 40});
    BlockTable branch = table.fork();
    QVERIFY(!runner.feed(branch, other).empty());
    QVERIFY(sameBits(runner.feed(table, {tokens.begin() + 40, tokens.end()}), expected));
    // Positions that were forgotten leave no trace.
    branch.truncate(40);
    QVERIFY(sameBits(runner.feed(branch, {tokens.begin() + 40, tokens.end()}), expected));
    branch.truncate(33);
    QVERIFY(sameBits(runner.feed(branch, {tokens.begin() + 33, tokens.end()}, 5), expected));
}

void SameBitsTest::onARealModel()
{
    const QString path = testing::realModelPath("SmolLM2-135M-Instruct.Q4_1.gguf");
    if (path.isEmpty()) {
        QSKIP("SmolLM2 is not in the models folder");
    }
    const std::vector<TokenId> tokens = someTokens(100, 49152, 10);
    std::vector<float> expected;
    for (int threads : {1, 2, 4}) {
        ModelRunner::Settings settings = settingsFor(threads);
        settings.options.logitRows = 1;
        ModelRunner runner = ModelRunner::load(path, settings);
        QVERIFY2(runner, runner.error.c_str());
        for (int chunk : {100, 1, 7, 64}) {
            if (threads == 4 && chunk == 1) {
                continue; // slow where there are fewer cores, and the small models do it
            }
            BlockTable table(*runner.pool);
            const std::vector<float> logits = runner.feed(table, tokens, chunk);
            QVERIFY2(!logits.empty(), runner.error.c_str());
            if (expected.empty()) {
                expected = logits;
            }
            QVERIFY2(
                sameBits(logits, expected), qPrintable(QString("%1 threads, chunks of %2").arg(threads).arg(chunk)));
        }
    }
}

QTEST_GUILESS_MAIN(SameBitsTest)
#include "tst_samebits.moc"
