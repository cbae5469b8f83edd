#include "model/model.h"

#include "base/threadpool.h"
#include "cpu/kernels.h"
#include "files/modelfile.h"
#include "model/forwardpass.h"
#include "model/weights.h"
#include "model/workspace.h"

#include <algorithm>
#include <string>

namespace kvasir {

struct Model::Parts {
    ModelConfig config;
    ModelOptions options;
    KvShape kv;
    Weights weights;
    Workspace space;
    std::unique_ptr<ForwardPass> pass; ///< null on a dry ledger
};

namespace {

Failure badArgument(const char* what, int value, const std::string& detail)
{
    return fail(ErrorCode::BadArgument, detail, {{"what", what}, {"value", std::to_string(value)}});
}

Result<void> checkOptions(const ModelOptions& options)
{
    for (TensorType type : {options.keys, options.values}) {
        if (type != TensorType::F16 && type != TensorType::F32) {
            return fail(ErrorCode::Unsupported,
                "Kvasir does not support a KV cache of type " + std::string(tensorTypeName(type)),
                {{"what", "KV cache type"}, {"name", std::string(tensorTypeName(type))}});
        }
    }
    if (options.stepTokens < 1 || options.logitRows < 1 || options.maxSequences < 1 || options.context < 1) {
        return badArgument("model options", 0, "A step needs at least one row, one logit row and one sequence");
    }
    return {};
}

} // namespace

Model::Model(std::unique_ptr<Parts> parts)
    : m_parts(std::move(parts))
{
}

Model::~Model() = default;

Result<std::unique_ptr<Model>> Model::load(const ModelFile& file, const ModelOptions& options, MemoryLedger& ledger,
    ThreadPool& threads, const std::function<bool(double)>& progress)
{
    return make(file, options, ledger, &threads, threads.threads(), progress);
}

Result<std::unique_ptr<Model>> Model::plan(
    const ModelFile& file, const ModelOptions& options, MemoryLedger& dryLedger, int threads)
{
    if (!dryLedger.isDry()) {
        return fail(
            ErrorCode::Internal, "A plan needs a dry ledger", {{"what", "Model::plan() on a ledger that counts"}});
    }
    return make(file, options, dryLedger, nullptr, threads, {});
}

Result<std::unique_ptr<Model>> Model::make(const ModelFile& file, const ModelOptions& options, MemoryLedger& ledger,
    ThreadPool* threads, int threadCount, const std::function<bool(double)>& progress)
{
    KVASIR_TRY(checkOptions(options));
    auto parts = std::make_unique<Parts>();
    parts->options = options;
    auto config = readModelConfig(file);
    KVASIR_TRY(config);
    parts->config = *std::move(config);
    if (parts->config.longRope.dimensions > 0 && options.context > parts->config.originalContext) {
        parts->config.ropes.front() = parts->config.longRope;
    }
    const ModelConfig& read = parts->config;
    parts->kv = {read.layers, read.kvHeads, {options.keys, options.values, read.headSize}};
    auto weights = Weights::load(file, read, ledger, threads, progress);
    KVASIR_TRY(weights);
    parts->weights = *std::move(weights);
    auto space = Workspace::allocate(read, parts->weights, parts->kv.head,
        {options.stepTokens, options.logitRows, threadCount, options.context}, ledger);
    KVASIR_TRY(space);
    parts->space = *std::move(space);
    if (!ledger.isDry()) {
        parts->pass = std::make_unique<ForwardPass>(read, parts->weights, parts->space, parts->kv,
            cpu::kernelsFor(options.instructionSet), *threads, options.stepTokens);
    }
    return std::unique_ptr<Model>(new Model(std::move(parts)));
}

const ModelConfig& Model::config() const
{
    return m_parts->config;
}

const ModelOptions& Model::options() const
{
    return m_parts->options;
}

KvShape Model::kvShape() const
{
    return m_parts->kv;
}

uint64_t Model::parameters() const
{
    return m_parts->config.parameters;
}

size_t Model::weightBytes() const
{
    return m_parts->weights.bytes();
}

size_t Model::weightBytesPerToken() const
{
    const Weights& weights = m_parts->weights;
    return weights.layerBytes() + weights.expertBytes() + weights.headBytes() + weights.embeddingRowBytes();
}

void Model::settle() const
{
    m_parts->weights.settle();
}

uint64_t Model::operationsPerToken() const
{
    const Weights& weights = m_parts->weights;
    return weights.layerOperations() + weights.expertOperations() + weights.headOperations();
}

Result<std::span<const float>> Model::forward(std::span<const SequenceRows> sequences, StepRecord& record)
{
    if (!m_parts->pass) {
        return fail(ErrorCode::Internal, "A planned model can not run", {{"what", "forward() on a dry ledger"}});
    }
    const ModelConfig& config = m_parts->config;
    const ModelOptions& options = m_parts->options;
    size_t rowCount = 0;
    size_t wantedCount = 0;
    for (size_t i = 0; i < sequences.size(); ++i) {
        const SequenceRows& sequence = sequences[i];
        if (sequence.tokens.empty()) {
            return badArgument("tokens", 0, "A sequence takes part in a step with at least one token");
        }
        for (TokenId token : sequence.tokens) {
            if (token < 0 || token >= config.vocabulary) {
                return badArgument("token", token,
                    "Token " + std::to_string(token) + " is outside the vocabulary of "
                        + std::to_string(config.vocabulary));
            }
        }
        for (int row : sequence.wanted) {
            if (row < 0 || row >= static_cast<int>(sequence.tokens.size())) {
                return badArgument("wanted", row, "Logits of a row that is not in the step were asked for");
            }
        }
        for (size_t k = 0; k < i; ++k) {
            if (sequences[k].table == sequence.table) {
                return badArgument("sequence", static_cast<int>(i), "A sequence can take part in a step once");
            }
        }
        const int length = sequence.table->length() + static_cast<int>(sequence.tokens.size());
        if (length > options.context) {
            return fail(ErrorCode::ContextTooSmall,
                "The sequence needs " + std::to_string(length) + " positions, the context has "
                    + std::to_string(options.context),
                {{"need", std::to_string(length)}, {"have", std::to_string(options.context)}});
        }
        rowCount += sequence.tokens.size();
        wantedCount += sequence.wanted.size();
    }
    if (sequences.size() > static_cast<size_t>(options.maxSequences)
        || rowCount > static_cast<size_t>(options.stepTokens) || wantedCount > static_cast<size_t>(options.logitRows)) {
        return badArgument("rows", static_cast<int>(rowCount), "The step is larger than the model was loaded for");
    }
    for (const SequenceRows& sequence : sequences) {
        KVASIR_TRY(sequence.table->reserve(sequence.table->length() + static_cast<int>(sequence.tokens.size())));
    }

    std::vector<StepRow>& rows = m_parts->pass->rows();
    std::vector<int>& wanted = m_parts->pass->wanted();
    rows.clear();
    wanted.clear();
    for (size_t i = 0; i < sequences.size(); ++i) {
        const SequenceRows& sequence = sequences[i];
        for (int row : sequence.wanted) {
            wanted.push_back(static_cast<int>(rows.size()) + row);
        }
        int position = sequence.table->length();
        for (TokenId token : sequence.tokens) {
            rows.push_back({token, position++, sequence.table->data().data(), static_cast<int>(i)});
        }
    }
    if (rows.empty()) {
        return std::span<const float>();
    }
    const bool finite = m_parts->pass->run(record);
    const Weights& weights = m_parts->weights;
    record.rows += static_cast<int>(rows.size());
    record.bytesRead +=
        weights.layerBytes() + weights.embeddingRowBytes() * rows.size() + (wanted.empty() ? 0 : weights.headBytes());
    record.operations += (weights.layerOperations() + weights.expertOperations()) * rows.size()
        + weights.headOperations() * wanted.size();
    m_parts->pass->countAttention(record);
    if (!finite) {
        return fail(ErrorCode::NotFinite, "The model gave a logit that is not a finite number", {{"what", "logits"}});
    }
    for (const SequenceRows& sequence : sequences) {
        sequence.table->advance(static_cast<int>(sequence.tokens.size()));
    }
    return std::span<const float>(m_parts->space.logits, wanted.size() * static_cast<size_t>(config.vocabulary));
}

} // namespace kvasir
