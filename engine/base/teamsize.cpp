#include "base/teamsize.h"

#include <algorithm>
#include <sys/resource.h>

namespace kvasir {

namespace {

using namespace std::chrono_literals;

/// So much cheaper must the other team be, or changes would follow noise.
constexpr double kGain = 0.9;
/// A trial step that costs so much more has shown enough.
constexpr double kLoss = 1.2;
/// Time over which interruptions are counted, and how many of them there must be: a thread that competes for its CPU
/// loses it every 3 to 4 ms, one that does not about once a second.
constexpr Nanoseconds kWatch = 20ms;
constexpr int kInterruptionsPerWatch = 3;
/// Trials take at most a twentieth of the time, and a quarter of that where they change nothing again and again.
constexpr Nanoseconds kShortestPause = 100ms;
constexpr int kPausePerTrial = 20;
constexpr int kMostDoublings = 2;

} // namespace

int64_t involuntarySwitches()
{
    rusage use{};
    getrusage(RUSAGE_SELF, &use);
    return use.ru_nivcsw;
}

TeamSize::TeamSize(int most)
    : m_most(most)
{
    while (threadsAt(m_lastLevel) > 1) {
        ++m_lastLevel;
    }
}

int TeamSize::threadsAt(int level) const
{
    return std::max(1, m_most >> level);
}

int TeamSize::choose(TimePoint now)
{
    if (m_trial < 0 && now >= (m_interrupted ? m_nextTrial : m_nextQuietTrial)) {
        const bool larger = m_level > 0 && (m_level == m_lastLevel || !m_interrupted || m_failures % 2 == 1);
        if (larger) {
            beginTrial(m_level - 1);
        } else if (m_interrupted && m_level < m_lastLevel) {
            beginTrial(m_level + 1);
        }
    }
    return threadsAt(m_trial >= 0 ? m_trial : m_level);
}

void TeamSize::beginTrial(int level)
{
    m_trial = level;
    m_trialSteps = 0;
    m_trialTime = Nanoseconds{0};
}

void TeamSize::report(TimePoint now, Nanoseconds duration, double work, int interruptions)
{
    if (m_lastLevel == 0) {
        return;
    }
    const double cost = static_cast<double>(duration.count()) / work;
    if (m_trial < 0) {
        m_cost = m_cost == 0 ? cost : m_cost + 0.3 * (cost - m_cost);
        watch(duration, interruptions);
        return;
    }
    m_trialCost = m_trialSteps == 0 ? cost : std::min(m_trialCost, cost);
    m_trialTime += duration;
    if (++m_trialSteps == kTrialSteps || cost > kLoss * m_cost) {
        endTrial(now);
    }
}

void TeamSize::watch(Nanoseconds duration, int interruptions)
{
    m_watched += duration;
    m_interruptions += interruptions;
    if (m_watched >= kWatch) {
        m_interrupted = m_interruptions >= kInterruptionsPerWatch * (m_watched / kWatch);
        m_watched = Nanoseconds{0};
        m_interruptions = 0;
    }
}

void TeamSize::endTrial(TimePoint now)
{
    if (m_trialCost < kGain * m_cost) {
        m_level = m_trial;
        m_cost = m_trialCost;
        m_failures = 0;
        m_watched = Nanoseconds{0};
        m_interruptions = 0;
    } else {
        m_failures = std::min(m_failures + 1, kMostDoublings);
    }
    m_trial = -1;
    const Nanoseconds pause = std::max(kShortestPause, kPausePerTrial * m_trialTime);
    m_nextQuietTrial = now + pause;
    m_nextTrial = now + (1 << m_failures) * pause;
}

} // namespace kvasir
