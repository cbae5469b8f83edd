#pragma once

#include "text/chattemplate.h"

#include <string>
#include <string_view>

namespace kvasir::testing {

/// Takes any bytes for a chat template and renders it over messages that hold what templates look for. For the fuzzer
/// and for tests. False where the template made the content of a message trusted, which none must be able to.
inline bool rendersSafely(std::string_view source)
{
    const auto chat = ChatTemplate::compile(source);
    if (!chat) {
        return true;
    }
    TemplateInput input;
    input.messages = nlohmann::ordered_json::parse(
        R"([{"role": "system", "content": ""}, {"role": "user", "content": "\u0001 \u0001é\u0001"},
            {"role": "assistant", "content": null, "tool_calls": [{"function": {"name": "f", "arguments": {"a": 1.5}}}]}])");
    input.tools =
        nlohmann::ordered_json::parse(R"([{"type": "function", "function": {"name": "f", "parameters": {}}}])");
    input.bosToken = "<s>";
    input.now = "2026-11-29T12:00:00";
    const auto parts = chat->renderParts(input);
    // U+0001 stands in no template that has it neither written out nor as an escape.
    if (!parts || source.find('\x01') != std::string_view::npos || source.find('\\') != std::string_view::npos) {
        return true;
    }
    for (const PromptPart& part : *parts) {
        if (part.trusted && part.text.find('\x01') != std::string::npos) {
            return false;
        }
    }
    return true;
}

} // namespace kvasir::testing
