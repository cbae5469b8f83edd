#pragma once

#include <QColor>
#include <QFont>
#include <QHash>
#include <QPainter>
#include <QRectF>
#include <QStaticText>

namespace kvasir {

/// The fonts of plots with their metrics, and texts that have been shaped: a plot needs the same ones at each refresh,
/// and shaping them was a quarter of its cost.
class PlotType {
public:
    /// Of the current scale.
    static PlotType& current();

    PlotType(const QFont& labelFont, const QFont& boldFont);

    const QFont label;
    const QFont bold;
    const double line; ///< height of a line of labels

    double width(const QString& text, bool isBold = false) { return shaped(text, isBold).size().width(); }
    /// Draws one line with its top left corner at `at`, in the painter's pen.
    void draw(QPainter& painter, const QPointF& at, const QString& text, bool isBold = false);
    QString elided(const QString& text, double width, bool isBold = false);

private:
    static constexpr int kMostTexts = 256;

    const QStaticText& shaped(const QString& text, bool isBold);

    QHash<QPair<QString, bool>, QStaticText> m_texts;
};

/// Marks that cost little on the screen. Qt's raster engine hands translucent or antialiased fills of more than 96 rows
/// to a pool of threads, which costs more than the drawing and takes the processor from the engine; opaque, upright
/// rectangles it writes at once. On other devices (SVG) the same marks are true lines.
namespace Marks {

/// `color` at `share` over `background`, opaque.
QColor mixed(const QColor& color, double share, const QColor& background);

/// A coordinate at the nearest edge of a device pixel.
double snapped(const QPainter& painter, double value);

enum class Dash { Solid, Dashed, DashDotted, Dotted };

/// Width of a thin line; it grows with the type, as 0 for the width below does.
double thin();

void horizontal(QPainter& painter, double left, double right, double y, const QColor& color, Dash dash = Dash::Solid,
    double width = 0);
void vertical(QPainter& painter, double x, double top, double bottom, const QColor& color, Dash dash = Dash::Solid,
    double width = 0);
/// Dots along a slanted line.
void dotted(QPainter& painter, const QPointF& from, const QPointF& to, const QColor& color, double width);

} // namespace Marks

} // namespace kvasir
