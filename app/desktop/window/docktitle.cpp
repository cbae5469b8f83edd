#include "window/docktitle.h"

#include "base/fonts.h"
#include "base/theme.h"

#include <QDockWidget>
#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QToolButton>

namespace kvasir {

namespace {

constexpr int kHeight = 20;

} // namespace

DockTitle::DockTitle(QDockWidget* dock)
    : QWidget(dock)
    , m_dock(dock)
    , m_float(new QToolButton(this))
    , m_close(new QToolButton(this))
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 4, 0);
    layout->setSpacing(0);
    layout->addStretch(1);
    m_float->setText(QStringLiteral("⧉"));
    m_close->setText(QStringLiteral("×"));
    for (QToolButton* button : {m_float, m_close}) {
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::TabFocus);
        layout->addWidget(button);
    }
    connect(m_float, &QToolButton::clicked, dock, [dock] { dock->setFloating(!dock->isFloating()); });
    connect(m_close, &QToolButton::clicked, dock, &QDockWidget::close);
    connect(dock, &QDockWidget::windowTitleChanged, this, &DockTitle::retranslate);
    connect(dock, &QDockWidget::topLevelChanged, this, &DockTitle::retranslate);
    retranslate();
}

QSize DockTitle::sizeHint() const
{
    return {Fonts::px(120), Fonts::px(kHeight)};
}

void DockTitle::retranslate()
{
    const int side = Fonts::px(kHeight) - 2;
    for (QToolButton* button : {m_float, m_close}) {
        button->setFixedSize(side, side);
        button->setFont(Fonts::font(Fonts::Role::Small));
    }
    m_float->setToolTip(m_dock->isFloating() ? tr("Put back into the window") : tr("Make a window of its own"));
    m_close->setToolTip(tr("Hide; the View menu brings it back"));
    m_float->setAccessibleName(QStringLiteral("%1: %2").arg(m_dock->windowTitle(), m_float->toolTip()));
    m_close->setAccessibleName(QStringLiteral("%1: %2").arg(m_dock->windowTitle(), m_close->toolTip()));
    updateGeometry();
    update();
}

void DockTitle::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::FontChange) {
        retranslate();
    }
    QWidget::changeEvent(event);
}

void DockTitle::paintEvent(QPaintEvent*)
{
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.fillRect(rect(), theme.panel);
    painter.fillRect(0, 0, width(), 1, theme.hairline);
    painter.setFont(Fonts::font(Fonts::Role::Small));
    painter.setPen(theme.muted);
    painter.drawText(rect().adjusted(Fonts::px(16), 1, -2 * Fonts::px(kHeight), 0), Qt::AlignVCenter | Qt::AlignLeft,
        m_dock->windowTitle());
}

} // namespace kvasir
