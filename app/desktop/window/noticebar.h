#pragma once

#include <QFrame>
#include <QList>

#include <functional>

class QLabel;
class QHBoxLayout;
class QPushButton;
class QToolButton;

namespace kvasir {

/// A sentence across the window with buttons that do what it advises: what went wrong, or what can be undone.
/// The text is asked for anew when the language changes.
class NoticeBar : public QFrame {
    Q_OBJECT

public:
    enum class Kind { Information, Warning };
    struct Button {
        std::function<QString()> text;
        std::function<void()> act;
    };

    explicit NoticeBar(QWidget* parent = nullptr);

    void showNotice(Kind kind, std::function<QString()> text, const QList<Button>& buttons = {});
    void dismiss();
    QString text() const;
    QPushButton* button(int index) const { return m_buttons.value(index); }

signals:
    void dismissed();

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void retranslate();

    Kind m_kind = Kind::Information;
    std::function<QString()> m_text;
    QList<Button> m_actions;
    QLabel* m_label;
    QHBoxLayout* m_layout;
    QList<QPushButton*> m_buttons;
    QToolButton* m_close;
};

} // namespace kvasir
