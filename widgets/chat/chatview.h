#pragma once

#include "chat/chatmessage.h"
#include "chat/chatrow.h"
#include "chat/chatstyle.h"
#include "chat/rowstack.h"

#include <QAbstractScrollArea>
#include <QBasicTimer>
#include <QElapsedTimer>
#include <QUrl>

#include <compare>
#include <memory>
#include <utility>
#include <vector>

class QHelpEvent;
class QMenu;
class QToolButton;

namespace kvasir {

class EmptyState;
class MessageToolbar;

/// A conversation: one scrolled surface that lays out only what is near the window, whatever the number of messages.
/// A reply that streams in re-parses and repaints its last block only. All positions are flat character positions in
/// a message's shown text. GUI thread only.
class ChatView : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit ChatView(QWidget* parent = nullptr);
    ~ChatView() override;

    /// Replaces the conversation and shows its end.
    void setMessages(const QList<ChatMessage>& messages);
    void appendMessage(const ChatMessage& message);
    /// Replaces the message of the same id (text, footer, state and all); unknown ids are ignored.
    void updateMessage(const ChatMessage& message);
    /// Removes the message and all that follow it.
    void removeMessagesFrom(qint64 id);
    void clear();

    /// Adds streamed text; cheap to call for every token, shown 30 times a second.
    void appendText(qint64 id, const QString& text);
    /// The same for what the model writes for itself, and the line that stands for it while it is folded.
    void appendReasoning(qint64 id, const QString& text);
    void setReasoningLabel(qint64 id, const QString& label);
    bool isReasoningOpen(qint64 id) const;
    void setReasoningOpen(qint64 id, bool open);
    void setFooter(qint64 id, const QList<FooterPart>& footer);
    void setState(qint64 id, ChatMessage::State state, const QString& notice = {}, const QString& actionLabel = {});

    int messageCount() const;
    /// The message as it is now, streamed text included; nullptr if unknown. Valid until the next change.
    const ChatMessage* message(qint64 id) const;
    const ChatMessage& messageAt(int index) const;

    /// Shown while there is no message: a title, a sentence and questions to click.
    void setEmptyState(const QString& title, const QString& text, const QStringList& examples);

    /// Does the view stay at the end as text arrives? It does until the user scrolls up.
    bool isFollowing() const { return m_following; }
    void jumpToLatest();
    void scrollToMessage(qint64 id);

    bool hasSelection() const;
    QString selectedText();
    QString selectedMarkdown();
    void selectAll();
    void clearSelection();
    void copySelection();

    /// Marks every occurrence, ignoring case, and goes to the one after the current; returns their number.
    int find(const QString& text);
    void findNext(bool backwards = false);
    int findCount() const { return int(m_found.size()); }
    int findCurrent() const { return m_foundCurrent; } // from 0, -1 for none
    void clearFind();

    // For assistive technology: messages by index.
    QRect messageRect(int index) const;           // viewport coordinates
    QRect characterRect(int index, int position); // of a flat position; viewport coordinates
    QString spokenText(int index) const;
    int focusedMessage() const { return m_focusRow; } // -1 for none
    void focusMessage(int index);

    /// Lets buffered text appear now. Tests and screenshots need it.
    void flush();

signals:
    void linkActivated(const QUrl& url); // the program asks before it opens anything
    void examplePicked(const QString& text);
    void editRequested(qint64 id);
    void regenerateRequested(qint64 id);
    void branchRequested(qint64 id, int delta);
    void actionRequested(qint64 id); // the button of a notice
    void followingChanged(bool following);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void timerEvent(QTimerEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool focusNextPrevChild(bool next) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Spot {
        int row = -1;
        int position = 0;

        auto operator<=>(const Spot&) const = default;
    };

    struct Found {
        int row;
        int position;
    };

    // Geometry
    qreal columnWidth() const;
    int columnLeft() const;
    int rowOf(qint64 id) const;
    int scrollValue() const;
    void restyle();
    void invalidate();
    bool layOutRow(int row);
    bool settle();
    int contentHeight() const;
    int rowTop(int row) const;
    int rowAtY(int y) const;
    void syncScrollBar();
    void keepAnchor();
    void measureSlice();
    void releaseFarRows();
    void releaseIfFar(int row);
    void setFollowing(bool following);
    void scrollToRow(int row, qreal y, qreal height);
    void updateRow(int row, qreal fromY = 0);
    void rowsChanged();
    void addRow(const ChatMessage& message);
    bool isNear(int row) const;

    // Streaming
    void scheduleFlush();
    void flushRow(int row);
    void replaceRowHeight(int row, qreal changedFrom);

    // Pointer and selection
    Spot spotAt(const QPoint& point);
    QPointF toRow(const QPoint& point, int row) const;
    std::pair<Spot, Spot> selection() const;
    void setSelection(const Spot& anchor, const Spot& cursor);
    void updateHover(const QPoint& point);
    void activate(int row, const RowHit& hit);
    void showToolTip(QHelpEvent* event);
    void placeToolbar();
    void copyMessage(int row, bool asMarkdown);
    void fillMenu(QMenu& menu, int row, const RowHit& hit);

    // Keyboard
    void setFocusRow(int row);

    // Search
    void searchRow(int row);
    void showFound();
    void updateJumpButton();
    RowPaint paintStateOf(int row) const;
    RowHit hitAt(const QPoint& point, int* row);
    void setHover(int row, const RowHit& hit);
    void extendSelection();
    void publishSelection();

    std::unique_ptr<ChatStyle> m_style;
    std::vector<std::unique_ptr<ChatRow>> m_rows;
    RowStack m_stack;
    int m_anchorRow = 0, m_anchorOffset = 0; // what stays at the top edge when heights above it change
    bool m_following = true;
    bool m_stale = true; // style or width changed, or rows came: settle() must run before painting
    bool m_needsRestyle = false;
    bool m_adjusting = false; // the scroll bar is being set by us
    int m_measureFrom = -1;   // rows from here down to 0 wait for an exact height
    QBasicTimer m_flushTimer, m_measureTimer, m_dragTimer, m_copiedTimer;

    Spot m_anchor, m_cursor;
    bool m_isDragging = false;
    int m_clicks = 0;
    QElapsedTimer m_lastClick;
    QPoint m_pressPoint, m_mousePoint;
    int m_pressRow = -1;
    RowHit m_pressHit;
    int m_hoverRow = -1;
    RowHit m_hoverHit;
    int m_copiedRow = -1, m_copiedBlock = -1;
    int m_focusRow = -1;

    QString m_needle;
    std::vector<Found> m_found;
    int m_foundCurrent = -1;

    EmptyState* m_empty;
    MessageToolbar* m_toolbar;
    QToolButton* m_jump;
};

} // namespace kvasir
