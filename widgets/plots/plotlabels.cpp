#include "plots/plotlabels.h"

#include "base/fonts.h"
#include "base/theme.h"
#include "plots/plotmarks.h"

#include <QFontMetricsF>

#include <algorithm>

namespace kvasir {

bool LabelPlacer::isFree(const QRectF& rect) const
{
    return std::none_of(m_taken.begin(), m_taken.end(), [&](const QRectF& taken) { return taken.intersects(rect); });
}

bool LabelPlacer::place(QRectF& rect, int rows)
{
    if (rect.width() > m_area.width()) {
        return false;
    }
    QRectF wanted = rect;
    wanted.moveLeft(std::clamp(wanted.left(), m_area.left(), m_area.right() - wanted.width()));
    for (int row = 0; row < rows && wanted.bottom() <= m_area.bottom() + 0.5; ++row) {
        if (isFree(wanted)) {
            m_taken.append(wanted.adjusted(-2, 0, 2, 0));
            rect = wanted;
            return true;
        }
        wanted.translate(0, wanted.height());
    }
    return false;
}

QVector<double> spreadLabels(QVector<double> centres, double height, double top, double bottom)
{
    if (centres.isEmpty()) {
        return centres;
    }
    const double room = bottom - top - height;
    const double step = centres.size() > 1 ? std::min(height, room / static_cast<double>(centres.size() - 1)) : 0;
    double least = top + height / 2;
    for (double& centre : centres) { // push down ...
        centre = std::max(centre, least);
        least = centre + step;
    }
    double most = bottom - height / 2;
    for (auto centre = centres.rbegin(); centre != centres.rend(); ++centre) { // ... and back up from the end
        *centre = std::min(*centre, most);
        most = *centre - step;
    }
    return centres;
}

void paintReadout(QPainter& painter, const QRectF& area, const QPointF& anchor, const QStringList& lines)
{
    const Theme& theme = Theme::current();
    const QFont font = Fonts::font(Fonts::Role::PlotLabel);
    QFont bold = font;
    bold.setWeight(QFont::DemiBold);
    const QFontMetricsF metrics(font);
    const QFontMetricsF boldMetrics(bold);
    const double pad = Fonts::px(6);
    const double widest = area.width() - 2 * pad;
    double width = 0;
    for (int i = 0; i < lines.size(); ++i) {
        width = std::max(width, (i == 0 ? boldMetrics : metrics).horizontalAdvance(lines[i]));
    }
    width = std::min(width + 1, std::min<double>(widest, Fonts::px(280)));
    QRectF box(0, 0, width + 2 * pad, static_cast<double>(lines.size()) * metrics.height() + 2 * pad);
    box.moveTopLeft(anchor + QPointF(Fonts::px(10), Fonts::px(4)));
    if (box.right() > area.right()) {
        box.moveRight(anchor.x() - Fonts::px(10));
    }
    box.moveLeft(std::max(box.left(), area.left()));
    box.moveBottom(std::min(box.bottom(), area.bottom()));
    box.moveTop(std::max(box.top(), area.top()));

    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.muted, 1));
    painter.setBrush(theme.field);
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    QRectF line(box.left() + pad, box.top() + pad, width, metrics.height());
    for (int i = 0; i < lines.size(); ++i) {
        painter.setFont(i == 0 ? bold : font);
        painter.setPen(i == 0 ? theme.text : theme.muted);
        const QString text = (i == 0 ? boldMetrics : metrics).elidedText(lines[i], Qt::ElideRight, width);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, text);
        line.translate(0, metrics.height());
    }
}

void paintFocus(QPainter& painter, const QRectF& area)
{
    painter.setPen(QPen(Theme::current().accent, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(area.adjusted(0.5, 0.5, -0.5, -1.5)); // QCustomPlot clips the last row
}

void paintBackedLabel(QPainter& painter, const QRectF& rect, const QString& text, const QColor& color)
{
    QColor backing = Theme::current().panel;
    backing.setAlphaF(0.85F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(backing);
    painter.drawRoundedRect(rect.adjusted(-4, 0, 4, 0), 3, 3);
    painter.setPen(color);
    PlotType::current().draw(painter, rect.topLeft(), text, true);
}

void paintTeaching(QPainter& painter, const QRectF& area, const QString& text)
{
    painter.setFont(Fonts::font(Fonts::Role::Small));
    painter.setPen(Theme::current().muted);
    painter.drawText(area, Qt::AlignCenter | Qt::TextWordWrap, text);
}

} // namespace kvasir
