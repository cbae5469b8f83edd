#include "chat/textblocklayout.h"

#include "base/theme.h"
#include "chat/chatstyle.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace kvasir {

TextBlockLayout::TextBlockLayout(const MarkdownBlock& block, const ChatStyle& style)
    : BlockLayout(block, style)
    , m_font(block.kind == MarkdownBlock::Kind::Heading ? style.headingFont(block.level) : style.textFont)
    , m_pitch(block.kind == MarkdownBlock::Kind::Heading ? std::round(m_font.pixelSize() * 1.4) : style.linePitch)
{
    makeText(block.text);
}

void TextBlockLayout::makeText(const RichText& text)
{
    m_pieces.clear();
    m_pieces.push_back(makePiece(text.text, formatsOf(text), m_font, m_pitch, 0));
}

bool TextBlockLayout::takeOver(const MarkdownBlock& next, qreal* changedFrom)
{
    // Looks may change behind the common characters ("**" closes), so the common part ends at the first other run too.
    const QString& before = m_block.text.text;
    const QString& after = next.text.text;
    int same = int(std::mismatch(before.begin(), before.end(), after.begin(), after.end()).first - before.begin());
    const auto& runs = m_block.text.runs;
    const auto& nextRuns = next.text.runs;
    for (qsizetype i = 0; i < std::max(runs.size(), nextRuns.size()); ++i) {
        if (i < runs.size() && i < nextRuns.size() && runs[i] == nextRuns[i])
            continue;
        if (i < runs.size())
            same = std::min(same, runs[i].start);
        if (i < nextRuns.size())
            same = std::min(same, nextRuns[i].start);
        break;
    }
    const Piece& piece = m_pieces.front();
    // The word at the cut may move to the next line: its line counts as changed.
    const QTextLine line = piece.layout->lineForTextPosition(std::max(0, same - 1));
    *changedFrom = line.isValid() ? std::max(0.0, lineTop(piece, line)) : 0;
    makeText(next.text);
    return true;
}

void TextBlockLayout::place()
{
    Piece& piece = m_pieces.front();
    piece.position = {left(), 0};
    m_height = std::max(breakLines(piece, m_width - left()), m_pitch);
    piece.area = QRectF(left(), 0, m_width - left(), m_height);
    m_contentWidth = 0;
}

RuleBlockLayout::RuleBlockLayout(const MarkdownBlock& block, const ChatStyle& style)
    : BlockLayout(block, style)
{
}

bool RuleBlockLayout::takeOver(const MarkdownBlock&, qreal*)
{
    return true;
}

void RuleBlockLayout::place()
{
    m_height = 4 * m_style.unit + 1;
    m_contentWidth = 0;
}

void RuleBlockLayout::paintBehind(QPainter& painter, const BlockPaint&) const
{
    painter.fillRect(QRectF(left(), 2 * m_style.unit, m_width - left(), 1), m_style.theme.hairline);
}

} // namespace kvasir
