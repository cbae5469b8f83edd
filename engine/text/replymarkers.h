#pragma once

#include "text/replyformat.h"

namespace kvasir {

// The marks of published models. A row holds for a model whose vocabulary has both marks as tokens, or whose template
// writes them. No mark ends with the beginning of another one, so that two never overlap.

struct BlockRow {
    ReplyPart part;
    std::string_view open;
    std::string_view close = {}; ///< empty: to the end of the reply
    std::string_view label = {};
    bool keepsMarkers = false;
};

inline constexpr BlockRow kBlockRows[] = {
    {ReplyPart::Reasoning, "<think>", "</think>"},       // DeepSeek R1, Qwen 3, GLM, SmolLM3, MiniMax
    {ReplyPart::Reasoning, "<thinking>", "</thinking>"}, // Llama-Nemotron and finetunes
    {ReplyPart::Reasoning, "<thought>", "</thought>"},   // EXAONE Deep, finetunes
    {ReplyPart::Reasoning, "<reasoning>", "</reasoning>"},
    {ReplyPart::Reasoning, "<seed:think>", "</seed:think>"},           // Seed-OSS
    {ReplyPart::Reasoning, "[THINK]", "[/THINK]"},                     // Magistral, Ministral
    {ReplyPart::Reasoning, "\u25c1think\u25b7", "\u25c1/think\u25b7"}, // Kimi
    {ReplyPart::Reasoning, "<|START_THINKING|>", "<|END_THINKING|>"},  // Command A
    {ReplyPart::Reasoning, "<|channel>", "<channel|>", "thought\n"},   // Gemma 4
    {ReplyPart::Reasoning, "<|think|>", "<|end|>"},                    // Solar
    {ReplyPart::Answer, "<|content|>", "<|end|>"},                     // Solar
    {ReplyPart::ToolCall, "<tool_call>", "</tool_call>"},              // Qwen, Hermes, GLM
    {ReplyPart::ToolCall, "<seed:tool_call>", "</seed:tool_call>"},
    {ReplyPart::ToolCall, "<minimax:tool_call>", "</minimax:tool_call>"},
    {ReplyPart::ToolCall, "<|tool_call>", "<tool_call|>"},             // Gemma 4
    {ReplyPart::ToolCall, "<|tool_call_start|>", "<|tool_call_end|>"}, // LFM2
    {ReplyPart::ToolCall, "<|tool_call_begin|>", "<|tool_call_end|>"}, // Kimi
    {ReplyPart::ToolCall, "<|tool_call:begin|>", "<|tool_call:end|>"}, // Solar
    {ReplyPart::ToolCall, "<\uff5ctool\u2581call\u2581begin\uff5c>",
        "<\uff5ctool\u2581call\u2581end\uff5c>"},                 // DeepSeek
    {ReplyPart::ToolCall, "<|START_ACTION|>", "<|END_ACTION|>"},  // Command A
    {ReplyPart::ToolCall, "<function=", "</function>", {}, true}, // Functionary
    {ReplyPart::ToolCall, "[TOOL_CALLS]"},                        // Mistral
    {ReplyPart::ToolCall, "<|tool_call|>"},                       // Granite, Phi 4
    {ReplyPart::ToolCall, "<|python_tag|>"},                      // Llama 3
};

inline constexpr std::string_view kSeparators[] = {"[ARGS]", "[CALL_ID]", "<|tool_call_argument_begin|>",
    "<|tool_call:name|>", "<|tool_call:args|>", "<\uff5ctool\u2581sep\uff5c>"};

struct HeadRow {
    std::string_view start;
    std::string_view message; ///< ends the head; empty: the opening mark of a block does
    std::string_view end;
    std::string_view channel; ///< must be there too, for the format to be this one
};

inline constexpr HeadRow kHeadRows[] = {
    {"<|start|>", "<|message|>", "<|end|>", "<|channel|>"}, // gpt-oss
    {"<|begin|>", "", "<|end|>", "<|content|>"},            // Solar
};

// Marks inside a head.
inline constexpr std::string_view kHeadMarkers[] = {"<|channel|>", "<|constrain|>"};

// A reply that begins like this calls a tool, if its template asks for calls so (Llama 3 without <|python_tag|>).
inline constexpr std::string_view kBareCall = "{\"name\"";

} // namespace kvasir
