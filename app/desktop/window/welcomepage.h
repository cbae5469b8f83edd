#pragma once

#include <QWidget>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace kvasir {

/// What the window shows while there is no model: what a model is, where to get one, and those that are there.
class WelcomePage : public QWidget {
    Q_OBJECT

public:
    explicit WelcomePage(QWidget* parent = nullptr);

    void setModels(const QStringList& paths, const QString& folder);
    void setLoading(bool loading);

signals:
    void openRequested();
    void modelChosen(const QString& path);

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();

    QStringList m_paths;
    QString m_folder;
    bool m_isLoading = false;
    QLabel* m_title;
    QLabel* m_text;
    QLabel* m_listTitle;
    QPushButton* m_open;
    QVBoxLayout* m_list;
    QList<QPushButton*> m_models;
};

} // namespace kvasir
