#include "command.h"
#include "interrupt.h"
#include "measure/limits.h"
#include "measure/statistics.h"
#include "modelarguments.h"
#include "output.h"
#include "session/loadedmodel.h"

#include <algorithm>
#include <numeric>

namespace kvasir::cli {
namespace {

/// One line of the result: `prompt` tokens read or `generate` tokens made by each of `sequences`, behind `depth`
/// tokens.
struct Test {
    int prompt = 0;
    int generate = 0;
    int depth = 0;
    int sequences = 1;

    int tokens() const { return prompt + generate; }
    std::string name() const
    {
        std::string text = prompt > 0 ? "pp" : "tg";
        text += std::to_string(tokens());
        if (sequences > 1) {
            text.append("x").append(std::to_string(sequences));
        }
        if (depth > 0) {
            text.append("@d").append(std::to_string(depth));
        }
        return text;
    }
};

struct Measured {
    std::vector<double> tokensPerSecond; // of each repetition
    std::vector<double> stepMilliseconds;
    double tokens = 0;
    double seconds = 0;
    double bytesRead = 0;
    double operations = 0;
};

Result<std::vector<Test>> readTests(const Arguments& arguments)
{
    const auto prompts = arguments.integers("--prompt", {512}, 0, 1 << 20);
    KVASIR_TRY(prompts);
    const auto generates = arguments.integers("--generate", {128}, 0, 1 << 20);
    KVASIR_TRY(generates);
    const auto depths = arguments.integers("--depth", {0}, 0, 1 << 22);
    KVASIR_TRY(depths);
    const auto batches = arguments.integers("--batch", {1}, 1, 256);
    KVASIR_TRY(batches);
    std::vector<Test> tests;
    for (const int depth : *depths) {
        for (const int batch : *batches) {
            for (const int prompt : *prompts) {
                tests.push_back({prompt, 0, depth, batch});
            }
            for (const int generate : *generates) {
                tests.push_back({0, generate, depth, batch});
            }
        }
    }
    std::erase_if(tests, [](const Test& test) { return test.tokens() == 0; });
    if (tests.empty()) {
        return fail(
            ErrorCode::BadArgument, "nothing to measure: -p and -n are both 0", {{"what", "-p"}, {"value", "0"}});
    }
    return tests;
}

Result<HardwareLimits> hardwareLimits(int threads)
{
    if (auto kept = loadLimits(limitsPath(), threads)) {
        return kept;
    }
    const HardwareLimits limits = measureLimits(threads, isInterrupted);
    if (isInterrupted()) {
        return fail(ErrorCode::Cancelled, "cancelled");
    }
    (void)saveLimits(limitsPath(), limits); // measured again next time where it can not be kept
    return limits;
}

/// Runs tests on the bare model: no tokenizer, no sampling, random tokens.
class Bench {
public:
    /// Room for `sequences` of `context` tokens, each with a copy of the block where its depth ends.
    Bench(LoadedModel& loaded, int sequences, int context)
        : m_loaded(loaded)
        , m_pool(loaded.model->kvShape(), sequences * ((context + kBlockTokens - 1) / kBlockTokens + 1), loaded.ledger)
        , m_vocabulary(static_cast<uint32_t>(loaded.summary.vocabulary))
    {
    }

    Result<Measured> measure(const Test& test, int repetitions)
    {
        std::vector<BlockTable> behind;
        for (int i = 0; i < test.sequences; ++i) {
            behind.emplace_back(m_pool);
            Measured ignored;
            KVASIR_TRY(read(behind.back(), test.depth, ignored));
        }
        Measured measured;
        for (int repetition = -1; repetition < repetitions; ++repetition) { // the first one warms up
            Measured once;
            KVASIR_TRY(runOnce(test, behind, once));
            if (repetition >= 0) {
                add(once, measured);
            }
        }
        return measured;
    }

private:
    Result<void> runOnce(const Test& test, const std::vector<BlockTable>& behind, Measured& measured)
    {
        std::vector<BlockTable> tables;
        for (const BlockTable& table : behind) {
            tables.push_back(table.fork());
        }
        for (BlockTable& table : tables) {
            KVASIR_TRY(read(table, test.prompt, measured));
        }
        const int logitsRow = 0;
        for (int i = 0; i < test.generate; ++i) {
            const std::vector<TokenId> tokens = randomTokens(test.sequences);
            std::vector<SequenceRows> rows;
            for (size_t sequence = 0; sequence < tables.size(); ++sequence) {
                rows.push_back({&tables[sequence], std::span(tokens).subspan(sequence, 1), std::span(&logitsRow, 1)});
            }
            KVASIR_TRY(step(rows, measured));
        }
        return {};
    }

    /// A prompt in steps of the model's size; the logits of its last token only.
    Result<void> read(BlockTable& table, int count, Measured& measured)
    {
        const std::vector<TokenId> tokens = randomTokens(count);
        const int most = m_loaded.model->options().stepTokens;
        for (int start = 0; start < count; start += most) {
            const int rows = std::min(most, count - start);
            const int last = rows - 1;
            const SequenceRows sequence{&table,
                std::span(tokens).subspan(static_cast<size_t>(start), static_cast<size_t>(rows)),
                start + rows == count ? std::span(&last, 1) : std::span<const int>()};
            KVASIR_TRY(step(std::span(&sequence, 1), measured));
        }
        return {};
    }

    Result<void> step(std::span<const SequenceRows> rows, Measured& measured)
    {
        if (isInterrupted()) {
            return fail(ErrorCode::Cancelled, "cancelled");
        }
        StepRecord record;
        const TimePoint start = Clock::now();
        KVASIR_TRY(m_loaded.model->forward(rows, record));
        const double seconds = toSeconds(Clock::now() - start);
        measured.stepMilliseconds.push_back(1000 * seconds);
        measured.seconds += seconds;
        measured.bytesRead += static_cast<double>(record.bytesRead);
        measured.operations += static_cast<double>(record.operations);
        for (const SequenceRows& sequence : rows) {
            measured.tokens += static_cast<double>(sequence.tokens.size());
        }
        return {};
    }

    static void add(const Measured& once, Measured& all)
    {
        all.tokensPerSecond.push_back(once.tokens / once.seconds);
        all.stepMilliseconds.insert(
            all.stepMilliseconds.end(), once.stepMilliseconds.begin(), once.stepMilliseconds.end());
        all.tokens += once.tokens;
        all.seconds += once.seconds;
        all.bytesRead += once.bytesRead;
        all.operations += once.operations;
    }

    std::vector<TokenId> randomTokens(int count)
    {
        std::vector<TokenId> tokens(static_cast<size_t>(count));
        for (TokenId& token : tokens) {
            m_random = m_random * 6364136223846793005u + 1442695040888963407u; // Knuth's MMIX generator
            token = static_cast<TokenId>((m_random >> 33) % m_vocabulary);
        }
        return tokens;
    }

    LoadedModel& m_loaded;
    BlockPool m_pool;
    uint32_t m_vocabulary;
    uint64_t m_random = 1;
};

/// Which of the machine's peaks bounds this model: whole numbers, unless the weights are stored as floats.
double arithmeticPeak(const ModelSummary& summary, const HardwareLimits& limits)
{
    const bool floats = summary.weightsName == "F32" || summary.weightsName == "F16" || summary.weightsName == "BF16";
    return floats ? limits.fp32OperationsPerSecond : limits.int8OperationsPerSecond;
}

Json result(const Test& test, const Measured& measured, const LoadedModel& loaded, const HardwareLimits& limits)
{
    const Percentiles rates = percentiles(measured.tokensPerSecond);
    const auto share = [&](double amount, double peak) { return peak > 0 ? amount / measured.seconds / peak : 0.0; };
    return {{"test", test.name()}, {"model", loaded.summary.name}, {"weights", loaded.summary.weightsName},
        {"threads", loaded.summary.threads}, {"repetitions", measured.tokensPerSecond.size()},
        {"tokens_per_second", {{"median", rates.p50}, {"min", rates.minimum}, {"max", rates.maximum}}},
        {"step_ms", percentiles(measured.stepMilliseconds).p50},
        {"bytes_read_per_token", measured.bytesRead / measured.tokens},
        {"mbu", share(measured.bytesRead, limits.readBytesPerSecond)},
        {"mfu", share(measured.operations, arithmeticPeak(loaded.summary, limits))},
        {"memory", memoryJson(loaded.ledger.use())}};
}

std::vector<std::string> row(const Json& result)
{
    const Json& rate = result["tokens_per_second"];
    return {result["test"].get<std::string>(), rateText(rate["median"].get<double>(), "tok/s"),
        rateText(rate["min"].get<double>(), "tok/s"), rateText(rate["max"].get<double>(), "tok/s"),
        millisecondsText(result["step_ms"].get<double>()), bytesText(result["bytes_read_per_token"].get<double>()),
        fixed(100 * result["mbu"].get<double>(), 1) + " %", fixed(100 * result["mfu"].get<double>(), 1) + " %"};
}

Result<void> run(const Arguments& arguments)
{
    const auto tests = readTests(arguments);
    KVASIR_TRY(tests);
    const auto repetitions = arguments.integer("--repetitions", 5, 1, 10000);
    KVASIR_TRY(repetitions);
    auto options = engineOptions(arguments);
    KVASIR_TRY(options);
    int context = 1;
    options->sequences = 1;
    for (const Test& test : *tests) {
        context = std::max(context, test.depth + test.tokens());
        options->sequences = std::max(options->sequences, test.sequences);
    }
    if (options->context == 0) {
        options->context = context;
    }
    const auto path = modelPath(arguments);
    KVASIR_TRY(path);
    const auto limits = hardwareLimits(options->threads);
    KVASIR_TRY(limits);
    ProgressLine progress(arguments.has("--progress"));
    const auto loaded = loadModel(*path, *options, [&](double fraction) {
        progress.show("loading", fraction);
        return !isInterrupted();
    });
    progress.clear();
    KVASIR_TRY(loaded);
    if ((*loaded)->summary.context < context) {
        return fail(ErrorCode::OutOfMemory,
            "the tests need " + std::to_string(context) + " tokens a sequence, the context holds "
                + std::to_string((*loaded)->summary.context),
            {{"what", "context"}, {"need", std::to_string(context)},
                {"have", std::to_string((*loaded)->summary.context)}});
    }

    (*loaded)->model->settle();
    Bench bench(**loaded, options->sequences, context);
    std::vector<std::vector<std::string>> rows{{"test", "median", "min", "max", "step", "read a token", "MBU", "MFU"}};
    for (size_t i = 0; i < tests->size(); ++i) {
        const Test& test = (*tests)[i];
        progress.show(test.name(), static_cast<double>(i) / static_cast<double>(tests->size()));
        const auto measured = bench.measure(test, *repetitions);
        progress.clear();
        KVASIR_TRY(measured);
        const Json line = result(test, *measured, **loaded, *limits);
        if (arguments.has("--json")) {
            KVASIR_TRY(printJson(line));
        } else {
            rows.push_back(row(line));
        }
    }
    if (arguments.has("--json")) {
        return {};
    }
    const ModelSummary& summary = (*loaded)->summary;
    return print(summary.name + ", " + summary.weightsName + ", " + std::to_string(summary.threads) + " threads, "
        + summary.instructionSet + "\n" + table(rows));
}

} // namespace

Command benchCommand()
{
    return {"bench", "speed of prefill and decode, without tokenization and sampling", "",
        withModelOptions({
            {"--prompt", "-p", "LIST", "prompt lengths (default 512); 0: none", true},
            {"--generate", "-n", "LIST", "tokens to generate (default 128); 0: none", true},
            {"--depth", "-d", "LIST", "tokens already in the context (default 0)", true},
            {"--batch", "-b", "LIST", "sequences at once (default 1)", true},
            {"--repetitions", "-r", "N", "how often each test runs (default 5)"},
        }),
        0, run};
}

} // namespace kvasir::cli
