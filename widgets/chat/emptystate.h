#pragma once

#include <QStringList>
#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace kvasir {

/// What an empty conversation shows: what this is, and questions that can be sent with a click.
class EmptyState : public QWidget {
    Q_OBJECT

public:
    explicit EmptyState(QWidget* parent);

    void setContent(const QString& title, const QString& text, const QStringList& examples);

signals:
    void examplePicked(const QString& text);

protected:
    void changeEvent(QEvent* event) override;

private:
    void restyle();

    QLabel* m_title;
    QLabel* m_text;
    QVBoxLayout* m_examples;
    QWidget* m_column;
};

} // namespace kvasir
