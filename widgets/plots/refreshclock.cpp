#include "plots/refreshclock.h"

#include "plots/plotpanel.h"

#include <QCoreApplication>
#include <QPointer>

#include <algorithm>

namespace kvasir {

RefreshClock& RefreshClock::instance()
{
    static QPointer<RefreshClock> clock; // ends with the application, as its timer must
    if (!clock) {
        clock = new RefreshClock(qApp);
    }
    return *clock;
}

RefreshClock::RefreshClock(QObject* parent)
    : QObject(parent)
{
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &RefreshClock::tick);
}

void RefreshClock::add(PlotPanel* panel)
{
    m_panels.append(panel);
}

void RefreshClock::remove(PlotPanel* panel)
{
    m_panels.removeOne(panel);
}

void RefreshClock::wake()
{
    arm(0);
}

// Runs the next tick after `milliseconds`, but not too soon after the last one; an earlier tick that is set stays.
void RefreshClock::arm(int milliseconds)
{
    const qint64 since = m_sinceTick.isValid() ? m_sinceTick.elapsed() : kIntervalMs;
    const int wait = std::max(milliseconds, static_cast<int>(std::max<qint64>(0, kIntervalMs - since)));
    if (!m_timer.isActive() || m_timer.remainingTime() > wait) {
        m_timer.start(wait);
    }
}

void RefreshClock::tick()
{
    m_sinceTick.start();
    for (int i = 0; i < m_panels.size(); ++i) { // by index: a refresh may end a panel
        PlotPanel* panel = m_panels[i];
        if (!panel->isDirty() || !panel->isShown()) {
            continue;
        }
        if (const int due = panel->dueInMs(); due > 0) {
            arm(due);
        } else {
            panel->runRefresh();
        }
    }
}

} // namespace kvasir
