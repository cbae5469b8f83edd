#include "plots/plotcost.h"

#ifdef Q_OS_UNIX
#include <ctime>
#else
#include <chrono>
#endif

namespace kvasir {

namespace {

qint64 s_nanoseconds = 0;
int s_depth = 0;

// Processor time, not wall time: the engine's threads may push the GUI thread aside in the middle of a drawing.
qint64 threadTime()
{
#ifdef Q_OS_UNIX
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return qint64{now.tv_sec} * 1000000000 + now.tv_nsec;
#else
    return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
#endif
}

} // namespace

qint64 PlotCost::nanoseconds()
{
    return s_nanoseconds;
}

void PlotCost::add(qint64 nanoseconds)
{
    s_nanoseconds += nanoseconds;
}

PlotCostScope::PlotCostScope(qint64* own)
    : m_own(own)
    , m_start(0)
    , m_outermost(s_depth++ == 0)
{
    if (m_outermost) {
        m_start = threadTime();
    }
}

PlotCostScope::~PlotCostScope()
{
    --s_depth;
    if (!m_outermost) {
        return;
    }
    const qint64 spent = threadTime() - m_start;
    PlotCost::add(spent);
    if (m_own) {
        *m_own += spent;
    }
}

} // namespace kvasir
