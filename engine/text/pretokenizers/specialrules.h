#pragma once

#include "text/pretokenizers/scan.h"

#include <string_view>

namespace kvasir {

/// A rule that is no row of character sets, written by hand: the end of its match at `begin`, `begin` for none.
using SpecialRule = size_t (*)(Scan& scan, size_t begin);

struct SpelledRule {
    std::string_view pattern; ///< one alternative of a regular expression, or several that belong together
    SpecialRule rule = nullptr;
};

/// The longest known alternative that `pattern` begins with; `rule` is null if it begins with none. `pattern` is
/// spelled as normalizedPattern() does.
SpelledRule findSpecialRule(std::string_view pattern);

} // namespace kvasir
