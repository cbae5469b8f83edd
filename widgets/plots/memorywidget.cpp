#include "plots/memorywidget.h"

#include "base/fonts.h"
#include "base/numberformat.h"
#include "base/theme.h"
#include "plots/memorypainter.h"
#include "plots/plotcanvas.h"
#include "plots/plotcost.h"
#include "plots/plotlabels.h"
#include "plots/plotmarks.h"
#include "plots/seriesmath.h"

#include <QElapsedTimer>
#include <QLocale>
#include <QMenu>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>

namespace kvasir {

using NumberFormat::bytes;
using NumberFormat::count;

namespace {

constexpr qint64 kShortestAxis = 256; // tokens
constexpr int kContentMs = 200;       // memory grows slowly

} // namespace

struct MemoryWidget::Private {
    MemorySeries series;
    QVector<MemoryStack> stacks; // kept up to date sample by sample
    PlotCanvas* canvas = nullptr;
    MemoryView view;
    AxisStepper tokenAxis;
    AxisStepper byteAxis;
    AxisStepper cutAxis;
    QElapsedTimer clock;
    QTimer later; // an axis waits
    double tokensNeeded = 0;
    double bytesNeeded = 0;
    std::optional<double> cutNeeded; // where the weights are cut
    int axisWidth = 0;
    bool wholeContext = false;
    bool contentChanged = true; // else only the cursor moved
    bool limitOutOfRange = false;
    std::optional<qint64> cursor; // tokens
    QPointF pointer;

    void updateTokenAxis();
    void updateByteAxis();
    QStringList readoutLines() const;
};

// About twice as far as the conversation has come, or the whole context.
void MemoryWidget::Private::updateTokenAxis()
{
    const MemoryStack& now = stacks.constLast();
    const qint64 context = series.contextLimit.value_or(0);
    tokensNeeded = std::max<double>(2 * static_cast<double>(now.tokens), kShortestAxis);
    if (static_cast<double>(now.tokens) > tokenAxis.end()) {
        tokenAxis.reset(); // now must be in sight
    }
    view.endTokens = static_cast<qint64>(std::min(std::ceil(tokenAxis.update(tokensNeeded, clock.elapsed())), 1e15));
    if (wholeContext) {
        const bool full = view.outlook.kind == OutlookKind::FullAt;
        view.endTokens =
            std::max({context, full ? view.outlook.tokens + view.outlook.tokens / 16 : 0, kShortestAxis, now.tokens});
        if (full && context > 0) {
            view.endTokens = std::min(view.endTokens, std::max(context, now.tokens));
        }
    } else if (context > 0) {
        view.endTokens = std::min(view.endTokens, std::max(context, now.tokens));
    }
    view.endTokens = std::max<qint64>(view.endTokens, 1);

    // Ticks that keep clear of "now 310" and of the unit at the right end.
    PlotType& type = PlotType::current();
    const auto end = static_cast<double>(view.endTokens);
    const int width = static_cast<int>(type.width(count(view.endTokens))) + Fonts::px(20);
    const double perToken = canvas->plotRect().width() / end;
    const double nowHalf = type.width(MemoryPainter::nowText(now.tokens)) / 2;
    const double unitLeft = end - (type.width(MemoryPainter::unitText()) + Fonts::px(8)) / perToken;
    QVector<PlotTick> ticks;
    for (const double value :
        niceTicks(0, end, std::clamp(static_cast<int>(canvas->plotRect().width() / width), 2, 8))) {
        const QString label = count(std::llround(value));
        const double half = type.width(label) / 2;
        const bool clearOfNow =
            std::abs(value - static_cast<double>(now.tokens)) * perToken > half + nowHalf + Fonts::px(6);
        const bool clearOfUnit = value + half / perToken < unitLeft;
        ticks.append({value, clearOfNow && clearOfUnit ? label : QString()});
    }
    canvas->setXAxis(0, end, ticks);
}

void MemoryWidget::Private::updateByteAxis()
{
    const MemoryStack& now = view.stacks.constLast();
    MemoryExtent extent{now.others, now.kvReserved};
    for (const MemoryStack& stack : view.stacks) {
        extent.top = std::max(extent.top, stack.kvReserved);
    }
    if (view.outlook.kvBytesPerToken > 0) {
        extent.top =
            std::max(extent.top, projectedBytes(now, view.endTokens, view.outlook.kvBytesPerToken, series.blockTokens));
    }
    const double height = std::max(canvas->plotRect().height(), 1.0);
    const double share = 1 - std::min(MemoryPainter::stripHeight() / height, 0.45); // below the labels
    const auto limit = static_cast<double>(series.limitBytes.value_or(0));
    // The projection may pass the limit; what lies beyond says nothing.
    const double used = limit > 0 ? std::min(extent.top, std::max(limit * 1.05, now.kvReserved)) : extent.top;
    bytesNeeded = std::max(used / share, 1024.0 * 1024.0);
    if (limit > 0 && limit < 2.5 * used) {
        bytesNeeded = std::max(bytesNeeded, limit * 1.12);
    }
    MemoryScale scale;
    scale.end = byteAxis.update(bytesNeeded, clock.elapsed());
    cutNeeded.reset();
    if (needsCut(extent, scale.end, share, limit > 0 && limit <= scale.end)) {
        cutNeeded = cutAxisNeeded(extent, share);
        scale = cutScale(extent, cutAxis.update(*cutNeeded, clock.elapsed()), share);
    }
    view.scale = scale;
    limitOutOfRange = limit > scale.end;
    const QVector<PlotTick> ticks = scale.ticks(std::clamp(static_cast<int>(height / Fonts::px(34)), 2, 7));
    for (const PlotTick& tick : ticks) {
        axisWidth = std::max(axisWidth, static_cast<int>(PlotType::current().width(tick.label)) + Fonts::px(8));
    }
    canvas->setYAxis(0, scale.endPosition(), ticks);
}

QStringList MemoryWidget::Private::readoutLines() const
{
    if (!cursor || stacks.isEmpty()) {
        return {};
    }
    const MemoryStack& now = stacks.constLast();
    if (*cursor > now.tokens) {
        QStringList lines{MemoryWidget::tr("expected at %1 tokens").arg(count(*cursor))};
        if (view.outlook.kvBytesPerToken > 0) {
            lines.append(
                MemoryWidget::tr("together %1")
                    .arg(bytes(projectedBytes(now, *cursor, view.outlook.kvBytesPerToken, series.blockTokens))));
            lines.append(
                MemoryWidget::tr("each token adds %1 to the KV cache").arg(bytes(view.outlook.kvBytesPerToken)));
        } else {
            lines.append(MemoryWidget::tr("growth not known yet"));
        }
        return lines;
    }
    const MemoryStack stack = stackAt(stacks, *cursor).value_or(stacks.constFirst());
    QStringList lines{MemoryWidget::tr("%1 tokens: together %2").arg(count(*cursor), bytes(stack.kvReserved))};
    lines.append(
        MemoryWidget::tr("KV used %1: token slots that hold something").arg(bytes(stack.kvUsed - stack.others)));
    lines.append(
        MemoryWidget::tr("KV reserved %1: blocks taken from the pool").arg(bytes(stack.kvReserved - stack.others)));
    if (stack.others > stack.activations) {
        lines.append(MemoryWidget::tr("others %1: the process without what is counted here")
                         .arg(bytes(stack.others - stack.activations)));
    }
    lines.append(MemoryWidget::tr("activations %1: scratch and logits among them")
                     .arg(bytes(stack.activations - stack.weights)));
    lines.append(MemoryWidget::tr("weights %1").arg(bytes(stack.weights)));
    return lines;
}

MemoryWidget::MemoryWidget(QWidget* parent)
    : PlotPanel(parent)
    , d(std::make_unique<Private>())
{
    d->clock.start();
    d->later.setSingleShot(true);
    connect(&d->later, &QTimer::timeout, this, &MemoryWidget::contentChanged);
    d->canvas = new PlotCanvas(this);
    d->canvas->setCostCounter(costCounter());
    d->canvas->installEventFilter(this);
    setFocusProxy(d->canvas);
    d->canvas->setContent([this](QPainter& painter) {
        if (d->view.stacks.isEmpty()) {
            MemoryPainter::paintLesson(
                painter, QRectF(d->canvas->rect()).adjusted(0, Fonts::px(4), 0, 0), d->series.isLoading);
        } else {
            MemoryPainter(painter, *d->canvas, d->view).paint();
        }
    });
    const auto paintOverlay = [this](QPainter& painter) {
        if (d->canvas->hasFocus()) {
            paintFocus(painter, d->canvas->rect());
        }
        const QStringList lines = d->readoutLines();
        if (!lines.isEmpty() && !d->view.stacks.isEmpty()) {
            MemoryPainter(painter, *d->canvas, d->view).paintCursor(*d->cursor);
            const QPointF anchor(d->canvas->xToPixel(static_cast<double>(*d->cursor)), d->pointer.y());
            paintReadout(painter, QRectF(d->canvas->rect()).adjusted(2, 2, -2, -2), anchor, lines);
        }
    };
    d->canvas->setOverlay(paintOverlay, [this] { return d->canvas->hasFocus() || d->cursor; });
    initialise();
}

MemoryWidget::~MemoryWidget() = default;

void MemoryWidget::setSeries(const MemorySeries& series)
{
    const PlotCostScope scope(costCounter());
    d->series = series;
    d->stacks = stacksOf(series.samples);
    contentChanged();
}

void MemoryWidget::appendSample(const MemorySample& sample)
{
    const PlotCostScope scope(costCounter());
    d->series.samples.append(sample);
    appendStack(d->stacks, sample);
    contentChanged();
}

void MemoryWidget::clear()
{
    d->byteAxis.reset();
    d->cutAxis.reset();
    d->tokenAxis.reset();
    d->cursor.reset();
    setSeries({});
}

bool MemoryWidget::showsWholeContext() const
{
    return d->wholeContext;
}

QString MemoryWidget::readout() const
{
    return d->readoutLines().join(QLatin1Char('\n'));
}

QString MemoryWidget::outlook() const
{
    MemoryView view;
    view.series = d->series;
    view.stacks = d->stacks;
    view.outlook = outlookOf(d->series);
    return MemoryPainter::outlookText(view);
}

bool MemoryWidget::limitIsOutOfRange() const
{
    return d->limitOutOfRange;
}

QWidget* MemoryWidget::canvas() const
{
    return d->canvas;
}

QString MemoryWidget::question() const
{
    return tr("Will it fit?");
}

QString MemoryWidget::summary() const
{
    if (d->stacks.isEmpty()) {
        return d->series.isLoading ? tr("A model is being loaded.") : tr("No model is open.");
    }
    const MemoryStack& now = d->stacks.constLast();
    QStringList sentences;
    sentences.append(tr("%1 tokens in context: weights %2, activations %3, KV cache %4 used of %5 reserved.")
                         .arg(count(now.tokens), bytes(now.weights), bytes(now.activations - now.weights),
                             bytes(now.kvUsed - now.others), bytes(now.kvReserved - now.others)));
    const MemorySample& sample = d->series.samples.constLast();
    if (sample.process) {
        sentences.append(tr("The process holds %1.").arg(bytes(static_cast<double>(*sample.process))));
    }
    if (d->series.limitBytes) {
        sentences.append(tr("Memory free for Kvasir: %1.").arg(bytes(static_cast<double>(*d->series.limitBytes))));
    }
    sentences.append(tr("Outlook: %1.").arg(outlook()));
    return sentences.join(QLatin1Char(' '));
}

QString MemoryWidget::csv() const
{
    QString out = QStringLiteral(
        "tokens,weights_bytes,activations_bytes,kv_used_bytes,kv_reserved_bytes,others_bytes,process_bytes\n");
    for (const MemorySample& sample : d->series.samples) {
        const QStringList fields{QString::number(sample.tokens), QString::number(sample.weights),
            QString::number(sample.activations), QString::number(sample.kvUsed), QString::number(sample.kvReserved),
            QString::number(othersOf(sample)), sample.process ? QString::number(*sample.process) : QString()};
        out += fields.join(QLatin1Char(',')) + QLatin1Char('\n');
    }
    return out;
}

void MemoryWidget::setWholeContext(bool on)
{
    d->wholeContext = on;
    hasten();
    d->byteAxis.reset(); // what the user asks for happens at once
    d->cutAxis.reset();
    contentChanged();
}

void MemoryWidget::refresh()
{
    if (!d->contentChanged) {
        d->canvas->drawOverlay();
        return;
    }
    d->contentChanged = false;
    d->view.series = d->series;
    d->view.series.samples.clear(); // a shared list would be copied with the next sample
    d->view.stacks = onSteadyBase(thinned(d->stacks, std::max(d->canvas->width(), 2)));
    d->view.outlook = outlookOf(d->series);
    d->canvas->setAxesVisible(!d->stacks.isEmpty());
    if (!d->stacks.isEmpty()) {
        const qint64 columns = std::max(d->canvas->width() / 2, 1);
        d->view.stacks = withoutGaps(d->view.stacks, d->stacks.constLast().tokens / columns + 1);
        const int axisWidth = d->axisWidth;
        d->updateTokenAxis();
        d->updateByteAxis();
        if (axisWidth != d->axisWidth) {
            placeCanvas();
        }
        if (d->tokenAxis.isBehind(d->tokensNeeded) || d->byteAxis.isBehind(d->bytesNeeded)
            || (d->cutNeeded && d->cutAxis.isBehind(*d->cutNeeded))) {
            d->later.start(AxisStepper::kPauseMs);
        }
    }
    updateAnswer();
    d->canvas->draw();
}

int MemoryWidget::refreshIntervalMs() const
{
    return d->contentChanged ? std::max(kContentMs, PlotPanel::refreshIntervalMs()) : PlotPanel::refreshIntervalMs();
}

void MemoryWidget::contentChanged()
{
    d->contentChanged = true;
    markDirty();
}

void MemoryWidget::updateAnswer()
{
    QString process = NumberFormat::missing();
    if (!d->series.samples.isEmpty() && d->series.samples.constLast().process) {
        process = bytes(static_cast<double>(*d->series.samples.constLast().process));
    }
    const qint64 whole = d->series.machineBytes.value_or(d->series.limitBytes.value_or(0));
    setAnswer({{tr("process"), process, bytes(888.0 * 1024 * 1024),
                   tr("Memory of this program that lies in RAM, as the system reports it.")},
        {tr("of"), whole > 0 ? bytes(static_cast<double>(whole)) : NumberFormat::missing(),
            bytes(88.8 * 1024 * 1024 * 1024), tr("Memory of this machine.")}});
}

void MemoryWidget::restyle()
{
    d->canvas->restyle();
    d->canvas->setAccessibleName(question());
    d->axisWidth = Fonts::reservedWidth(Fonts::font(Fonts::Role::PlotLabel), QStringLiteral("888")) + Fonts::px(8);
    updateAnswer();
    contentChanged();
}

void MemoryWidget::extendMenu(QMenu* menu)
{
    QAction* action = menu->addAction(tr("Show the whole context"), this, &MemoryWidget::setWholeContext);
    action->setCheckable(true);
    action->setChecked(d->wholeContext);
    action->setShortcut(Qt::Key_W);
    menu->addSeparator();
}

void MemoryWidget::placeCanvas()
{
    d->canvas->setSpace({d->axisWidth, Fonts::px(26), Fonts::px(4), Fonts::px(20)});
}

void MemoryWidget::layoutBody()
{
    d->canvas->setGeometry(bodyRect());
    d->canvas->setVisible(!isTooSmall());
    placeCanvas();
    d->contentChanged = true;
}

void MemoryWidget::paintPicture(QPaintDevice* device, qreal scale)
{
    const auto header = [this](QPainter& painter) { paintHeader(painter); };
    d->canvas->paintTo(device, scale, d->canvas->pos(), header);
}

void MemoryWidget::moveCursor(std::optional<qint64> tokens)
{
    if (tokens) {
        tokens = std::clamp<qint64>(*tokens, 0, d->view.endTokens);
    }
    if (tokens != d->cursor) {
        d->cursor = tokens;
        hasten();
        markDirty();
    }
}

bool MemoryWidget::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != d->canvas) {
        return PlotPanel::eventFilter(watched, event);
    }
    const PlotCostScope scope(costCounter());
    switch (event->type()) {
    case QEvent::MouseMove: {
        d->pointer = static_cast<QMouseEvent*>(event)->position();
        const bool inside = !d->view.stacks.isEmpty() && d->canvas->plotRect().contains(d->pointer);
        moveCursor(inside ? std::optional(static_cast<qint64>(std::llround(d->canvas->pixelToX(d->pointer.x()))))
                          : std::nullopt);
        break;
    }
    case QEvent::Leave:
        moveCursor(std::nullopt);
        break;
    case QEvent::MouseButtonDblClick:
        setWholeContext(!d->wholeContext);
        return true;
    case QEvent::FocusIn:
    case QEvent::FocusOut:
        markDirty();
        break;
    default:
        break;
    }
    return PlotPanel::eventFilter(watched, event);
}

void MemoryWidget::keyPressEvent(QKeyEvent* event)
{
    if (d->stacks.isEmpty()) {
        PlotPanel::keyPressEvent(event);
        return;
    }
    const qint64 step =
        std::max(d->series.blockTokens, 1) * (event->modifiers().testFlag(Qt::ControlModifier) ? 10 : 1);
    const qint64 at = d->cursor.value_or(d->stacks.constLast().tokens);
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
        d->pointer = d->canvas->plotRect().center();
        moveCursor(d->cursor ? at + (event->key() == Qt::Key_Right ? step : -step) : at);
        d->canvas->setAccessibleDescription(readout());
        return;
    case Qt::Key_W:
        setWholeContext(!d->wholeContext);
        return;
    case Qt::Key_Escape:
        if (d->cursor) {
            moveCursor(std::nullopt);
            return;
        }
        break;
    default:
        break;
    }
    PlotPanel::keyPressEvent(event);
}

} // namespace kvasir
