#include "enginefixture.h"
#include "sanitized.h"
#include "text/tokenizer.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <thread>

using namespace kvasir;
using namespace kvasir::testing;

class TestEngine : public QObject {
    Q_OBJECT

private:
    /// A fresh engine on the model that most tests use: vocabulary 512, context 512 or so.
    static std::unique_ptr<Engine> fresh(const EngineOptions& options = exactOptions())
    {
        auto engine = loadTiny("llama-gqa", options);
        if (!engine) {
            qFatal("%s", engine.error().detail.c_str());
        }
        return std::move(engine).value();
    }

private slots:
    void greedyRepliesEqualTheReferences_data()
    {
        QTest::addColumn<QString>("model");
        for (const char* name : {"llama-gqa", "llama3-rope", "qwen2", "qwen3", "gemma3"}) {
            QTest::newRow(name) << QString(name);
        }
    }
    void greedyRepliesEqualTheReferences()
    {
        QFETCH(QString, model);
        const QJsonObject golden = readJson(goldenPath("tiny/" + model + "/golden.json"));
        const auto engine = loadTiny(model.toUtf8().constData());
        QVERIFY2(engine.has_value(), engine ? "" : engine.error().detail.c_str());
        for (const QJsonValue& sequence : golden["sequences"].toArray()) {
            const QJsonObject reference = sequence["hf_f32"].toObject();
            QVERIFY(reference["min_margin"].toDouble() > 2e-3); // twice what the logits may differ by
            const auto reply = runOne(**engine, greedyRequest(idsOf(sequence["ids"]), 32));
            QVERIFY2(!reply.error, reply.error ? reply.error->detail.c_str() : "");
            QCOMPARE(reply.tokens(), idsOf(reference["greedy"]));
            QVERIFY(reply.stats->stopReason == StopReason::Length);
        }
    }

    void logitsEqualTheReference()
    {
        const QJsonObject golden = readJson(goldenPath("tiny/llama-gqa/golden.json"));
        const auto engine = fresh();
        for (const QJsonValue& sequence : golden["sequences"].toArray()) {
            const std::vector<TokenId> ids = idsOf(sequence["ids"]);
            const std::vector<int> last{static_cast<int>(ids.size()) - 1};
            const auto logits = engine->logits(ids, last);
            QVERIFY(logits);
            const QJsonObject reference = sequence["hf_f32"].toObject();
            const QJsonArray sampleIds = reference["sample_ids"].toArray();
            for (int i = 0; i < sampleIds.size(); ++i) {
                const double ours = static_cast<double>((*logits)[static_cast<size_t>(sampleIds[i].toInt())]);
                QVERIFY(std::abs(ours - reference["sample_logits"][i].toDouble()) < 1e-3);
            }
        }
    }

    void logitsDoNotDependOnTheChunk()
    {
        const auto engine = fresh();
        const std::vector<TokenId> prompt = somePrompt(150, engine->summary().vocabulary);
        std::vector<int> positions(prompt.size());
        std::iota(positions.begin(), positions.end(), 0);
        const auto whole = engine->logits(prompt, positions);
        QVERIFY(whole);
        QCOMPARE(whole->size(), prompt.size() * static_cast<size_t>(engine->summary().vocabulary));
        for (const int chunk : {1, 7, 64}) {
            const auto cut = engine->logits(prompt, positions, chunk);
            QVERIFY(cut);
            QVERIFY2(*cut == *whole, qPrintable(QString("chunk %1").arg(chunk)));
        }
        const std::vector<int> few{3, 77, 149};
        const auto some = engine->logits(prompt, few);
        const auto vocabulary = static_cast<size_t>(engine->summary().vocabulary);
        for (size_t i = 0; i < few.size(); ++i) {
            QVERIFY(std::equal(some->begin() + static_cast<std::ptrdiff_t>(i * vocabulary),
                some->begin() + static_cast<std::ptrdiff_t>((i + 1) * vocabulary),
                whole->begin() + static_cast<std::ptrdiff_t>(static_cast<size_t>(few[i]) * vocabulary)));
        }
    }

    void badLogitsRequestsAreErrors()
    {
        const auto engine = fresh();
        const std::vector<TokenId> prompt{1, 2, 3};
        QCOMPARE(engine->logits({}, std::vector<int>{0}).error().code, ErrorCode::BadArgument);
        QCOMPARE(engine->logits(prompt, std::vector<int>{3}).error().code, ErrorCode::BadArgument);
        QCOMPARE(engine->logits(prompt, std::vector<int>{-1}).error().code, ErrorCode::BadArgument);
        QCOMPARE(engine->logits(prompt, std::vector<int>{1, 1}).error().code, ErrorCode::BadArgument);
        QCOMPARE(engine->logits(std::vector<TokenId>{-4}, std::vector<int>{0}).error().code, ErrorCode::BadArgument);
        const std::vector<TokenId> tooLong(static_cast<size_t>(engine->summary().context) + 1, 1);
        QCOMPARE(engine->logits(tooLong, std::vector<int>{0}).error().code, ErrorCode::ContextTooSmall);
        const auto stopped =
            engine->logits(prompt, std::vector<int>{0, 1}, [](int, std::span<const float>) { return false; });
        QCOMPARE(stopped.error().code, ErrorCode::Cancelled);
    }

    void requestsAtOnceGiveWhatTheyGiveAlone()
    {
        const int vocabulary = fresh()->summary().vocabulary;
        std::vector<GenerateRequest> requests;
        for (const int length : {3, 120, 17, 64}) {
            GenerateRequest request = greedyRequest(somePrompt(length, vocabulary, static_cast<unsigned>(length)), 24);
            request.sampling.temperature = length % 2 ? 1.0f : 0.0f;
            request.sampling.seed = static_cast<uint64_t>(length);
            request.sampling.repetitionPenalty = 1.1f;
            requests.push_back(request);
        }
        std::vector<EventLog::Entry> alone;
        for (const GenerateRequest& request : requests) {
            alone.push_back(runOne(*fresh(), request));
        }
        EngineOptions options = exactOptions();
        options.stepTokens = 32;
        options.threads = 2;
        const auto engine = fresh(options);
        EventLog log;
        std::vector<RequestId> ids;
        for (const GenerateRequest& request : requests) {
            ids.push_back(*engine->submit(request));
            engine->step(log); // each begins while the others are somewhere else
        }
        runAll(*engine, log);
        for (size_t i = 0; i < ids.size(); ++i) {
            const auto& together = log.entries[ids[i]];
            QCOMPARE(together.tokens(), alone[i].tokens());
            QVERIFY(together.figures() == alone[i].figures());
            QCOMPARE(together.text, alone[i].text);
        }
    }

    void aKeptPrefixGivesTheSameBits()
    {
        const auto engine = fresh();
        const int vocabulary = engine->summary().vocabulary;
        const std::vector<TokenId> first = somePrompt(100, vocabulary);
        const auto reply = runOne(*engine, greedyRequest(first, 10));
        QCOMPARE(reply.stats->cachedTokens, 0);

        std::vector<TokenId> second = first;
        const auto made = reply.tokens();
        second.insert(second.end(), made.begin(), made.end());
        const auto more = somePrompt(30, vocabulary, 7);
        second.insert(second.end(), more.begin(), more.end());
        const auto cached = runOne(*engine, greedyRequest(second, 20));
        const auto plain = runOne(*fresh(), greedyRequest(second, 20));
        // The last token of a reply is drawn but never fed.
        QCOMPARE(cached.stats->cachedTokens, 109);
        QCOMPARE(plain.stats->cachedTokens, 0);
        QCOMPARE(cached.tokens(), plain.tokens());
        QVERIFY(cached.figures() == plain.figures());

        const auto again = runOne(*engine, greedyRequest(second, 20));
        QCOMPARE(again.stats->cachedTokens, static_cast<int>(second.size()) - 1);
        QVERIFY(again.figures() == plain.figures());

        // Another end behind half a prefix, in the middle of a block.
        std::vector<TokenId> third(first.begin(), first.begin() + 50);
        third.push_back((first[50] + 1) % vocabulary);
        const auto half = runOne(*engine, greedyRequest(third, 20));
        QCOMPARE(half.stats->cachedTokens, 50);
        QVERIFY(half.figures() == runOne(*fresh(), greedyRequest(third, 20)).figures());
    }

    void aRunningRequestLendsItsPrefix()
    {
        const auto engine = fresh();
        const std::vector<TokenId> prompt = somePrompt(80, engine->summary().vocabulary);
        EventLog log;
        const RequestId first = *engine->submit(greedyRequest(prompt, 40));
        for (int i = 0; i < 10; ++i) {
            engine->step(log);
        }
        const RequestId second = *engine->submit(greedyRequest(prompt, 40));
        runAll(*engine, log);
        QCOMPARE(log.entries[second].stats->cachedTokens, 79);
        QVERIFY(log.entries[first].figures() == log.entries[second].figures());
        QVERIFY(log.entries[first].figures() == runOne(*fresh(), greedyRequest(prompt, 40)).figures());
    }

    void stoppingActsWithinOneToken()
    {
        const auto engine = fresh();
        GenerateRequest request = greedyRequest(somePrompt(20, engine->summary().vocabulary), 0);
        request.stop = std::make_shared<std::atomic<bool>>(false);
        EventLog log;
        log.onToken = [&](const TokenRecord& record) { *request.stop = record.index == 4; };
        const RequestId id = *engine->submit(request);
        runAll(*engine, log);
        QCOMPARE(log.entries[id].stats->stopReason, StopReason::Cancelled);
        QCOMPARE(log.entries[id].stats->generatedTokens, 5);
        // and the engine goes on
        QCOMPARE(runOne(*engine, greedyRequest({1, 2, 3}, 4)).stats->stopReason, StopReason::Length);
    }

    void stoppingActsInTheMiddleOfAPrompt()
    {
        EngineOptions options = exactOptions();
        options.stepTokens = 16;
        const auto engine = fresh(options);
        GenerateRequest request = greedyRequest(somePrompt(200, engine->summary().vocabulary), 0);
        request.stop = std::make_shared<std::atomic<bool>>(false);
        EventLog log;
        log.onProgress = [&](RequestId id) { *request.stop = log.entries[id].progress.size() == 3; };
        const RequestId id = *engine->submit(request);
        runAll(*engine, log);
        const auto& entry = log.entries[id];
        QCOMPARE(entry.stats->stopReason, StopReason::Cancelled);
        QCOMPARE(entry.stats->generatedTokens, 0);
        QVERIFY(entry.progress.back()[0] < 200);
        QVERIFY(entry.stats->endToEnd.count() > 0);
        // What was computed is kept.
        const auto again = runOne(*engine, greedyRequest(request.prompt, 5));
        QCOMPARE(again.stats->cachedTokens, entry.progress.back()[0]);
        QVERIFY(again.figures() == runOne(*fresh(), greedyRequest(request.prompt, 5)).figures());
    }

    void aWaitingRequestCanBeStopped()
    {
        EngineOptions options = exactOptions();
        options.sequences = 1;
        const auto engine = fresh(options);
        EventLog log;
        GenerateRequest waiting = greedyRequest({4, 5, 6}, 5);
        waiting.stop = std::make_shared<std::atomic<bool>>(false);
        const RequestId first = *engine->submit(greedyRequest({1, 2, 3}, 50));
        const RequestId second = *engine->submit(waiting);
        engine->step(log);
        *waiting.stop = true;
        engine->step(log);
        QVERIFY(log.entries[second].stats);
        QCOMPARE(log.entries[second].stats->stopReason, StopReason::Cancelled);
        runAll(*engine, log);
        QCOMPARE(log.entries[first].stats->generatedTokens, 50);
    }

    void requestsAreServedInTheirOrder()
    {
        EngineOptions options = exactOptions();
        options.sequences = 1;
        const auto engine = fresh(options);
        EventLog log;
        std::vector<RequestId> ids;
        for (int i = 0; i < 4; ++i) {
            ids.push_back(*engine->submit(greedyRequest({10 * i + 1, 2, 3}, 6 - i)));
        }
        runAll(*engine, log);
        QCOMPARE(log.ended, ids);
        for (size_t i = 1; i < ids.size(); ++i) {
            QVERIFY(log.entries[ids[i]].stats->queue > log.entries[ids[i - 1]].stats->queue);
        }
    }

    void stopStringsEndTheTextWhereverTokensCutThem()
    {
        const auto engine = fresh();
        const std::vector<TokenId> prompt = somePrompt(30, engine->summary().vocabulary, 5);
        const auto whole = runOne(*engine, greedyRequest(prompt, 40));
        const QString text = QString::fromStdString(whole.text);
        QVERIFY(text.size() > 20);
        for (int start = 1; start + 4 < text.size(); start += 3) {
            if (text[start].isLowSurrogate() || text[start + 4].isLowSurrogate()) {
                continue;
            }
            GenerateRequest request = greedyRequest(prompt, 40);
            const QString stop = text.mid(start, 4);
            request.stopStrings = {stop.toStdString()};
            const auto reply = runOne(*engine, request);
            QCOMPARE(QString::fromStdString(reply.text), text.left(text.indexOf(stop)));
            QCOMPARE(reply.stats->stopReason, StopReason::Stop);
            QVERIFY(reply.stats->generatedTokens <= whole.stats->generatedTokens);
        }
        GenerateRequest never = greedyRequest(prompt, 40);
        never.stopStrings = {"no such text in it", ""};
        QCOMPARE(runOne(*engine, never).text, whole.text);
    }

    void textLeavesInWholeCharacters()
    {
        const auto engine = fresh();
        GenerateRequest request = greedyRequest({1, 2, 3}, 200);
        request.sampling.temperature = 5; // bytes in any order
        request.sampling.topK = 0;
        request.sampling.topP = 1;
        request.sampling.minP = 0;
        const auto reply = runOne(*engine, request);
        QCOMPARE(reply.records.size(), size_t{200});
        for (const std::string& text : reply.texts) {
            QCOMPARE(QString::fromStdString(text).toStdString(), text);
        }
    }

    void theModelsEndEndsTheReply()
    {
        const auto engine = fresh();
        const TokenId eos = engine->tokenizer().eos();
        QVERIFY(eos != kNoToken);
        GenerateRequest request = greedyRequest({1, 2, 3}, 5);
        request.ignoreEos = false;
        request.sampling.bias = {{eos, 1000.0f}};
        const auto reply = runOne(*engine, request);
        QCOMPARE(reply.stats->stopReason, StopReason::Eos);
        QCOMPARE(reply.tokens(), std::vector<TokenId>{eos});
        QCOMPARE(reply.text, std::string());
        request.ignoreEos = true;
        QCOMPARE(runOne(*engine, request).tokens(), std::vector<TokenId>(5, eos));
    }

    void aFullContextEndsTheReply()
    {
        EngineOptions options = exactOptions();
        options.context = 64;
        const auto engine = fresh(options);
        QCOMPARE(engine->summary().context, 64);
        const auto prompt = somePrompt(50, engine->summary().vocabulary);
        const auto reply = runOne(*engine, greedyRequest(prompt, 0));
        QCOMPARE(reply.stats->stopReason, StopReason::Context);
        QCOMPARE(reply.stats->generatedTokens, 14);
        // The last place that there is.
        const auto last = runOne(*engine, greedyRequest(somePrompt(63, engine->summary().vocabulary), 0));
        QCOMPARE(last.stats->generatedTokens, 1);
        QCOMPARE(last.stats->stopReason, StopReason::Context);
        const auto tooLong = runOne(*engine, greedyRequest(somePrompt(64, engine->summary().vocabulary), 0));
        QVERIFY(tooLong.error);
        QCOMPARE(tooLong.error->code, ErrorCode::ContextTooSmall);
        QCOMPARE(std::string(tooLong.error->parameter("need")), std::string("65"));
        QCOMPARE(std::string(tooLong.error->parameter("have")), std::string("64"));
    }

    void requestsThatCanNotWorkAreRefusedAtOnce()
    {
        const auto engine = fresh();
        const int vocabulary = engine->summary().vocabulary;
        const auto code = [&](GenerateRequest request) { return engine->submit(std::move(request)).error().code; };
        QCOMPARE(code(greedyRequest({}, 1)), ErrorCode::BadArgument);
        QCOMPARE(code(greedyRequest({1, -1}, 1)), ErrorCode::BadArgument);
        QCOMPARE(code(greedyRequest({1, vocabulary}, 1)), ErrorCode::BadArgument);
        QCOMPARE(code(greedyRequest({1}, -1)), ErrorCode::BadArgument);
        GenerateRequest request = greedyRequest({1}, 1);
        request.sampling.topP = 0;
        QCOMPARE(code(request), ErrorCode::BadArgument);
        EventLog log;
        QVERIFY(!engine->step(log));
        QVERIFY(log.entries.empty());
    }

    void aRequestThatFailsLeavesTheOthersAlone()
    {
        const auto engine = fresh();
        EventLog log;
        GenerateRequest impossible = greedyRequest({1, 2, 3}, 5);
        for (TokenId token = 0; token < engine->summary().vocabulary; ++token) {
            impossible.sampling.bias.push_back({token, -std::numeric_limits<float>::infinity()});
        }
        const RequestId bad = *engine->submit(impossible);
        const RequestId good = *engine->submit(greedyRequest({1, 2, 3}, 5));
        runAll(*engine, log);
        QVERIFY(log.entries[bad].error);
        QVERIFY(!log.entries[bad].stats);
        QCOMPARE(log.entries[good].stats->generatedTokens, 5);
    }

    void whenBlocksRunOutTheYoungestIsPutBackAndNothingIsLost()
    {
        EngineOptions options = exactOptions();
        options.context = 128;
        const auto unbounded = fresh(options);
        const int vocabulary = unbounded->summary().vocabulary;
        const auto use = Engine::plan(goldenPath("tiny/llama-gqa/model-f32.gguf").toStdString(), options);
        QVERIFY(use);
        const size_t oneContext = 128 * unbounded->summary().kvBytesPerToken;
        options.memoryLimit = use->total() - (*use)[MemoryTag::KvReserved] + oneContext;
        const auto engine = fresh(options);
        QCOMPARE(engine->summary().context, 128);
        std::vector<GenerateRequest> requests;
        for (unsigned i = 0; i < 3; ++i) {
            requests.push_back(greedyRequest(somePrompt(40, vocabulary, 100 + i), 60));
        }
        EventLog log;
        std::vector<RequestId> ids;
        for (const GenerateRequest& request : requests) {
            ids.push_back(*engine->submit(request));
        }
        size_t most = 0;
        while (engine->step(log)) {
            most = std::max(most, engine->memory()[MemoryTag::KvReserved]);
        }
        QCOMPARE(most, oneContext);
        int rows = 0;
        for (const StepRecord& step : engine->recentSteps(10000)) {
            rows += step.rows;
        }
        QVERIFY2(rows > 3 * (40 + 59), "some of it must have been computed twice");
        for (size_t i = 0; i < ids.size(); ++i) {
            QVERIFY(log.entries[ids[i]].stats);
            QCOMPARE(log.entries[ids[i]].stats->generatedTokens, 60);
            QVERIFY(log.entries[ids[i]].figures() == runOne(*unbounded, requests[i]).figures());
        }
    }

    void figuresOfAReplyAddUp()
    {
        const auto engine = fresh();
        GenerateRequest request = greedyRequest(somePrompt(90, engine->summary().vocabulary), 12);
        request.submitted = Clock::now() - std::chrono::milliseconds(50); // as if tokenization had taken that long
        const auto reply = runOne(*engine, request);
        const ReplyStats& stats = *reply.stats;
        QCOMPARE(stats.promptTokens, 90);
        QCOMPARE(stats.generatedTokens, 12);
        QCOMPARE(stats.itl.size(), size_t{11});
        QVERIFY(stats.queue >= std::chrono::milliseconds(50));
        QVERIFY(stats.ttft == stats.queue + stats.prefill);
        QVERIFY(std::accumulate(stats.itl.begin(), stats.itl.end(), Nanoseconds(0)) == stats.endToEnd - stats.ttft);
        for (int i = 0; i < 12; ++i) {
            const TokenRecord& record = reply.records[static_cast<size_t>(i)];
            QCOMPARE(record.index, i);
            QVERIFY(record.gap == (i == 0 ? Nanoseconds(0) : stats.itl[static_cast<size_t>(i) - 1]));
            QVERIFY(record.probability > 0 && record.probability <= 1);
            QCOMPARE(record.token, record.alternatives[0].token);
        }
        QVERIFY(reply.records.front().sinceSubmit == stats.ttft);
        QVERIFY(reply.records.back().sinceSubmit == stats.endToEnd);

        const auto steps = engine->recentSteps(1000);
        int rows = 0;
        int decodes = 0;
        for (size_t i = 0; i < steps.size(); ++i) {
            QCOMPARE(steps[i].index, static_cast<uint64_t>(i));
            QCOMPARE(steps[i].rows, steps[i].prefillRows + steps[i].decodeRows);
            QVERIFY(steps[i].duration >= steps[i].attention + steps[i].feedForward + steps[i].head + steps[i].sampling);
            QVERIFY(steps[i].bytesRead > 0 && steps[i].operations > 0);
            rows += steps[i].rows;
            decodes += steps[i].decodeRows;
        }
        QCOMPARE(rows, 90 + 11);
        QCOMPARE(decodes, 11);
        QCOMPARE(reply.records.back().step, steps.back().index);
        QCOMPARE(engine->recentSteps(2).size(), size_t{2});
    }

    void progressRisesToTheWholePrompt()
    {
        EngineOptions options = exactOptions();
        options.stepTokens = 16;
        const auto engine = fresh(options);
        const auto reply = runOne(*engine, greedyRequest(somePrompt(100, engine->summary().vocabulary), 1));
        QVERIFY(reply.progress.size() >= 7);
        QCOMPARE(reply.progress.front()[0], 0);
        for (size_t i = 1; i < reply.progress.size(); ++i) {
            QVERIFY(reply.progress[i][0] > reply.progress[i - 1][0]);
            QCOMPARE(reply.progress[i][1], 100);
        }
        QCOMPARE(reply.progress.back()[0], 100);
    }

    void theSameSeedGivesTheSameReply()
    {
        const auto engine = fresh();
        GenerateRequest request = greedyRequest({9, 8, 7}, 30);
        request.sampling.temperature = 1;
        request.sampling.seed = 5;
        const auto first = runOne(*engine, request);
        QCOMPARE(runOne(*engine, request).tokens(), first.tokens());
        request.sampling.seed = 6;
        QVERIFY(runOne(*engine, request).tokens() != first.tokens());
    }

    void memoryIsReadFromAnotherThread()
    {
        const auto engine = fresh();
        std::atomic<bool> done{false};
        size_t most = 0;
        std::thread reader([&] {
            while (!done) {
                most = std::max(most, engine->memory()[MemoryTag::KvUsed]);
                (void)engine->recentSteps(10);
            }
        });
        (void)runOne(*engine, greedyRequest(somePrompt(60, engine->summary().vocabulary), 60));
        done = true;
        reader.join();
        const MemoryUse use = engine->memory();
        QVERIFY(use[MemoryTag::Weights] == engine->summary().weightBytes);
        QVERIFY(use[MemoryTag::KvUsed] <= use[MemoryTag::KvReserved]);
        QVERIFY(use[MemoryTag::KvUsed] >= 119 * engine->summary().kvBytesPerToken); // kept for the next request
        QVERIFY(most <= use[MemoryTag::KvReserved]);
    }

    void loadingCanBeCancelled()
    {
        int calls = 0;
        const auto engine = Engine::load(
            goldenPath("tiny/llama-gqa/model-f32.gguf").toStdString(), exactOptions(), [&](double fraction) {
                ++calls;
                return fraction < 0.5;
            });
        QVERIFY(!engine);
        QCOMPARE(engine.error().code, ErrorCode::Cancelled);
        QVERIFY(calls > 1);
    }

    void progressOfLoadingRises()
    {
        double last = -1;
        bool rises = true;
        const auto engine = Engine::load(
            goldenPath("tiny/llama-gqa/model-f32.gguf").toStdString(), exactOptions(), [&](double fraction) {
                rises = rises && fraction >= last && fraction <= 1;
                last = fraction;
                return true;
            });
        QVERIFY(engine);
        QVERIFY(rises);
        QVERIFY(last > 0.99);
    }

    void whatCanNotBeLoadedIsAnError()
    {
        QCOMPARE(Engine::load("/no/such/file.gguf", {}).error().code, ErrorCode::FileNotFound);
        EngineOptions options;
        options.weights = WeightsPrecision::Int4;
        const std::string path = goldenPath("tiny/llama-gqa/model-f32.gguf").toStdString();
        QCOMPARE(Engine::load(path, options).error().code, ErrorCode::Unsupported);
        options = {};
        options.values = KvPrecision::Int8;
        QCOMPARE(Engine::load(path, options).error().code, ErrorCode::Unsupported);
        options = {};
        options.memoryLimit = 10000;
        const auto small = Engine::load(path, options);
        QCOMPARE(small.error().code, ErrorCode::OutOfMemory);
        QCOMPARE(std::string(small.error().parameter("have")), std::string("10000"));
        options = {};
        options.context = -5;
        QCOMPARE(Engine::load(path, options).error().code, ErrorCode::BadArgument);
    }

    void theRealModelKnowsTheCapitalOfFrance()
    {
        const QString path = realModelPath("SmolLM2-135M-Instruct.Q4_1.gguf");
        if (path.isEmpty()) {
            QSKIP("the starter model is not installed; tests/run gets it");
        }
        EngineOptions options;
        options.threads = 2;
        const auto engine = Engine::load(path.toStdString(), options);
        QVERIFY2(engine.has_value(), engine ? "" : engine.error().detail.c_str());
        const auto prompt = (*engine)->tokenizer().encode("The capital of France is", {.addSpecial = true});
        const auto reply = runOne(**engine, greedyRequest(prompt, 8));
        QVERIFY2(QString::fromStdString(reply.text).startsWith(" Paris"), reply.text.c_str());
        QVERIFY((*engine)->chatTemplate());
        QCOMPARE((*engine)->summary().weightsName, std::string("Q4_1"));
    }

    void stoppingALongPromptOfTheRealModelTakesOneStep()
    {
        const QString path = realModelPath("SmolLM2-135M-Instruct.Q4_1.gguf");
        if (path.isEmpty()) {
            QSKIP("the starter model is not installed; tests/run gets it");
        }
        EngineOptions options;
        options.threads = 1;
        const auto engine = Engine::load(path.toStdString(), options);
        QVERIFY(engine);
        GenerateRequest request = greedyRequest(somePrompt(4000, 40000), 0);
        request.stop = std::make_shared<std::atomic<bool>>(false);
        const RequestId id = *(*engine)->submit(request);
        EventLog log;
        log.onProgress = [&](RequestId) {
            if (log.entries[id].progress.size() == 4) {
                *request.stop = true;
            }
        };
        runAll(**engine, log);
        QCOMPARE(log.entries[id].stats->stopReason, StopReason::Cancelled);
        QCOMPARE(log.entries[id].progress.size(), size_t{4});
        if (!testing::kSanitized) {
            for (const StepRecord& step : (*engine)->recentSteps(100)) {
                QVERIFY2(toMilliseconds(step.duration) < 3000, "a step must stay short, even on a busy machine");
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestEngine)
#include "tst_engine.moc"
