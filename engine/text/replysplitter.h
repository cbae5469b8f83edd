#pragma once

#include "text/replyformat.h"

#include <string>
#include <string_view>
#include <vector>

namespace kvasir {

/// A stretch of a reply; the text of one part comes in as many pieces as the stream happens to be cut into.
struct ReplyPiece {
    ReplyPart part = ReplyPart::Answer;
    bool begins = false; ///< the first of its stretch: a second tool call, or an answer that goes on behind one
    std::string name;    ///< with `begins`: the tool that a head names; mostly empty
    std::string text;
};

/// Takes a streamed reply apart into reasoning, answer and tool calls. However the stream is cut, the pieces say the
/// same: what may be the beginning of a mark is held back until it is decided. Nothing is lost but the marks, the heads
/// of messages and the white space around them, and nothing changes its place. For one thread at a time.
class ReplySplitter {
public:
    /// `format` must outlive this object. `offersTools`: the prompt offered tools, so a bare JSON object may be a call.
    ReplySplitter(const ReplyFormat& format, ReplyStart start, bool offersTools);

    void addText(std::string_view text);
    /// A token for which ReplyFormat::isMarker holds, with what it shows where it is no mark here.
    void addMarker(TokenId token, std::string_view visible);
    /// The end of the reply: what was held back is ordinary text, what is open stays what it is.
    void finish();

    /// What has been decided since the last call.
    std::vector<ReplyPiece> take();
    /// What comes next, as far as it is decided.
    ReplyPart part() const { return m_part; }

private:
    enum class Place { Text, Head };

    void readText();
    bool readMark();
    bool readLabel();
    void settleHeld();
    void emitText(std::string_view text);
    void enter(ReplyPart part, const ReplyBlock* block, std::string name = {});
    void leave();
    void beginHead();
    void endHead();
    void addToHead(std::string_view text);
    bool mayOpen(const ReplyBlock& block) const;
    size_t heldLength() const;
    template <class Visit> void forEachTextMark(Visit&& visit) const;

    const ReplyFormat& m_format;
    const bool m_offersTools;
    Place m_place = Place::Text;
    ReplyPart m_part = ReplyPart::Answer;
    const ReplyBlock* m_block = nullptr;
    std::string m_held;        ///< text in which a mark may begin
    std::string m_space;       ///< white space that belongs to the text only if more text follows
    std::string m_head;        ///< of a message, so far
    bool m_skipsSpace = false; ///< right behind a mark
    bool m_awaitsLabel = false;
    bool m_begins = true;
    bool m_isEmpty = true; ///< nothing has been seen but white space
    std::vector<ReplyPiece> m_pieces;
};

} // namespace kvasir
