#pragma once

#include "measure/records.h"

#include <span>
#include <vector>

namespace kvasir {

/// What a running sequence could have computed in the next step.
struct Demand {
    int pending = 0;       ///< tokens that are not in the cache
    bool decoding = false; ///< it waits for its next token only
};

/// Rows for each sequence, in the order of `demands`, at most `budget` together: every decode gets its one row first,
/// what is left goes to prompts, the oldest first. So a long prompt delays the others' tokens by a bounded amount, and
/// a chat never starves behind it. At most `logitRows` sequences may reach their last token.
std::vector<int> shareStep(std::span<const Demand> demands, int budget, int logitRows);

/// Keeps steps short enough to be stopped and shown, whatever the model's size: rows are cut so that a step takes about
/// kStepTarget. Bits do not depend on the cut.
class StepPace {
public:
    static constexpr Nanoseconds kStepTarget = std::chrono::milliseconds(250);
    static constexpr int kLeastRows = 16;

    explicit StepPace(int mostRows)
        : m_mostRows(mostRows)
    {
    }

    /// Rows that the next step may have.
    int rows() const;
    void observe(const StepRecord& record);

private:
    int m_mostRows;
    double m_nanosecondsPerRow = 0; // of steps with prompts in them; 0: none seen
};

} // namespace kvasir
