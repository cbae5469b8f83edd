#pragma once

#include "base/result.h"
#include "cache/blockpool.h"
#include "measure/ledger.h"
#include "model/model.h"
#include "session/engine.h"

#include <string>

namespace kvasir {

class ModelFile;

/// What a model will take, found by running the loading code on a dry ledger. KvReserved and KvUsed are those of one
/// sequence that fills its context.
struct MemoryPlan {
    MemoryUse use;
    ModelOptions options; ///< for Model::load(); holds the context
    KvShape kvShape;
    int poolBlocks = 0; ///< `sequences` full contexts, as far as the memory goes, and at least one
    int trainedContext = 0;
    std::string contextReason; ///< as in ModelSummary
    size_t budget = 0;         ///< bytes that there are
    bool fits = false;
};

/// Bytes that this process may still take, some left for everything that the ledger does not see.
size_t memoryBudget();

/// Plans exactly `options.context` tokens (0: those that the model was trained for), whether they fit or not.
/// Errors: those of Model::load; Unsupported for precisions that this build does not have.
Result<MemoryPlan> planMemory(const ModelFile& file, const EngineOptions& options);

/// The same with as much of the context as fits, and the reason where it is less than asked for.
/// Error: OutOfMemory (need, have) where not even kLeastContext tokens fit.
Result<MemoryPlan> planFittingMemory(const ModelFile& file, const EngineOptions& options);

/// A context shorter than this is no conversation (or the model's own, where that is shorter still).
inline constexpr int kLeastContext = 256;

} // namespace kvasir
