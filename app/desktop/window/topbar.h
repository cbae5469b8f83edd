#pragma once

#include <QWidget>

#include <optional>

class QLabel;
class QMenu;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace kvasir {

struct ModelInfo;
class Settings;

/// Above the chat: which model answers and on what, how far a loading one is, and the menu that picks another.
class TopBar : public QWidget {
    Q_OBJECT

public:
    explicit TopBar(const Settings& settings, QWidget* parent = nullptr);

    void setModel(const std::optional<ModelInfo>& model);
    void setLoading(const QString& path); ///< empty: nothing is loading
    void setProgress(double fraction);
    bool isLoading() const { return !m_loading.isEmpty(); }
    void openMenu();
    QMenu* menu() const { return m_menu; }
    /// Actions shown at the top of the menu.
    void setOpenAction(QAction* action);

signals:
    void modelChosen(const QString& path);
    void cancelRequested();

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void retranslate();
    void fillMenu();
    void addModels(const QString& title, const QStringList& paths);

    const Settings& m_settings;
    std::unique_ptr<ModelInfo> m_model;
    QString m_loading;
    QAction* m_open = nullptr;
    QMenu* m_menu;
    QToolButton* m_name;
    QLabel* m_device;
    QLabel* m_loadingText;
    QProgressBar* m_progress;
    QPushButton* m_cancel;
};

} // namespace kvasir
