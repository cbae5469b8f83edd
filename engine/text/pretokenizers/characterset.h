#pragma once

#include "text/pretokenizers/classifiedtext.h"

#include <array>
#include <optional>
#include <utility>

namespace kvasir {

/// The characters that one atom of a regular expression stands for: a letter, \s, \p{L}, [^\r\n\p{L}\p{N}].
class CharacterSet {
public:
    /// Reads the atom at the front of `pattern` and takes it away. Nothing, with `pattern` in any state, for what is no
    /// atom or is not known here.
    static std::optional<CharacterSet> parse(std::string_view& pattern);

    bool contains(char32_t scalar, uint32_t classes) const
    {
        return scalar < 128 ? m_ascii[scalar] : beyondAscii(scalar, classes);
    }
    bool containsAt(const ClassifiedText& text, size_t at) const
    {
        return contains(text.scalars[at], text.classes[at]);
    }

private:
    bool parseEscape(std::string_view& pattern, std::optional<char32_t>& literal);
    bool parseBrackets(std::string_view& pattern);
    bool beyondAscii(char32_t scalar, uint32_t classes) const;
    void finish();

    using Range = std::pair<char32_t, char32_t>;

    std::array<bool, 128> m_ascii{}; ///< the answer for ASCII, which most text is
    uint32_t m_classes = 0;          ///< these categories ...
    uint32_t m_otherClasses = 0;     ///< ... or any scalar that has none of these (\S), where it is not 0 ...
    std::vector<Range> m_ranges;     ///< ... or these scalars, both ends included; ascending, disjoint
    bool m_isNegated = false;        ///< all but these
};

} // namespace kvasir
