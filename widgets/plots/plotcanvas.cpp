#include "plots/plotcanvas.h"

#include "base/fonts.h"
#include "base/theme.h"
#include "plots/plotcost.h"

#include <QResizeEvent>
#include <qcustomplot.h>

namespace kvasir {

namespace {

/// A layer's content, painted by a callback.
class PaintedLayer : public QCPLayerable {
public:
    PaintedLayer(QCustomPlot* plot, const QString& layer)
        : QCPLayerable(plot, layer)
    {
    }

    PlotCanvas::Paint paint;

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override { painter->setAntialiasing(false); }
    void draw(QCPPainter* painter) override
    {
        if (paint) {
            painter->QPainter::save();
            paint(*painter);
            painter->QPainter::restore();
        }
    }
};

/// QCustomPlot draws itself anew whenever it is resized; here the canvas decides when.
class SilentPlot : public QCustomPlot {
public:
    using QCustomPlot::QCustomPlot;

    qint64** cost = nullptr;

protected:
    void resizeEvent(QResizeEvent*) override { setViewport(rect()); }
    void paintEvent(QPaintEvent* event) override
    {
        const PlotCostScope scope(cost ? *cost : nullptr);
        QCustomPlot::paintEvent(event);
    }
};

} // namespace

struct PlotCanvas::Plot {
    explicit Plot(QWidget* parent)
        : plot(parent)
        , backdrop(new PaintedLayer(&plot, QStringLiteral("background")))
        , content(new PaintedLayer(&plot, QStringLiteral("main")))
        , overlay(new PaintedLayer(&plot, QStringLiteral("overlay")))
        , xTicker(new QCPAxisTickerText)
        , yTicker(new QCPAxisTickerText)
    {
        plot.setAttribute(Qt::WA_TransparentForMouseEvents);
        plot.setFocusPolicy(Qt::NoFocus);
        plot.axisRect()->setAutoMargins(QCP::msNone);
        plot.axisRect()->setMinimumSize(1, 1);
        plot.axisRect()->setMinimumMargins(QMargins());
        plot.plotLayout()->setMargins(QMargins());
        plot.xAxis->setTicker(xTicker);
        plot.yAxis->setTicker(yTicker);
        for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) {
            axis->setSubTicks(false);
            axis->setTickPen(Qt::NoPen);
            axis->setTickLength(0, 0);
            axis->setTickLabelPadding(4);
            axis->grid()->setZeroLinePen(Qt::NoPen);
        }
        plot.xAxis->grid()->setVisible(false);
        plot.yAxis->setBasePen(Qt::NoPen);
    }

    SilentPlot plot;
    PaintedLayer* backdrop; // owned by the plot, like the others
    PaintedLayer* content;
    PaintedLayer* overlay;
    std::function<bool()> overlayNeeded = [] { return false; };
    QSharedPointer<QCPAxisTickerText> xTicker;
    QSharedPointer<QCPAxisTickerText> yTicker;
};

PlotCanvas::PlotCanvas(QWidget* parent)
    : QWidget(parent)
    , m_plot(std::make_unique<Plot>(this))
{
    m_plot->plot.cost = &m_cost;
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    restyle();
}

PlotCanvas::~PlotCanvas() = default;

void PlotCanvas::setBackdrop(Paint paint)
{
    m_plot->backdrop->paint = std::move(paint);
}

void PlotCanvas::setContent(Paint paint)
{
    m_plot->content->paint = std::move(paint);
}

void PlotCanvas::setOverlay(Paint paint, std::function<bool()> isNeeded)
{
    m_plot->overlayNeeded = std::move(isNeeded);
    m_plot->overlay->paint = [this, draw = std::move(paint)](QPainter& painter) {
        if (m_plot->overlayNeeded()) {
            draw(painter);
        }
    };
}

void PlotCanvas::setXAxis(double from, double to, const QVector<PlotTick>& ticks)
{
    m_xFrom = from;
    m_xTo = to;
    m_plot->xTicker->clear();
    for (const PlotTick& tick : ticks) {
        m_plot->xTicker->addTick(tick.value, tick.label);
    }
    m_plot->plot.xAxis->setRange(from, to);
}

void PlotCanvas::setYAxis(double from, double to, const QVector<PlotTick>& ticks)
{
    m_yFrom = from;
    m_yTo = to;
    m_plot->yTicker->clear();
    for (const PlotTick& tick : ticks) {
        m_plot->yTicker->addTick(tick.value, tick.label);
    }
    m_plot->plot.yAxis->setRange(from, to);
}

void PlotCanvas::setSpace(const QMargins& space)
{
    m_space = space;
    m_plot->plot.axisRect()->setMargins(space);
}

void PlotCanvas::setAxesVisible(bool on)
{
    m_plot->plot.xAxis->setVisible(on);
    m_plot->plot.yAxis->setVisible(on);
    m_plot->plot.yAxis->grid()->setVisible(on);
}

QRectF PlotCanvas::plotRect() const
{
    return QRectF(rect()).marginsRemoved(QMarginsF(m_space));
}

double PlotCanvas::xToPixel(double x) const
{
    const QRectF area = plotRect();
    return area.left() + (x - m_xFrom) / (m_xTo - m_xFrom) * area.width();
}

double PlotCanvas::yToPixel(double y) const
{
    const QRectF area = plotRect();
    return area.bottom() - (y - m_yFrom) / (m_yTo - m_yFrom) * area.height();
}

double PlotCanvas::pixelToX(double pixel) const
{
    const QRectF area = plotRect();
    return m_xFrom + (pixel - area.left()) / std::max(area.width(), 1.0) * (m_xTo - m_xFrom);
}

void PlotCanvas::draw()
{
    if (plotRect().width() < 1 || plotRect().height() < 1) {
        return;
    }
    ++m_drawCount;
    m_plot->overlay->layer()->setMode(m_plot->overlayNeeded() ? QCPLayer::lmBuffered : QCPLayer::lmLogical);
    m_plot->plot.replot(QCustomPlot::rpQueuedRefresh);
}

void PlotCanvas::drawOverlay()
{
    if (plotRect().width() < 1 || plotRect().height() < 1) {
        return;
    }
    ++m_overlayCount;
    if (m_plot->overlayNeeded() == hasOverlayBuffer()) {
        m_plot->overlay->layer()->replot();
    } else {
        draw();
    }
}

bool PlotCanvas::hasOverlayBuffer() const
{
    return m_plot->overlay->layer()->mode() == QCPLayer::lmBuffered;
}

void PlotCanvas::restyle()
{
    const Theme& theme = Theme::current();
    QCustomPlot& plot = m_plot->plot;
    plot.setBackground(QBrush(theme.panel));
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) {
        axis->setTickLabelFont(Fonts::font(Fonts::Role::PlotLabel));
        axis->setTickLabelColor(theme.muted);
        axis->grid()->setPen(QPen(theme.hairline, 1));
    }
    plot.xAxis->setBasePen(QPen(theme.hairline, 1));
}

void PlotCanvas::paintTo(QPaintDevice* device, qreal scale, const QPoint& at, const Paint& before)
{
    QCPPainter painter;
    if (!painter.begin(device)) {
        return;
    }
    painter.setMode(QCPPainter::pmVectorized);
    painter.scale(scale, scale);
    before(painter);
    if (!isHidden() && plotRect().width() >= 1 && plotRect().height() >= 1) {
        painter.translate(at);
        m_plot->overlay->setVisible(false); // focus and cursor belong to the screen
        m_plot->plot.toPainter(&painter, width(), height());
        m_plot->overlay->setVisible(true);
    }
}

void PlotCanvas::resizeEvent(QResizeEvent*)
{
    m_plot->plot.setGeometry(rect());
}

} // namespace kvasir
