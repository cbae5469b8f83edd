#pragma once

#include "text/jinja/sandbox.h"
#include "text/jinja/syntax.h"

#include <vector>

namespace kvasir::jinja {

// What Python's operators do with values. Work is counted and errors are reported in the sandbox.

bool isEqual(Sandbox& sandbox, const Value& left, const Value& right, int depth = 0);
/// Whether left < right; an error where they have no order. Strings are ordered by code point.
bool isLess(Sandbox& sandbox, const Value& left, const Value& right, int depth = 0);
bool contains(Sandbox& sandbox, const Value& container, const Value& item);
Value calculate(Sandbox& sandbox, Expression::Operation operation, const Value& left, const Value& right);

/// Sorts by isLess, equal ones in their order; safe with an order that contradicts itself.
void sortBy(Sandbox& sandbox, std::vector<Value>& values, const std::vector<Value>& keys, bool reverse);

} // namespace kvasir::jinja
