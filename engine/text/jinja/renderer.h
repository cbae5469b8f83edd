#pragma once

#include "text/jinja/sandbox.h"
#include "text/jinja/syntax.h"

#include <string>
#include <utility>
#include <vector>

namespace kvasir::jinja {

/// Variables that a template starts with.
using Globals = std::vector<std::pair<std::string, Value>>;

/// Renders a program. The sandbox holds the limits, the time, and afterwards the error, if there was one.
Text render(const Program& program, Sandbox& sandbox, const Globals& globals);

} // namespace kvasir::jinja
