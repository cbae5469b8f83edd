#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;
class QToolButton;

namespace kvasir {

class ChatView;

/// Search in a ChatView: a field, "3 of 80", two arrows. Hidden until open(); Escape closes it.
class FindBar : public QWidget {
    Q_OBJECT

public:
    explicit FindBar(ChatView* view, QWidget* parent = nullptr);

    void open();
    void close();

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void retranslate();
    void restyle();
    void showCount();
    void step(bool backwards);

    ChatView* m_view;
    QLineEdit* m_field;
    QLabel* m_count;
    QToolButton* m_previous;
    QToolButton* m_next;
    QToolButton* m_close;
};

} // namespace kvasir
