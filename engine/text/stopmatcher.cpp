#include "text/stopmatcher.h"

#include <algorithm>
#include <utility>

namespace kvasir {

StopMatcher::StopMatcher(std::vector<std::string> stops)
    : m_stops(std::move(stops))
{
    std::erase_if(m_stops, [](const std::string& stop) { return stop.empty(); });
}

std::string StopMatcher::push(std::string_view text)
{
    if (m_stopped) {
        return {};
    }
    m_held += text;
    size_t begin = std::string::npos;
    size_t end = std::string::npos;
    for (const std::string& stop : m_stops) {
        const size_t position = m_held.find(stop);
        if (position == std::string::npos) {
            continue;
        }
        const size_t stopEnd = position + stop.size();
        if (stopEnd < end || (stopEnd == end && position < begin)) {
            begin = position;
            end = stopEnd;
            m_matched = stop;
        }
    }
    m_stopped = begin != std::string::npos;
    const size_t safe = m_stopped ? begin : m_held.size() - heldLength();
    std::string shown = m_held.substr(0, safe);
    m_held.erase(0, m_stopped ? m_held.size() : safe);
    return shown;
}

std::string StopMatcher::flush()
{
    return std::exchange(m_held, {});
}

size_t StopMatcher::heldLength() const
{
    size_t longest = 0;
    for (const std::string& stop : m_stops) {
        const size_t most = std::min(stop.size() - 1, m_held.size());
        for (size_t length = most; length > longest; --length) {
            if (std::string_view(stop).substr(0, length) == std::string_view(m_held).substr(m_held.size() - length)) {
                longest = length;
                break;
            }
        }
    }
    return longest;
}

} // namespace kvasir
