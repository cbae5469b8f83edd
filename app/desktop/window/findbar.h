#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;
class QToolButton;

namespace kvasir {

class ChatView;

/// Searches the shown conversation; Enter goes on, Shift+Enter back; the window closes it with Escape.
class FindBar : public QWidget {
    Q_OBJECT

public:
    explicit FindBar(ChatView* view, QWidget* parent = nullptr);

    void open();
    void close();
    void next(bool backwards);

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void retranslate();
    void showCount();

    ChatView* m_view;
    QLineEdit* m_field;
    QLabel* m_count;
    QToolButton* m_previous;
    QToolButton* m_next;
    QToolButton* m_close;
};

} // namespace kvasir
