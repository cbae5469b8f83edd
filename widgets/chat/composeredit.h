#pragma once

#include <QPlainTextEdit>

namespace kvasir {

/// The composer's text field: Enter is a signal, Shift+Enter a new line, and a key that ends an input method's
/// composition ends that and nothing else.
class ComposerEdit : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit ComposerEdit(QWidget* parent);

    /// Height that shows the whole text, in pixels; anything above `most` if it needs more.
    int wantedHeight(int most) const;

signals:
    void enterPressed();
    void longTextPasted(const QString& text);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void inputMethodEvent(QInputMethodEvent* event) override;
    void insertFromMimeData(const QMimeData* source) override;
    bool canInsertFromMimeData(const QMimeData* source) const override;

private:
    bool m_isComposing = false;
};

/// A text field slows with its longest line (a million characters: one second a key), so longer pastes stay outside.
inline constexpr qsizetype kLongPaste = 16000;

} // namespace kvasir
