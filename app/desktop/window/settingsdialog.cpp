#include "window/settingsdialog.h"

#include "base/fonts.h"
#include "base/threadpool.h"
#include "settings/language.h"
#include "settings/settings.h"

#include <QComboBox>
#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QDir>
#include <QEvent>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QUrl>
#include <QVBoxLayout>

namespace kvasir {

namespace {

QWidget* beside(QWidget* field, QWidget* button)
{
    auto* pair = new QWidget;
    auto* layout = new QHBoxLayout(pair);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(field, 1);
    layout->addWidget(button);
    return pair;
}

} // namespace

SettingsDialog::SettingsDialog(Settings& settings, QWidget* parent)
    : QDialog(parent)
    , m_settings(settings)
    , m_form(new QFormLayout)
    , m_language(new QComboBox(this))
    , m_theme(new QComboBox(this))
    , m_scale(new QSpinBox(this))
    , m_threads(new QSpinBox(this))
    , m_context(new QSpinBox(this))
    , m_models(new QLineEdit(this))
    , m_choose(new QPushButton(this))
    , m_data(new QLineEdit(this))
    , m_openData(new QPushButton(this))
    , m_defaults(new QPushButton(this))
    , m_languageLabel(addRow(m_language))
    , m_themeLabel(addRow(m_theme))
    , m_scaleLabel(addRow(m_scale))
    , m_threadsLabel(addRow(m_threads))
    , m_contextLabel(addRow(m_context))
    , m_modelsLabel(addRow(beside(m_models, m_choose)))
    , m_dataLabel(addRow(beside(m_data, m_openData)))
    , m_defaultsLabel(addRow(m_defaults))
    , m_threadsBefore(settings.threads())
    , m_contextBefore(settings.context())
{
    setObjectName(QStringLiteral("settingsDialog"));
    m_language->setObjectName(QStringLiteral("languageBox"));
    m_theme->setObjectName(QStringLiteral("themeBox"));
    m_language->addItem(QString(), QString());
    for (const auto& [code, name] : Language::available()) {
        m_language->addItem(name, code);
    }
    m_theme->addItem(QString(), static_cast<int>(Theme::Mode::System));
    m_theme->addItem(QString(), static_cast<int>(Theme::Mode::Light));
    m_theme->addItem(QString(), static_cast<int>(Theme::Mode::Dark));
    m_scale->setRange(50, 300);
    m_scale->setSingleStep(10);
    m_scale->setSuffix(QStringLiteral(" %"));
    m_threads->setRange(0, usableCpus());
    m_context->setRange(0, 10'000'000);
    m_context->setSingleStep(1024);
    m_context->setGroupSeparatorShown(true);
    m_models->setReadOnly(true);
    m_data->setReadOnly(true);

    m_language->setCurrentIndex(m_language->findData(settings.language()));
    m_theme->setCurrentIndex(m_theme->findData(static_cast<int>(settings.theme())));
    m_scale->setValue(qRound(settings.fontScale() * 100));
    m_threads->setValue(settings.threads());
    m_context->setValue(settings.context());
    m_models->setText(QDir::toNativeSeparators(settings.modelFolder()));
    m_data->setText(QDir::toNativeSeparators(settings.paths().data));

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(m_form);
    layout->addStretch(1);
    layout->addSpacing(8);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(
        m_language, &QComboBox::activated, this, [this] { emit languageChosen(m_language->currentData().toString()); });
    connect(m_theme, &QComboBox::activated, this, [this] {
        m_settings.setTheme(static_cast<Theme::Mode>(m_theme->currentData().toInt()));
        emit appearanceChosen();
    });
    connect(m_scale, &QSpinBox::valueChanged, this, [this](int percent) {
        m_settings.setFontScale(percent / 100.0);
        emit appearanceChosen();
    });
    m_scale->setKeyboardTracking(false);
    connect(m_choose, &QPushButton::clicked, this, &SettingsDialog::chooseFolder);
    connect(m_openData, &QPushButton::clicked, this,
        [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(m_settings.paths().data)); });
    connect(m_defaults, &QPushButton::clicked, this, &SettingsDialog::chatDefaultsRequested);
    retranslate();
    resize(Fonts::px(520), sizeHint().height());
}

QLabel* SettingsDialog::addRow(QWidget* widget)
{
    auto* label = new QLabel(this);
    label->setBuddy(widget);
    m_form->addRow(label, widget);
    return label;
}

void SettingsDialog::chooseFolder()
{
    auto* dialog = new QFileDialog(this, tr("Model folder"), m_settings.modelFolder());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& folder) {
        m_settings.setModelFolder(folder);
        m_models->setText(QDir::toNativeSeparators(folder));
        emit modelFolderChanged();
    });
    dialog->open();
}

void SettingsDialog::done(int result)
{
    m_settings.setThreads(m_threads->value());
    m_settings.setContext(m_context->value());
    if (m_threads->value() != m_threadsBefore || m_context->value() != m_contextBefore) {
        emit engineChanged();
    }
    QDialog::done(result);
}

void SettingsDialog::retranslate()
{
    setWindowTitle(tr("Settings"));
    m_languageLabel->setText(tr("Language"));
    m_language->setItemText(0, tr("As the system"));
    m_themeLabel->setText(tr("Theme"));
    m_theme->setItemText(0, tr("As the system"));
    m_theme->setItemText(1, tr("Light"));
    m_theme->setItemText(2, tr("Dark"));
    m_scaleLabel->setText(tr("Text size"));
    m_threadsLabel->setText(tr("Threads"));
    m_threads->setSpecialValueText(tr("one a core (%1)").arg(physicalCores()));
    m_threads->setToolTip(tr("Processor threads that compute. More than there are cores makes it slower."));
    m_contextLabel->setText(tr("Context length"));
    m_context->setSpecialValueText(tr("the model’s own"));
    m_context->setToolTip(tr(
        "Tokens that conversation and reply may take together. A longer context needs more memory for the KV cache."));
    m_modelsLabel->setText(tr("Model folder"));
    m_choose->setText(tr("Change…"));
    m_dataLabel->setText(tr("Conversations"));
    m_openData->setText(tr("Show"));
    m_openData->setToolTip(tr("Opens the folder with conversations and settings"));
    m_defaultsLabel->setText(tr("New chats"));
    m_defaults->setText(tr("System prompt and sampling…"));
    m_threadsLabel->setToolTip(m_threads->toolTip());
    m_contextLabel->setToolTip(m_context->toolTip());
    m_language->setAccessibleName(m_languageLabel->text());
    m_theme->setAccessibleName(m_themeLabel->text());
    m_scale->setAccessibleName(m_scaleLabel->text());
    m_threads->setAccessibleName(m_threadsLabel->text());
    m_context->setAccessibleName(m_contextLabel->text());
    m_models->setAccessibleName(m_modelsLabel->text());
    m_data->setAccessibleName(m_dataLabel->text());
}

void SettingsDialog::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
    }
    QDialog::changeEvent(event);
}

} // namespace kvasir
