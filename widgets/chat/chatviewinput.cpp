// Mouse, keyboard, selection and menus of the chat view.

#include "chat/chatview.h"
#include "chat/markdown.h"
#include "chat/messagetoolbar.h"

#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMenu>
#include <QScrollBar>
#include <QStyleHints>
#include <QToolTip>

#include <algorithm>
#include <climits>
#include <cmath>

namespace kvasir {

namespace {

constexpr int kDragScrollMs = 30;
constexpr int kCopiedMs = 1500;

// Other schemes could start programs or read files: they are shown, not followed.
bool isFollowable(const QUrl& url)
{
    const QString scheme = url.scheme().toLower();
    return url.isValid()
        && (scheme == QLatin1String("http") || scheme == QLatin1String("https") || scheme == QLatin1String("mailto"));
}

} // namespace

// ---- Where is the mouse

QPointF ChatView::toRow(const QPoint& point, int row) const
{
    return QPointF(point) - QPointF(columnLeft(), rowTop(row));
}

ChatView::Spot ChatView::spotAt(const QPoint& point)
{
    if (m_rows.empty())
        return {};
    const int row = std::clamp(rowAtY(point.y()), 0, int(m_rows.size()) - 1);
    layOutRow(row);
    return {row, m_rows[size_t(row)]->positionAt(toRow(point, row))};
}

RowHit ChatView::hitAt(const QPoint& point, int* row)
{
    *row = -1;
    if (m_rows.empty() || point.y() < rowTop(0) || point.y() >= rowTop(int(m_rows.size())))
        return {};
    *row = rowAtY(point.y());
    return m_rows[size_t(*row)]->hit(toRow(point, *row));
}

void ChatView::setHover(int row, const RowHit& hit)
{
    if (row == m_hoverRow && hit == m_hoverHit)
        return;
    const bool changesLook = [&] {
        for (auto kind :
            {RowHit::Kind::CopyCode, RowHit::Kind::Action, RowHit::Kind::PreviousBranch, RowHit::Kind::NextBranch}) {
            if (hit.kind == kind || m_hoverHit.kind == kind)
                return true;
        }
        return false;
    }();
    const int before = m_hoverRow;
    m_hoverRow = row;
    m_hoverHit = hit;
    if (changesLook) {
        updateRow(before);
        updateRow(row);
    }
    Qt::CursorShape shape = Qt::ArrowCursor;
    if (hit.kind == RowHit::Kind::Text)
        shape = Qt::IBeamCursor;
    else if (hit.kind == RowHit::Kind::Link)
        shape = isFollowable(QUrl(hit.detail)) ? Qt::PointingHandCursor : Qt::IBeamCursor;
    else if (hit.kind != RowHit::Kind::None && hit.kind != RowHit::Kind::Footer
        && hit.kind != RowHit::Kind::ScrollHandle)
        shape = Qt::PointingHandCursor;
    viewport()->setCursor(shape);
    placeToolbar();
}

void ChatView::updateHover(const QPoint& point)
{
    int row = -1;
    const RowHit hit = hitAt(point, &row);
    setHover(row, hit);
}

void ChatView::placeToolbar()
{
    if (m_hoverRow < 0 || m_hoverRow >= int(m_rows.size()) || m_isDragging) {
        m_toolbar->hide();
        return;
    }
    const ChatMessage& message = m_rows[size_t(m_hoverRow)]->message();
    m_toolbar->showFor(message.canEdit, message.canRegenerate);
    const int right = columnLeft() + int(columnWidth());
    // At the header; where that is above the window, at its top edge.
    const int y = std::max(2, rowTop(m_hoverRow) - int(m_style->unit));
    const int lowest = rowTop(m_hoverRow + 1) - m_toolbar->height() - int(6 * m_style->unit);
    m_toolbar->move(right - m_toolbar->width(), std::max(std::min(y, lowest), rowTop(m_hoverRow) - int(m_style->unit)));
}

bool ChatView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_toolbar && event->type() == QEvent::Leave
        && !viewport()->rect().contains(viewport()->mapFromGlobal(QCursor::pos())))
        setHover(-1, {});
    return QAbstractScrollArea::eventFilter(watched, event);
}

bool ChatView::viewportEvent(QEvent* event)
{
    switch (event->type()) {
    case QEvent::ToolTip:
        showToolTip(static_cast<QHelpEvent*>(event));
        return true;
    case QEvent::Leave:
        if (!m_toolbar->underMouse())
            setHover(-1, {});
        break;
    default:
        break;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void ChatView::showToolTip(QHelpEvent* event)
{
    int row = -1;
    const RowHit hit = hitAt(event->pos(), &row);
    if ((hit.kind == RowHit::Kind::Link || hit.kind == RowHit::Kind::Footer) && !hit.detail.isEmpty())
        // As rich text it wraps; the address of a link comes from the model, so it must not become markup.
        QToolTip::showText(event->globalPos(), QStringLiteral("<p>%1</p>").arg(hit.detail.toHtmlEscaped()), viewport());
    else
        QToolTip::hideText();
}

// ---- Mouse

void ChatView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || m_rows.empty())
        return;
    setFocusRow(-1);
    const QPoint point = event->position().toPoint();
    m_pressPoint = m_mousePoint = point;
    m_pressHit = hitAt(point, &m_pressRow);
    const bool isSoon =
        m_lastClick.isValid() && m_lastClick.elapsed() < QGuiApplication::styleHints()->mouseDoubleClickInterval();
    m_clicks = isSoon && m_clicks == 2 ? 3 : 1;
    switch (m_pressHit.kind) {
    case RowHit::Kind::None:
    case RowHit::Kind::Text:
    case RowHit::Kind::Link:
    case RowHit::Kind::Footer:
        break;
    default:
        return; // buttons act on release, the handle on moves
    }
    const Spot spot = spotAt(point);
    m_isDragging = true;
    placeToolbar();
    if (m_clicks == 3) {
        const auto [from, to] = m_rows[size_t(spot.row)]->document().blockRangeAt(spot.position);
        setSelection({spot.row, from}, {spot.row, to});
    } else if ((event->modifiers() & Qt::ShiftModifier) && m_anchor.row >= 0) {
        setSelection(m_anchor, spot);
    } else {
        setSelection(spot, spot);
    }
}

void ChatView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || m_rows.empty())
        return;
    const QPoint point = event->position().toPoint();
    m_pressHit = hitAt(point, &m_pressRow);
    if (m_pressHit.kind != RowHit::Kind::Text && m_pressHit.kind != RowHit::Kind::Link
        && m_pressHit.kind != RowHit::Kind::None) {
        mousePressEvent(event); // a fast second press of a button
        return;
    }
    m_clicks = 2;
    m_lastClick.start();
    const Spot spot = spotAt(point);
    const auto [from, to] = m_rows[size_t(spot.row)]->document().wordAt(spot.position);
    setSelection({spot.row, from}, {spot.row, to});
    m_pressHit = {};
}

void ChatView::mouseMoveEvent(QMouseEvent* event)
{
    m_mousePoint = event->position().toPoint();
    if (m_pressRow >= 0 && m_pressHit.kind == RowHit::Kind::ScrollHandle && (event->buttons() & Qt::LeftButton)) {
        m_rows[size_t(m_pressRow)]->scrollBlockTo(m_pressHit.block, toRow(m_mousePoint, m_pressRow).x());
        updateRow(m_pressRow);
        return;
    }
    if (!m_isDragging || !(event->buttons() & Qt::LeftButton)) {
        updateHover(m_mousePoint);
        return;
    }
    if (m_clicks == 1)
        extendSelection();
    const bool isOutside = m_mousePoint.y() < 0 || m_mousePoint.y() > viewport()->height();
    if (isOutside && !m_dragTimer.isActive())
        m_dragTimer.start(kDragScrollMs, this);
    else if (!isOutside)
        m_dragTimer.stop();
}

// Drags the end of the selection to the mouse; outside the window it scrolls, faster the farther out.
void ChatView::extendSelection()
{
    const int beyond = m_mousePoint.y() < 0 ? m_mousePoint.y() : std::max(0, m_mousePoint.y() - viewport()->height());
    if (beyond != 0)
        verticalScrollBar()->setValue(scrollValue() + beyond / 2 + (beyond < 0 ? -4 : 4));
    QPoint point = m_mousePoint;
    point.setY(std::clamp(point.y(), 0, viewport()->height() - 1));
    setSelection(m_anchor, spotAt(point));
}

void ChatView::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_dragTimer.stop();
    const bool wasDragging = std::exchange(m_isDragging, false);
    const QPoint point = event->position().toPoint();
    int row = -1;
    const RowHit hit = hitAt(point, &row);
    const bool isClick = (point - m_pressPoint).manhattanLength() < QApplication::startDragDistance();
    if (isClick && row == m_pressRow && hit == m_pressHit && !(wasDragging && hasSelection()))
        activate(row, hit);
    m_pressRow = -1;
    if (wasDragging)
        publishSelection();
    updateHover(point);
}

void ChatView::activate(int row, const RowHit& hit)
{
    if (row < 0)
        return;
    ChatRow& r = *m_rows[size_t(row)];
    const qint64 id = r.message().id;
    switch (hit.kind) {
    case RowHit::Kind::Link:
        if (const QUrl url(hit.detail); isFollowable(url))
            emit linkActivated(url);
        break;
    case RowHit::Kind::CopyCode:
        QGuiApplication::clipboard()->setText(plainText(r.document().blocks()[hit.block]));
        m_copiedRow = row;
        m_copiedBlock = hit.block;
        m_copiedTimer.start(kCopiedMs, this);
        updateRow(row);
        break;
    case RowHit::Kind::Action:
        emit actionRequested(id);
        break;
    case RowHit::Kind::PreviousBranch:
        emit branchRequested(id, -1);
        break;
    case RowHit::Kind::NextBranch:
        emit branchRequested(id, 1);
        break;
    case RowHit::Kind::Reasoning:
        setReasoningOpen(id, !r.isReasoningOpen());
        break;
    case RowHit::Kind::ShowMore:
        setFollowing(false);
        r.showMore();
        clearSelection();
        searchRow(row);
        invalidate();
        break;
    default:
        break;
    }
}

void ChatView::wheelEvent(QWheelEvent* event)
{
    // Sideways, or with Shift, it moves wide code and tables.
    const QPoint pixels = event->pixelDelta(), angle = event->angleDelta();
    const bool isSideways = std::abs(angle.x()) > std::abs(angle.y()) || (event->modifiers() & Qt::ShiftModifier);
    if (isSideways) {
        const QPoint point = event->position().toPoint();
        const int row = rowAtY(point.y());
        const int delta = angle.x() != 0 ? angle.x() : angle.y();
        const qreal distance = !pixels.isNull() ? (pixels.x() != 0 ? pixels.x() : pixels.y()) : delta * 0.5;
        if (row >= 0 && m_rows[size_t(row)]->scrollBlock(toRow(point, row), -distance)) {
            updateRow(row);
            event->accept();
            return;
        }
    }
    QAbstractScrollArea::wheelEvent(event);
    updateHover(event->position().toPoint());
}

// ---- Selection

std::pair<ChatView::Spot, ChatView::Spot> ChatView::selection() const
{
    if (m_anchor.row < 0 || m_cursor.row < 0)
        return {};
    return {std::min(m_anchor, m_cursor), std::max(m_anchor, m_cursor)};
}

bool ChatView::hasSelection() const
{
    const auto [from, to] = selection();
    return from < to;
}

void ChatView::setSelection(const Spot& anchor, const Spot& cursor)
{
    const bool had = hasSelection();
    if (anchor == m_anchor && cursor == m_cursor)
        return;
    // Only rows between the old and the new end change their look, unless the start moved.
    const int from = anchor == m_anchor ? std::min(m_cursor.row, cursor.row) : 0;
    const int to = anchor == m_anchor ? std::max(m_cursor.row, cursor.row) : int(m_rows.size()) - 1;
    m_anchor = anchor;
    m_cursor = cursor;
    if (!had && !hasSelection())
        return;
    if (anchor.row < 0 || from < 0) {
        viewport()->update();
        return;
    }
    const int firstVisible = std::max(0, rowAtY(0)), lastVisible = rowAtY(viewport()->height());
    for (int row = std::max(from, firstVisible); row <= std::min(to, lastVisible); ++row)
        updateRow(row);
}

void ChatView::clearSelection()
{
    setSelection({}, {});
}

void ChatView::selectAll()
{
    if (!m_rows.empty())
        setSelection({0, 0}, {int(m_rows.size()) - 1, INT_MAX / 2});
}

QString ChatView::selectedText()
{
    const auto [from, to] = selection();
    QStringList parts;
    for (int row = from.row; from < to && row <= to.row; ++row) {
        const int end = row == to.row ? to.position : INT_MAX / 2;
        parts << m_rows[size_t(row)]->document().text(row == from.row ? from.position : 0, end);
        releaseIfFar(row);
    }
    return parts.join(QStringLiteral("\n\n"));
}

QString ChatView::selectedMarkdown()
{
    const auto [from, to] = selection();
    QStringList parts;
    for (int row = from.row; from < to && row <= to.row; ++row) {
        ChatRow& r = *m_rows[size_t(row)];
        const int start = row == from.row ? from.position : 0;
        const int end = row == to.row ? to.position : INT_MAX / 2;
        // A whole message is what was written, to the letter.
        const bool isWhole = start == 0 && end >= r.document().length();
        parts << (isWhole ? r.source() : r.document().markdown(start, end)).trimmed();
        releaseIfFar(row);
    }
    return parts.join(QStringLiteral("\n\n"));
}

void ChatView::copySelection()
{
    if (hasSelection())
        QGuiApplication::clipboard()->setText(selectedText());
}

void ChatView::publishSelection()
{
    QClipboard* clipboard = QGuiApplication::clipboard();
    if (hasSelection() && clipboard->supportsSelection())
        clipboard->setText(selectedText(), QClipboard::Selection);
}

void ChatView::copyMessage(int row, bool asMarkdown)
{
    if (row < 0 || row >= int(m_rows.size()))
        return;
    const ChatRow& r = *m_rows[size_t(row)];
    const QString text = asMarkdown ? r.message().text : r.answerText();
    QGuiApplication::clipboard()->setText(text);
}

// ---- Menu

void ChatView::contextMenuEvent(QContextMenuEvent* event)
{
    if (m_rows.empty())
        return;
    int row = m_focusRow;
    RowHit hit;
    QPoint where = event->globalPos();
    if (event->reason() == QContextMenuEvent::Keyboard) {
        if (row < 0)
            row = rowAtY(viewport()->height() / 2);
        const QRect visible = messageRect(row).intersected(viewport()->rect());
        where = viewport()->mapToGlobal(visible.topLeft() + QPoint(0, int(5 * m_style->unit)));
    } else {
        hit = hitAt(viewport()->mapFromGlobal(event->globalPos()), &row);
    }
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    fillMenu(*menu, row, hit);
    menu->popup(where);
}

void ChatView::fillMenu(QMenu& menu, int row, const RowHit& hit)
{
    if (hasSelection()) {
        menu.addAction(tr("Copy"), QKeySequence::Copy, this, &ChatView::copySelection);
        menu.addAction(
            tr("Copy as Markdown"), this, [this] { QGuiApplication::clipboard()->setText(selectedMarkdown()); });
        menu.addSeparator();
    }
    if (row >= 0) {
        const ChatMessage message = m_rows[size_t(row)]->message();
        const qint64 id = message.id;
        if (const QUrl url(hit.detail); hit.kind == RowHit::Kind::Link && isFollowable(url)) {
            menu.addAction(tr("Open Link…"), this, [this, url] { emit linkActivated(url); });
            menu.addAction(
                tr("Copy Link Address"), this, [url] { QGuiApplication::clipboard()->setText(url.toString()); });
            menu.addSeparator();
        }
        menu.addAction(tr("Copy Message"), this, [this, id] { copyMessage(rowOf(id), false); });
        menu.addAction(tr("Copy Message as Markdown"), this, [this, id] { copyMessage(rowOf(id), true); });
        if (!message.reasoning.isEmpty()) {
            const bool isOpened = isReasoningOpen(id);
            menu.addAction(isOpened ? tr("Fold Reasoning") : tr("Show Reasoning"), this,
                [this, id, isOpened] { setReasoningOpen(id, !isOpened); });
            menu.addAction(tr("Copy Reasoning"), this,
                [text = message.reasoning] { QGuiApplication::clipboard()->setText(text); });
        }
        QStringList codes;
        const auto& blocks = m_rows[size_t(row)]->document().blocks();
        for (int i = 0; i < int(blocks.size()); ++i) {
            if (blocks[i].kind == MarkdownBlock::Kind::Code && (hit.block < 0 || hit.block == i))
                codes << plainText(blocks[i]);
        }
        for (qsizetype i = 0; i < std::min<qsizetype>(codes.size(), 9); ++i) {
            const QString label = codes.size() == 1 ? tr("Copy Code") : tr("Copy Code Block %1").arg(i + 1);
            menu.addAction(label, this, [code = codes[i]] { QGuiApplication::clipboard()->setText(code); });
        }
        menu.addSeparator();
        if (message.canEdit)
            menu.addAction(tr("Edit…"), this, [this, id] { emit editRequested(id); });
        if (message.canRegenerate)
            menu.addAction(tr("Regenerate"), this, [this, id] { emit regenerateRequested(id); });
        if (message.branchCount > 1) {
            menu.addAction(tr("Previous Variant"), this, [this, id] { emit branchRequested(id, -1); })
                ->setEnabled(message.branch > 1);
            menu.addAction(tr("Next Variant"), this, [this, id] { emit branchRequested(id, 1); })
                ->setEnabled(message.branch < message.branchCount);
        }
        if (!message.actionLabel.isEmpty())
            menu.addAction(message.actionLabel, this, [this, id] { emit actionRequested(id); });
        menu.addSeparator();
    }
    menu.addAction(tr("Select All"), QKeySequence::SelectAll, this, &ChatView::selectAll);
}

// ---- Keyboard

void ChatView::keyPressEvent(QKeyEvent* event)
{
    QScrollBar* bar = verticalScrollBar();
    if (event->matches(QKeySequence::Copy))
        return copySelection();
    if (event->matches(QKeySequence::SelectAll))
        return selectAll();
    switch (event->key()) {
    case Qt::Key_Up:
        return bar->triggerAction(QAbstractSlider::SliderSingleStepSub);
    case Qt::Key_Down:
        return bar->triggerAction(QAbstractSlider::SliderSingleStepAdd);
    case Qt::Key_PageUp:
        return bar->triggerAction(QAbstractSlider::SliderPageStepSub);
    case Qt::Key_PageDown:
    case Qt::Key_Space:
        return bar->triggerAction(QAbstractSlider::SliderPageStepAdd);
    case Qt::Key_Home:
        return bar->triggerAction(QAbstractSlider::SliderToMinimum);
    case Qt::Key_End:
        return jumpToLatest();
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_focusRow >= 0) {
            const ChatRow& row = *m_rows[size_t(m_focusRow)];
            if (!row.message().actionLabel.isEmpty())
                return emit actionRequested(row.message().id);
            if (row.hasReasoning())
                return setReasoningOpen(row.message().id, !row.isReasoningOpen());
        }
        break;
    case Qt::Key_Left:
    case Qt::Key_Right:
        if (m_focusRow >= 0) {
            const ChatMessage& message = m_rows[size_t(m_focusRow)]->message();
            const int delta = event->key() == Qt::Key_Left ? -1 : 1;
            if (message.branch + delta >= 1 && message.branch + delta <= message.branchCount)
                return emit branchRequested(message.id, delta);
        }
        break;
    case Qt::Key_Escape:
        if (hasSelection())
            return clearSelection();
        break;
    default:
        break;
    }
    QAbstractScrollArea::keyPressEvent(event);
}

void ChatView::setFocusRow(int row)
{
    if (row == m_focusRow)
        return;
    updateRow(m_focusRow);
    m_focusRow = row;
    updateRow(row);
    if (row < 0)
        return;
    layOutRow(row);
    scrollToRow(row, 0, std::min(m_stack.height(row), viewport()->height()));
    QAccessibleEvent event(this, QAccessible::Focus);
    event.setChild(row);
    QAccessible::updateAccessibility(&event);
}

bool ChatView::focusNextPrevChild(bool next)
{
    const int row = m_focusRow < 0 ? -1 : m_focusRow + (next ? 1 : -1);
    if (row >= 0 && row < int(m_rows.size())) {
        setFocusRow(row);
        return true;
    }
    return QAbstractScrollArea::focusNextPrevChild(next);
}

void ChatView::focusInEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusInEvent(event);
    if (m_rows.empty())
        return;
    // From the composer (backwards) the newest message is next; from above, the first one in sight.
    if (event->reason() == Qt::BacktabFocusReason)
        setFocusRow(int(m_rows.size()) - 1);
    else if (event->reason() == Qt::TabFocusReason)
        setFocusRow(rowAtY(viewport()->height() / 3));
    updateRow(m_focusRow);
}

void ChatView::focusOutEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusOutEvent(event);
    const int row = m_focusRow;
    if (event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason)
        m_focusRow = -1;
    updateRow(row);
}

} // namespace kvasir
