#pragma once

#include <QVector>

namespace kvasir {

struct PlotTick;

/// The vertical axis of the memory plot, in bytes, with a piece cut out of what stays as it is (weights,
/// activations, others) where that would press the KV cache flat. Positions are bytes without that piece.
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
    double base = 0; ///< bytes below the KV cache
    double top = 0;  ///< the most that the stack or its projection reaches
};

/// Whether the base presses what grows above it below an eighth of an axis that ends at `end`, and a cut would help. An
/// axis that shows the limit is worth more: there a thirtieth will do. `share` is the part of the height that data may
/// use.
bool needsCut(const MemoryExtent& extent, double end, double share, bool showsLimit);

/// Bytes that an axis with a cut must show: growth has about two thirds of it, the rest is for the base to either side
/// of the cut.
double cutAxisNeeded(const MemoryExtent& extent, double share);

/// The axis with a cut, `length` bytes long without the piece that is cut out.
MemoryScale cutScale(const MemoryExtent& extent, double length, double share);

} // namespace kvasir
