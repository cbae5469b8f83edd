#include "plots/memorypainter.h"

#include "base/fonts.h"
#include "base/numberformat.h"
#include "base/theme.h"
#include "plots/plotcanvas.h"
#include "plots/plotlabels.h"

#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace kvasir {

using NumberFormat::bytes;
using NumberFormat::count;

namespace {

QFont labelFont(bool bold = false)
{
    QFont font = Fonts::font(Fonts::Role::PlotLabel);
    font.setWeight(bold ? QFont::DemiBold : QFont::Normal);
    return font;
}

// Lines grow with the type.
double lineWidth(double width)
{
    return width * Fonts::px(100) / 100.0;
}

double lineHeight()
{
    return QFontMetricsF(labelFont()).height();
}

QColor translucent(QColor color, float alpha)
{
    color.setAlphaF(alpha);
    return color;
}

constexpr float kMeasured = 0.75F;
constexpr float kExpected = 0.28F;

} // namespace

MemoryPainter::MemoryPainter(QPainter& painter, const PlotCanvas& canvas, const MemoryView& view)
    : m_painter(painter)
    , m_canvas(canvas)
    , m_view(view)
    , m_area(canvas.plotRect())
    , m_now(view.stacks.isEmpty() ? MemoryStack{} : view.stacks.constLast())
{
}

double MemoryPainter::stripHeight()
{
    return 4 * lineHeight() + Fonts::px(6);
}

double MemoryPainter::y(double bytesAt) const
{
    return m_canvas.yToPixel(m_view.scale.position(std::min(bytesAt, m_view.scale.end)));
}

double MemoryPainter::x(qint64 tokens) const
{
    return m_canvas.xToPixel(static_cast<double>(tokens));
}

void MemoryPainter::paint()
{
    paintUnitAndOutlook();
    m_painter.save();
    m_painter.setClipRect(m_area);
    const Theme& theme = Theme::current();
    paintLayer(nullptr, &MemoryStack::weights, theme.color(Meaning::Weights));
    paintLayer(&MemoryStack::weights, &MemoryStack::activations, theme.color(Meaning::Activations));
    paintLayer(&MemoryStack::activations, &MemoryStack::others, theme.color(Meaning::Other));
    paintKv();
    paintProjection();
    if (m_view.scale.isCut()) {
        paintCut();
    }
    m_painter.restore();
    paintLimit();
    paintLayerLabels();
    paintNow();
}

void MemoryPainter::paintUnitAndOutlook()
{
    const Theme& theme = Theme::current();
    m_painter.setFont(labelFont());
    m_painter.setPen(theme.muted);
    const double top = m_area.top() - lineHeight() / 2;
    const QRectF unit(0, 0, m_area.left() - 4, top);
    m_painter.drawText(unit, Qt::AlignRight | Qt::AlignBottom, m_view.scale.isInGib() ? tr("GiB") : tr("MiB"));
    const bool full = m_view.outlook.kind == OutlookKind::AlreadyFull;
    m_painter.setFont(labelFont(full));
    m_painter.setPen(full ? theme.textColor(Meaning::Limit) : theme.text);
    const QRectF place(m_area.left(), 0, m_canvas.width() - m_area.left() - 2, top);
    m_painter.drawText(place, Qt::AlignRight | Qt::AlignBottom | Qt::TextSingleLine,
        QFontMetricsF(labelFont(full)).elidedText(outlookText(m_view), Qt::ElideRight, place.width()));
}

// Measured up to now; paler beyond, where the layer is expected to stay as it is.
void MemoryPainter::paintLayer(double MemoryStack::*bottom, double MemoryStack::*top, const QColor& color)
{
    const QVector<MemoryStack>& stacks = m_view.stacks;
    const auto bottomOf = [bottom](const MemoryStack& stack) { return bottom ? stack.*bottom : 0.0; };
    QPolygonF area;
    area.append(QPointF(m_area.left(), y(stacks.first().*top)));
    for (int i = 0; i < stacks.size(); ++i) {
        area.append(QPointF(x(stacks[i].tokens), y(stacks[std::max(i - 1, 0)].*top)));
        area.append(QPointF(x(stacks[i].tokens), y(stacks[i].*top)));
    }
    for (int i = static_cast<int>(stacks.size()) - 1; i >= 0; --i) {
        area.append(QPointF(x(stacks[i].tokens), y(bottomOf(stacks[i]))));
        area.append(QPointF(x(stacks[i].tokens), y(bottomOf(stacks[std::max(i - 1, 0)]))));
    }
    area.append(QPointF(m_area.left(), y(bottomOf(stacks.first()))));
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(translucent(color, kMeasured));
    m_painter.drawPolygon(area);
    const double now = x(m_now.tokens);
    const double high = y(m_now.*top);
    m_painter.fillRect(
        QRectF(now, high, m_area.right() - now, y(bottomOf(m_now)) - high), translucent(color, kExpected));
}

// Used solid, reserved at 30 % and hatched; reserved grows in blocks, so it is drawn in steps.
void MemoryPainter::paintKv()
{
    const Theme& theme = Theme::current();
    const QVector<MemoryStack>& stacks = m_view.stacks;
    QPolygonF used;
    QPolygonF reserved;
    for (int i = 0; i < stacks.size(); ++i) {
        const double at = x(stacks[i].tokens);
        used.append(QPointF(at, y(stacks[i].kvUsed)));
        if (i > 0) { // the block was taken for the token after the last sample
            reserved.append(QPointF(x(stacks[i - 1].tokens), y(stacks[i].kvReserved)));
        }
        reserved.append(QPointF(at, y(stacks[i].kvReserved)));
    }
    QPolygonF base;
    for (int i = static_cast<int>(stacks.size()) - 1; i >= 0; --i) {
        base.append(QPointF(x(stacks[i].tokens), y(stacks[i].others)));
    }
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(theme.reserved(Meaning::Kv));
    m_painter.drawPolygon(reserved + base);
    m_painter.setBrush(QBrush(theme.reserved(Meaning::Kv), Qt::BDiagPattern));
    m_painter.drawPolygon(reserved + base);
    m_painter.setRenderHint(QPainter::Antialiasing);
    m_painter.setBrush(translucent(theme.color(Meaning::Kv), 0.9F));
    m_painter.drawPolygon(used + base);
    m_painter.setRenderHint(QPainter::Antialiasing, false);
}

void MemoryPainter::paintProjection()
{
    if (!(m_view.outlook.kvBytesPerToken > 0)) {
        return;
    }
    const Theme& theme = Theme::current();
    const qint64 end = m_view.endTokens;
    const double last = projectedBytes(m_now, end, m_view.outlook.kvBytesPerToken, m_view.series.blockTokens);
    m_painter.setRenderHint(QPainter::Antialiasing);
    m_painter.setPen(QPen(theme.edge(Meaning::Kv), lineWidth(1.6), Qt::DotLine));
    const double top = m_canvas.yToPixel(m_view.scale.position(last)); // may leave the plot: the clip cuts it
    m_painter.drawLine(QPointF(x(m_now.tokens), y(m_now.kvReserved)), QPointF(x(end), top));
    m_painter.setRenderHint(QPainter::Antialiasing, false);
}

// A white zigzag through the weights, where a piece of the axis is missing.
void MemoryPainter::paintCut()
{
    const double at = m_canvas.yToPixel(m_view.scale.cutFrom);
    const double step = Fonts::px(6);
    QPainterPath upper;
    for (double i = m_area.left(); i <= m_area.right() + step; i += step) {
        const double up = std::fmod(std::round((i - m_area.left()) / step), 2.0) < 1 ? -2 : 2;
        i == m_area.left() ? upper.moveTo(i, at + up) : upper.lineTo(i, at + up);
    }
    m_painter.setRenderHint(QPainter::Antialiasing);
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(QPen(Theme::current().panel, Fonts::px(5)));
    m_painter.drawPath(upper);
    m_painter.setPen(QPen(Theme::current().muted, 1));
    m_painter.drawPath(upper.translated(0, -Fonts::px(2.5)));
    m_painter.drawPath(upper.translated(0, Fonts::px(2.5)));
    m_painter.setRenderHint(QPainter::Antialiasing, false);
}

void MemoryPainter::paintLimit()
{
    if (!m_view.series.limitBytes) {
        return;
    }
    const Theme& theme = Theme::current();
    const auto limit = static_cast<double>(*m_view.series.limitBytes);
    const QString text = tr("memory free for Kvasir %1").arg(bytes(limit));
    m_painter.setFont(labelFont());
    const QFontMetricsF metrics(labelFont());
    const double arrow = Fonts::px(12);
    const double width = std::min(metrics.horizontalAdvance(text) + 1, m_area.width() - arrow);
    const QString shown = metrics.elidedText(text, Qt::ElideRight, width);
    if (limit > m_view.scale.end) { // far above: an arrow says so
        const QRectF rect(m_area.right() - width, m_area.top() + 1, width, lineHeight());
        m_painter.setPen(theme.textColor(Meaning::Limit));
        m_painter.drawText(rect, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, shown);
        const double middle = std::round(rect.left() - arrow / 2) + 0.5;
        m_painter.setPen(QPen(theme.edge(Meaning::Limit), lineWidth(1.4)));
        m_painter.setRenderHint(QPainter::Antialiasing);
        m_painter.drawLine(QPointF(middle, rect.top() + 2), QPointF(middle, rect.bottom() - 1));
        m_painter.drawPolyline(QPolygonF{
            QPointF(middle - 3, rect.top() + 6), QPointF(middle, rect.top() + 2), QPointF(middle + 3, rect.top() + 6)});
        m_painter.setRenderHint(QPainter::Antialiasing, false);
        return;
    }
    const double at = std::round(y(limit)) + 0.5;
    m_painter.setPen(QPen(theme.edge(Meaning::Limit), lineWidth(1.4), Qt::DashLine));
    m_painter.drawLine(QPointF(m_area.left(), at), QPointF(m_area.right(), at));
    m_painter.setPen(theme.textColor(Meaning::Limit));
    const bool above = at - lineHeight() - 2 >= m_area.top() - 2;
    const QRectF rect(m_area.right() - width, above ? at - lineHeight() - 2 : at + 2, width, lineHeight());
    m_painter.drawText(rect, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, shown);
    if (m_view.outlook.kind == OutlookKind::FullAt && m_view.outlook.tokens <= m_view.endTokens) {
        const double full = std::round(x(m_view.outlook.tokens)) + 0.5;
        m_painter.setPen(QPen(theme.edge(Meaning::Limit), 1, Qt::DotLine));
        m_painter.drawLine(QPointF(full, at), QPointF(full, m_area.bottom()));
        m_painter.setRenderHint(QPainter::Antialiasing);
        m_painter.setPen(QPen(theme.edge(Meaning::Limit), lineWidth(1.4)));
        m_painter.setBrush(theme.panel);
        m_painter.drawEllipse(QPointF(full, at), 3.5, 3.5);
        m_painter.setRenderHint(QPainter::Antialiasing, false);
    }
}

// The highest point, as the smallest pixel row, of stack and projection between two columns.
double MemoryPainter::highestBetween(double left, double right) const
{
    double highest = y(m_now.kvReserved);
    for (const MemoryStack& stack : m_view.stacks) {
        const double at = x(stack.tokens);
        if (at >= left && at <= right) {
            highest = std::min(highest, y(stack.kvReserved));
        }
    }
    const auto rightTokens = static_cast<qint64>(std::max(0.0, m_canvas.pixelToX(right)));
    if (m_view.outlook.kvBytesPerToken > 0) {
        highest = std::min(
            highest, y(projectedBytes(m_now, rightTokens, m_view.outlook.kvBytesPerToken, m_view.series.blockTokens)));
    }
    return highest;
}

void MemoryPainter::drawTag(QRectF rect, const QString& text, const QColor& swatch, const QColor& color)
{
    const double side = Fonts::px(8);
    const QRectF square(rect.left(), rect.center().y() - side / 2, side, side);
    m_painter.fillRect(square, swatch);
    m_painter.setPen(QPen(Theme::current().muted, 1));
    m_painter.setBrush(Qt::NoBrush);
    m_painter.drawRect(square.adjusted(0.5, 0.5, -0.5, -0.5));
    rect.setLeft(rect.left() + side + Fonts::px(4));
    m_painter.setFont(labelFont(true));
    m_painter.setPen(color);
    m_painter.drawText(rect, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
        QFontMetricsF(labelFont(true)).elidedText(text, Qt::ElideRight, rect.width()));
}

// A layer tall enough has its name inside, one too thin in a row above the stack with a swatch; the KV cache always has
// it there, beside where it grows.
void MemoryPainter::paintLayerLabels()
{
    const Theme& theme = Theme::current();
    struct Layer {
        QString text;
        double bottom;
        double top;
        Meaning meaning;
    };
    const QVector<Layer> layers{
        {tr("weights %1").arg(bytes(m_now.weights)), 0, m_now.weights, Meaning::Weights},
        {tr("activations %1").arg(bytes(m_now.activations - m_now.weights)), m_now.weights, m_now.activations,
            Meaning::Activations},
        {tr("others %1").arg(bytes(m_now.others - m_now.activations)), m_now.activations, m_now.others, Meaning::Other},
    };
    struct Tag {
        QString text;
        Meaning meaning;
    };
    QVector<Tag> tags{
        {tr("KV %1 used, %2 reserved").arg(bytes(m_now.kvUsed - m_now.others), bytes(m_now.kvReserved - m_now.others)),
            Meaning::Kv}};
    const QFontMetricsF metrics(labelFont(true));
    for (const Layer& layer : layers) {
        if (layer.top <= layer.bottom) {
            continue;
        }
        QRectF inside(m_area.left() + Fonts::px(6), y(layer.top), m_area.width() - Fonts::px(10), 0);
        inside.setBottom(y(layer.bottom));
        if (inside.height() < lineHeight() - 2 || metrics.horizontalAdvance(layer.text) > inside.width()) {
            tags.append({layer.text, layer.meaning});
            continue;
        }
        if (layer.bottom == 0 && m_view.scale.isCut()) {
            inside.setBottom(m_canvas.yToPixel(m_view.scale.cutFrom) - Fonts::px(4));
        }
        m_painter.setFont(labelFont(true));
        const QRectF label(
            inside.left(), inside.center().y() - lineHeight() / 2, metrics.horizontalAdvance(layer.text), lineHeight());
        paintBackedLabel(m_painter, label, layer.text, theme.text);
    }
    double widest = 0;
    for (const Tag& tag : tags) {
        widest = std::max(widest, metrics.horizontalAdvance(tag.text) + Fonts::px(14));
    }
    widest = std::min(widest, m_area.width() - 4);
    const double right = std::clamp(x(m_now.tokens), m_area.left() + widest + 4, m_area.right());
    const double bottom = highestBetween(right - widest, right) - Fonts::px(3);
    QRectF rect(right - widest, bottom - lineHeight(), widest, lineHeight());
    for (const Tag& tag : tags) {
        drawTag(rect, tag.text, theme.color(tag.meaning),
            tag.meaning == Meaning::Kv ? theme.textColor(Meaning::Kv) : theme.text);
        rect.translate(0, -rect.height());
    }
}

void MemoryPainter::paintNow()
{
    const Theme& theme = Theme::current();
    const double at = std::round(x(m_now.tokens)) + 0.5;
    m_painter.setPen(QPen(theme.text, 1));
    m_painter.drawLine(QPointF(at, y(m_now.kvReserved)), QPointF(at, m_area.bottom() + 3));
    const QFont font = labelFont();
    const QFontMetricsF metrics(font);
    const QString text = tr("now %1").arg(count(m_now.tokens));
    const double width = metrics.horizontalAdvance(text);
    const double left = std::clamp(at - width / 2, 0.0, std::max(m_canvas.width() - width, 0.0));
    m_painter.setFont(font);
    const QString unit = tr("tokens");
    const double unitLeft = m_canvas.width() - metrics.horizontalAdvance(unit) - 1;
    if (left + width + Fonts::px(6) < unitLeft) {
        m_painter.setPen(theme.muted);
        m_painter.drawText(QRectF(unitLeft, m_area.bottom() + 4, m_canvas.width() - unitLeft, lineHeight()),
            Qt::AlignLeft | Qt::AlignTop, unit);
        m_painter.setPen(theme.text);
    }
    m_painter.drawText(QRectF(left, m_area.bottom() + 4, width + 1, lineHeight()), Qt::AlignLeft | Qt::AlignTop, text);
}

void MemoryPainter::paintCursor(qint64 tokens)
{
    const double at = std::round(x(tokens)) + 0.5;
    m_painter.setPen(QPen(Theme::current().text, 1));
    m_painter.drawLine(QPointF(at, m_area.top()), QPointF(at, m_area.bottom()));
}

QString MemoryPainter::outlookText(const MemoryView& view)
{
    switch (view.outlook.kind) {
    case OutlookKind::Unknown:
        return view.stacks.isEmpty() ? QString() : tr("growth not known yet");
    case OutlookKind::FullAt:
        return (view.outlook.isFitted ? tr("full at about %1 tokens") : tr("full at %1 tokens"))
            .arg(count(view.outlook.tokens));
    case OutlookKind::ContextFirst:
        return (view.series.limitBytes ? tr("context ends at %1 first") : tr("context ends at %1"))
            .arg(count(view.outlook.tokens));
    case OutlookKind::NoLimitKnown:
        return tr("limit not known");
    case OutlookKind::AlreadyFull:
        return tr("over the memory that is free");
    }
    return {};
}

void MemoryPainter::paintLesson(QPainter& painter, const QRectF& area, bool isLoading)
{
    if (isLoading) {
        paintTeaching(painter, area, tr("A model is being loaded. Its memory appears here when it is ready."));
        return;
    }
    const Theme& theme = Theme::current();
    const QRectF plot = area.adjusted(0, 0, 0, -3.6 * lineHeight());
    if (plot.height() > 4 * lineHeight()) {
        const auto layer = [&](double from, double to, Meaning meaning) {
            painter.fillRect(
                QRectF(plot.left(), plot.bottom() - to * plot.height(), plot.width(), (to - from) * plot.height()),
                translucent(theme.color(meaning), 0.16F));
        };
        layer(0, 0.45, Meaning::Weights);
        layer(0.45, 0.53, Meaning::Activations);
        const auto at = [&](double across, double up) {
            return QPointF(plot.left() + across * plot.width(), plot.bottom() - up * plot.height());
        };
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(translucent(theme.color(Meaning::Kv), 0.2F));
        painter.drawPolygon(QPolygonF{at(0, 0.53), at(0.5, 0.66), at(0.5, 0.53)});
        painter.setPen(QPen(theme.muted, 1, Qt::DotLine));
        painter.drawLine(at(0.5, 0.66), at(1, 0.79));
        painter.setPen(QPen(theme.muted, 1, Qt::DashLine));
        painter.drawLine(at(0, 0.95), at(1, 0.95));
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setFont(labelFont());
        const auto label = [&](double across, double up, const QString& text) {
            const QRectF rect(at(across, up) - QPointF(0, lineHeight() / 2), QSizeF(plot.width(), lineHeight()));
            painter.drawText(rect.intersected(plot), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, text);
        };
        label(0.02, 0.22, tr("weights"));
        label(0.02, 0.66, tr("KV cache"));
        label(0.02, 0.88, tr("memory free for Kvasir"));
    }
    paintTeaching(painter,
        plot.height() > 4 * lineHeight()
            ? QRectF(area.left(), plot.bottom(), area.width(), area.bottom() - plot.bottom())
            : area,
        tr("Open a model and send a question: its weights stay as they are, the KV cache grows with every token."));
}

} // namespace kvasir
