#include "text/jinja/strings.h"

#include "base/utf8.h"
#include "text/jinja/access.h"

#include <algorithm>
#include <unicode/uchar.h>

namespace kvasir::jinja {

bool isSpace(char32_t c)
{
    return u_isUWhiteSpace(static_cast<UChar32>(c)) || (c >= 0x1C && c <= 0x1F);
}

Text changeCase(Sandbox& sandbox, const Text& text, Case wanted)
{
    sandbox.spendBytes(8 * text.size());
    Text result;
    bool startsWord = true;
    for (size_t position = 0; position < text.size();) {
        const Utf8Step step = readUtf8(text.bytes(), position);
        const auto c = static_cast<UChar32>(step.scalar);
        const bool raises = wanted == Case::Upper || (startsWord && wanted != Case::Lower);
        const bool trusted = text.trustedAt(position);
        if (step.state != Utf8State::Whole) {
            result.append(text, position, position + step.length);
        } else if (raises && step.scalar == 0xDF) { // the one letter in common use whose capital is two
            result.append(wanted == Case::Upper ? "SS" : "Ss", trusted);
        } else {
            const UChar32 other = !raises ? u_tolower(c) : wanted == Case::Upper ? u_toupper(c) : u_totitle(c);
            std::string bytes;
            appendUtf8(bytes, static_cast<char32_t>(other));
            result.append(bytes, trusted);
        }
        startsWord = wanted == Case::Title && !u_isalpha(c);
        position += step.length;
    }
    return result;
}

Text strip(const Text& text, bool left, bool right, const Text* characters)
{
    const std::string& bytes = text.bytes();
    const auto goes = [&](size_t position, size_t length) {
        if (!characters) {
            return isSpace(readUtf8(bytes, position).scalar);
        }
        return characters->bytes().find(bytes.substr(position, length)) != std::string::npos;
    };
    size_t begin = 0;
    size_t end = bytes.size();
    while (left && begin < end) {
        const size_t length = readUtf8(bytes, begin).length;
        if (!goes(begin, length)) {
            break;
        }
        begin += length;
    }
    while (right && begin < end) {
        size_t last = end - 1;
        while (last > begin && end - last < 4 && (static_cast<unsigned char>(bytes[last]) & 0xC0) == 0x80) {
            --last;
        }
        if (!goes(last, end - last)) {
            break;
        }
        end = last;
    }
    return begin == 0 && end == bytes.size() ? text : text.slice(begin, end);
}

Text replaceAll(Sandbox& sandbox, const Text& text, const Text& old, const Text& with, int64_t most)
{
    TextBuilder out(sandbox);
    sandbox.spendBytes(text.size());
    size_t begin = 0;
    if (old.empty()) { // before each character and at the end
        for (const size_t offset : characterOffsets(sandbox, text)) {
            if (most-- == 0 || sandbox.failed()) {
                break;
            }
            out.add(text, begin, offset);
            out.add(with);
            begin = offset;
        }
    } else {
        for (size_t found; most-- != 0 && !sandbox.failed()
             && (found = text.bytes().find(old.bytes(), begin)) != std::string::npos;) {
            out.add(text, begin, found);
            out.add(with);
            begin = found + old.size();
        }
    }
    out.add(text, begin);
    return out.take();
}

} // namespace kvasir::jinja
