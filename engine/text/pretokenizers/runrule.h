#pragma once

#include "text/pretokenizers/characterset.h"
#include "text/pretokenizers/scan.h"

#include <optional>

namespace kvasir {

/// An alternative that is a row of character sets, each with a number of times: ` ?[^\s\p{L}]+[\r\n]*`. Only rows that
/// need no backtracking but over an optional first character: what may come a varying number of times is followed by
/// what may be missing.
class RunRule {
public:
    /// Reads `pattern` whole; nothing where it is of another shape.
    static std::optional<RunRule> parse(std::string_view pattern);

    /// The end of the match at `begin`, `begin` where there is none.
    size_t match(const Scan& scan, size_t begin) const
    {
        if (m_hasLead && m_lead.containsAt(scan.text, begin)) {
            if (const size_t stop = matchBody(scan, begin + 1); stop > begin + 1) {
                return stop;
            }
        }
        return matchBody(scan, begin);
    }

private:
    struct Part {
        CharacterSet set;
        size_t least = 1;
        size_t most = 1;
    };

    size_t matchBody(const Scan& scan, size_t begin) const;
    bool isDecidable() const;

    bool m_hasLead = false;
    CharacterSet m_lead;       ///< one of these may stand in front
    std::vector<Part> m_parts; ///< at least one that must match something
};

} // namespace kvasir
