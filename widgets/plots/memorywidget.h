#pragma once

#include "plots/memoryseries.h"
#include "plots/plotpanel.h"

#include <memory>

namespace kvasir {

/// Will the conversation fit: weights, activations, others and the KV cache stacked against the tokens in context, the
/// limit of the machine, and where the conversation is heading.
///
/// Double click or W switches between the tokens near now and the whole context.
class MemoryWidget : public PlotPanel {
    Q_OBJECT

public:
    explicit MemoryWidget(QWidget* parent = nullptr);
    ~MemoryWidget() override;

    /// Replaces everything shown.
    void setSeries(const MemorySeries& series);
    /// Adds one sample to the series.
    void appendSample(const MemorySample& sample);
    void clear();

    bool showsWholeContext() const;
    /// The values under the pointer or cursor, "" for none.
    QString readout() const;
    /// "full at 7,900 tokens", "context ends at 8,192 first", or "" where nothing is known.
    QString outlook() const;
    /// Whether the limit lies above the plot and is drawn as an arrow.
    bool limitIsOutOfRange() const;
    QWidget* canvas() const;

    QString question() const override;
    QString summary() const override;
    QString csv() const override;

public slots:
    void setWholeContext(bool on);

protected:
    void refresh() override;
    int refreshIntervalMs() const override;
    void restyle() override;
    void extendMenu(QMenu* menu) override;
    void paintPicture(QPaintDevice* device, qreal scale) override;
    void layoutBody() override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void contentChanged();
    void updateAnswer();
    void placeCanvas();
    void moveCursor(std::optional<qint64> tokens);

    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace kvasir
