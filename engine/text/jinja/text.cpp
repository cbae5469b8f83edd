#include "text/jinja/text.h"

#include <algorithm>

namespace kvasir::jinja {

bool Text::trustedAt(size_t position) const
{
    const auto passed = std::ranges::upper_bound(m_flips, position) - m_flips.begin();
    return m_firstTrusted != (passed % 2 == 1);
}

void Text::append(std::string_view bytes, bool trusted)
{
    if (bytes.empty()) {
        return;
    }
    if (m_bytes.empty()) {
        m_firstTrusted = trusted;
    } else if (trusted != (m_firstTrusted != (m_flips.size() % 2 == 1))) {
        m_flips.push_back(m_bytes.size());
    }
    m_bytes += bytes;
}

void Text::append(const Text& other, size_t begin, size_t end)
{
    end = std::min(end, other.size());
    auto flip = std::ranges::upper_bound(other.m_flips, begin);
    bool trusted = other.m_firstTrusted != ((flip - other.m_flips.begin()) % 2 == 1);
    const std::string_view bytes = other.m_bytes;
    for (; begin < end; ++flip, trusted = !trusted) {
        const size_t stop = flip == other.m_flips.end() ? end : std::min(end, *flip);
        append(bytes.substr(begin, stop - begin), trusted);
        begin = stop;
        if (flip == other.m_flips.end()) {
            return;
        }
    }
}

Text Text::slice(size_t begin, size_t end) const
{
    Text result;
    result.append(*this, begin, end);
    return result;
}

} // namespace kvasir::jinja
