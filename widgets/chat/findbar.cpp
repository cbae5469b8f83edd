#include "chat/findbar.h"

#include "base/fonts.h"
#include "base/numberformat.h"
#include "base/theme.h"
#include "chat/chatview.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPaintEvent>
#include <QPainter>
#include <QToolButton>

namespace kvasir {

FindBar::FindBar(ChatView* view, QWidget* parent)
    : QWidget(parent)
    , m_view(view)
    , m_field(new QLineEdit(this))
    , m_count(new QLabel(this))
    , m_previous(new QToolButton(this))
    , m_next(new QToolButton(this))
    , m_close(new QToolButton(this))
{
    auto* row = new QHBoxLayout(this);
    row->addWidget(m_field, 1);
    row->addWidget(m_count);
    row->addWidget(m_previous);
    row->addWidget(m_next);
    row->addWidget(m_close);
    m_previous->setArrowType(Qt::UpArrow);
    m_next->setArrowType(Qt::DownArrow);
    m_close->setText(QStringLiteral("✕"));
    m_field->setClearButtonEnabled(true);
    for (QToolButton* button : {m_previous, m_next, m_close})
        button->setAutoRaise(true);
    setFocusProxy(m_field);
    connect(m_field, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_view->find(text);
        showCount();
    });
    connect(m_previous, &QToolButton::clicked, this, [this] { step(true); });
    connect(m_next, &QToolButton::clicked, this, [this] { step(false); });
    connect(m_close, &QToolButton::clicked, this, &FindBar::close);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    retranslate();
    restyle();
    hide();
}

void FindBar::open()
{
    show();
    m_field->setFocus(Qt::ShortcutFocusReason);
    m_field->selectAll();
    m_view->find(m_field->text());
    showCount();
}

void FindBar::close()
{
    hide();
    m_view->clearFind();
    m_view->setFocus(Qt::OtherFocusReason);
}

void FindBar::step(bool backwards)
{
    m_view->findNext(backwards);
    showCount();
}

void FindBar::showCount()
{
    const bool hasHits = m_view->findCount() > 0;
    m_previous->setEnabled(hasHits);
    m_next->setEnabled(hasHits);
    if (m_field->text().isEmpty())
        m_count->clear();
    else if (!hasHits)
        m_count->setText(tr("not found"));
    else
        m_count->setText(
            tr("%1 of %2")
                .arg(NumberFormat::count(m_view->findCurrent() + 1), NumberFormat::count(m_view->findCount())));
}

void FindBar::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Escape:
        close();
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        step(event->modifiers() & Qt::ShiftModifier);
        break;
    default:
        QWidget::keyPressEvent(event);
    }
}

void FindBar::paintEvent(QPaintEvent* event)
{
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.fillRect(event->rect(), theme.panel);
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme.hairline);
}

void FindBar::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    else if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        restyle();
    QWidget::changeEvent(event);
}

void FindBar::retranslate()
{
    m_field->setPlaceholderText(tr("Find in this conversation"));
    m_field->setAccessibleName(tr("Find in this conversation"));
    m_previous->setToolTip(tr("Previous hit (Shift+Enter)"));
    m_next->setToolTip(tr("Next hit (Enter)"));
    m_close->setToolTip(tr("Close (Esc)"));
    for (QToolButton* button : {m_previous, m_next, m_close})
        button->setAccessibleName(button->toolTip());
    showCount();
}

void FindBar::restyle()
{
    layout()->setContentsMargins(Fonts::px(12), Fonts::px(6), Fonts::px(12), Fonts::px(6));
    layout()->setSpacing(Fonts::px(4));
    // Reserved, so that the arrows stand still from hit to hit.
    m_count->setMinimumWidth(Fonts::reservedWidth(m_count->font(), tr("%1 of %2").arg("000", "000")));
    m_count->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
}

} // namespace kvasir
