#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace kvasir {

inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD"; ///< U+FFFD

enum class Utf8State {
    Whole,      ///< one scalar value
    Invalid,    ///< bytes that begin no character, whatever follows
    Incomplete, ///< the text ends inside a character
};

/// One step through a text. `length` is at least 1; of wrong bytes it takes the longest start of a character (Unicode's
/// "maximal subpart"), so that every U+FFFD stands for what other programs show as one too.
struct Utf8Step {
    char32_t scalar = 0xFFFD;
    uint8_t length = 1;
    Utf8State state = Utf8State::Invalid;
};

/// Reads at `position` < text.size(). Refuses overlong forms, surrogates and values past U+10FFFF.
inline Utf8Step readUtf8(std::string_view text, size_t position)
{
    const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[position + i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80) {
        return {lead, 1, Utf8State::Whole};
    }
    if (lead < 0xC2 || lead > 0xF4) {
        return {};
    }
    const uint8_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    // Only the second byte's range depends on the first; these four bounds are what rules out the forbidden values.
    const unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    char32_t scalar = lead & (0xFFu >> (length + 1));
    for (uint8_t i = 1; i < length; ++i) {
        if (position + i >= text.size()) {
            return {0xFFFD, i, Utf8State::Incomplete};
        }
        const unsigned char next = byte(i);
        if (next < (i == 1 ? low : 0x80) || next > (i == 1 ? high : 0xBF)) {
            return {0xFFFD, i, Utf8State::Invalid};
        }
        scalar = scalar << 6 | (next & 0x3Fu);
    }
    return {scalar, length, Utf8State::Whole};
}

/// `scalar` must be a scalar value.
inline void appendUtf8(std::string& text, char32_t scalar)
{
    const auto put = [&](char32_t byte) { text.push_back(static_cast<char>(byte)); };
    if (scalar < 0x80) {
        put(scalar);
    } else if (scalar < 0x800) {
        put(0xC0 | scalar >> 6);
        put(0x80 | (scalar & 0x3F));
    } else if (scalar < 0x10000) {
        put(0xE0 | scalar >> 12);
        put(0x80 | (scalar >> 6 & 0x3F));
        put(0x80 | (scalar & 0x3F));
    } else {
        put(0xF0 | scalar >> 18);
        put(0x80 | (scalar >> 12 & 0x3F));
        put(0x80 | (scalar >> 6 & 0x3F));
        put(0x80 | (scalar & 0x3F));
    }
}

/// The text with U+FFFD in place of what is not UTF-8.
inline std::string replaceInvalidUtf8(std::string_view text)
{
    std::string result;
    result.reserve(text.size());
    for (size_t position = 0; position < text.size();) {
        const Utf8Step step = readUtf8(text, position);
        result += step.state == Utf8State::Whole ? text.substr(position, step.length) : kReplacementCharacter;
        position += step.length;
    }
    return result;
}

} // namespace kvasir
