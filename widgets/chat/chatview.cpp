#include "chat/chatview.h"

#include "base/fonts.h"
#include "base/theme.h"
#include "chat/chataccessible.h"
#include "chat/emptystate.h"
#include "chat/messagetoolbar.h"

#include <QAccessible>
#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>
#include <QTimerEvent>
#include <QToolButton>

#include <algorithm>
#include <climits>
#include <cmath>

namespace kvasir {

namespace {

constexpr int kFlushMs = 33; // 30 pictures a second read as flowing text, and leave the cores to the model
constexpr int kSliceMs = 4;  // of measuring while idle: half a frame

} // namespace

ChatView::ChatView(QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_style(std::make_unique<ChatStyle>())
    , m_empty(new EmptyState(viewport()))
    , m_toolbar(new MessageToolbar(viewport()))
    , m_jump(new QToolButton(this))
{
    installChatAccessibility();
    setAutoFillBackground(true); // shows under the scroll bar
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn); // appearing would narrow the column and break every line anew
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(160, 120);
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    viewport()->setCursor(Qt::ArrowCursor);
    m_toolbar->installEventFilter(this);
    m_jump->setFocusPolicy(Qt::NoFocus);
    m_jump->hide();
    m_empty->hide();
    connect(m_jump, &QToolButton::clicked, this, &ChatView::jumpToLatest);
    connect(m_empty, &EmptyState::examplePicked, this, &ChatView::examplePicked);
    connect(m_toolbar, &MessageToolbar::copyClicked, this, [this] { copyMessage(m_hoverRow, false); });
    connect(m_toolbar, &MessageToolbar::editClicked, this, [this] {
        if (m_hoverRow >= 0)
            emit editRequested(m_rows[size_t(m_hoverRow)]->message().id);
    });
    connect(m_toolbar, &MessageToolbar::regenerateClicked, this, [this] {
        if (m_hoverRow >= 0)
            emit regenerateRequested(m_rows[size_t(m_hoverRow)]->message().id);
    });
    restyle();
}

ChatView::~ChatView() = default;

// ---- Messages

void ChatView::addRow(const ChatMessage& message)
{
    m_rows.push_back(std::make_unique<ChatRow>(message));
    m_stack.append(m_rows.back()->estimatedHeight(columnWidth(), *m_style));
}

void ChatView::setMessages(const QList<ChatMessage>& messages)
{
    clear();
    for (const ChatMessage& message : messages)
        addRow(message);
    rowsChanged();
}

void ChatView::appendMessage(const ChatMessage& message)
{
    addRow(message);
    if (message.role == ChatMessage::Role::User)
        setFollowing(true); // who sends wants to see the reply
    rowsChanged();
}

void ChatView::updateMessage(const ChatMessage& message)
{
    const int row = rowOf(message.id);
    if (row < 0)
        return;
    ChatRow& r = *m_rows[size_t(row)];
    const bool isLaidOut = r.isLaidOut(columnWidth(), *m_style) && !m_stale;
    const bool sameText = r.setMessage(message);
    if (!sameText && (m_anchor.row == row || m_cursor.row == row))
        clearSelection();
    searchRow(row);
    if (sameText && isLaidOut)
        replaceRowHeight(row, 0);
    else
        invalidate();
}

void ChatView::removeMessagesFrom(qint64 id)
{
    const int row = rowOf(id);
    if (row < 0)
        return;
    clearSelection();
    m_rows.resize(size_t(row));
    m_stack.resize(row);
    m_focusRow = std::min(m_focusRow, row - 1);
    m_found.erase(
        std::remove_if(m_found.begin(), m_found.end(), [row](const Found& f) { return f.row >= row; }), m_found.end());
    m_foundCurrent = std::min(m_foundCurrent, int(m_found.size()) - 1);
    setFollowing(true);
    rowsChanged();
}

void ChatView::clear()
{
    clearSelection();
    m_rows.clear();
    m_stack.clear();
    m_found.clear();
    m_foundCurrent = m_focusRow = -1;
    m_anchorRow = m_anchorOffset = 0;
    setFollowing(true);
    rowsChanged();
}

void ChatView::rowsChanged()
{
    m_hoverRow = m_pressRow = m_copiedRow = -1;
    m_hoverHit = {};
    m_toolbar->hide();
    m_empty->setVisible(m_rows.empty());
    m_measureFrom = int(m_rows.size()) - 1;
    invalidate();
    QAccessibleEvent event(this, QAccessible::ObjectReorder);
    QAccessible::updateAccessibility(&event);
}

void ChatView::appendText(qint64 id, const QString& text)
{
    const int row = rowOf(id);
    if (row < 0)
        return;
    m_rows[size_t(row)]->appendText(text);
    scheduleFlush();
}

void ChatView::scheduleFlush()
{
    if (!m_flushTimer.isActive())
        m_flushTimer.start(kFlushMs, Qt::PreciseTimer, this);
}

void ChatView::appendReasoning(qint64 id, const QString& text)
{
    const int row = rowOf(id);
    if (row < 0)
        return;
    m_rows[size_t(row)]->appendReasoning(text);
    scheduleFlush();
}

void ChatView::setReasoningLabel(qint64 id, const QString& label)
{
    const int row = rowOf(id);
    if (row < 0 || m_rows[size_t(row)]->message().reasoningLabel == label)
        return;
    m_rows[size_t(row)]->setReasoningLabel(label);
    updateRow(row);
}

bool ChatView::isReasoningOpen(qint64 id) const
{
    const int row = rowOf(id);
    return row >= 0 && m_rows[size_t(row)]->isReasoningOpen();
}

void ChatView::setReasoningOpen(qint64 id, bool open)
{
    const int row = rowOf(id);
    if (row < 0 || !m_rows[size_t(row)]->hasReasoning() || isReasoningOpen(id) == open)
        return;
    setFollowing(false); // what was clicked stays where it is
    clearSelection();    // positions count what is shown
    m_rows[size_t(row)]->setReasoningOpen(open);
    searchRow(row);
    invalidate();
    QAccessible::State changed;
    changed.expanded = true;
    changed.collapsed = true;
    QAccessibleStateChangeEvent event(this, changed);
    event.setChild(row);
    QAccessible::updateAccessibility(&event);
}

void ChatView::setFooter(qint64 id, const QList<FooterPart>& footer)
{
    const int row = rowOf(id);
    if (row < 0 || m_rows[size_t(row)]->message().footer == footer)
        return;
    ChatRow& r = *m_rows[size_t(row)];
    const bool isLaidOut = r.isLaidOut(columnWidth(), *m_style);
    const qreal before = r.footerRect().top();
    r.setFooter(footer);
    if (!isLaidOut || m_stale)
        return;
    replaceRowHeight(row, before > 0 ? std::min(before, r.footerRect().top()) : 0);
}

void ChatView::setState(qint64 id, ChatMessage::State state, const QString& notice, const QString& actionLabel)
{
    const int row = rowOf(id);
    if (row < 0)
        return;
    ChatRow& r = *m_rows[size_t(row)];
    const bool isLaidOut = r.isLaidOut(columnWidth(), *m_style);
    r.setState(state, notice, actionLabel);
    searchRow(row);
    if (isLaidOut && !m_stale)
        replaceRowHeight(row, 0);
    else
        invalidate();
    QAccessibleEvent event(this, QAccessible::NameChanged);
    event.setChild(row);
    QAccessible::updateAccessibility(&event);
}

int ChatView::messageCount() const
{
    return int(m_rows.size());
}

int ChatView::rowOf(qint64 id) const
{
    for (int i = int(m_rows.size()) - 1; i >= 0; --i) { // mostly the last
        if (m_rows[size_t(i)]->message().id == id)
            return i;
    }
    return -1;
}

const ChatMessage* ChatView::message(qint64 id) const
{
    const int row = rowOf(id);
    return row < 0 ? nullptr : &m_rows[size_t(row)]->message();
}

const ChatMessage& ChatView::messageAt(int index) const
{
    return m_rows[size_t(index)]->message();
}

void ChatView::setEmptyState(const QString& title, const QString& text, const QStringList& examples)
{
    m_empty->setContent(title, text, examples);
    m_empty->setVisible(m_rows.empty());
}

// ---- Layout

qreal ChatView::columnWidth() const
{
    const qreal margin = std::clamp(viewport()->width() * 0.05, 4 * m_style->unit, 10 * m_style->unit);
    return std::max(60.0, std::floor(std::min(m_style->columnWidth, viewport()->width() - 2 * margin)));
}

int ChatView::columnLeft() const
{
    return int((viewport()->width() - columnWidth()) / 2);
}

int ChatView::scrollValue() const
{
    return verticalScrollBar()->value();
}

int ChatView::contentHeight() const
{
    return int(6 * m_style->unit) + m_stack.total();
}

int ChatView::rowTop(int row) const
{
    return int(6 * m_style->unit) + m_stack.top(row) - scrollValue();
}

int ChatView::rowAtY(int y) const
{
    return m_stack.rowAt(y + scrollValue() - int(6 * m_style->unit));
}

void ChatView::restyle()
{
    // Layouts point to the style: they go first.
    for (auto& row : m_rows)
        row->release();
    m_style = std::make_unique<ChatStyle>();
    const Theme& theme = m_style->theme;
    if (palette().color(QPalette::Window) != theme.background) { // of the scroll bar's ground
        QPalette own = palette();
        own.setColor(QPalette::Window, theme.background);
        setPalette(own);
    }
    verticalScrollBar()->setSingleStep(int(m_style->linePitch));
    m_jump->setText(QChar(0x2193) + QStringLiteral("  ") + tr("Jump to latest"));
    m_jump->setFont(m_style->smallFont);
    m_jump->setStyleSheet(
        QStringLiteral("QToolButton { color: %1; background: %2; border: 1px solid %3; "
                       "border-radius: %4px; padding: %5px %6px; } QToolButton:hover { background: %7; }")
            .arg(theme.text.name(), theme.field.name(), theme.hairline.name())
            .arg(int(3 * m_style->unit))
            .arg(int(m_style->unit))
            .arg(int(3 * m_style->unit))
            .arg(theme.hover.name()));
    m_needsRestyle = false;
    invalidate();
}

void ChatView::invalidate()
{
    m_stale = true;
    m_measureFrom = int(m_rows.size()) - 1;
    if (isVisible())
        settle();
    viewport()->update();
}

bool ChatView::layOutRow(int row)
{
    ChatRow& r = *m_rows[size_t(row)];
    if (!r.isLaidOut(columnWidth(), *m_style))
        r.layOut(columnWidth(), *m_style);
    const bool changed = m_stack.height(row) != r.height();
    m_stack.setHeight(row, r.height());
    return changed;
}

// Makes everything visible exact while the anchor stays where it is: laying out a row may change its height, which may
// bring other rows into sight. Returns whether heights changed.
bool ChatView::settle()
{
    m_stale = false;
    bool anyChange = false;
    for (int guard = 0; guard < 50 && !m_rows.empty(); ++guard) {
        syncScrollBar();
        bool changed = false;
        const int last = rowAtY(viewport()->height());
        for (int row = rowAtY(0); row <= last; ++row)
            changed |= layOutRow(row);
        anyChange |= changed;
        if (!changed)
            break;
    }
    syncScrollBar();
    releaseFarRows();
    updateJumpButton();
    if (isVisible() && !m_rows.empty() && !m_measureTimer.isActive())
        m_measureTimer.start(0, this);
    return anyChange;
}

void ChatView::syncScrollBar()
{
    QScrollBar* bar = verticalScrollBar();
    const int maximum = std::max(0, contentHeight() - viewport()->height());
    const int anchored =
        m_anchorRow < m_stack.count() ? int(6 * m_style->unit) + m_stack.top(m_anchorRow) + m_anchorOffset : maximum;
    m_adjusting = true;
    bar->setPageStep(viewport()->height());
    bar->setRange(0, maximum);
    bar->setEnabled(maximum > 0);
    bar->setValue(m_following ? maximum : anchored);
    m_adjusting = false;
    if (m_following)
        keepAnchor();
}

void ChatView::keepAnchor()
{
    m_anchorRow = std::max(0, rowAtY(0));
    m_anchorOffset = m_rows.empty() ? 0 : -rowTop(m_anchorRow);
}

// Gives rows far away their exact heights, and those just outside of the window their layout, a few milliseconds at a
// time; what is visible does not move.
void ChatView::measureSlice()
{
    QElapsedTimer timer;
    timer.start();
    while (m_measureFrom >= 0 && timer.elapsed() < kSliceMs) {
        const int row = std::min(m_measureFrom--, int(m_rows.size()) - 1);
        if (row < 0 || m_rows[size_t(row)]->isMeasured(columnWidth(), *m_style))
            continue;
        layOutRow(row);
        releaseIfFar(row);
    }
    const int last = rowAtY(2 * viewport()->height());
    for (int row = std::max(0, rowAtY(-viewport()->height())); row <= last && timer.elapsed() < kSliceMs; ++row)
        layOutRow(row);
    syncScrollBar();
    updateJumpButton();
    if (timer.elapsed() < kSliceMs) // nothing was left over
        m_measureTimer.stop();
}

bool ChatView::isNear(int row) const
{
    const int reach = 2 * viewport()->height();
    return rowTop(row + 1) > -reach && rowTop(row) < viewport()->height() + reach;
}

void ChatView::releaseFarRows()
{
    for (int row = 0; row < int(m_rows.size()); ++row)
        releaseIfFar(row);
}

void ChatView::releaseIfFar(int row)
{
    // A reply that streams in keeps its layout: each token would build it anew.
    if (!isNear(row) && m_rows[size_t(row)]->message().state != ChatMessage::State::Streaming)
        m_rows[size_t(row)]->release();
}

void ChatView::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    m_empty->setGeometry(viewport()->rect());
    invalidate();
}

void ChatView::showEvent(QShowEvent* event)
{
    QAbstractScrollArea::showEvent(event);
    invalidate();
    flush();
}

void ChatView::changeEvent(QEvent* event)
{
    QAbstractScrollArea::changeEvent(event);
    if (!m_style || !(Theme::isThemeChange(event) || event->type() == QEvent::LanguageChange))
        return;
    m_needsRestyle = true; // once, though palette, font and style come one by one
    viewport()->update();
}

void ChatView::scrollContentsBy(int, int dy)
{
    if (m_adjusting)
        return;
    setFollowing(verticalScrollBar()->value() >= verticalScrollBar()->maximum() - 1);
    keepAnchor();
    if (settle() || std::abs(dy) >= viewport()->height())
        viewport()->update();
    else
        viewport()->scroll(0, dy);
    placeToolbar();
}

void ChatView::jumpToLatest()
{
    setFollowing(true);
    invalidate();
}

void ChatView::setFollowing(bool following)
{
    if (following == m_following)
        return;
    m_following = following;
    emit followingChanged(following);
}

void ChatView::scrollToMessage(qint64 id)
{
    if (const int row = rowOf(id); row >= 0)
        scrollToRow(row, 0, viewport()->height());
}

// Brings a part of a row into sight; nothing happens where it is already.
void ChatView::scrollToRow(int row, qreal y, qreal height)
{
    const int top = rowTop(row) + int(y);
    const int margin = int(6 * m_style->unit);
    if (top >= margin && top + height <= viewport()->height() - margin)
        return;
    m_anchorRow = row;
    m_anchorOffset = int(y) - (height >= viewport()->height() / 2 ? margin : viewport()->height() / 3);
    setFollowing(false);
    settle();
    setFollowing(scrollValue() == verticalScrollBar()->maximum());
    keepAnchor();
    updateJumpButton();
    viewport()->update();
    placeToolbar();
}

void ChatView::updateJumpButton()
{
    const bool wanted = !m_following && !m_rows.empty() && verticalScrollBar()->maximum() > 0;
    if (wanted) {
        m_jump->adjustSize();
        m_jump->move((viewport()->width() - m_jump->width()) / 2,
            viewport()->height() - m_jump->height() - int(3 * m_style->unit));
        m_jump->raise();
    }
    if (m_jump->isVisibleTo(this) != wanted)
        m_jump->setVisible(wanted);
}

// ---- Streaming

void ChatView::flush()
{
    m_flushTimer.stop();
    for (int i = int(m_rows.size()) - 1; i >= 0; --i) {
        if (m_rows[size_t(i)]->hasPendingText())
            flushRow(i);
    }
}

void ChatView::flushRow(int row)
{
    ChatRow& r = *m_rows[size_t(row)];
    const bool isLaidOut = isVisible() && !m_stale;
    if (isLaidOut)
        layOutRow(row);
    const qreal changedFrom = r.flush();
    if (isLaidOut)
        replaceRowHeight(row, changedFrom);
    else
        invalidate();
    if (!m_needle.isEmpty())
        searchRow(row);
}

// The row has a new layout that differs from `changedFrom` down. Repaints that much, and where the view follows, moves
// the picture above instead of painting it.
void ChatView::replaceRowHeight(int row, qreal changedFrom)
{
    const int before = scrollValue();
    const bool sameHeight = m_stack.height(row) == m_rows[size_t(row)]->height();
    m_stack.setHeight(row, m_rows[size_t(row)]->height());
    if (!sameHeight) {
        syncScrollBar();
        updateJumpButton();
    }
    const int dy = before - scrollValue();
    if (std::abs(dy) >= viewport()->height()) {
        settle();
        viewport()->update();
        return;
    }
    if (dy != 0) {
        viewport()->scroll(0, dy);
        placeToolbar();
        if (dy > 0)
            settle(); // rows came into sight at the top
    }
    const int top = std::max(0, rowTop(row) + int(std::floor(changedFrom)));
    const int bottom = sameHeight ? rowTop(row + 1) : viewport()->height();
    if (bottom > top)
        viewport()->update(0, top, viewport()->width(), bottom - top);
}

void ChatView::timerEvent(QTimerEvent* event)
{
    if (event->timerId() == m_flushTimer.timerId()) {
        if (isVisible())
            flush();
        else
            m_flushTimer.stop(); // showEvent() flushes
    } else if (event->timerId() == m_measureTimer.timerId()) {
        measureSlice();
    } else if (event->timerId() == m_dragTimer.timerId()) {
        extendSelection();
    } else if (event->timerId() == m_copiedTimer.timerId()) {
        m_copiedTimer.stop();
        updateRow(std::exchange(m_copiedRow, -1));
    } else {
        QAbstractScrollArea::timerEvent(event);
    }
}

// ---- Painting

RowPaint ChatView::paintStateOf(int row) const
{
    RowPaint state;
    state.hasFocus = row == m_focusRow && hasFocus();
    state.copied = row == m_copiedRow ? m_copiedBlock : -1;
    if (row == m_hoverRow) {
        state.hovered = int(m_hoverHit.kind);
        state.hoveredCopy = m_hoverHit.kind == RowHit::Kind::CopyCode ? m_hoverHit.block : -1;
    }
    const auto [from, to] = selection();
    if (from < to && row >= from.row && row <= to.row) {
        state.selectionFrom = row == from.row ? from.position : 0;
        state.selectionTo = row == to.row ? to.position : INT_MAX / 2;
    }
    for (size_t i = 0; i < m_found.size(); ++i) {
        if (m_found[i].row == row)
            state.found.push_back(
                {m_found[i].position, m_found[i].position + int(m_needle.size()), int(i) == m_foundCurrent});
    }
    return state;
}

void ChatView::paintEvent(QPaintEvent* event)
{
    if (m_needsRestyle)
        restyle();
    if (m_stale)
        settle();
    QPainter painter(viewport());
    painter.fillRect(event->rect(), m_style->theme.background);
    if (m_rows.empty())
        return;
    const int left = columnLeft();
    const int last = rowAtY(event->rect().bottom());
    for (int row = rowAtY(event->rect().top()); row <= last; ++row) {
        layOutRow(row); // already done, unless painted outside of settle()
        RowPaint state = paintStateOf(row);
        state.clip = QRectF(event->rect()).translated(-left, -rowTop(row));
        painter.save();
        painter.translate(left, rowTop(row));
        m_rows[size_t(row)]->paint(painter, state);
        painter.restore();
    }
}

void ChatView::updateRow(int row, qreal fromY)
{
    if (row < 0 || row >= int(m_rows.size()))
        return;
    const int top = rowTop(row) + int(fromY) - int(2 * m_style->unit);
    viewport()->update(0, top, viewport()->width(), rowTop(row + 1) - top);
}

// ---- Assistive technology

QRect ChatView::messageRect(int index) const
{
    return {columnLeft(), rowTop(index), int(columnWidth()), m_stack.height(index)};
}

QRect ChatView::characterRect(int index, int position)
{
    layOutRow(index);
    const QRectF r = m_rows[size_t(index)]->cursorRect(position);
    return r.translated(columnLeft(), rowTop(index)).toAlignedRect();
}

QString ChatView::spokenText(int index) const
{
    return m_rows[size_t(index)]->spokenText();
}

void ChatView::focusMessage(int index)
{
    setFocus(Qt::OtherFocusReason);
    setFocusRow(index);
}

} // namespace kvasir
