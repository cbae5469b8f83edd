#include "chat/contextgauge.h"

#include "base/fonts.h"
#include "base/numberformat.h"
#include "base/theme.h"

#include <QEvent>
#include <QPainter>

#include <algorithm>

namespace kvasir {

namespace {

constexpr double kNearlyFull = 0.9;

} // namespace

ContextGauge::ContextGauge(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    describe();
}

void ContextGauge::setValues(int used, int total)
{
    if (used == m_used && total == m_total)
        return;
    m_used = used;
    m_total = total;
    describe();
    update();
}

QString ContextGauge::label() const
{
    const QString text = tr("context %1 of %2").arg(NumberFormat::count(m_used), NumberFormat::count(m_total));
    const bool isFull = m_total > 0 && m_used >= m_total;
    if (isFull)
        return text + QStringLiteral("  ·  ") + tr("full");
    return m_used >= kNearlyFull * m_total ? text + QStringLiteral("  ·  ") + tr("nearly full") : text;
}

void ContextGauge::describe()
{
    setAccessibleName(label());
    setToolTip(QStringLiteral("<p>%1</p>")
                   .arg(tr("The context is what the model can see at once: system prompt, messages and the reply, "
                           "counted in tokens.")));
}

QSize ContextGauge::sizeHint() const
{
    const QFontMetrics metrics(Fonts::font(Fonts::Role::PlotLabel));
    return {Fonts::px(120), metrics.height() + Fonts::px(4) + Fonts::px(5)};
}

void ContextGauge::paintEvent(QPaintEvent*)
{
    const Theme& theme = Theme::current();
    const bool isNearlyFull = m_used >= kNearlyFull * m_total;
    const qreal thick = Fonts::px(5);
    QPainter painter(this);
    painter.setFont(Fonts::font(Fonts::Role::PlotLabel));
    painter.setPen(isNearlyFull ? theme.textColor(Meaning::Limit) : theme.muted);
    painter.drawText(
        QRectF(0, 0, width(), height() - thick - Fonts::px(2)), Qt::AlignRight | Qt::AlignVCenter, label());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    const QRectF bar(0, height() - thick, width(), thick);
    painter.setBrush(theme.hairline);
    painter.drawRoundedRect(bar, thick / 2, thick / 2);
    if (m_total <= 0 || m_used <= 0)
        return;
    const qreal filled = std::clamp(bar.width() * m_used / m_total, thick, bar.width());
    painter.setBrush(isNearlyFull ? theme.color(Meaning::Limit) : theme.color(Meaning::Kv));
    painter.drawRoundedRect(QRectF(bar.topLeft(), QSizeF(filled, thick)), thick / 2, thick / 2);
}

void ContextGauge::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange)
        describe();
    if (event->type() == QEvent::LanguageChange || Theme::isThemeChange(event)) {
        updateGeometry();
        update();
    }
    QWidget::changeEvent(event);
}

} // namespace kvasir
