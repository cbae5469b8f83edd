// Search in the conversation.

#include "chat/chatview.h"

#include <algorithm>

namespace kvasir {

int ChatView::find(const QString& text)
{
    m_needle = text;
    m_found.clear();
    m_foundCurrent = -1;
    if (!text.isEmpty()) {
        for (int row = 0; row < int(m_rows.size()); ++row)
            searchRow(row);
    }
    // The first hit from the top of the window on, so that typing does not throw the reader about.
    for (size_t i = 0; i < m_found.size() && m_foundCurrent < 0; ++i) {
        if (m_found[i].row >= m_anchorRow)
            m_foundCurrent = int(i);
    }
    if (m_foundCurrent < 0 && !m_found.empty())
        m_foundCurrent = 0;
    showFound();
    return findCount();
}

void ChatView::findNext(bool backwards)
{
    if (m_found.empty())
        return;
    const int count = int(m_found.size());
    m_foundCurrent = (m_foundCurrent + (backwards ? count - 1 : 1)) % count;
    showFound();
}

void ChatView::clearFind()
{
    find({});
}

// Replaces the hits of one row; its place among the others stays.
void ChatView::searchRow(int row)
{
    if (m_needle.isEmpty())
        return;
    const auto isBefore = [](const Found& f, int r) { return f.row < r; };
    auto at = std::lower_bound(m_found.begin(), m_found.end(), row, isBefore);
    const auto end = std::lower_bound(at, m_found.end(), row + 1, isBefore);
    at = m_found.erase(at, end);
    std::vector<Found> hits;
    ChatRow& r = *m_rows[size_t(row)];
    for (int position : r.document().find(m_needle))
        hits.push_back({row, position});
    m_found.insert(at, hits.begin(), hits.end());
    m_foundCurrent = std::min(m_foundCurrent, int(m_found.size()) - 1);
    releaseIfFar(row);
}

void ChatView::showFound()
{
    viewport()->update();
    if (m_foundCurrent < 0)
        return;
    const Found& hit = m_found[size_t(m_foundCurrent)];
    layOutRow(hit.row);
    const QRectF cursor = m_rows[size_t(hit.row)]->cursorRect(hit.position);
    scrollToRow(hit.row, cursor.top(), cursor.height());
}

} // namespace kvasir
