#include "text/jinja/filters.h"

#include "text/jinja/access.h"
#include "text/jinja/methods.h"
#include "text/jinja/operations.h"
#include "text/jinja/printing.h"
#include "text/jinja/strings.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace kvasir::jinja {

using Kind = Value::Kind;

namespace {

bool flag(const Arguments& arguments, size_t index, std::string_view name, bool fallback = false)
{
    const Value* value = arguments.find(index, name);
    return value ? value->isTrue() : fallback;
}

int64_t integer(Sandbox& sandbox, const Arguments& arguments, size_t index, std::string_view name, int64_t fallback)
{
    const Value* value = arguments.find(index, name);
    if (!value || value->is(Kind::None)) {
        return fallback;
    }
    if (!value->is(Kind::Integer) && !value->is(Kind::Boolean)) {
        sandbox.fail("'" + std::string(name) + "' must be a whole number");
        return fallback;
    }
    return value->integerValue();
}

Text text(Sandbox& sandbox, const Arguments& arguments, size_t index, std::string_view name, std::string_view fallback)
{
    const Value* value = arguments.find(index, name);
    return value ? toText(sandbox, *value) : Text(std::string(fallback), true);
}

/// value.a.b, where `path` is "a.b", a number, or undefined for the value itself.
Value follow(Sandbox& sandbox, Value value, const Value* path)
{
    if (!path || !path->is(Kind::String)) {
        return path && path->is(Kind::Integer) ? itemOf(sandbox, value, *path) : value;
    }
    std::string_view rest = path->bytes();
    while (!sandbox.failed()) {
        const size_t dot = rest.find('.');
        const std::string_view name = rest.substr(0, dot);
        int64_t index = 0;
        const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), index);
        const bool isNumber = error == std::errc() && end == name.data() + name.size();
        value = isNumber ? itemOf(sandbox, value, Value::integer(index)) : attributeOf(sandbox, value, name);
        if (dot == std::string_view::npos) {
            break;
        }
        rest.remove_prefix(dot + 1);
    }
    return value;
}

/// What to compare a value by where case does not matter.
Value foldCase(Sandbox& sandbox, const Value& value, bool caseSensitive)
{
    return caseSensitive || !value.is(Kind::String) ? value
                                                    : sandbox.string(changeCase(sandbox, value.text(), Case::Lower));
}

std::vector<Value> foldedKeys(
    Sandbox& sandbox, const std::vector<Value>& items, const Value* attribute, bool caseSensitive)
{
    std::vector<Value> keys;
    for (const Value& item : items) {
        keys.push_back(foldCase(sandbox, follow(sandbox, item, attribute), caseSensitive));
    }
    return keys;
}

Value extreme(Sandbox& sandbox, const Value& input, const Arguments& arguments, bool largest)
{
    const std::vector<Value> items = itemsOf(sandbox, input);
    const std::vector<Value> keys =
        foldedKeys(sandbox, items, arguments.find(1, "attribute"), flag(arguments, 0, "case_sensitive"));
    if (items.empty()) {
        return {};
    }
    size_t best = 0;
    for (size_t i = 1; i < items.size() && !sandbox.failed(); ++i) {
        if (largest ? isLess(sandbox, keys[best], keys[i]) : isLess(sandbox, keys[i], keys[best])) {
            best = i;
        }
    }
    return items[best];
}

/// select, reject, selectattr, rejectattr.
Value choose(Sandbox& sandbox, const Value& input, const Arguments& arguments, bool byAttribute, bool wanted)
{
    const size_t first = byAttribute ? 1 : 0;
    const Value* attribute = byAttribute ? arguments.find(0, "") : nullptr;
    if (byAttribute && !attribute) {
        return sandbox.fail("selecting by an attribute needs its name");
    }
    const Value* testName = arguments.find(first, "");
    TestFunction test = nullptr;
    if (testName) {
        test = testName->is(Kind::String) ? findTest(testName->bytes()) : nullptr;
        if (!test) {
            return sandbox.fail("there is no test '" + toText(sandbox, *testName).bytes() + "'");
        }
    }
    Arguments rest;
    for (size_t i = first + 1; i < arguments.positional.size(); ++i) {
        rest.positional.push_back(arguments.positional[i]);
    }
    std::vector<Value> chosen;
    // Nothing is chosen from what is false, none included: Jinja looks no further.
    for (const Value& item : input.isTrue() ? itemsOf(sandbox, input) : std::vector<Value>()) {
        if (!sandbox.spend()) {
            return {};
        }
        const Value value = follow(sandbox, item, attribute);
        if ((test ? test(sandbox, value, rest) : value.isTrue()) == wanted) {
            chosen.push_back(item);
        }
    }
    return sandbox.list(std::move(chosen));
}

Value map(Sandbox& sandbox, const Value& input, const Arguments& arguments)
{
    const Value* attribute = arguments.find(SIZE_MAX, "attribute");
    const Value* fallback = arguments.find(SIZE_MAX, "default");
    FilterFunction filter = nullptr;
    Arguments rest;
    if (!attribute) {
        const Value* name = arguments.find(0, "");
        filter = name && name->is(Kind::String) ? findFilter(name->bytes()) : nullptr;
        if (!filter) {
            return sandbox.fail("'map' needs an attribute or a filter that exists");
        }
        rest.positional.assign(arguments.positional.begin() + 1, arguments.positional.end());
        rest.named = arguments.named;
    }
    std::vector<Value> mapped;
    for (const Value& item : input.isTrue() ? itemsOf(sandbox, input) : std::vector<Value>()) {
        if (!sandbox.spend()) {
            return {};
        }
        Value value = filter ? filter(sandbox, item, rest) : follow(sandbox, item, attribute);
        mapped.push_back(value.isUndefined() && fallback ? *fallback : std::move(value));
    }
    return sandbox.list(std::move(mapped));
}

Value defaultTo(Sandbox& sandbox, const Value& input, const Arguments& arguments)
{
    if (!(input.isUndefined() || (flag(arguments, 1, "boolean") && !input.isTrue()))) {
        return input;
    }
    const Value* fallback = arguments.find(0, "default_value");
    return fallback ? *fallback : sandbox.string("");
}

Value sortDict(Sandbox& sandbox, const Value& input, const Arguments& arguments)
{
    if (!input.is(Kind::Dict)) {
        return sandbox.fail("'dictsort' needs a dict");
    }
    const std::string by = text(sandbox, arguments, 1, "by", "key").bytes();
    std::vector<Value> pairs;
    std::vector<Value> keys;
    for (const auto& [key, value] : input.dict()->entries) {
        pairs.push_back(sandbox.list({key, value}, true));
        keys.push_back(foldCase(sandbox, by == "value" ? value : key, flag(arguments, 0, "case_sensitive")));
    }
    sortBy(sandbox, pairs, keys, flag(arguments, 2, "reverse"));
    return sandbox.list(std::move(pairs));
}

Value sort(Sandbox& sandbox, const Value& input, const Arguments& arguments)
{
    std::vector<Value> items = itemsOf(sandbox, input);
    const std::vector<Value> keys =
        foldedKeys(sandbox, items, arguments.find(2, "attribute"), flag(arguments, 1, "case_sensitive"));
    sortBy(sandbox, items, keys, flag(arguments, 0, "reverse"));
    return sandbox.list(std::move(items));
}

Value unique(Sandbox& sandbox, const Value& input, const Arguments& arguments)
{
    const std::vector<Value> items = itemsOf(sandbox, input);
    const std::vector<Value> keys =
        foldedKeys(sandbox, items, arguments.find(1, "attribute"), flag(arguments, 0, "case_sensitive"));
    std::vector<Value> kept;
    std::vector<size_t> seen;
    for (size_t i = 0; i < items.size() && !sandbox.failed(); ++i) {
        if (std::ranges::none_of(seen, [&](size_t k) { return isEqual(sandbox, keys[k], keys[i]); })) {
            seen.push_back(i);
            kept.push_back(items[i]);
        }
    }
    return sandbox.list(std::move(kept));
}

Value groupBy(Sandbox& sandbox, const Value& input, const Arguments& arguments)
{
    const Value* attribute = arguments.find(0, "attribute");
    std::vector<Value> items = itemsOf(sandbox, input);
    std::vector<Value> keys = foldedKeys(sandbox, items, attribute, flag(arguments, 2, "case_sensitive"));
    sortBy(sandbox, items, keys, false);
    keys = foldedKeys(sandbox, items, attribute, flag(arguments, 2, "case_sensitive"));
    std::vector<Value> groups;
    for (size_t begin = 0; begin < items.size() && !sandbox.failed();) {
        size_t end = begin + 1;
        while (end < items.size() && isEqual(sandbox, keys[begin], keys[end])) {
            ++end;
        }
        std::vector<Value> members(
            items.begin() + static_cast<std::ptrdiff_t>(begin), items.begin() + static_cast<std::ptrdiff_t>(end));
        groups.push_back(
            sandbox.list({follow(sandbox, items[begin], attribute), sandbox.list(std::move(members))}, true));
        begin = end;
    }
    return sandbox.list(std::move(groups));
}

/// batch(n, fill): rows of n items. slice(n, fill): n columns of about equal length.
Value batch(Sandbox& sandbox, const Value& input, const Arguments& arguments)
{
    const int64_t size = integer(sandbox, arguments, 0, "linecount", 0);
    const Value* fill = arguments.find(1, "fill_with");
    if (size < 1) {
        return sandbox.fail("'batch' needs a positive number");
    }
    std::vector<Value> rows;
    std::vector<Value> row;
    for (const Value& item : itemsOf(sandbox, input)) {
        row.push_back(item);
        if (static_cast<int64_t>(row.size()) == size) {
            rows.push_back(sandbox.list(std::exchange(row, {})));
        }
    }
    if (!row.empty()) {
        if (fill && sandbox.spend(static_cast<size_t>(size))
            && sandbox.admits(static_cast<size_t>(size) * sizeof(Value))) {
            row.resize(static_cast<size_t>(size), *fill);
        }
        rows.push_back(sandbox.list(std::move(row)));
    }
    return sandbox.list(std::move(rows));
}

Value columns(Sandbox& sandbox, const Value& input, const Arguments& arguments)
{
    const int64_t count = integer(sandbox, arguments, 0, "slices", 0);
    const Value* fill = arguments.find(1, "fill_with");
    if (count < 1) {
        return sandbox.fail("'slice' needs a positive number");
    }
    if (!sandbox.spend(static_cast<size_t>(count))) {
        return {};
    }
    const std::vector<Value> items = itemsOf(sandbox, input);
    const auto length = static_cast<int64_t>(items.size());
    std::vector<Value> result;
    int64_t begin = 0;
    for (int64_t i = 0; i < count && !sandbox.failed(); ++i) {
        const int64_t end = begin + length / count + (i < length % count ? 1 : 0);
        std::vector<Value> column(items.begin() + begin, items.begin() + end);
        if (fill && i >= length % count && length % count != 0) {
            column.push_back(*fill);
        }
        result.push_back(sandbox.list(std::move(column)));
        begin = end;
    }
    return sandbox.list(std::move(result));
}

Value join(Sandbox& sandbox, const Value& input, const Arguments& arguments)
{
    const Text between = text(sandbox, arguments, 0, "d", "");
    const Value* attribute = arguments.find(1, "attribute");
    TextBuilder out(sandbox);
    bool first = true;
    for (const Value& item : itemsOf(sandbox, input)) {
        if (!first) {
            out.add(between);
        }
        first = false;
        appendString(out, sandbox, follow(sandbox, item, attribute));
    }
    return out.finish();
}

Value indent(Sandbox& sandbox, const Value& input, const Arguments& arguments)
{
    const Value* width = arguments.find(0, "width");
    Text prefix;
    if (width && width->is(Kind::String)) {
        prefix = width->text();
    } else {
        const int64_t spaces = integer(sandbox, arguments, 0, "width", 4);
        if (!sandbox.admits(static_cast<size_t>(std::max<int64_t>(spaces, 0)))) {
            return {};
        }
        prefix = Text(std::string(static_cast<size_t>(std::max<int64_t>(spaces, 0)), ' '), true);
    }
    const bool first = flag(arguments, 1, "first");
    const bool blank = flag(arguments, 2, "blank");
    const Text lines = toText(sandbox, input);
    TextBuilder out(sandbox);
    for (size_t begin = 0; !sandbox.failed();) {
        const size_t newline = lines.bytes().find('\n', begin);
        const size_t end = std::min(newline, lines.size());
        if ((begin > 0 || first) && (blank || end > begin)) {
            out.add(prefix);
        }
        out.add(lines, begin, newline == std::string::npos ? end : end + 1);
        if (newline == std::string::npos) {
            break;
        }
        begin = end + 1;
    }
    return out.finish();
}

Value toJson(Sandbox& sandbox, const Value& input, const Arguments& arguments)
{
    JsonStyle style;
    // The arguments of the tojson that chat templates are written for, not of Jinja's: ensure_ascii comes first.
    const Value* width = arguments.find(1, "indent");
    if (width && width->is(Kind::Integer)) {
        const auto spaces = static_cast<size_t>(std::clamp<int64_t>(width->integerValue(), 0, 1000));
        style.indent = Text(std::string(spaces, ' '), true);
    } else if (width && width->is(Kind::String)) {
        style.indent = width->text();
    }
    if (style.indent) {
        style.itemSeparator = Text(",", true);
    }
    const Value* separators = arguments.find(2, "separators");
    if (separators && separators->is(Kind::List) && separators->list()->items.size() == 2) {
        style.itemSeparator = toText(sandbox, separators->list()->items[0]);
        style.keySeparator = toText(sandbox, separators->list()->items[1]);
    }
    style.sortKeys = flag(arguments, 3, "sort_keys");
    TextBuilder out(sandbox);
    appendJson(out, sandbox, input, style);
    return out.finish();
}

Value toInteger(Sandbox& sandbox, const Value& input, const Arguments& arguments)
{
    const Value* given = arguments.find(0, "default");
    const Value fallback = given ? *given : Value::integer(0);
    if (input.is(Kind::Integer) || input.is(Kind::Boolean)) {
        return Value::integer(input.integerValue());
    }
    if (input.is(Kind::Real)) {
        const double value = input.realValue();
        return std::abs(value) < 0x1p63 ? Value::integer(static_cast<int64_t>(value)) : fallback;
    }
    if (!input.is(Kind::String)) {
        return fallback;
    }
    const std::string trimmed = strip(input.text(), true, true).bytes();
    const size_t sign = trimmed.starts_with("+") ? 1 : 0;
    const int64_t base = std::clamp<int64_t>(integer(sandbox, arguments, 1, "base", 10), 2, 36);
    int64_t value = 0;
    const char* end = trimmed.data() + trimmed.size();
    const auto [stop, error] = std::from_chars(trimmed.data() + sign, end, value, static_cast<int>(base));
    if (error == std::errc() && stop == end && !trimmed.empty()) {
        return Value::integer(value);
    }
    double real = 0;
    const auto [realStop, realError] = std::from_chars(trimmed.data() + sign, end, real);
    return realError == std::errc() && realStop == end && !trimmed.empty() && std::abs(real) < 0x1p63
        ? Value::integer(static_cast<int64_t>(real))
        : fallback;
}

Value toReal(Sandbox&, const Value& input, const Arguments& arguments)
{
    const Value* given = arguments.find(0, "default");
    const Value fallback = given ? *given : Value::real(0);
    if (input.isNumber()) {
        return Value::real(input.realValue());
    }
    if (!input.is(Kind::String)) {
        return fallback;
    }
    const std::string trimmed = strip(input.text(), true, true).bytes();
    const size_t sign = trimmed.starts_with("+") ? 1 : 0;
    double real = 0;
    const char* end = trimmed.data() + trimmed.size();
    const auto [stop, error] = std::from_chars(trimmed.data() + sign, end, real);
    return error == std::errc() && stop == end && !trimmed.empty() ? Value::real(real) : fallback;
}

Value round(Sandbox& sandbox, const Value& input, const Arguments& arguments)
{
    if (!input.isNumber()) {
        return sandbox.fail("'round' needs a number");
    }
    const int64_t digits = std::clamp<int64_t>(integer(sandbox, arguments, 0, "precision", 0), -300, 300);
    const std::string method = text(sandbox, arguments, 1, "method", "common").bytes();
    const double scale = std::pow(10.0, static_cast<double>(digits));
    const double scaled = input.realValue() * scale;
    const double rounded = method == "ceil" ? std::ceil(scaled)
        : method == "floor"                 ? std::floor(scaled)
                                            : std::nearbyint(scaled);
    return Value::real(std::isfinite(scaled) ? rounded / scale : input.realValue());
}

Value sum(Sandbox& sandbox, const Value& input, const Arguments& arguments)
{
    const Value* start = arguments.find(1, "start");
    Value total = start ? *start : Value::integer(0);
    for (const Value& item : itemsOf(sandbox, input)) {
        total = calculate(
            sandbox, Expression::Operation::Add, total, follow(sandbox, item, arguments.find(0, "attribute")));
    }
    return total;
}

Value reverse(Sandbox& sandbox, const Value& input, const Arguments&)
{
    std::vector<Value> items = itemsOf(sandbox, input);
    std::ranges::reverse(items);
    if (!input.is(Kind::String)) {
        return sandbox.list(std::move(items));
    }
    TextBuilder out(sandbox);
    for (const Value& item : items) {
        appendString(out, sandbox, item);
    }
    return out.finish();
}

Value edge(Sandbox& sandbox, const Value& input, bool last)
{
    const std::vector<Value> items = itemsOf(sandbox, input);
    return items.empty() ? Value() : last ? items.back() : items.front();
}

Value escape(Sandbox& sandbox, const Value& input, const Arguments&)
{
    if (input.isSafe()) {
        return input;
    }
    TextBuilder out(sandbox);
    appendEscaped(out, toText(sandbox, input));
    return sandbox.string(out.take(), true);
}

Value urlEncode(Sandbox& sandbox, const Value& input, const Arguments&)
{
    const Text source = toText(sandbox, input);
    TextBuilder out(sandbox);
    for (size_t i = 0; i < source.size() && !sandbox.failed(); ++i) {
        const auto byte = static_cast<unsigned char>(source.bytes()[i]);
        const bool isSafe = byte < 0x80
            && (std::isalnum(byte) || std::string_view("_.-~/").find(source.bytes()[i]) != std::string_view::npos);
        if (isSafe) {
            out.add(source, i, i + 1);
        } else {
            constexpr std::string_view digits = "0123456789ABCDEF";
            const char code[] = {'%', digits[byte >> 4], digits[byte & 15]};
            out.add(std::string_view(code, 3), source.trustedAt(i));
        }
    }
    return out.finish();
}

Value truncate(Sandbox& sandbox, const Value& input, const Arguments& arguments)
{
    const int64_t length = std::max<int64_t>(0, integer(sandbox, arguments, 0, "length", 255));
    const bool kills = flag(arguments, 1, "killwords");
    const Text end = text(sandbox, arguments, 2, "end", "...");
    const int64_t leeway = integer(sandbox, arguments, 3, "leeway", 5);
    const Text source = toText(sandbox, input);
    const std::vector<size_t> offsets = characterOffsets(sandbox, source);
    const auto count = static_cast<int64_t>(offsets.size()) - 1;
    if (count <= length + std::clamp<int64_t>(leeway, 0, INT32_MAX)) {
        return sandbox.string(source);
    }
    const auto ending = static_cast<int64_t>(characterOffsets(sandbox, end).size()) - 1;
    Text kept = source.slice(0, offsets[static_cast<size_t>(std::max<int64_t>(0, length - ending))]);
    if (!kills) {
        const size_t space = kept.bytes().rfind(' ');
        kept = space == std::string::npos ? kept : kept.slice(0, space);
    }
    TextBuilder out(sandbox);
    out.add(kept);
    out.add(end);
    return out.finish();
}

Value items(Sandbox& sandbox, const Value& input, const Arguments&)
{
    if (input.isUndefined()) {
        return sandbox.list({});
    }
    if (!input.is(Kind::Dict)) {
        return sandbox.fail("'items' needs a dict");
    }
    return callMethod(sandbox, input, "items", {});
}

Value trim(Sandbox& sandbox, const Value& input, const Arguments& arguments)
{
    const Value* given = arguments.find(0, "chars");
    const bool hasCharacters = given && !given->is(Kind::None);
    const Text characters = hasCharacters ? toText(sandbox, *given) : Text();
    return sandbox.string(strip(toText(sandbox, input), true, true, hasCharacters ? &characters : nullptr));
}

template <Case wanted> Value changed(Sandbox& sandbox, const Value& input, const Arguments&)
{
    return sandbox.string(changeCase(sandbox, toText(sandbox, input), wanted));
}

Value asString(Sandbox& sandbox, const Value& input, const Arguments&)
{
    return input.is(Kind::String) ? input : sandbox.string(toText(sandbox, input));
}

Value length(Sandbox& sandbox, const Value& input, const Arguments&)
{
    return Value::integer(static_cast<int64_t>(lengthOf(sandbox, input)));
}

struct NamedFilter {
    std::string_view name;
    FilterFunction function;
};

constexpr NamedFilter kFilters[] = {
    {"abs",
        [](Sandbox& sandbox, const Value& input, const Arguments&) {
            return input.is(Kind::Real)                                ? Value::real(std::abs(input.realValue()))
                : input.isNumber() && input.integerValue() > INT64_MIN ? Value::integer(std::abs(input.integerValue()))
                                                                       : sandbox.fail("'abs' needs a number");
        }},
    {"attr",
        [](Sandbox& sandbox, const Value& input, const Arguments& arguments) {
            return attributeOf(sandbox, input, text(sandbox, arguments, 0, "name", "").bytes());
        }},
    {"batch", batch},
    {"capitalize", changed<Case::Capital>},
    {"center",
        [](Sandbox& sandbox, const Value& input, const Arguments& arguments) {
            const Arguments width{{Value::integer(integer(sandbox, arguments, 0, "width", 80))}, {}};
            return callMethod(sandbox, asString(sandbox, input, {}), "center", width);
        }},
    {"count", length},
    {"d", defaultTo},
    {"default", defaultTo},
    {"dictsort", sortDict},
    {"e", escape},
    {"escape", escape},
    {"first", [](Sandbox& sandbox, const Value& input, const Arguments&) { return edge(sandbox, input, false); }},
    {"float", toReal},
    {"forceescape", escape},
    {"format",
        [](Sandbox& sandbox, const Value& input, const Arguments& arguments) {
            return formatPercent(sandbox, toText(sandbox, input), arguments.positional);
        }},
    {"groupby", groupBy},
    {"indent", indent},
    {"int", toInteger},
    {"items", items},
    {"join", join},
    {"last", [](Sandbox& sandbox, const Value& input, const Arguments&) { return edge(sandbox, input, true); }},
    {"length", length},
    {"list",
        [](Sandbox& sandbox, const Value& input, const Arguments&) { return sandbox.list(itemsOf(sandbox, input)); }},
    {"lower", changed<Case::Lower>},
    {"map", map},
    {"max", [](Sandbox& sandbox, const Value& input, const Arguments& a) { return extreme(sandbox, input, a, true); }},
    {"min", [](Sandbox& sandbox, const Value& input, const Arguments& a) { return extreme(sandbox, input, a, false); }},
    {"pprint",
        [](Sandbox& sandbox, const Value& input, const Arguments&) {
            TextBuilder out(sandbox);
            appendRepr(out, sandbox, input);
            return out.finish();
        }},
    {"reject",
        [](Sandbox& sandbox, const Value& input, const Arguments& a) {
            return choose(sandbox, input, a, false, false);
        }},
    {"rejectattr",
        [](Sandbox& sandbox, const Value& input, const Arguments& a) {
            return choose(sandbox, input, a, true, false);
        }},
    {"replace",
        [](Sandbox& sandbox, const Value& input, const Arguments& arguments) {
            return sandbox.string(replaceAll(sandbox, toText(sandbox, input), text(sandbox, arguments, 0, "old", ""),
                text(sandbox, arguments, 1, "new", ""), integer(sandbox, arguments, 2, "count", -1)));
        }},
    {"reverse", reverse},
    {"round", round},
    {"safe",
        [](Sandbox& sandbox, const Value& input, const Arguments&) {
            return sandbox.string(toText(sandbox, input), true);
        }},
    {"select",
        [](Sandbox& sandbox, const Value& input, const Arguments& a) {
            return choose(sandbox, input, a, false, true);
        }},
    {"selectattr",
        [](Sandbox& sandbox, const Value& input, const Arguments& a) { return choose(sandbox, input, a, true, true); }},
    {"slice", columns},
    {"sort", sort},
    {"string", asString},
    {"sum", sum},
    {"title", changed<Case::Title>},
    {"tojson", toJson},
    {"trim", trim},
    {"truncate", truncate},
    {"unique", unique},
    {"upper", changed<Case::Upper>},
    {"urlencode", urlEncode},
    {"wordcount",
        [](Sandbox& sandbox, const Value& input, const Arguments&) {
            const Value words = callMethod(sandbox, asString(sandbox, input, {}), "split", {});
            return Value::integer(static_cast<int64_t>(lengthOf(sandbox, words)));
        }},
};

} // namespace

const Value* Arguments::find(size_t index, std::string_view name) const
{
    if (index < positional.size()) {
        return &positional[index];
    }
    const auto found = std::ranges::find_if(named, [&](const auto& argument) { return argument.name == name; });
    return found == named.end() || name.empty() ? nullptr : &found->value;
}

FilterFunction findFilter(std::string_view name)
{
    const auto found = std::ranges::find(kFilters, name, &NamedFilter::name);
    return found == std::end(kFilters) ? nullptr : found->function;
}

} // namespace kvasir::jinja
