#include "text/jinja/operations.h"

#include "base/utf8.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unicode/uchar.h>

namespace kvasir::jinja {

using Kind = Value::Kind;
using Operation = Expression::Operation;

namespace {

bool isTooDeep(Sandbox& sandbox, int depth)
{
    if (depth > sandbox.limits().valueDepth) {
        sandbox.exceed("depth");
    }
    return !sandbox.spend();
}

bool isPrintable(char32_t c)
{
    constexpr uint32_t hidden = U_GC_C_MASK | U_GC_Z_MASK;
    return c == ' ' || !(U_GET_GC_MASK(static_cast<UChar32>(c)) & hidden);
}

std::string hexadecimal(char32_t value, int digits)
{
    std::string result(static_cast<size_t>(digits), '0');
    for (size_t i = result.size(); i > 0; --i, value >>= 4) {
        result[i - 1] = "0123456789abcdef"[value & 15];
    }
    return result;
}

void appendStringRepr(TextBuilder& out, const Text& text)
{
    const std::string& bytes = text.bytes();
    const bool doubles = bytes.find('\'') != std::string::npos && bytes.find('"') == std::string::npos;
    const char quote = doubles ? '"' : '\'';
    out.add(std::string_view(&quote, 1));
    size_t plain = 0;
    for (size_t position = 0; position < bytes.size();) {
        const Utf8Step step = readUtf8(bytes, position);
        std::string escape;
        switch (step.scalar) {
        case '\n':
            escape = "\\n";
            break;
        case '\r':
            escape = "\\r";
            break;
        case '\t':
            escape = "\\t";
            break;
        case '\\':
            escape = "\\\\";
            break;
        default:
            if (step.scalar == static_cast<unsigned char>(quote)) {
                escape = std::string("\\") + quote;
            } else if (!isPrintable(step.scalar)) {
                escape = step.scalar < 0x100 ? "\\x" + hexadecimal(step.scalar, 2)
                    : step.scalar < 0x10000  ? "\\u" + hexadecimal(step.scalar, 4)
                                             : "\\U" + hexadecimal(step.scalar, 8);
            }
        }
        if (!escape.empty()) {
            out.add(text, plain, position);
            out.add(escape, text.trustedAt(position));
            plain = position + step.length;
        }
        position += step.length;
    }
    out.add(text, plain);
    out.add(std::string_view(&quote, 1));
}

void appendJsonString(TextBuilder& out, const Text& text)
{
    const std::string& bytes = text.bytes();
    out.add("\"");
    size_t plain = 0;
    for (size_t i = 0; i < bytes.size(); ++i) {
        const auto byte = static_cast<unsigned char>(bytes[i]);
        if (byte >= 0x20 && byte != '"' && byte != '\\') {
            continue;
        }
        constexpr std::string_view named = "\"\\\b\f\n\r\t";
        constexpr std::string_view letters = "\"\\bfnrt";
        const size_t known = named.find(bytes[i]);
        out.add(text, plain, i);
        out.add(known != std::string_view::npos ? std::string("\\") + letters[known] : "\\u" + hexadecimal(byte, 4),
            text.trustedAt(i));
        plain = i + 1;
    }
    out.add(text, plain);
    out.add("\"");
}

/// Begins a line at this depth, where there is an indent.
void appendJsonBreak(TextBuilder& out, const JsonStyle& style, int depth)
{
    if (style.indent) {
        out.add("\n");
        for (int i = 0; i < depth; ++i) {
            out.add(*style.indent);
        }
    }
}

Value failOrder(Sandbox& sandbox, const Value& left, const Value& right)
{
    return sandbox.fail(
        "'" + std::string(left.kindName()) + "' and '" + std::string(right.kindName()) + "' cannot be ordered");
}

Value missing(Sandbox& sandbox, const Value& value)
{
    const std::string* name = value.missingName();
    return sandbox.fail(name ? "'" + *name + "' is undefined" : "a value is undefined");
}

Value calculateIntegers(Sandbox& sandbox, Operation operation, int64_t left, int64_t right)
{
    int64_t result = 0;
    bool overflows = false;
    switch (operation) {
    case Operation::Add:
        overflows = __builtin_add_overflow(left, right, &result);
        break;
    case Operation::Subtract:
        overflows = __builtin_sub_overflow(left, right, &result);
        break;
    case Operation::Multiply:
        overflows = __builtin_mul_overflow(left, right, &result);
        break;
    case Operation::FloorDivide:
    case Operation::Modulo: {
        if (right == 0) {
            return sandbox.fail("division by zero");
        }
        if (right == -1) { // the one quotient that may not fit
            overflows = operation == Operation::FloorDivide && __builtin_sub_overflow(int64_t(0), left, &result);
            break;
        }
        const bool isUneven = left % right != 0 && (left < 0) != (right < 0);
        result = operation == Operation::FloorDivide ? left / right - isUneven : left % right + (isUneven ? right : 0);
        break;
    }
    case Operation::Power:
        if (right < 0) {
            return Value::real(std::pow(static_cast<double>(left), static_cast<double>(right)));
        }
        result = 1;
        for (int64_t base = left; right > 0 && !overflows; right >>= 1) {
            if (right & 1) {
                overflows = __builtin_mul_overflow(result, base, &result);
            }
            if (right > 1) {
                overflows = __builtin_mul_overflow(base, base, &base) || overflows;
            }
        }
        break;
    default:
        break;
    }
    return overflows ? sandbox.fail("a number is too large") : Value::integer(result);
}

Value calculateReals(Sandbox& sandbox, Operation operation, double left, double right)
{
    switch (operation) {
    case Operation::Add:
        return Value::real(left + right);
    case Operation::Subtract:
        return Value::real(left - right);
    case Operation::Multiply:
        return Value::real(left * right);
    case Operation::Power:
        return Value::real(std::pow(left, right));
    default:
        break;
    }
    if (right == 0) {
        return sandbox.fail("division by zero");
    }
    if (operation == Operation::Divide) {
        return Value::real(left / right);
    }
    if (operation == Operation::FloorDivide) {
        return Value::real(std::floor(left / right));
    }
    const double rest = std::fmod(left, right);
    return Value::real(rest != 0 && (rest < 0) != (right < 0) ? rest + right : rest);
}

/// Both as strings; if one of them is HTML, the other is escaped.
Value joinStrings(Sandbox& sandbox, const Value& left, const Value& right)
{
    const bool isSafe = left.isSafe() || right.isSafe();
    TextBuilder out(sandbox);
    for (const Value* value : {&left, &right}) {
        if (isSafe && !value->isSafe()) {
            appendEscaped(out, toText(sandbox, *value));
        } else {
            appendString(out, sandbox, *value);
        }
    }
    return sandbox.string(out.take(), isSafe);
}

Value repeat(Sandbox& sandbox, const Value& value, int64_t count)
{
    count = std::max<int64_t>(count, 0);
    if (value.is(Kind::String)) {
        TextBuilder out(sandbox);
        for (int64_t i = 0; i < count && !sandbox.failed() && !value.text().empty(); ++i) {
            out.add(value.text());
        }
        return out.finish();
    }
    const std::vector<Value>& items = value.list()->items;
    std::vector<Value> result;
    for (int64_t i = 0; i < count && !items.empty(); ++i) {
        if (!sandbox.spend(items.size()) || !sandbox.admits((result.size() + items.size()) * sizeof(Value))) {
            return {};
        }
        result.insert(result.end(), items.begin(), items.end());
    }
    return sandbox.list(std::move(result), value.list()->isTuple);
}

std::string_view symbolOf(Operation operation)
{
    constexpr std::string_view symbols[] = {"+", "-", "*", "/", "//", "%", "**", "~"};
    return symbols[static_cast<size_t>(operation)];
}

/// One of Python's slice bounds, put into [low, high].
int64_t clampIndex(int64_t index, int64_t length, int64_t low, int64_t high)
{
    return std::clamp(index < 0 ? index + length : index, low, high);
}

} // namespace

Value fromJson(Sandbox& sandbox, const nlohmann::ordered_json& json, int depth)
{
    if (isTooDeep(sandbox, depth + 1)) {
        return {};
    }
    using Json = nlohmann::ordered_json::value_t;
    switch (json.type()) {
    case Json::boolean:
        return Value::boolean(json.get<bool>());
    case Json::number_integer:
        return Value::integer(json.get<int64_t>());
    case Json::number_unsigned:
        return json.get<uint64_t>() <= INT64_MAX ? Value::integer(json.get<int64_t>())
                                                 : Value::real(json.get<double>());
    case Json::number_float:
        return Value::real(json.get<double>());
    case Json::string:
        sandbox.spendBytes(json.get_ref<const std::string&>().size());
        return sandbox.string(Text(json.get_ref<const std::string&>(), false));
    case Json::array: {
        std::vector<Value> items;
        for (const auto& item : json) {
            items.push_back(fromJson(sandbox, item, depth + 1));
        }
        return sandbox.list(std::move(items));
    }
    case Json::object: {
        std::vector<std::pair<Value, Value>> entries;
        for (const auto& [key, item] : json.items()) {
            entries.emplace_back(sandbox.string(Text(key, false)), fromJson(sandbox, item, depth + 1));
        }
        return sandbox.dict(std::move(entries));
    }
    default:
        return Value::none();
    }
}

std::string realToString(double value)
{
    if (std::isnan(value)) {
        return "nan";
    }
    if (std::isinf(value)) {
        return value < 0 ? "-inf" : "inf";
    }
    char buffer[64];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific).ptr;
    const std::string text(buffer, end);
    const size_t e = text.find('e');
    const int exponent = std::stoi(text.substr(e + 1));
    if (exponent < -4 || exponent >= 16) {
        return text;
    }
    const auto fixedEnd = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed).ptr;
    std::string fixed(buffer, fixedEnd);
    return fixed.find('.') == std::string::npos ? fixed + ".0" : fixed;
}

void appendString(TextBuilder& out, Sandbox& sandbox, const Value& value)
{
    if (value.is(Kind::String)) {
        out.add(value.text());
    } else if (!value.isUndefined()) {
        appendRepr(out, sandbox, value);
    }
}

void appendEscaped(TextBuilder& out, const Text& text)
{
    size_t plain = 0;
    for (size_t i = 0; i < text.size(); ++i) {
        constexpr std::string_view special = "&<>\"'";
        constexpr std::string_view names[] = {"&amp;", "&lt;", "&gt;", "&#34;", "&#39;"};
        if (const size_t known = special.find(text.bytes()[i]); known != std::string_view::npos) {
            out.add(text, plain, i);
            out.add(names[known], text.trustedAt(i));
            plain = i + 1;
        }
    }
    out.add(text, plain);
}

Text toText(Sandbox& sandbox, const Value& value)
{
    TextBuilder out(sandbox);
    appendString(out, sandbox, value);
    return out.take();
}

void appendRepr(TextBuilder& out, Sandbox& sandbox, const Value& value, int depth)
{
    if (isTooDeep(sandbox, depth)) {
        return;
    }
    switch (value.kind()) {
    case Kind::Undefined:
        out.add("Undefined");
        break;
    case Kind::None:
        out.add("None");
        break;
    case Kind::Boolean:
        out.add(value.booleanValue() ? "True" : "False");
        break;
    case Kind::Integer:
        out.add(std::to_string(value.integerValue()));
        break;
    case Kind::Real:
        out.add(realToString(value.realValue()));
        break;
    case Kind::String:
        appendStringRepr(out, value.text());
        break;
    case Kind::List: {
        const List& list = *value.list();
        out.add(list.isTuple ? "(" : "[");
        for (size_t i = 0; i < list.items.size() && !sandbox.failed(); ++i) {
            out.add(i == 0 ? "" : ", ");
            appendRepr(out, sandbox, list.items[i], depth + 1);
        }
        out.add(list.isTuple && list.items.size() == 1 ? "," : "");
        out.add(list.isTuple ? ")" : "]");
        break;
    }
    case Kind::Dict: {
        const Dict& dict = *value.dict();
        out.add(dict.isNamespace ? "<Namespace {" : "{");
        for (size_t i = 0; i < dict.entries.size() && !sandbox.failed(); ++i) {
            out.add(i == 0 ? "" : ", ");
            appendRepr(out, sandbox, dict.entries[i].first, depth + 1);
            out.add(": ");
            appendRepr(out, sandbox, dict.entries[i].second, depth + 1);
        }
        out.add(dict.isNamespace ? "}>" : "}");
        break;
    }
    case Kind::Function:
        out.add("<function " + value.function().name + ">");
        break;
    case Kind::Loop:
        out.add("<loop>");
        break;
    }
}

void appendJson(TextBuilder& out, Sandbox& sandbox, const Value& value, const JsonStyle& style, int depth)
{
    if (isTooDeep(sandbox, depth)) {
        return;
    }
    switch (value.kind()) {
    case Kind::None:
        out.add("null");
        break;
    case Kind::Boolean:
        out.add(value.booleanValue() ? "true" : "false");
        break;
    case Kind::Real: {
        const std::string text = realToString(value.realValue());
        out.add(text == "nan" ? "NaN" : text == "inf" ? "Infinity" : text == "-inf" ? "-Infinity" : text);
        break;
    }
    case Kind::Integer:
        out.add(std::to_string(value.integerValue()));
        break;
    case Kind::String:
        appendJsonString(out, value.text());
        break;
    case Kind::List: {
        const std::vector<Value>& items = value.list()->items;
        out.add("[");
        for (size_t i = 0; i < items.size() && !sandbox.failed(); ++i) {
            if (i != 0) {
                out.add(style.itemSeparator);
            }
            appendJsonBreak(out, style, depth + 1);
            appendJson(out, sandbox, items[i], style, depth + 1);
        }
        if (!items.empty()) {
            appendJsonBreak(out, style, depth);
        }
        out.add("]");
        break;
    }
    case Kind::Dict: {
        std::vector<std::pair<Value, Value>> sorted;
        if (style.sortKeys) {
            sorted = value.dict()->entries;
            std::ranges::stable_sort(sorted, {}, [](const auto& entry) {
                return entry.first.is(Kind::String) ? std::string_view(entry.first.bytes()) : std::string_view();
            });
        }
        const auto& entries = style.sortKeys ? sorted : value.dict()->entries;
        out.add("{");
        for (size_t i = 0; i < entries.size() && !sandbox.failed(); ++i) {
            if (i != 0) {
                out.add(style.itemSeparator);
            }
            appendJsonBreak(out, style, depth + 1);
            const Value& key = entries[i].first;
            if (key.is(Kind::String)) {
                appendJsonString(out, key.text());
            } else {
                out.add("\"");
                appendJson(out, sandbox, key, style, depth + 1);
                out.add("\"");
            }
            out.add(style.keySeparator);
            appendJson(out, sandbox, entries[i].second, style, depth + 1);
        }
        if (!entries.empty()) {
            appendJsonBreak(out, style, depth);
        }
        out.add("}");
        break;
    }
    default:
        sandbox.fail("a value of the kind '" + std::string(value.kindName()) + "' cannot be written as JSON");
    }
}

bool isEqual(Sandbox& sandbox, const Value& left, const Value& right, int depth)
{
    if (isTooDeep(sandbox, depth)) {
        return false;
    }
    if (left.is(Kind::List) && right.is(Kind::List) && left.list() != right.list()) {
        const List& a = *left.list();
        const List& b = *right.list();
        return a.isTuple == b.isTuple && std::ranges::equal(a.items, b.items, [&](const Value& x, const Value& y) {
            return isEqual(sandbox, x, y, depth + 1);
        });
    }
    if (left.is(Kind::Dict) && right.is(Kind::Dict) && left.dict() != right.dict()) {
        const Dict& a = *left.dict();
        const Dict& b = *right.dict();
        return !a.isNamespace && !b.isNamespace && a.entries.size() == b.entries.size()
            && std::ranges::all_of(a.entries, [&](const auto& entry) {
                   sandbox.spend(b.entries.size() / 8);
                   const Value* other = b.find(entry.first);
                   return other && isEqual(sandbox, entry.second, *other, depth + 1);
               });
    }
    if (left.is(Kind::String)) {
        sandbox.spendBytes(left.text().size());
    }
    return isSameScalar(left, right);
}

bool isLess(Sandbox& sandbox, const Value& left, const Value& right, int depth)
{
    if (isTooDeep(sandbox, depth)) {
        return false;
    }
    if (left.isNumber() && right.isNumber()) {
        const bool real = left.is(Kind::Real) || right.is(Kind::Real);
        return real ? left.realValue() < right.realValue() : left.integerValue() < right.integerValue();
    }
    if (left.is(Kind::String) && right.is(Kind::String)) {
        sandbox.spendBytes(std::min(left.text().size(), right.text().size()));
        return left.bytes() < right.bytes(); // UTF-8 keeps the order of code points
    }
    if (left.is(Kind::List) && right.is(Kind::List)) {
        const std::vector<Value>& a = left.list()->items;
        const std::vector<Value>& b = right.list()->items;
        for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
            if (!isEqual(sandbox, a[i], b[i], depth + 1)) {
                return isLess(sandbox, a[i], b[i], depth + 1);
            }
        }
        return a.size() < b.size();
    }
    failOrder(sandbox, left, right);
    return false;
}

bool contains(Sandbox& sandbox, const Value& container, const Value& item)
{
    switch (container.kind()) {
    case Kind::Undefined:
        return false;
    case Kind::String:
        if (!item.is(Kind::String)) {
            sandbox.fail("'in' needs a string on its left side, not '" + std::string(item.kindName()) + "'");
            return false;
        }
        sandbox.spendBytes(container.text().size());
        return container.bytes().find(item.bytes()) != std::string::npos;
    case Kind::List:
        return std::ranges::any_of(container.list()->items,
            [&](const Value& value) { return !sandbox.failed() && isEqual(sandbox, value, item); });
    case Kind::Dict:
        sandbox.spend(1 + container.dict()->entries.size() / 8);
        return container.dict()->find(item) != nullptr;
    default:
        sandbox.fail("'in' cannot look into '" + std::string(container.kindName()) + "'");
        return false;
    }
}

Value calculate(Sandbox& sandbox, Operation operation, const Value& left, const Value& right)
{
    if (operation == Operation::Concatenate) {
        return joinStrings(sandbox, left, right);
    }
    if (left.isUndefined() || right.isUndefined()) {
        return missing(sandbox, left.isUndefined() ? left : right);
    }
    if (left.isNumber() && right.isNumber()) {
        const bool real = left.is(Kind::Real) || right.is(Kind::Real) || operation == Operation::Divide;
        return real ? calculateReals(sandbox, operation, left.realValue(), right.realValue())
                    : calculateIntegers(sandbox, operation, left.integerValue(), right.integerValue());
    }
    const auto isSequence = [](const Value& value) { return value.is(Kind::String) || value.is(Kind::List); };
    if (operation == Operation::Add && left.is(Kind::String) && right.is(Kind::String)) {
        return joinStrings(sandbox, left, right);
    }
    if (operation == Operation::Add && left.is(Kind::List) && right.is(Kind::List)) {
        std::vector<Value> items = left.list()->items;
        items.insert(items.end(), right.list()->items.begin(), right.list()->items.end());
        return sandbox.list(std::move(items), left.list()->isTuple);
    }
    if (operation == Operation::Multiply && isSequence(left) && right.is(Kind::Integer)) {
        return repeat(sandbox, left, right.integerValue());
    }
    if (operation == Operation::Multiply && left.is(Kind::Integer) && isSequence(right)) {
        return repeat(sandbox, right, left.integerValue());
    }
    if (operation == Operation::Modulo && left.is(Kind::String)) {
        const bool isTuple = right.is(Kind::List) && right.list()->isTuple;
        return formatPercent(sandbox, left.text(), isTuple ? right.list()->items : std::vector<Value>{right});
    }
    return sandbox.fail("'" + std::string(symbolOf(operation)) + "' does not take '" + std::string(left.kindName())
        + "' and '" + std::string(right.kindName()) + "'");
}

Value formatPercent(Sandbox& sandbox, const Text& format, const std::vector<Value>& values)
{
    const std::string& bytes = format.bytes();
    TextBuilder out(sandbox);
    size_t used = 0;
    for (size_t i = 0; i < bytes.size() && !sandbox.failed();) {
        const size_t percent = bytes.find('%', i);
        out.add(format, i, percent);
        if (percent == std::string::npos) {
            break;
        }
        size_t end = percent + 1;
        bool left = false;
        bool zero = false;
        for (; end < bytes.size() && (bytes[end] == '-' || bytes[end] == '0' || bytes[end] == '+'); ++end) {
            left = left || bytes[end] == '-';
            zero = zero || bytes[end] == '0';
        }
        const auto number = [&] {
            size_t value = 0;
            for (; end < bytes.size() && bytes[end] >= '0' && bytes[end] <= '9'; ++end) {
                value = std::min<size_t>(value * 10 + static_cast<size_t>(bytes[end] - '0'), 1'000'000);
            }
            return value;
        };
        const size_t width = number();
        int precision = -1;
        if (end < bytes.size() && bytes[end] == '.') {
            ++end;
            precision = static_cast<int>(std::min<size_t>(number(), 100));
        }
        const char kind = end < bytes.size() ? bytes[end] : char(0);
        i = end + 1;
        if (kind == '%') {
            out.add("%");
            continue;
        }
        if (used >= values.size()) {
            return sandbox.fail("not enough values for a format");
        }
        const Value& value = values[used++];
        TextBuilder item(sandbox);
        if (kind == 's') {
            appendString(item, sandbox, value);
        } else if (kind == 'r') {
            appendRepr(item, sandbox, value);
        } else if ((kind == 'd' || kind == 'i' || kind == 'x') && value.isNumber()) {
            const double real = value.realValue();
            const int64_t whole = !value.is(Kind::Real)          ? value.integerValue()
                : std::isfinite(real) && std::abs(real) < 0x1p62 ? static_cast<int64_t>(real)
                                                                 : 0;
            char buffer[32];
            const char* stop = std::to_chars(buffer, buffer + sizeof buffer, whole, kind == 'x' ? 16 : 10).ptr;
            item.add(std::string_view(buffer, stop));
        } else if ((kind == 'f' || kind == 'F' || kind == 'e' || kind == 'g') && value.isNumber()) {
            char buffer[512];
            const auto style = kind == 'e' ? std::chars_format::scientific
                : kind == 'g'              ? std::chars_format::general
                                           : std::chars_format::fixed;
            const char* stop =
                std::to_chars(buffer, buffer + sizeof buffer, value.realValue(), style, precision < 0 ? 6 : precision)
                    .ptr;
            item.add(std::string_view(buffer, stop));
        } else {
            return sandbox.fail(
                std::string("the format %") + kind + " does not take '" + std::string(value.kindName()) + "'");
        }
        const size_t length = characterOffsets(sandbox, item.text()).size() - 1;
        std::string padding(width > length ? width - length : 0, zero && !left && kind != 's' ? '0' : ' ');
        if (!left) {
            out.add(padding);
        }
        out.add(item.text());
        if (left) {
            out.add(padding);
        }
    }
    return out.finish();
}

Value attributeOf(Sandbox& sandbox, const Value& value, std::string_view name)
{
    switch (value.kind()) {
    case Kind::Undefined:
        return missing(sandbox, value);
    case Kind::Dict: {
        sandbox.spend(value.dict()->entries.size() / 8);
        const Value* found = value.dict()->find(name);
        return found ? *found : Value();
    }
    case Kind::Loop: {
        const LoopState& loop = *value.loop();
        const auto index = static_cast<int64_t>(loop.index);
        const auto length = static_cast<int64_t>(loop.items->items.size());
        const auto neighbour = [&](int64_t at) {
            return at >= 0 && at < length ? loop.items->items[static_cast<size_t>(at)] : Value();
        };
        return name == "index"    ? Value::integer(index + 1)
            : name == "index0"    ? Value::integer(index)
            : name == "first"     ? Value::boolean(index == 0)
            : name == "last"      ? Value::boolean(index + 1 == length)
            : name == "length"    ? Value::integer(length)
            : name == "revindex"  ? Value::integer(length - index)
            : name == "revindex0" ? Value::integer(length - index - 1)
            : name == "previtem"  ? neighbour(index - 1)
            : name == "nextitem"  ? neighbour(index + 1)
            : name == "depth"     ? Value::integer(loop.depth)
            : name == "depth0"    ? Value::integer(loop.depth - 1)
                                  : Value();
    }
    default:
        return {};
    }
}

Value itemOf(Sandbox& sandbox, const Value& value, const Value& key)
{
    switch (value.kind()) {
    case Kind::Undefined:
        return missing(sandbox, value);
    case Kind::Dict: {
        sandbox.spend(value.dict()->entries.size() / 8);
        const Value* found = value.dict()->find(key);
        return found ? *found : Value();
    }
    case Kind::List: {
        const std::vector<Value>& items = value.list()->items;
        if (!key.is(Kind::Integer) && !key.is(Kind::Boolean)) {
            return {};
        }
        const int64_t index = key.integerValue() + (key.integerValue() < 0 ? static_cast<int64_t>(items.size()) : 0);
        return index >= 0 && index < static_cast<int64_t>(items.size()) ? items[static_cast<size_t>(index)] : Value();
    }
    case Kind::String: {
        if (!key.is(Kind::Integer) && !key.is(Kind::Boolean)) {
            return {};
        }
        const std::vector<size_t> offsets = characterOffsets(sandbox, value.text());
        const auto length = static_cast<int64_t>(offsets.size()) - 1;
        const int64_t index = key.integerValue() + (key.integerValue() < 0 ? length : 0);
        if (index < 0 || index >= length) {
            return {};
        }
        const auto at = static_cast<size_t>(index);
        return sandbox.string(value.text().slice(offsets[at], offsets[at + 1]));
    }
    default:
        return key.is(Kind::String) ? attributeOf(sandbox, value, key.bytes()) : Value();
    }
}

Value sliceOf(Sandbox& sandbox, const Value& value, const Value& begin, const Value& end, const Value& step)
{
    if (value.isUndefined()) {
        return missing(sandbox, value);
    }
    if (!value.is(Kind::List) && !value.is(Kind::String)) {
        return {};
    }
    for (const Value* bound : {&begin, &end, &step}) {
        if (!bound->isUndefined() && !bound->is(Kind::None) && !bound->is(Kind::Integer)) {
            return sandbox.fail("a slice needs whole numbers");
        }
    }
    const bool isString = value.is(Kind::String);
    const std::vector<size_t> offsets = isString ? characterOffsets(sandbox, value.text()) : std::vector<size_t>();
    const auto length = static_cast<int64_t>(isString ? offsets.size() - 1 : value.list()->items.size());
    const int64_t stride = step.is(Kind::Integer) ? step.integerValue() : 1;
    if (stride == 0) {
        return sandbox.fail("the step of a slice is zero");
    }
    const int64_t low = stride > 0 ? 0 : -1;
    const int64_t high = stride > 0 ? length : length - 1;
    const int64_t first = begin.is(Kind::Integer) ? clampIndex(begin.integerValue(), length, low, high)
        : stride > 0                              ? low
                                                  : high;
    const int64_t stop = end.is(Kind::Integer) ? clampIndex(end.integerValue(), length, low, high)
        : stride > 0                           ? high
                                               : low;
    if (isString && stride == 1) {
        return first < stop ? sandbox.string(
                   value.text().slice(offsets[static_cast<size_t>(first)], offsets[static_cast<size_t>(stop)]))
                            : sandbox.string("");
    }
    TextBuilder text(sandbox);
    std::vector<Value> items;
    // Counted down instead of added up, for a stride may be enormous.
    const int64_t span = stride > 0 ? stop - first : first - stop;
    const uint64_t width = stride > 0 ? static_cast<uint64_t>(stride) : 0 - static_cast<uint64_t>(stride);
    const uint64_t count = span > 0 ? (static_cast<uint64_t>(span) - 1) / width + 1 : 0;
    sandbox.spend(1 + count / 8);
    for (uint64_t i = 0; i < count && !sandbox.failed(); ++i) {
        const auto at = static_cast<size_t>(first + static_cast<int64_t>(i) * stride);
        if (isString) {
            text.add(value.text(), offsets[at], offsets[at + 1]);
        } else {
            items.push_back(value.list()->items[at]);
        }
    }
    return isString ? text.finish() : sandbox.list(std::move(items), value.list()->isTuple);
}

size_t lengthOf(Sandbox& sandbox, const Value& value)
{
    switch (value.kind()) {
    case Kind::Undefined:
        return 0;
    case Kind::String:
        return characterOffsets(sandbox, value.text()).size() - 1;
    case Kind::List:
        return value.list()->items.size();
    case Kind::Dict:
        return value.dict()->entries.size();
    default:
        sandbox.fail("a value of the kind '" + std::string(value.kindName()) + "' has no length");
        return 0;
    }
}

std::vector<Value> itemsOf(Sandbox& sandbox, const Value& value)
{
    std::vector<Value> items;
    switch (value.kind()) {
    case Kind::Undefined:
        break;
    case Kind::List:
        items = value.list()->items;
        sandbox.spend(items.size() / 8);
        break;
    case Kind::Dict:
        if (value.dict()->isNamespace) {
            sandbox.fail("a namespace cannot be walked");
        }
        for (const auto& [key, item] : value.dict()->entries) {
            items.push_back(key);
        }
        sandbox.spend(items.size() / 8);
        break;
    case Kind::String: {
        const std::vector<size_t> offsets = characterOffsets(sandbox, value.text());
        sandbox.spend(offsets.size());
        for (size_t i = 0; i + 1 < offsets.size() && !sandbox.failed(); ++i) {
            items.push_back(sandbox.string(value.text().slice(offsets[i], offsets[i + 1])));
        }
        break;
    }
    default:
        sandbox.fail("a value of the kind '" + std::string(value.kindName()) + "' cannot be walked");
    }
    return items;
}

void sortBy(Sandbox& sandbox, std::vector<Value>& values, const std::vector<Value>& keys, bool reverse)
{
    std::vector<size_t> order(values.size());
    for (size_t i = 0; i < order.size(); ++i) {
        order[i] = i;
    }
    std::vector<size_t> merged(order.size());
    for (size_t width = 1; width < order.size() && !sandbox.failed(); width *= 2) {
        for (size_t begin = 0; begin < order.size(); begin += 2 * width) {
            size_t left = begin;
            const size_t middle = std::min(begin + width, order.size());
            size_t right = middle;
            const size_t end = std::min(begin + 2 * width, order.size());
            for (size_t out = begin; out < end; ++out) {
                const bool takeRight = right < end
                    && (left >= middle
                        || (reverse ? isLess(sandbox, keys[order[left]], keys[order[right]])
                                    : isLess(sandbox, keys[order[right]], keys[order[left]])));
                merged[out] = order[takeRight ? right++ : left++];
            }
        }
        order.swap(merged);
    }
    std::vector<Value> sorted;
    sorted.reserve(values.size());
    for (const size_t index : order) {
        sorted.push_back(values[index]);
    }
    values = std::move(sorted);
}

std::vector<size_t> characterOffsets(Sandbox& sandbox, const Text& text)
{
    std::vector<size_t> offsets;
    if (!sandbox.spendBytes(4 * text.size())) {
        return {0};
    }
    offsets.reserve(text.size() + 1);
    for (size_t position = 0; position < text.size(); position += readUtf8(text.bytes(), position).length) {
        offsets.push_back(position);
    }
    offsets.push_back(text.size());
    return offsets;
}

} // namespace kvasir::jinja
