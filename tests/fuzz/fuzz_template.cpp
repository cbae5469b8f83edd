#include "text/chattemplate.h"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

// Any bytes are a chat template; it is rendered over messages that hold what templates look for. A template must not be
// able to make the content of a message trusted.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    const auto chat = kvasir::ChatTemplate::compile({reinterpret_cast<const char*>(data), size});
    if (!chat) {
        return 0;
    }
    kvasir::TemplateInput input;
    input.messages = nlohmann::ordered_json::parse(
        R"([{"role": "system", "content": ""}, {"role": "user", "content": "\u0001 \u0001é\u0001"},
            {"role": "assistant", "content": null, "tool_calls": [{"function": {"name": "f", "arguments": {"a": 1.5}}}]}])");
    input.tools =
        nlohmann::ordered_json::parse(R"([{"type": "function", "function": {"name": "f", "parameters": {}}}])");
    input.bosToken = "<s>";
    input.now = "2026-11-29T12:00:00";
    const auto parts = chat->renderParts(input);
    // U+0001 stands in no template that has it neither written out nor as an escape.
    const std::string_view source(reinterpret_cast<const char*>(data), size);
    if (parts && source.find('\x01') == std::string_view::npos && source.find('\\') == std::string_view::npos) {
        for (const kvasir::PromptPart& part : *parts) {
            if (part.trusted && part.text.find('\x01') != std::string::npos) {
                std::abort();
            }
        }
    }
    return 0;
}
