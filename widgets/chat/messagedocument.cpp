#include "chat/messagedocument.h"

#include "chat/chatstyle.h"

#include <QPainter>
#include <QTextBoundaryFinder>

#include <algorithm>
#include <cmath>

namespace kvasir {

namespace {

int plainLength(const MarkdownBlock& block)
{
    int length = 0;
    switch (block.kind) {
    case MarkdownBlock::Kind::Code:
        for (const QString& line : block.lines)
            length += int(line.size()) + 1;
        return std::max(0, length - 1);
    case MarkdownBlock::Kind::Table:
        for (const auto& row : block.rows) {
            for (const RichText& cell : row)
                length += int(cell.text.size()) + 1;
        }
        return std::max(0, length - 1);
    case MarkdownBlock::Kind::Rule:
        return 0;
    default:
        return int(block.text.text.size());
    }
}

// The part of a block between two of its flat positions; tables stay whole, for half a table is none.
MarkdownBlock cut(MarkdownBlock block, int from, int to)
{
    if (block.kind == MarkdownBlock::Kind::Code)
        block.lines = plainText(block).mid(from, to - from).split(QLatin1Char('\n'));
    else if (block.kind != MarkdownBlock::Kind::Table)
        block.text = sliced(block.text, from, to);
    return block;
}

QString indentOf(const MarkdownBlock& block)
{
    QString indent;
    for (const MarkdownContainer& c : block.containers) {
        if (c.kind == MarkdownContainer::Kind::Quote)
            indent += QStringLiteral("> ");
        else if (c.isFirst)
            indent += c.marker + QLatin1Char(' ');
        else
            indent += QString(c.marker.size() + 1, QLatin1Char(' '));
    }
    return indent;
}

} // namespace

MessageDocument::MessageDocument(const QString& source, bool isLiteral, bool isOpen)
{
    m_stream.reset(source, isLiteral);
    m_stream.update(isOpen);
    countFrom(0);
}

void MessageDocument::countFrom(size_t first)
{
    const auto& all = blocks();
    m_starts.resize(size_t(all.size()));
    for (size_t i = first; i < m_starts.size(); ++i) {
        if (i == 0)
            m_starts[i] = 0;
        else
            m_starts[i] = m_starts[i - 1] + plainLength(all[qsizetype(i - 1)]) + 1;
    }
}

int MessageDocument::length() const
{
    return m_starts.empty() ? 0 : m_starts.back() + plainLength(blocks().back());
}

qreal MessageDocument::update(bool isOpen)
{
    const size_t first = size_t(m_stream.update(isOpen));
    countFrom(first);
    if (!m_style)
        return 0;
    const auto& all = blocks();
    qreal changedFrom = first < m_tops.size() ? m_tops[first] : m_height;
    if (first >= size_t(all.size()) && first >= m_layouts.size())
        return m_height;
    if (first < m_layouts.size() && first < size_t(all.size())) {
        qreal inBlock = 0;
        if (m_layouts[first]->update(all[qsizetype(first)], &inBlock))
            changedFrom += inBlock;
        else
            m_layouts[first].reset();
    }
    m_layouts.resize(std::min(m_layouts.size(), first + 1));
    m_layouts.resize(size_t(all.size()));
    for (size_t i = first; i < m_layouts.size(); ++i) {
        if (m_layouts[i])
            continue;
        m_layouts[i] = BlockLayout::create(all[qsizetype(i)], *m_style);
        m_layouts[i]->setWidth(m_width);
    }
    // A block that joins a quote or list may look different where it touches the one before.
    return std::min(changedFrom, placeFrom(first));
}

qreal MessageDocument::placeFrom(size_t first)
{
    m_tops.resize(m_layouts.size());
    qreal y = 0;
    qreal moved = 1e9;
    if (first > 0)
        y = m_tops[first - 1] + m_layouts[first - 1]->height();
    for (size_t i = first; i < m_layouts.size(); ++i) {
        if (i > 0)
            y += spaceBetween(m_layouts[i - 1]->block(), m_layouts[i]->block(), *m_style);
        y = std::ceil(y);
        if (m_tops[i] != y && i == first)
            moved = std::min(m_tops[i], y);
        m_tops[i] = y;
        y += m_layouts[i]->height();
    }
    m_height = std::ceil(m_layouts.empty() ? m_style->linePitch : y);
    return moved;
}

void MessageDocument::layOut(qreal width, const ChatStyle& style)
{
    if (m_style != &style) {
        m_layouts.clear();
        m_style = &style;
        for (const MarkdownBlock& block : blocks())
            m_layouts.push_back(BlockLayout::create(block, style));
        m_width = 0;
    }
    if (m_width != width) {
        m_width = width;
        for (auto& layout : m_layouts)
            layout->setWidth(width);
        placeFrom(0);
    }
}

qreal MessageDocument::naturalWidth() const
{
    qreal width = 0;
    for (const auto& layout : m_layouts) {
        const bool fills = layout->block().kind != MarkdownBlock::Kind::Paragraph;
        width = std::max(width, fills ? m_width : layout->naturalWidth());
    }
    return width;
}

int MessageDocument::blockOf(int position) const
{
    if (m_starts.empty())
        return -1;
    return int(std::upper_bound(m_starts.begin() + 1, m_starts.end(), position) - m_starts.begin()) - 1;
}

int MessageDocument::blockAt(qreal y) const
{
    if (m_tops.empty())
        return -1;
    return int(std::upper_bound(m_tops.begin() + 1, m_tops.end(), y) - m_tops.begin()) - 1;
}

QString MessageDocument::text(int from, int to) const
{
    QString out;
    to = std::min(to, length());
    for (int i = std::max(0, blockOf(from)); i < int(m_starts.size()) && m_starts[size_t(i)] <= to; ++i) {
        const MarkdownBlock& block = blocks()[i];
        const int start = std::max(0, from - m_starts[size_t(i)]);
        const int end = std::min(plainLength(block), to - m_starts[size_t(i)]);
        if (start > end || (start == end && block.kind != MarkdownBlock::Kind::Rule && end != plainLength(block)))
            continue;
        QString piece = plainText(block).mid(start, end - start);
        piece.replace(QChar(0x2028), QLatin1Char('\n'));
        if (!out.isEmpty()) {
            const bool isItem = !block.containers.isEmpty() && block.containers.back().isTight && i > 0
                && !blocks()[i - 1].containers.isEmpty();
            out += block.joinsPrevious ? QString() : isItem ? QStringLiteral("\n") : QStringLiteral("\n\n");
        }
        // Markers tell items apart; a selection inside one item needs none.
        const bool goesOn = to > m_starts[size_t(i)] + plainLength(block);
        if (start == 0 && (goesOn || !out.isEmpty()))
            out += indentOf(block);
        out += piece;
    }
    return out;
}

QString MessageDocument::markdown(int from, int to) const
{
    QList<MarkdownBlock> parts;
    to = std::min(to, length());
    for (int i = std::max(0, blockOf(from)); i < int(m_starts.size()) && m_starts[size_t(i)] <= to; ++i) {
        const MarkdownBlock& block = blocks()[i];
        const int start = std::max(0, from - m_starts[size_t(i)]);
        const int end = std::min(plainLength(block), to - m_starts[size_t(i)]);
        if (start < end || block.kind == MarkdownBlock::Kind::Rule)
            parts.push_back(cut(block, start, end));
    }
    return toMarkdown(parts);
}

QList<int> MessageDocument::find(const QString& needle) const
{
    QList<int> hits;
    if (needle.isEmpty())
        return hits;
    for (size_t i = 0; i < m_starts.size(); ++i) {
        const QString text = plainText(blocks()[qsizetype(i)]);
        for (qsizetype at = text.indexOf(needle, 0, Qt::CaseInsensitive); at >= 0;
             at = text.indexOf(needle, at + needle.size(), Qt::CaseInsensitive))
            hits.push_back(m_starts[i] + int(at));
    }
    return hits;
}

std::pair<int, int> MessageDocument::wordAt(int position) const
{
    const int i = blockOf(position);
    if (i < 0)
        return {0, 0};
    const QString text = plainText(blocks()[i]);
    const int local = std::clamp(position - m_starts[size_t(i)], 0, int(text.size()));
    QTextBoundaryFinder finder(QTextBoundaryFinder::Word, text);
    finder.setPosition(local);
    qsizetype start = finder.isAtBoundary() && local < text.size() ? local : finder.toPreviousBoundary();
    finder.setPosition(start < 0 ? 0 : start);
    qsizetype end = finder.toNextBoundary();
    start = std::max<qsizetype>(0, start);
    end = end < 0 ? text.size() : end;
    return {m_starts[size_t(i)] + int(start), m_starts[size_t(i)] + int(end)};
}

std::pair<int, int> MessageDocument::blockRangeAt(int position) const
{
    const int i = blockOf(position);
    if (i < 0)
        return {0, 0};
    return {m_starts[size_t(i)], m_starts[size_t(i)] + plainLength(blocks()[i])};
}

void MessageDocument::paint(QPainter& painter, const BlockPaint& state, int hoveredCopy, int copied,
    const QString& copyLabel, const QString& copiedLabel) const
{
    for (int i = std::max(0, blockAt(state.clip.top())); i < int(m_layouts.size()); ++i) {
        const qreal top = m_tops[size_t(i)];
        if (top > state.clip.bottom())
            break;
        const int start = m_starts[size_t(i)];
        BlockPaint own;
        own.clip = state.clip.translated(0, -top);
        own.selectionFrom = state.selectionFrom - start;
        own.selectionTo = state.selectionTo - start;
        for (const MarkedRange& range : state.found)
            own.found.push_back({range.from - start, range.to - start, range.isCurrent});
        own.hoversCopy = i == hoveredCopy;
        own.copyLabel = i == copied ? copiedLabel : copyLabel;
        painter.save();
        painter.translate(0, top);
        m_layouts[size_t(i)]->paint(painter, own);
        painter.restore();
    }
}

int MessageDocument::positionAt(const QPointF& point) const
{
    const int i = blockAt(point.y());
    if (i < 0)
        return 0;
    return m_starts[size_t(i)] + layoutOf(i).positionAt(point - originOf(i));
}

QRectF MessageDocument::cursorRect(int position) const
{
    const int i = blockOf(position);
    if (i < 0 || !m_style)
        return {};
    return layoutOf(i).cursorRect(position - m_starts[size_t(i)]).translated(originOf(i));
}

QRectF MessageDocument::caretRect() const
{
    if (!m_style)
        return {};
    const qreal width = m_style->unit * 1.75, height = m_style->unit * 4;
    QRectF at(0, 0, 1, m_style->linePitch);
    if (!m_layouts.empty())
        at = cursorRect(length());
    return {at.left() + 1, at.top() + (at.height() - height) / 2, width, height};
}

} // namespace kvasir
