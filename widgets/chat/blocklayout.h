#pragma once

#include "chat/markdown.h"

#include <QRectF>
#include <QTextLayout>

#include <memory>
#include <vector>

class QPainter;

namespace kvasir {

struct ChatStyle;

/// A stretch of flat positions with a mark behind it.
struct MarkedRange {
    int from = 0;
    int to = 0;
    bool isCurrent = false; // the search hit that the user is at
};

/// What painting a block needs beside the block.
struct BlockPaint {
    QRectF clip;                            // in the block's coordinates
    int selectionFrom = 0, selectionTo = 0; // flat positions in the block
    QList<MarkedRange> found;
    bool hoversCopy = false, hasCopied = false; // the copy button of a code block
    QString copyLabel;
};

/// Lays out one MarkdownBlock with QTextLayouts, paints it and maps points to positions. A flat position counts the
/// characters of plainText(block). Coordinates have their origin at the block's top left, containers included.
class BlockLayout {
public:
    static std::unique_ptr<BlockLayout> create(const MarkdownBlock& block, const ChatStyle& style);
    virtual ~BlockLayout();

    const MarkdownBlock& block() const { return m_block; }

    /// Takes over a later state of the same block and keeps what did not change. Sets `changedFrom` to the first
    /// y that looks different; false if the block is too different, then nothing happened.
    bool update(const MarkdownBlock& next, qreal* changedFrom);

    void setWidth(qreal width);
    qreal height() const { return m_height; }
    qreal naturalWidth() const; // without wrapping, at most the width

    void paint(QPainter& painter, const BlockPaint& state) const;

    int positionAt(const QPointF& point) const;
    QRectF cursorRect(int position) const;
    QString hrefAt(const QPointF& point) const;
    bool isOnText(const QPointF& point) const;

    /// Wide code and tables scroll sideways.
    qreal maxScroll() const;
    qreal scroll() const { return m_scroll; }
    void setScroll(qreal scroll);
    QRectF scrollHandle() const; // empty where nothing scrolls

    virtual QRectF copyButton() const { return {}; }

protected:
    struct Piece {
        std::unique_ptr<QTextLayout> layout;
        QPointF position; // before scrolling
        QRectF area;      // what belongs to it for hits: the line, the cell
        const QFont* font = nullptr;
        qreal pitch = 0;
        int start = 0; // flat
        bool hasRightToLeft = false;
    };

    BlockLayout(const MarkdownBlock& block, const ChatStyle& style);

    virtual bool takeOver(const MarkdownBlock& next, qreal* changedFrom) = 0;
    /// Places the pieces for m_width, sets m_height and m_contentWidth.
    virtual void place() = 0;
    virtual void paintBehind(QPainter& painter, const BlockPaint& state) const;
    virtual QRectF viewport() const; // where pieces may be seen; they scroll inside

    Piece makePiece(const QString& text, const QList<QTextLayout::FormatRange>& formats, const QFont& font, qreal pitch,
        int start, Qt::Alignment alignment = Qt::AlignLeft, bool wraps = true) const;
    QList<QTextLayout::FormatRange> formatsOf(const RichText& text) const;
    /// Breaks the piece's lines at `width`; returns its height.
    qreal breakLines(Piece& piece, qreal width) const;
    QList<QRectF> rectsOf(const Piece& piece, int from, int to) const; // local positions, block coordinates
    qreal lineTop(const Piece& piece, const QTextLine& line) const;
    qreal left() const { return m_left; } // after quotes and list indents

    MarkdownBlock m_block;
    const ChatStyle& m_style;
    std::vector<Piece> m_pieces;
    qreal m_width = 0, m_height = 0, m_left = 0;
    qreal m_contentWidth = 0; // of what scrolls

private:
    const Piece* pieceAt(const QPointF& contentPoint) const;
    const Piece* pieceOf(int position) const;
    const RichText& richTextOf(const Piece& piece) const;
    int runOffsetOf(const Piece& piece) const;
    const TextRun* runAt(const QPointF& point) const;
    void paintContainers(QPainter& painter) const;
    void paintInlineCode(QPainter& painter, const Piece& piece) const;
    void measureContainers();
    qreal itemIndent(const MarkdownContainer& item) const;

    qreal m_scroll = 0;
};

} // namespace kvasir
