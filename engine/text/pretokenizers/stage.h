#pragma once

#include "text/pretokenizers/runrule.h"
#include "text/pretokenizers/specialrules.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kvasir {

/// The published spelling with what means the same here spelled alike: line ends as escapes, no possessive signs, one
/// form of English contractions.
std::string normalizedPattern(std::string_view pattern);

/// A regular expression by which text is cut: its matches are pieces, and so is what lies between two matches. The
/// alternatives are tried in their order at each character, all of them without backtracking: time is linear in the
/// text, whatever the expression.
class Stage {
public:
    /// Nothing where an alternative is neither a row of character sets nor one of the special rules.
    static std::optional<Stage> parse(std::string_view pattern);

    /// Cuts each of the pieces that end at `ends` (scalars, ascending); appends the ends of the new pieces to `result`.
    void cut(const ClassifiedText& text, const std::vector<uint32_t>& ends, std::vector<uint32_t>& result) const;

private:
    struct Rule {
        SpecialRule special = nullptr; ///< null: `run`
        RunRule run;
    };

    size_t match(Scan& scan, size_t begin) const;

    std::vector<Rule> m_rules;
};

} // namespace kvasir
