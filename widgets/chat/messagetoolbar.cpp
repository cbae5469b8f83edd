#include "chat/messagetoolbar.h"

#include "base/fonts.h"
#include "base/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QToolButton>

namespace kvasir {

MessageToolbar::MessageToolbar(QWidget* parent)
    : QWidget(parent)
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    m_copy = addButton();
    m_edit = addButton();
    m_regenerate = addButton();
    connect(m_copy, &QToolButton::clicked, this, &MessageToolbar::copyClicked);
    connect(m_edit, &QToolButton::clicked, this, &MessageToolbar::editClicked);
    connect(m_regenerate, &QToolButton::clicked, this, &MessageToolbar::regenerateClicked);
    retranslate();
    restyle();
    hide();
}

QToolButton* MessageToolbar::addButton()
{
    auto* button = new QToolButton(this);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::NoFocus); // the keyboard has the context menu
    button->setCursor(Qt::ArrowCursor);
    layout()->addWidget(button);
    return button;
}

void MessageToolbar::showFor(bool canEdit, bool canRegenerate)
{
    m_edit->setVisible(canEdit);
    m_regenerate->setVisible(canRegenerate);
    adjustSize();
    show();
    raise();
}

void MessageToolbar::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    else if (event->type() == QEvent::PaletteChange)
        restyle();
    QWidget::changeEvent(event);
}

void MessageToolbar::paintEvent(QPaintEvent*)
{
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme.hairline);
    painter.setBrush(theme.field);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
}

void MessageToolbar::retranslate()
{
    m_copy->setText(tr("Copy"));
    m_copy->setToolTip(tr("Copy this message"));
    m_edit->setText(tr("Edit"));
    m_edit->setToolTip(tr("Change this message and continue from here"));
    m_regenerate->setText(tr("Regenerate"));
    m_regenerate->setToolTip(tr("Write another reply; this one is kept"));
    adjustSize();
}

void MessageToolbar::restyle()
{
    const Theme& theme = Theme::current();
    const QFont font = Fonts::font(Fonts::Role::Small);
    const QString sheet =
        QStringLiteral("QToolButton { color: %1; background: transparent; border: none; border-radius: 3px; "
                       "margin: 1px; padding: %4px %5px; font-size: %6px; } "
                       "QToolButton:hover { color: %2; background: %3; }")
            .arg(theme.muted.name(), theme.text.name(), theme.hover.name())
            .arg(Fonts::px(2))
            .arg(Fonts::px(8))
            .arg(font.pixelSize());
    if (sheet != styleSheet()) // setting one sends another PaletteChange
        setStyleSheet(sheet);
    adjustSize();
}

} // namespace kvasir
