#pragma once

#include "plots/plotlabels.h"
#include "plots/timelinetext.h"

#include <QPainter>
#include <QVector>

namespace kvasir {

class PlotCanvas;
class PlotType;

/// What one refresh of the timeline draws; the canvas holds the axes.
struct TimelineView {
    const TimelineReply* reply = nullptr;
    QVector<TokenBar> bars;
    double labelStrip = 0; ///< pixels at the top that are kept for labels
    double tallestMs = 0;  ///< a gap that just reaches the strip; taller bars are cut and say their value
};

/// Paints the timeline of a reply, and the lesson that stands in its place while there is none.
class TimelinePainter {
    Q_DECLARE_TR_FUNCTIONS(kvasir::TimelinePainter)

public:
    TimelinePainter(QPainter& painter, const PlotCanvas& canvas, const TimelineView& view);

    /// The bands of queue and prefill, below the hairlines.
    void paintBands();
    /// Bars, lines and labels.
    void paint();
    /// The bar of a token, or the line of the first one, made to stand out.
    void paintCursor(int token, bool hasKeyboard);

    /// Height that labels need at the top of the plot.
    static double stripHeight();
    /// Width to the right of the plot for the names of the percentile lines.
    static int rightSpace();
    static void paintLesson(QPainter& painter, const QRectF& area);

private:
    QRectF queueBand() const;
    QRectF prefillBand() const;
    std::optional<double> expectedPrefillEnd() const;
    void paintUnit();
    void paintQueueLabel();
    void paintPrefillFoot();
    void paintPrefillLabels();
    void paintBars();
    void paintCuts();
    void paintFirstToken();
    void paintPercentiles();
    void paintEvents();
    void paintEvent(const ReplyEvent& event);
    void paintFailure();
    bool placeLabel(QRectF& rect, const QString& text, int rows, const QColor& color, bool bold = false);
    void drawLabel(const QRectF& rect, const QString& text, const QColor& color, bool bold = false);

    QPainter& m_painter;
    const PlotCanvas& m_canvas;
    const TimelineView& m_view;
    const TimelineReply& m_reply;
    PlotType& m_type;
    QRectF m_area;
    LabelPlacer m_labels;
};

} // namespace kvasir
