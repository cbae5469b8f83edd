#pragma once

#include <QWidget>

class QDockWidget;
class QToolButton;

namespace kvasir {

/// A slim title of a dock: its name, and buttons to float and to hide it. Dragging it moves the dock.
class DockTitle : public QWidget {
    Q_OBJECT

public:
    explicit DockTitle(QDockWidget* dock);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void retranslate();

    QDockWidget* m_dock;
    QToolButton* m_float;
    QToolButton* m_close;
};

} // namespace kvasir
