#include "plots/memoryscale.h"

#include "plots/plotcanvas.h"
#include "plots/seriesmath.h"

#include <QLocale>

namespace kvasir {

namespace {

constexpr double kMib = 1024.0 * 1024.0;
constexpr double kGib = 1024.0 * kMib;
constexpr double kFlat = 1.0 / 8; // growth below this share of the height is hard to see

} // namespace

double MemoryScale::position(double bytes) const
{
    if (bytes <= cutFrom) {
        return bytes;
    }
    return bytes < cutTo ? cutFrom : bytes - (cutTo - cutFrom);
}

bool MemoryScale::isInGib() const
{
    return end >= 4 * kGib && endPosition() >= kGib / 2;
}

QVector<PlotTick> MemoryScale::ticks(int most) const
{
    const double unit = isInGib() ? kGib : kMib;
    QVector<PlotTick> ticks;
    const QVector<double> values = niceTicks((isCut() ? cutTo : 0) / unit, end / unit, most);
    const int decimals = tickDecimals(values);
    if (isCut()) {
        ticks.append({0, QLocale().toString(0)});
    }
    for (const double value : values) {
        const double at = position(value * unit);
        // The first tick above the cut keeps clear of the zero below it.
        if (!isCut() || at > cutFrom + endPosition() / (2 * most)) {
            ticks.append({at, QLocale().toString(value, 'f', decimals)});
        }
    }
    return ticks;
}

MemoryScale memoryScale(const MemoryExtent& extent, double end)
{
    MemoryScale scale;
    scale.end = end;
    const double growth = extent.top - extent.base;
    if (growth > 0 && growth < kFlat * end) {
        const double above = end - extent.weights;
        const double kept = above / 2;
        if (extent.weights > 2 * kept) {
            scale.cutFrom = kept / 2;
            scale.cutTo = extent.weights - kept / 2;
        }
    }
    return scale;
}

} // namespace kvasir
