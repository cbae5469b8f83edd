#pragma once

#include <QDialog>

class QTableWidget;

namespace kvasir {

class Actions;

/// The overview of keys (F1).
class ShortcutsDialog : public QDialog {
    Q_OBJECT

public:
    explicit ShortcutsDialog(const Actions& actions, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    void fill();
    void addHeading(const QString& title);
    void addLine(const QString& what, const QString& keys);

    const Actions& m_actions;
    QTableWidget* m_table;
};

} // namespace kvasir
