#pragma once

#include "base/clock.h"

#include <cstdint>

namespace kvasir {

/// Finds how many threads work best for steps that come again and again. On a quiet machine that is all of them. Where
/// other programs want the same CPUs, a team meets at its barriers only when the last of it has been given a CPU, some
/// milliseconds later, hundreds of times a step: two threads are then a hundred times slower than one, which never
/// waits.
///
/// So steps that are often interrupted lead to a trial of half the team, and a smaller team now and then to a trial of
/// the larger one. What is cheaper stays. Trials are short, and
/// their distance is such that they take a few percent of the time at most.
class TeamSize {
public:
    /// `most`: the whole team, 1 or more.
    explicit TeamSize(int most);

    /// Threads to use for the step that begins at `now`.
    int choose(TimePoint now);

    /// What became of that step. `work`: anything that its duration is proportional to, such as bytes; above 0.
    /// `interruptions`: how often the system took a CPU away from one of the process's threads meanwhile.
    void report(TimePoint now, Nanoseconds duration, double work, int interruptions);

private:
    static constexpr int kTrialSteps = 3; ///< one may be unlucky, and the first one wakes sleepers

    int threadsAt(int level) const;
    void beginTrial(int level);
    void endTrial(TimePoint now);
    void watch(Nanoseconds duration, int interruptions);

    const int m_most;
    int m_lastLevel = 0;    ///< one thread
    int m_level = 0;        ///< 0: all threads, 1: half of them, ...
    int m_trial = -1;       ///< the level that is tried
    double m_cost = 0;      ///< nanoseconds for a unit of work in the last steps at m_level; 0: none yet
    double m_trialCost = 0; ///< of the best step of the trial
    int m_trialSteps = 0;
    Nanoseconds m_trialTime{0};
    // Since interruptions were last judged:
    Nanoseconds m_watched{0};
    int m_interruptions = 0;
    bool m_interrupted = false;
    int m_failures = 0;           ///< trials in a row that changed nothing
    TimePoint m_nextTrial{};      ///< while steps are interrupted
    TimePoint m_nextQuietTrial{}; ///< while they are not
};

/// How often the system took a CPU away from a thread of this process although it had work to do.
int64_t involuntarySwitches();

} // namespace kvasir
