#pragma once

#include "base/threadpool.h"
#include "cache/blockpool.h"
#include "measure/ledger.h"
#include "model/model.h"
#include "session/engine.h"
#include "text/chatsetup.h"
#include "text/tokenizer.h"

#include <memory>
#include <string>

namespace kvasir {

/// A model with all that it needs to run, in the order in which the parts depend on each other. The engine drives it;
/// benchmarks use it bare.
struct LoadedModel {
    ModelSummary summary;
    MemoryLedger ledger;
    std::unique_ptr<ThreadPool> threads;
    std::unique_ptr<Tokenizer> tokenizer;
    ChatSetup chat;
    std::unique_ptr<Model> model;
    std::unique_ptr<BlockPool> pool; ///< for `sequences` full contexts, as far as the memory goes
};

/// Errors: those of openModel, makeTokenizer and Model::load; OutOfMemory; Unsupported; Cancelled.
Result<std::unique_ptr<LoadedModel>> loadModel(
    const std::string& path, const EngineOptions& options, const LoadProgress& progress);

} // namespace kvasir
