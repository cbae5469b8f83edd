#pragma once

#include <QString>
#include <QWidget>

class QFrame;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QToolButton;

namespace kvasir {

class ComposerEdit;
class ContextGauge;

/// Where the user writes: a growing text field, a row of settings with the send button, and above it how full the
/// context is. Enter sends, Shift+Enter makes a new line; while a reply is written the button stops it. A very long
/// paste becomes a block beneath the field, because no text field stays quick with a million characters.
class Composer : public QWidget {
    Q_OBJECT

public:
    explicit Composer(QWidget* parent = nullptr);

    QString text() const;              // pasted blocks follow what is typed
    void setText(const QString& text); // a draft, or a message to edit
    void clear() { setText({}); }
    void focusInput();

    /// Streaming: the button says stop, Enter adds no message.
    void setBusy(bool busy);
    bool isBusy() const { return m_isBusy; }
    /// No model: nothing can be sent, and the field says why. An empty reason enables.
    void setUnavailable(const QString& reason);

    /// Replaces "Write a message"; empty: back to it.
    void setPlaceholder(const QString& text);
    void setTokenCount(int tokens);       // of the text as it stands; negative: unknown, shown as a dash
    void setContext(int used, int total); // total 0 hides the gauge
    void setSystemPromptLabel(const QString& label);
    void setSamplingLabel(const QString& label);

signals:
    void sendRequested(const QString& text); // the composer keeps its text until clear()
    void stopRequested();
    void textEdited(); // drafts and the token count follow it
    void systemPromptRequested();
    void samplingRequested();

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void retranslate();
    void restyle();
    void updateButton();
    void addPaste(const QString& text);
    void showPastes();
    void fitHeight();
    void act();

    ContextGauge* m_gauge;
    QFrame* m_frame;
    ComposerEdit* m_edit;
    QWidget* m_pasteRow;
    QHBoxLayout* m_pasteLayout;
    QLabel* m_tokens;
    QToolButton* m_systemPrompt;
    QToolButton* m_sampling;
    QPushButton* m_button;
    QStringList m_pastes;
    QString m_placeholder, m_unavailable;
    int m_tokenCount = 0;
    bool m_isBusy = false;
};

} // namespace kvasir
