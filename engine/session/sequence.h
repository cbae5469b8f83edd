#pragma once

#include "cache/blocktable.h"
#include "session/engine.h"
#include "session/replytext.h"

#include <utility>
#include <vector>

namespace kvasir {

/// One request on its way: waiting, running, or put back to wait again. What is not yet in the cache is always
/// tokens[table.length() ..], be it a prompt, the last token, or everything after it lost its blocks.
struct Sequence {
    Sequence(
        RequestId id, GenerateRequest wanted, BlockPool& pool, const Tokenizer& tokenizer, const ReplyFormat& format)
        : request(std::move(wanted))
        , tokens(request.prompt)
        , table(pool)
        , text(tokenizer, request.stopStrings, request.isChat ? &format : nullptr, request.prompt, request.offersTools)
    {
        stats.request = id;
        stats.promptTokens = static_cast<int>(tokens.size());
    }

    int pending() const { return static_cast<int>(tokens.size()) - table.length(); }
    bool isDecoding() const { return stats.generatedTokens > 0 && pending() == 1; }
    bool isStopped() const { return request.stop && request.stop->load(std::memory_order_relaxed); }

    GenerateRequest request;
    std::vector<TokenId> tokens; ///< the prompt and what was generated
    BlockTable table;
    ReplyText text;
    ReplyStats stats;
    bool scheduled = false; ///< once it ran, it was
    TimePoint firstScheduled{};
    TimePoint lastToken{};
    TimePoint reasoningBegan{}; ///< where there is some
};

} // namespace kvasir
