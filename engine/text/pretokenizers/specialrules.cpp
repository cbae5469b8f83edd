#include "text/pretokenizers/specialrules.h"

#include "text/pretokenizers/characterset.h"

#include <algorithm>

namespace kvasir {

namespace {

using namespace category;

constexpr uint32_t kUpper = kLu | kLt | kLm | kLo | kM;
constexpr uint32_t kLower = kLl | kLm | kLo | kM;

char32_t foldCase(char32_t c)
{
    return c >= 'A' && c <= 'Z' ? c + 32 : c == 0x17F ? U's' : c; // U+017F is the long s
}

/// 's 't 're 've 'm 'll 'd
template <bool anyCase> size_t contraction(Scan& scan, size_t begin)
{
    if (scan.scalar(begin) != '\'') {
        return begin;
    }
    const auto letter = [&](size_t at) { return anyCase ? foldCase(scan.scalar(at)) : scan.scalar(at); };
    const char32_t first = letter(begin + 1);
    if (first == 's' || first == 't' || first == 'm' || first == 'd') {
        return begin + 2;
    }
    const char32_t second = letter(begin + 2);
    const bool isPair = (second == 'e' && (first == 'r' || first == 'v')) || (second == 'l' && first == 'l');
    return isPair ? begin + 3 : begin;
}

bool isHan(char32_t c)
{
    return (c >= 0x2E80 && c <= 0x2FD5) || (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x4E00 && c <= 0x9FFF)
        || (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x20000 && c <= 0x3134F) || c == 0x3005 || c == 0x3007
        || (c >= 0x3021 && c <= 0x3029) || (c >= 0x3038 && c <= 0x303B);
}

/// Words that end where lower case turns into upper case; letters without case, and marks, are both.
template <bool withHan> struct CasedWord {
    const Scan& scan;

    bool is(size_t at, uint32_t classes) const
    {
        return scan.is(at, classes) && (withHan || !isHan(scan.text.scalars[at]));
    }
    size_t skip(size_t begin, uint32_t classes) const
    {
        while (begin < scan.end && is(begin, classes)) {
            ++begin;
        }
        return begin;
    }
    /// [upper]*[lower]+
    size_t endingLower(size_t begin) const
    {
        const size_t upper = skip(begin, kUpper);
        const size_t lower = skip(upper, kLower);
        if (lower > upper) {
            return lower;
        }
        size_t stop = upper;
        while (stop > begin && !is(stop - 1, kLower)) {
            --stop;
        }
        return stop;
    }
    /// [upper]+[lower]*
    size_t beginningUpper(size_t begin) const
    {
        const size_t upper = skip(begin, kUpper);
        return upper > begin ? skip(upper, kLower) : begin;
    }
};

/// [^\r\n\p{L}\p{N}]?[upper]*[lower]+contraction? or else [^\r\n\p{L}\p{N}]?[upper]+[lower]*contraction?
template <bool withContraction, bool withHan> size_t casedWord(Scan& scan, size_t begin)
{
    const CasedWord<withHan> word{scan};
    const char32_t c = scan.text.scalars[begin];
    const bool leads = !scan.is(begin, kL | kN) && c != '\r' && c != '\n' && begin + 1 < scan.end;
    const auto done = [&](size_t stop) { return withContraction ? contraction<true>(scan, stop) : stop; };
    if (leads) {
        if (const size_t stop = word.endingLower(begin + 1); stop > begin + 1) {
            return done(stop);
        }
    }
    if (const size_t stop = word.endingLower(begin); stop > begin) {
        return done(stop);
    }
    if (leads) {
        if (const size_t stop = word.beginningUpper(begin + 1); stop > begin + 1) {
            return done(stop);
        }
    }
    const size_t stop = word.beginningUpper(begin);
    return stop > begin ? done(stop) : begin;
}

/// [^\r\n\p{L}\p{N}]?(?:\p{L}\p{M}*(?: \p{L}\p{M}*)*)+ : words and the single spaces between them.
size_t joinedWords(Scan& scan, size_t begin)
{
    const char32_t c = scan.text.scalars[begin];
    size_t at = begin + (!scan.is(begin, kL | kN) && c != '\r' && c != '\n' ? 1 : 0);
    if (at >= scan.end || !scan.is(at, kL)) {
        return begin;
    }
    while (true) {
        at = scan.skip(at + 1, kM);
        if (at < scan.end && scan.is(at, kL)) {
            continue;
        }
        if (scan.scalar(at) != ' ' || at + 1 >= scan.end || !scan.is(at + 1, kL)) {
            return at;
        }
        ++at;
    }
}

/// \s*[\r\n]+
size_t throughLastNewline(Scan& scan, size_t begin)
{
    return scan.is(begin, kSpace) ? std::max(begin, scan.spaceRun(begin).newlineEnd) : begin;
}

/// \s+(?!\S) : without its last character where a word follows, since that one belongs to the word.
size_t spacesBeforeWord(Scan& scan, size_t begin)
{
    if (!scan.is(begin, kSpace)) {
        return begin;
    }
    const size_t stop = scan.spaceRun(begin).end;
    return stop == scan.end ? stop : stop - 1;
}

/// \s+$
size_t spacesAtEnd(Scan& scan, size_t begin)
{
    return scan.is(begin, kSpace) && scan.spaceRun(begin).end == scan.end ? scan.end : begin;
}

/// White space in runs of the largest of these lengths that leaves a character in front of a word.
size_t spacesByLength(Scan& scan, size_t begin)
{
    if (!scan.is(begin, kSpace)) {
        return begin;
    }
    const size_t stop = scan.spaceRun(begin).end;
    const size_t room = stop == scan.end ? stop - begin : stop - begin - 1;
    for (const size_t length : {512, 256, 128, 64, 32, 16, 8, 4, 2}) {
        if (length <= room) {
            return begin + length;
        }
    }
    return begin + 1;
}

/// \d{1,3}(?=(?:\d{3})*\b) : threes counted from the right, as people write large numbers.
size_t digitGroups(Scan& scan, size_t begin)
{
    if (!scan.is(begin, kNd)) {
        return begin;
    }
    const size_t stop = scan.digitRunEnd(begin);
    if (stop < scan.end && isWordPart(scan.text.scalars[stop])) {
        return begin;
    }
    const size_t odd = (stop - begin) % 3;
    return begin + (odd == 0 ? 3 : odd);
}

/// (?=(\d{3})+(?!\d)) : matches nothing, between the same groups; the piece up to the next such place.
size_t upToDigitGroup(Scan& scan, size_t begin)
{
    for (size_t at = begin; at < scan.end; ++at) {
        if (!scan.is(at, kNd)) {
            continue;
        }
        const size_t stop = scan.digitRunEnd(at);
        const size_t first = at + (stop - at) % 3;
        const size_t next = first > begin ? first : first + 3;
        if (next < stop) {
            return next;
        }
        at = stop - 1;
    }
    return scan.end;
}

#define KVASIR_CONTRACTION "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
#define KVASIR_LEAD R"([^\r\n\p{L}\p{N}]?)"
#define KVASIR_UPPER R"(\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M})"
#define KVASIR_LOWER R"(\p{Ll}\p{Lm}\p{Lo}\p{M})"
#define KVASIR_CASED(upper, lower, tail) KVASIR_LEAD upper "*" lower "+" tail "|" KVASIR_LEAD upper "+" lower "*" tail

constexpr SpelledRule kSpecialRules[] = {
    {"'s|'t|'re|'ve|'m|'ll|'d", contraction<false>},
    {KVASIR_CONTRACTION, contraction<true>},
    {R"(\s*[\r\n]+)", throughLastNewline},
    {R"(\s*[\r\n])", throughLastNewline},
    {R"(\s+(?!\S))", spacesBeforeWord},
    {R"(\s+$)", spacesAtEnd},
    {R"(\s{512}(?!\S)|\s{256}(?!\S)|\s{128}(?!\S)|\s{64}(?!\S)|\s{32}(?!\S)|\s{16}(?!\S)|\s{8}(?!\S)|\s{4}(?!\S)|)"
     R"(\s{1,2}(?!\S)|\s{1})",
        spacesByLength},
    {KVASIR_CASED("[" KVASIR_UPPER "]", "[" KVASIR_LOWER "]", ""), casedWord<false, true>},
    {KVASIR_CASED("[" KVASIR_UPPER "]", "[" KVASIR_LOWER "]", KVASIR_CONTRACTION "?"), casedWord<true, true>},
    {KVASIR_CASED(
         R"([)" KVASIR_UPPER R"(&&[^\p{Han}]])", R"([)" KVASIR_LOWER R"(&&[^\p{Han}]])", KVASIR_CONTRACTION "?"),
        casedWord<true, false>},
    {KVASIR_LEAD R"((?:\p{L}\p{M}*(?: \p{L}\p{M}*)*)+)", joinedWords},
    {R"(\d{1,3}(?=(?:\d{3})*\b))", digitGroups},
    {R"((?=(\d{3})+(?!\d)))", upToDigitGroup},
};

} // namespace

SpelledRule findSpecialRule(std::string_view pattern)
{
    SpelledRule best;
    for (const SpelledRule& known : kSpecialRules) {
        const bool isWhole = pattern.starts_with(known.pattern)
            && (pattern.size() == known.pattern.size() || pattern[known.pattern.size()] == '|');
        if (isWhole && known.pattern.size() > best.pattern.size()) {
            best = known;
        }
    }
    return best;
}

} // namespace kvasir
