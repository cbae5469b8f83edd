#include "chat/tableblocklayout.h"

#include "base/theme.h"
#include "chat/chatstyle.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace kvasir {

std::vector<qreal> shareColumns(const std::vector<qreal>& natural, const std::vector<qreal>& minimum, qreal available)
{
    const qreal wanted = std::accumulate(natural.begin(), natural.end(), 0.0);
    if (wanted <= available)
        return natural;
    const qreal needed = std::accumulate(minimum.begin(), minimum.end(), 0.0);
    if (needed >= available)
        return minimum;
    // What is left goes to the columns in proportion to what they miss.
    std::vector<qreal> widths(natural.size());
    const qreal share = (available - needed) / (wanted - needed);
    for (size_t i = 0; i < widths.size(); ++i)
        widths[i] = std::floor(minimum[i] + (natural[i] - minimum[i]) * share);
    return widths;
}

TableBlockLayout::TableBlockLayout(const MarkdownBlock& block, const ChatStyle& style)
    : BlockLayout(block, style)
    , m_headerFont(style.textFont)
{
    m_headerFont.setWeight(QFont::DemiBold);
    addRows(block, 0);
}

void TableBlockLayout::addRows(const MarkdownBlock& block, qsizetype from)
{
    int start = m_pieces.empty() ? 0 : m_pieces.back().start + int(m_pieces.back().layout->text().size()) + 1;
    for (qsizetype r = from; r < block.rows.size(); ++r) {
        for (qsizetype c = 0; c < block.rows[r].size(); ++c) {
            addCell(block.rows[r][c], r == 0, block.columns.value(c), start);
            start += int(block.rows[r][c].text.size()) + 1;
        }
    }
}

void TableBlockLayout::addCell(const RichText& text, bool isHeader, MarkdownBlock::Align align, int start)
{
    const Qt::Alignment alignment = align == MarkdownBlock::Align::Center ? Qt::AlignHCenter
        : align == MarkdownBlock::Align::End                              ? Qt::AlignRight
                                                                          : Qt::AlignLeft;
    Piece piece = makePiece(
        text.text, formatsOf(text), isHeader ? m_headerFont : m_style.textFont, m_style.linePitch, start, alignment);
    CellWidths widths;
    breakLines(piece, 1e6);
    for (int i = 0; i < piece.layout->lineCount(); ++i)
        widths.natural = std::max(widths.natural, piece.layout->lineAt(i).naturalTextWidth());
    // A word is never broken below a third of the column; longer ones are.
    QTextOption option = piece.layout->textOption();
    const QTextOption kept = option;
    option.setWrapMode(QTextOption::WordWrap);
    piece.layout->setTextOption(option);
    breakLines(piece, 1);
    for (int i = 0; i < piece.layout->lineCount(); ++i)
        widths.longestWord = std::max(widths.longestWord, piece.layout->lineAt(i).naturalTextWidth());
    piece.layout->setTextOption(kept);
    m_pieces.push_back(std::move(piece));
    m_cells.push_back(widths);
}

bool TableBlockLayout::takeOver(const MarkdownBlock& next, qreal* changedFrom)
{
    if (next.columns != m_block.columns)
        return false;
    const auto first = std::mismatch(m_block.rows.begin(), m_block.rows.end(), next.rows.begin(), next.rows.end());
    const qsizetype same = first.first - m_block.rows.begin();
    const size_t keep = size_t(same) * size_t(m_block.columns.size());
    const std::vector<qreal> before = columnWidths(m_width - left());
    m_pieces.erase(m_pieces.begin() + std::ptrdiff_t(keep), m_pieces.end());
    m_cells.resize(keep);
    m_placedRows = std::min(m_placedRows, size_t(same));
    addRows(next, same);
    if (size_t(same) < m_rowTops.size() && before == columnWidths(m_width - left()))
        *changedFrom = std::max(0.0, m_rowTops[size_t(same)] - m_style.unit);
    return true;
}

std::vector<qreal> TableBlockLayout::columnWidths(qreal width) const
{
    const size_t columns = size_t(m_block.columns.size());
    std::vector<qreal> natural(columns, 0), minimum(columns, 0);
    const qreal padding = 2 * m_style.cellPaddingX;
    const qreal cap = std::min(width / 3, 60 * m_style.unit);
    for (size_t i = 0; i < m_cells.size(); ++i) {
        const size_t c = i % columns;
        natural[c] = std::max(natural[c], std::ceil(m_cells[i].natural) + 1 + padding);
        minimum[c] = std::max(minimum[c], std::min(cap, std::ceil(m_cells[i].longestWord) + 1) + padding);
    }
    // Long sentences in many columns: words alone would give one word a line.
    for (size_t c = 0; c < columns; ++c)
        minimum[c] = std::max(minimum[c], std::min(natural[c], 24 * m_style.unit));
    return shareColumns(natural, minimum, width);
}

void TableBlockLayout::place()
{
    const size_t columns = size_t(m_block.columns.size());
    m_rowTops.assign(1, 0);
    m_height = 0;
    m_contentWidth = 0;
    if (columns == 0)
        return;
    const std::vector<qreal> widths = columnWidths(m_width - left());
    m_contentWidth = std::accumulate(widths.begin(), widths.end(), 0.0);
    if (widths != m_placedWidths)
        m_placedRows = 0;
    m_placedWidths = widths;
    qreal y = 0;
    for (size_t row = 0; row * columns < m_pieces.size(); ++row) {
        Piece* cells = &m_pieces[row * columns];
        qreal height = row < m_placedRows ? cells[0].area.height() : m_style.linePitch;
        for (size_t c = 0; c < columns && row >= m_placedRows; ++c)
            height = std::max(height, breakLines(cells[c], widths[c] - 2 * m_style.cellPaddingX));
        if (row >= m_placedRows)
            height += 2 * m_style.cellPaddingY;
        qreal x = left();
        for (size_t c = 0; c < columns; ++c) {
            cells[c].position = {x + m_style.cellPaddingX, y + m_style.cellPaddingY};
            cells[c].area = QRectF(x, y, widths[c], height);
            x += widths[c];
        }
        y += height;
        m_rowTops.push_back(y);
    }
    m_placedRows = m_rowTops.size() - 1;
    m_height = y + (maxScroll() > 0 ? 2 * m_style.unit : 0);
}

QRectF TableBlockLayout::viewport() const
{
    return {left(), 0, std::min(m_contentWidth, m_width - left()), m_height};
}

void TableBlockLayout::paintBehind(QPainter& painter, const BlockPaint&) const
{
    const QRectF frame = viewport();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(m_style.theme.hairline, 1));
    painter.drawRoundedRect(frame.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    if (m_rowTops.size() > 2)
        painter.fillRect(QRectF(frame.left(), std::round(m_rowTops[1]), frame.width(), 1), m_style.theme.hairline);
}

} // namespace kvasir
