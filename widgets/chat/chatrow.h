#pragma once

#include "chat/chatmessage.h"
#include "chat/messagedocument.h"

#include <QCoreApplication>
#include <QRectF>

#include <memory>
#include <optional>

class QPainter;

namespace kvasir {

/// What the view knows about the moment when it paints a row.
struct RowPaint {
    QRectF clip; // row coordinates
    int selectionFrom = 0, selectionTo = 0;
    QList<MarkedRange> found;
    bool hasFocus = false;
    int hoveredCopy = -1, copied = -1; // code blocks
    int hovered = 0;                   // RowHit::Kind
};

/// What lies under a point of a row.
struct RowHit {
    enum class Kind {
        None,
        Text,
        Link,
        CopyCode,
        ScrollHandle,
        Action,
        ShowMore,
        PreviousBranch,
        NextBranch,
        Footer,
        Reasoning
    };

    Kind kind = Kind::None;
    int block = -1;
    QString detail; // link: its address, footer: the tooltip

    bool operator==(const RowHit&) const = default;
};

/// One message in the chat: header, text, notice and footer, laid out in a column that starts at x = 0. Text and
/// layout exist only while the row is near the window, the message always.
class ChatRow {
    Q_DECLARE_TR_FUNCTIONS(ChatRow)

public:
    explicit ChatRow(const ChatMessage& message);
    ~ChatRow();

    const ChatMessage& message() const { return m_message; }
    /// Returns whether the shown text is the old one, at most with more at its end.
    bool setMessage(const ChatMessage& message);
    void appendText(const QString& text) { m_pending += text; }
    void appendReasoning(const QString& text) { m_pendingReasoning += text; }
    bool hasPendingText() const { return !m_pending.isEmpty() || !m_pendingReasoning.isEmpty(); }
    void setReasoningLabel(const QString& label);
    void setFooter(const QList<FooterPart>& footer);
    void setState(ChatMessage::State state, const QString& notice, const QString& actionLabel);

    /// Takes over pending text; returns the y from which the row looks different.
    qreal flush();

    MessageDocument& document();
    QString spokenText() const; // for assistive technology: header, text, notice

    void layOut(qreal columnWidth, const ChatStyle& style);
    bool isLaidOut(qreal columnWidth, const ChatStyle& style) const;
    /// Is height() right for this width and style, with or without a layout?
    bool isMeasured(qreal columnWidth, const ChatStyle& style) const;
    void release(); // forgets text and layout, keeps the height
    int height() const { return m_height; }
    int estimatedHeight(qreal columnWidth, const ChatStyle& style) const;

    void paint(QPainter& painter, const RowPaint& state);
    RowHit hit(const QPointF& point);
    int positionAt(const QPointF& point);
    QRectF cursorRect(int position);
    qreal headerHeight() const;
    QRectF footerRect() const { return m_footerRect; }
    bool scrollBlock(const QPointF& point, qreal delta); // sideways; false where nothing scrolls
    void scrollBlockTo(int block, qreal x);              // middle of the handle at x
    void showMore();

    // Reasoning is folded to one line until somebody opens it; then it stands as a quotation above the answer.
    bool hasReasoning() const { return !m_message.reasoning.isEmpty() || !m_pendingReasoning.isEmpty(); }
    bool isReasoningOpen() const { return m_reasoningOpen && hasReasoning(); }
    void setReasoningOpen(bool open);
    QRectF reasoningRect() const { return m_reasoningRect; }
    QString answerText() const; // without formatting
    QString source() const;     // Markdown of all that is shown

private:
    struct PlacedPart {
        QRectF rect;
        QString text, tooltip;
    };

    bool isOpen() const { return m_message.state == ChatMessage::State::Streaming; }
    bool isBoxed() const { return m_message.role != ChatMessage::Role::Assistant; }
    QString shownText() const;
    void takePending();
    void forgetLayout();
    qreal placeReasoning(qreal y);
    void paintReasoning(QPainter& painter, const RowPaint& state) const;
    void place();
    void placeFooter(qreal y);
    void paintHeader(QPainter& painter, const RowPaint& state) const;
    void paintNotice(QPainter& painter, const RowPaint& state) const;

    ChatMessage m_message;
    QString m_pending, m_pendingReasoning;
    bool m_reasoningOpen = false;
    bool m_quoteAtLineStart = true; // of what is streamed into the open quotation
    bool m_isCut = false;           // the document is only the beginning of the text
    std::unique_ptr<MessageDocument> m_document;
    const ChatStyle* m_style = nullptr;
    qreal m_columnWidth = 0;   // 0: not laid out
    qreal m_measuredWidth = 0; // of m_height
    const ChatStyle* m_measuredStyle = nullptr;
    qsizetype m_shownLimit;
    int m_height = 0;
    QPointF m_textOrigin;
    QString m_lastThought; // the newest line, while the reasoning streams in folded
    QRectF m_reasoningRect, m_lastThoughtRect;
    QRectF m_box, m_previousRect, m_nextRect, m_branchRect, m_moreRect, m_noticeRect, m_actionRect, m_footerRect;
    QList<PlacedPart> m_footer;
};

} // namespace kvasir
