#include "plots/timelinepainter.h"

#include "base/fonts.h"
#include "base/numberformat.h"
#include "base/theme.h"
#include "plots/plotcanvas.h"

#include <algorithm>
#include <cmath>

namespace kvasir {

namespace {

QFont labelFont(bool bold = false)
{
    QFont font = Fonts::font(Fonts::Role::PlotLabel);
    font.setWeight(bold ? QFont::DemiBold : QFont::Normal);
    return font;
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

constexpr int kRows = 3; // of labels in the strip

} // namespace

TimelinePainter::TimelinePainter(QPainter& painter, const PlotCanvas& canvas, const TimelineView& view)
    : m_painter(painter)
    , m_canvas(canvas)
    , m_view(view)
    , m_reply(*view.reply)
    , m_area(canvas.plotRect())
    , m_labels(m_area)
{
}

double TimelinePainter::stripHeight()
{
    return kRows * lineHeight() + 2;
}

int TimelinePainter::rightSpace()
{
    return Fonts::reservedWidth(labelFont(), QStringLiteral("p50")) + Fonts::px(6);
}

void TimelinePainter::paint()
{
    paintUnit();
    m_painter.save();
    m_painter.setClipRect(m_area);
    paintQueue();
    paintPrefill();
    paintBars();
    paintFirstToken();
    paintEvents();
    paintCuts();
    m_painter.restore();
    paintPercentiles();
}

void TimelinePainter::drawLabel(const QRectF& rect, const QString& text, const QColor& color, bool bold)
{
    m_painter.setFont(labelFont(bold));
    m_painter.setPen(color);
    m_painter.drawText(rect, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine | Qt::TextDontClip, text);
}

void TimelinePainter::paintUnit()
{
    m_painter.setFont(labelFont());
    m_painter.setPen(Theme::current().muted);
    m_painter.drawText(
        QRectF(0, 0, m_area.left() - 4, m_area.top() - lineHeight() / 2), Qt::AlignRight | Qt::AlignBottom, tr("ms"));
}

void TimelinePainter::paintQueue()
{
    const double left = m_canvas.xToPixel(0);
    const double right = m_canvas.xToPixel(m_reply.queueEndMs());
    const QRectF band = QRectF(left, m_area.top(), right - left, m_area.height()).intersected(m_area);
    if (band.width() < 0.5) {
        return;
    }
    const Theme& theme = Theme::current();
    m_painter.fillRect(band, translucent(theme.color(Meaning::Other), 0.25F));
    m_painter.fillRect(band, QBrush(translucent(theme.color(Meaning::Other), 0.25F), Qt::FDiagPattern));
    const QString text = tr("queue");
    const double width = QFontMetricsF(labelFont()).horizontalAdvance(text);
    if (width + 8 <= band.width()) {
        const QRectF rect(band.left() + 4, band.top(), width, lineHeight());
        m_labels.block(rect);
        drawLabel(rect, text, theme.muted);
    }
}

// A translucent band over the time of prefill; the strip at its foot fills as tokens are done. While it runs, a dotted
// line shows where it will end at this pace.
void TimelinePainter::paintPrefill()
{
    const ReplyProgress& p = m_reply.series.progress;
    const std::optional<double> end = m_reply.prefillEndMs();
    if (!end) {
        return;
    }
    const Theme& theme = Theme::current();
    const double begin = std::max(*p.prefillBeginMs, 0.0);
    const double left = m_canvas.xToPixel(begin);
    const double right = m_canvas.xToPixel(*end);
    const QRectF whole(left, m_area.top(), std::max(right - left, 1.0), m_area.height());
    const QRectF band = whole.intersected(m_area);
    if (!band.isEmpty()) {
        m_painter.fillRect(band, translucent(theme.color(Meaning::Prefill), 0.30F));
    }
    const int fresh = p.promptTokens - p.cachedTokens;
    const bool running = p.state == ReplyState::Prefill;
    double foot = whole.width();
    if (running && fresh > 0) {
        const double share = std::clamp(static_cast<double>(p.prefillDone) / fresh, 0.0, 1.0);
        const double expected = share > 0.02 ? (*end - begin) / share : 0;
        if (expected > 0) {
            const double edge = m_canvas.xToPixel(begin + expected);
            m_painter.setPen(QPen(theme.edge(Meaning::Prefill), 1, Qt::DotLine));
            m_painter.drawLine(QPointF(edge, m_area.top()), QPointF(edge, m_area.bottom()));
            foot = (edge - left) * share;
        } else {
            foot = whole.width() * share;
        }
    }
    m_painter.fillRect(QRectF(left, m_area.bottom() - Fonts::px(4), foot, Fonts::px(4)), theme.color(Meaning::Prefill));

    const QStringList lines = TimelineText::prefillLabels(m_reply);
    double width = 0;
    for (int i = 0; i < lines.size(); ++i) {
        width = std::max(width, QFontMetricsF(labelFont(i == 0)).horizontalAdvance(lines[i]));
    }
    const bool fits = width + 8 <= band.width();
    if (!fits && band.isEmpty()) {
        return;
    }
    if (fits) {
        QRectF rect(band.left() + 4, band.top(), width, lineHeight());
        for (int i = 0; i < lines.size(); ++i) {
            m_labels.block(rect);
            drawLabel(rect, lines[i], i == 0 ? theme.textColor(Meaning::Prefill) : theme.text, i == 0);
            rect.translate(0, rect.height());
        }
        return;
    }
    // A band too narrow for words has them at its right, in the strip that bars keep free.
    // While it runs they start in the band, which will grow beneath them.
    QRectF block((running ? left : right) + 5, m_area.top() + (p.ttftMs ? lineHeight() : 0), 0, lineHeight());
    const QString name = lines[0];
    const QString rest = lines.mid(1).join(QStringLiteral(", "));
    const double nameWidth = QFontMetricsF(labelFont(true)).horizontalAdvance(name);
    const double restWidth = QFontMetricsF(labelFont()).horizontalAdvance(rest);
    const auto backing = [&](const QRectF& rect) {
        if (running) { // the line of the expected end may pass behind
            m_painter.fillRect(rect.adjusted(-2, 0, 2, 0), translucent(theme.panel, 0.75F));
        }
    };
    block.setWidth(nameWidth + 6 + restWidth);
    const bool oneLine = m_labels.place(block, kRows);
    if (!oneLine) {
        block.setWidth(nameWidth);
    }
    if (oneLine || m_labels.place(block, kRows)) {
        backing(block);
        drawLabel(block, name, theme.textColor(Meaning::Prefill), true);
    }
    QRectF second(block.left(), block.bottom(), restWidth, lineHeight());
    if (oneLine) {
        drawLabel(block.adjusted(nameWidth + 6, 0, 0, 0), rest, theme.muted);
    } else if (m_labels.place(second, 1)) {
        backing(second);
        drawLabel(second, rest, theme.muted);
    }
}

void TimelinePainter::paintBars()
{
    const QColor color = translucent(Theme::current().color(Meaning::Decode), 0.85F);
    QVector<QRectF> rects;
    rects.reserve(m_view.bars.size());
    for (const TokenBar& bar : m_view.bars) {
        double left = m_canvas.xToPixel(bar.leftMs);
        const double right = m_canvas.xToPixel(bar.rightMs);
        if (right - left >= 3) {
            left += 0.8;
        } else if (right - left < 1) {
            left = right - 1;
        }
        const double top = m_canvas.yToPixel(std::min(bar.gapMs, m_view.tallestMs));
        rects.append(QRectF(left, top, right - left, m_area.bottom() - top));
    }
    // Wide bars keep soft edges; of thin ones antialiasing would make a grey mush.
    m_painter.setRenderHint(QPainter::Antialiasing, !rects.isEmpty() && rects.size() < m_area.width() / 4);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(color);
    m_painter.drawRects(rects);
    m_painter.setRenderHint(QPainter::Antialiasing, false);
}

// Bars above the axis are cut: a gap in the bar below its top, and the value of the tallest above it where there is
// room.
void TimelinePainter::paintCuts()
{
    const Theme& theme = Theme::current();
    QVector<TokenBar> cut;
    for (const TokenBar& bar : m_view.bars) {
        if (bar.gapMs > m_view.tallestMs) {
            cut.append(bar);
        }
    }
    std::sort(cut.begin(), cut.end(), [](const TokenBar& a, const TokenBar& b) { return a.gapMs > b.gapMs; });
    const double top = m_canvas.yToPixel(m_view.tallestMs);
    for (const TokenBar& bar : cut) {
        const double right = m_canvas.xToPixel(bar.rightMs);
        const double left = std::min(m_canvas.xToPixel(bar.leftMs), right - 1);
        m_painter.fillRect(QRectF(left - 1, top + 5, right - left + 2, 2), theme.panel);
        m_painter.fillRect(QRectF(left, top, right - left, 2), theme.edge(Meaning::Limit));
        const QString text = NumberFormat::milliseconds(bar.gapMs);
        const double width = QFontMetricsF(labelFont()).horizontalAdvance(text);
        QRectF rect((left + right - width) / 2, m_area.top() + (kRows - 1) * lineHeight(), width, lineHeight());
        if (m_labels.place(rect, 1)) {
            drawLabel(rect, text, theme.textColor(Meaning::Limit));
        }
    }
}

void TimelinePainter::paintFirstToken()
{
    const std::optional<double> ttft = m_reply.series.progress.ttftMs;
    if (!ttft || !std::isfinite(*ttft)) {
        return;
    }
    const Theme& theme = Theme::current();
    const double x = std::round(m_canvas.xToPixel(*ttft)) + 0.5;
    if (x < m_area.left() - 1 || x > m_area.right() + 1) {
        return;
    }
    m_painter.setPen(QPen(theme.text, 1));
    m_painter.drawLine(QPointF(x, m_area.top()), QPointF(x, m_area.bottom()));
    const QString text = tr("first token");
    const double width = QFontMetricsF(labelFont()).horizontalAdvance(text);
    QRectF rect(x + 5, m_area.top(), width, lineHeight());
    if (rect.right() > m_area.right()) {
        rect.moveRight(x - 5);
    }
    if (m_labels.place(rect, kRows)) {
        drawLabel(rect, text, theme.text);
    }
}

void TimelinePainter::paintPercentiles()
{
    const SortedValues& gaps = m_reply.gaps;
    if (gaps.size() < 2) {
        return;
    }
    struct Line {
        const char* name;
        double fraction;
        Qt::PenStyle style;
    };
    static constexpr Line kLines[]{
        {"p99", 0.99, Qt::DotLine}, {"p90", 0.9, Qt::DashDotLine}, {"p50", 0.5, Qt::DashLine}};
    const Theme& theme = Theme::current();
    const double start = std::max(m_canvas.xToPixel(m_reply.series.progress.ttftMs.value_or(0)), m_area.left());
    const double top = m_canvas.yToPixel(m_view.tallestMs);
    QVector<double> heights;
    QVector<const Line*> drawn;
    for (const Line& line : kLines) {
        const double y = std::round(m_canvas.yToPixel(*gaps.quantile(line.fraction))) + 0.5;
        if (y < top - 1) {
            continue; // above the axis: the answer names its value
        }
        m_painter.setPen(QPen(line.fraction == 0.5 ? theme.text : theme.muted, 1, line.style));
        m_painter.drawLine(QPointF(start, y), QPointF(m_area.right(), y));
        heights.append(y);
        drawn.append(&line);
    }
    const QVector<double> centres =
        spreadLabels(heights, lineHeight() - 2, m_area.top(), m_area.bottom() + lineHeight() / 2);
    for (int i = 0; i < drawn.size(); ++i) {
        const QRectF rect(m_area.right() + Fonts::px(4), centres[i] - lineHeight() / 2, rightSpace(), lineHeight());
        drawLabel(rect, QLatin1String(drawn[i]->name), drawn[i]->fraction == 0.5 ? theme.text : theme.muted);
    }
}

void TimelinePainter::paintEvents()
{
    const Theme& theme = Theme::current();
    for (const ReplyEvent& event : m_reply.series.events) {
        const double x = std::round(m_canvas.xToPixel(event.timeMs)) + 0.5;
        if (!(x >= m_area.left() - 1 && x <= m_area.right() + 1)) {
            continue;
        }
        const double width = QFontMetricsF(labelFont()).horizontalAdvance(event.text);
        QRectF rect(x - width / 2, m_area.top() + lineHeight(), width, lineHeight());
        const bool placed = m_labels.place(rect, kRows - 1);
        if (placed) {
            drawLabel(rect, event.text, theme.textColor(Meaning::Limit));
        }
        const double top = placed ? rect.bottom() : m_area.top() + stripHeight();
        const double mark = Fonts::px(3);
        m_painter.setPen(QPen(theme.edge(Meaning::Limit), 1, Qt::DotLine));
        m_painter.drawLine(QPointF(x, top), QPointF(x, m_area.bottom()));
        m_painter.setRenderHint(QPainter::Antialiasing);
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(theme.edge(Meaning::Limit));
        m_painter.drawPolygon(QPolygonF{QPointF(x - mark, top), QPointF(x + mark, top), QPointF(x, top + 1.6 * mark)});
        m_painter.setRenderHint(QPainter::Antialiasing, false);
    }
}

void TimelinePainter::paintCursor(int token, bool hasKeyboard)
{
    const Theme& theme = Theme::current();
    const TokenPoint& point = m_reply.series.tokens[token];
    const double right = m_canvas.xToPixel(point.timeMs);
    m_painter.save();
    m_painter.setClipRect(m_area);
    if (token == 0) {
        m_painter.setPen(QPen(theme.accent, 2));
        m_painter.drawLine(QPointF(right, m_area.top()), QPointF(right, m_area.bottom()));
    } else {
        const double left = std::min(m_canvas.xToPixel(point.timeMs - point.gapMs), right - 2);
        const double top = m_canvas.yToPixel(std::min(point.gapMs, m_view.tallestMs));
        m_painter.setPen(QPen(theme.text, hasKeyboard ? 2 : 1));
        m_painter.setBrush(theme.accent);
        m_painter.drawRect(QRectF(left, top, right - left, m_area.bottom() - top));
    }
    m_painter.restore();
}

void TimelinePainter::paintLesson(QPainter& painter, const QRectF& area)
{
    const Theme& theme = Theme::current();
    const double line = lineHeight();
    const QRectF plot = area.adjusted(0, 0, 0, -2.6 * line);
    if (plot.height() > 4 * line) {
        const double base = plot.bottom();
        const double queue = 0.06 * plot.width();
        const double prefill = 0.22 * plot.width();
        painter.fillRect(
            QRectF(plot.left(), plot.top(), queue, plot.height()), translucent(theme.color(Meaning::Other), 0.12F));
        painter.fillRect(QRectF(plot.left() + queue, plot.top(), prefill, plot.height()),
            translucent(theme.color(Meaning::Prefill), 0.14F));
        static constexpr double kHeights[]{
            0.42, 0.38, 0.44, 0.4, 0.41, 0.62, 0.4, 0.39, 0.43, 0.4, 0.42, 0.38, 0.41, 0.43};
        const double first = plot.left() + queue + prefill;
        const double width = (plot.right() - first) / static_cast<double>(std::size(kHeights));
        for (size_t i = 0; i < std::size(kHeights); ++i) {
            const double height = kHeights[i] * plot.height();
            painter.fillRect(QRectF(first + static_cast<double>(i) * width, base - height, width - 2, height),
                translucent(theme.color(Meaning::Decode), 0.18F));
        }
        painter.setPen(QPen(theme.muted, 1, Qt::DashLine));
        painter.drawLine(QPointF(first, plot.top()), QPointF(first, base));
        painter.setFont(labelFont());
        const QRectF top(plot.left() + queue + 4, plot.top(), prefill - 6, line);
        painter.drawText(top, Qt::AlignLeft | Qt::TextSingleLine,
            QFontMetricsF(labelFont()).elidedText(tr("prefill"), Qt::ElideRight, top.width()));
        const QRectF beside(first + 5, plot.top(), plot.right() - first - 5, line);
        painter.drawText(beside, Qt::AlignLeft | Qt::TextSingleLine,
            QFontMetricsF(labelFont())
                .elidedText(tr("first token, then one bar each"), Qt::ElideRight, beside.width()));
        paintTeaching(painter, QRectF(area.left(), base, area.width(), area.bottom() - base),
            tr("Send a question to see prefill as a band and each token as a bar."));
        return;
    }
    paintTeaching(painter, area, tr("Send a question to see prefill as a band and each token as a bar."));
}

} // namespace kvasir
