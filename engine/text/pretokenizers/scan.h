#pragma once

#include "text/pretokenizers/classifiedtext.h"

namespace kvasir {

/// One stage's way over one piece of text, which ends at `end`. What rules learn about the run that they stand in is
/// kept, so that a run at which they fail at every character still takes linear time.
class Scan {
public:
    Scan(const ClassifiedText& wholeText, size_t pieceEnd)
        : text(wholeText)
        , end(pieceEnd)
    {
    }

    const ClassifiedText& text;
    const size_t end;

    bool is(size_t at, uint32_t classes) const { return (text.classes[at] & classes) != 0; }
    /// The scalar at `at`, 0 behind the end.
    char32_t scalar(size_t at) const { return at < end ? text.scalars[at] : 0; }
    /// First position from `begin` on that has none of `classes`.
    size_t skip(size_t begin, uint32_t classes) const
    {
        while (begin < end && is(begin, classes)) {
            ++begin;
        }
        return begin;
    }

    struct SpaceRun {
        size_t end = 0;        ///< of the white space
        size_t newlineEnd = 0; ///< behind its last \r or \n; not behind the position asked for if there is none
    };
    /// The rest of the white space at `at`, which must be some. Positions must not fall from call to call.
    const SpaceRun& spaceRun(size_t at)
    {
        if (at >= m_spaces.end) {
            m_spaces = {skip(at, category::kSpace), at};
            for (size_t i = m_spaces.end; i > at; --i) {
                if (text.scalars[i - 1] == '\n' || text.scalars[i - 1] == '\r') {
                    m_spaces.newlineEnd = i;
                    break;
                }
            }
        }
        return m_spaces;
    }
    /// Where the decimal digits at `at` end. Positions must not fall from call to call.
    size_t digitRunEnd(size_t at)
    {
        m_digitsEnd = at >= m_digitsEnd ? skip(at, category::kNd) : m_digitsEnd;
        return m_digitsEnd;
    }

private:
    SpaceRun m_spaces;
    size_t m_digitsEnd = 0;
};

} // namespace kvasir
