#include "chat/textblocklayout.h"

#include "base/theme.h"
#include "chat/chatstyle.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace kvasir {

namespace {

constexpr int kLinesToFreeze = 6; // fewer would cost more in pieces than they save

} // namespace

TextBlockLayout::TextBlockLayout(const MarkdownBlock& block, const ChatStyle& style)
    : BlockLayout(block, style)
    , m_font(block.kind == MarkdownBlock::Kind::Heading ? style.headingFont(block.level) : style.textFont)
    , m_pitch(block.kind == MarkdownBlock::Kind::Heading ? std::round(m_font.pixelSize() * 1.4) : style.linePitch)
{
    makeText(block.text, 0);
}

// Replaces the pieces from the one that starts at `from` on by a single one.
void TextBlockLayout::makeText(const RichText& text, int from)
{
    while (!m_pieces.empty() && m_pieces.back().start >= from)
        m_pieces.pop_back();
    const RichText rest = sliced(text, from, int(text.text.size()));
    m_pieces.push_back(makePiece(rest.text, formatsOf(rest), m_font, m_pitch, from));
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
    const Piece& tail = m_pieces.back();
    const int start = tail.start;
    const QTextLine line = tail.layout->lineForTextPosition(std::max(0, same - 1 - start));
    if (same <= start || !line.isValid() || tail.hasRightToLeft) {
        *changedFrom = 0;
        makeText(next.text, 0);
        return true;
    }
    // The word at the cut may move to the next line: its line counts as changed.
    *changedFrom = std::max(0.0, tail.position.y() + lineTop(tail, line));
    // Breaks before the line above cannot move any more, whatever follows.
    const int keep = line.lineNumber() - 1;
    if (keep < kLinesToFreeze) {
        makeText(next.text, start);
        return true;
    }
    const int cut = start + tail.layout->lineAt(keep).textStart();
    int end = cut;
    if (after[end - 1] == QChar(0x2028))
        --end; // at the end of a layout it would make an empty line
    const RichText frozen = sliced(next.text, start, end);
    m_pieces.back() = makePiece(frozen.text, formatsOf(frozen), m_font, m_pitch, start);
    makeText(next.text, cut);
    return true;
}

void TextBlockLayout::place()
{
    const qreal width = m_width - left();
    if (m_brokenWidth != width && m_pieces.size() > 1)
        makeText(m_block.text, 0);
    qreal y = 0;
    for (Piece& piece : m_pieces) {
        // breakLines() is what costs; kept pieces were broken at this width.
        const bool isKept = m_brokenWidth == width && piece.layout->lineCount() > 0;
        const qreal height = isKept ? piece.area.height() : breakLines(piece, width);
        piece.position = {left(), y};
        piece.area = QRectF(left(), y, width, height);
        y += height;
    }
    m_brokenWidth = width;
    m_height = std::max(y, m_pitch);
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
