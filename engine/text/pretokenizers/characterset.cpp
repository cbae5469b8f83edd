#include "text/pretokenizers/characterset.h"

#include "base/utf8.h"

#include <algorithm>
#include <charconv>

namespace kvasir {

namespace {

struct Named {
    std::string_view name;
    uint32_t classes;
};
constexpr Named kProperties[] = {{"L", category::kL}, {"Lu", category::kLu}, {"Ll", category::kLl},
    {"Lt", category::kLt}, {"Lm", category::kLm}, {"Lo", category::kLo}, {"M", category::kM}, {"N", category::kN},
    {"Nd", category::kNd}, {"P", category::kP}, {"S", category::kS}};

// Unicode's script Han is scattered over many small ranges; these are the blocks of its letters.
constexpr std::pair<char32_t, char32_t> kHan[] = {{0x2E80, 0x2FD5}, {0x3005, 0x3005}, {0x3007, 0x3007},
    {0x3021, 0x3029}, {0x3038, 0x303B}, {0x3400, 0x4DBF}, {0x4E00, 0x9FFF}, {0xF900, 0xFAFF}, {0x20000, 0x3134A}};

/// One scalar from the front of a pattern, which must not be empty; none where it is not UTF-8.
std::optional<char32_t> takeScalar(std::string_view& pattern)
{
    const Utf8Step step = readUtf8(pattern, 0);
    pattern.remove_prefix(step.length);
    return step.state == Utf8State::Whole ? std::optional(step.scalar) : std::nullopt;
}

/// {1F7D} behind \x.
std::optional<char32_t> takeHex(std::string_view& pattern)
{
    const size_t close = pattern.find('}');
    if (!pattern.starts_with('{') || close == std::string_view::npos) {
        return {};
    }
    uint32_t value = 0;
    const char* const last = pattern.data() + close;
    const auto [end, error] = std::from_chars(pattern.data() + 1, last, value, 16);
    pattern.remove_prefix(close + 1);
    return error == std::errc() && end == last && value <= 0x10FFFF ? std::optional(char32_t(value)) : std::nullopt;
}

} // namespace

std::optional<CharacterSet> CharacterSet::parse(std::string_view& pattern)
{
    CharacterSet result;
    if (pattern.empty()) {
        return {};
    }
    std::optional<char32_t> literal;
    const char first = pattern.front();
    if (first == '[') {
        pattern.remove_prefix(1);
        if (!result.parseBrackets(pattern)) {
            return {};
        }
    } else if (first == '\\') {
        if (!result.parseEscape(pattern, literal)) {
            return {};
        }
    } else if (std::string_view("()|?*+{}^$.]").find(first) != std::string_view::npos) {
        return {};
    } else if (literal = takeScalar(pattern); !literal) {
        return {};
    }
    if (literal) {
        result.m_ranges.push_back({*literal, *literal});
    }
    result.finish();
    return result;
}

/// Behind the backslash: a class, which joins the set, or a character, which is handed out.
bool CharacterSet::parseEscape(std::string_view& pattern, std::optional<char32_t>& literal)
{
    if (pattern.size() < 2) {
        return false;
    }
    const char name = pattern[1];
    pattern.remove_prefix(2);
    switch (name) {
    case 'r':
        literal = '\r';
        return true;
    case 'n':
        literal = '\n';
        return true;
    case 't':
        literal = '\t';
        return true;
    case 'x':
        literal = takeHex(pattern);
        return literal.has_value();
    case 's':
        m_classes |= category::kSpace;
        return true;
    case 'S':
        m_otherClasses |= category::kSpace;
        return true;
    case 'd':
        m_classes |= category::kNd;
        return true;
    case 'p': {
        const size_t end = pattern.find('}');
        if (!pattern.starts_with('{') || end == std::string_view::npos) {
            return false;
        }
        const std::string_view property = pattern.substr(1, end - 1);
        pattern.remove_prefix(end + 1);
        if (property == "Han") {
            m_ranges.insert(m_ranges.end(), std::begin(kHan), std::end(kHan));
            return true;
        }
        const auto known = std::ranges::find(kProperties, property, &Named::name);
        if (known == std::end(kProperties)) {
            return false;
        }
        m_classes |= known->classes;
        return true;
    }
    default:
        literal = static_cast<unsigned char>(name);
        return (name >= ' ' && name < '0') || (name > '9' && name < 'A') || (name > 'Z' && name < 'a')
            || (name > 'z' && name <= '~');
    }
}

/// Behind the opening bracket, up to and with the closing one.
bool CharacterSet::parseBrackets(std::string_view& pattern)
{
    m_isNegated = pattern.starts_with('^');
    pattern.remove_prefix(m_isNegated ? 1 : 0);
    const auto takeOne = [&](std::optional<char32_t>& literal) {
        if (pattern.empty() || pattern.front() == '[' || pattern.starts_with("&&")) {
            return false; // sets within sets
        }
        if (pattern.front() == '\\') {
            return parseEscape(pattern, literal);
        }
        literal = takeScalar(pattern);
        return literal.has_value();
    };
    while (!pattern.empty() && pattern.front() != ']') {
        std::optional<char32_t> first;
        if (!takeOne(first)) {
            return false;
        }
        std::optional<char32_t> last = first;
        if (first && pattern.size() > 1 && pattern[0] == '-' && pattern[1] != ']') {
            pattern.remove_prefix(1);
            last.reset();
            if (!takeOne(last) || !last || *last < *first) {
                return false;
            }
        }
        if (first) {
            m_ranges.push_back({*first, *last});
        }
    }
    const bool isClosed = !pattern.empty();
    pattern.remove_prefix(isClosed ? 1 : 0);
    return isClosed;
}

bool CharacterSet::beyondAscii(char32_t scalar, uint32_t classes) const
{
    bool isIn = (classes & m_classes) || (m_otherClasses && !(classes & m_otherClasses));
    if (!isIn && !m_ranges.empty()) {
        const auto behind = std::ranges::upper_bound(m_ranges, scalar, {}, &Range::first);
        isIn = behind != m_ranges.begin() && scalar <= std::prev(behind)->second;
    }
    return isIn != m_isNegated;
}

void CharacterSet::finish()
{
    std::ranges::sort(m_ranges);
    std::vector<Range> disjoint;
    for (const Range& range : m_ranges) {
        if (!disjoint.empty() && range.first <= disjoint.back().second) {
            disjoint.back().second = std::max(disjoint.back().second, range.second);
        } else {
            disjoint.push_back(range);
        }
    }
    m_ranges = std::move(disjoint);
    for (char32_t c = 0; c < m_ascii.size(); ++c) {
        m_ascii[c] = beyondAscii(c, classOf(c));
    }
}

} // namespace kvasir
