#include "plots/timelinepainter.h"

#include "base/fonts.h"
#include "base/numberformat.h"
#include "base/theme.h"
#include "plots/plotcanvas.h"
#include "plots/plotmarks.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace kvasir {

using Marks::Dash;

namespace {

constexpr int kRows = 3; // of labels in the strip

} // namespace

TimelinePainter::TimelinePainter(QPainter& painter, const PlotCanvas& canvas, const TimelineView& view)
    : m_painter(painter)
    , m_canvas(canvas)
    , m_view(view)
    , m_reply(*view.reply)
    , m_type(PlotType::current())
    , m_area(canvas.plotRect())
    , m_labels(m_area)
{
}

double TimelinePainter::stripHeight()
{
    return kRows * PlotType::current().line + 2;
}

int TimelinePainter::rightSpace()
{
    return static_cast<int>(PlotType::current().width(QStringLiteral("p50"))) + Fonts::px(7);
}

void TimelinePainter::paint()
{
    paintUnit();
    m_painter.save();
    m_painter.setClipRect(m_area);
    paintPrefillFoot();
    paintBars();
    paintQueueLabel();
    paintPrefillLabels();
    paintFirstToken();
    paintEvents();
    paintCuts();
    paintFailure();
    m_painter.restore();
    paintPercentiles();
}

bool TimelinePainter::placeLabel(QRectF& rect, const QString& text, int rows, const QColor& color, bool bold)
{
    rect.setSize({m_type.width(text, bold), m_type.line});
    if (!m_labels.place(rect, rows)) {
        return false;
    }
    drawLabel(rect, text, color, bold);
    return true;
}

void TimelinePainter::drawLabel(const QRectF& rect, const QString& text, const QColor& color, bool bold)
{
    m_painter.setPen(color);
    m_type.draw(m_painter, rect.topLeft(), text, bold);
}

void TimelinePainter::paintUnit()
{
    const QString unit = tr("ms");
    const double left = std::max(m_area.left() - 4 - m_type.width(unit), 0.0);
    drawLabel({left, m_area.top() - 1.5 * m_type.line, 0, m_type.line}, unit, Theme::current().muted);
}

QRectF TimelinePainter::queueBand() const
{
    const double left = m_canvas.xToPixel(0);
    return QRectF(left, m_area.top(), m_canvas.xToPixel(m_reply.queueEndMs()) - left, m_area.height())
        .intersected(m_area);
}

QRectF TimelinePainter::prefillBand() const
{
    const std::optional<double> end = m_reply.prefillEndMs();
    if (!end) {
        return {};
    }
    const double left = m_canvas.xToPixel(m_reply.queueEndMs());
    return QRectF(left, m_area.top(), std::max(m_canvas.xToPixel(*end) - left, 1.0), m_area.height())
        .intersected(m_area);
}

/// When prefill will end at its pace so far; unset where it is over or has hardly begun.
std::optional<double> TimelinePainter::expectedPrefillEnd() const
{
    const ReplyProgress& p = m_reply.series.progress;
    const int fresh = p.promptTokens - p.cachedTokens;
    const double share = fresh > 0 ? std::clamp(static_cast<double>(p.prefillDone) / fresh, 0.0, 1.0) : 0;
    if (p.state != ReplyState::Prefill || share < 0.02) {
        return std::nullopt;
    }
    return m_reply.queueEndMs() + (m_reply.prefillEndMs().value_or(0) - m_reply.queueEndMs()) / share;
}

void TimelinePainter::paintBands()
{
    const Theme& theme = Theme::current();
    m_painter.fillRect(queueBand(), Marks::mixed(theme.color(Meaning::Other), 0.28, theme.panel));
    m_painter.fillRect(prefillBand(), Marks::mixed(theme.color(Meaning::Prefill), 0.3, theme.panel));
}

void TimelinePainter::paintQueueLabel()
{
    const QRectF band = queueBand();
    const QString text = tr("queue");
    QRectF rect(band.left() + 4, band.top(), 0, 0);
    if (m_type.width(text) + 8 <= band.width()) {
        placeLabel(rect, text, 1, Theme::current().text);
    }
}

// The strip at the foot of the band fills as tokens are done; a dotted line shows where it will end at this pace.
void TimelinePainter::paintPrefillFoot()
{
    const QRectF band = prefillBand();
    if (band.isEmpty()) {
        return;
    }
    const Theme& theme = Theme::current();
    double done = band.right();
    if (m_reply.series.progress.state == ReplyState::Prefill) {
        const std::optional<double> expected = expectedPrefillEnd();
        done = expected ? band.right() : band.left();
        if (expected) {
            const double edge = m_canvas.xToPixel(*expected);
            const double foot = m_area.bottom() - Fonts::px(4);
            m_painter.fillRect(QRectF(band.left(), foot, edge - band.left(), Fonts::px(4)),
                Marks::mixed(theme.color(Meaning::Prefill), 0.3, theme.panel));
            Marks::vertical(m_painter, edge, m_area.top(), foot, theme.edge(Meaning::Prefill), Dash::Dotted);
        }
    }
    const QRectF foot(band.left(), m_area.bottom() - Fonts::px(4), done - band.left(), Fonts::px(4));
    m_painter.fillRect(foot, theme.color(Meaning::Prefill));
}

// Inside the band where they fit; else at its right, in the strip that bars keep free, in one line or two.
void TimelinePainter::paintPrefillLabels()
{
    const QRectF band = prefillBand();
    if (band.isEmpty()) {
        return;
    }
    const Theme& theme = Theme::current();
    const QStringList lines = TimelineText::prefillLabels(m_reply);
    const bool running = m_reply.series.progress.state == ReplyState::Prefill;
    const QColor color = theme.textColor(Meaning::Prefill);
    double widest = 0;
    for (int i = 0; i < lines.size(); ++i) {
        widest = std::max(widest, m_type.width(lines[i], i == 0));
    }
    QRectF rect(band.left() + 4, band.top(), 0, 0);
    if (widest + 8 <= band.width()) {
        for (int i = 0; i < lines.size(); ++i) {
            placeLabel(rect, lines[i], kRows, theme.text, i == 0);
            rect.moveTop(rect.bottom());
        }
        return;
    }
    // While it runs they start in the band, which will grow beneath them; the first row is for "first token".
    const bool hasFirst = m_reply.series.progress.ttftMs.has_value();
    rect.moveTopLeft({(running ? band.left() : band.right()) + 5, m_area.top() + (hasFirst ? m_type.line : 0)});
    const QString rest = lines.mid(1).join(QStringLiteral(", "));
    const double nameWidth = m_type.width(lines[0], true);
    QRectF both(rect.left(), rect.top(), nameWidth + 6 + m_type.width(rest), m_type.line);
    const auto backed = [&](const QRectF& at) {
        if (running) { // the line of the expected end may pass behind
            m_painter.fillRect(at.adjusted(-2, 0, 2, 0), theme.panel);
        }
    };
    if (m_labels.place(both, kRows)) {
        backed(both);
        drawLabel(both, lines[0], color, true);
        drawLabel(both.adjusted(nameWidth + 6, 0, 0, 0), rest, theme.muted);
        return;
    }
    if (placeLabel(rect, lines[0], kRows, color, true)) {
        rect.moveTop(rect.bottom());
        placeLabel(rect, rest, 1, theme.muted);
    }
}

void TimelinePainter::paintBars()
{
    const Theme& theme = Theme::current();
    const QColor color = Marks::mixed(theme.color(Meaning::Decode), 0.88, theme.panel);
    const double bottom = m_area.bottom();
    for (const TokenBar& bar : m_view.bars) {
        double left = Marks::snapped(m_painter, m_canvas.xToPixel(bar.leftMs));
        const double right = Marks::snapped(m_painter, m_canvas.xToPixel(bar.rightMs));
        if (right - left >= 3) {
            left += 1; // a gap to the bar before
        } else if (right - left < 1) {
            left = right - 1;
        }
        const double top = m_canvas.yToPixel(std::min(bar.gapMs, m_view.tallestMs));
        m_painter.fillRect(QRectF(left, top, right - left, bottom - top), color);
    }
}

// Bars above the axis are cut: a gap in the bar below its top, and the value of the tallest above it where there is
// room.
void TimelinePainter::paintCuts()
{
    const Theme& theme = Theme::current();
    QVector<TokenBar> cut;
    std::copy_if(m_view.bars.begin(), m_view.bars.end(), std::back_inserter(cut),
        [this](const TokenBar& bar) { return bar.gapMs > m_view.tallestMs; });
    std::sort(cut.begin(), cut.end(), [](const TokenBar& a, const TokenBar& b) { return a.gapMs > b.gapMs; });
    const double top = m_canvas.yToPixel(m_view.tallestMs);
    const double firstToken = m_canvas.xToPixel(m_reply.series.progress.ttftMs.value_or(0)) + 3;
    for (const TokenBar& bar : cut) {
        const double right = m_canvas.xToPixel(bar.rightMs);
        const double left = std::min(m_canvas.xToPixel(bar.leftMs), right - 1);
        m_painter.fillRect(QRectF(left - 1, top + Fonts::px(5), right - left + 2, Fonts::px(2)), theme.panel);
        m_painter.fillRect(QRectF(left, top, right - left, Fonts::px(2)), theme.edge(Meaning::Limit));
        const QString text = NumberFormat::milliseconds(bar.gapMs);
        const double width = m_type.width(text);
        const double middle = std::max((left + right - width) / 2, firstToken); // the line stays free
        QRectF rect(std::min(middle, m_area.right() - width), m_area.top() + (kRows - 1) * m_type.line, 0, 0);
        placeLabel(rect, text, 1, theme.textColor(Meaning::Limit));
    }
}

void TimelinePainter::paintFirstToken()
{
    const std::optional<double> ttft = m_reply.series.progress.ttftMs;
    if (!ttft || !std::isfinite(*ttft)) {
        return;
    }
    const Theme& theme = Theme::current();
    const double x = m_canvas.xToPixel(*ttft);
    if (x < m_area.left() - 1 || x > m_area.right() + 1) {
        return;
    }
    Marks::vertical(m_painter, x, m_area.top(), m_area.bottom(), theme.text);
    const QString text = tr("first token");
    QRectF rect(x + 5, m_area.top(), 0, 0);
    const double width = m_type.width(text);
    if (rect.left() + width > m_area.right()) {
        rect.moveLeft(x - 5 - width);
    }
    placeLabel(rect, text, kRows, theme.text);
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
        Dash dash;
    };
    static constexpr Line kLines[]{
        {"p99", 0.99, Dash::Dotted}, {"p90", 0.9, Dash::DashDotted}, {"p50", 0.5, Dash::Dashed}};
    const Theme& theme = Theme::current();
    const double start = std::max(m_canvas.xToPixel(m_reply.series.tokens.constFirst().timeMs), m_area.left());
    const double top = m_canvas.yToPixel(m_view.tallestMs);
    QVector<double> heights;
    QVector<const Line*> drawn;
    for (const Line& line : kLines) {
        const double y = m_canvas.yToPixel(*gaps.quantile(line.fraction));
        if (y < top - 1) {
            continue; // above the axis: the answer names its value
        }
        Marks::horizontal(
            m_painter, start, m_area.right(), y, line.fraction == 0.5 ? theme.text : theme.muted, line.dash);
        heights.append(y);
        drawn.append(&line);
    }
    const QVector<double> centres =
        spreadLabels(heights, m_type.line - 2, m_area.top(), m_area.bottom() + m_type.line / 2);
    for (int i = 0; i < drawn.size(); ++i) {
        const QRectF rect(m_area.right() + Fonts::px(4), centres[i] - m_type.line / 2, rightSpace(), m_type.line);
        drawLabel(rect, QLatin1String(drawn[i]->name), drawn[i]->fraction == 0.5 ? theme.text : theme.muted);
    }
}

// How a reply ended early is an event like the others.
void TimelinePainter::paintEvents()
{
    for (const ReplyEvent& event : m_reply.series.events) {
        paintEvent(event);
    }
    const ReplyState state = m_reply.series.progress.state;
    if (state == ReplyState::Stopped) {
        paintEvent({m_reply.endMs(), tr("stopped")});
    } else if (state == ReplyState::Failed && !m_reply.series.tokens.isEmpty()) {
        paintEvent({m_reply.endMs(), tr("failed")});
    }
}

void TimelinePainter::paintEvent(const ReplyEvent& event)
{
    const Theme& theme = Theme::current();
    const double mark = Fonts::px(3);
    const double x = m_canvas.xToPixel(event.timeMs);
    if (!(x >= m_area.left() - 1 && x <= m_area.right() + 1)) {
        return;
    }
    const double width = m_type.width(event.text);
    QRectF rect(x - width / 2, m_area.top() + m_type.line, 0, 0);
    const bool placed = placeLabel(rect, event.text, kRows - 1, theme.textColor(Meaning::Limit));
    const double top = placed ? rect.bottom() : m_area.top() + stripHeight();
    Marks::vertical(m_painter, x, top, m_area.bottom(), theme.edge(Meaning::Limit), Dash::Dotted);
    m_painter.setRenderHint(QPainter::Antialiasing);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(theme.edge(Meaning::Limit));
    m_painter.drawPolygon(QPolygonF{QPointF(x - mark, top), QPointF(x + mark, top), QPointF(x, top + 1.6 * mark)});
    m_painter.setRenderHint(QPainter::Antialiasing, false);
}

// Where no token came there is room to say why.
void TimelinePainter::paintFailure()
{
    const ReplyProgress& p = m_reply.series.progress;
    if (p.state == ReplyState::Failed && m_reply.series.tokens.isEmpty()) {
        m_painter.setFont(m_type.label);
        m_painter.setPen(Theme::current().textColor(Meaning::Limit));
        m_painter.drawText(m_area.adjusted(8, 0, -8, 0), Qt::AlignCenter | Qt::TextWordWrap,
            tr("The reply failed: %1").arg(p.failure));
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
        Marks::vertical(m_painter, right, m_area.top(), m_area.bottom(), theme.accent, Dash::Solid, 2);
    } else {
        const double left = std::min(m_canvas.xToPixel(point.timeMs - point.gapMs), right - 2);
        const double top = m_canvas.yToPixel(std::min(point.gapMs, m_view.tallestMs));
        m_painter.setPen(QPen(theme.text, hasKeyboard ? 2 : 1));
        m_painter.setBrush(theme.accent);
        m_painter.drawRect(QRectF(left, top, right - left, m_area.bottom() - top));
    }
    m_painter.restore();
}

// The plot to come, in pale colours, with its parts named.
void TimelinePainter::paintLesson(QPainter& painter, const QRectF& area)
{
    const Theme& theme = Theme::current();
    PlotType& type = PlotType::current();
    const QString lesson = tr("Send a question to see prefill as a band and each token as a bar.");
    const QRectF plot = area.adjusted(0, 0, 0, -2.6 * type.line);
    if (plot.height() <= 4 * type.line) {
        paintTeaching(painter, area, lesson);
        return;
    }
    const auto pale = [&](Meaning meaning) { return Marks::mixed(theme.color(meaning), 0.18, theme.panel); };
    const double queue = 0.06 * plot.width();
    const double first = plot.left() + 0.28 * plot.width();
    painter.fillRect(QRectF(plot.left(), plot.top(), queue, plot.height()), pale(Meaning::Other));
    painter.fillRect(
        QRectF(plot.left() + queue, plot.top(), first - plot.left() - queue, plot.height()), pale(Meaning::Prefill));
    static constexpr double kHeights[]{42, 38, 44, 40, 41, 62, 40, 39, 43, 40, 42, 38, 41, 43};
    const double width = (plot.right() - first) / static_cast<double>(std::size(kHeights));
    for (size_t i = 0; i < std::size(kHeights); ++i) {
        const double height = kHeights[i] / 100 * plot.height();
        painter.fillRect(QRectF(first + static_cast<double>(i) * width, plot.bottom() - height, width - 2, height),
            pale(Meaning::Decode));
    }
    Marks::vertical(painter, first, plot.top(), plot.bottom(), theme.muted, Dash::Dashed);
    const auto label = [&](double left, double right, const QString& text) {
        type.draw(painter, QPointF(left, plot.top()), type.elided(text, right - left));
    };
    painter.setPen(theme.muted);
    label(plot.left() + queue + 4, first - 2, tr("prefill"));
    label(first + 5, plot.right(), tr("first token, then one bar each"));
    paintTeaching(painter, QRectF(area.left(), plot.bottom(), area.width(), area.bottom() - plot.bottom()), lesson);
}

} // namespace kvasir
