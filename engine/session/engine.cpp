#include "session/engine.h"

#include "session/localengine.h"
#include "session/memoryplan.h"
#include "session/openmodel.h"

#include <exception>
#include <new>

namespace kvasir {
namespace {

/// The engine's border: what a library throws, or a failing allocation, becomes an error.
template <class T, class F> Result<T> guarded(F work)
{
    try {
        return work();
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::OutOfMemory, "out of memory", {{"what", "model"}});
    } catch (const std::exception& exception) {
        return fail(ErrorCode::Internal, exception.what(), {{"what", exception.what()}});
    }
}

} // namespace

Result<std::unique_ptr<Engine>> Engine::load(
    const std::string& path, const EngineOptions& options, const LoadProgress& progress)
{
    return guarded<std::unique_ptr<Engine>>([&]() -> Result<std::unique_ptr<Engine>> {
        auto loaded = loadModel(path, options, progress);
        KVASIR_TRY(loaded);
        return std::unique_ptr<Engine>(std::make_unique<LocalEngine>(std::move(loaded).value()));
    });
}

Result<MemoryUse> Engine::plan(const std::string& path, const EngineOptions& options)
{
    return guarded<MemoryUse>([&]() -> Result<MemoryUse> {
        const auto file = openModel(path);
        KVASIR_TRY(file);
        const auto plan = planFittingMemory(*file, options);
        KVASIR_TRY(plan);
        return plan->use;
    });
}

} // namespace kvasir
