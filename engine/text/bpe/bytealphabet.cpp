#include "text/bpe/bytealphabet.h"

#include "base/utf8.h"

#include <array>

namespace kvasir {

namespace {

struct ByteAlphabet {
    std::array<char32_t, 256> characters{};
    std::array<int16_t, 0x144> bytes{}; ///< by character; -1: stands for none

    constexpr ByteAlphabet()
    {
        bytes.fill(-1);
        char32_t next = 0x100;
        for (size_t byte = 0; byte < 256; ++byte) {
            const bool printable = (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte != 0xAD);
            characters[byte] = printable ? static_cast<char32_t>(byte) : next++;
            bytes[characters[byte]] = static_cast<int16_t>(byte);
        }
    }
};
constexpr ByteAlphabet kAlphabet;

} // namespace

void appendAsAlphabet(std::string_view bytes, std::string& text)
{
    for (const char byte : bytes) {
        appendUtf8(text, kAlphabet.characters[static_cast<unsigned char>(byte)]);
    }
}

void appendFromAlphabet(std::string_view text, std::string& bytes)
{
    for (size_t position = 0; position < text.size();) {
        const Utf8Step step = readUtf8(text, position);
        const int byte = step.scalar < kAlphabet.bytes.size() ? kAlphabet.bytes[step.scalar] : -1;
        if (byte >= 0) {
            bytes.push_back(static_cast<char>(byte));
        } else {
            bytes.append(text, position, step.length);
        }
        position += step.length;
    }
}

} // namespace kvasir
