#include "text/templateprobe.h"

#include "text/chattemplate.h"
#include "text/tokenizer.h"

#include <algorithm>
#include <array>

namespace kvasir {

namespace {

using Json = nlohmann::ordered_json;

// Words that no template writes itself.
constexpr std::string_view kAnswer = "qanswerq";
constexpr std::string_view kReasoning = "qreasoningq";

// Under these names published templates read the reasoning of an earlier reply.
constexpr std::array<std::string_view, 3> kFields = {"reasoning_content", "thinking", "reasoning"};

std::string render(const ChatTemplate& chatTemplate, const Tokenizer& tokenizer, Json messages)
{
    TemplateInput input;
    input.messages = std::move(messages);
    input.addGenerationPrompt = false;
    setTokenNames(tokenizer, input);
    input.now = "2026-01-01T00:00:00"; // the same result whenever it is asked
    const auto text = chatTemplate.render(input);
    return text ? *text : std::string();
}

Json said(std::string_view role, std::string_view content)
{
    return {{"role", role}, {"content", content}};
}

bool isSpace(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

} // namespace

std::vector<TokenId> endsWrittenBy(
    const ChatTemplate& chatTemplate, const Tokenizer& tokenizer, const std::vector<TokenId>& inner)
{
    // With a question behind the answer: some templates end a reply with nothing but the next turn's mark.
    const std::string text = render(chatTemplate, tokenizer,
        Json::array({said("user", "Hello"), said("assistant", kAnswer), said("user", "Hello")}));
    const size_t answer = text.find(kAnswer);
    if (answer == std::string::npos) {
        return {};
    }
    const std::string behind = text.substr(answer + kAnswer.size());
    std::vector<TokenId> run; // the special tokens that stand there with nothing but space between them
    for (const TokenId token : tokenizer.encode(behind, {.parseSpecial = true})) {
        const std::string piece = tokenizer.piece(token, true);
        if (tokenizer.isSpecial(token)) {
            run.push_back(token);
        } else if (!std::ranges::all_of(piece, isSpace)) {
            break;
        }
    }
    const bool isKnown = std::ranges::any_of(run, [&](TokenId token) { return tokenizer.isEndOfGeneration(token); });
    if (run.empty() || isKnown || std::ranges::count(inner, run.front()) != 0) {
        return {};
    }
    return {run.front()};
}

ReasoningHabit reasoningHabitOf(
    const ChatTemplate& chatTemplate, const Tokenizer& tokenizer, std::string_view open, std::string_view close)
{
    const auto showsReasoning = [&](Json messages) {
        return render(chatTemplate, tokenizer, std::move(messages)).find(kReasoning) != std::string::npos;
    };
    ReasoningHabit habit;
    for (const std::string_view field : kFields) {
        Json reply = said("assistant", kAnswer);
        reply[std::string(field)] = kReasoning;
        // Most show it only behind the last question, while tools are still being called for the same answer.
        if (showsReasoning(Json::array({said("user", "Hello"), reply}))) {
            habit.field = field;
            break;
        }
    }
    const std::string block = std::string(open) + '\n' + std::string(kReasoning) + '\n' + std::string(close) + "\n\n";
    habit.isDropped = !showsReasoning(
        Json::array({said("user", "Hello"), said("assistant", block + std::string(kAnswer)), said("user", "Hello")}));
    return habit;
}

} // namespace kvasir
