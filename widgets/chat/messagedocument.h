#pragma once

#include "chat/blocklayout.h"
#include "chat/markdownstream.h"

#include <memory>
#include <utility>
#include <vector>

namespace kvasir {

/// The text of one message: parsed blocks, and, while it is near the window, their layout. Flat positions count the
/// characters of all blocks with one separator between two.
class MessageDocument {
public:
    MessageDocument(const QString& source, bool isLiteral, bool isOpen);

    void append(QStringView more) { m_stream.append(more); }
    /// Parses what was appended. Returns the y from which the layout differs, height() if nothing does.
    qreal update(bool isOpen);

    const QString& source() const { return m_stream.source(); }
    const QList<MarkdownBlock>& blocks() const { return m_stream.blocks(); }
    int length() const;

    QString text(int from, int to) const; // with list markers
    QString markdown(int from, int to) const;
    QList<int> find(const QString& needle) const;
    std::pair<int, int> wordAt(int position) const;
    std::pair<int, int> blockRangeAt(int position) const;

    void layOut(qreal width, const ChatStyle& style);
    bool isLaidOut() const { return m_style != nullptr; }
    qreal width() const { return m_width; }
    qreal height() const { return m_height; }
    qreal naturalWidth() const;

    /// State holds positions of the document; origin and clip are the document's.
    void paint(QPainter& painter, const BlockPaint& state, int hoveredCopy, int copied, const QString& copyLabel,
        const QString& copiedLabel) const;
    int positionAt(const QPointF& point) const;
    QRectF cursorRect(int position) const;
    QRectF caretRect() const; // behind the last character

    int blockAt(qreal y) const; // nearest; -1 without blocks
    BlockLayout& layoutOf(int block) const { return *m_layouts[size_t(block)]; }
    QPointF originOf(int block) const { return {0, m_tops[size_t(block)]}; }

private:
    int blockOf(int position) const;
    void countFrom(size_t first);
    qreal placeFrom(size_t first);

    MarkdownStream m_stream;
    std::vector<int> m_starts; // flat position of each block
    std::vector<std::unique_ptr<BlockLayout>> m_layouts;
    std::vector<qreal> m_tops;
    const ChatStyle* m_style = nullptr;
    qreal m_width = 0, m_height = 0;
};

} // namespace kvasir
