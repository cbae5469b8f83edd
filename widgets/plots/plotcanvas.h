#pragma once

#include <QPainter>
#include <QVector>
#include <QWidget>

#include <functional>
#include <memory>

namespace kvasir {

struct PlotTick {
    double value = 0;
    QString label;
};

/// The drawing surface of a plot: axes, hairlines and buffers through QCustomPlot, the rest painted by two callbacks in
/// the canvas's pixels. Draws only when told to. The one place that knows QCustomPlot.
class PlotCanvas : public QWidget {
    Q_OBJECT

public:
    using Paint = std::function<void(QPainter&)>;

    explicit PlotCanvas(QWidget* parent = nullptr);
    ~PlotCanvas() override;

    /// Painted below the hairlines.
    void setBackdrop(Paint paint);
    /// Painted above the hairlines and below the axes.
    void setContent(Paint paint);
    /// Painted above everything, where `isNeeded` says so. It then has a buffer of its own, so that the cursor moves
    /// without the content being drawn again; without it, one buffer less is cleared and blended at each refresh.
    void setOverlay(Paint paint, std::function<bool()> isNeeded);
    void setXAxis(double from, double to, const QVector<PlotTick>& ticks);
    void setYAxis(double from, double to, const QVector<PlotTick>& ticks);
    /// Pixels around the plot for labels; fixed by the caller, so that changing labels move nothing.
    void setSpace(const QMargins& space);
    void setAxesVisible(bool on);
    /// Where true, `costCounter` is increased by the processor time of painting.
    void setCostCounter(qint64* counter) { m_cost = counter; }

    /// Where the data lie.
    QRectF plotRect() const;
    double xToPixel(double x) const;
    double yToPixel(double y) const;
    double pixelToX(double pixel) const;

    /// Draws content and overlay, and shows them.
    void draw();
    /// Draws the overlay alone, and shows it.
    void drawOverlay();
    int drawCount() const { return m_drawCount; }
    int overlayCount() const { return m_overlayCount; }

    /// Reads theme and fonts again.
    void restyle();
    /// Draws on another device, `at` in units of `scale` pixels: vectors stay vectors. `before` paints what stands
    /// around.
    void paintTo(QPaintDevice* device, qreal scale, const QPoint& at, const Paint& before);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    bool hasOverlayBuffer() const;

    struct Plot;
    std::unique_ptr<Plot> m_plot;
    double m_xFrom = 0;
    double m_xTo = 1;
    double m_yFrom = 0;
    double m_yTo = 1;
    QMargins m_space;
    qint64* m_cost = nullptr;
    int m_drawCount = 0;
    int m_overlayCount = 0;
};

} // namespace kvasir
