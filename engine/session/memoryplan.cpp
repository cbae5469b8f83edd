#include "session/memoryplan.h"

#include "base/threadpool.h"
#include "files/modelfile.h"
#include "measure/systemmemory.h"

#include <algorithm>
#include <limits>

namespace kvasir {
namespace {

Failure notAvailable(const std::string& what, const std::string& name)
{
    return fail(ErrorCode::Unsupported, what + " " + name + " is not available yet", {{"what", what}, {"name", name}});
}

Result<TensorType> kvType(KvPrecision precision)
{
    switch (precision) {
    case KvPrecision::Fp32:
        return TensorType::F32;
    case KvPrecision::Fp16:
        return TensorType::F16;
    case KvPrecision::Int8:
        return notAvailable("KV cache precision", "int8");
    case KvPrecision::Int4:
        return notAvailable("KV cache precision", "int4");
    }
    return TensorType::F16;
}

Result<ModelOptions> modelOptions(const EngineOptions& options)
{
    if (options.weights != WeightsPrecision::AsStored) {
        return notAvailable("weights precision", std::string(precisionName(options.weights)));
    }
    const auto keys = kvType(options.keys);
    KVASIR_TRY(keys);
    const auto values = kvType(options.values);
    KVASIR_TRY(values);
    if (options.context < 0 || options.context > kMaxContext) {
        return fail(ErrorCode::BadArgument,
            "the context must be between 1 and " + std::to_string(kMaxContext) + " tokens",
            {{"what", "context"}, {"value", std::to_string(options.context)}});
    }
    ModelOptions model;
    model.stepTokens = std::clamp(options.stepTokens, 1, 4096);
    model.maxSequences = std::clamp(options.sequences, 1, 256);
    model.logitRows = std::max(16, model.maxSequences);
    // A decode step needs a row for each sequence.
    model.stepTokens = std::max(model.stepTokens, model.maxSequences);
    model.keys = *keys;
    model.values = *values;
    return model;
}

int blocksFor(int tokens)
{
    return (tokens + kBlockTokens - 1) / kBlockTokens;
}

int poolBlocks(const MemoryPlan& plan, size_t fixedBytes)
{
    const size_t left = plan.budget - std::min(plan.budget, fixedBytes);
    const size_t affordable = left / std::max<size_t>(1, plan.kvShape.blockBytes());
    const auto context = static_cast<size_t>(blocksFor(plan.options.context));
    const size_t wanted = context * static_cast<size_t>(plan.options.maxSequences);
    constexpr size_t kMost = std::numeric_limits<BlockId>::max() / 2;
    return static_cast<int>(std::min(kMost, std::max(context, std::min(wanted, affordable))));
}

/// Work memory is for each thread, so that there must be as many as there will be.
Result<std::unique_ptr<ThreadPool>> planThreads(const EngineOptions& options)
{
    return ThreadPool::create({options.threads > 0 ? options.threads : physicalCores(), 0});
}

Result<void> planContext(const ModelFile& file, ThreadPool& threads, int context, MemoryPlan& plan)
{
    MemoryLedger ledger(true);
    plan.options.context = context;
    const auto model = Model::load(file, plan.options, ledger, threads);
    KVASIR_TRY(model);
    plan.kvShape = (*model)->kvShape();
    plan.poolBlocks = poolBlocks(plan, ledger.use().total());
    BlockPool pool(plan.kvShape, plan.poolBlocks, ledger);
    BlockTable table(pool);
    KVASIR_TRY(table.reserve(context));
    table.advance(context);
    plan.use = ledger.use();
    plan.fits = plan.use.total() <= plan.budget;
    return {};
}

Result<MemoryPlan> preparePlan(const ModelFile& file, const EngineOptions& options)
{
    const auto wanted = modelOptions(options);
    KVASIR_TRY(wanted);
    const auto config = readModelConfig(file);
    KVASIR_TRY(config);
    MemoryPlan plan;
    plan.options = *wanted;
    plan.trainedContext = config->trainedContext;
    plan.budget = options.memoryLimit > 0 ? options.memoryLimit : memoryBudget();
    return plan;
}

std::string tokens(int count)
{
    return std::to_string(count) + " tokens";
}

} // namespace

size_t memoryBudget()
{
    const size_t available = systemMemory().available;
    return available - available / 16;
}

Result<MemoryPlan> planMemory(const ModelFile& file, const EngineOptions& options)
{
    auto plan = preparePlan(file, options);
    KVASIR_TRY(plan);
    auto threads = planThreads(options);
    KVASIR_TRY(threads);
    const int context = options.context > 0 ? options.context : plan->trainedContext;
    KVASIR_TRY(planContext(file, **threads, std::max(1, context), *plan));
    return plan;
}

Result<MemoryPlan> planFittingMemory(const ModelFile& file, const EngineOptions& options)
{
    auto plan = preparePlan(file, options);
    KVASIR_TRY(plan);
    auto threads = planThreads(options);
    KVASIR_TRY(threads);
    const int asked = std::max(1, options.context > 0 ? options.context : plan->trainedContext);
    KVASIR_TRY(planContext(file, **threads, asked, *plan));
    if (!plan->fits) {
        // The memory grows with the context, so the longest that fits is found by halving.
        int fitting = 0;
        int tooLong = blocksFor(asked);
        const int least = std::min(tooLong, blocksFor(kLeastContext));
        KVASIR_TRY(planContext(file, **threads, std::min(asked, least * kBlockTokens), *plan));
        if (!plan->fits) {
            const std::string need = std::to_string(plan->use.total());
            const std::string have = std::to_string(plan->budget);
            return fail(ErrorCode::OutOfMemory,
                "out of memory: the model and a context of " + tokens(plan->options.context) + " need " + need
                    + " bytes, " + have + " are free",
                {{"what", "model"}, {"need", need}, {"have", have}});
        }
        fitting = least;
        while (tooLong - fitting > 1) {
            const int middle = fitting + (tooLong - fitting) / 2;
            KVASIR_TRY(planContext(file, **threads, middle * kBlockTokens, *plan));
            (plan->fits ? fitting : tooLong) = middle;
        }
        KVASIR_TRY(planContext(file, **threads, std::min(asked, fitting * kBlockTokens), *plan));
        plan->contextReason = tokens(asked) + " do not fit into the free memory";
    } else if (asked > plan->trainedContext) {
        plan->contextReason = "longer than the " + tokens(plan->trainedContext) + " that the model was trained for";
    } else if (asked < plan->trainedContext) {
        plan->contextReason = "as asked for; the model was trained for " + tokens(plan->trainedContext);
    }
    return plan;
}

} // namespace kvasir
