#pragma once

#include "text/jinja/sandbox.h"

#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

namespace kvasir::jinja {

// Getting at what is in a value. Work is counted and errors are reported in the sandbox.

/// Data from outside: all of its text is untrusted.
Value fromJson(Sandbox& sandbox, const nlohmann::ordered_json& json, int depth = 0);

/// value.name and value[key]: undefined where there is none; an error for undefined itself.
Value attributeOf(Sandbox& sandbox, const Value& value, std::string_view name);
Value itemOf(Sandbox& sandbox, const Value& value, const Value& key);
/// value[begin:end:step]; undefined stands for what is left out.
Value sliceOf(Sandbox& sandbox, const Value& value, const Value& begin, const Value& end, const Value& step);
/// len(value); an error for what has none.
size_t lengthOf(Sandbox& sandbox, const Value& value);
/// What a loop over the value sees: items, keys or characters. An error for what cannot be walked.
std::vector<Value> itemsOf(Sandbox& sandbox, const Value& value);

/// Whole characters of a text: where each begins, and the end.
std::vector<size_t> characterOffsets(Sandbox& sandbox, const Text& text);

/// Reports the use of an undefined value, by the name that was looked for.
Value failMissing(Sandbox& sandbox, const Value& value);

} // namespace kvasir::jinja
