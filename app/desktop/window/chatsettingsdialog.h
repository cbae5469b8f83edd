#pragma once

#include "store/chatsettings.h"

#include <QDialog>

class QCheckBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;

namespace kvasir {

/// System prompt and sampling of one conversation, or the defaults that new ones start from.
class ChatSettingsDialog : public QDialog {
    Q_OBJECT

public:
    ChatSettingsDialog(const ChatSettings& settings, bool forNewChats, QWidget* parent = nullptr);

    ChatSettings settings() const;
    void setSettings(const ChatSettings& settings);
    void focusSystemPrompt();
    void focusSampling();

signals:
    /// The user wants these as the start of every new conversation.
    void defaultsChosen(const kvasir::ChatSettings& settings);

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Field {
        QLabel* label;
        QWidget* widget;
    };

    QDoubleSpinBox* addNumber(double low, double high, double step);
    QSpinBox* addInteger(int low, int high);
    void addRow(QWidget* widget);
    void name(QWidget* widget, const QString& label, const QString& help);
    void retranslate();
    void showSeed();

    QFormLayout* m_form;
    QList<Field> m_fields;
    bool m_forNewChats;
    QLabel* m_promptLabel;
    QPlainTextEdit* m_prompt;
    QLabel* m_samplingLabel;
    QDoubleSpinBox* m_temperature;
    QSpinBox* m_topK;
    QDoubleSpinBox* m_topP;
    QDoubleSpinBox* m_minP;
    QDoubleSpinBox* m_repetition;
    QDoubleSpinBox* m_presence;
    QDoubleSpinBox* m_frequency;
    QSpinBox* m_window;
    QSpinBox* m_maxTokens;
    QCheckBox* m_fixedSeed;
    QLineEdit* m_seed;
    QPushButton* m_reset;
    QPushButton* m_keep;
};

} // namespace kvasir
