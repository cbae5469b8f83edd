#pragma once

#include "plots/memorymath.h"
#include "plots/memoryscale.h"

#include <QCoreApplication>
#include <QPainter>

namespace kvasir {

class PlotCanvas;
class PlotType;

/// What one refresh of the memory plot draws; the canvas holds the axes.
struct MemoryView {
    QVector<MemoryStack> stacks;
    MemorySeries series; ///< limits only: without samples
    MemoryOutlook outlook;
    MemoryScale scale;
    qint64 endTokens = 1; ///< at the right edge
};

/// Paints the stacked areas, the limit and the outlook.
class MemoryPainter {
    Q_DECLARE_TR_FUNCTIONS(kvasir::MemoryPainter)

public:
    MemoryPainter(QPainter& painter, const PlotCanvas& canvas, const MemoryView& view);

    void paint();
    void paintCursor(qint64 tokens);

    /// Height kept free above the stack for labels.
    static double stripHeight();
    /// "now 310" and "tokens", as they stand below the axis.
    static QString nowText(qint64 tokens);
    static QString unitText();
    static QString outlookText(const MemoryView& view);
    static void paintLesson(QPainter& painter, const QRectF& area, bool isLoading);

private:
    using Edge = double MemoryStack::*; ///< of a layer; none is zero

    double y(double bytes) const;
    double x(qint64 tokens) const;
    void paintUnitAndOutlook();
    void paintLayer(Edge bottom, Edge top, const QColor& measured, const QColor& expected);
    void paintReservedStripes(const QColor& color);
    void paintProjection();
    void paintCut();
    void paintLimit();
    void paintLayerLabels();
    void paintNow();
    QRectF visiblePart(double top, double bottom) const;
    double highestBetween(double left, double right) const;
    void drawTag(QRectF rect, const QString& text, const QColor& swatch, const QColor& color);

    QPainter& m_painter;
    const PlotCanvas& m_canvas;
    const MemoryView& m_view;
    PlotType& m_type;
    QRectF m_area;
    MemoryStack m_now;
};

} // namespace kvasir
