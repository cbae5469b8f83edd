#pragma once

#include "text/chattemplate.h"
#include "text/replyformat.h"
#include "text/templateorigin.h"

#include <optional>
#include <string>
#include <string_view>

namespace kvasir {

class Tokenizer;

/// How to converse with a model: its template, how it marks its replies, and where they end.
struct ChatSetup {
    std::optional<ChatTemplate> chatTemplate;
    TemplateOrigin origin = TemplateOrigin::None;
    std::string name;  ///< of a known template: "ChatML"
    std::string error; ///< why the stored one cannot be used
    ReplyFormat format;
};

/// `stored` is the template that came with the model; where it is empty, the one of its family is taken, if the turn
/// marks in its vocabulary tell which. The tokenizer learns the ends that the template knows.
ChatSetup readChatSetup(std::string_view stored, Tokenizer& tokenizer);

} // namespace kvasir
