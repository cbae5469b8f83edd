#include "plots/timelineaxes.h"

#include "base/fonts.h"
#include "plots/plotcanvas.h"
#include "plots/plotmarks.h"
#include "plots/timelinepainter.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace kvasir {

namespace {

constexpr double kShortestSpanMs = 5;
constexpr double kShortestAxisMs = 1000; // of a running reply
constexpr double kEmptyAxisMs = 50;      // of gaps, before any is known

} // namespace

bool TimelineAxes::isBehind() const
{
    return (m_gapNeeded && m_gapAxis.isBehind(*m_gapNeeded)) || (m_timeNeeded && m_timeAxis.isBehind(*m_timeNeeded));
}

void TimelineAxes::follow()
{
    m_follows = true;
    m_window.reset();
    m_gapZoom = 1;
}

void TimelineAxes::restyle()
{
    m_ticksHeight = 0;
    m_ticksWidth = 0;
    m_labelWidth = static_cast<int>(PlotType::current().width(QStringLiteral("888"))) + Fonts::px(8);
}

void TimelineAxes::zoom(const TimelineReply& reply, double factor, double fixedMs)
{
    if (m_follows && reply.isRunning()) {
        const double span = std::max((m_to - m_from) * factor, kShortestSpanMs);
        m_window = span < reply.endMs() ? std::optional(span) : std::nullopt;
        return;
    }
    m_follows = false;
    setRange(reply, fixedMs - (fixedMs - m_from) * factor, fixedMs + (m_to - fixedMs) * factor);
}

void TimelineAxes::zoomGap(double factor)
{
    m_gapZoom = std::clamp(m_gapZoom / factor, 0.1, 100.0);
}

void TimelineAxes::pan(const TimelineReply& reply, double milliseconds)
{
    m_follows = false;
    setRange(reply, m_from + milliseconds, m_to + milliseconds);
}

// Some of the reply stays in sight.
void TimelineAxes::setRange(const TimelineReply& reply, double from, double to)
{
    const double end = std::max(reply.endMs(), 1.0);
    const double span = std::clamp(to - from, kShortestSpanMs, 4 * std::max(end, 2 * kShortestSpanMs));
    m_from = std::clamp((from + to) / 2 - span / 2, -span / 2, end - span / 2);
    m_to = m_from + span;
}

void TimelineAxes::updateTime(const TimelineReply& reply, qint64 nowMs)
{
    m_timeNeeded.reset();
    if (!m_follows) {
        return;
    }
    const double end = std::max(reply.endMs(), 1.0);
    if (m_window && *m_window < end) {
        m_from = end - *m_window;
        m_to = end;
        return;
    }
    m_from = 0;
    m_to = end * 1.01;
    if (reply.isRunning()) {
        // Room for the pause in which the axis may not move.
        m_timeNeeded = std::max(1.02 * end + AxisStepper::kPauseMs, kShortestAxisMs);
        m_to = m_timeAxis.update(*m_timeNeeded, nowMs);
    }
}

void TimelineAxes::updateGap(const TimelineReply& reply, PlotCanvas& canvas, qint64 nowMs)
{
    const SortedValues& gaps = reply.gaps;
    const double height = std::max(canvas.plotRect().height(), 1.0);
    m_labelStrip = std::min(TimelinePainter::stripHeight(), height * 0.4);
    const double share = 1 - m_labelStrip / height; // of the height that bars may use
    m_gapNeeded.reset();
    if (gaps.size() > 0) {
        m_gapNeeded = std::max(gapAxisEnd(*gaps.quantile(1), *gaps.quantile(0.5), *gaps.quantile(0.9)) / share, 0.1);
        m_gapAxis.update(*m_gapNeeded, nowMs);
    }
    const double end = (m_gapAxis.end() > 0 ? m_gapAxis.end() : kEmptyAxisMs) / m_gapZoom;
    m_tallestMs = end * share;
    if (end == m_ticksEnd && height == m_ticksHeight) {
        return;
    }
    m_ticksEnd = end;
    m_ticksHeight = height;
    QVector<PlotTick> ticks;
    const QVector<double> values = niceTicks(0, end, std::clamp(static_cast<int>(height / Fonts::px(30)), 2, 7));
    for (const double value : values) {
        const QString label = QLocale().toString(value, 'f', tickDecimals(values));
        m_labelWidth = std::max(m_labelWidth, static_cast<int>(PlotType::current().width(label)) + Fonts::px(8));
        ticks.append({value, label});
    }
    canvas.setYAxis(0, end, ticks);
}

void TimelineAxes::updateTimeTicks(PlotCanvas& canvas)
{
    const double across = canvas.plotRect().width();
    if (m_from == m_ticksFrom && m_to == m_ticksTo && across == m_ticksWidth) {
        return;
    }
    m_ticksFrom = m_from;
    m_ticksTo = m_to;
    m_ticksWidth = across;
    const double unit = m_to >= 1000 ? 1000 : 1;
    const auto labelOf = [&](double value, int decimals) {
        const QString number = QLocale().toString(value, 'f', decimals);
        return value == 0 ? QLocale().toString(0) : (unit == 1 ? tr("%1 ms") : tr("%1 s")).arg(number);
    };
    const int decimals = tickDecimals(niceTicks(m_from / unit, m_to / unit, 4));
    const double width = PlotType::current().width(labelOf(m_to / unit, decimals)) + Fonts::px(24);
    const int most = std::clamp(static_cast<int>(across / width), 2, 9);
    const QVector<double> values = niceTicks(m_from / unit, m_to / unit, most);
    QVector<PlotTick> ticks;
    for (const double value : values) {
        ticks.append({value * unit, labelOf(value, tickDecimals(values))});
    }
    canvas.setXAxis(m_from, m_to, ticks);
}

} // namespace kvasir
