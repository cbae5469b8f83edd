#include "text/jinja/printing.h"

#include "base/utf8.h"
#include "text/jinja/access.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unicode/uchar.h>

namespace kvasir::jinja {

using Kind = Value::Kind;

namespace {

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

} // namespace

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
    if (!sandbox.admitsDepth(depth)) {
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
    if (!sandbox.admitsDepth(depth)) {
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

} // namespace kvasir::jinja
