#include "modelarguments.h"

#include "base/threadpool.h"
#include "interrupt.h"
#include "output.h"
#include "session/openmodel.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <random>

namespace kvasir::cli {
namespace {

constexpr const char* kStarterModel = "SmolLM2-135M-Instruct.Q4_1.gguf";

std::filesystem::path userFolder(const char* variable, const char* underHome)
{
    if (const char* folder = std::getenv(variable); folder && *folder) {
        return std::filesystem::path(folder) / "kvasir";
    }
    const char* home = std::getenv("HOME");
    return std::filesystem::path(home ? home : "/") / underHome / "kvasir";
}

/// Which of `names` the option's value is.
Result<int> oneOf(std::string_view option, const std::string& value, std::span<const std::string_view> names)
{
    std::string all;
    for (size_t i = 0; i < names.size(); ++i) {
        if (value == names[i]) {
            return static_cast<int>(i);
        }
        all += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + std::string(names[i]);
    }
    return fail(ErrorCode::BadArgument, std::string(option) + " must be " + all + ", not '" + value + "'",
        {{"what", std::string(option)}, {"value", value}});
}

Failure notAvailable(const std::string& what)
{
    return fail(ErrorCode::Unsupported, what + " is not available yet", {{"what", "option"}, {"name", what}});
}

Result<void> readKvPrecision(const Arguments& arguments, EngineOptions& options)
{
    static constexpr std::array<std::string_view, 4> kNames{"fp32", "fp16", "int8", "int4"};
    if (!arguments.has("--kv")) {
        return {};
    }
    const std::string given = arguments.text("--kv");
    const size_t comma = given.find(',');
    const auto keys = oneOf("--kv", given.substr(0, comma), kNames);
    KVASIR_TRY(keys);
    const auto values = comma == std::string::npos ? keys : oneOf("--kv", given.substr(comma + 1), kNames);
    KVASIR_TRY(values);
    options.keys = static_cast<KvPrecision>(*keys);
    options.values = static_cast<KvPrecision>(*values);
    for (const int precision : {*keys, *values}) {
        if (precision >= static_cast<int>(KvPrecision::Int8)) {
            return notAvailable("--kv " + std::string(kNames[static_cast<size_t>(precision)]));
        }
    }
    return {};
}

} // namespace

std::vector<Option> withModelOptions(std::vector<Option> own)
{
    std::vector<Option> options{
        {"--model", "-m", "FILE", "GGUF file or Hugging Face folder; the starter model where it is left out"},
        {"--weights", nullptr, "P", "as-stored (later also fp32, fp16, int8, int4)"},
        {"--kv", nullptr, "P[,P]", "precision of the KV cache, or of K and V: fp16, fp32"},
        {"--context", "-c", "N", "tokens a sequence; the model's own, bounded by memory"},
        {"--device", nullptr, "D", "auto or cpu"},
        {"--threads", "-t", "N", "CPU threads; the physical cores"},
        {"--draft", nullptr, "D", "none (later also ngram, self-int4 or a model file)"},
        {"--json", nullptr, nullptr, "machine-readable output"},
        {"--progress", nullptr, nullptr, "tell progress on standard error, terminal or not"},
    };
    options.insert(options.end(), own.begin(), own.end());
    return options;
}

std::vector<Option> withSamplingOptions(std::vector<Option> own)
{
    std::vector<Option> options{
        {"--seed", nullptr, "N", "of the random numbers; a new one each time"},
        {"--temp", nullptr, "T", "temperature; 0 takes the most likely token (default 0.7)"},
        {"--top-k", nullptr, "N", "draw from the N most likely tokens; 0: off (default 40)"},
        {"--top-p", nullptr, "P", "draw from the most likely tokens that make up P; 1: off (default 0.95)"},
        {"--min-p", nullptr, "P", "leave out tokens below P times the most likely one; 0: off (default 0.05)"},
        {"--repeat-penalty", nullptr, "R", "divides the logits of the last 64 tokens; 1: off (default 1)"},
    };
    options.insert(options.end(), own.begin(), own.end());
    return options;
}

Result<std::string> modelPath(const Arguments& arguments)
{
    if (arguments.has("--model")) {
        return arguments.text("--model");
    }
    const std::filesystem::path starter = userFolder("XDG_DATA_HOME", ".local/share") / "models" / kStarterModel;
    std::error_code error;
    if (!std::filesystem::exists(starter, error)) {
        return fail(ErrorCode::FileNotFound,
            "the starter model is not installed (" + starter.string()
                + "); run ./installer/run to get it, or name a model with --model FILE",
            {{"path", starter.string()}});
    }
    return starter.string();
}

Result<ModelFile> openModelFile(const Arguments& arguments)
{
    const auto path = modelPath(arguments);
    KVASIR_TRY(path);
    return openModel(*path);
}

Result<int> threadCount(const Arguments& arguments)
{
    return arguments.integer("--threads", physicalCores(), 1, 1024);
}

Result<EngineOptions> engineOptions(const Arguments& arguments)
{
    static constexpr std::array<std::string_view, 5> kWeights{"as-stored", "fp32", "fp16", "int8", "int4"};
    EngineOptions options;
    if (arguments.has("--weights")) {
        const auto weights = oneOf("--weights", arguments.text("--weights"), kWeights);
        KVASIR_TRY(weights);
        if (*weights != 0) {
            return notAvailable("--weights " + arguments.text("--weights"));
        }
    }
    KVASIR_TRY(readKvPrecision(arguments, options));
    const std::string device = arguments.text("--device");
    if (device.starts_with("cuda")) {
        return notAvailable("--device " + device);
    }
    if (arguments.has("--device")) {
        static constexpr std::array<std::string_view, 2> kDevices{"auto", "cpu"};
        KVASIR_TRY(oneOf("--device", device, kDevices));
    }
    if (arguments.has("--draft") && arguments.text("--draft") != "none") {
        return notAvailable("--draft " + arguments.text("--draft"));
    }
    const auto context = arguments.integer("--context", 0, 1, 1 << 24);
    KVASIR_TRY(context);
    options.context = *context;
    const auto threads = threadCount(arguments);
    KVASIR_TRY(threads);
    options.threads = *threads;
    return options;
}

Result<SamplingSettings> samplingSettings(const Arguments& arguments)
{
    SamplingSettings settings;
    const auto temperature = arguments.number("--temp", settings.temperature);
    KVASIR_TRY(temperature);
    const auto topK = arguments.integer("--top-k", settings.topK, 0, 1 << 30);
    KVASIR_TRY(topK);
    const auto topP = arguments.number("--top-p", settings.topP);
    KVASIR_TRY(topP);
    const auto minP = arguments.number("--min-p", settings.minP);
    KVASIR_TRY(minP);
    const auto penalty = arguments.number("--repeat-penalty", settings.repetitionPenalty);
    KVASIR_TRY(penalty);
    const auto seed = arguments.natural("--seed", std::random_device()());
    KVASIR_TRY(seed);
    settings.temperature = *temperature;
    settings.topK = *topK;
    settings.topP = *topP;
    settings.minP = *minP;
    settings.repetitionPenalty = *penalty;
    settings.seed = *seed;
    return settings;
}

Result<std::unique_ptr<Engine>> loadEngine(const Arguments& arguments)
{
    const auto options = engineOptions(arguments);
    KVASIR_TRY(options);
    return loadEngine(arguments, *options);
}

Result<std::unique_ptr<Engine>> loadEngine(const Arguments& arguments, const EngineOptions& options)
{
    const auto path = modelPath(arguments);
    KVASIR_TRY(path);
    ProgressLine progress(arguments.has("--progress"));
    auto engine = Engine::load(*path, options, [&](double fraction) {
        progress.show("loading", fraction);
        return !isInterrupted();
    });
    progress.clear();
    KVASIR_TRY(engine);
    const ModelSummary& summary = (*engine)->summary();
    if (!summary.contextReason.empty() && (standardErrorIsTerminal() || arguments.has("--progress"))) {
        note("context: " + countText(summary.context) + " tokens (" + summary.contextReason + ")\n");
    }
    return engine;
}

Result<std::vector<TokenId>> tokenIds(const Arguments& arguments)
{
    if (!arguments.has("--ids") || arguments.text("--ids").empty()) {
        return fail(ErrorCode::BadArgument, "--ids needs token ids with commas between them, like --ids 1,2,3",
            {{"what", "--ids"}, {"value", ""}});
    }
    return arguments.integers("--ids", {}, 0, std::numeric_limits<TokenId>::max());
}

Result<std::string> readText(const std::string& path)
{
    errno = 0;
    std::FILE* file = path == "-" ? stdin : std::fopen(path.c_str(), "rb");
    const auto failed = [&](ErrorCode code) {
        const std::string reason = std::strerror(errno);
        return fail(code, path + ": " + reason, {{"path", path}, {"reason", reason}});
    };
    if (!file) {
        return failed(errno == ENOENT ? ErrorCode::FileNotFound : ErrorCode::FileUnreadable);
    }
    std::string text;
    std::array<char, 65536> part;
    while (const size_t count = std::fread(part.data(), 1, part.size(), file)) {
        text.append(part.data(), count);
    }
    const bool broken = std::ferror(file) != 0;
    const auto failure = failed(ErrorCode::FileUnreadable);
    if (file != stdin) {
        std::fclose(file);
    }
    if (broken) {
        return failure;
    }
    return text;
}

Result<Json> readJson(const std::string& path)
{
    const auto text = readText(path);
    KVASIR_TRY(text);
    Json value = Json::parse(*text, nullptr, false);
    if (value.is_discarded()) {
        return fail(ErrorCode::BadArgument, path + " is not JSON", {{"what", "JSON"}, {"value", path}});
    }
    return value;
}

std::string limitsPath()
{
    const std::filesystem::path folder = userFolder("XDG_CACHE_HOME", ".cache");
    std::error_code error; // what can not be made can not be written either, and that is told
    std::filesystem::create_directories(folder, error);
    return folder / "limits.json";
}

} // namespace kvasir::cli
