#include "command.h"
#include "interrupt.h"
#include "modelarguments.h"
#include "output.h"
#include "session/logitscan.h"
#include "text/tokenizer.h"

#include <cmath>
#include <numeric>

namespace kvasir::cli {
namespace {

/// -ln p(token) in nats.
double negativeLogLikelihood(std::span<const float> logits, TokenId token)
{
    LogitMaxima maxima;
    scanMaxima(logits, maxima);
    double sum = 0;
    for (const float logit : logits) {
        sum += std::exp(static_cast<double>(logit) - static_cast<double>(maxima.largest));
    }
    return std::log(sum) + static_cast<double>(maxima.largest)
        - static_cast<double>(logits[static_cast<size_t>(token)]);
}

Result<void> run(const Arguments& arguments)
{
    if (arguments.has("--against")) {
        return fail(
            ErrorCode::Unsupported, "--against is not available yet", {{"what", "option"}, {"name", "--against"}});
    }
    if (!arguments.has("--file")) {
        return fail(ErrorCode::BadArgument, "perplexity needs a text: -f FILE", {{"what", "--file"}, {"value", ""}});
    }
    const auto text = readText(arguments.text("--file"));
    KVASIR_TRY(text);
    auto options = engineOptions(arguments);
    KVASIR_TRY(options);
    options->sequences = 1;
    const auto engine = loadEngine(arguments, *options);
    KVASIR_TRY(engine);

    const std::vector<TokenId> tokens = (*engine)->tokenizer().encode(*text, {.addSpecial = true});
    if (tokens.size() < 2) {
        return fail(ErrorCode::BadArgument, "the text is too short: the first token is not scored",
            {{"what", "text"}, {"value", arguments.text("--file")}});
    }
    std::vector<int> positions(tokens.size() - 1);
    std::iota(positions.begin(), positions.end(), 0);
    double sum = 0;
    ProgressLine progress(arguments.has("--progress"));
    const TimePoint start = Clock::now();
    const auto done = (*engine)->logits(tokens, positions, [&](int position, std::span<const float> logits) {
        sum += negativeLogLikelihood(logits, tokens[static_cast<size_t>(position) + 1]);
        progress.show("scoring", (position + 1.0) / static_cast<double>(positions.size()));
        return !isInterrupted();
    });
    progress.clear();
    KVASIR_TRY(done);

    const auto scored = static_cast<double>(positions.size());
    const double mean = sum / scored;
    if (arguments.has("--json")) {
        return printJson({{"n_scored", positions.size()}, {"mean_nll", mean}, {"ppl", std::exp(mean)}});
    }
    return print("perplexity " + fixed(std::exp(mean), 4) + "\nmean negative log-likelihood " + fixed(mean, 5)
        + " nats over " + countText(scored) + " tokens in " + millisecondsText(toMilliseconds(Clock::now() - start))
        + "\n");
}

} // namespace

Command perplexityCommand()
{
    return {"perplexity", "how well the model foresees a text, in one context", "-f FILE",
        withModelOptions({
            {"--file", "-f", "FILE", "the text; - reads standard input"},
            {"--against", nullptr, "P", "a precision or model to compare with (later)"},
        }),
        0, run};
}

} // namespace kvasir::cli
