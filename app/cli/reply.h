#pragma once

#include "output.h"
#include "session/engine.h"

#include <functional>
#include <string>
#include <vector>

namespace kvasir::cli {

/// What came of one request.
struct Reply {
    std::vector<TokenId> tokens;
    std::string text;
    ReplyStats stats;
};

/// Called with each piece of text as it comes; an error stops the reply.
using TextSink = std::function<Result<void>(const std::string& text)>;

/// Submits the request and steps the engine until the reply is complete. Ctrl+C ends it as cancelled, which is a reply
/// too. Errors: those of Engine::submit and of the work itself; those of `sink`.
Result<Reply> runRequest(Engine& engine, GenerateRequest request, ProgressLine& progress, const TextSink& sink);

/// The token ids of a conversation, as the model's template puts it. Error: Unsupported where it has none.
Result<std::vector<TokenId>> renderChat(const Engine& engine, const Json& messages);

/// The contract's `timings` object.
Json timingsJson(const ReplyStats& stats);
/// The same in one line for people.
std::string statsLine(const ReplyStats& stats);

} // namespace kvasir::cli
