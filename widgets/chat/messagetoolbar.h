#pragma once

#include <QWidget>

class QToolButton;

namespace kvasir {

/// The buttons that appear at the message under the mouse.
class MessageToolbar : public QWidget {
    Q_OBJECT

public:
    explicit MessageToolbar(QWidget* parent);

    void showFor(bool canEdit, bool canRegenerate);

signals:
    void copyClicked();
    void editClicked();
    void regenerateClicked();

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QToolButton* addButton();
    void retranslate();
    void restyle();

    QToolButton* m_copy;
    QToolButton* m_edit;
    QToolButton* m_regenerate;
};

} // namespace kvasir
