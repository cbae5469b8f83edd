#include "window/chatsettingsdialog.h"

#include "base/fonts.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpressionValidator>
#include <QSpinBox>
#include <QVBoxLayout>

namespace kvasir {

ChatSettingsDialog::ChatSettingsDialog(const ChatSettings& settings, bool forNewChats, QWidget* parent)
    : QDialog(parent)
    , m_form(new QFormLayout)
    , m_forNewChats(forNewChats)
    , m_promptLabel(new QLabel(this))
    , m_prompt(new QPlainTextEdit(this))
    , m_samplingLabel(new QLabel(this))
    , m_temperature(addNumber(0, 5, 0.1))
    , m_topK(addInteger(0, 1'000'000))
    , m_topP(addNumber(0, 1, 0.01))
    , m_minP(addNumber(0, 1, 0.01))
    , m_repetition(addNumber(0.1, 10, 0.05))
    , m_presence(addNumber(-10, 10, 0.1))
    , m_frequency(addNumber(-10, 10, 0.1))
    , m_window(addInteger(-1, 1'000'000))
    , m_maxTokens(addInteger(0, 10'000'000))
    , m_fixedSeed(new QCheckBox(this))
    , m_seed(new QLineEdit(this))
    , m_reset(new QPushButton(this))
    , m_keep(new QPushButton(this))
{
    setObjectName(QStringLiteral("chatSettingsDialog"));
    m_prompt->setObjectName(QStringLiteral("systemPrompt"));
    m_temperature->setObjectName(QStringLiteral("temperature"));
    m_prompt->setTabChangesFocus(true);
    m_prompt->setMinimumHeight(Fonts::px(80));
    m_seed->setValidator(new QRegularExpressionValidator(QRegularExpression(QStringLiteral("[0-9]{0,20}")), this));
    addRow(m_fixedSeed);
    addRow(m_seed);
    for (QLabel* heading : {m_promptLabel, m_samplingLabel}) {
        QFont bold = Fonts::font(Fonts::Role::Interface);
        bold.setWeight(QFont::DemiBold);
        heading->setFont(bold);
    }
    m_promptLabel->setBuddy(m_prompt);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    buttons->addButton(m_reset, QDialogButtonBox::ResetRole);
    if (!forNewChats) {
        buttons->addButton(m_keep, QDialogButtonBox::ActionRole);
    } else {
        m_keep->hide();
    }
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_reset, &QPushButton::clicked, this, [this] { setSettings({}); });
    connect(m_keep, &QPushButton::clicked, this, [this] { emit defaultsChosen(this->settings()); });
    connect(m_fixedSeed, &QCheckBox::toggled, this, &ChatSettingsDialog::showSeed);

    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(8);
    layout->addWidget(m_promptLabel);
    layout->addWidget(m_prompt, 1);
    layout->addSpacing(8);
    layout->addWidget(m_samplingLabel);
    layout->addLayout(m_form);
    layout->addSpacing(8);
    layout->addWidget(buttons);
    setSettings(settings);
    retranslate();
    resize(Fonts::px(460), sizeHint().height());
}

void ChatSettingsDialog::addRow(QWidget* widget)
{
    auto* label = new QLabel(this);
    label->setBuddy(widget);
    m_form->addRow(label, widget);
    m_fields.append({label, widget});
}

QDoubleSpinBox* ChatSettingsDialog::addNumber(double low, double high, double step)
{
    auto* box = new QDoubleSpinBox(this);
    box->setRange(low, high);
    box->setDecimals(2);
    box->setSingleStep(step);
    addRow(box);
    return box;
}

QSpinBox* ChatSettingsDialog::addInteger(int low, int high)
{
    auto* box = new QSpinBox(this);
    box->setRange(low, high);
    box->setGroupSeparatorShown(true);
    addRow(box);
    return box;
}

ChatSettings ChatSettingsDialog::settings() const
{
    ChatSettings settings;
    settings.systemPrompt = m_prompt->toPlainText().trimmed();
    SamplingSettings& sampling = settings.sampling;
    sampling.temperature = static_cast<float>(m_temperature->value());
    sampling.topK = m_topK->value();
    sampling.topP = static_cast<float>(m_topP->value());
    sampling.minP = static_cast<float>(m_minP->value());
    sampling.repetitionPenalty = static_cast<float>(m_repetition->value());
    sampling.presencePenalty = static_cast<float>(m_presence->value());
    sampling.frequencyPenalty = static_cast<float>(m_frequency->value());
    sampling.penaltyWindow = m_window->value();
    sampling.seed = m_seed->text().toULongLong();
    settings.fixedSeed = m_fixedSeed->isChecked();
    settings.maxTokens = m_maxTokens->value();
    return settings;
}

void ChatSettingsDialog::setSettings(const ChatSettings& settings)
{
    const SamplingSettings& sampling = settings.sampling;
    m_prompt->setPlainText(settings.systemPrompt);
    m_temperature->setValue(sampling.temperature);
    m_topK->setValue(sampling.topK);
    m_topP->setValue(sampling.topP);
    m_minP->setValue(sampling.minP);
    m_repetition->setValue(sampling.repetitionPenalty);
    m_presence->setValue(sampling.presencePenalty);
    m_frequency->setValue(sampling.frequencyPenalty);
    m_window->setValue(sampling.penaltyWindow);
    m_maxTokens->setValue(settings.maxTokens);
    m_fixedSeed->setChecked(settings.fixedSeed);
    m_seed->setText(QString::number(sampling.seed));
    showSeed();
}

void ChatSettingsDialog::focusSystemPrompt()
{
    m_prompt->setFocus();
}

void ChatSettingsDialog::focusSampling()
{
    m_temperature->setFocus();
    m_temperature->selectAll();
}

void ChatSettingsDialog::showSeed()
{
    m_seed->setEnabled(m_fixedSeed->isChecked());
}

void ChatSettingsDialog::name(QWidget* widget, const QString& label, const QString& help)
{
    for (const Field& field : std::as_const(m_fields)) {
        if (field.widget == widget) {
            field.label->setText(label);
            field.label->setToolTip(help);
        }
    }
    widget->setToolTip(help);
    widget->setAccessibleName(label);
    widget->setAccessibleDescription(help);
}

void ChatSettingsDialog::retranslate()
{
    setWindowTitle(
        m_forNewChats ? tr("New chats: system prompt and sampling") : tr("This chat: system prompt and sampling"));
    m_promptLabel->setText(tr("System prompt"));
    m_prompt->setPlaceholderText(tr("How the model should behave, for example: “Answer briefly and in Korean.”"));
    m_prompt->setAccessibleName(m_promptLabel->text());
    m_samplingLabel->setText(tr("Sampling"));
    m_samplingLabel->setToolTip(
        tr("How the next token is chosen from those that the model thinks possible. Applied in this "
           "order: penalties, temperature, top-k, top-p, min-p."));
    name(m_temperature, tr("Temperature"),
        tr("Higher values choose unlikely tokens more often; 0 always takes the most likely one, so that the same "
           "question "
           "gets the same answer."));
    name(m_topK, tr("Top-k"), tr("Only the k most likely tokens may be chosen. 0: no limit."));
    name(m_topP, tr("Top-p"),
        tr("Only the most likely tokens that together reach this probability may be chosen. 1: no limit."));
    name(m_minP, tr("Min-p"),
        tr("Only tokens at least this fraction as likely as the most likely one may be chosen. 0: no limit."));
    name(m_repetition, tr("Repetition penalty"),
        tr("Makes tokens that already occurred less likely. 1: off; small models repeat themselves less with 1.1."));
    name(m_presence, tr("Presence penalty"), tr("Lowers a token once when it has occurred at all. 0: off."));
    name(m_frequency, tr("Frequency penalty"), tr("Lowers a token for each time it has occurred. 0: off."));
    name(
        m_window, tr("Penalties look back"), tr("How many of the last tokens the penalties look at. −1: all of them."));
    name(m_maxTokens, tr("Longest reply"),
        tr("The reply ends after this many tokens. 0: when the model ends it or the context is full."));
    name(m_fixedSeed, tr("Fixed seed"),
        tr("With the same seed, settings and conversation the reply is the same each time. Otherwise each reply draws "
           "its "
           "own."));
    name(m_seed, tr("Seed"), tr("A number from 0 to 18,446,744,073,709,551,615."));
    m_topK->setSpecialValueText(tr("off"));
    m_maxTokens->setSpecialValueText(tr("no limit"));
    m_maxTokens->setSuffix(QString());
    m_window->setSpecialValueText(tr("all tokens"));
    m_reset->setText(tr("Reset"));
    m_reset->setToolTip(tr("The values that Kvasir came with"));
    m_keep->setText(tr("Use for new chats"));
}

void ChatSettingsDialog::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
    }
    QDialog::changeEvent(event);
}

} // namespace kvasir
