#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <QVector>

namespace kvasir {

class PlotPanel;

/// The one clock of all panels: refreshes those that are dirty and visible, at most 30 times a second, and sleeps when
/// there are none.
class RefreshClock : public QObject {
    Q_OBJECT

public:
    static constexpr int kIntervalMs = 34; // 29.4 a second: a timer that fires early stays below 30

    static RefreshClock& instance();

    void add(PlotPanel* panel);
    void remove(PlotPanel* panel);
    /// A panel became dirty or visible.
    void wake();
    bool isRunning() const { return m_timer.isActive(); }

private:
    explicit RefreshClock(QObject* parent);
    void arm(int milliseconds);
    void tick();

    QTimer m_timer;
    QElapsedTimer m_sinceTick;
    QVector<PlotPanel*> m_panels;
};

} // namespace kvasir
