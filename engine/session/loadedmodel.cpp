#include "session/loadedmodel.h"

#include "cpu/instructionset.h"
#include "session/memoryplan.h"
#include "session/openmodel.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>

namespace kvasir {
namespace {

// Share of the progress that the tokenizer is worth: Gemma's takes a sixth of the loading time.
constexpr double kTokenizerShare = 0.1;

/// The name that people know the file's mixture of types by. `general.file_type` is llama.cpp's number for it.
std::string weightsName(const ModelFile& file)
{
    static const std::map<uint64_t, const char*> kNames{{0, "F32"}, {1, "F16"}, {2, "Q4_0"}, {3, "Q4_1"}, {7, "Q8_0"},
        {8, "Q5_0"}, {9, "Q5_1"}, {10, "Q2_K"}, {11, "Q3_K_S"}, {12, "Q3_K_M"}, {13, "Q3_K_L"}, {14, "Q4_K_S"},
        {15, "Q4_K_M"}, {16, "Q5_K_S"}, {17, "Q5_K_M"}, {18, "Q6_K"}, {21, "Q2_K_S"}, {25, "IQ4_NL"}, {30, "IQ4_XS"},
        {32, "BF16"}, {36, "TQ1_0"}, {37, "TQ2_0"}, {38, "MXFP4"}};
    if (const auto type = file.u64("general.file_type", std::numeric_limits<uint64_t>::max())) {
        if (const auto name = kNames.find(*type); name != kNames.end()) {
            return name->second;
        }
    }
    std::map<TensorType, size_t> bytes;
    for (const StoredTensor& tensor : file.tensors()) {
        bytes[tensor.type] += tensor.bytes;
    }
    const auto most =
        std::max_element(bytes.begin(), bytes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == bytes.end() ? std::string() : std::string(tensorTypeName(most->first));
}

void readChat(const ModelFile& file, LoadedModel& loaded)
{
    const auto stored = file.string("tokenizer.chat_template", std::string_view());
    loaded.chat = readChatSetup(stored ? *stored : std::string_view(), *loaded.tokenizer);
    loaded.summary.templateOrigin = loaded.chat.origin;
    loaded.summary.templateName = loaded.chat.name;
    loaded.summary.templateError = loaded.chat.error;
}

void summarize(const ModelFile& file, const MemoryPlan& plan, LoadedModel& loaded)
{
    const ModelConfig& config = loaded.model->config();
    ModelSummary& summary = loaded.summary;
    summary.name = config.name.empty() ? std::filesystem::path(file.path()).filename().string() : config.name;
    summary.architecture = config.architecture;
    summary.weightsName = weightsName(file);
    summary.parameters = loaded.model->parameters();
    summary.layers = config.layers;
    summary.vocabulary = config.vocabulary;
    summary.trainedContext = config.trainedContext;
    summary.context = plan.options.context;
    summary.contextReason = plan.contextReason;
    summary.weightBytes = loaded.model->weightBytes();
    summary.kvBytesPerToken = loaded.model->kvShape().tokenBytes();
    summary.weightBytesPerToken = loaded.model->weightBytesPerToken();
    summary.operationsPerToken = loaded.model->operationsPerToken();
    summary.threads = loaded.threads->threads();
    summary.instructionSet = cpu::instructionSetName(plan.options.instructionSet);
}

} // namespace

Result<std::unique_ptr<LoadedModel>> loadModel(
    const std::string& path, const EngineOptions& options, const LoadProgress& progress)
{
    const auto tell = [&](double fraction) { return !progress || progress(fraction); };
    const auto cancelled = [] { return fail(ErrorCode::Cancelled, "loading was cancelled"); };
    if (!tell(0)) {
        return cancelled();
    }
    const auto file = openModel(path);
    KVASIR_TRY(file);
    const auto plan = planFittingMemory(*file, options);
    KVASIR_TRY(plan);

    auto loaded = std::make_unique<LoadedModel>();
    auto threads = ThreadPool::create({options.threads > 0 ? options.threads : physicalCores(), options.niceness});
    KVASIR_TRY(threads);
    loaded->threads = std::move(threads).value();
    auto tokenizer = makeTokenizer(*file);
    KVASIR_TRY(tokenizer);
    loaded->tokenizer = std::move(tokenizer).value();
    readChat(*file, *loaded);
    if (!tell(kTokenizerShare)) {
        return cancelled();
    }
    auto model = Model::load(*file, plan->options, loaded->ledger, *loaded->threads,
        [&](double fraction) { return tell(kTokenizerShare + (1 - kTokenizerShare) * fraction); });
    KVASIR_TRY(model);
    loaded->model = std::move(model).value();
    if (loaded->tokenizer->vocabularySize() != loaded->model->config().vocabulary) {
        return fail(ErrorCode::Malformed,
            path + ": the tokenizer knows " + std::to_string(loaded->tokenizer->vocabularySize())
                + " tokens, the weights " + std::to_string(loaded->model->config().vocabulary),
            {{"path", path}, {"what", "vocabulary"}});
    }
    loaded->pool = std::make_unique<BlockPool>(loaded->model->kvShape(), plan->poolBlocks, loaded->ledger);
    summarize(*file, *plan, *loaded);
    return loaded;
}

} // namespace kvasir
