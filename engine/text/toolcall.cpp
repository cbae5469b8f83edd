#include "text/toolcall.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

namespace kvasir {

namespace {

using Json = nlohmann::ordered_json;

// A hostile reply must not make the parser recurse without end.
constexpr int kDeepest = 64;

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view kSpace = " \t\r\n";
    const size_t first = text.find_first_not_of(kSpace);
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

bool isTooDeep(std::string_view text)
{
    int depth = 0;
    int deepest = 0;
    for (const char c : text) {
        depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
        deepest = std::max(deepest, depth);
    }
    return deepest > kDeepest;
}

std::string dumped(const Json& value)
{
    return value.is_string() ? value.get<std::string>() : value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// {"name": "f", "arguments": {}} under the names that models use; false where it is something else.
bool readObject(const Json& object, std::vector<ToolCall>& calls)
{
    if (!object.is_object()) {
        return false;
    }
    const Json& inner = object.contains("function") && object["function"].is_object() ? object["function"] : object;
    for (const char* nameKey : {"name", "tool_name"}) {
        const auto name = inner.find(nameKey);
        if (name == inner.end() || !name->is_string()) {
            continue;
        }
        ToolCall call{name->get<std::string>(), {}};
        for (const char* key : {"arguments", "parameters"}) {
            if (const auto found = inner.find(key); found != inner.end()) {
                call.arguments = dumped(*found);
                break;
            }
        }
        calls.push_back(std::move(call));
        return true;
    }
    return false;
}

bool readJson(std::string_view text, std::vector<ToolCall>& calls)
{
    if (text.empty() || (text[0] != '{' && text[0] != '[') || isTooDeep(text)) {
        return false;
    }
    const Json value = Json::parse(text, nullptr, false);
    if (!value.is_array()) {
        return !value.is_discarded() && readObject(value, calls);
    }
    std::vector<ToolCall> all;
    const bool isAll =
        !value.empty() && std::ranges::all_of(value, [&](const Json& item) { return readObject(item, all); });
    if (isAll) {
        calls = std::move(all);
    }
    return isAll;
}

/// What stands between two texts right at the beginning.
bool readBetween(std::string_view text, std::string_view before, std::string_view after, ToolCall& call)
{
    const size_t end = text.starts_with(before) ? text.find_first_of(after, before.size()) : std::string_view::npos;
    if (end == std::string_view::npos) {
        return false;
    }
    call.name = trimmed(text.substr(before.size(), end - before.size()));
    return !call.name.empty();
}

bool isNameLike(std::string_view text)
{
    return !text.empty() && text.size() <= 64 && std::ranges::all_of(text, [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.' || c == ':';
    });
}

/// "functions.get_weather:0" is get_weather for people.
std::string_view bareName(std::string_view name)
{
    constexpr std::string_view kNamespace = "functions.";
    if (name.starts_with(kNamespace)) {
        name.remove_prefix(kNamespace.size());
    }
    return name.substr(0, name.find(':'));
}

/// A name on a line of its own, or right in front of the arguments; ids and kinds may stand on lines before it.
bool readLines(std::string_view text, ToolCall& call)
{
    const size_t begin = std::min(text.find_first_of("{<`"), text.size());
    const std::string_view head = trimmed(text.substr(0, begin));
    const size_t line = head.rfind('\n');
    const std::string_view last = trimmed(line == std::string_view::npos ? head : head.substr(line));
    if (!isNameLike(last)) {
        return false;
    }
    call.name = bareName(last);
    call.arguments = trimmed(text.substr(begin));
    return true;
}

/// What a fence or a tag around the arguments leaves.
std::string unwrapped(std::string_view text)
{
    text = trimmed(text);
    if (text.starts_with("```") && text.ends_with("```") && text.size() >= 6) {
        const size_t line = text.find('\n');
        text = trimmed(text.substr(
            line == std::string_view::npos ? 3 : line, text.size() - 3 - (line == std::string_view::npos ? 3 : line)));
    }
    return std::string(text);
}

} // namespace

std::vector<ToolCall> readToolCalls(std::string_view text, std::string_view name)
{
    text = trimmed(text);
    if (!name.empty()) {
        return {{std::string(name), std::string(text)}};
    }
    std::vector<ToolCall> calls;
    if (readJson(text, calls)) {
        return calls;
    }
    ToolCall call{{}, std::string(text)};
    if (readBetween(text, "call:", "{", call)) {
        call.arguments = text.substr(text.find('{'));
    } else if (readBetween(text, "<function=", ">", call) || readBetween(text, "<invoke name=\"", "\"", call)) {
        const size_t begin = text.find('>');
        const size_t end = text.rfind("</");
        const bool isWhole = begin != std::string_view::npos && end != std::string_view::npos && end > begin;
        call.arguments = trimmed(isWhole ? text.substr(begin + 1, end - begin - 1) : text);
    } else if (readBetween(text, "[", "(", call) && isNameLike(call.name)) {
        call.arguments = text;
    } else if (!readLines(text, call)) {
        call.name.clear();
    }
    call.arguments = unwrapped(call.arguments);
    return {std::move(call)};
}

} // namespace kvasir
