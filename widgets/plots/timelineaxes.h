#pragma once

#include "plots/seriesmath.h"
#include "plots/timelinetext.h"

#include <QCoreApplication>

#include <optional>

namespace kvasir {

class PlotCanvas;

/// What the timeline shows of a reply: from when to when, and up to which gap. While it follows, the axes grow with the
/// reply in steps; when the user pans or zooms they stay where they were put.
class TimelineAxes {
    Q_DECLARE_TR_FUNCTIONS(kvasir::TimelineAxes)

public:
    bool follows() const { return m_follows; }
    double from() const { return m_from; } ///< milliseconds at the left edge
    double to() const { return m_to; }
    /// Pixels at the top of the plot that are kept for labels.
    double labelStrip() const { return m_labelStrip; }
    /// A gap that just reaches that strip, in milliseconds.
    double tallestMs() const { return m_tallestMs; }
    /// Pixels that the labels of the gap axis need at most so far.
    int labelWidth() const { return m_labelWidth; }
    /// An axis will move once its pause is over.
    bool isBehind() const;

    /// The whole reply again.
    void follow();
    /// Another reply: the gap axis may jump to its height.
    void resetGap() { m_gapAxis.reset(); }
    /// A new reply: time starts over.
    void resetTime() { m_timeAxis.reset(); }
    /// Type or language changed.
    void restyle();
    /// Zooms time. While a running reply is followed its end stays at the right edge, else `fixedMs` stays in place.
    void zoom(const TimelineReply& reply, double factor, double fixedMs);
    void zoomGap(double factor);
    void pan(const TimelineReply& reply, double milliseconds);

    /// Moves the axes with the reply and hands them to the canvas. `nowMs` of any monotonic clock.
    void updateTime(const TimelineReply& reply, qint64 nowMs);
    void updateGap(const TimelineReply& reply, PlotCanvas& canvas, qint64 nowMs);
    void updateTimeTicks(PlotCanvas& canvas);

private:
    void setRange(const TimelineReply& reply, double from, double to);

    bool m_follows = true;
    std::optional<double> m_window; // span in milliseconds while following; unset: the whole reply
    double m_from = 0;
    double m_to = 1000;
    double m_gapZoom = 1;
    double m_labelStrip = 0;
    double m_tallestMs = 0;
    int m_labelWidth = 0;
    AxisStepper m_timeAxis;
    AxisStepper m_gapAxis;
    std::optional<double> m_timeNeeded;
    std::optional<double> m_gapNeeded;
    // What the ticks were made for; a width or height of 0 asks for new ones.
    double m_ticksEnd = 0;
    double m_ticksHeight = 0;
    double m_ticksFrom = 0;
    double m_ticksTo = 0;
    double m_ticksWidth = 0;
};

} // namespace kvasir
