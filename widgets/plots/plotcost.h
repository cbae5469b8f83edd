#pragma once

#include <QtGlobal>

namespace kvasir {

/// What the dashboard costs: processor time of the GUI thread spent in setters, arithmetic and drawing of all panels.
/// For the GUI thread only.
class PlotCost {
public:
    /// Nanoseconds since the program started. The share of wall time is the difference of two calls over the time
    /// between.
    static qint64 nanoseconds();
    static void add(qint64 nanoseconds);
};

/// Adds the time of its scope to PlotCost and, where given, to a panel's own count. Nested scopes count once.
class PlotCostScope {
public:
    explicit PlotCostScope(qint64* own = nullptr);
    ~PlotCostScope();
    PlotCostScope(const PlotCostScope&) = delete;
    PlotCostScope& operator=(const PlotCostScope&) = delete;

private:
    qint64* m_own;
    qint64 m_start;
    bool m_outermost;
};

} // namespace kvasir
