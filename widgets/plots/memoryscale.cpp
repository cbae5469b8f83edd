#include "plots/memoryscale.h"

#include "plots/plotcanvas.h"
#include "plots/seriesmath.h"

#include <QLocale>

#include <algorithm>

namespace kvasir {

namespace {

constexpr double kMib = 1024.0 * 1024.0;
constexpr double kGib = 1024.0 * kMib;
constexpr double kFlat = 1.0 / 8; // growth below this share of the height is hard to see
constexpr double kFlatWithLimit = 1.0 / 30;
constexpr double kKeptBase = 0.35; // of the height, for a base that is cut

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

bool needsCut(const MemoryExtent& extent, double end, double share, bool showsLimit)
{
    const double growth = extent.top - extent.base;
    return growth > 0 && growth < (showsLimit ? kFlatWithLimit : kFlat) * end && cutAxisNeeded(extent, share) < end / 2;
}

double cutAxisNeeded(const MemoryExtent& extent, double share)
{
    return (extent.top - extent.base) / ((1 - kKeptBase) * share);
}

MemoryScale cutScale(const MemoryExtent& extent, double length, double share)
{
    MemoryScale scale;
    const double kept = std::min(kKeptBase * share * length, extent.base);
    scale.cutFrom = kept / 2;
    scale.cutTo = extent.base - kept / 2;
    scale.end = scale.cutTo + length - scale.cutFrom;
    return scale;
}

} // namespace kvasir
