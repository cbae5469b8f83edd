#include "replyprinter.h"

namespace kvasir::cli {

namespace {

constexpr const char* kDim = "\033[2m";
constexpr const char* kLabel = "\033[36m";
constexpr const char* kPlain = "\033[0m";

} // namespace

std::string ReplyPrinter::next(const ReplyPiece& piece)
{
    std::string out;
    // An empty reasoning block is none for a person.
    const bool isSilent = piece.part == ReplyPart::Reasoning && piece.text.empty();
    if (!isSilent && (piece.part != m_part || (piece.begins && !m_isEmpty))) {
        change(piece.part, piece.name, out);
    }
    out += piece.text;
    m_isEmpty = m_isEmpty && piece.text.empty();
    return out;
}

void ReplyPrinter::change(ReplyPart part, const std::string& tool, std::string& out)
{
    out += m_part == ReplyPart::Reasoning ? kPlain : "";
    out += m_isEmpty ? "" : "\n\n";
    if (part == ReplyPart::Reasoning) {
        out += kDim;
    } else if (part == ReplyPart::ToolCall) {
        out += kLabel;
        out += "[tool call" + (tool.empty() ? std::string() : " " + tool) + "] ";
        out += kPlain;
    }
    m_part = part;
    m_isEmpty = false;
}

std::string ReplyPrinter::end()
{
    return m_part == ReplyPart::Reasoning ? kPlain : "";
}

} // namespace kvasir::cli
