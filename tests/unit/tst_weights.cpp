#include "model/weights.h"
#include "modelrunner.h"

#include <atomic>
#include <cstdlib>
#include <new>

using namespace kvasir;
using testing::ModelRunner;

namespace {

std::atomic<bool> s_counting{false};
std::atomic<int> s_allocations{0};

} // namespace

void* operator new(std::size_t size)
{
    if (s_counting.load(std::memory_order_relaxed)) {
        ++s_allocations;
    }
    if (void* memory = std::malloc(size > 0 ? size : 1)) {
        return memory;
    }
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept
{
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept
{
    std::free(memory);
}

/// Loading a model and the memory it takes.
class WeightsTest : public QObject {
    Q_OBJECT

private slots:
    void plansWhatLoadingTakes_data();
    void plansWhatLoadingTakes();
    void allocatesNothingInAStep_data();
    void allocatesNothingInAStep();
    void keepsTheEmbedding_data();
    void keepsTheEmbedding();
    void tellsItsProgressAndCanBeCancelled();
    void givesAllMemoryBack();
    void refusesToTakeMoreMemoryThanThereIs();
    void refusesStepsItWasNotLoadedFor();
    void tellsWhatAStepReadsAndComputes();
};

namespace {

const char* const kTinyModels[] = {"tiny/llama-gqa/model-f32.gguf", "tiny/llama-tied/model-f16.gguf",
    "tiny/llama-tied/model-q8_0.gguf", "tiny/llama-linear/model-f32.gguf", "tiny/mistral-headdim/model-f32.gguf",
    "tiny/qwen2/model-f16.gguf", "tiny/qwen3/model-q8_0.gguf", "tiny/gemma3/model-q8_0.gguf",
    "tiny/mixtral/model-f32.gguf", "tiny/gpt-oss-mxfp4/model-mxfp4.gguf", "tiny-quant/model-q4_k_m.gguf"};

void addTinyModels()
{
    QTest::addColumn<QString>("path");
    for (const char* model : kTinyModels) {
        const QString path = testing::goldenPath(model);
        if (!path.isEmpty()) {
            QTest::newRow(model) << path;
        }
    }
}

std::unique_ptr<ThreadPool> makeThreads(int count)
{
    auto threads = ThreadPool::create({.threads = count});
    return threads ? *std::move(threads) : nullptr;
}

} // namespace

void WeightsTest::plansWhatLoadingTakes_data()
{
    addTinyModels();
    for (const char* real : {"SmolLM2-135M-Instruct.Q4_1.gguf", "gemma-3-270m-q4_k_m.gguf"}) {
        const QString path = testing::realModelPath(real);
        if (!path.isEmpty()) {
            QTest::newRow(real) << path;
        }
    }
}

void WeightsTest::plansWhatLoadingTakes()
{
    QFETCH(QString, path);
    const auto file = GgufFile::open(path.toStdString());
    QVERIFY(file);
    const auto threads = makeThreads(2);
    for (int context : {64, 5000}) {
        ModelOptions options;
        options.context = context;
        MemoryLedger dry(true);
        MemoryLedger wet;
        const auto planned = Model::plan(*file, options, dry, threads->threads());
        QVERIFY2(planned, planned ? "" : planned.error().detail.c_str());
        const auto loaded = Model::load(*file, options, wet, *threads);
        QVERIFY2(loaded, loaded ? "" : loaded.error().detail.c_str());
        QVERIFY(wet.use()[MemoryTag::Weights] > 0);
        QCOMPARE(dry.use().bytes, wet.use().bytes);
        QCOMPARE(dry.peak(), wet.peak());
        QCOMPARE((*planned)->weightBytes(), (*loaded)->weightBytes());
        QCOMPARE((*planned)->weightBytesPerToken(), (*loaded)->weightBytesPerToken());
        // Packed weights are hardly larger than the file's, but those of MXFP4, which are looked up.
        const uint64_t most = path.contains("mxfp4") ? file->fileSize() * 9 / 4 : file->fileSize() * 5 / 4;
        QVERIFY(wet.use()[MemoryTag::Weights] < most);

        StepRecord record;
        const TokenId token = 1;
        BlockPool pool((*planned)->kvShape(), 4, dry);
        BlockTable table(pool);
        const SequenceRows rows{&table, std::span(&token, 1), {}};
        QVERIFY(!(*planned)->forward(std::span(&rows, 1), record));
    }
}

void WeightsTest::allocatesNothingInAStep_data()
{
    addTinyModels();
}

void WeightsTest::allocatesNothingInAStep()
{
    QFETCH(QString, path);
    ModelRunner::Settings settings;
    settings.options.context = 512;
    ModelRunner runner = ModelRunner::load(path, settings);
    QVERIFY2(runner, runner.error.c_str());
    BlockTable table(*runner.pool);
    BlockTable other(*runner.pool);
    QVERIFY(table.reserve(512));
    QVERIFY(other.reserve(512));
    std::vector<TokenId> tokens(100, 3);
    QVERIFY(!runner.feed(table, tokens, 100).empty());
    QVERIFY(!runner.feed(other, tokens, 100).empty());

    const int last = 99;
    StepRecord record;
    const SequenceRows prefill{&table, tokens, std::span(&last, 1)};
    const int only = 0;
    const SequenceRows decode[] = {{&table, std::span(tokens).first(1), std::span(&only, 1)},
        {&other, std::span(tokens).first(1), std::span(&only, 1)}};
    s_allocations = 0;
    s_counting = true;
    bool done = runner.model->forward(std::span(&prefill, 1), record).has_value();
    for (int i = 0; i < 20; ++i) {
        done = done && runner.model->forward(decode, record).has_value();
        done = done && runner.model->forward(std::span(decode, 1), record).has_value();
    }
    s_counting = false;
    QVERIFY(done);
    QCOMPARE(s_allocations.load(), 0);
}

void WeightsTest::keepsTheEmbedding_data()
{
    addTinyModels();
}

void WeightsTest::keepsTheEmbedding()
{
    QFETCH(QString, path);
    const auto file = GgufFile::open(path.toStdString());
    QVERIFY(file);
    const auto config = readModelConfig(*file);
    QVERIFY(config);
    MemoryLedger ledger;
    const auto threads = makeThreads(2);
    const auto weights = Weights::load(*file, *config, ledger, threads.get(), {});
    QVERIFY2(weights, weights ? "" : weights.error().detail.c_str());
    const StoredTensor* tensor = file->tensor("token_embd.weight");
    const auto width = static_cast<size_t>(config->width);
    std::vector<float> expected(width);
    std::vector<float> got(width);
    for (int token = 0; token < config->vocabulary; ++token) {
        dequantizeRow(tensor->type, tensor->data + rowBytes(tensor->type, width) * static_cast<size_t>(token),
            expected.data(), width);
        weights->embed(token, got.data());
        QVERIFY2(got == expected, qPrintable(QString::number(token)));
    }
}

void WeightsTest::tellsItsProgressAndCanBeCancelled()
{
    const auto file = GgufFile::open(testing::goldenPath("tiny-quant/model-q4_k_m.gguf").toStdString());
    QVERIFY(file);
    const auto threads = makeThreads(1);
    MemoryLedger ledger;
    std::vector<double> told;
    const auto loaded = Model::load(*file, {}, ledger, *threads, [&](double fraction) {
        told.push_back(fraction);
        return true;
    });
    QVERIFY(loaded);
    QVERIFY(told.size() > 5);
    QVERIFY(std::is_sorted(told.begin(), told.end()));
    QVERIFY(told.front() >= 0 && told.back() == 1);

    MemoryLedger other;
    int calls = 0;
    const auto cancelled = Model::load(*file, {}, other, *threads, [&](double) { return ++calls < 3; });
    QVERIFY(!cancelled);
    QCOMPARE(cancelled.error().code, ErrorCode::Cancelled);
    QCOMPARE(calls, 3);
    QCOMPARE(other.use().total(), size_t{0});
}

void WeightsTest::givesAllMemoryBack()
{
    MemoryLedger ledger;
    {
        const auto file = GgufFile::open(testing::goldenPath("tiny/gemma3/model-f32.gguf").toStdString());
        QVERIFY(file);
        const auto threads = makeThreads(2);
        const auto loaded = Model::load(*file, {}, ledger, *threads);
        QVERIFY(loaded);
        QVERIFY(ledger.use().total() > 0);
    }
    QCOMPARE(ledger.use().total(), size_t{0});
}

void WeightsTest::refusesToTakeMoreMemoryThanThereIs()
{
    const auto file = GgufFile::open(testing::goldenPath("tiny/llama-gqa/model-f32.gguf").toStdString());
    QVERIFY(file);
    const auto threads = makeThreads(1);
    MemoryLedger ledger;
    ModelOptions options;
    options.logitRows = 2'000'000'000; // 4 TB of logits
    const auto loaded = Model::load(*file, options, ledger, *threads);
    QVERIFY(!loaded);
    QCOMPARE(loaded.error().code, ErrorCode::OutOfMemory);
    QCOMPARE(loaded.error().parameter("need"), std::string_view("4096000000000"));
    QCOMPARE(ledger.use().total(), size_t{0});
}

void WeightsTest::refusesStepsItWasNotLoadedFor()
{
    ModelRunner::Settings settings;
    settings.options.context = 20;
    settings.options.stepTokens = 16;
    settings.options.logitRows = 2;
    settings.blocks = 1;
    ModelRunner runner = ModelRunner::load(testing::goldenPath("tiny/llama-gqa/model-f32.gguf"), settings);
    QVERIFY2(runner, runner.error.c_str());
    BlockTable table(*runner.pool);
    StepRecord record;
    const auto step = [&](const std::vector<TokenId>& tokens, const std::vector<int>& wanted) {
        const SequenceRows rows{&table, tokens, wanted};
        const auto result = runner.model->forward(std::span(&rows, 1), record);
        return result ? std::optional<ErrorCode>() : result.error().code;
    };
    const std::vector<TokenId> ones(21, 1);
    QCOMPARE(step({}, {}), ErrorCode::BadArgument);
    QCOMPARE(step({512}, {}), ErrorCode::BadArgument);
    QCOMPARE(step({-1}, {}), ErrorCode::BadArgument);
    QCOMPARE(step({1}, {1}), ErrorCode::BadArgument);
    QCOMPARE(step({1, 2, 3}, {0, 1, 2}), ErrorCode::BadArgument);
    QCOMPARE(step({ones.begin(), ones.begin() + 17}, {}), ErrorCode::BadArgument);
    QCOMPARE(step(ones, {}), ErrorCode::ContextTooSmall);
    QCOMPARE(step({1, 2, 3}, {1, 2}), std::optional<ErrorCode>());
    QCOMPARE(table.length(), 3);
    QCOMPARE(step({ones.begin(), ones.begin() + 14}, {}), ErrorCode::OutOfMemory); // one block of 16
    QCOMPARE(table.length(), 3);
    const SequenceRows twice[] = {{&table, std::span(ones).first(1), {}}, {&table, std::span(ones).first(1), {}}};
    QVERIFY(!runner.model->forward(twice, record));
}

void WeightsTest::tellsWhatAStepReadsAndComputes()
{
    ModelRunner runner =
        ModelRunner::load(testing::goldenPath("tiny/mistral-swa/model-f32-window-key.gguf"), ModelRunner::exact());
    QVERIFY2(runner, runner.error.c_str());
    BlockTable table(*runner.pool);
    const std::vector<TokenId> tokens(100, 7);
    const int last = 0;
    StepRecord record;
    const SequenceRows prefill{&table, tokens, {}};
    QVERIFY(runner.model->forward(std::span(&prefill, 1), record));
    QCOMPARE(record.rows, 100);
    // 3 layers x (q 64, k 32, v 32, o 64, gate 144, up 144 rows of 64 columns and down 64 rows of 144)
    const uint64_t layerValues = 3 * ((64 + 32 + 32 + 64 + 144 + 144) * 64 + 64 * 144);
    uint64_t seen = 0;
    for (uint64_t i = 1; i <= 100; ++i) {
        seen += std::min<uint64_t>(i, 64);
    }
    QCOMPARE(record.operations, 100 * 2 * layerValues + 3 * 4 * 64 * seen);
    QCOMPARE(record.bytesRead, 4 * layerValues + 100 * 64 * 4 + 3 * 100 * (2 * 32 * 4));

    record = {};
    const SequenceRows decode{&table, std::span(tokens).first(1), std::span(&last, 1)};
    const TimePoint start = Clock::now();
    QVERIFY(runner.model->forward(std::span(&decode, 1), record));
    const Nanoseconds wall = Clock::now() - start;
    const uint64_t headValues = 500 * 64;
    QCOMPARE(record.operations, 2 * (layerValues + headValues) + 3 * 4 * 64 * 64);
    // The last panel of 500 rows is filled up to 512.
    QCOMPARE(record.bytesRead, 4 * (layerValues + 512 * 64) + 64 * 4 + 3 * 64 * (2 * 32 * 4));
    const Nanoseconds stages = record.attention + record.feedForward + record.head;
    QVERIFY(record.attention.count() > 0 && record.feedForward.count() > 0 && record.head.count() > 0);
    QVERIFY(stages <= wall);
}

QTEST_GUILESS_MAIN(WeightsTest)
#include "tst_weights.moc"
