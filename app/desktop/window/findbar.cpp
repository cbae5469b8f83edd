#include "window/findbar.h"

#include "base/fonts.h"
#include "base/numberformat.h"
#include "chat/chatview.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
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
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 4, 8, 4);
    layout->setSpacing(4);
    layout->addWidget(m_field, 1);
    layout->addWidget(m_count);
    layout->addWidget(m_previous);
    layout->addWidget(m_next);
    layout->addWidget(m_close);
    m_previous->setText(QStringLiteral("↑"));
    m_next->setText(QStringLiteral("↓"));
    m_close->setText(QStringLiteral("×"));
    for (QToolButton* button : {m_previous, m_next, m_close}) {
        button->setAutoRaise(true);
    }
    m_field->setClearButtonEnabled(true);
    setFocusProxy(m_field);
    connect(m_field, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_view->find(text);
        showCount();
    });
    connect(m_next, &QToolButton::clicked, this, [this] { next(false); });
    connect(m_previous, &QToolButton::clicked, this, [this] { next(true); });
    connect(m_close, &QToolButton::clicked, this, &FindBar::close);
    retranslate();
    hide();
}

void FindBar::open()
{
    show();
    m_field->setFocus();
    m_field->selectAll();
    m_view->find(m_field->text());
    showCount();
}

void FindBar::close()
{
    hide();
    m_view->clearFind();
    m_view->setFocus();
}

void FindBar::next(bool backwards)
{
    if (isHidden()) {
        open();
        return;
    }
    m_view->findNext(backwards);
    showCount();
}

void FindBar::showCount()
{
    const QString total = NumberFormat::count(m_view->findCount());
    m_count->setText(m_field->text().isEmpty() ? QString()
            : m_view->findCount() == 0         ? tr("no hit")
                                       : tr("%1 of %2").arg(NumberFormat::count(m_view->findCurrent() + 1), total));
    m_count->setMinimumWidth(Fonts::reservedWidth(m_count->font(), tr("%1 of %2").arg(QStringLiteral("888"), total)));
}

void FindBar::retranslate()
{
    m_field->setPlaceholderText(tr("Find in this chat"));
    m_field->setAccessibleName(m_field->placeholderText());
    m_previous->setToolTip(tr("Previous hit (Shift+F3)"));
    m_next->setToolTip(tr("Next hit (F3)"));
    m_close->setToolTip(tr("Close (Esc)"));
    for (QToolButton* button : {m_previous, m_next, m_close}) {
        button->setAccessibleName(button->toolTip());
    }
    showCount();
}

void FindBar::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
    }
    QWidget::changeEvent(event);
}

void FindBar::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        next(event->modifiers() & Qt::ShiftModifier);
    } else {
        QWidget::keyPressEvent(event);
    }
}

} // namespace kvasir
