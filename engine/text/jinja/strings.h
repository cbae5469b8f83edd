#pragma once

#include "text/jinja/sandbox.h"

namespace kvasir::jinja {

// Python's string operations, byte by byte keeping what is trusted.

bool isSpace(char32_t c);

enum class Case { Upper, Lower, Title, Capital };
Text changeCase(Sandbox& sandbox, const Text& text, Case wanted);

/// Takes white space, or the given characters, away from the ends.
Text strip(const Text& text, bool left, bool right, const Text* characters = nullptr);

/// Replaces up to `most` occurrences; all of them if that is negative.
Text replaceAll(Sandbox& sandbox, const Text& text, const Text& old, const Text& with, int64_t most);

} // namespace kvasir::jinja
