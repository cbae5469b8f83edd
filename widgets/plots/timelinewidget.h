#pragma once

#include "plots/plotpanel.h"
#include "plots/replyseries.h"

#include <QStringList>

#include <memory>
#include <optional>

class QToolButton;

namespace kvasir {

/// Where the time of one reply went: queue, prefill as a band, then one bar a token at its own gap.
///
/// Drag pans, the wheel zooms time (with Ctrl: the gap), arrow keys move a cursor over tokens, double click or Home
/// returns to the whole reply, which is followed while it grows.
class TimelineWidget : public PlotPanel {
    Q_OBJECT

public:
    explicit TimelineWidget(QWidget* parent = nullptr);
    ~TimelineWidget() override;

    /// A new reply begins: it becomes "this reply" and is shown.
    void startReply(const ReplySeries& series = {});
    /// New tokens of "this reply", in order of time.
    void appendTokens(const QVector<TokenPoint>& tokens);
    void addEvent(const ReplyEvent& event);
    /// State, prefill progress and age of "this reply".
    void setProgress(const ReplyProgress& progress);
    /// Shows any other reply; "this reply" goes on being gathered behind it.
    void setReply(const ReplySeries& series);
    /// Back to "this reply".
    void showLive();
    /// Titles of earlier replies, newest first, for the selector.
    void setReplies(const QStringList& titles);
    /// Forgets the replies: the empty state. The selector's titles stay.
    void clear();

    bool isFollowing() const;
    bool isShowingLive() const;
    /// Index of the token under the cursor or pointer; -1 for none.
    int currentToken() const;
    /// The text beside the current token, "" for none.
    QString readout() const;
    /// Milliseconds at the left and right edge.
    QPair<double, double> visibleRange() const;
    /// How many bars the last refresh drew; tokens that share a pixel column share a bar.
    int barCount() const;
    /// The drawing surface: takes mouse, wheel and keys.
    QWidget* canvas() const;
    /// Where a token's bar stands on the canvas.
    QPoint tokenPosition(int index) const;

    QString question() const override;
    QString summary() const override;
    QString csv() const override;

public slots:
    /// The whole reply again, followed while it grows.
    void follow();
    void zoomIn();
    void zoomOut();

signals:
    /// An earlier reply was chosen: index into the titles given; -1 for "this reply", which the widget shows by itself.
    void replySelected(int index);

protected:
    void refresh() override;
    void restyle() override;
    void extendMenu(QMenu* menu) override;
    void paintPicture(QPaintDevice* device, qreal scale) override;
    void layoutBody() override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void contentChanged();
    void updateAnswer();
    void placeCanvas();
    void choose(int index);
    void hover(const QPointF& position);
    void setCurrent(int token, bool byKeyboard);
    void zoomBy(double factor, double pixel);
    void panBy(double milliseconds);

    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace kvasir
