#pragma once

#include <QPainter>
#include <QRectF>
#include <QStringList>
#include <QVector>

namespace kvasir {

/// Keeps labels from covering each other.
class LabelPlacer {
public:
    /// Labels stay within `area`.
    explicit LabelPlacer(const QRectF& area)
        : m_area(area)
    {
    }

    /// Marks a place as taken.
    void block(const QRectF& rect) { m_taken.append(rect); }
    /// Moves `rect` sideways into the area, then down row by row, until it is free, and takes that place. False where
    /// no row has room: leave the label out.
    bool place(QRectF& rect, int rows);

private:
    bool isFree(const QRectF& rect) const;

    QRectF m_area;
    QVector<QRectF> m_taken;
};

/// Spreads centres of labels of `height` so that none overlap within [top, bottom], moving each as little as the order
/// allows. `centres` in ascending order; too many for the space are left evenly spread.
QVector<double> spreadLabels(QVector<double> centres, double height, double top, double bottom);

/// A box with lines of text beside `anchor`, inside `area`; the first line is bold. Too long lines are elided.
void paintReadout(QPainter& painter, const QRectF& area, const QPointF& anchor, const QStringList& lines);

/// The frame that shows keyboard focus.
void paintFocus(QPainter& painter, const QRectF& area);

/// One bold line with a backing that keeps it readable on any fill.
void paintBackedLabel(QPainter& painter, const QRectF& rect, const QString& text, const QColor& color);

/// Wrapped text in the middle of `area`, in secondary colour.
void paintTeaching(QPainter& painter, const QRectF& area, const QString& text);

} // namespace kvasir
