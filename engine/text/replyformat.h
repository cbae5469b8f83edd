#pragma once

#include "base/types.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kvasir {

class ChatTemplate;
class Tokenizer;

/// What a stretch of a reply is for.
enum class ReplyPart : uint8_t { Answer, Reasoning, ToolCall };

/// A mark as one vocabulary has it. Where it is one token, only that token counts, never the same letters written out.
struct ReplyMarker {
    std::string text;         ///< empty: there is no such mark
    TokenId token = kNoToken; ///< kNoToken: it is ordinary text
    bool isVisible = true;    ///< a control token has no text of its own in the reply

    bool isText() const { return token == kNoToken && !text.empty(); }
};

/// A stretch between two marks.
struct ReplyBlock {
    ReplyPart part = ReplyPart::Answer;
    ReplyMarker open;
    ReplyMarker close;         ///< without text: it goes on to the end of the reply
    std::string label;         ///< may stand right behind the opening mark and belongs to it
    bool keepsMarkers = false; ///< the marks are part of what the block says: <function=name>
};

/// How the replies of one model are written: which marks hold, by its vocabulary and its template.
struct ReplyFormat {
    std::vector<ReplyBlock> blocks;
    /// Messages with a head, as in gpt-oss: start, head, message, text, end. Without text where the model has none.
    ReplyMarker start, message, end;
    std::vector<ReplyMarker> headMarkers; ///< before the channel and the type in a head
    std::vector<ReplyMarker> separators;  ///< between the parts of a tool call, written as a line break
    bool hasBareCalls = false; ///< a reply that is a JSON object with a name is a tool call, where tools are offered

    std::string reasoningField;   ///< where the template reads the reasoning of earlier replies; empty: nowhere
    bool dropsReasoning = false;  ///< it leaves the reasoning of earlier replies out
    std::vector<TokenId> markers; ///< all tokens that are marks, ascending

    bool isPlain() const { return blocks.empty() && start.text.empty() && !hasBareCalls; }
    bool hasHeads() const { return !start.text.empty(); }
    bool isMarker(TokenId token) const;
    const ReplyBlock* blockOf(ReplyPart part) const; ///< the first of its kind, or null
};

/// `chatTemplate` may be null.
ReplyFormat readReplyFormat(const Tokenizer& tokenizer, const ChatTemplate* chatTemplate);

/// Where a reply begins: many templates open the reasoning themselves.
struct ReplyStart {
    const ReplyBlock* block = nullptr; ///< inside of it; null: outside of all
    bool inHead = false;               ///< between a message's start and its text
};

/// `prompt`: what the reply continues, or the last hundred bytes of it, special tokens by name.
ReplyStart replyStartBehind(const ReplyFormat& format, std::string_view prompt);

/// An earlier reply as a message for the template: the answer with its tool calls as the model wrote them. Reasoning is
/// in the field that the template reads it from; else it stands in front of the answer, unless the template leaves it
/// out.
nlohmann::ordered_json messageOfEarlierReply(const ReplyFormat& format, std::string_view reasoning,
    std::string_view answer, std::span<const std::string> toolCalls);

} // namespace kvasir
