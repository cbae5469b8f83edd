#include "chat/emptystate.h"

#include "base/fonts.h"
#include "base/theme.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace kvasir {

namespace {

// A push button does not wrap its text; examples may be long in any language.
class ExampleButton : public QPushButton {
public:
    ExampleButton(const QString& text, QWidget* parent)
        : QPushButton(parent)
        , m_label(new QLabel(text, this))
    {
        m_label->setWordWrap(true);
        m_label->setAttribute(Qt::WA_TransparentForMouseEvents);
        auto* box = new QVBoxLayout(this);
        box->setContentsMargins(Fonts::px(16), Fonts::px(10), Fonts::px(16), Fonts::px(10));
        box->addWidget(m_label);
        setAccessibleName(text);
        setCursor(Qt::PointingHandCursor);
        QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
        policy.setHeightForWidth(true);
        setSizePolicy(policy);
    }

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return layout()->heightForWidth(width); }
    QSize sizeHint() const override { return layout()->sizeHint(); }
    QSize minimumSizeHint() const override { return {0, layout()->minimumSize().height()}; }

private:
    QLabel* m_label;
};

} // namespace

EmptyState::EmptyState(QWidget* parent)
    : QWidget(parent)
    , m_title(new QLabel(this))
    , m_text(new QLabel(this))
    , m_column(new QWidget(this))
{
    m_title->setWordWrap(true);
    m_text->setWordWrap(true);
    m_title->setTextFormat(Qt::PlainText);
    m_text->setTextFormat(Qt::PlainText);
    auto* column = new QVBoxLayout(m_column);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Fonts::px(8));
    column->addWidget(m_title);
    column->addWidget(m_text);
    column->addSpacing(Fonts::px(8));
    m_examples = new QVBoxLayout;
    m_examples->setSpacing(Fonts::px(8));
    column->addLayout(m_examples);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(Fonts::px(24), Fonts::px(24), Fonts::px(24), Fonts::px(24));
    grid->addWidget(m_column, 1, 1);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 100);
    grid->setColumnStretch(2, 1);
    grid->setRowStretch(0, 2);
    grid->setRowStretch(2, 3);
    restyle();
}

void EmptyState::setContent(const QString& title, const QString& text, const QStringList& examples)
{
    m_title->setText(title);
    m_text->setText(text);
    m_text->setVisible(!text.isEmpty());
    while (QLayoutItem* item = m_examples->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const QString& example : examples) {
        auto* button = new ExampleButton(example, m_column);
        connect(button, &QPushButton::clicked, this, [this, example] { emit examplePicked(example); });
        m_examples->addWidget(button);
    }
}

void EmptyState::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        restyle();
    QWidget::changeEvent(event);
}

void EmptyState::restyle()
{
    const Theme& theme = Theme::current();
    m_column->setMaximumWidth(Fonts::px(560));
    QFont title = Fonts::font(Fonts::Role::Chat);
    title.setPixelSize(Fonts::px(22));
    title.setWeight(QFont::DemiBold);
    m_title->setFont(title);
    m_text->setFont(Fonts::font(Fonts::Role::Chat));
    const QString sheet =
        QStringLiteral("QLabel { color: %1; background: transparent; } "
                       "QPushButton { text-align: left; border: 1px solid %2; border-radius: 6px; background: %3; } "
                       "QPushButton:hover { background: %4; } QPushButton:focus { border: 2px solid %5; }")
            .arg(theme.text.name(), theme.hairline.name(), theme.field.name(), theme.hover.name(), theme.accent.name());
    if (sheet != styleSheet()) // setting one sends another PaletteChange
        setStyleSheet(sheet);
}

} // namespace kvasir
