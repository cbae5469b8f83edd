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
    if (m_timer.isActive()) {
        return;
    }
    const qint64 since = m_sinceTick.isValid() ? m_sinceTick.elapsed() : kIntervalMs;
    m_timer.start(static_cast<int>(std::max<qint64>(0, kIntervalMs - since)));
}

void RefreshClock::tick()
{
    m_sinceTick.start();
    for (int i = 0; i < m_panels.size(); ++i) { // by index: a refresh may end a panel
        PlotPanel* panel = m_panels[i];
        if (panel->isDirty() && panel->isShown()) {
            panel->runRefresh();
        }
    }
}

} // namespace kvasir
