#include "chat/rowstack.h"

#include <algorithm>

namespace kvasir {

void RowStack::clear()
{
    m_heights.clear();
    m_tops.assign(1, 0);
    m_valid = 0;
}

void RowStack::append(int height)
{
    m_heights.push_back(height);
    m_tops.push_back(0);
}

void RowStack::resize(int count)
{
    m_heights.resize(size_t(count));
    m_tops.resize(size_t(count) + 1);
    m_valid = std::min(m_valid, count);
}

void RowStack::setHeight(int row, int height)
{
    if (m_heights[size_t(row)] == height)
        return;
    m_heights[size_t(row)] = height;
    m_valid = std::min(m_valid, row);
}

int RowStack::top(int row) const
{
    for (; m_valid < row; ++m_valid)
        m_tops[size_t(m_valid) + 1] = m_tops[size_t(m_valid)] + m_heights[size_t(m_valid)];
    return m_tops[size_t(row)];
}

int RowStack::rowAt(int y) const
{
    if (m_heights.empty())
        return -1;
    top(count());
    const auto it = std::upper_bound(m_tops.begin() + 1, m_tops.end() - 1, y);
    return int(it - m_tops.begin()) - 1;
}

} // namespace kvasir
