#pragma once

#include "text/jinja/filters.h"

#include <string_view>

namespace kvasir::jinja {

/// Calls a method of a string, list or dict; an error for a name that is not known.
Value callMethod(Sandbox& sandbox, const Value& object, std::string_view name, const Arguments& arguments);
bool hasMethod(const Value& object, std::string_view name);

} // namespace kvasir::jinja
