#pragma once

#include "base/result.h"
#include "text/jinja/syntax.h"

#include <string_view>

namespace kvasir::jinja {

/// Errors: BadTemplate with line and column; TemplateLimit where it is too long or nested too deep.
Result<Program> parse(std::string_view source);

} // namespace kvasir::jinja
