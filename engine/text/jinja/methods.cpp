#include "text/jinja/methods.h"

#include "base/utf8.h"
#include "text/jinja/access.h"
#include "text/jinja/operations.h"
#include "text/jinja/printing.h"
#include "text/jinja/strings.h"

#include <algorithm>
#include <array>
#include <unicode/uchar.h>

namespace kvasir::jinja {

using Kind = Value::Kind;

namespace {

/// Arguments of a method, with the complaint that it makes.
struct Call {
    Sandbox& sandbox;
    std::string_view method;
    const Arguments& arguments;

    const Value* find(size_t index, std::string_view name = {}) const { return arguments.find(index, name); }

    Text text(size_t index, std::string_view name = {}) const
    {
        const Value* value = find(index, name);
        if (!value || !value->is(Kind::String)) {
            sandbox.fail(std::string(method) + "() needs a string");
            return {};
        }
        return value->text();
    }
    int64_t integer(size_t index, int64_t fallback, std::string_view name = {}) const
    {
        const Value* value = find(index, name);
        if (!value || value->is(Kind::None)) {
            return fallback;
        }
        if (!value->is(Kind::Integer) && !value->is(Kind::Boolean)) {
            sandbox.fail(std::string(method) + "() needs a whole number");
            return fallback;
        }
        return value->integerValue();
    }
};

using StringMethod = Value (*)(const Text& text, const Call& call);

Value splitSpaces(const Text& text, const Call& call, int64_t most, bool fromRight)
{
    std::vector<Value> parts;
    std::vector<std::pair<size_t, size_t>> words;
    size_t begin = std::string::npos;
    for (size_t position = 0; position <= text.size();) {
        const Utf8Step step = position < text.size() ? readUtf8(text.bytes(), position) : Utf8Step{' ', 1};
        if (isSpace(step.scalar)) {
            if (begin != std::string::npos) {
                words.emplace_back(begin, position);
            }
            begin = std::string::npos;
        } else if (begin == std::string::npos) {
            begin = position;
        }
        position += step.length;
    }
    const size_t count = words.size();
    const size_t splits = most < 0 ? count : std::min(count, static_cast<size_t>(most));
    if (splits < count && !fromRight) {
        words.resize(splits + 1);
        words.back().second = text.size(); // as it is, spaces at its end included
    } else if (splits < count) {
        const size_t joined = count - splits; // words that stay together in front
        words.erase(words.begin() + 1, words.begin() + static_cast<std::ptrdiff_t>(joined));
        words.front().first = 0;
        const size_t end = words.size() > 1 ? words[1].first : text.size();
        words.front().second = strip(text.slice(0, end), false, true).size();
    }
    for (const auto& [wordBegin, wordEnd] : words) {
        parts.push_back(call.sandbox.string(text.slice(wordBegin, wordEnd)));
    }
    return call.sandbox.list(std::move(parts));
}

Value split(const Text& text, const Call& call, bool fromRight)
{
    const Value* separator = call.find(0, "sep");
    const int64_t most = call.integer(1, -1, "maxsplit");
    call.sandbox.spendBytes(4 * text.size());
    if (!separator || separator->is(Kind::None)) {
        return splitSpaces(text, call, most, fromRight);
    }
    const Text between = call.text(0, "sep");
    if (between.empty()) {
        return call.sandbox.fail("split() needs a separator that is not empty");
    }
    std::vector<std::pair<size_t, size_t>> parts;
    const std::string& bytes = text.bytes();
    if (fromRight) {
        size_t end = bytes.size();
        for (int64_t i = most; i != 0 && end >= between.size(); --i) {
            const size_t found = bytes.rfind(between.bytes(), end - between.size());
            if (found == std::string::npos) {
                break;
            }
            parts.emplace_back(found + between.size(), end);
            end = found;
        }
        parts.emplace_back(0, end);
        std::ranges::reverse(parts);
    } else {
        size_t begin = 0;
        for (int64_t i = most; i != 0; --i) {
            const size_t found = bytes.find(between.bytes(), begin);
            if (found == std::string::npos) {
                break;
            }
            parts.emplace_back(begin, found);
            begin = found + between.size();
        }
        parts.emplace_back(begin, bytes.size());
    }
    std::vector<Value> items;
    for (const auto& [begin, end] : parts) {
        items.push_back(call.sandbox.string(text.slice(begin, end)));
    }
    return call.sandbox.list(std::move(items));
}

Value splitLines(const Text& text, const Call& call)
{
    const Value* keep = call.find(0, "keepends");
    const bool keeps = keep && keep->isTrue();
    const std::string& bytes = text.bytes();
    std::vector<Value> lines;
    for (size_t begin = 0; begin < bytes.size() && !call.sandbox.failed();) {
        const size_t end = std::min(bytes.find_first_of("\n\r\v\f\x1C\x1D\x1E", begin), bytes.size());
        const size_t next = end + (bytes.compare(end, 2, "\r\n") == 0 ? 2 : end < bytes.size() ? 1 : 0);
        lines.push_back(call.sandbox.string(text.slice(begin, keeps ? next : end)));
        begin = next;
    }
    return call.sandbox.list(std::move(lines));
}

Value partition(const Text& text, const Call& call, bool fromRight)
{
    const Text between = call.text(0, "sep");
    const size_t found = between.empty() ? std::string::npos
        : fromRight                      ? text.bytes().rfind(between.bytes())
                                         : text.bytes().find(between.bytes());
    Sandbox& sandbox = call.sandbox;
    if (found == std::string::npos) {
        const Value empty = sandbox.string("");
        const Value whole = sandbox.string(text);
        return sandbox.list(fromRight ? std::vector{empty, empty, whole} : std::vector{whole, empty, empty}, true);
    }
    return sandbox.list({sandbox.string(text.slice(0, found)), sandbox.string(between),
                            sandbox.string(text.slice(found + between.size(), text.size()))},
        true);
}

/// Where `needle` begins, in characters; -1 where it is not.
int64_t indexOf(const Text& text, const Call& call, bool fromRight)
{
    const Text needle = call.text(0);
    call.sandbox.spendBytes(text.size());
    const size_t found = fromRight ? text.bytes().rfind(needle.bytes()) : text.bytes().find(needle.bytes());
    if (found == std::string::npos) {
        return -1;
    }
    return static_cast<int64_t>(characterOffsets(call.sandbox, text.slice(0, found)).size()) - 1;
}

bool startsOrEndsWith(const Text& text, const Call& call, bool ends)
{
    const Value* wanted = call.find(0);
    const auto matches = [&](const Value& value) {
        return value.is(Kind::String)
            && (ends ? text.bytes().ends_with(value.bytes()) : text.bytes().starts_with(value.bytes()));
    };
    if (wanted && wanted->is(Kind::List)) {
        return std::ranges::any_of(wanted->list()->items, matches);
    }
    return matches(call.sandbox.string(call.text(0)));
}

bool allCharacters(const Text& text, bool (*has)(UChar32))
{
    for (size_t position = 0; position < text.size();) {
        const Utf8Step step = readUtf8(text.bytes(), position);
        if (!has(static_cast<UChar32>(step.scalar))) {
            return false;
        }
        position += step.length;
    }
    return !text.empty();
}

/// Whether there are letters with case, and all of them have it.
bool hasCase(const Text& text, bool upper)
{
    bool found = false;
    for (size_t position = 0; position < text.size();) {
        const Utf8Step step = readUtf8(text.bytes(), position);
        const auto c = static_cast<UChar32>(step.scalar);
        if (upper ? u_islower(c) : u_isupper(c)) {
            return false;
        }
        found = found || (upper ? u_isupper(c) : u_islower(c));
        position += step.length;
    }
    return found;
}

enum class Side { Left, Right, Both };

Value pad(const Text& text, const Call& call, Side side)
{
    const Value* given = call.find(1);
    const Text fill = given ? call.text(1) : Text(" ", true);
    const auto length = static_cast<int64_t>(characterOffsets(call.sandbox, text).size()) - 1;
    const int64_t missing = std::max<int64_t>(0, call.integer(0, 0) - length);
    const int64_t left = side == Side::Left ? missing : side == Side::Both ? missing / 2 : 0;
    TextBuilder out(call.sandbox);
    for (int64_t i = 0; i < left && !call.sandbox.failed(); ++i) {
        out.add(fill);
    }
    out.add(text);
    for (int64_t i = left; i < missing && !call.sandbox.failed(); ++i) {
        out.add(fill);
    }
    return out.finish();
}

Value join(const Text& text, const Call& call)
{
    const Value* items = call.find(0);
    TextBuilder out(call.sandbox);
    bool first = true;
    for (const Value& item : itemsOf(call.sandbox, items ? *items : Value::none())) {
        if (!item.is(Kind::String)) {
            return call.sandbox.fail("join() needs strings");
        }
        if (!first) {
            out.add(text);
        }
        first = false;
        out.add(item.text());
    }
    return out.finish();
}

/// "{} and {name}" with positional and named values; no format specifications.
Value formatBraces(const Text& text, const Call& call)
{
    const std::string& bytes = text.bytes();
    TextBuilder out(call.sandbox);
    size_t automatic = 0;
    for (size_t i = 0; i < bytes.size() && !call.sandbox.failed();) {
        const size_t brace = bytes.find_first_of("{}", i);
        out.add(text, i, brace);
        if (brace == std::string::npos) {
            break;
        }
        if (brace + 1 < bytes.size() && bytes[brace + 1] == bytes[brace]) {
            out.add(text, brace, brace + 1);
            i = brace + 2;
            continue;
        }
        const size_t end = bytes.find('}', brace);
        if (bytes[brace] == '}' || end == std::string::npos) {
            return call.sandbox.fail("a single brace in a format");
        }
        const std::string name = bytes.substr(brace + 1, end - brace - 1);
        const bool isNumber =
            !name.empty() && name.size() < 6 && std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
        const size_t index = name.empty() ? automatic++ : isNumber ? std::stoul(name) : SIZE_MAX;
        const Value* value = call.find(index, name);
        if (!value) {
            return call.sandbox.fail("format() has no value for '{" + name + "}'");
        }
        appendString(out, call.sandbox, *value);
        i = end + 1;
    }
    return out.finish();
}

template <class T> struct Named {
    std::string_view name;
    T function;
};

template <Case wanted> Value changed(const Text& text, const Call& call)
{
    return call.sandbox.string(changeCase(call.sandbox, text, wanted));
}

template <bool left, bool right> Value stripped(const Text& text, const Call& call)
{
    const Value* given = call.find(0);
    const bool hasCharacters = given && !given->is(Kind::None);
    const Text characters = hasCharacters ? call.text(0) : Text();
    call.sandbox.spendBytes(text.size());
    return call.sandbox.string(strip(text, left, right, hasCharacters ? &characters : nullptr));
}

template <bool (*has)(UChar32)> Value all(const Text& text, const Call&)
{
    return Value::boolean(allCharacters(text, has));
}

constexpr Named<StringMethod> kStringMethods[] = {
    {"capitalize", changed<Case::Capital>},
    {"center", [](const Text& text, const Call& call) { return pad(text, call, Side::Both); }},
    {"count",
        [](const Text& text, const Call& call) {
            const Text needle = call.text(0);
            int64_t count = 0;
            call.sandbox.spendBytes(text.size());
            for (size_t at = 0; !needle.empty() && (at = text.bytes().find(needle.bytes(), at)) != std::string::npos;
                 at += needle.size()) {
                ++count;
            }
            return Value::integer(count);
        }},
    {"endswith", [](const Text& text, const Call& call) { return Value::boolean(startsOrEndsWith(text, call, true)); }},
    {"find", [](const Text& text, const Call& call) { return Value::integer(indexOf(text, call, false)); }},
    {"format", formatBraces},
    {"index",
        [](const Text& text, const Call& call) {
            const int64_t index = indexOf(text, call, false);
            return index < 0 ? call.sandbox.fail("index() does not find the text") : Value::integer(index);
        }},
    {"isalnum", all<[](UChar32 c) { return bool(u_isalnum(c)); }>},
    {"isalpha", all<[](UChar32 c) { return bool(u_isalpha(c)); }>},
    {"isdigit", all<[](UChar32 c) { return bool(u_isdigit(c)); }>},
    {"islower", [](const Text& text, const Call&) { return Value::boolean(hasCase(text, false)); }},
    {"isnumeric", all<[](UChar32 c) { return (U_GET_GC_MASK(c) & U_GC_N_MASK) != 0; }>},
    {"isspace", all<[](UChar32 c) { return isSpace(static_cast<char32_t>(c)); }>},
    {"isupper", [](const Text& text, const Call&) { return Value::boolean(hasCase(text, true)); }},
    {"join", join},
    {"ljust", [](const Text& text, const Call& call) { return pad(text, call, Side::Right); }},
    {"lower", changed<Case::Lower>},
    {"lstrip", stripped<true, false>},
    {"partition", [](const Text& text, const Call& call) { return partition(text, call, false); }},
    {"removeprefix",
        [](const Text& text, const Call& call) {
            const Text prefix = call.text(0);
            return call.sandbox.string(
                text.slice(text.bytes().starts_with(prefix.bytes()) ? prefix.size() : 0, text.size()));
        }},
    {"removesuffix",
        [](const Text& text, const Call& call) {
            const Text suffix = call.text(0);
            return call.sandbox.string(
                text.slice(0, text.size() - (text.bytes().ends_with(suffix.bytes()) ? suffix.size() : 0)));
        }},
    {"replace",
        [](const Text& text, const Call& call) {
            return call.sandbox.string(
                replaceAll(call.sandbox, text, call.text(0), call.text(1), call.integer(2, -1, "count")));
        }},
    {"rfind", [](const Text& text, const Call& call) { return Value::integer(indexOf(text, call, true)); }},
    {"rjust", [](const Text& text, const Call& call) { return pad(text, call, Side::Left); }},
    {"rpartition", [](const Text& text, const Call& call) { return partition(text, call, true); }},
    {"rsplit", [](const Text& text, const Call& call) { return split(text, call, true); }},
    {"rstrip", stripped<false, true>},
    {"split", [](const Text& text, const Call& call) { return split(text, call, false); }},
    {"splitlines", splitLines},
    {"startswith",
        [](const Text& text, const Call& call) { return Value::boolean(startsOrEndsWith(text, call, false)); }},
    {"strip", stripped<true, true>},
    {"title", changed<Case::Title>},
    {"upper", changed<Case::Upper>},
    {"zfill",
        [](const Text& text, const Call& call) {
            const size_t sign = text.bytes().starts_with("-") || text.bytes().starts_with("+") ? 1 : 0;
            const auto length = static_cast<int64_t>(characterOffsets(call.sandbox, text).size()) - 1;
            TextBuilder out(call.sandbox);
            out.add(text, 0, sign);
            for (int64_t i = length; i < call.integer(0, 0) && !call.sandbox.failed(); ++i) {
                out.add("0");
            }
            out.add(text, sign);
            return out.finish();
        }},
};

using DictMethod = Value (*)(const std::shared_ptr<Dict>& dict, const Call& call);

constexpr Named<DictMethod> kDictMethods[] = {
    {"copy", [](const std::shared_ptr<Dict>& dict, const Call& call) { return call.sandbox.dict(dict->entries); }},
    {"get",
        [](const std::shared_ptr<Dict>& dict, const Call& call) {
            const Value* key = call.find(0);
            if (!key) {
                return call.sandbox.fail("get() needs a key");
            }
            call.sandbox.spend(dict->entries.size() / 8);
            const Value* found = dict->find(*key);
            const Value* fallback = call.find(1);
            return found ? *found : fallback ? *fallback : Value::none();
        }},
    {"items",
        [](const std::shared_ptr<Dict>& dict, const Call& call) {
            std::vector<Value> items;
            for (const auto& [key, value] : dict->entries) {
                items.push_back(call.sandbox.list({key, value}, true));
            }
            return call.sandbox.list(std::move(items));
        }},
    {"keys",
        [](const std::shared_ptr<Dict>& dict, const Call& call) {
            return call.sandbox.list(itemsOf(call.sandbox, Value(dict)));
        }},
    {"values",
        [](const std::shared_ptr<Dict>& dict, const Call& call) {
            std::vector<Value> items;
            for (const auto& entry : dict->entries) {
                items.push_back(entry.second);
            }
            return call.sandbox.list(std::move(items));
        }},
};

using ListMethod = Value (*)(const std::shared_ptr<List>& list, const Call& call);

/// How many items equal the argument, and where the first one is.
std::pair<int64_t, int64_t> countItems(const std::shared_ptr<List>& list, const Call& call)
{
    const Value* wanted = call.find(0);
    int64_t count = 0;
    int64_t first = -1;
    for (size_t i = 0; wanted && i < list->items.size() && !call.sandbox.failed(); ++i) {
        if (isEqual(call.sandbox, list->items[i], *wanted)) {
            first = first < 0 ? static_cast<int64_t>(i) : first;
            ++count;
        }
    }
    return {count, first};
}

// Python's sandbox forbids to change a list; other readers of chat templates allow it, and some templates need it.
constexpr Named<ListMethod> kListMethods[] = {
    {"append",
        [](const std::shared_ptr<List>& list, const Call& call) {
            const Value* item = call.find(0);
            if (!item || list->isTuple) {
                return call.sandbox.fail("append() needs a list and a value");
            }
            call.sandbox.append(list, *item);
            return Value::none();
        }},
    {"count",
        [](const std::shared_ptr<List>& list, const Call& call) {
            return Value::integer(countItems(list, call).first);
        }},
    {"index",
        [](const std::shared_ptr<List>& list, const Call& call) {
            const int64_t index = countItems(list, call).second;
            return index < 0 ? call.sandbox.fail("index() does not find the value") : Value::integer(index);
        }},
    {"pop",
        [](const std::shared_ptr<List>& list, const Call& call) {
            const auto length = static_cast<int64_t>(list->items.size());
            const int64_t given = call.integer(0, -1);
            const int64_t index = given < 0 ? given + length : given;
            if (index < 0 || index >= length || list->isTuple) {
                return call.sandbox.fail("pop() finds nothing to take");
            }
            call.sandbox.spend(1 + list->items.size() / 64);
            Value item = list->items[static_cast<size_t>(index)];
            list->items.erase(list->items.begin() + index);
            return item;
        }},
};

template <class Table> auto findIn(const Table& table, std::string_view name) -> decltype(table[0].function)
{
    const auto found = std::ranges::find_if(table, [&](const auto& candidate) { return candidate.name == name; });
    return found == std::end(table) ? nullptr : found->function;
}

} // namespace

bool hasMethod(const Value& object, std::string_view name)
{
    return object.is(Kind::String) ? findIn(kStringMethods, name) != nullptr
        : object.is(Kind::Dict)    ? !object.dict()->isNamespace && findIn(kDictMethods, name) != nullptr
        : object.is(Kind::List)    ? findIn(kListMethods, name) != nullptr
                                   : false;
}

Value callMethod(Sandbox& sandbox, const Value& object, std::string_view name, const Arguments& arguments)
{
    const Call call{sandbox, name, arguments};
    if (!hasMethod(object, name)) {
        return sandbox.fail(
            "a value of the kind '" + std::string(object.kindName()) + "' has no method '" + std::string(name) + "'");
    }
    return object.is(Kind::String) ? findIn(kStringMethods, name)(object.text(), call)
        : object.is(Kind::Dict)    ? findIn(kDictMethods, name)(object.dict(), call)
                                   : findIn(kListMethods, name)(object.list(), call);
}

} // namespace kvasir::jinja
