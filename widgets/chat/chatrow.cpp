#include "chat/chatrow.h"

#include "base/fonts.h"
#include "base/numberformat.h"
#include "base/theme.h"
#include "chat/chatstyle.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>
#include <utility>

namespace kvasir {

namespace {

// A pasted file would push the conversation out of sight: a long message shows its beginning and a button.
constexpr qsizetype kFoldedLength = 6000;
constexpr qsizetype kReplyLimit = 400000; // no reply is this long; a hostile file could be
const QString kSeparator = QStringLiteral("  ·  ");

/// Text as a Markdown quotation; `atLineStart` carries over from one piece of a stream to the next.
QString quoted(const QString& text, bool& atLineStart)
{
    QString out;
    for (const QChar c : text) {
        if (std::exchange(atLineStart, c == QLatin1Char('\n')))
            out += QStringLiteral("> ");
        out += c;
    }
    return out;
}

QString lastLine(const QString& text)
{
    const QString trimmed = text.trimmed();
    return trimmed.mid(trimmed.lastIndexOf(QLatin1Char('\n')) + 1);
}

} // namespace

ChatRow::ChatRow(const ChatMessage& message)
    : m_message(message)
    , m_shownLimit(message.role == ChatMessage::Role::Assistant ? kReplyLimit : kFoldedLength)
{
}

ChatRow::~ChatRow() = default;

bool ChatRow::setMessage(const ChatMessage& message)
{
    const QString thought = m_message.reasoning + m_pendingReasoning;
    const bool sameThought = message.reasoning.size() == thought.size() || !m_reasoningOpen || m_message.text.isEmpty();
    const bool grows = m_document && message.role == m_message.role && message.text.size() <= m_shownLimit
        && message.text.startsWith(m_message.text + m_pending) && message.reasoning.startsWith(thought) && sameThought;
    if (grows) {
        const QString known = m_message.text, knownThought = m_message.reasoning;
        m_pending = message.text.mid(known.size());
        m_pendingReasoning = message.reasoning.mid(knownThought.size());
        m_message = message;
        m_message.text = known;
        m_message.reasoning = knownThought;
        setState(message.state, message.notice, message.actionLabel);
        return true;
    }
    m_message = message;
    m_pending.clear();
    m_pendingReasoning.clear();
    forgetLayout();
    return false;
}

void ChatRow::forgetLayout()
{
    m_document.reset();
    m_columnWidth = m_measuredWidth = 0;
}

void ChatRow::setReasoningLabel(const QString& label)
{
    m_message.reasoningLabel = label;
    if (m_columnWidth > 0 && m_document)
        place();
}

void ChatRow::setReasoningOpen(bool open)
{
    if (open == m_reasoningOpen)
        return;
    m_reasoningOpen = open;
    m_message.text += std::exchange(m_pending, {});
    m_message.reasoning += std::exchange(m_pendingReasoning, {});
    forgetLayout();
}

void ChatRow::setFooter(const QList<FooterPart>& footer)
{
    m_message.footer = footer;
    if (m_columnWidth > 0 && m_document)
        place();
}

void ChatRow::setState(ChatMessage::State state, const QString& notice, const QString& actionLabel)
{
    m_message.state = state;
    m_message.notice = notice;
    m_message.actionLabel = actionLabel;
    m_measuredWidth = m_columnWidth;
    takePending();
    if (!m_document)
        return;
    m_document->update(isOpen());
    if (m_columnWidth > 0)
        place();
}

void ChatRow::takePending()
{
    const QString thought = std::exchange(m_pendingReasoning, {}), text = std::exchange(m_pending, {});
    const bool isFirstText = m_message.text.isEmpty() && !text.isEmpty();
    const bool breaksOrder = m_reasoningOpen && !thought.isEmpty() && !m_message.text.isEmpty();
    m_message.reasoning += thought;
    m_message.text += text;
    if (!m_document || m_isCut)
        return;
    if (breaksOrder) { // reasoning behind an answer belongs above it
        m_document.reset();
        if (m_columnWidth > 0)
            layOut(m_columnWidth, *m_style);
        return;
    }
    if (m_reasoningOpen) {
        m_document->append(quoted(thought, m_quoteAtLineStart));
        if (isFirstText && !m_message.reasoning.isEmpty())
            m_document->append(QStringLiteral("\n\n"));
    }
    m_document->append(text);
}

qreal ChatRow::flush()
{
    const QRectF caret = m_document ? m_document->caretRect() : QRectF();
    const qreal folded = m_lastThoughtRect.top();
    const bool changesFold = !m_pendingReasoning.isEmpty() || !m_lastThoughtRect.isEmpty();
    takePending();
    if (!m_document)
        return 0;
    const qreal changed = std::min(m_document->update(isOpen()), m_document->isLaidOut() ? caret.top() : 0);
    if (m_columnWidth > 0)
        place();
    if (changesFold)
        return folded > 0 ? folded : headerHeight();
    return m_textOrigin.y() + changed;
}

QString ChatRow::source() const
{
    if (!m_reasoningOpen || m_message.reasoning.isEmpty())
        return m_message.text;
    bool atLineStart = true;
    const QString quotation = quoted(m_message.reasoning, atLineStart);
    return m_message.text.isEmpty() ? quotation : quotation + QStringLiteral("\n\n") + m_message.text;
}

QString ChatRow::answerText() const
{
    if (m_message.role != ChatMessage::Role::Assistant)
        return m_message.text;
    const MessageDocument answer(m_message.text, false, false);
    return answer.text(0, answer.length());
}

QString ChatRow::shownText() const
{
    const QString all = source();
    if (all.size() <= m_shownLimit)
        return all;
    const qsizetype line = all.lastIndexOf(QLatin1Char('\n'), m_shownLimit);
    return all.left(line > m_shownLimit / 2 ? line : m_shownLimit);
}

void ChatRow::showMore()
{
    m_shownLimit = std::max(m_shownLimit * 10, kFoldedLength);
    forgetLayout();
}

MessageDocument& ChatRow::document()
{
    if (!m_document) {
        const bool isLiteral = m_message.role != ChatMessage::Role::Assistant;
        const QString shown = shownText();
        m_isCut = source().size() > shown.size();
        m_quoteAtLineStart = m_message.reasoning.isEmpty() || m_message.reasoning.endsWith(QLatin1Char('\n'));
        m_document = std::make_unique<MessageDocument>(shown, isLiteral, isOpen());
        m_columnWidth = 0;
    }
    return *m_document;
}

QString ChatRow::spokenText() const
{
    QString text = m_message.header + QStringLiteral(": ");
    if (hasReasoning())
        text += m_message.reasoningLabel + QLatin1Char('\n');
    if (m_document)
        text += m_document->text(0, m_document->length());
    else
        text += m_message.text;
    if (!m_message.notice.isEmpty())
        text += QLatin1Char('\n') + m_message.notice;
    return text;
}

bool ChatRow::isLaidOut(qreal columnWidth, const ChatStyle& style) const
{
    return m_document && m_columnWidth == columnWidth && m_style == &style;
}

bool ChatRow::isMeasured(qreal columnWidth, const ChatStyle& style) const
{
    return m_measuredWidth == columnWidth && m_measuredStyle == &style;
}

void ChatRow::release()
{
    m_message.text += std::exchange(m_pending, {});
    m_message.reasoning += std::exchange(m_pendingReasoning, {});
    m_document.reset();
    m_columnWidth = 0;
}

int ChatRow::estimatedHeight(qreal columnWidth, const ChatStyle& style) const
{
    const QString text = source();
    const qsizetype length = std::min(text.size(), m_shownLimit);
    const qreal perLine = std::max(8.0, columnWidth / (style.textFont.pixelSize() * 0.56));
    const qreal lines = std::max<qreal>(1, qreal(length) / perLine + 0.5 * qreal(text.left(length).count('\n')));
    const qreal footer = m_message.footer.isEmpty() ? 0 : style.smallPitch + 2 * style.unit;
    const qreal reasoning = hasReasoning() ? style.smallPitch + 2 * style.unit : 0;
    return int(headerHeight() + reasoning + lines * style.linePitch + footer + 7 * style.unit);
}

qreal ChatRow::headerHeight() const
{
    const qreal unit = m_style ? m_style->unit : Fonts::px(4);
    return (m_style ? m_style->smallPitch : Fonts::px(18)) + unit * (isBoxed() ? 1.5 : 1);
}

void ChatRow::layOut(qreal columnWidth, const ChatStyle& style)
{
    m_style = &style;
    MessageDocument& text = document();
    m_columnWidth = m_measuredWidth = columnWidth;
    m_measuredStyle = &style;
    const qreal padding = isBoxed() ? 4 * style.unit : 0;
    text.layOut(columnWidth - 2 * padding, style);
    place();
}

void ChatRow::place()
{
    const ChatStyle& style = *m_style;
    const MessageDocument& text = *m_document;
    const QFontMetricsF small(style.smallFont), label(style.labelFont);
    qreal y = headerHeight();
    m_previousRect = m_branchRect = m_nextRect = {};
    if (m_message.branchCount > 1) {
        qreal x = label.horizontalAdvance(m_message.header) + 3 * style.unit;
        const qreal arrow = 5 * style.unit;
        m_previousRect = QRectF(x, 0, arrow, style.smallPitch);
        const QString shown = QString::number(m_message.branchCount);
        m_branchRect = QRectF(
            m_previousRect.right(), 0, Fonts::reservedWidth(style.smallFont, shown + "/" + shown), style.smallPitch);
        m_nextRect = QRectF(m_branchRect.right(), 0, arrow, style.smallPitch);
    }
    const QString more = m_isCut ? tr("Show more") : QString();
    m_moreRect = {};
    if (isBoxed()) {
        const qreal padX = 4 * style.unit, padY = 3 * style.unit;
        m_textOrigin = {padX, y + padY};
        qreal inner = text.height();
        if (m_isCut) {
            m_moreRect =
                QRectF(padX, y + padY + inner + style.unit, small.horizontalAdvance(more) + 2, style.smallPitch);
            inner += style.unit + style.smallPitch;
        }
        const qreal width = std::max(text.naturalWidth(), m_isCut ? m_moreRect.width() : 0) + 2 * padX;
        m_box = QRectF(0, y, std::min(m_columnWidth, width), inner + 2 * padY);
        y = m_box.bottom();
    } else {
        m_box = {};
        y = placeReasoning(y);
        m_textOrigin = {0, y};
        if ((isOpen() && m_lastThoughtRect.isEmpty()) || !text.blocks().isEmpty())
            y += text.height();
        if (m_isCut) {
            m_moreRect = QRectF(0, y + style.unit, small.horizontalAdvance(more) + 2, style.smallPitch);
            y = m_moreRect.bottom();
        }
    }
    m_noticeRect = m_actionRect = {};
    if (!m_message.notice.isEmpty()) {
        y += 2 * style.unit;
        const QRectF room(3 * style.unit, y, m_columnWidth - 3 * style.unit, 1e5);
        const QRectF bounds = small.boundingRect(room, Qt::TextWordWrap, m_message.notice);
        m_noticeRect = QRectF(room.left(), y, room.width(), std::ceil(bounds.height()));
        y = m_noticeRect.bottom();
    }
    if (!m_message.actionLabel.isEmpty()) {
        y += 2 * style.unit;
        const qreal width = label.horizontalAdvance(m_message.actionLabel) + 6 * style.unit;
        m_actionRect = QRectF(3 * style.unit, y, std::min(width, m_columnWidth), 7 * style.unit);
        y = m_actionRect.bottom();
    }
    placeFooter(y);
    m_height = int(std::ceil(m_footer.isEmpty() ? y : m_footerRect.bottom()) + 6 * style.unit);
}

/// The line that stands for the reasoning; below it, while it streams in, the newest line of it.
qreal ChatRow::placeReasoning(qreal y)
{
    m_reasoningRect = m_lastThoughtRect = {};
    if (m_message.reasoning.isEmpty())
        return y;
    const ChatStyle& style = *m_style;
    const qreal indent = 4 * style.unit; // of the triangle
    const qreal width =
        indent + QFontMetricsF(style.smallFont).horizontalAdvance(m_message.reasoningLabel) + style.unit;
    m_reasoningRect = QRectF(0, y, std::min(std::ceil(width), m_columnWidth), style.smallPitch + style.unit);
    y = m_reasoningRect.bottom();
    if (isOpen() && !m_reasoningOpen && m_message.text.isEmpty()) {
        m_lastThought = lastLine(m_message.reasoning);
        m_lastThoughtRect = QRectF(indent, y, m_columnWidth - indent, style.smallPitch);
        return m_lastThoughtRect.bottom();
    }
    return y + style.unit;
}

void ChatRow::placeFooter(qreal y)
{
    m_footer.clear();
    m_footerRect = {};
    if (m_message.footer.isEmpty())
        return;
    const ChatStyle& style = *m_style;
    const QFontMetricsF metrics(style.smallFont);
    const qreal gap = metrics.horizontalAdvance(kSeparator);
    qreal x = 0, top = y + 2 * style.unit;
    for (const FooterPart& part : m_message.footer) {
        qreal width = std::ceil(metrics.horizontalAdvance(part.text));
        if (!part.widest.isEmpty())
            width = std::max<qreal>(width, Fonts::reservedWidth(style.smallFont, part.widest));
        if (x > 0 && x + width > m_columnWidth) {
            x = 0;
            top += style.smallPitch;
        }
        m_footer.push_back({QRectF(x, top, width, style.smallPitch), part.text, part.tooltip});
        x += width + gap;
    }
    m_footerRect = QRectF(0, y + 2 * style.unit, m_columnWidth, top + style.smallPitch - y - 2 * style.unit);
}

void ChatRow::paint(QPainter& painter, const RowPaint& state)
{
    const ChatStyle& style = *m_style;
    const Theme& theme = style.theme;
    if (state.hasFocus) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme.accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(-2 * style.unit, -style.unit, m_columnWidth + 4 * style.unit,
                                    m_height - 6 * style.unit + 2 * style.unit),
            6, 6);
    }
    paintHeader(painter, state);
    paintReasoning(painter, state);
    if (isBoxed()) {
        painter.setRenderHint(QPainter::Antialiasing);
        const bool isUser = m_message.role == ChatMessage::Role::User;
        painter.setPen(isUser ? QPen(Qt::NoPen) : QPen(theme.hairline));
        painter.setBrush(isUser ? theme.userTint : theme.background);
        painter.drawRoundedRect(isUser ? m_box : m_box.adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
        painter.setBrush(Qt::NoBrush);
    }
    BlockPaint text;
    text.clip = state.clip.translated(-m_textOrigin);
    text.selectionFrom = state.selectionFrom;
    text.selectionTo = state.selectionTo;
    text.found = state.found;
    painter.save();
    painter.translate(m_textOrigin);
    m_document->paint(painter, text, state.hoveredCopy, state.copied, tr("Copy"), tr("Copied"));
    if (isOpen() && m_lastThoughtRect.isEmpty())
        painter.fillRect(m_document->caretRect().toAlignedRect(), theme.color(Meaning::Decode));
    painter.restore();
    painter.setFont(style.smallFont);
    if (!m_moreRect.isEmpty()) {
        painter.setPen(theme.accent);
        painter.drawText(m_moreRect, Qt::AlignLeft | Qt::AlignVCenter, tr("Show more"));
    }
    paintNotice(painter, state);
    painter.setFont(style.smallFont);
    painter.setPen(theme.muted);
    for (qsizetype i = 0; i < m_footer.size(); ++i) {
        const QRectF& rect = m_footer[i].rect;
        painter.drawText(rect, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, m_footer[i].text);
        if (i + 1 < m_footer.size() && m_footer[i + 1].rect.top() == rect.top())
            painter.drawText(
                QRectF(rect.right(), rect.top(), 100, rect.height()), Qt::AlignLeft | Qt::AlignVCenter, kSeparator);
    }
}

void ChatRow::paintHeader(QPainter& painter, const RowPaint& state) const
{
    const ChatStyle& style = *m_style;
    const Theme& theme = style.theme;
    const QFontMetricsF label(style.labelFont);
    painter.setFont(style.labelFont);
    painter.setPen(theme.muted);
    painter.drawText(QRectF(0, 0, m_columnWidth, style.smallPitch), Qt::AlignLeft | Qt::AlignVCenter,
        label.elidedText(m_message.header, Qt::ElideRight, m_columnWidth));
    if (m_branchRect.isEmpty())
        return;
    painter.setFont(style.smallFont);
    painter.drawText(
        m_branchRect, Qt::AlignCenter, QStringLiteral("%1/%2").arg(m_message.branch).arg(m_message.branchCount));
    const auto arrow = [&](const QRectF& rect, QChar sign, bool enabled, RowHit::Kind kind) {
        painter.setPen(!enabled ? theme.hairline : state.hovered == int(kind) ? theme.accent : theme.muted);
        painter.drawText(rect, Qt::AlignCenter, QString(sign));
    };
    arrow(m_previousRect, QChar(0x2039), m_message.branch > 1, RowHit::Kind::PreviousBranch);
    arrow(m_nextRect, QChar(0x203a), m_message.branch < m_message.branchCount, RowHit::Kind::NextBranch);
}

void ChatRow::paintReasoning(QPainter& painter, const RowPaint& state) const
{
    if (m_reasoningRect.isEmpty())
        return;
    const ChatStyle& style = *m_style;
    const Theme& theme = style.theme;
    const bool isHovered = state.hovered == int(RowHit::Kind::Reasoning);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(isHovered ? theme.accent : theme.muted);
    const qreal side = 1.5 * style.unit;
    const QPointF middle(side, m_reasoningRect.top() + style.smallPitch / 2);
    QPolygonF triangle; // to the right: folded, down: open
    for (const QPointF& corner : {QPointF(-0.6, -1), QPointF(0.8, 0), QPointF(-0.6, 1)})
        triangle << middle + side * 0.7 * (m_reasoningOpen ? QPointF(corner.y(), corner.x()) : corner);
    painter.drawPolygon(triangle);
    painter.setBrush(Qt::NoBrush);
    painter.setFont(style.smallFont);
    painter.setPen(isHovered ? theme.accent : theme.muted);
    const qreal indent = 4 * style.unit;
    const QFontMetricsF metrics(style.smallFont);
    painter.drawText(QRectF(indent, m_reasoningRect.top(), m_columnWidth - indent, style.smallPitch),
        Qt::AlignLeft | Qt::AlignVCenter,
        metrics.elidedText(m_message.reasoningLabel, Qt::ElideRight, m_columnWidth - indent));
    if (m_lastThoughtRect.isEmpty())
        return;
    painter.setPen(theme.muted);
    painter.drawText(m_lastThoughtRect, Qt::AlignLeft | Qt::AlignVCenter,
        metrics.elidedText(m_lastThought, Qt::ElideLeft, m_lastThoughtRect.width()));
}

void ChatRow::paintNotice(QPainter& painter, const RowPaint& state) const
{
    const ChatStyle& style = *m_style;
    const Theme& theme = style.theme;
    const bool isError = m_message.state == ChatMessage::State::Error;
    if (!m_noticeRect.isEmpty()) {
        // A bar beside the sentence, so that colour is not alone.
        painter.fillRect(QRectF(0, m_noticeRect.top(), 3, m_noticeRect.height()),
            isError ? theme.color(Meaning::Limit) : theme.edge(Meaning::Other));
        painter.setPen(isError ? theme.textColor(Meaning::Limit) : theme.muted);
        painter.drawText(m_noticeRect, Qt::TextWordWrap, m_message.notice);
    }
    if (!m_actionRect.isEmpty()) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme.hairline, 1));
        painter.setBrush(state.hovered == int(RowHit::Kind::Action) ? theme.hover : theme.field);
        painter.drawRoundedRect(m_actionRect.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
        painter.setBrush(Qt::NoBrush);
        painter.setFont(style.labelFont);
        painter.setPen(theme.accent);
        painter.drawText(m_actionRect, Qt::AlignCenter, m_message.actionLabel);
    }
}

RowHit ChatRow::hit(const QPointF& point)
{
    if (!m_document || !m_style)
        return {};
    if (m_previousRect.contains(point) && m_message.branch > 1)
        return {RowHit::Kind::PreviousBranch, -1, {}};
    if (m_nextRect.contains(point) && m_message.branch < m_message.branchCount)
        return {RowHit::Kind::NextBranch, -1, {}};
    if (m_reasoningRect.contains(point))
        return {RowHit::Kind::Reasoning, -1, {}};
    if (m_moreRect.contains(point))
        return {RowHit::Kind::ShowMore, -1, {}};
    if (m_actionRect.contains(point))
        return {RowHit::Kind::Action, -1, {}};
    for (const PlacedPart& part : m_footer) {
        if (part.rect.contains(point))
            return {RowHit::Kind::Footer, -1, part.tooltip};
    }
    const QPointF inText = point - m_textOrigin;
    if (inText.y() < 0 || inText.y() > m_document->height())
        return {};
    const int block = m_document->blockAt(inText.y());
    if (block < 0)
        return {};
    BlockLayout& layout = m_document->layoutOf(block);
    const QPointF local = inText - m_document->originOf(block);
    const qreal slack = m_style->unit;
    if (layout.scrollHandle().adjusted(0, -slack, 0, slack).contains(local))
        return {RowHit::Kind::ScrollHandle, block, {}};
    if (layout.copyButton().contains(local))
        return {RowHit::Kind::CopyCode, block, {}};
    const QString href = layout.hrefAt(local);
    if (!href.isEmpty())
        return {RowHit::Kind::Link, block, href};
    return {layout.isOnText(local) ? RowHit::Kind::Text : RowHit::Kind::None, block, {}};
}

int ChatRow::positionAt(const QPointF& point)
{
    if (!m_document || m_columnWidth <= 0)
        return 0;
    const QPointF inText = point - m_textOrigin;
    if (inText.y() < 0)
        return 0;
    if (inText.y() > m_document->height() + m_style->unit)
        return m_document->length();
    return m_document->positionAt(inText);
}

QRectF ChatRow::cursorRect(int position)
{
    return document().cursorRect(position).translated(m_textOrigin);
}

bool ChatRow::scrollBlock(const QPointF& point, qreal delta)
{
    if (!m_document || m_columnWidth <= 0)
        return false;
    const int block = m_document->blockAt(point.y() - m_textOrigin.y());
    if (block < 0 || m_document->layoutOf(block).maxScroll() <= 0)
        return false;
    BlockLayout& layout = m_document->layoutOf(block);
    layout.setScroll(layout.scroll() + delta);
    return true;
}

void ChatRow::scrollBlockTo(int block, qreal x)
{
    if (!m_document || block < 0 || block >= m_document->blocks().size())
        return;
    BlockLayout& layout = m_document->layoutOf(block);
    const QRectF handle = layout.scrollHandle();
    const qreal travel = m_document->width() - handle.width() - 2 * m_style->unit;
    if (handle.isEmpty() || travel <= 0)
        return;
    layout.setScroll((x - m_textOrigin.x() - handle.width() / 2 - m_style->unit) / travel * layout.maxScroll());
}

} // namespace kvasir
