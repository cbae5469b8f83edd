#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace kvasir {

/// The `fraction` quantile (0 to 1) of `sorted`, ascending: linear between the two closest ranks, where rank 0 is the
/// smallest and rank n - 1 the largest (Hyndman and Fan 1996, type 7; what NumPy and spreadsheets give). 0 where empty.
inline double sortedQuantile(std::span<const double> sorted, double fraction)
{
    if (sorted.empty()) {
        return 0;
    }
    const double rank = std::clamp(fraction, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<size_t>(rank);
    const size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (rank - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

struct Percentiles {
    double minimum = 0;
    double p50 = 0; ///< the median
    double p90 = 0;
    double p99 = 0;
    double maximum = 0;
};

/// Percentiles of any values, in their unit; NaN must not be among them. All 0 where there are none.
inline Percentiles percentiles(std::vector<double> values)
{
    if (values.empty()) {
        return {};
    }
    std::sort(values.begin(), values.end());
    return {values.front(), sortedQuantile(values, 0.5), sortedQuantile(values, 0.9), sortedQuantile(values, 0.99),
        values.back()};
}

} // namespace kvasir
