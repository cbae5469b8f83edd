// How far one file's logits are from another's on the same text: what quantizing activations to int8 costs, where the
// reference holds the same weights as F32 and so meets float activations. Such a file is made by llama.cpp's
// `llama-quantize --allow-requantize MODEL.gguf REFERENCE.gguf F32` (tests/bench/compare_llama_cpp builds it).
// Usage: bench_fidelity REFERENCE MODEL TEXT [TOKENS]

#include "measure/statistics.h"
#include "session/engine.h"
#include "text/tokenizer.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

using namespace kvasir;

namespace {

/// Logits of `tokens` at all positions but the last, handed to `sink`.
Result<void> eachPosition(Engine& engine, const std::vector<TokenId>& tokens, const LogitsSink& sink)
{
    std::vector<int> positions(tokens.size() - 1);
    std::iota(positions.begin(), positions.end(), 0);
    return engine.logits(tokens, positions, sink);
}

/// log(sum(exp(x)))
double logSum(std::span<const float> x)
{
    const double top = *std::max_element(x.begin(), x.end());
    double sum = 0;
    for (float value : x) {
        sum += std::exp(value - top);
    }
    return top + std::log(sum);
}

size_t largest(std::span<const float> x)
{
    return static_cast<size_t>(std::max_element(x.begin(), x.end()) - x.begin());
}

Result<void> compare(const char* reference, const char* model, const std::string& text, size_t most)
{
    EngineOptions options;
    options.keys = options.values = KvPrecision::Fp32;
    options.sequences = 1;
    options.context = static_cast<int>(most);
    std::vector<TokenId> tokens;
    std::vector<float> wanted;
    {
        auto engine = Engine::load(reference, options);
        KVASIR_TRY(engine);
        tokens = (*engine)->tokenizer().encode(text, {.addSpecial = true});
        tokens.resize(std::min(tokens.size(), most));
        KVASIR_TRY(eachPosition(**engine, tokens, [&](int, std::span<const float> logits) {
            wanted.insert(wanted.end(), logits.begin(), logits.end());
            return true;
        }));
    }
    auto engine = Engine::load(model, options);
    KVASIR_TRY(engine);
    std::vector<double> divergences;
    double nll[2] = {0, 0};
    double deltas = 0;
    double squaredDeltas = 0;
    size_t sameTop = 0;
    KVASIR_TRY(eachPosition(**engine, tokens, [&](int position, std::span<const float> got) {
        const std::span want(wanted.data() + static_cast<size_t>(position) * got.size(), got.size());
        const double wantSum = logSum(want);
        const double gotSum = logSum(got);
        double divergence = 0;
        for (size_t i = 0; i < got.size(); i++) {
            const double logWant = want[i] - wantSum;
            divergence += std::exp(logWant) * (logWant - (got[i] - gotSum));
        }
        divergences.push_back(divergence);
        sameTop += largest(want) == largest(got);
        const TokenId next = tokens[static_cast<size_t>(position) + 1];
        const double logWant = want[next] - wantSum;
        const double logGot = got[next] - gotSum;
        nll[0] -= logWant;
        nll[1] -= logGot;
        const double delta = std::exp(logGot) - std::exp(logWant);
        deltas += delta;
        squaredDeltas += delta * delta;
        return true;
    }));
    const auto count = static_cast<double>(divergences.size());
    const double mean = std::accumulate(divergences.begin(), divergences.end(), 0.0) / count;
    const Percentiles spread = percentiles(divergences);
    std::printf("%s against %s, %zu tokens scored\n", model, reference, divergences.size());
    std::printf("KLD mean %.6f, p99 %.6f, max %.6f nats; same top token %.2f %%\n", mean, spread.p99, spread.maximum,
        100 * static_cast<double>(sameTop) / count);
    std::printf("probability of the true token: mean %+.4f %%, rms %.3f %%; perplexity %.4f, not %.4f (%+.3f %%)\n",
        100 * deltas / count, 100 * std::sqrt(squaredDeltas / count), std::exp(nll[1] / count),
        std::exp(nll[0] / count), 100 * (std::exp((nll[1] - nll[0]) / count) - 1));
    return {};
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 4) {
        std::fprintf(stderr, "usage: bench_fidelity REFERENCE MODEL TEXT [TOKENS]\n");
        return 2;
    }
    std::ifstream file(argv[3]);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    if (text.empty()) {
        std::fprintf(stderr, "bench_fidelity: cannot read %s\n", argv[3]);
        return 2;
    }
    const auto most = static_cast<size_t>(argc > 4 ? std::max(2, std::atoi(argv[4])) : 1024);
    const auto result = compare(argv[1], argv[2], text, most);
    if (!result) {
        std::fprintf(stderr, "bench_fidelity: %s\n", result.error().detail.c_str());
        return 1;
    }
    return 0;
}
