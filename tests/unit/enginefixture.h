#pragma once

#include "goldendata.h"
#include "session/engine.h"

#include <QJsonArray>
#include <QtTest>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace kvasir::testing {

/// Everything that an engine told, by request.
class EventLog : public EngineEvents {
public:
    struct Entry {
        std::vector<TokenRecord> records;
        std::vector<std::string> texts;
        std::vector<std::array<int, 3>> progress;
        std::string text;
        std::optional<ReplyStats> stats;
        std::optional<Error> error;

        std::vector<TokenId> tokens() const
        {
            std::vector<TokenId> ids;
            for (const TokenRecord& record : records) {
                ids.push_back(record.token);
            }
            return ids;
        }
        /// What the model said of each token, to be compared bit for bit.
        std::vector<std::pair<float, float>> figures() const
        {
            std::vector<std::pair<float, float>> pairs;
            for (const TokenRecord& record : records) {
                pairs.emplace_back(record.probability, record.entropy);
            }
            return pairs;
        }
    };

    void prefillProgress(RequestId id, int done, int total, int cached) override
    {
        entries[id].progress.push_back({done, total, cached});
        if (onProgress) {
            onProgress(id);
        }
    }
    void token(const TokenRecord& record, const std::string& text) override
    {
        Entry& entry = entries[record.request];
        entry.records.push_back(record);
        entry.texts.push_back(text);
        entry.text += text;
        if (onToken) {
            onToken(record);
        }
    }
    void finished(const ReplyStats& stats, const std::string& text) override
    {
        Entry& entry = entries[stats.request];
        entry.texts.push_back(text);
        entry.text += text;
        entry.stats = stats;
        ended.push_back(stats.request);
    }
    void failed(RequestId id, const Error& error) override
    {
        entries[id].error = error;
        ended.push_back(id);
    }

    std::map<RequestId, Entry> entries;
    std::vector<RequestId> ended;
    std::function<void(RequestId)> onProgress;
    std::function<void(const TokenRecord&)> onToken;
};

inline void runAll(Engine& engine, EventLog& log)
{
    while (engine.step(log)) { }
}

inline std::vector<TokenId> idsOf(const QJsonValue& list)
{
    std::vector<TokenId> ids;
    for (const QJsonValue& id : list.toArray()) {
        ids.push_back(id.toInt());
    }
    return ids;
}

/// A golden model with an exact cache, on one thread: small models gain nothing from more, and a busy machine slows
/// them.
inline EngineOptions exactOptions()
{
    EngineOptions options;
    options.keys = options.values = KvPrecision::Fp32;
    options.threads = 1;
    return options;
}

inline Result<std::unique_ptr<Engine>> loadTiny(const char* name, const EngineOptions& options = exactOptions())
{
    return Engine::load(goldenPath(QString("tiny/%1/model-f32.gguf").arg(name)).toStdString(), options);
}

inline GenerateRequest greedyRequest(std::vector<TokenId> prompt, int maxTokens)
{
    GenerateRequest request;
    request.prompt = std::move(prompt);
    request.maxTokens = maxTokens;
    request.sampling.temperature = 0;
    request.ignoreEos = true;
    return request;
}

/// Runs one request alone.
inline EventLog::Entry runOne(Engine& engine, GenerateRequest request)
{
    EventLog log;
    const auto id = engine.submit(std::move(request));
    if (!id) {
        log.entries[0].error = id.error();
        return log.entries[0];
    }
    runAll(engine, log);
    return log.entries[*id];
}

/// A prompt of `count` tokens that repeats nothing soon.
inline std::vector<TokenId> somePrompt(int count, int vocabulary, unsigned seed = 1)
{
    std::vector<TokenId> ids;
    uint32_t state = seed;
    for (int i = 0; i < count; ++i) {
        state = state * 1664525u + 1013904223u;
        ids.push_back(static_cast<TokenId>(state >> 8) % vocabulary);
    }
    return ids;
}

} // namespace kvasir::testing
