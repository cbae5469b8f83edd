#pragma once

#include <cstddef>
#include <vector>

namespace kvasir {

/// Heights of rows that stand on each other. Pure arithmetic: tops are summed only as far as they are asked for.
class RowStack {
public:
    void clear();
    void append(int height);
    void resize(int count); // shrinks only
    int count() const { return int(m_heights.size()); }

    int height(int row) const { return m_heights[std::size_t(row)]; }
    void setHeight(int row, int height);
    int top(int row) const; // top(count()) is the total
    int total() const { return top(count()); }
    /// The row that covers y; the first or last one outside. -1 without rows.
    int rowAt(int y) const;

private:
    std::vector<int> m_heights;
    mutable std::vector<int> m_tops{0};
    mutable int m_valid = 0; // tops up to here are right
};

} // namespace kvasir
