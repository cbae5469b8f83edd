#include "text/replyformat.h"

#include "text/chattemplate.h"
#include "text/replymarkers.h"
#include "text/templateprobe.h"
#include "text/tokenizer.h"

#include <algorithm>

namespace kvasir {

namespace {

std::string_view withoutSpaceBehind(std::string_view text)
{
    const size_t last = text.find_last_not_of(" \t\r\n");
    return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

/// Finds the marks that hold for one model.
class FormatReader {
public:
    FormatReader(const Tokenizer& tokenizer, std::string_view source)
        : m_tokenizer(tokenizer)
        , m_source(source)
    {
    }

    ReplyMarker marker(std::string_view text) const
    {
        if (text.empty()) {
            return {};
        }
        const std::vector<TokenId> ids = m_tokenizer.encode(text, {.parseSpecial = true});
        const bool isToken = ids.size() == 1 && m_tokenizer.piece(ids[0], true) == text;
        return {std::string(text), isToken ? ids[0] : kNoToken, !isToken || !m_tokenizer.isSpecial(ids[0])};
    }
    bool isToken(std::string_view text) const { return marker(text).token != kNoToken; }
    bool isInTemplate(std::string_view text) const { return m_source.find(text) != std::string_view::npos; }

    bool holds(const BlockRow& row) const
    {
        // A template may only cut the block away by its end.
        return (isToken(row.open) && (row.close.empty() || isToken(row.close)))
            || isInTemplate(row.close.empty() ? row.open : row.close);
    }

private:
    const Tokenizer& m_tokenizer;
    std::string_view m_source;
};

void collectMarkers(ReplyFormat& format)
{
    const auto add = [&](const ReplyMarker& marker) {
        if (marker.token != kNoToken) {
            format.markers.push_back(marker.token);
        }
    };
    for (const ReplyBlock& block : format.blocks) {
        add(block.open);
        add(block.close);
    }
    for (const ReplyMarker& separator : format.separators) {
        add(separator);
    }
    if (format.hasHeads()) {
        add(format.start);
        add(format.message);
        add(format.end);
        for (const ReplyMarker& marker : format.headMarkers) {
            add(marker);
        }
    }
    std::ranges::sort(format.markers);
    const auto repeated = std::ranges::unique(format.markers);
    format.markers.erase(repeated.begin(), repeated.end());
}

} // namespace

bool ReplyFormat::isMarker(TokenId token) const
{
    return std::ranges::binary_search(markers, token);
}

const ReplyBlock* ReplyFormat::blockOf(ReplyPart part) const
{
    const auto block = std::ranges::find(blocks, part, &ReplyBlock::part);
    return block == blocks.end() ? nullptr : &*block;
}

ReplyFormat readReplyFormat(const Tokenizer& tokenizer, const ChatTemplate* chatTemplate)
{
    const FormatReader reader(tokenizer, chatTemplate ? std::string_view(chatTemplate->source()) : std::string_view());
    ReplyFormat format;
    for (const HeadRow& row : kHeadRows) {
        const bool isThis = reader.isToken(row.start) && reader.isToken(row.end) && reader.isToken(row.channel)
            && (row.message.empty() || reader.isToken(row.message));
        if (isThis && !format.hasHeads()) {
            format.start = reader.marker(row.start);
            format.message = reader.marker(row.message);
            format.end = reader.marker(row.end);
            for (const std::string_view text : kHeadMarkers) {
                format.headMarkers.push_back(reader.marker(text));
            }
        }
    }
    for (const BlockRow& row : kBlockRows) {
        // Where a message's end closes it, the row belongs to a format with heads.
        if (reader.holds(row) && (row.close != "<|end|>" || (format.hasHeads() && format.message.text.empty()))) {
            format.blocks.push_back({row.part, reader.marker(row.open), reader.marker(row.close),
                std::string(row.label), row.keepsMarkers});
        }
    }
    if (format.blockOf(ReplyPart::ToolCall)) {
        for (const std::string_view text : kSeparators) {
            if (reader.isToken(text)) {
                format.separators.push_back(reader.marker(text));
            }
        }
    }
    format.hasBareCalls = reader.isInTemplate("{\"name\": ") && reader.isInTemplate("\"parameters\": ");
    collectMarkers(format);

    if (chatTemplate) {
        const ReplyBlock* reasoning = format.blockOf(ReplyPart::Reasoning);
        const ReasoningHabit habit = reasoningHabitOf(*chatTemplate, tokenizer,
            reasoning ? reasoning->open.text + std::string(withoutSpaceBehind(reasoning->label)) : "<think>",
            reasoning ? reasoning->close.text : "</think>");
        format.reasoningField = habit.field;
        format.dropsReasoning = habit.isDropped;
    }
    return format;
}

ReplyStart replyStartBehind(const ReplyFormat& format, std::string_view prompt)
{
    const std::string_view tail = withoutSpaceBehind(prompt);
    for (const ReplyBlock& block : format.blocks) {
        const std::string opening = block.open.text + block.label;
        if (tail.ends_with(block.open.text) || (!block.label.empty() && tail.ends_with(withoutSpaceBehind(opening)))) {
            return {&block, false};
        }
    }
    if (format.hasHeads()) {
        const size_t start = tail.rfind(format.start.text);
        const std::string_view head = start == std::string_view::npos ? std::string_view() : tail.substr(start);
        const bool hasText = !format.message.text.empty() && head.find(format.message.text) != std::string_view::npos;
        const bool hasBlock = std::ranges::any_of(format.blocks,
            [&](const ReplyBlock& block) { return head.find(block.open.text) != std::string_view::npos; });
        return {nullptr, !head.empty() && !hasText && !hasBlock};
    }
    return {};
}

nlohmann::ordered_json messageOfEarlierReply(const ReplyFormat& format, std::string_view reasoning,
    std::string_view answer, std::span<const std::string> toolCalls)
{
    std::string content;
    const auto add = [&](const ReplyBlock& block, const std::string& text) {
        content += block.keepsMarkers ? text : block.open.text + '\n' + text + '\n' + block.close.text;
    };
    // A control token written in a message stays letters, which would tell the model nothing.
    const auto canBeWritten = [](const ReplyBlock* block) { return block && block->open.isVisible; };
    const ReplyBlock* thought = format.blockOf(ReplyPart::Reasoning);
    const bool hasField = !format.reasoningField.empty();
    if (!reasoning.empty() && !hasField && !format.dropsReasoning && canBeWritten(thought)) {
        add(*thought, std::string(reasoning));
        content += "\n\n";
    }
    content += answer;
    const ReplyBlock* call = format.blockOf(ReplyPart::ToolCall);
    for (const std::string& text : toolCalls) {
        if (canBeWritten(call) && !format.hasHeads()) {
            content += content.empty() || content.ends_with('\n') ? "" : "\n";
            add(*call, text);
        }
    }
    nlohmann::ordered_json message{{"role", "assistant"}, {"content", std::move(content)}};
    if (!reasoning.empty() && hasField) {
        message[format.reasoningField] = reasoning;
    }
    return message;
}

} // namespace kvasir
