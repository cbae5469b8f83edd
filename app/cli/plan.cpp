#include "command.h"
#include "hollowmodel.h"
#include "modelarguments.h"
#include "output.h"
#include "session/memoryplan.h"

#include <optional>

namespace kvasir::cli {
namespace {

/// The one option that, changed alone, makes the model fit.
struct Change {
    std::string option;
    std::string value;
};

/// Looks for it in the order of what it costs the user least: first the cache's precision, then the context.
std::optional<Change> findChange(const ModelFile& file, const EngineOptions& options)
{
    if (options.keys == KvPrecision::Fp32 || options.values == KvPrecision::Fp32) {
        EngineOptions half = options;
        half.keys = half.values = KvPrecision::Fp16;
        if (const auto plan = planMemory(file, half); plan && plan->fits) {
            return Change{"--kv", "fp16"};
        }
    }
    if (const auto plan = planFittingMemory(file, options)) {
        return Change{"--context", std::to_string(plan->options.context)};
    }
    return std::nullopt;
}

Json planJson(const MemoryPlan& plan, const std::optional<Change>& change)
{
    Json json{{"context", plan.options.context}, {"weights", plan.use[MemoryTag::Weights]},
        {"kv", plan.use[MemoryTag::KvReserved]}, {"activations", plan.use[MemoryTag::Activations]},
        {"scratch", plan.use[MemoryTag::Scratch]}, {"logits", plan.use[MemoryTag::Logits]}, {"total", plan.use.total()},
        {"free", plan.budget}, {"fits", plan.fits}, {"change", nullptr}};
    if (change) {
        json["change"] = {{"option", change->option}, {"value", change->value}};
    }
    return json;
}

std::vector<std::string> planRow(const MemoryPlan& plan)
{
    const auto bytes = [&](MemoryTag tag) { return bytesText(static_cast<double>(plan.use[tag])); };
    return {countText(plan.options.context), bytes(MemoryTag::Weights), bytes(MemoryTag::KvReserved),
        bytes(MemoryTag::Activations), bytes(MemoryTag::Scratch), bytes(MemoryTag::Logits),
        bytesText(static_cast<double>(plan.use.total())), plan.fits ? "yes" : "no"};
}

std::string sentence(const MemoryPlan& plan, const std::optional<Change>& change)
{
    if (plan.fits) {
        return {};
    }
    const double missing = static_cast<double>(plan.use.total() - plan.budget);
    return countText(plan.options.context) + " tokens: " + bytesText(missing) + " too much; "
        + (change ? change->option + " " + change->value + " would make it fit"
                  : std::string("no single option makes it fit"))
        + "\n";
}

Result<void> planAll(const ModelFile& file, const EngineOptions& options, const std::vector<int>& contexts, bool json)
{
    Json plans = Json::array();
    std::vector<std::vector<std::string>> rows{
        {"context", "weights", "kv", "activations", "scratch", "logits", "total", "fits"}};
    std::string sentences;
    size_t budget = 0;
    for (const int context : contexts) {
        EngineOptions wanted = options;
        wanted.context = context;
        const auto plan = planMemory(file, wanted);
        KVASIR_TRY(plan);
        const auto change = plan->fits ? std::nullopt : findChange(file, wanted);
        plans.push_back(planJson(*plan, change));
        rows.push_back(planRow(*plan));
        sentences += sentence(*plan, change);
        budget = plan->budget;
    }
    if (json) {
        Json object = plans.front();
        object["plans"] = std::move(plans);
        return printJson(object);
    }
    return print(table(rows) + sentences + bytesText(static_cast<double>(budget)) + " free\n");
}

Result<void> run(const Arguments& arguments)
{
    const auto options = [&]() -> Result<EngineOptions> {
        auto read = engineOptions(arguments);
        KVASIR_TRY(read);
        const auto free = arguments.bytes("--free");
        KVASIR_TRY(free);
        read->memoryLimit = free->value_or(memoryBudget());
        if (read->memoryLimit == 0) {
            return fail(ErrorCode::BadArgument, "--free must be above 0", {{"what", "--free"}, {"value", "0"}});
        }
        return read;
    }();
    KVASIR_TRY(options);
    const auto contexts = arguments.integers("--context", {0}, 1, 1 << 24);
    KVASIR_TRY(contexts);
    const bool json = arguments.has("--json");
    if (!arguments.has("--shape")) {
        if (arguments.has("--type")) {
            return fail(ErrorCode::BadArgument, "--type needs --shape", {{"what", "--type"}});
        }
        const auto file = openModelFile(arguments);
        KVASIR_TRY(file);
        return planAll(*file, *options, *contexts, json);
    }
    if (arguments.has("--model")) {
        return fail(ErrorCode::BadArgument, "--shape stands instead of --model", {{"what", "--shape"}});
    }
    const auto shape = findModelShape(arguments.text("--shape"));
    KVASIR_TRY(shape);
    const auto type = arguments.has("--type") ? findTensorType(arguments.text("--type")) : TensorType::F16;
    KVASIR_TRY(type);
    const auto model = HollowModel::create(*shape, *type);
    KVASIR_TRY(model);
    return planAll((*model)->file(), *options, *contexts, json);
}

} // namespace

Command planCommand()
{
    std::vector<Option> options = withModelOptions({
        {"--free", nullptr, "BYTES", "memory to plan for, like 8GiB; what this machine has free"},
        {"--shape", nullptr, "NAME", "a published model instead of a file: llama-2-7b, llama-3.1-8b, qwen3-8b, ..."},
        {"--type", nullptr, "T", "how its weights are stored, with --shape: f16 (default), q8_0, q4_0, q4_k, ..."},
    });
    for (Option& option : options) {
        if (std::string_view(option.name) == "--context") {
            option.repeatable = true;
            option.help = "tokens a sequence; may be given several times, or as a list";
        }
    }
    return {"plan", "how much memory a model will take; reads no weights", "", std::move(options), 0, run};
}

} // namespace kvasir::cli
