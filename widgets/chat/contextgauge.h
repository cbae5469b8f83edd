#pragma once

#include <QWidget>

namespace kvasir {

/// How much of the context the conversation fills: a bar with the figures above its right end.
class ContextGauge : public QWidget {
    Q_OBJECT

public:
    explicit ContextGauge(QWidget* parent = nullptr);

    void setValues(int used, int total);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QString label() const;
    void describe();

    int m_used = 0;
    int m_total = 0;
};

} // namespace kvasir
