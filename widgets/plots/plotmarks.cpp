#include "plots/plotmarks.h"

#include "base/fonts.h"

#include <QFontMetricsF>
#include <QPaintEngine>

#include <algorithm>
#include <cmath>
#include <memory>

namespace kvasir {

PlotType& PlotType::current()
{
    static std::unique_ptr<PlotType> type;
    static int scale = 0;
    if (const int now = Fonts::px(1000); !type || now != scale) {
        scale = now;
        const QFont label = Fonts::font(Fonts::Role::PlotLabel);
        QFont bold = label;
        bold.setWeight(QFont::DemiBold);
        type = std::make_unique<PlotType>(label, bold);
    }
    return *type;
}

PlotType::PlotType(const QFont& labelFont, const QFont& boldFont)
    : label(labelFont)
    , bold(boldFont)
    , line(QFontMetricsF(labelFont).height())
{
}

const QStaticText& PlotType::shaped(const QString& text, bool isBold)
{
    const QPair<QString, bool> key(text, isBold);
    if (const auto found = m_texts.constFind(key); found != m_texts.constEnd()) {
        return *found;
    }
    if (m_texts.size() >= kMostTexts) {
        m_texts.clear();
    }
    QStaticText made(text);
    made.setTextFormat(Qt::PlainText);
    made.setPerformanceHint(QStaticText::AggressiveCaching);
    made.prepare(QTransform(), isBold ? bold : label);
    return *m_texts.insert(key, made);
}

void PlotType::draw(QPainter& painter, const QPointF& at, const QString& text, bool isBold)
{
    painter.setFont(isBold ? bold : label);
    painter.drawStaticText(at, shaped(text, isBold));
}

QString PlotType::elided(const QString& text, double room, bool isBold)
{
    return width(text, isBold) <= room ? text
                                       : QFontMetricsF(isBold ? bold : label).elidedText(text, Qt::ElideRight, room);
}

namespace Marks {

namespace {

struct Pattern {
    double on[2];
    double off[2];
    Qt::PenStyle style;
};

constexpr double kLongest = 2e4; // pixels: whatever a plot is asked to draw, it ends

/// In widths of the line.
Pattern patternOf(Dash dash)
{
    switch (dash) {
    case Dash::Solid:
        break;
    case Dash::Dashed:
        return {{4, 4}, {2, 2}, Qt::DashLine};
    case Dash::DashDotted:
        return {{4, 1}, {2, 2}, Qt::DashDotLine};
    case Dash::Dotted:
        return {{1, 1}, {2, 2}, Qt::DotLine};
    }
    return {{0, 0}, {0, 0}, Qt::SolidLine};
}

bool isRaster(const QPainter& painter)
{
    const QPaintEngine* engine = painter.paintEngine();
    return engine && engine->type() == QPaintEngine::Raster;
}

/// Calls `piece` with the begin and end of each dash between `from` and `to`.
template <typename Piece> void eachDash(double from, double to, const Pattern& pattern, double width, Piece piece)
{
    if (pattern.style == Qt::SolidLine) {
        piece(from, to);
        return;
    }
    bool second = false;
    to = std::min(to, from + kLongest);
    for (double at = from; at < to; second = !second) {
        const double end = at + pattern.on[second] * width;
        piece(at, std::min(end, to));
        at = end + pattern.off[second] * width;
    }
}

} // namespace

QColor mixed(const QColor& color, double share, const QColor& background)
{
    const auto mix = [share](double a, double b) { return static_cast<float>(share * a + (1 - share) * b); };
    return QColor::fromRgbF(mix(color.redF(), background.redF()), mix(color.greenF(), background.greenF()),
        mix(color.blueF(), background.blueF()));
}

double snapped(const QPainter& painter, double value)
{
    const double ratio = painter.device() ? painter.device()->devicePixelRatioF() : 1;
    return std::round(value * ratio) / ratio;
}

double thin()
{
    return std::max(1.0, std::round(Fonts::px(100) / 100.0));
}

void horizontal(QPainter& painter, double left, double right, double y, const QColor& color, Dash dash, double width)
{
    if (!(right > left)) {
        return;
    }
    const Pattern pattern = patternOf(dash);
    width = width > 0 ? width : thin();
    if (!isRaster(painter)) {
        painter.setPen(QPen(color, width, pattern.style));
        painter.drawLine(QPointF(left, y), QPointF(right, y));
        return;
    }
    const double top = snapped(painter, y - width / 2);
    eachDash(left, right, pattern, width,
        [&](double from, double to) { painter.fillRect(QRectF(from, top, to - from, width), color); });
}

void vertical(QPainter& painter, double x, double top, double bottom, const QColor& color, Dash dash, double width)
{
    if (!(bottom > top)) {
        return;
    }
    const Pattern pattern = patternOf(dash);
    width = width > 0 ? width : thin();
    if (!isRaster(painter)) {
        painter.setPen(QPen(color, width, pattern.style));
        painter.drawLine(QPointF(x, top), QPointF(x, bottom));
        return;
    }
    const double left = snapped(painter, x - width / 2);
    eachDash(top, bottom, pattern, width,
        [&](double from, double to) { painter.fillRect(QRectF(left, from, width, to - from), color); });
}

void dotted(QPainter& painter, const QPointF& from, const QPointF& to, const QColor& color, double width)
{
    if (!isRaster(painter)) {
        painter.setPen(QPen(color, width, Qt::DotLine));
        painter.drawLine(from, to);
        return;
    }
    const QPointF whole = to - from;
    const double length = std::hypot(whole.x(), whole.y());
    const double side = std::max(1.0, std::round(width));
    if (!(length > 0) || !std::isfinite(length)) {
        return;
    }
    for (double at = 0; at < std::min(length, kLongest); at += 2.5 * side) {
        const QPointF dot = from + whole * (at / length);
        painter.fillRect(QRectF(dot.x() - side / 2, snapped(painter, dot.y() - side / 2), side, side), color);
    }
}

} // namespace Marks

} // namespace kvasir
