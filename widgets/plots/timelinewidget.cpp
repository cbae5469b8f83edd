#include "plots/timelinewidget.h"

#include "base/fonts.h"
#include "base/numberformat.h"
#include "base/theme.h"
#include "plots/plotcanvas.h"
#include "plots/plotcost.h"
#include "plots/timelineaxes.h"
#include "plots/timelinepainter.h"

#include <QElapsedTimer>
#include <QLocale>
#include <QMenu>
#include <QMouseEvent>
#include <QToolButton>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace kvasir {

namespace {

constexpr double kZoomStep = 1.25;
constexpr int kFiguresMs = 200; // as fast as a changing figure can be read

} // namespace

struct TimelineWidget::Private {
    TimelineReply live;
    TimelineReply other;
    bool showsLive = true;
    QStringList titles;
    int selected = -1;

    PlotCanvas* canvas = nullptr;
    QToolButton* selector = nullptr;
    QToolButton* followButton = nullptr;

    TimelineAxes axes;
    QElapsedTimer clock;
    QElapsedTimer sinceAnswer;
    TimelineView view;
    QTimer later; // an axis waits

    bool contentChanged = true; // else only the cursor moved
    int current = -1;
    bool byKeyboard = false;
    QStringList zoneReadout; // where the pointer is on a band
    QPointF pointer;
    std::optional<QPointF> dragFrom;

    const TimelineReply& shown() const { return showsLive ? live : other; }
};

TimelineWidget::TimelineWidget(QWidget* parent)
    : PlotPanel(parent)
    , d(std::make_unique<Private>())
{
    d->clock.start();
    d->later.setSingleShot(true);
    connect(&d->later, &QTimer::timeout, this, &TimelineWidget::contentChanged);
    d->canvas = new PlotCanvas(this);
    d->canvas->setCostCounter(costCounter());
    d->canvas->installEventFilter(this);
    setFocusProxy(d->canvas);
    d->view.reply = &d->live;
    d->canvas->setBackdrop([this](QPainter& painter) {
        if (!d->shown().isEmpty()) {
            TimelinePainter(painter, *d->canvas, d->view).paintBands();
        }
    });
    d->canvas->setContent([this](QPainter& painter) {
        if (d->shown().isEmpty()) {
            TimelinePainter::paintLesson(painter, QRectF(d->canvas->rect()).adjusted(0, Fonts::px(4), 0, 0));
            return;
        }
        TimelinePainter(painter, *d->canvas, d->view).paint();
    });
    const auto paintOverlay = [this](QPainter& painter) {
        if (d->canvas->hasFocus()) {
            paintFocus(painter, d->canvas->rect());
        }
        const QStringList lines = d->current >= 0 ? TimelineText::tokenReadout(d->shown(), d->current) : d->zoneReadout;
        if (lines.isEmpty() || d->shown().isEmpty()) {
            return;
        }
        QPointF anchor = d->pointer;
        if (d->current >= 0) {
            TimelinePainter(painter, *d->canvas, d->view).paintCursor(d->current, d->byKeyboard);
            anchor = tokenPosition(d->current);
        }
        paintReadout(painter, QRectF(d->canvas->rect()).adjusted(2, 2, -2, -2), anchor, lines);
    };
    d->canvas->setOverlay(
        paintOverlay, [this] { return d->canvas->hasFocus() || d->current >= 0 || !d->zoneReadout.isEmpty(); });

    d->selector = new QToolButton(this);
    d->selector->setPopupMode(QToolButton::InstantPopup);
    d->selector->setToolButtonStyle(Qt::ToolButtonTextOnly);
    d->selector->setAutoRaise(true);
    d->selector->setMenu(new QMenu(d->selector));
    d->selector->hide();
    d->followButton = new QToolButton(this);
    d->followButton->setAutoRaise(true);
    d->followButton->hide();
    connect(d->followButton, &QToolButton::clicked, this, &TimelineWidget::follow);
    initialise();
}

TimelineWidget::~TimelineWidget() = default;

void TimelineWidget::startReply(const ReplySeries& series)
{
    const PlotCostScope scope(costCounter());
    d->live = {};
    d->live.series.progress = series.progress;
    d->live.series.events = series.events;
    d->live.append(series.tokens);
    d->axes.resetTime();
    showLive();
}

void TimelineWidget::appendTokens(const QVector<TokenPoint>& tokens)
{
    const PlotCostScope scope(costCounter());
    d->live.append(tokens);
    if (d->showsLive) {
        contentChanged();
    }
}

void TimelineWidget::addEvent(const ReplyEvent& event)
{
    d->live.series.events.append(event);
    if (d->showsLive) {
        contentChanged();
    }
}

void TimelineWidget::setProgress(const ReplyProgress& progress)
{
    if (progress.state != d->live.series.progress.state) {
        hasten();
    }
    d->live.series.progress = progress;
    if (d->showsLive) {
        contentChanged();
    }
}

void TimelineWidget::setReply(const ReplySeries& series)
{
    const PlotCostScope scope(costCounter());
    d->other = {};
    d->other.series.progress = series.progress;
    d->other.series.events = series.events;
    d->other.append(series.tokens);
    d->showsLive = false;
    d->view.reply = &d->other;
    d->axes.resetGap(); // another reply may have another height; while one grows, the axis only steps
    follow();
    restyle();
}

void TimelineWidget::showLive()
{
    if (!d->showsLive || !d->live.series.tokens.isEmpty()) {
        d->axes.resetGap();
    }
    d->showsLive = true;
    d->selected = -1;
    d->view.reply = &d->live;
    follow();
    restyle();
}

void TimelineWidget::setReplies(const QStringList& titles)
{
    d->titles = titles;
    if (d->selected >= titles.size()) {
        d->selected = -1;
    }
    restyle();
    layoutBody();
}

void TimelineWidget::clear()
{
    d->live = {};
    d->other = {};
    d->axes.resetGap();
    d->axes.resetTime();
    showLive();
    layoutBody();
}

bool TimelineWidget::isFollowing() const
{
    return d->axes.follows();
}

bool TimelineWidget::isShowingLive() const
{
    return d->showsLive;
}

int TimelineWidget::currentToken() const
{
    return d->current;
}

QString TimelineWidget::readout() const
{
    return (d->current >= 0 ? TimelineText::tokenReadout(d->shown(), d->current) : d->zoneReadout)
        .join(QLatin1Char('\n'));
}

QPair<double, double> TimelineWidget::visibleRange() const
{
    return {d->axes.from(), d->axes.to()};
}

int TimelineWidget::barCount() const
{
    return static_cast<int>(d->view.bars.size());
}

QWidget* TimelineWidget::canvas() const
{
    return d->canvas;
}

QPoint TimelineWidget::tokenPosition(int index) const
{
    const TokenPoint& token = d->shown().series.tokens[index];
    const double left = std::max(token.timeMs - token.gapMs, d->axes.from());
    const double top = d->canvas->yToPixel(std::min(token.gapMs, d->view.tallestMs));
    return QPointF(d->canvas->xToPixel((left + std::min(token.timeMs, d->axes.to())) / 2),
        index == 0 ? d->canvas->plotRect().center().y() : top)
        .toPoint();
}

QString TimelineWidget::question() const
{
    return tr("Where did the time go?");
}

QString TimelineWidget::summary() const
{
    return TimelineText::summary(d->shown());
}

QString TimelineWidget::csv() const
{
    return TimelineText::csv(d->shown());
}

void TimelineWidget::follow()
{
    hasten();
    d->axes.follow();
    d->current = -1;
    d->zoneReadout.clear();
    contentChanged();
}

void TimelineWidget::zoomIn()
{
    zoomBy(1 / kZoomStep, d->canvas->plotRect().center().x());
}

void TimelineWidget::zoomOut()
{
    zoomBy(kZoomStep, d->canvas->plotRect().center().x());
}

void TimelineWidget::zoomBy(double factor, double pixel)
{
    if (!d->shown().isEmpty()) {
        hasten();
        d->axes.zoom(d->shown(), factor, d->canvas->pixelToX(pixel));
        contentChanged();
    }
}

void TimelineWidget::panBy(double milliseconds)
{
    if (!d->shown().isEmpty()) {
        hasten();
        d->axes.pan(d->shown(), milliseconds);
        contentChanged();
    }
}

void TimelineWidget::refresh()
{
    if (!d->contentChanged) {
        d->canvas->drawOverlay();
        return;
    }
    d->contentChanged = false;
    const TimelineReply& reply = d->shown();
    d->canvas->setAxesVisible(!reply.isEmpty());
    d->axes.updateTime(reply, d->clock.elapsed());
    d->axes.updateGap(reply, *d->canvas, d->clock.elapsed());
    placeCanvas(); // the labels of the gap axis may need more room now
    d->axes.updateTimeTicks(*d->canvas);
    d->view.labelStrip = d->axes.labelStrip();
    d->view.tallestMs = d->axes.tallestMs();
    const int columns = static_cast<int>(d->canvas->plotRect().width());
    d->view.bars = mergeBars(reply.series.tokens, d->axes.from(), d->axes.to(), columns);
    if (!reply.isRunning() || !d->sinceAnswer.isValid() || d->sinceAnswer.elapsed() >= kFiguresMs) {
        d->sinceAnswer.start();
        updateAnswer();
    }
    d->followButton->setVisible(!d->axes.follows() && !reply.isEmpty() && !isTooSmall());
    if (d->axes.isBehind()) {
        d->later.start(AxisStepper::kPauseMs);
    }
    d->canvas->draw();
}

void TimelineWidget::contentChanged()
{
    d->contentChanged = true;
    markDirty();
}

void TimelineWidget::updateAnswer()
{
    const TimelineReply& reply = d->shown();
    const auto time = [](std::optional<double> ms) { return NumberFormat::orMissing(ms, NumberFormat::milliseconds); };
    const QString widest = QStringLiteral("88.8 ms");
    setAnswer({{tr("TTFT"), time(reply.series.progress.ttftMs), widest, TimelineText::ttftDefinition()},
        {tr("ITL p50"), time(reply.gaps.quantile(0.5)), widest, TimelineText::itlDefinition()},
        {tr("p99"), time(reply.gaps.quantile(0.99)), widest, TimelineText::itlDefinition()}});
}

void TimelineWidget::restyle()
{
    d->canvas->restyle();
    d->canvas->setAccessibleName(question());
    const QFont font = Fonts::font(Fonts::Role::PlotLabel);
    const Theme& theme = Theme::current();
    const QString style = QStringLiteral(
        "QToolButton { color: %1; background: %2; border: 1px solid %3; border-radius: 3px; padding: 0 6px; }"
        "QToolButton:hover, QToolButton:focus { border-color: %4; }"
        "QToolButton::menu-indicator { subcontrol-position: right center; right: 3px; }")
                              .arg(theme.text.name(), theme.field.name(), theme.hairline.name(), theme.accent.name());
    for (QToolButton* button : {d->selector, d->followButton}) {
        button->setFont(font);
        button->setStyleSheet(style);
    }
    d->axes.restyle();
    d->followButton->setText(tr("Follow"));
    d->followButton->setToolTip(tr("Show the whole reply again and follow it (Home)"));
    d->selector->setAccessibleName(tr("Reply shown"));
    d->selector->setText(d->showsLive || d->selected < 0 ? tr("This reply") : d->titles[d->selected]);
    QMenu* menu = d->selector->menu();
    menu->clear();
    for (int i = -1; i < d->titles.size(); ++i) {
        QAction* action = menu->addAction(i < 0 ? tr("This reply") : d->titles[i], this, [this, i] { choose(i); });
        action->setCheckable(true);
        action->setChecked(i == d->selected);
    }
    updateAnswer();
    contentChanged();
}

void TimelineWidget::choose(int index)
{
    if (index < 0) {
        showLive();
    } else {
        d->selected = index;
        d->selector->setText(d->titles[index]);
    }
    emit replySelected(index);
}

void TimelineWidget::extendMenu(QMenu* menu)
{
    menu->addAction(tr("Follow"), this, &TimelineWidget::follow)->setShortcut(Qt::Key_Home);
    menu->addAction(tr("Zoom in"), this, &TimelineWidget::zoomIn)->setShortcut(Qt::Key_Plus);
    menu->addAction(tr("Zoom out"), this, &TimelineWidget::zoomOut)->setShortcut(Qt::Key_Minus);
    menu->addSeparator();
}

void TimelineWidget::placeCanvas()
{
    d->canvas->setSpace({d->axes.labelWidth(), Fonts::px(26), TimelinePainter::rightSpace(), Fonts::px(20)});
}

void TimelineWidget::layoutBody()
{
    const QRect body = bodyRect();
    d->canvas->setGeometry(body);
    d->canvas->setVisible(!isTooSmall());
    placeCanvas();
    // Selector and button stand in the row above the plot that the axis unit needs anyway.
    const int height = Fonts::px(20);
    const QFontMetrics metrics(d->selector->font());
    int right = body.right() + 1;
    d->selector->setVisible(!d->titles.isEmpty() && !isTooSmall());
    if (!d->titles.isEmpty()) {
        const int width = std::min({metrics.horizontalAdvance(d->selector->text()) + Fonts::px(36), body.width() / 2});
        d->selector->setGeometry(right - width, body.top(), width, height);
        right -= width + Fonts::px(4);
    }
    const int width = metrics.horizontalAdvance(d->followButton->text()) + Fonts::px(16);
    d->followButton->setGeometry(right - width, body.top(), width, height);
    d->contentChanged = true;
}

void TimelineWidget::paintPicture(QPaintDevice* device, qreal scale)
{
    const auto header = [this](QPainter& painter) { paintHeader(painter); };
    d->canvas->paintTo(device, scale, d->canvas->pos(), header);
}

void TimelineWidget::setCurrent(int token, bool byKeyboard)
{
    hasten();
    d->current = token;
    d->byKeyboard = byKeyboard;
    if (byKeyboard && token >= 0) {
        const double ms = d->shown().series.tokens[token].timeMs;
        if (ms < d->axes.from() || ms > d->axes.to()) {
            panBy(ms - (d->axes.from() + d->axes.to()) / 2);
        }
        d->canvas->setAccessibleDescription(readout());
    }
    markDirty();
}

void TimelineWidget::hover(const QPointF& position)
{
    const TimelineReply& reply = d->shown();
    const double ms = d->canvas->pixelToX(position.x());
    d->pointer = position;
    d->zoneReadout.clear();
    int token = -1;
    if (!reply.isEmpty() && d->canvas->plotRect().contains(position) && ms >= 0) {
        if (ms < reply.queueEndMs()) {
            d->zoneReadout = TimelineText::queueReadout(reply);
        } else if (ms < reply.prefillEndMs().value_or(0)) {
            d->zoneReadout = TimelineText::prefillReadout(reply);
        } else if (!reply.series.tokens.isEmpty() && ms <= reply.series.tokens.constLast().timeMs) {
            token = tokenAt(reply.series.tokens, ms);
        }
    }
    setCurrent(token, false);
}

bool TimelineWidget::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != d->canvas) {
        return PlotPanel::eventFilter(watched, event);
    }
    const PlotCostScope scope(costCounter());
    switch (event->type()) {
    case QEvent::MouseButtonPress: {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        if (mouse->button() == Qt::LeftButton) {
            d->dragFrom = mouse->position();
        }
        break;
    }
    case QEvent::MouseMove: {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        if (d->dragFrom && mouse->buttons().testFlag(Qt::LeftButton)) {
            panBy(d->canvas->pixelToX(d->dragFrom->x()) - d->canvas->pixelToX(mouse->position().x()));
            d->dragFrom = mouse->position();
        } else {
            hover(mouse->position());
        }
        break;
    }
    case QEvent::MouseButtonRelease:
        d->dragFrom.reset();
        break;
    case QEvent::MouseButtonDblClick:
        d->dragFrom.reset();
        follow();
        return true;
    case QEvent::Wheel: {
        const auto* wheel = static_cast<QWheelEvent*>(event);
        const double factor = std::pow(kZoomStep, -wheel->angleDelta().y() / 120.0);
        if (wheel->modifiers().testFlag(Qt::ControlModifier)) {
            hasten();
            d->axes.zoomGap(factor);
            contentChanged();
        } else {
            zoomBy(factor, wheel->position().x());
        }
        return true; // a scroll area around the panel must not move as well
    }
    case QEvent::Leave:
        if (!d->byKeyboard) {
            d->zoneReadout.clear();
            setCurrent(-1, false);
        }
        break;
    case QEvent::FocusIn:
    case QEvent::FocusOut:
        markDirty();
        break;
    default:
        break;
    }
    return PlotPanel::eventFilter(watched, event);
}

void TimelineWidget::keyPressEvent(QKeyEvent* event)
{
    const int last = static_cast<int>(d->shown().series.tokens.size()) - 1;
    const int step = event->modifiers().testFlag(Qt::ControlModifier) ? 10 : 1;
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
        if (last >= 0) {
            const int begin = event->key() == Qt::Key_Right ? -1 : last + 1;
            const int from = d->current < 0 ? begin : d->current;
            setCurrent(std::clamp(from + (event->key() == Qt::Key_Right ? step : -step), 0, last), true);
        }
        return;
    case Qt::Key_PageUp:
        panBy(-0.8 * (d->axes.to() - d->axes.from()));
        return;
    case Qt::Key_PageDown:
        panBy(0.8 * (d->axes.to() - d->axes.from()));
        return;
    case Qt::Key_Home:
        follow();
        return;
    case Qt::Key_End:
        if (last >= 0) {
            setCurrent(last, true);
        }
        return;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomIn();
        return;
    case Qt::Key_Minus:
        zoomOut();
        return;
    case Qt::Key_Escape:
        if (d->current >= 0) {
            setCurrent(-1, false);
            return;
        }
        break;
    default:
        break;
    }
    PlotPanel::keyPressEvent(event);
}

} // namespace kvasir
