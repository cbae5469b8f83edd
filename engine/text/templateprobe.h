#pragma once

#include "base/types.h"

#include <string>
#include <string_view>
#include <vector>

namespace kvasir {

class ChatTemplate;
class Tokenizer;

/// The special tokens that the template writes right behind a reply where the vocabulary knows of no end among them:
/// a model that was taught with this template ends its replies with the first of them. Found by rendering a
/// conversation; empty where the template refuses it or writes none. `inner` are tokens that end a message but no
/// reply.
std::vector<TokenId> endsWrittenBy(
    const ChatTemplate& chatTemplate, const Tokenizer& tokenizer, const std::vector<TokenId>& inner = {});

/// What a template does with the reasoning of earlier replies.
struct ReasoningHabit {
    std::string field;      ///< the field of a message that it reads the reasoning from; empty: none
    bool isDropped = false; ///< it cuts a reasoning block out of the content itself
};

/// Found by rendering conversations. `open` and `close` are the marks of a reasoning block.
ReasoningHabit reasoningHabitOf(
    const ChatTemplate& chatTemplate, const Tokenizer& tokenizer, std::string_view open, std::string_view close);

} // namespace kvasir
