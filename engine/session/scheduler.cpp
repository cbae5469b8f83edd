#include "session/scheduler.h"

#include <algorithm>

namespace kvasir {

std::vector<int> shareStep(std::span<const Demand> demands, int budget, int logitRows)
{
    std::vector<int> rows(demands.size(), 0);
    for (size_t i = 0; i < demands.size(); ++i) {
        if (demands[i].decoding && budget > 0 && logitRows > 0) {
            rows[i] = 1;
            --budget;
            --logitRows;
        }
    }
    for (size_t i = 0; i < demands.size() && budget > 0; ++i) {
        if (demands[i].decoding) {
            continue;
        }
        int share = std::min(demands[i].pending, budget);
        if (share == demands[i].pending) {
            // Without a logits row left it stops one short of its last token.
            share -= logitRows > 0 ? 0 : 1;
            logitRows -= logitRows > 0 ? 1 : 0;
        }
        rows[i] = share;
        budget -= share;
    }
    return rows;
}

int StepPace::rows() const
{
    if (m_nanosecondsPerRow <= 0) {
        return std::min(m_mostRows, 4 * kLeastRows);
    }
    const double rows = static_cast<double>(kStepTarget.count()) / m_nanosecondsPerRow;
    return static_cast<int>(std::clamp(rows, 1.0 * std::min(kLeastRows, m_mostRows), 1.0 * m_mostRows));
}

void StepPace::observe(const StepRecord& record)
{
    // A step of few rows is bound by reading the weights and says nothing about many.
    if (record.prefillRows < std::min(kLeastRows, m_mostRows)) {
        return;
    }
    const double perRow = static_cast<double>(record.duration.count()) / record.rows;
    m_nanosecondsPerRow = m_nanosecondsPerRow <= 0 ? perRow : 0.5 * (m_nanosecondsPerRow + perRow);
}

} // namespace kvasir
