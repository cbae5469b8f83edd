#include "plots/phasepainter.h"

#include "base/fonts.h"
#include "base/numberformat.h"
#include "base/theme.h"

#include <QFontMetricsF>
#include <QLocale>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace kvasir {

namespace {

QFont smallFont(bool bold = false)
{
    QFont font = Fonts::font(Fonts::Role::PlotLabel);
    font.setWeight(bold ? QFont::DemiBold : QFont::Normal);
    return font;
}

QFont rateFont()
{
    QFont font = Fonts::font(Fonts::Role::Interface);
    font.setPixelSize(Fonts::px(22));
    font.setWeight(QFont::DemiBold);
    return font;
}

QFont nameFont()
{
    QFont font = Fonts::font(Fonts::Role::Small);
    font.setWeight(QFont::DemiBold);
    return font;
}

QFont sentenceFont()
{
    return Fonts::font(Fonts::Role::Small);
}

double lineOf(const QFont& font)
{
    return QFontMetricsF(font).height();
}

double wrappedHeight(const QFont& font, double width, const QString& text)
{
    return QFontMetricsF(font).boundingRect(QRectF(0, 0, width, 1e4), Qt::TextWordWrap, text).height();
}

// "12,345" is the widest rate shown without moving anything.
double rateWidth()
{
    return Fonts::reservedWidth(rateFont(), QStringLiteral("8,888")) + Fonts::px(4);
}

double unitWidth()
{
    return QFontMetricsF(smallFont()).horizontalAdvance(QStringLiteral("tok/s")) + 1;
}

// The arrow of a gauge beyond its limit stands between gauge and share.
double shareWidth()
{
    return Fonts::reservedWidth(nameFont(), QStringLiteral("8.8 %")) + Fonts::px(14);
}

QString shareText(std::optional<double> share)
{
    if (share && *share > 0 && *share < 0.001) {
        return QStringLiteral("<%1\u00a0%").arg(QLocale().toString(0.1));
    }
    return NumberFormat::orMissing(share, NumberFormat::percent);
}

/// The rate's font, smaller where a number is too long for its place.
QFont fittingFont(QFont font, const QString& text, double width)
{
    while (font.pixelSize() > 8 && QFontMetricsF(font).horizontalAdvance(text) > width) {
        font.setPixelSize(font.pixelSize() - 1);
    }
    return font;
}

/// What is given up where there is little height, one after the other.
enum class Detail { Full, NoCeiling, NoBound, NoCost, OneLine };

double nameWidth()
{
    const QFontMetricsF metrics(nameFont());
    return std::max(metrics.horizontalAdvance(PhasePainter::tr("Prefill")),
               metrics.horizontalAdvance(PhasePainter::tr("Decode")))
        + 1;
}

PhaseLayout::Half layoutHalf(const QRectF& area, double top, const QString& bound, Detail detail, double& bottom)
{
    PhaseLayout::Half half;
    const double left = area.left();
    const double right = area.right();
    const double gap = Fonts::px(12);
    const double rates = rateWidth() + Fonts::px(4) + unitWidth();
    const double gaugeHeight = Fonts::px(10);
    const bool beside = area.width() >= rates + gap + shareWidth() + Fonts::px(120);
    const double nameHeight = lineOf(nameFont());
    const double rateHeight = lineOf(rateFont());
    double gaugeLeft = left;
    double gaugeTop = top + rateHeight + std::max<double>(Fonts::px(2), (nameHeight - gaugeHeight) / 2);
    if (detail == Detail::OneLine && area.width() >= nameWidth() + rates + 2 * gap + shareWidth() + Fonts::px(80)) {
        half.name = QRectF(left, top, nameWidth(), rateHeight);
        half.rate = QRectF(half.name.right() + gap, top, rates, rateHeight);
        gaugeLeft = half.rate.right() + gap;
        gaugeTop = half.rate.center().y() - gaugeHeight / 2;
    } else if (beside) {
        gaugeLeft = left + rates + gap;
        gaugeTop = top + Fonts::px(6);
        half.name = QRectF(left, top, rates, nameHeight);
        half.rate = QRectF(left, half.name.bottom(), rates, rateHeight);
    } else { // name left and rate right above the gauge
        half.name = QRectF(left, top, area.width() - rates - gap, rateHeight);
        half.rate = QRectF(right - rates, top, rates, rateHeight);
    }
    half.gauge = QRectF(gaugeLeft, gaugeTop, right - shareWidth() - gaugeLeft, gaugeHeight);
    half.share = QRectF(half.gauge.right(), half.gauge.center().y() - nameHeight / 2, shareWidth(), nameHeight);
    double next = half.gauge.bottom() + Fonts::px(2);
    if (detail == Detail::Full) {
        half.ceiling = QRectF(gaugeLeft, next, half.gauge.width(), lineOf(smallFont()));
        next = half.ceiling.bottom();
    }
    if (detail == Detail::Full || detail == Detail::NoCeiling) {
        const double width = right - gaugeLeft;
        const double height = std::max(lineOf(smallFont()), wrappedHeight(smallFont(), width, bound));
        half.bound = QRectF(gaugeLeft, std::max(next, half.share.bottom()), width, height);
        next = half.bound.bottom();
    }
    bottom = std::max({half.rate.bottom(), half.share.bottom(), next});
    return half;
}

PhaseLayout layoutWith(const QRectF& area, const PhaseValues& values, Detail detail)
{
    PhaseLayout layout;
    double bottom = area.top();
    layout.prefill = layoutHalf(area, bottom, PhaseText::prefillBound(values), detail, bottom);
    layout.decode = layoutHalf(area, bottom + Fonts::px(8), PhaseText::decodeBound(values), detail, bottom);
    // Two lines are kept, so that the sentence moves nothing when it comes.
    const double sentence = std::max(lineOf(sentenceFont()) * (area.width() < Fonts::px(380) ? 2 : 1),
        wrappedHeight(sentenceFont(), area.width(), PhaseText::verdict(values)));
    layout.verdict = QRectF(area.left(), bottom + Fonts::px(8), area.width(), sentence);
    layout.height = layout.verdict.bottom() - area.top();
    if (detail < Detail::NoCost) {
        layout.cost = QRectF(area.left(), layout.verdict.bottom() + Fonts::px(4), area.width(), lineOf(smallFont()));
        layout.height = layout.cost.bottom() - area.top();
    }
    return layout;
}

} // namespace

PhaseLayout layoutPhases(const QRectF& area, const PhaseValues& values)
{
    PhaseLayout layout = layoutWith(area, values, Detail::Full);
    for (const Detail detail : {Detail::NoCeiling, Detail::NoBound, Detail::NoCost, Detail::OneLine}) {
        if (layout.height > area.height()) {
            layout = layoutWith(area, values, detail);
        }
    }
    return layout;
}

PhasePainter::PhasePainter(QPainter& painter, const PhaseLayout& layout, const PhaseValues& values)
    : m_painter(painter)
    , m_layout(layout)
    , m_values(values)
{
}

void PhasePainter::paint()
{
    const Theme& theme = Theme::current();
    m_painter.setRenderHint(QPainter::Antialiasing);
    paintHalf(m_layout.prefill, m_values.prefill,
        {tr("Prefill"), tr("MFU"), mfuOf(m_values.prefill, m_values), PhaseText::prefillBound(m_values), true},
        theme.color(Meaning::Prefill), theme.textColor(Meaning::Prefill));
    paintHalf(m_layout.decode, m_values.decode,
        {tr("Decode"), tr("MBU"), mbuOf(m_values.decode, m_values), PhaseText::decodeBound(m_values), false},
        theme.color(Meaning::Decode), theme.textColor(Meaning::Decode));
    m_painter.setFont(sentenceFont());
    m_painter.setPen(theme.text);
    m_painter.drawText(m_layout.verdict, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, PhaseText::verdict(m_values));
    m_painter.setFont(smallFont());
    m_painter.setPen(theme.muted);
    if (!m_layout.cost.isEmpty()) {
        m_painter.drawText(
            m_layout.cost, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, PhaseText::cost(m_values));
    }
}

void PhasePainter::paintHalf(const PhaseLayout::Half& half, const PhaseRate& rate, const Gauge& gauge,
    const QColor& color, const QColor& textColor)
{
    const Theme& theme = Theme::current();
    m_painter.setFont(nameFont());
    m_painter.setPen(theme.text);
    m_painter.drawText(half.name, Qt::AlignLeft | Qt::AlignVCenter, gauge.name);

    const QString number =
        NumberFormat::orMissing(rate.tokensPerSecond, [](double v) { return NumberFormat::figures(v); });
    const QFont font = fittingFont(rateFont(), number, rateWidth());
    m_painter.setFont(font);
    m_painter.setPen(rate.tokensPerSecond ? textColor : theme.muted);
    const double numberWidth = QFontMetricsF(font).horizontalAdvance(number) + 1;
    m_painter.drawText(QRectF(half.rate.left(), half.rate.top(), numberWidth, half.rate.height()),
        Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, number);
    m_painter.setFont(smallFont());
    m_painter.setPen(theme.muted);
    const double baseline = half.rate.center().y() + QFontMetricsF(font).ascent() - QFontMetricsF(font).height() / 2;
    m_painter.drawText(QPointF(half.rate.left() + numberWidth + Fonts::px(4), baseline), QStringLiteral("tok/s"));

    paintGauge(half.gauge, gauge, color);
    m_painter.setFont(nameFont());
    m_painter.setPen(gauge.share ? theme.text : theme.muted);
    m_painter.drawText(half.share, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, shareText(gauge.share));

    // Under the gauge: its name at the left, the ceiling it leads to at its right end.
    m_painter.setFont(smallFont());
    m_painter.setPen(theme.muted);
    const std::optional<double> most = ceilingTokensPerSecond(rate, m_values);
    const QString ceiling = most ? tr("ceiling %1").arg(NumberFormat::tokensPerSecond(*most)) : QString();
    const QFontMetricsF metrics(smallFont());
    const double ceilingWidth = metrics.horizontalAdvance(ceiling) + 1;
    if (!half.ceiling.isEmpty()) {
        m_painter.drawText(half.ceiling, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, ceiling);
    }
    if (half.ceiling.width() > ceilingWidth + metrics.horizontalAdvance(gauge.measure) + Fonts::px(8)) {
        m_painter.drawText(half.ceiling, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, gauge.measure);
    }
    if (!half.bound.isEmpty()) {
        m_painter.drawText(half.bound, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, gauge.bound);
    }
}

// The track ends at the measured limit, which stands as a line of its own; more than the limit is shown as an arrow.
void PhasePainter::paintGauge(const QRectF& rect, const Gauge& gauge, const QColor& color)
{
    const Theme& theme = Theme::current();
    const double radius = rect.height() / 2;
    QPainterPath track;
    track.addRoundedRect(rect, radius, radius);
    m_painter.setPen(Qt::NoPen);
    if (!gauge.share) {
        m_painter.setPen(QPen(theme.muted, 1, Qt::DotLine));
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawPath(track);
        return;
    }
    m_painter.fillPath(track, theme.hairline);
    const double share = std::clamp(*gauge.share, 0.0, 1.0);
    m_painter.save();
    m_painter.setClipPath(track);
    const QRectF filled(rect.left(), rect.top(), rect.width() * share, rect.height());
    m_painter.fillRect(filled, color);
    if (gauge.hatched) {
        QColor stripe = theme.panel;
        stripe.setAlphaF(0.35F);
        m_painter.fillRect(filled, QBrush(stripe, Qt::BDiagPattern));
    }
    m_painter.restore();
    const double end = rect.right() + 0.5;
    m_painter.setPen(QPen(theme.edge(Meaning::Limit), Fonts::px(2)));
    m_painter.drawLine(QPointF(end, rect.top() - Fonts::px(3)), QPointF(end, rect.bottom() + Fonts::px(3)));
    if (*gauge.share > 1) {
        const double middle = rect.center().y();
        const double arrow = Fonts::px(4);
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(color);
        m_painter.drawPolygon(QPolygonF{
            QPointF(end + 2, middle - arrow), QPointF(end + 2 + arrow, middle), QPointF(end + 2, middle + arrow)});
    }
}

} // namespace kvasir
