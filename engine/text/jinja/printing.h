#pragma once

#include "text/jinja/sandbox.h"

#include <optional>
#include <string>
#include <vector>

namespace kvasir::jinja {

// Values as text, as Python writes them.

/// str(value): what {{ value }} writes.
void appendString(TextBuilder& out, Sandbox& sandbox, const Value& value);
Text toText(Sandbox& sandbox, const Value& value);
/// repr(value), as it appears inside of lists and dicts.
void appendRepr(TextBuilder& out, Sandbox& sandbox, const Value& value, int depth = 0);
/// The text with HTML's special characters written as entities.
void appendEscaped(TextBuilder& out, const Text& text);
/// The shortest decimal form that reads back as the same number.
std::string realToString(double value);

struct JsonStyle {
    std::optional<Text> indent; ///< one level of it
    Text itemSeparator{", ", true};
    Text keySeparator{": ", true};
    bool sortKeys = false;
};
/// json.dumps(value, ensure_ascii=False).
void appendJson(TextBuilder& out, Sandbox& sandbox, const Value& value, const JsonStyle& style, int depth = 0);

/// "%d of %s" % values.
Value formatPercent(Sandbox& sandbox, const Text& format, const std::vector<Value>& values);
/// strftime(format) of sandbox.now, with English names.
Value formatTime(Sandbox& sandbox, const Text& format);

} // namespace kvasir::jinja
