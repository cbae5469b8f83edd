#pragma once

#include "arguments.h"
#include "files/modelfile.h"
#include "output.h"
#include "session/engine.h"

#include <memory>
#include <string>
#include <vector>

namespace kvasir::cli {

/// The options that every command has which loads a model, followed by the command's own.
std::vector<Option> withModelOptions(std::vector<Option> own);
std::vector<Option> withSamplingOptions(std::vector<Option> own);

/// The model that was named, or the starter model. FileNotFound where that is not installed.
Result<std::string> modelPath(const Arguments& arguments);
Result<ModelFile> openModelFile(const Arguments& arguments);

Result<EngineOptions> engineOptions(const Arguments& arguments);
/// Without --seed each run has its own.
Result<SamplingSettings> samplingSettings(const Arguments& arguments);
/// --threads, or the machine's physical cores.
Result<int> threadCount(const Arguments& arguments);

/// Loads with a progress line; Ctrl+C cancels. Says on a terminal why the context is shorter than the model's.
Result<std::unique_ptr<Engine>> loadEngine(const Arguments& arguments);
Result<std::unique_ptr<Engine>> loadEngine(const Arguments& arguments, const EngineOptions& options);

/// `--ids`: at least one token id.
Result<std::vector<TokenId>> tokenIds(const Arguments& arguments);

/// Whole files; "-" is standard input.
Result<std::string> readText(const std::string& path);
/// A file of JSON.
Result<Json> readJson(const std::string& path);
/// Where the user's measurements are kept; the folder exists when it returns.
std::string limitsPath();

} // namespace kvasir::cli
