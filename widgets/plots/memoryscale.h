#pragma once

#include <QVector>

namespace kvasir {

struct PlotTick;

/// The vertical axis of the memory plot, in bytes, with a piece of the weights cut out where they would press the KV
/// cache flat. Positions are bytes without that piece.
struct MemoryScale {
    double end = 1;     ///< bytes at the top
    double cutFrom = 0; ///< bytes from here ...
    double cutTo = 0;   ///< ... to here have no height

    bool isCut() const { return cutTo > cutFrom; }
    double position(double bytes) const;
    double endPosition() const { return position(end); }
    /// Ticks of at most `most` round numbers of MiB or GiB, 0 among them.
    QVector<PlotTick> ticks(int most) const;
    bool isInGib() const;
};

/// What the axis must show.
struct MemoryExtent {
    double weights = 0; ///< bytes
    double base = 0;    ///< weights, activations, others
    double top = 0;     ///< the most that the stack or its projection reaches
};

/// Cuts the weights where growth above the base would stay below an eighth of the height, so that what stands on the
/// weights has about two thirds of it.
MemoryScale memoryScale(const MemoryExtent& extent, double end);

} // namespace kvasir
