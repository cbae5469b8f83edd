#pragma once

#include "chat/blocklayout.h"

namespace kvasir {

/// A table: hairlines around it and under its header. Columns share the width; where words need more, it scrolls.
class TableBlockLayout : public BlockLayout {
public:
    TableBlockLayout(const MarkdownBlock& block, const ChatStyle& style);

protected:
    bool takeOver(const MarkdownBlock& next, qreal* changedFrom) override;
    void place() override;
    void paintBehind(QPainter& painter, const BlockPaint& state) const override;
    QRectF viewport() const override;

private:
    void addRows(const MarkdownBlock& block, qsizetype from);
    void addCell(const RichText& text, bool isHeader, MarkdownBlock::Align align, int start);
    std::vector<qreal> columnWidths(qreal available) const;

    struct CellWidths {
        qreal natural = 0, longestWord = 0;
    };

    QFont m_headerFont;
    std::vector<CellWidths> m_cells;   // beside m_pieces
    std::vector<qreal> m_rowTops;      // one more than rows
    std::vector<qreal> m_placedWidths; // of the columns, when the rows were placed
    size_t m_placedRows = 0;           // these need no new line breaks while the widths stay
};

/// Widths of columns: natural ones if they fit, else the longest words' (at most `cap`) plus a fair share of the rest.
/// The sum may exceed `available` when the words do.
std::vector<qreal> shareColumns(const std::vector<qreal>& natural, const std::vector<qreal>& minimum, qreal available);

} // namespace kvasir
