#include "text/pretokenizers/runrule.h"

#include <algorithm>
#include <charconv>

namespace kvasir {

namespace {

// What a failed match may have looked at, so that a stage stays linear in the text.
constexpr size_t kMostRequired = 64;

struct Times {
    size_t least = 1;
    size_t most = 1;
};

/// Takes a quantifier from the front; exactly once where there is none, nothing where it is broken.
std::optional<Times> takeTimes(std::string_view& pattern)
{
    const char sign = pattern.empty() ? '\0' : pattern.front();
    if (sign == '?' || sign == '*' || sign == '+') {
        pattern.remove_prefix(1);
        return Times{sign == '+' ? size_t(1) : 0, sign == '?' ? 1 : SIZE_MAX};
    }
    if (sign != '{') {
        return Times{};
    }
    const size_t close = pattern.find('}');
    if (close == std::string_view::npos) {
        return {};
    }
    const char* const end = pattern.data() + close;
    Times times;
    const auto [afterLeast, leastError] = std::from_chars(pattern.data() + 1, end, times.least);
    times.most = times.least;
    const char* at = afterLeast;
    if (leastError == std::errc() && at != end && *at == ',') {
        const auto [afterMost, mostError] = std::from_chars(at + 1, end, times.most);
        at = mostError == std::errc() ? afterMost : at + 1;
        times.most = mostError == std::errc() ? times.most : SIZE_MAX;
    }
    pattern.remove_prefix(close + 1);
    return leastError == std::errc() && at == end && times.least <= times.most ? std::optional(times) : std::nullopt;
}

} // namespace

std::optional<RunRule> RunRule::parse(std::string_view pattern)
{
    RunRule rule;
    while (!pattern.empty()) {
        auto set = CharacterSet::parse(pattern);
        const auto times = set ? takeTimes(pattern) : std::nullopt;
        if (!times) {
            return {};
        }
        if (rule.m_parts.empty() && !rule.m_hasLead && times->least == 0 && times->most == 1) {
            rule.m_hasLead = true;
            rule.m_lead = *std::move(set);
        } else {
            rule.m_parts.push_back({*std::move(set), times->least, times->most});
        }
    }
    return rule.isDecidable() ? std::optional(std::move(rule)) : std::nullopt;
}

bool RunRule::isDecidable() const
{
    size_t required = 0;
    bool varies = false;
    for (const Part& part : m_parts) {
        if (part.least > kMostRequired || (varies && part.least > 0)) {
            return false;
        }
        required += part.least;
        varies = varies || part.least != part.most;
    }
    return required > 0 && required <= kMostRequired;
}

size_t RunRule::matchBody(const Scan& scan, size_t begin) const
{
    size_t at = begin;
    for (const Part& part : m_parts) {
        const size_t limit = part.most < scan.end - at ? at + part.most : scan.end;
        const size_t first = at;
        while (at < limit && part.set.containsAt(scan.text, at)) {
            ++at;
        }
        if (at - first < part.least) {
            return begin;
        }
    }
    return at;
}

} // namespace kvasir
