#include "plots/memorypainter.h"

#include "base/fonts.h"
#include "base/numberformat.h"
#include "base/theme.h"
#include "plots/plotcanvas.h"
#include "plots/plotlabels.h"
#include "plots/plotmarks.h"

#include <algorithm>
#include <cmath>

namespace kvasir {

using NumberFormat::bytes;
using NumberFormat::count;

namespace {

constexpr double kMeasured = 0.75; // share of the colour over the panel
constexpr double kExpected = 0.28;
constexpr double kReserved = 0.3;

// Lines grow with the type.
double lineWidth()
{
    return std::max(1.0, std::round(1.4 * Fonts::px(100) / 100.0));
}

} // namespace

MemoryPainter::MemoryPainter(QPainter& painter, const PlotCanvas& canvas, const MemoryView& view)
    : m_painter(painter)
    , m_canvas(canvas)
    , m_view(view)
    , m_type(PlotType::current())
    , m_area(canvas.plotRect())
    , m_now(view.stacks.isEmpty() ? MemoryStack{} : view.stacks.constLast())
{
}

double MemoryPainter::stripHeight()
{
    return 4 * PlotType::current().line + Fonts::px(6);
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
    const auto mixed = [&theme](Meaning meaning, double share) {
        return Marks::mixed(theme.color(meaning), share, theme.panel);
    };
    const Meaning base[]{Meaning::Weights, Meaning::Activations, Meaning::Other};
    double MemoryStack::*const tops[]{&MemoryStack::weights, &MemoryStack::activations, &MemoryStack::others};
    for (int i = 0; i < 3; ++i) {
        const Edge bottom = i == 0 ? Edge(nullptr) : tops[i - 1];
        paintLayer(bottom, tops[i], mixed(base[i], kMeasured), mixed(base[i], kExpected));
    }
    paintLayer(&MemoryStack::others, &MemoryStack::kvUsed, theme.color(Meaning::Kv), {});
    paintLayer(&MemoryStack::kvUsed, &MemoryStack::kvReserved, mixed(Meaning::Kv, kReserved), {});
    paintReservedStripes(mixed(Meaning::Kv, 2 * kReserved));
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
    const double top = m_area.top() - 1.5 * m_type.line;
    const QString unit = m_view.scale.isInGib() ? tr("GiB") : tr("MiB");
    m_painter.setPen(theme.muted);
    m_type.draw(m_painter, {std::max(m_area.left() - 4 - m_type.width(unit), 0.0), top}, unit);
    const bool full = m_view.outlook.kind == OutlookKind::AlreadyFull;
    const double right = m_canvas.width() - 2;
    const QString text = m_type.elided(outlookText(m_view), right - m_area.left(), full);
    m_painter.setPen(full ? theme.textColor(Meaning::Limit) : theme.text);
    m_type.draw(m_painter, {right - m_type.width(text, full), top}, text, full);
}

// Steps: what the last sample before a place says holds there, and a block is taken for the token after a sample. Runs
// of equal height are one rectangle. Measured up to now; paler beyond, where a layer is expected to stay as it is.
void MemoryPainter::paintLayer(Edge bottom, Edge top, const QColor& measured, const QColor& expected)
{
    const QVector<MemoryStack>& stacks = m_view.stacks;
    const auto pixel = [this](const MemoryStack& stack, Edge edge) {
        return Marks::snapped(m_painter, edge ? y(stack.*edge) : m_area.bottom());
    };
    double left = expected.isValid() ? m_area.left() : x(stacks.first().tokens);
    double high = pixel(stacks.first(), top);
    double low = pixel(stacks.first(), bottom);
    double right = x(stacks.first().tokens);
    for (const MemoryStack& stack : stacks) {
        const double nextHigh = pixel(stack, top);
        const double nextLow = pixel(stack, bottom);
        if ((nextHigh != high || nextLow != low) && right - left >= 1) {
            m_painter.fillRect(QRectF(left, high, right - left, low - high), measured);
            left = right;
        }
        high = nextHigh;
        low = nextLow;
        right = x(stack.tokens);
    }
    m_painter.fillRect(QRectF(left, high, right - left, low - high), measured);
    if (expected.isValid()) {
        m_painter.fillRect(QRectF(right, high, m_area.right() - right, low - high), expected);
    }
}

// Tells reserved from used without colour.
void MemoryPainter::paintReservedStripes(const QColor& color)
{
    const QVector<MemoryStack>& stacks = m_view.stacks;
    const double step = Fonts::px(4);
    qsizetype index = 0;
    for (double at = m_area.left() + step; at < std::min(x(m_now.tokens), m_area.right()); at += step) {
        while (index < stacks.size() - 1 && x(stacks[index].tokens) < at) {
            ++index;
        }
        const double high = y(stacks[index].kvReserved);
        const double height = y(stacks[index].kvUsed) - high;
        if (index > 0 && height >= 2) {
            m_painter.fillRect(QRectF(at, high, 1, height), color);
        }
    }
}

void MemoryPainter::paintProjection()
{
    if (!(m_view.outlook.kvBytesPerToken > 0)) {
        return;
    }
    const Theme& theme = Theme::current();
    const qint64 end = m_view.endTokens;
    const double last = projectedBytes(m_now, end, m_view.outlook.kvBytesPerToken, m_view.series.blockTokens);
    const double top = m_canvas.yToPixel(m_view.scale.position(last)); // may leave the plot: the clip cuts it
    Marks::dotted(m_painter, QPointF(x(m_now.tokens), y(m_now.kvReserved)), QPointF(x(end), top),
        theme.edge(Meaning::Kv), std::round(1.6 * Fonts::px(100) / 100.0));
}

// A zigzag through the base, where a piece of the axis is missing: thin lines side by side, see Marks.
void MemoryPainter::paintCut()
{
    const Theme& theme = Theme::current();
    const double at = Marks::snapped(m_painter, m_canvas.yToPixel(m_view.scale.cutFrom));
    const double step = Fonts::px(6);
    const int half = Fonts::px(2);
    QPolygonF zigzag;
    for (int i = 0; m_area.left() + i * step <= m_area.right() + step; ++i) {
        zigzag.append(QPointF(m_area.left() + i * step, at + (i % 2 == 0 ? -half : half)));
    }
    for (int offset = -half - 1; offset <= half + 1; ++offset) {
        m_painter.setPen(std::abs(offset) > half ? theme.muted : theme.panel);
        m_painter.drawPolyline(zigzag.translated(0, offset));
    }
}

void MemoryPainter::paintLimit()
{
    if (!m_view.series.limitBytes) {
        return;
    }
    const Theme& theme = Theme::current();
    const auto limit = static_cast<double>(*m_view.series.limitBytes);
    const QString text = tr("memory free for Kvasir %1").arg(bytes(limit));
    const double arrow = Fonts::px(12);
    const QString shown = m_type.elided(text, m_area.width() - arrow);
    const double width = m_type.width(shown);
    if (limit > m_view.scale.end) { // far above: an arrow says so
        const QRectF rect(m_area.right() - width, m_area.top() + 1, width, m_type.line);
        m_painter.setPen(theme.textColor(Meaning::Limit));
        m_type.draw(m_painter, rect.topLeft(), shown);
        const double middle = std::round(rect.left() - arrow / 2) + 0.5;
        m_painter.setPen(QPen(theme.edge(Meaning::Limit), lineWidth()));
        m_painter.setRenderHint(QPainter::Antialiasing);
        m_painter.drawLine(QPointF(middle, rect.top() + 2), QPointF(middle, rect.bottom() - 1));
        m_painter.drawPolyline(QPolygonF{
            QPointF(middle - 3, rect.top() + 6), QPointF(middle, rect.top() + 2), QPointF(middle + 3, rect.top() + 6)});
        m_painter.setRenderHint(QPainter::Antialiasing, false);
        return;
    }
    const double at = y(limit);
    Marks::horizontal(
        m_painter, m_area.left(), m_area.right(), at, theme.edge(Meaning::Limit), Marks::Dash::Dashed, lineWidth());
    m_painter.setPen(theme.textColor(Meaning::Limit));
    const bool above = at - m_type.line - 2 >= m_area.top() - 2;
    const QRectF rect(m_area.right() - width, above ? at - m_type.line - 2 : at + 2, width, m_type.line);
    m_type.draw(m_painter, rect.topLeft(), shown);
    if (m_view.outlook.kind == OutlookKind::FullAt && m_view.outlook.tokens <= m_view.endTokens) {
        const double full = x(m_view.outlook.tokens);
        Marks::vertical(m_painter, full, at, m_area.bottom(), theme.edge(Meaning::Limit), Marks::Dash::Dotted);
        m_painter.setRenderHint(QPainter::Antialiasing);
        m_painter.setPen(QPen(theme.edge(Meaning::Limit), lineWidth()));
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

/// The larger part of a layer that the cut leaves, with room for a label.
QRectF MemoryPainter::visiblePart(double top, double bottom) const
{
    QRectF part(m_area.left() + Fonts::px(6), top, m_area.width() - Fonts::px(10), bottom - top);
    if (!m_view.scale.isCut()) {
        return part;
    }
    const double cut = m_canvas.yToPixel(m_view.scale.cutFrom);
    const double half = Fonts::px(5); // of the zigzag's height
    const double above = std::min(bottom, cut - half) - top;
    const double below = bottom - std::max(top, cut + half);
    if (above >= below) {
        part.setBottom(top + std::max(above, 0.0));
    } else {
        part.setTop(bottom - std::max(below, 0.0));
    }
    return part;
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
    m_painter.setPen(color);
    m_type.draw(m_painter, rect.topLeft(), m_type.elided(text, rect.width() + 1, true), true);
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
    for (const Layer& layer : layers) {
        if (layer.top <= layer.bottom) {
            continue;
        }
        const QRectF inside = visiblePart(y(layer.top), y(layer.bottom));
        if (inside.height() < m_type.line - 2 || m_type.width(layer.text, true) > inside.width()) {
            tags.append({layer.text, layer.meaning});
            continue;
        }
        const QRectF label(
            inside.left(), inside.center().y() - m_type.line / 2, m_type.width(layer.text, true), m_type.line);
        paintBackedLabel(m_painter, label, layer.text, theme.text);
    }
    double widest = 0;
    for (const Tag& tag : tags) {
        widest = std::max(widest, m_type.width(tag.text, true) + Fonts::px(14));
    }
    widest = std::min(widest, m_area.width() - 4);
    const double right = std::clamp(x(m_now.tokens), m_area.left() + widest + 4, m_area.right());
    const double bottom = highestBetween(right - widest, right) - Fonts::px(3);
    QRectF rect(right - widest, bottom - m_type.line, widest, m_type.line);
    for (const Tag& tag : tags) {
        drawTag(rect, tag.text, theme.color(tag.meaning),
            tag.meaning == Meaning::Kv ? theme.textColor(Meaning::Kv) : theme.text);
        rect.translate(0, -rect.height());
    }
}

void MemoryPainter::paintNow()
{
    const Theme& theme = Theme::current();
    const double at = x(m_now.tokens);
    Marks::vertical(m_painter, at, y(m_now.kvReserved), m_area.bottom() + 3, theme.text);
    m_painter.setPen(theme.text);
    const QString text = nowText(m_now.tokens);
    const double width = m_type.width(text);
    const double left = std::clamp(at - width / 2, 0.0, std::max(m_canvas.width() - width, 0.0));
    const QString unit = unitText();
    const double unitLeft = m_canvas.width() - m_type.width(unit) - 1;
    const double top = m_area.bottom() + 4;
    m_type.draw(m_painter, {left, top}, text);
    if (left + width + Fonts::px(6) < unitLeft) {
        m_painter.setPen(theme.muted);
        m_type.draw(m_painter, {unitLeft, top}, unit);
    }
}

void MemoryPainter::paintCursor(qint64 tokens)
{
    Marks::vertical(m_painter, x(tokens), m_area.top(), m_area.bottom(), Theme::current().text);
}

QString MemoryPainter::nowText(qint64 tokens)
{
    return tr("now %1").arg(count(tokens));
}

QString MemoryPainter::unitText()
{
    return tr("tokens");
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
    PlotType& type = PlotType::current();
    const QRectF plot = area.adjusted(0, 0, 0, -3.6 * type.line);
    if (plot.height() > 4 * type.line) {
        const auto pale = [&](Meaning meaning) { return Marks::mixed(theme.color(meaning), 0.18, theme.panel); };
        const auto at = [&](double across, double up) {
            return QPointF(plot.left() + across * plot.width(), plot.bottom() - up * plot.height());
        };
        painter.fillRect(QRectF(at(0, 0.45), at(1, 0)), pale(Meaning::Weights));
        painter.fillRect(QRectF(at(0, 0.53), at(1, 0.45)), pale(Meaning::Activations));
        constexpr int kSteps = 24;
        for (int i = 0; i < kSteps; ++i) {
            painter.fillRect(
                QRectF(at(0.5 * i / kSteps, 0.53 + 0.13 * (i + 1) / kSteps), at(0.5 * (i + 1) / kSteps, 0.53)),
                pale(Meaning::Kv));
        }
        Marks::dotted(painter, at(0.5, 0.66), at(1, 0.79), theme.muted, 1);
        Marks::horizontal(painter, plot.left(), plot.right(), at(0, 0.95).y(), theme.muted, Marks::Dash::Dashed);
        painter.setPen(theme.muted);
        const auto label = [&](double across, double up, const QString& text) {
            const QRectF rect(at(across, up) - QPointF(0, type.line / 2), QSizeF(plot.width(), type.line));
            type.draw(painter, rect.topLeft(), type.elided(text, plot.right() - rect.left()));
        };
        label(0.02, 0.22, tr("weights"));
        label(0.02, 0.66, tr("KV cache"));
        label(0.02, 0.88, tr("memory free for Kvasir"));
    }
    paintTeaching(painter,
        plot.height() > 4 * type.line ? QRectF(area.left(), plot.bottom(), area.width(), area.bottom() - plot.bottom())
                                      : area,
        tr("Open a model and send a question: its weights stay as they are, the KV cache grows with every token."));
}

} // namespace kvasir
