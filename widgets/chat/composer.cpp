#include "chat/composer.h"

#include "base/fonts.h"
#include "base/numberformat.h"
#include "base/theme.h"
#include "chat/composeredit.h"
#include "chat/contextgauge.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPaintEvent>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace kvasir {

namespace {

constexpr double kMaxShare = 0.4; // of the window's height

QToolButton* flatButton(QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setAutoRaise(true);
    button->setCursor(Qt::PointingHandCursor);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

} // namespace

Composer::Composer(QWidget* parent)
    : QWidget(parent)
    , m_gauge(new ContextGauge(this))
    , m_frame(new QFrame(this))
    , m_edit(new ComposerEdit(m_frame))
    , m_pasteRow(new QWidget(m_frame))
    , m_pasteLayout(new QHBoxLayout(m_pasteRow))
    , m_tokens(new QLabel(m_frame))
    , m_systemPrompt(flatButton(m_frame))
    , m_sampling(flatButton(m_frame))
    , m_button(new QPushButton(m_frame))
{
    m_frame->setObjectName(QStringLiteral("composerFrame"));
    m_systemPrompt->hide();
    m_sampling->hide();
    m_gauge->hide();
    m_pasteRow->hide();
    m_pasteLayout->setContentsMargins(0, 0, 0, 0);
    m_button->setCursor(Qt::PointingHandCursor);
    setFocusProxy(m_edit);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);

    auto* row = new QHBoxLayout;
    row->addWidget(m_tokens);
    row->addWidget(m_systemPrompt);
    row->addWidget(m_sampling);
    row->addStretch(1);
    row->addWidget(m_button);
    auto* inside = new QVBoxLayout(m_frame);
    inside->addWidget(m_edit);
    inside->addWidget(m_pasteRow);
    inside->addLayout(row);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_gauge);
    column->addWidget(m_frame);

    connect(m_edit, &ComposerEdit::enterPressed, this, [this] {
        if (!m_isBusy)
            act();
    });
    connect(m_edit, &ComposerEdit::longTextPasted, this, &Composer::addPaste);
    connect(m_edit, &QPlainTextEdit::textChanged, this, [this] {
        updateButton();
        fitHeight();
        emit textEdited();
    });
    connect(m_button, &QPushButton::clicked, this, &Composer::act);
    connect(m_systemPrompt, &QToolButton::clicked, this, &Composer::systemPromptRequested);
    connect(m_sampling, &QToolButton::clicked, this, &Composer::samplingRequested);
    restyle();
    retranslate();
}

QString Composer::text() const
{
    QStringList parts = m_pastes;
    if (const QString typed = m_edit->toPlainText(); !typed.isEmpty())
        parts.prepend(typed);
    return parts.join(QStringLiteral("\n\n"));
}

void Composer::setText(const QString& text)
{
    m_pastes.clear();
    m_edit->clear();
    if (text.size() > kLongPaste) {
        addPaste(text);
    } else {
        showPastes();
        m_edit->setPlainText(text);
        m_edit->moveCursor(QTextCursor::End);
    }
}

void Composer::focusInput()
{
    m_edit->setFocus(Qt::OtherFocusReason);
}

void Composer::addPaste(const QString& text)
{
    m_pastes << text;
    showPastes();
    updateButton();
    emit textEdited();
}

void Composer::showPastes()
{
    while (QLayoutItem* item = m_pasteLayout->takeAt(0)) {
        if (item->widget()) {
            item->widget()->hide();
            item->widget()->deleteLater(); // it may be the button whose click we are in
        }
        delete item;
    }
    for (qsizetype i = 0; i < m_pastes.size(); ++i) {
        QToolButton* chip = flatButton(m_pasteRow);
        chip->setObjectName(QStringLiteral("pasteChip"));
        chip->setText(tr("%n pasted character(s)", nullptr, int(m_pastes[i].size())) + QStringLiteral("  ✕"));
        chip->setToolTip(tr("Remove this text. It begins: %1").arg(m_pastes[i].left(80).simplified()));
        connect(chip, &QToolButton::clicked, this, [this, i] {
            m_pastes.removeAt(i);
            showPastes();
            updateButton();
            emit textEdited();
        });
        m_pasteLayout->addWidget(chip);
    }
    m_pasteLayout->addStretch(1);
    m_pasteRow->setVisible(!m_pastes.isEmpty());
}

void Composer::setBusy(bool busy)
{
    m_isBusy = busy;
    updateButton();
}

void Composer::setUnavailable(const QString& reason)
{
    m_unavailable = reason;
    retranslate();
    updateButton();
}

void Composer::setPlaceholder(const QString& text)
{
    m_placeholder = text;
    retranslate();
}

void Composer::setTokenCount(int tokens)
{
    m_tokenCount = tokens;
    m_tokens->setText(
        tokens < 0 ? NumberFormat::missing() + QLatin1Char(' ') + tr("tokens") : tr("%Ln token(s)", nullptr, tokens));
    // Reserved, so that the buttons beside it stand still while the user types.
    const int width = Fonts::reservedWidth(m_tokens->font(), tr("%Ln token(s)", nullptr, 8888));
    m_tokens->setMinimumWidth(std::max(width, m_tokens->minimumWidth()));
}

void Composer::setContext(int used, int total)
{
    m_gauge->setVisible(total > 0);
    m_gauge->setValues(used, total);
}

void Composer::setSystemPromptLabel(const QString& label)
{
    m_systemPrompt->setText(label);
    m_systemPrompt->setVisible(!label.isEmpty());
}

void Composer::setSamplingLabel(const QString& label)
{
    m_sampling->setText(label);
    m_sampling->setVisible(!label.isEmpty());
}

void Composer::act()
{
    if (m_isBusy) {
        emit stopRequested();
        return;
    }
    const QString whole = text();
    if (m_unavailable.isEmpty() && !whole.trimmed().isEmpty())
        emit sendRequested(whole);
}

void Composer::updateButton()
{
    const Theme& theme = Theme::current();
    const bool canSend =
        m_unavailable.isEmpty() && (!m_pastes.isEmpty() || !m_edit->document()->isEmpty()) && !m_isBusy;
    m_button->setEnabled(canSend || m_isBusy);
    m_button->setText(m_isBusy ? tr("Stop") + QStringLiteral("  Esc") : tr("Send"));
    m_button->setToolTip(m_isBusy ? tr("Stop the reply; what is written stays")
                                  : tr("Send the message (Enter; Shift+Enter for a new line)"));
    // The warning hue as text reaches 4.5:1 on the background, so it does the other way round as well.
    const QColor ground = m_isBusy ? theme.textColor(Meaning::Limit) : theme.accent;
    const QColor ink = m_isBusy ? theme.background : theme.onAccent;
    const QString sheet = QStringLiteral(
        "QPushButton { color: %1; background: %2; border: none; border-radius: 6px; padding: 0 %5px; "
        "min-height: %6px; font-weight: 600; font-size: %7px; } QPushButton:focus { border: 2px solid %8; } "
        "QPushButton:disabled { color: %3; background: %4; }")
                              .arg(ink.name(), ground.name(), theme.muted.name(), theme.hover.name())
                              .arg(Fonts::px(14))
                              .arg(Fonts::px(28))
                              .arg(Fonts::font(Fonts::Role::Small).pixelSize())
                              .arg(theme.text.name());
    if (sheet != m_button->styleSheet())
        m_button->setStyleSheet(sheet);
}

void Composer::fitHeight()
{
    const int line = QFontMetrics(m_edit->font()).lineSpacing();
    const int most = std::max(3 * line, int(window()->height() * kMaxShare));
    const int wanted = m_edit->wantedHeight(most);
    const int height = std::clamp(wanted, line + 2, most);
    m_edit->setVerticalScrollBarPolicy(wanted > most ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
    if (m_edit->minimumHeight() != height) {
        m_edit->setFixedHeight(height);
        if (wanted <= most)
            m_edit->verticalScrollBar()->setValue(0); // it scrolled while it was too small
    }
}

void Composer::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    // As wide as the chat's column and centred with it: the chat has a scroll bar at its right.
    const int scrollBar = 12, widest = Fonts::px(776);
    const int room = width() - scrollBar;
    const int margin = std::max(room < Fonts::px(480) ? Fonts::px(8) : Fonts::px(24), (room - widest) / 2);
    layout()->setContentsMargins(margin, Fonts::px(4), margin + scrollBar, Fonts::px(16));
    fitHeight();
}

void Composer::paintEvent(QPaintEvent* event)
{
    QPainter(this).fillRect(event->rect(), Theme::current().background);
}

void Composer::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && m_isBusy)
        emit stopRequested();
    else
        QWidget::keyPressEvent(event);
}

void Composer::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    else if (event->type() == QEvent::PaletteChange)
        restyle();
    QWidget::changeEvent(event);
}

void Composer::retranslate()
{
    const QString usual = m_placeholder.isEmpty() ? tr("Write a message") : m_placeholder;
    m_edit->setPlaceholderText(m_unavailable.isEmpty() ? usual : m_unavailable);
    m_edit->setAccessibleName(tr("Message"));
    m_systemPrompt->setToolTip(tr("What the model is told before the conversation"));
    m_sampling->setToolTip(tr("How the next token is chosen: temperature, top-k, top-p and others"));
    m_tokens->setToolTip(tr("Length of this message as the model counts it"));
    m_tokens->setMinimumWidth(0);
    setTokenCount(m_tokenCount);
    showPastes();
    updateButton();
}

void Composer::restyle()
{
    const Theme& theme = Theme::current();
    layout()->setSpacing(Fonts::px(12));
    m_frame->layout()->setContentsMargins(Fonts::px(16), Fonts::px(12), Fonts::px(12), Fonts::px(8));
    m_frame->layout()->setSpacing(Fonts::px(8));
    m_edit->setFont(Fonts::font(Fonts::Role::Chat));
    m_tokens->setFont(Fonts::font(Fonts::Role::Small));
    const QString sheet =
        QStringLiteral("#composerFrame { background: %1; border: 1px solid %2; border-radius: 10px; } "
                       "QPlainTextEdit { background: transparent; color: %3; selection-background-color: %7; "
                       "selection-color: %3; } "
                       "QLabel { color: %4; background: transparent; } "
                       "QToolButton { color: %4; background: transparent; border: none; border-radius: 4px; "
                       "padding: %8px %9px; font-size: %10px; } "
                       "QToolButton:hover, QToolButton:focus { color: %3; background: %5; } "
                       "#pasteChip { border: 1px solid %2; color: %6; }")
            .arg(theme.field.name(), theme.hairline.name(), theme.text.name(), theme.muted.name(), theme.hover.name(),
                theme.text.name(), theme.selection.name())
            .arg(Fonts::px(4))
            .arg(Fonts::px(6))
            .arg(Fonts::font(Fonts::Role::Small).pixelSize());
    if (sheet != styleSheet()) // setting one sends another PaletteChange
        setStyleSheet(sheet);
    QPalette palette = m_edit->palette();
    palette.setColor(QPalette::PlaceholderText, theme.muted);
    m_edit->setPalette(palette);
    updateButton();
    fitHeight();
}

} // namespace kvasir
