#include "text/replysplitter.h"

#include "text/replymarkers.h"

#include <algorithm>
#include <utility>

namespace kvasir {

namespace {

constexpr std::string_view kSpace = " \t\r\n";
// A head names a role, a channel and a tool. What is longer is a text by a model that does not keep to its format.
constexpr size_t kLongestHead = 256;

std::string_view wordBehind(std::string_view text, std::string_view mark)
{
    const size_t at = text.find(mark);
    if (at == std::string_view::npos) {
        return {};
    }
    const std::string_view rest = text.substr(at + mark.size());
    return rest.substr(0, rest.find_first_of(" \t\r\n<"));
}

/// The length of the longest beginning of `mark` that `text` ends with.
size_t overlap(std::string_view text, std::string_view mark)
{
    for (size_t length = std::min(text.size(), mark.size() - 1); length > 0; --length) {
        if (text.ends_with(mark.substr(0, length))) {
            return length;
        }
    }
    return 0;
}

} // namespace

ReplySplitter::ReplySplitter(const ReplyFormat& format, ReplyStart start, bool offersTools)
    : m_format(format)
    , m_offersTools(offersTools)
{
    if (start.block) {
        enter(start.block->part, start.block);
    } else if (start.inHead) {
        m_place = Place::Head;
    }
}

/// The marks that are ordinary text and mean something here. `visit(mark, block)`: `block` opens, or null: it ends.
template <class Visit> void ReplySplitter::forEachTextMark(Visit&& visit) const
{
    if (m_block) {
        if (m_block->close.isText()) {
            visit(std::string_view(m_block->close.text), nullptr);
        }
        return;
    }
    if (m_part != ReplyPart::Answer) {
        return;
    }
    for (const ReplyBlock& block : m_format.blocks) {
        if (block.open.isText()) {
            visit(std::string_view(block.open.text), &block);
        }
    }
    if (m_format.hasBareCalls && m_offersTools && m_isEmpty) {
        static const ReplyBlock kBare{ReplyPart::ToolCall, {std::string(kBareCall)}, {}, {}, true};
        visit(kBareCall, &kBare);
    }
}

void ReplySplitter::addText(std::string_view text)
{
    if (m_place == Place::Head) {
        addToHead(text);
        return;
    }
    m_held += text;
    readText();
}

void ReplySplitter::readText()
{
    while (readLabel() && readMark()) { }
}

/// Whether it is decided if the held text begins with the label of the block that has just begun.
bool ReplySplitter::readLabel()
{
    if (!m_awaitsLabel) {
        return true;
    }
    const std::string& label = m_block->label;
    if (m_held.size() < label.size() && label.starts_with(m_held)) {
        return false;
    }
    if (m_held.starts_with(label)) {
        m_held.erase(0, label.size());
    }
    m_awaitsLabel = false;
    return true;
}

/// Acts on the first mark in the held text; where there is none, gives out what can be none, and returns false.
bool ReplySplitter::readMark()
{
    size_t first = std::string::npos;
    size_t length = 0;
    const ReplyBlock* opened = nullptr;
    forEachTextMark([&](std::string_view mark, const ReplyBlock* block) {
        const size_t at = m_held.find(mark);
        const bool isBare = mark == kBareCall; // it must be the first thing that is there
        if (at < first && (!isBare || m_held.find_first_not_of(kSpace) == at)) {
            first = at;
            length = mark.size();
            opened = block;
        }
    });
    if (first == std::string::npos) {
        const size_t safe = m_held.size() - heldLength();
        emitText(std::string_view(m_held).substr(0, safe));
        m_held.erase(0, safe);
        return false;
    }
    emitText(std::string_view(m_held).substr(0, first));
    m_held.erase(0, first + length);
    if (opened) {
        enter(opened->part, opened);
    } else {
        leave();
    }
    return true;
}

size_t ReplySplitter::heldLength() const
{
    size_t longest = 0;
    forEachTextMark(
        [&](std::string_view mark, const ReplyBlock*) { longest = std::max(longest, overlap(m_held, mark)); });
    return longest;
}

void ReplySplitter::settleHeld()
{
    if (m_place == Place::Text && !m_held.empty()) {
        m_awaitsLabel = false;
        emitText(std::exchange(m_held, {}));
    }
    m_awaitsLabel = false;
}

void ReplySplitter::emitText(std::string_view text)
{
    if (m_skipsSpace) {
        text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
    }
    if (text.empty()) {
        return;
    }
    m_skipsSpace = false;
    const size_t last = text.find_last_not_of(kSpace);
    if (last == std::string_view::npos) {
        m_space += text;
        return;
    }
    m_isEmpty = false;
    if (m_begins || m_pieces.empty() || m_pieces.back().part != m_part) {
        m_pieces.push_back({m_part, std::exchange(m_begins, false), {}, {}});
    }
    std::string& out = m_pieces.back().text;
    out += std::exchange(m_space, std::string(text.substr(last + 1)));
    out += text.substr(0, last + 1);
}

void ReplySplitter::enter(ReplyPart part, const ReplyBlock* block, std::string name)
{
    m_place = Place::Text;
    m_part = part;
    m_block = block;
    m_space.clear();
    m_skipsSpace = true;
    m_isEmpty = false;
    m_begins = true;
    m_awaitsLabel = block && !block->label.empty();
    if (part != ReplyPart::Answer) { // told at once: a model may think for a while before its first word
        m_pieces.push_back({part, true, std::move(name), {}});
        m_begins = false;
    }
    if (block && block->keepsMarkers) {
        emitText(block->open.text);
    }
}

/// Behind a block, or a message: what follows is the answer until a mark says otherwise.
void ReplySplitter::leave()
{
    if (m_block && m_block->keepsMarkers) {
        emitText(m_block->close.text);
    }
    enter(ReplyPart::Answer, nullptr);
}

void ReplySplitter::beginHead()
{
    leave();
    m_place = Place::Head;
    m_head.clear();
}

void ReplySplitter::endHead()
{
    const std::string head = std::exchange(m_head, {});
    const std::string_view channel = wordBehind(head, "<|channel|>");
    std::string_view tool = wordBehind(head, "to=");
    constexpr std::string_view kNamespace = "functions.";
    if (tool.starts_with(kNamespace)) {
        tool.remove_prefix(kNamespace.size());
    }
    const ReplyPart part = !tool.empty() ? ReplyPart::ToolCall
        : channel == "analysis"          ? ReplyPart::Reasoning
                                         : ReplyPart::Answer;
    enter(part, nullptr, std::string(tool));
}

void ReplySplitter::addToHead(std::string_view text)
{
    m_head += text;
    if (m_head.size() > kLongestHead) {
        enter(ReplyPart::Answer, nullptr);
        m_held = std::exchange(m_head, {});
        readText();
    }
}

bool ReplySplitter::mayOpen(const ReplyBlock& block) const
{
    // Some models begin a tool call without ending their reasoning; a mark without end begins the next call itself.
    const bool endsReasoning = m_part == ReplyPart::Reasoning && block.part == ReplyPart::ToolCall;
    const bool isNext = m_block == &block && block.close.text.empty();
    return m_place == Place::Head || m_part == ReplyPart::Answer || endsReasoning || isNext;
}

void ReplySplitter::addMarker(TokenId token, std::string_view visible)
{
    settleHeld();
    if (m_format.hasHeads() && token == m_format.start.token) {
        beginHead();
        return;
    }
    const bool inHead = m_place == Place::Head;
    if (inHead && token == m_format.message.token && token != kNoToken) {
        endHead();
        return;
    }
    if (m_block && m_block->close.token == token && !inHead) {
        leave();
        return;
    }
    for (const ReplyBlock& block : m_format.blocks) {
        if (block.open.token == token && mayOpen(block)) {
            m_head.clear();
            enter(block.part, &block);
            return;
        }
    }
    if (m_format.hasHeads() && token == m_format.end.token && !inHead) {
        leave();
        return;
    }
    if (inHead) {
        const auto mark = std::ranges::find(m_format.headMarkers, token, &ReplyMarker::token);
        addToHead(mark == m_format.headMarkers.end() ? visible : std::string_view(mark->text));
        return;
    }
    const bool separates = std::ranges::any_of(
        m_format.separators, [&](const ReplyMarker& separator) { return separator.token == token; });
    if (separates && m_part == ReplyPart::ToolCall) {
        emitText("\n");
        return;
    }
    addText(visible);
}

void ReplySplitter::finish()
{
    settleHeld();
    if (m_place == Place::Head) {
        // A whole head needs a text behind it; what has none of its marks is the text of a model that writes no heads.
        const std::string head = std::exchange(m_head, {});
        if (head.find("<|") == std::string::npos && head != "assistant") {
            enter(ReplyPart::Answer, nullptr);
            emitText(head);
        }
    }
    if (!m_space.empty() && !m_skipsSpace) {
        if (m_pieces.empty() || m_pieces.back().part != m_part) {
            m_pieces.push_back({m_part, std::exchange(m_begins, false), {}, {}});
        }
        m_pieces.back().text += std::exchange(m_space, {});
    }
}

std::vector<ReplyPiece> ReplySplitter::take()
{
    return std::exchange(m_pieces, {});
}

} // namespace kvasir
