#pragma once

#include "base/result.h"
#include "text/replysplitter.h"

#include <string>

namespace kvasir::cli {

/// A reply on a terminal: the reasoning dim, tool calls with a label, the answer as it is.
class ReplyPrinter {
public:
    /// What to write for the next piece.
    std::string next(const ReplyPiece& piece);
    /// What ends the reply: the style is taken back.
    std::string end();

private:
    void change(ReplyPart part, const std::string& tool, std::string& out);

    ReplyPart m_part = ReplyPart::Answer;
    bool m_isEmpty = true;
};

} // namespace kvasir::cli
