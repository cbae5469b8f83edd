#include "enginefixture.h"
#include "files/gguf.h"
#include "session/memoryplan.h"

using namespace kvasir;
using namespace kvasir::testing;

class TestPlan : public QObject {
    Q_OBJECT

private slots:
    void equalsWhatLoadingTakesToTheByte_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("context");
        QTest::addColumn<int>("sequences");
        QTest::addColumn<bool>("exactCache");
        QTest::newRow("llama") << "tiny/llama-gqa/model-f32.gguf" << 256 << 1 << true;
        QTest::newRow("llama f16 cache") << "tiny/llama-gqa/model-f32.gguf" << 256 << 16 << false;
        QTest::newRow("odd context") << "tiny/llama-gqa/model-f32.gguf" << 77 << 3 << false;
        QTest::newRow("gemma3 q8_0") << "tiny/gemma3/model-q8_0.gguf" << 300 << 4 << false;
        QTest::newRow("qwen2") << "tiny/qwen2/model-f32.gguf" << 128 << 2 << true;
    }
    void equalsWhatLoadingTakesToTheByte()
    {
        QFETCH(QString, file);
        QFETCH(int, context);
        QFETCH(int, sequences);
        QFETCH(bool, exactCache);
        EngineOptions options = exactOptions();
        options.context = context;
        options.sequences = sequences;
        options.threads = 1 + sequences % 3;
        if (!exactCache) {
            options.keys = options.values = KvPrecision::Fp16;
        }
        const std::string path = goldenPath(file).toStdString();
        const auto plan = Engine::plan(path, options);
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().detail.c_str());
        const auto engine = Engine::load(path, options);
        QVERIFY(engine);
        const MemoryUse loaded = (*engine)->memory();
        for (const MemoryTag tag :
            {MemoryTag::Weights, MemoryTag::Activations, MemoryTag::Scratch, MemoryTag::Logits, MemoryTag::Draft}) {
            QCOMPARE(loaded[tag], (*plan)[tag]);
        }
        QCOMPARE(loaded[MemoryTag::KvUsed], size_t{0});

        // The cache grows with use; one conversation that fills its context takes what was planned.
        const int vocabulary = (*engine)->summary().vocabulary;
        const auto reply = runOne(**engine, greedyRequest(somePrompt(context - 1, vocabulary), 0));
        QVERIFY(reply.stats);
        const MemoryUse full = (*engine)->memory();
        QCOMPARE(full[MemoryTag::KvReserved], (*plan)[MemoryTag::KvReserved]);
        QCOMPARE(full.total(), plan->total());
    }

    void theContextShrinksToTheMemory()
    {
        const std::string path = goldenPath("tiny/llama-gqa/model-f32.gguf").toStdString();
        const auto file = GgufFile::open(path);
        QVERIFY(file);
        EngineOptions options = exactOptions();
        options.context = 8192;
        const auto large = planMemory(*file, options);
        QVERIFY(large);
        options.context = 2048;
        const auto small = planMemory(*file, options);
        QVERIFY(small);
        QVERIFY(small->use.total() < large->use.total());

        options.context = 8192;
        options.memoryLimit = (small->use.total() + large->use.total()) / 2;
        const auto fitting = planFittingMemory(*file, options);
        QVERIFY(fitting);
        QVERIFY(fitting->fits);
        QVERIFY(fitting->options.context > 2048 && fitting->options.context < 8192);
        QVERIFY(fitting->use.total() <= options.memoryLimit);
        QVERIFY(!fitting->contextReason.empty());
        // and it is the longest: a few blocks more are too much
        EngineOptions more = options;
        more.context = fitting->options.context + 4 * 1024 * 1024 / static_cast<int>(fitting->kvShape.tokenBytes());
        QVERIFY(!planMemory(*file, more)->fits);

        const auto engine = Engine::load(path, options);
        QVERIFY(engine);
        QCOMPARE((*engine)->summary().context, fitting->options.context);
        QCOMPARE((*engine)->summary().contextReason, fitting->contextReason);
    }

    void anAbsurdContextAllocatesNothing()
    {
        EngineOptions options = exactOptions();
        const std::string path = goldenPath("bad/absurd_context.gguf").toStdString();
        const auto engine = Engine::load(path, options);
        if (!engine) {
            QVERIFY(!engine.error().detail.empty());
            return;
        }
        QVERIFY((*engine)->summary().context > 0);
        QVERIFY((*engine)->memory().total() < size_t{1} << 30);
        const auto reply = runOne(**engine, greedyRequest({1, 2, 3}, 3));
        QVERIFY(reply.stats);
        QVERIFY((*engine)->memory().total() < size_t{1} << 30);
    }

    void tooLittleMemorySaysHowMuchIsNeeded()
    {
        EngineOptions options = exactOptions();
        options.memoryLimit = 4096;
        const auto plan = Engine::plan(goldenPath("tiny/llama-gqa/model-f32.gguf").toStdString(), options);
        QVERIFY(!plan);
        QCOMPARE(plan.error().code, ErrorCode::OutOfMemory);
        QVERIFY(std::stoull(std::string(plan.error().parameter("need"))) > 4096);
    }

    void whatTheModelWasTrainedForIsTold()
    {
        const std::string path = goldenPath("tiny/llama-gqa/model-f32.gguf").toStdString();
        EngineOptions options = exactOptions();
        const auto own = Engine::load(path, options);
        QVERIFY(own);
        QCOMPARE((*own)->summary().context, (*own)->summary().trainedContext);
        QVERIFY((*own)->summary().contextReason.empty());
        options.context = (*own)->summary().trainedContext + 100;
        const auto longer = Engine::load(path, options);
        QVERIFY(longer);
        QCOMPARE((*longer)->summary().context, options.context);
        QVERIFY(!(*longer)->summary().contextReason.empty());
    }
};

QTEST_GUILESS_MAIN(TestPlan)
#include "tst_plan.moc"
