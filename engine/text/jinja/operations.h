#pragma once

#include "text/jinja/filters.h"
#include "text/jinja/sandbox.h"
#include "text/jinja/syntax.h"

#include <nlohmann/json.hpp>
#include <optional>

namespace kvasir::jinja {

// What Python does with values. All of these count their work and report errors in the sandbox.

/// Data from outside: all of its text is untrusted.
Value fromJson(Sandbox& sandbox, const nlohmann::ordered_json& json, int depth = 0);

/// str(value): what {{ value }} writes.
void appendString(TextBuilder& out, Sandbox& sandbox, const Value& value);
Text toText(Sandbox& sandbox, const Value& value);
/// The text with HTML's special characters written as entities.
void appendEscaped(TextBuilder& out, const Text& text);
/// repr(value), as it appears inside of lists and dicts.
void appendRepr(TextBuilder& out, Sandbox& sandbox, const Value& value, int depth = 0);
/// json.dumps(value, ensure_ascii=False).
struct JsonStyle {
    std::optional<Text> indent; ///< one level of it
    Text itemSeparator{", ", true};
    Text keySeparator{": ", true};
    bool sortKeys = false;
};
void appendJson(TextBuilder& out, Sandbox& sandbox, const Value& value, const JsonStyle& style, int depth = 0);
/// The shortest decimal form that reads back as the same number, as Python writes it.
std::string realToString(double value);

bool isEqual(Sandbox& sandbox, const Value& left, const Value& right, int depth = 0);
/// Whether left < right; an error where they have no order. Strings are ordered by code point.
bool isLess(Sandbox& sandbox, const Value& left, const Value& right, int depth = 0);
bool contains(Sandbox& sandbox, const Value& container, const Value& item);

Value calculate(Sandbox& sandbox, Expression::Operation operation, const Value& left, const Value& right);
/// "%d of %s" % values.
Value formatPercent(Sandbox& sandbox, const Text& format, const std::vector<Value>& values);

/// value.name, value["name"]: undefined where there is none; an error for undefined itself.
Value attributeOf(Sandbox& sandbox, const Value& value, std::string_view name);
Value itemOf(Sandbox& sandbox, const Value& value, const Value& key);
/// value[begin:end:step]; undefined stands for what is left out.
Value sliceOf(Sandbox& sandbox, const Value& value, const Value& begin, const Value& end, const Value& step);
/// len(value); an error for what has none.
size_t lengthOf(Sandbox& sandbox, const Value& value);
/// What a loop over the value sees: items, keys or characters. An error for what cannot be walked.
std::vector<Value> itemsOf(Sandbox& sandbox, const Value& value);

/// Calls a method of a string, list or dict; an error for a name that is not known.
Value callMethod(Sandbox& sandbox, const Value& object, std::string_view name, const Arguments& arguments);
bool hasMethod(const Value& object, std::string_view name);

/// Sorts by isLess, equal ones in their order; safe with an order that contradicts itself.
void sortBy(Sandbox& sandbox, std::vector<Value>& values, const std::vector<Value>& keys, bool reverse);

/// Whole characters of a text: begin of each, and the end.
std::vector<size_t> characterOffsets(Sandbox& sandbox, const Text& text);

// Python's idea of characters.
bool isSpace(char32_t c);
enum class Case { Upper, Lower, Title, Capital };
Text changeCase(Sandbox& sandbox, const Text& text, Case wanted);
Text strip(const Text& text, bool left, bool right, const Text* characters = nullptr);
Text replaceAll(Sandbox& sandbox, const Text& text, const Text& old, const Text& with, int64_t most);

/// strftime(format) of sandbox.now, with English names.
Value formatTime(Sandbox& sandbox, const Text& format);

} // namespace kvasir::jinja
