#pragma once

#include "base/threadpool.h"
#include "cache/blockpool.h"
#include "cache/blocktable.h"
#include "files/gguf.h"
#include "goldendata.h"
#include "model/model.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

#include <algorithm>
#include <memory>
#include <vector>

namespace kvasir::testing {

/// A model with what it needs to run, for tests of logits.
struct ModelRunner {
    std::unique_ptr<MemoryLedger> ledger = std::make_unique<MemoryLedger>();
    std::unique_ptr<ThreadPool> threads;
    std::unique_ptr<Model> model;
    std::unique_ptr<BlockPool> pool;
    std::string error;

    struct Settings {
        ModelOptions options;
        int threads = 1; ///< several need free cores to be quick, and tests run side by side
        int blocks = 4096;
    };

    /// Exact caches and room for `context` positions: what comparing with references asks for.
    static Settings exact(int context = 512)
    {
        Settings settings;
        settings.options.keys = TensorType::F32;
        settings.options.values = TensorType::F32;
        settings.options.context = context;
        settings.options.stepTokens = 256;
        return settings;
    }

    static ModelRunner load(const QString& path, const Settings& settings)
    {
        ModelRunner runner;
        auto file = GgufFile::open(path.toStdString());
        if (!file) {
            runner.error = file.error().detail;
            return runner;
        }
        return load(*file, settings);
    }

    static ModelRunner load(const ModelFile& file, const Settings& settings)
    {
        ModelRunner runner;
        auto threads = ThreadPool::create({.threads = settings.threads});
        if (!threads) {
            runner.error = threads.error().detail;
            return runner;
        }
        runner.threads = *std::move(threads);
        auto model = Model::load(file, settings.options, *runner.ledger, *runner.threads);
        if (!model) {
            runner.error = model.error().detail;
            return runner;
        }
        runner.model = *std::move(model);
        runner.pool = std::make_unique<BlockPool>(runner.model->kvShape(), settings.blocks, *runner.ledger);
        return runner;
    }

    explicit operator bool() const { return model != nullptr; }

    /// Logits of the last of `tokens`, fed after what `table` holds in chunks of `chunk` rows. Empty on failure.
    std::vector<float> feed(BlockTable& table, const std::vector<TokenId>& tokens, int chunk = 256)
    {
        std::vector<float> last;
        for (size_t first = 0; first < tokens.size(); first += static_cast<size_t>(chunk)) {
            const size_t count = std::min(tokens.size() - first, static_cast<size_t>(chunk));
            const int lastRow = static_cast<int>(count) - 1;
            const bool wanted = first + count == tokens.size();
            SequenceRows rows{&table, std::span(tokens).subspan(first, count),
                wanted ? std::span(&lastRow, 1) : std::span<const int>()};
            StepRecord record;
            auto logits = model->forward(std::span(&rows, 1), record);
            if (!logits) {
                error = logits.error().detail;
                return {};
            }
            last.assign(logits->begin(), logits->end());
        }
        return last;
    }

    /// The logits of every token, fed in chunks of `chunk` rows (at most options.logitRows): tokens x vocabulary.
    std::vector<float> feedAll(BlockTable& table, const std::vector<TokenId>& tokens, int chunk)
    {
        std::vector<float> all;
        for (size_t first = 0; first < tokens.size(); first += static_cast<size_t>(chunk)) {
            const size_t count = std::min(tokens.size() - first, static_cast<size_t>(chunk));
            std::vector<int> wanted(count);
            for (size_t i = 0; i < count; ++i) {
                wanted[i] = static_cast<int>(i);
            }
            SequenceRows rows{&table, std::span(tokens).subspan(first, count), wanted};
            StepRecord record;
            auto logits = model->forward(std::span(&rows, 1), record);
            if (!logits) {
                error = logits.error().detail;
                return {};
            }
            all.insert(all.end(), logits->begin(), logits->end());
        }
        return all;
    }

    /// `count` tokens, each the most likely one (the lowest id on ties).
    std::vector<TokenId> greedy(BlockTable& table, std::vector<float> logits, size_t count)
    {
        std::vector<TokenId> tokens;
        while (!logits.empty()) {
            tokens.push_back(static_cast<TokenId>(std::max_element(logits.begin(), logits.end()) - logits.begin()));
            if (tokens.size() == count) {
                break;
            }
            logits = feed(table, {tokens.back()});
        }
        return tokens;
    }
};

inline std::vector<TokenId> tokensFrom(const QJsonValue& array)
{
    std::vector<TokenId> tokens;
    for (const QJsonValue& id : array.toArray()) {
        tokens.push_back(id.toInt());
    }
    return tokens;
}

/// How far logits are from a record of golden data: its 20 largest and its 64 samples.
struct Distance {
    double largest = 0;
    double rms = 0;
    /// No logit outside the record's 20 largest exceeds the smallest of them by more than `largest`.
    double aboveTop = 0;
};

inline Distance distanceTo(const QJsonObject& record, const std::vector<float>& logits)
{
    Distance distance;
    double squares = 0;
    int count = 0;
    std::vector<float> rest = logits;
    for (const char* kind : {"top", "sample"}) {
        const QJsonArray ids = record[QString(kind) + "_ids"].toArray();
        const QJsonArray values = record[QString(kind) + "_logits"].toArray();
        for (int i = 0; i < ids.size(); ++i) {
            const auto id = static_cast<size_t>(ids[i].toInt());
            const double off = std::abs(static_cast<double>(logits[id]) - values[i].toDouble());
            distance.largest = std::max(distance.largest, off);
            squares += off * off;
            ++count;
            if (kind == std::string_view("top")) {
                rest[id] = -INFINITY;
            }
        }
    }
    distance.rms = std::sqrt(squares / std::max(count, 1));
    const double smallestTop = record["top_logits"].toArray().last().toDouble();
    distance.aboveTop = static_cast<double>(*std::max_element(rest.begin(), rest.end())) - smallestTop;
    return distance;
}

/// Steps of the reference's greedy text that `tolerance` in its logits can not change.
inline size_t safeSteps(const QJsonObject& record, double tolerance)
{
    const auto steps = static_cast<size_t>(record["greedy"].toArray().size());
    const QJsonArray margins = record["greedy_margins"].toArray();
    if (margins.isEmpty()) {
        return record["min_margin"].toDouble() > 2 * tolerance ? steps : 0;
    }
    size_t safe = 0;
    while (safe < steps && margins[static_cast<qsizetype>(safe)].toDouble() > 2 * tolerance) {
        ++safe;
    }
    return safe;
}

} // namespace kvasir::testing
