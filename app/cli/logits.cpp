#include "command.h"
#include "modelarguments.h"
#include "output.h"
#include "session/logitscan.h"
#include "text/tokenizer.h"

#include <algorithm>
#include <array>

namespace kvasir::cli {
namespace {

constexpr int kSamples = 64;

Json logitsRecord(std::span<const float> logits, int top)
{
    LogitMaxima maxima;
    scanMaxima(logits, maxima);
    std::vector<Candidate> best;
    selectTop(logits, maxima, static_cast<size_t>(top), best);
    Json topIds = Json::array();
    Json topLogits = Json::array();
    for (const Candidate& candidate : best) {
        topIds.push_back(candidate.token);
        topLogits.push_back(shortest(candidate.logit));
    }
    Json sampleIds = Json::array();
    Json sampleLogits = Json::array();
    for (size_t i = 0; i < kSamples; ++i) {
        const size_t id = i * logits.size() / kSamples;
        sampleIds.push_back(id);
        sampleLogits.push_back(shortest(logits[id]));
    }
    return {{"top_ids", topIds}, {"top_logits", topLogits}, {"sample_ids", sampleIds}, {"sample_logits", sampleLogits}};
}

std::string forPeople(const Json& record, const Tokenizer& tokenizer)
{
    std::vector<std::vector<std::string>> rows{{"id", "logit", "text"}};
    for (size_t i = 0; i < record["top_ids"].size(); ++i) {
        const auto id = record["top_ids"][i].get<TokenId>();
        const std::string piece = Json(tokenizer.piece(id, true)).dump(-1, ' ', false, Json::error_handler_t::replace);
        rows.push_back({std::to_string(id), fixed(record["top_logits"][i].get<double>(), 4), piece});
    }
    return table(rows);
}

Result<void> run(const Arguments& arguments)
{
    const auto ids = tokenIds(arguments);
    KVASIR_TRY(ids);
    const auto top = arguments.integer("--top", 20, 1, 1 << 20);
    KVASIR_TRY(top);
    const int last = static_cast<int>(ids->size()) - 1;
    const auto position = arguments.integer("--at", last, 0, last);
    KVASIR_TRY(position);
    const auto engine = loadEngine(arguments);
    KVASIR_TRY(engine);
    const std::array<int, 1> positions{*position};
    const auto logits = (*engine)->logits(*ids, positions);
    KVASIR_TRY(logits);
    const Json record = logitsRecord(*logits, *top);
    return arguments.has("--json") ? printJson(record) : print(forPeople(record, (*engine)->tokenizer()));
}

} // namespace

Command logitsCommand()
{
    return {"logits", "what the model gives for the next token", "--ids 1,2,3",
        withModelOptions({
            {"--ids", nullptr, "LIST", "token ids to feed", true},
            {"--top", nullptr, "N", "how many of the largest to show (default 20)"},
            {"--at", nullptr, "I", "position whose logits are shown, from 0; the last"},
        }),
        0, run};
}

} // namespace kvasir::cli
