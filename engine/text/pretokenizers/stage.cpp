#include "text/pretokenizers/stage.h"

namespace kvasir {

namespace {

void replaceAll(std::string& text, std::string_view what, std::string_view with)
{
    for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
        text.replace(at, what.size(), with);
    }
}

/// Where the alternative that `pattern` begins with ends: at a | outside of brackets.
size_t alternativeEnd(std::string_view pattern)
{
    bool inBrackets = false;
    for (size_t at = 0; at < pattern.size(); ++at) {
        const char c = pattern[at];
        if (c == '\\') {
            ++at;
        } else if (c == '[' || c == ']') {
            inBrackets = c == '[';
        } else if (c == '|' && !inBrackets) {
            return at;
        }
    }
    return pattern.size();
}

} // namespace

std::string normalizedPattern(std::string_view pattern)
{
    std::string result;
    bool inBrackets = false;
    bool afterQuantifier = false;
    for (size_t at = 0; at < pattern.size(); ++at) {
        const char c = pattern[at];
        if (c == '\\' && at + 1 < pattern.size()) {
            const size_t close =
                pattern.substr(at).starts_with("\\p{") ? pattern.find('}', at) : std::string_view::npos;
            const size_t length = close == std::string_view::npos ? 2 : close + 1 - at;
            result += pattern.substr(at, length);
            at += length - 1;
            afterQuantifier = false;
            continue;
        }
        inBrackets = c == '[' || (inBrackets && c != ']');
        if (c == '+' && afterQuantifier && !inBrackets) {
            continue; // possessive: it spares a matcher from backtracking, which no rule here does that far
        }
        afterQuantifier = !inBrackets && (c == '?' || c == '*' || c == '+' || c == '}');
        if (c == '\r' || c == '\n') {
            result += c == '\r' ? "\\r" : "\\n";
        } else {
            result.push_back(c);
        }
    }
    constexpr std::string_view kContraction = "(?i:'s|'t|'re|'ve|'m|'ll|'d)";
    replaceAll(result, "(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])", kContraction);
    replaceAll(result, "'(?:[sSdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE])", kContraction);
    replaceAll(result, "'(?i:[sdmt]|ll|ve|re)", kContraction);
    return result;
}

std::optional<Stage> Stage::parse(std::string_view pattern)
{
    const std::string normalized = normalizedPattern(pattern);
    Stage stage;
    std::string_view rest = normalized;
    while (true) {
        const SpelledRule special = findSpecialRule(rest);
        const size_t length = special.rule ? special.pattern.size() : alternativeEnd(rest);
        auto run = special.rule ? RunRule() : RunRule::parse(rest.substr(0, length));
        if (!run) {
            return {};
        }
        stage.m_rules.push_back({special.rule, *std::move(run)});
        if (length == rest.size()) {
            return stage;
        }
        rest.remove_prefix(length + 1);
    }
}

size_t Stage::match(Scan& scan, size_t begin) const
{
    for (const Rule& rule : m_rules) {
        const size_t stop = rule.special ? rule.special(scan, begin) : rule.run.match(scan, begin);
        if (stop > begin) {
            return stop;
        }
    }
    return begin;
}

void Stage::cut(const ClassifiedText& text, const std::vector<uint32_t>& ends, std::vector<uint32_t>& result) const
{
    size_t begin = 0;
    for (const uint32_t end : ends) {
        Scan scan(text, end);
        size_t gap = begin; // where what no rule matches begins
        for (size_t at = begin; at < end;) {
            const size_t stop = match(scan, at);
            if (stop == at) {
                ++at;
                continue;
            }
            if (at > gap) {
                result.push_back(static_cast<uint32_t>(at));
            }
            result.push_back(static_cast<uint32_t>(stop));
            at = gap = stop;
        }
        if (end > gap) {
            result.push_back(end);
        }
        begin = end;
    }
}

} // namespace kvasir
