#include "window/noticebar.h"

#include "base/fonts.h"
#include "base/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

namespace kvasir {

NoticeBar::NoticeBar(QWidget* parent)
    : QFrame(parent)
    , m_label(new QLabel(this))
    , m_layout(new QHBoxLayout(this))
    , m_close(new QToolButton(this))
{
    m_label->setWordWrap(true);
    m_label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_label->setTextFormat(Qt::PlainText);
    m_close->setText(QStringLiteral("×"));
    m_close->setAutoRaise(true);
    m_layout->setContentsMargins(16, 8, 8, 8);
    m_layout->setSpacing(8);
    m_layout->addWidget(m_label, 1);
    m_layout->addWidget(m_close, 0, Qt::AlignTop);
    connect(m_close, &QToolButton::clicked, this, &NoticeBar::dismiss);
    hide();
}

void NoticeBar::showNotice(Kind kind, std::function<QString()> text, const QList<Button>& buttons)
{
    m_kind = kind;
    m_text = std::move(text);
    m_actions = buttons;
    qDeleteAll(m_buttons);
    m_buttons.clear();
    for (const Button& button : buttons) {
        auto* widget = new QPushButton(this);
        m_buttons << widget;
        m_layout->insertWidget(m_layout->count() - 1, widget);
        // Queued: the button may replace this notice, and with it itself.
        connect(widget, &QPushButton::clicked, this, button.act, Qt::QueuedConnection);
    }
    retranslate();
    show();
    update();
}

void NoticeBar::dismiss()
{
    if (!isHidden()) {
        hide();
        emit dismissed();
    }
}

QString NoticeBar::text() const
{
    return isHidden() ? QString() : m_label->text();
}

void NoticeBar::retranslate()
{
    if (m_text) {
        m_label->setText(m_text());
        setAccessibleName(m_label->text());
    }
    for (qsizetype i = 0; i < m_buttons.size(); ++i) {
        m_buttons.at(i)->setText(m_actions.at(i).text());
    }
    m_close->setToolTip(tr("Close this notice"));
    m_close->setAccessibleName(m_close->toolTip());
}

void NoticeBar::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
    }
    QFrame::changeEvent(event);
}

void NoticeBar::paintEvent(QPaintEvent*)
{
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.fillRect(rect(), m_kind == Kind::Warning ? theme.panel : theme.userTint);
    painter.fillRect(
        0, 0, Fonts::px(4), height(), m_kind == Kind::Warning ? theme.color(Meaning::Limit) : theme.accent);
    painter.fillRect(0, height() - 1, width(), 1, theme.hairline);
}

} // namespace kvasir
