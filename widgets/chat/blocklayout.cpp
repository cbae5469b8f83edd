#include "chat/blocklayout.h"

#include "base/fonts.h"
#include "base/theme.h"
#include "chat/chatstyle.h"
#include "chat/codeblocklayout.h"
#include "chat/emoji.h"
#include "chat/tableblocklayout.h"
#include "chat/textblocklayout.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace kvasir {

namespace {

constexpr qreal kCodePadding = 3; // between inline code and the edge of its box

bool hasRightToLeftCharacters(const QString& text)
{
    return std::any_of(text.begin(), text.end(), [](QChar c) {
        return c.unicode() >= 0x590
            && (c.direction() == QChar::DirR || c.direction() == QChar::DirAL || c.direction() == QChar::DirAN);
    });
}

// Formats may not overlap, so the emoji face is cut into the runs that it crosses.
void addEmojiFormats(const QString& text, QList<QTextLayout::FormatRange>& formats)
{
    if (Fonts::emojiFamily().isEmpty())
        return;
    for (const auto& [start, length] : emojiRanges(text)) {
        QTextLayout::FormatRange range;
        range.start = start;
        range.length = length;
        range.format.setFontFamilies(QStringList{Fonts::emojiFamily()});
        range.format.setFontItalic(false);
        formats.push_back(range); // later ranges win
    }
}

// Room for the box around inline code, as letter spacing: on the blank before it and on its last character.
void addCodePadding(const QString& text, const TextRun& run, QList<QTextLayout::FormatRange>& formats)
{
    QTextLayout::FormatRange range;
    range.length = 1;
    range.format.setFontLetterSpacingType(QFont::AbsoluteSpacing);
    range.format.setFontLetterSpacing(kCodePadding);
    range.start = run.start - 1;
    if (range.start >= 0 && text[range.start].isSpace())
        formats.push_back(range);
    range.start = run.start + run.length - 1;
    if (!text[range.start].isSurrogate())
        formats.push_back(range);
}

} // namespace

BlockLayout::BlockLayout(const MarkdownBlock& block, const ChatStyle& style)
    : m_block(block)
    , m_style(style)
{
}

BlockLayout::~BlockLayout() = default;

std::unique_ptr<BlockLayout> BlockLayout::create(const MarkdownBlock& block, const ChatStyle& style)
{
    switch (block.kind) {
    case MarkdownBlock::Kind::Code:
        return std::make_unique<CodeBlockLayout>(block, style);
    case MarkdownBlock::Kind::Table:
        return std::make_unique<TableBlockLayout>(block, style);
    case MarkdownBlock::Kind::Rule:
        return std::make_unique<RuleBlockLayout>(block, style);
    default:
        return std::make_unique<TextBlockLayout>(block, style);
    }
}

bool BlockLayout::update(const MarkdownBlock& next, qreal* changedFrom)
{
    *changedFrom = 0;
    if (next.kind != m_block.kind || next.level != m_block.level || next.joinsPrevious != m_block.joinsPrevious)
        return false;
    if (!takeOver(next, changedFrom))
        return false;
    const bool sameContainers = next.containers == m_block.containers;
    if (!sameContainers)
        *changedFrom = 0;
    m_block = next;
    if (m_width > 0)
        setWidth(m_width);
    return true;
}

void BlockLayout::setWidth(qreal width)
{
    m_width = width;
    measureContainers();
    place();
    setScroll(m_scroll);
}

qreal BlockLayout::naturalWidth() const
{
    qreal width = 0;
    for (const Piece& piece : m_pieces) {
        for (int i = 0; i < piece.layout->lineCount(); ++i)
            width = std::max(width, piece.position.x() + piece.layout->lineAt(i).naturalTextWidth());
    }
    return std::min(m_width, std::ceil(width) + 1);
}

qreal BlockLayout::itemIndent(const MarkdownContainer& item) const
{
    if (item.marker.size() < 2)
        return m_style.listIndent;
    const qreal number = QFontMetricsF(m_style.textFont).horizontalAdvance(item.marker);
    return std::max(m_style.listIndent, number + 2.5 * m_style.unit);
}

void BlockLayout::measureContainers()
{
    m_left = 0;
    for (const MarkdownContainer& c : m_block.containers) {
        if (c.kind == MarkdownContainer::Kind::Quote)
            m_left += m_style.quoteIndent;
        else
            m_left += itemIndent(c);
    }
    // Deep nesting in a narrow window must leave room for words.
    m_left = std::min(m_left, m_width * 0.6);
}

BlockLayout::Piece BlockLayout::makePiece(const QString& text, const QList<QTextLayout::FormatRange>& formats,
    const QFont& font, qreal pitch, int start, Qt::Alignment alignment, bool wraps) const
{
    Piece piece;
    piece.layout = std::make_unique<QTextLayout>(text, font);
    piece.font = &font;
    piece.pitch = pitch;
    piece.start = start;
    piece.hasRightToLeft = hasRightToLeftCharacters(text);
    // A paragraph that begins in Hebrew or Arabic starts at the right.
    if (alignment == Qt::AlignLeft && piece.hasRightToLeft && text.isRightToLeft())
        alignment = Qt::AlignRight;
    QTextOption option(alignment);
    option.setWrapMode(wraps ? QTextOption::WrapAtWordBoundaryOrAnywhere : QTextOption::NoWrap);
    option.setTextDirection(Qt::LayoutDirectionAuto);
    option.setTabStopDistance(4 * QFontMetricsF(font).horizontalAdvance(QLatin1Char(' ')));
    piece.layout->setTextOption(option);
    piece.layout->setCacheEnabled(true);
    QList<QTextLayout::FormatRange> all = formats;
    addEmojiFormats(text, all);
    if (!all.isEmpty())
        piece.layout->setFormats(all);
    return piece;
}

QList<QTextLayout::FormatRange> BlockLayout::formatsOf(const RichText& text) const
{
    QList<QTextLayout::FormatRange> formats;
    for (const TextRun& run : text.runs) {
        QTextLayout::FormatRange range;
        range.start = run.start;
        range.length = run.length;
        if (run.styles & TextRun::Bold)
            range.format.setFontWeight(QFont::Bold);
        if (run.styles & (TextRun::Italic | TextRun::Math | TextRun::Image))
            range.format.setFontItalic(true);
        if (run.styles & TextRun::Strike)
            range.format.setFontStrikeOut(true);
        if (run.styles & TextRun::Code) {
            range.format.setFontFamilies(m_style.codeFont.families());
            range.format.setProperty(QTextFormat::FontPixelSize, m_style.codeFont.pixelSize() - 1);
        }
        if (!run.href.isEmpty()) {
            range.format.setForeground(m_style.theme.accent);
            range.format.setFontUnderline(true);
        }
        formats.push_back(range);
        if (run.styles & TextRun::Code)
            addCodePadding(text.text, run, formats);
    }
    return formats;
}

qreal BlockLayout::breakLines(Piece& piece, qreal width) const
{
    const QFontMetricsF metrics(*piece.font);
    const qreal baseline = std::round((piece.pitch - metrics.height()) / 2 + metrics.ascent());
    qreal y = 0;
    piece.layout->beginLayout();
    for (QTextLine line = piece.layout->createLine(); line.isValid(); line = piece.layout->createLine()) {
        line.setLineWidth(std::max<qreal>(width, 1));
        // Every baseline stands on the pitch, whatever fallback faces the line holds; only taller ones push it down.
        const qreal push = std::max(0.0, line.ascent() - baseline);
        line.setPosition({0, y + push + baseline - line.ascent()});
        y += std::max(piece.pitch, push + baseline + line.descent());
    }
    piece.layout->endLayout();
    return y;
}

qreal BlockLayout::lineTop(const Piece& piece, const QTextLine& line) const
{
    const QFontMetricsF metrics(*piece.font);
    const qreal baseline = std::round((piece.pitch - metrics.height()) / 2 + metrics.ascent());
    return std::min(line.y(), line.y() + line.ascent() - baseline);
}

QList<QRectF> BlockLayout::rectsOf(const Piece& piece, int from, int to) const
{
    QList<QRectF> rects;
    for (int i = 0; i < piece.layout->lineCount(); ++i) {
        const QTextLine line = piece.layout->lineAt(i);
        const int start = std::max(from, line.textStart());
        const int end = std::min(to, line.textStart() + line.textLength());
        if (start > end || (start == end && line.textLength() > 0))
            continue;
        const qreal top = lineTop(piece, line);
        const qreal bottom = i + 1 < piece.layout->lineCount() ? lineTop(piece, piece.layout->lineAt(i + 1))
                                                               : std::max(top + piece.pitch, line.y() + line.height());
        const qreal x1 = line.cursorToX(start), x2 = line.cursorToX(end);
        const qreal width = std::max(std::abs(x2 - x1), start == end ? m_style.unit : 0);
        rects.push_back(QRectF(std::min(x1, x2), top, width, bottom - top).translated(piece.position));
    }
    return rects;
}

QRectF BlockLayout::viewport() const
{
    return {m_left, 0, m_width - m_left, m_height};
}

qreal BlockLayout::maxScroll() const
{
    return std::max(0.0, m_contentWidth - viewport().width());
}

void BlockLayout::setScroll(qreal scroll)
{
    m_scroll = std::clamp(std::round(scroll), 0.0, std::ceil(maxScroll()));
}

QRectF BlockLayout::scrollHandle() const
{
    if (maxScroll() <= 0)
        return {};
    const QRectF view = viewport();
    const qreal width = std::max(8 * m_style.unit, view.width() * view.width() / m_contentWidth);
    const qreal travel = view.width() - width - 2 * m_style.unit;
    return {view.left() + m_style.unit + travel * m_scroll / maxScroll(), view.bottom() - 1.5 * m_style.unit, width,
        m_style.unit};
}

void BlockLayout::paintBehind(QPainter&, const BlockPaint&) const { }

void BlockLayout::paint(QPainter& painter, const BlockPaint& state) const
{
    const Theme& theme = m_style.theme;
    paintContainers(painter);
    paintBehind(painter, state);
    painter.save();
    const bool scrolls = maxScroll() > 0;
    if (scrolls) {
        painter.setClipRect(viewport(), Qt::IntersectClip);
        painter.translate(-m_scroll, 0);
    }
    const QRectF clip = state.clip.translated(m_scroll, 0).adjusted(-8, -8, 8, 8);
    painter.setPen(theme.text);
    for (const Piece& piece : m_pieces) {
        const QRectF bounds = piece.layout->boundingRect().translated(piece.position);
        if (bounds.top() > clip.bottom() || bounds.bottom() < clip.top())
            continue;
        paintInlineCode(painter, piece);
        const int length = int(piece.layout->text().size());
        QList<QTextLayout::FormatRange> marks;
        const auto mark = [&](int from, int to, const QColor& color) {
            from = std::clamp(from - piece.start, 0, length);
            to = std::clamp(to - piece.start, 0, length);
            const bool isEmptyLine =
                length == 0 && state.selectionFrom <= piece.start && state.selectionTo > piece.start;
            if (from >= to && !isEmptyLine)
                return;
            if (!piece.hasRightToLeft) {
                for (const QRectF& r : rectsOf(piece, from, to))
                    painter.fillRect(r.toAlignedRect(), color);
                return;
            }
            // Neighbours in the text may lie far apart on such a line; Qt knows where.
            marks.push_back({from, to - from, {}});
            marks.back().format.setBackground(color);
        };
        for (const MarkedRange& range : state.found)
            mark(range.from, range.to, range.isCurrent ? theme.foundCurrent : theme.found);
        if (state.selectionFrom < state.selectionTo)
            mark(state.selectionFrom, state.selectionTo, theme.selection);
        piece.layout->draw(&painter, piece.position, marks, clip);
    }
    painter.restore();
    if (scrolls) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(withContrast(theme.hairline, theme.background, 1.8));
        painter.drawRoundedRect(scrollHandle(), m_style.unit / 2, m_style.unit / 2);
    }
}

void BlockLayout::paintContainers(QPainter& painter) const
{
    const Theme& theme = m_style.theme;
    const QFontMetricsF metrics(m_style.textFont);
    const qreal pitch = m_pieces.empty() ? m_style.linePitch : m_pieces.front().pitch;
    const qreal baseline = std::round((pitch - metrics.height()) / 2 + metrics.ascent());
    qreal x = 0;
    int depth = 0;
    for (const MarkdownContainer& c : m_block.containers) {
        if (c.kind == MarkdownContainer::Kind::Quote) {
            painter.fillRect(QRectF(x, 0, m_style.unit * 0.75, m_height), theme.hairline);
            x += m_style.quoteIndent;
            continue;
        }
        const qreal width = itemIndent(c);
        const qreal right = x + width - 2 * m_style.unit;
        x += width;
        ++depth;
        if (!c.isFirst || right > m_width)
            continue;
        const qreal middle = baseline - metrics.xHeight() / 2;
        painter.setRenderHint(QPainter::Antialiasing);
        if (c.marker == QChar(0x2022)) {
            const qreal r = m_style.unit * 0.6;
            const QPointF center(right - r - m_style.unit / 2, middle);
            painter.setPen(depth % 3 == 2 ? QPen(theme.muted, 1.2) : QPen(Qt::NoPen));
            painter.setBrush(depth % 3 == 2 ? Qt::NoBrush : QBrush(theme.muted));
            if (depth % 3 == 0)
                painter.drawRect(QRectF(center - QPointF(r, r) * 0.9, QSizeF(2 * r, 2 * r) * 0.9));
            else
                painter.drawEllipse(center, r, r);
        } else if (c.marker == QChar(0x2610) || c.marker == QChar(0x2611)) {
            const bool checked = c.marker == QChar(0x2611);
            const qreal side = 3.25 * m_style.unit;
            const QRectF box(
                right - side + m_style.unit / 2, baseline - metrics.capHeight() / 2 - side / 2, side, side);
            painter.setPen(QPen(checked ? theme.accent : theme.muted, 1.2));
            painter.setBrush(checked ? theme.accent : QColor(Qt::transparent));
            painter.drawRoundedRect(box, m_style.unit * 0.75, m_style.unit * 0.75);
            if (checked) {
                QPainterPath tick(box.topLeft() + QPointF(0.22, 0.52) * side);
                tick.lineTo(box.topLeft() + QPointF(0.42, 0.72) * side);
                tick.lineTo(box.topLeft() + QPointF(0.78, 0.30) * side);
                painter.setBrush(Qt::NoBrush);
                painter.setPen(QPen(theme.onAccent, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
                painter.drawPath(tick);
            }
        } else {
            painter.setFont(m_style.textFont);
            painter.setPen(theme.muted);
            painter.drawText(QPointF(right - metrics.horizontalAdvance(c.marker), baseline), c.marker);
        }
        painter.setBrush(Qt::NoBrush);
    }
}

void BlockLayout::paintInlineCode(QPainter& painter, const Piece& piece) const
{
    if (m_block.kind == MarkdownBlock::Kind::Code || piece.hasRightToLeft)
        return;
    const QFontMetricsF metrics(m_style.codeFont);
    const int offset = runOffsetOf(piece);
    for (const TextRun& run : richTextOf(piece).runs) {
        const int from = std::max(0, run.start - offset);
        const int to = std::min(run.start + run.length - offset, int(piece.layout->text().size()));
        if (!(run.styles & TextRun::Code) || from >= to)
            continue;
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_style.theme.hover);
        for (const QRectF& r : rectsOf(piece, from, to)) {
            const qreal inset = std::max(0.0, (r.height() - metrics.height() - 1) / 2);
            painter.drawRoundedRect(r.adjusted(-kCodePadding, inset, 0, -inset), 3, 3);
        }
        painter.setBrush(Qt::NoBrush);
        painter.setPen(m_style.theme.text);
    }
}

const RichText& BlockLayout::richTextOf(const Piece& piece) const
{
    if (m_block.kind != MarkdownBlock::Kind::Table)
        return m_block.text;
    const size_t index = size_t(&piece - m_pieces.data());
    const size_t columns = size_t(std::max<qsizetype>(1, m_block.columns.size()));
    return m_block.rows[qsizetype(index / columns)][qsizetype(index % columns)];
}

// Runs count from the start of their text: the cell's, or the whole paragraph's of which a piece is a part.
int BlockLayout::runOffsetOf(const Piece& piece) const
{
    return m_block.kind == MarkdownBlock::Kind::Table ? 0 : piece.start;
}

const BlockLayout::Piece* BlockLayout::pieceAt(const QPointF& p) const
{
    const Piece* best = nullptr;
    qreal bestDistance = 0;
    for (const Piece& piece : m_pieces) {
        const QRectF& a = piece.area;
        const qreal dx = std::max({a.left() - p.x(), 0.0, p.x() - a.right()});
        const qreal dy = std::max({a.top() - p.y(), 0.0, p.y() - a.bottom()});
        const qreal distance = dy * 1000 + dx; // a row away is farther than any column
        if (!best || distance < bestDistance) {
            best = &piece;
            bestDistance = distance;
        }
        if (distance == 0)
            break;
    }
    return best;
}

const BlockLayout::Piece* BlockLayout::pieceOf(int position) const
{
    auto it = std::upper_bound(
        m_pieces.begin(), m_pieces.end(), position, [](int p, const Piece& piece) { return p < piece.start; });
    return it == m_pieces.begin() ? nullptr : &*std::prev(it);
}

int BlockLayout::positionAt(const QPointF& point) const
{
    const QPointF p = point + QPointF(m_scroll, 0);
    const Piece* piece = pieceAt(p);
    if (!piece)
        return 0;
    const QPointF local = p - piece->position;
    for (int i = piece->layout->lineCount() - 1; i >= 0; --i) {
        const QTextLine line = piece->layout->lineAt(i);
        if (i == 0 || local.y() >= lineTop(*piece, line)) {
            int position = line.xToCursor(local.x());
            // The break character itself belongs to the line, but a cursor behind it would be on the next one.
            const int end = line.textStart() + line.textLength();
            if (position == end && i + 1 < piece->layout->lineCount() && end > line.textStart())
                --position;
            return piece->start + position;
        }
    }
    return piece->start;
}

QRectF BlockLayout::cursorRect(int position) const
{
    const Piece* piece = pieceOf(position);
    if (!piece)
        return {m_left, 0, 1, m_style.linePitch};
    const int local = std::min(position - piece->start, int(piece->layout->text().size()));
    const QTextLine line = piece->layout->lineForTextPosition(local);
    if (!line.isValid())
        return {piece->position, QSizeF(1, piece->pitch)};
    return {piece->position.x() + line.cursorToX(local) - m_scroll, piece->position.y() + lineTop(*piece, line), 1,
        piece->pitch};
}

bool BlockLayout::isOnText(const QPointF& point) const
{
    const QPointF p = point + QPointF(m_scroll, 0);
    const Piece* piece = pieceAt(p);
    if (!piece)
        return false;
    const QPointF local = p - piece->position;
    for (int i = 0; i < piece->layout->lineCount(); ++i) {
        if (piece->layout->lineAt(i).naturalTextRect().adjusted(0, -2, 0, 2).contains(local))
            return true;
    }
    return false;
}

const TextRun* BlockLayout::runAt(const QPointF& point) const
{
    if (m_block.kind == MarkdownBlock::Kind::Code || !isOnText(point))
        return nullptr;
    const QPointF p = point + QPointF(m_scroll, 0);
    const Piece* piece = pieceAt(p);
    const QPointF local = p - piece->position;
    for (int i = 0; i < piece->layout->lineCount(); ++i) {
        const QTextLine line = piece->layout->lineAt(i);
        if (!line.naturalTextRect().adjusted(0, -2, 0, 2).contains(local))
            continue;
        const int position = line.xToCursor(local.x(), QTextLine::CursorOnCharacter) + runOffsetOf(*piece);
        for (const TextRun& run : richTextOf(*piece).runs) {
            if (position >= run.start && position < run.start + run.length)
                return &run;
        }
    }
    return nullptr;
}

QString BlockLayout::hrefAt(const QPointF& point) const
{
    const TextRun* run = runAt(point);
    return run ? run->href : QString();
}

} // namespace kvasir
