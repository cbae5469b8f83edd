#pragma once

#include <bitset>
#include <string>
#include <string_view>

namespace kvasir {

/// The sign for a space in vocabularies of plain text, U+2581.
inline constexpr std::string_view kSpaceSign = "\xE2\x96\x81";

/// The text with signs for spaces, and back.
std::string withSpaceSigns(std::string_view text);
void appendWithoutSpaceSigns(std::string_view text, std::string& result);

/// Sets the byte in front of each sign or space in `token` that does not stand at its beginning or behind another one:
/// behind such bytes a token may go on over a space, so no word ends there for certain.
void addSpaceBinders(std::string_view token, std::bitset<256>& binders);

/// Whether a sign or a space stands at `position`.
inline bool isSpaceAt(std::string_view text, size_t position)
{
    return text[position] == ' ' || text.substr(position).starts_with(kSpaceSign);
}

} // namespace kvasir
