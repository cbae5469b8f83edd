#include "measure/limits.h"

#include "command.h"
#include "interrupt.h"
#include "measure/systemmemory.h"
#include "modelarguments.h"
#include "output.h"

namespace kvasir::cli {
namespace {

Result<void> run(const Arguments& arguments)
{
    const auto threads = threadCount(arguments);
    KVASIR_TRY(threads);
    HardwareLimits limits;
    if (const auto kept = loadLimits(limitsPath(), *threads); kept && arguments.has("--kept")) {
        limits = *kept;
    } else {
        limits = measureLimits(*threads, isInterrupted);
        if (isInterrupted()) {
            return fail(ErrorCode::Cancelled, "cancelled");
        }
        if (const auto saved = saveLimits(limitsPath(), limits); !saved && standardErrorIsTerminal()) {
            note("not kept: " + saved.error().detail + "\n");
        }
    }
    if (arguments.has("--json")) {
        const Json cpu{{"device", "cpu"}, {"name", limits.processor}, {"threads", limits.threads},
            {"instruction_set", limits.instructionSet}, {"read_bytes_per_second", limits.readBytesPerSecond},
            {"int8_operations_per_second", limits.int8OperationsPerSecond},
            {"fp32_operations_per_second", limits.fp32OperationsPerSecond}, {"disturbed", limits.disturbed},
            {"memory_total", systemMemory().total}};
        return printJson({{"devices", Json::array({cpu})}});
    }
    return print(
        table({{"device", "threads", "instructions", "read", "int8", "fp32"},
            {"cpu", std::to_string(limits.threads), limits.instructionSet, rateText(limits.readBytesPerSecond, "B/s"),
                rateText(limits.int8OperationsPerSecond, "OPS"), rateText(limits.fp32OperationsPerSecond, "FLOPS")}})
        + limits.processor + "\n"
        + (limits.disturbed ? "other programs were busy meanwhile: the machine can do more, and this is not kept\n"
                            : ""));
}

} // namespace

Command limitsCommand()
{
    return {"limits", "what this machine reads and computes at most, measured", "",
        {
            {"--threads", "-t", "N", "CPU threads; the physical cores"},
            {"--kept", nullptr, nullptr, "show the kept measurement where there is one"},
            {"--json", nullptr, nullptr, "machine-readable output"},
        },
        0, run};
}

} // namespace kvasir::cli
