#pragma once

#include <string>
#include <string_view>

namespace kvasir {

/// GPT-2 writes bytes as printable characters: those that are printable in Latin-1 stand for themselves, the others
/// count up from U+0100.
void appendAsAlphabet(std::string_view bytes, std::string& text);
/// The inverse. A character that stands for no byte is appended as it is.
void appendFromAlphabet(std::string_view text, std::string& bytes);

} // namespace kvasir
