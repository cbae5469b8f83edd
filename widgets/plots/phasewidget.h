#pragma once

#include "plots/phasevalues.h"
#include "plots/plotpanel.h"

#include <memory>

namespace kvasir {

/// Which half is slower, and what binds it: rates of prefill and decode, each with a gauge of MFU or MBU against the
/// limits measured on this machine.
class PhaseWidget : public PlotPanel {
    Q_OBJECT

public:
    explicit PhaseWidget(QWidget* parent = nullptr);
    ~PhaseWidget() override;

    void setValues(const PhaseValues& values);
    void clear();

    /// "Starting is the slower half: prefill took 74 % of this reply.", or "" where unknown.
    QString verdict() const;
    /// What binds prefill or decode, as shown below its gauge.
    QString prefillBound() const;
    QString decodeBound() const;
    /// "cost of this dashboard: 0.3 %".
    QString costText() const;

    QString question() const override;
    QString summary() const override;
    QString csv() const override;

signals:
    /// The user asks to measure the limits of this machine.
    void measureRequested();

protected:
    void refresh() override;
    int refreshIntervalMs() const override;
    void restyle() override;
    void layoutBody() override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    QSize leastBody() const override;
    void paintPicture(QPaintDevice* device, qreal scale) override;

private:
    void updateAnswer();
    void placeButton();

    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace kvasir
