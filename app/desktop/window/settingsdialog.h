#pragma once

#include <QDialog>

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace kvasir {

class Settings;

/// Settings of the program. Language, theme and size act at once; threads and context when the model is next loaded,
/// which closing the dialog does where they changed.
class SettingsDialog : public QDialog {
    Q_OBJECT

public:
    explicit SettingsDialog(Settings& settings, QWidget* parent = nullptr);

signals:
    void languageChosen(const QString& code); ///< empty: the system's
    void appearanceChosen();                  ///< theme or font scale, already in the settings
    void engineChanged();                     ///< threads or context differ from what the dialog was opened with
    void modelFolderChanged();
    void chatDefaultsRequested();

protected:
    void changeEvent(QEvent* event) override;
    void done(int result) override;

private:
    QLabel* addRow(QWidget* widget);
    void retranslate();
    void chooseFolder();

    Settings& m_settings;
    QFormLayout* m_form;
    QComboBox* m_language;
    QComboBox* m_theme;
    QSpinBox* m_scale;
    QSpinBox* m_threads;
    QSpinBox* m_context;
    QLineEdit* m_models;
    QPushButton* m_choose;
    QLineEdit* m_data;
    QPushButton* m_openData;
    QPushButton* m_defaults;
    QLabel* m_languageLabel;
    QLabel* m_themeLabel;
    QLabel* m_scaleLabel;
    QLabel* m_threadsLabel;
    QLabel* m_contextLabel;
    QLabel* m_modelsLabel;
    QLabel* m_dataLabel;
    QLabel* m_defaultsLabel;
    int m_threadsBefore;
    int m_contextBefore;
};

} // namespace kvasir
