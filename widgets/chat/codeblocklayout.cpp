#include "chat/codeblocklayout.h"

#include "base/theme.h"
#include "chat/chatstyle.h"
#include "chat/codehighlighter.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace kvasir {

namespace {

constexpr int kMaxLine = 4096; // longer lines are cut into rows, else shaping one could take seconds

QColor colorOf(CodeSpan::Kind kind, const Theme& theme)
{
    switch (kind) {
    case CodeSpan::Kind::Keyword:
        return theme.codeKeyword;
    case CodeSpan::Kind::String:
        return theme.codeString;
    case CodeSpan::Kind::Number:
        return theme.codeNumber;
    case CodeSpan::Kind::Comment:
        return theme.codeComment;
    case CodeSpan::Kind::Function:
        return theme.codeFunction;
    }
    return theme.text;
}

} // namespace

CodeBlockLayout::CodeBlockLayout(const MarkdownBlock& block, const ChatStyle& style)
    : BlockLayout(block, style)
    , m_language(findCodeLanguage(
          block.language.startsWith(QLatin1String(kToolCallFence)) ? QStringLiteral("json") : block.language))
{
    addLines(block.lines, 0);
}

void CodeBlockLayout::addLines(const QStringList& lines, qsizetype from)
{
    int start = 0;
    for (qsizetype i = 0; i < from; ++i)
        start += int(lines[i].size()) + 1;
    int state = from > 0 ? m_states[size_t(from - 1)] : 0;
    for (qsizetype i = from; i < lines.size(); ++i) {
        const QString& line = lines[i];
        QList<CodeSpan> spans;
        if (m_language && line.size() <= kMaxLine)
            state = highlightLine(*m_language, line, state, spans);
        m_states.push_back(state);
        m_firstPieces.push_back(m_pieces.size());
        QList<QTextLayout::FormatRange> formats;
        for (const CodeSpan& span : spans) {
            QTextLayout::FormatRange range;
            range.start = span.start;
            range.length = span.length;
            range.format.setForeground(colorOf(span.kind, m_style.theme));
            formats.push_back(range);
        }
        for (qsizetype at = 0; at == 0 || at < line.size(); at += kMaxLine) {
            m_pieces.push_back(makePiece(line.mid(at, kMaxLine), formats, m_style.codeFont, m_style.codePitch,
                start + int(at), Qt::AlignLeft, false));
            breakLines(m_pieces.back(), 1e6);
        }
        start += int(line.size()) + 1;
    }
}

bool CodeBlockLayout::takeOver(const MarkdownBlock& next, qreal* changedFrom)
{
    if (next.language != m_block.language)
        return false;
    const auto first = std::mismatch(m_block.lines.begin(), m_block.lines.end(), next.lines.begin(), next.lines.end());
    const qsizetype same = first.first - m_block.lines.begin();
    const size_t keep = same < m_block.lines.size() ? m_firstPieces[size_t(same)] : m_pieces.size();
    *changedFrom = m_style.codeHeader + m_style.codePitch * qreal(keep);
    m_pieces.erase(m_pieces.begin() + std::ptrdiff_t(keep), m_pieces.end());
    m_states.resize(size_t(same));
    m_firstPieces.resize(size_t(same));
    addLines(next.lines, same);
    return true;
}

void CodeBlockLayout::place()
{
    qreal y = m_style.codeHeader;
    qreal widest = 0;
    for (Piece& piece : m_pieces) {
        piece.position = {left() + m_style.codePadding, y};
        piece.area = QRectF(left(), y, m_width - left(), piece.pitch);
        if (piece.layout->lineCount() > 0)
            widest = std::max(widest, piece.layout->lineAt(0).naturalTextWidth());
        y += piece.pitch;
    }
    m_height = y + m_style.codePadding;
    m_contentWidth = widest + 2 * m_style.codePadding;
}

QString CodeBlockLayout::label() const
{
    if (!m_block.language.startsWith(QLatin1String(kToolCallFence)))
        return m_block.language;
    const QString tool = m_block.language.mid(int(sizeof kToolCallFence)); // behind the colon
    return tool.isEmpty() ? tr("Tool call") : tr("Tool call: %1").arg(tool);
}

QRectF CodeBlockLayout::viewport() const
{
    return {left(), 0, m_width - left(), m_height};
}

QRectF CodeBlockLayout::copyButton() const
{
    const qreal width = 16 * m_style.unit;
    return {m_width - width - m_style.unit, m_style.unit, width, m_style.codeHeader - 2 * m_style.unit};
}

void CodeBlockLayout::paintBehind(QPainter& painter, const BlockPaint& state) const
{
    const Theme& theme = m_style.theme;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.codeBackground);
    painter.drawRoundedRect(QRectF(left(), 0, m_width - left(), m_height), 6, 6);
    painter.setFont(m_style.smallFont);
    painter.setPen(theme.muted);
    const QRectF header(
        left() + m_style.codePadding, 0, m_width - left() - 2 * m_style.codePadding, m_style.codeHeader);
    const QRectF button = copyButton();
    const QFontMetricsF metrics(m_style.smallFont);
    painter.drawText(header, Qt::AlignLeft | Qt::AlignVCenter,
        metrics.elidedText(label(), Qt::ElideRight, button.left() - header.left()));
    if (state.hoversCopy) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.hover.darker(theme.isDark ? 90 : 104));
        painter.drawRoundedRect(button, 4, 4);
    }
    painter.setPen(state.hoversCopy ? theme.text : theme.muted);
    painter.drawText(button, Qt::AlignCenter, state.copyLabel);
    painter.setBrush(Qt::NoBrush);
}

} // namespace kvasir
