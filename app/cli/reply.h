#pragma once

#include "output.h"
#include "session/engine.h"
#include "text/replysplitter.h"

#include <functional>
#include <string>
#include <vector>

namespace kvasir::cli {

/// What came of one request.
struct Reply {
    std::vector<TokenId> tokens;
    std::string text; ///< as the tokens say it
    ReplyStats stats;
    // The same taken apart, in a chat.
    std::string reasoning;
    std::string answer;
    struct Call {
        std::string tool; ///< where a head names it
        std::string text;
    };
    std::vector<Call> calls;
};

/// Called with each piece of text as it comes; an error stops the reply.
using TextSink = std::function<Result<void>(const std::string& text)>;
/// The same with what it is for.
using PieceSink = std::function<Result<void>(const ReplyPiece& piece)>;

/// Submits the request and steps the engine until the reply is complete. Ctrl+C ends it as cancelled, which is a reply
/// too. Errors: those of Engine::submit and of the work itself; those of the sinks.
Result<Reply> runRequest(Engine& engine, GenerateRequest request, ProgressLine& progress, const TextSink& sink = {},
    const PieceSink& pieceSink = {});
/// The same, written to standard output as it comes and ended with a line break. A chat on a terminal with styles shows
/// its parts; everything else gets the text as it is.
Result<Reply> writeReply(Engine& engine, GenerateRequest request, ProgressLine& progress);

/// The token ids of a conversation, as the model's template puts it. Error: Unsupported where it has none.
Result<std::vector<TokenId>> renderChat(const Engine& engine, const Json& messages, const Json& tools = nullptr);

/// Adds the contract's fields of a reply, and in a chat `answer`, `reasoning` and `tool_calls`.
void addReply(Json& object, const Reply& reply, bool isChat, const Engine& engine);
/// Its timings in one line for people.
std::string statsLine(const ReplyStats& stats);

} // namespace kvasir::cli
