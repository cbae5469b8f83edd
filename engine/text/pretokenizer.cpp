#include "text/pretokenizer.h"

#include "base/utf8.h"

#include <algorithm>
#include <array>
#include <unicode/uchar.h>

namespace kvasir {

namespace {

enum CharacterClass : uint8_t {
    kLetter = 1,       ///< \p{L}
    kNumber = 2,       ///< \p{N}
    kSpace = 4,        ///< \s
    kUpper = 8,        ///< \p{Lu} \p{Lt} \p{Lm} \p{Lo} \p{M}
    kLower = 16,       ///< \p{Ll} \p{Lm} \p{Lo} \p{M}
    kNewline = 32,     ///< \r \n
    kPunctuation = 64, ///< \p{P}
};

uint8_t classify(char32_t scalar)
{
    const auto c = static_cast<UChar32>(scalar);
    const uint32_t category = U_GET_GC_MASK(c);
    uint8_t result = 0;
    result |= (category & U_GC_L_MASK) ? kLetter : 0;
    result |= (category & U_GC_N_MASK) ? kNumber : 0;
    result |= (category & (U_GC_LU_MASK | U_GC_LT_MASK | U_GC_LM_MASK | U_GC_LO_MASK | U_GC_M_MASK)) ? kUpper : 0;
    result |= (category & (U_GC_LL_MASK | U_GC_LM_MASK | U_GC_LO_MASK | U_GC_M_MASK)) ? kLower : 0;
    result |= (category & U_GC_P_MASK) ? kPunctuation : 0;
    result |= u_isUWhiteSpace(c) ? kSpace : 0;
    result |= scalar == '\r' || scalar == '\n' ? kNewline : 0;
    return result;
}

// Most text is ASCII, and ICU's look-up takes several times as long.
const std::array<uint8_t, 128> kAsciiClasses = [] {
    std::array<uint8_t, 128> table{};
    for (size_t i = 0; i < table.size(); ++i) {
        table[i] = classify(static_cast<char32_t>(i));
    }
    return table;
}();

/// First position from `begin` on whose class has none of `classes`.
size_t skip(const ClassifiedText& text, size_t begin, size_t end, uint8_t classes)
{
    while (begin < end && (text.classes[begin] & classes)) {
        ++begin;
    }
    return begin;
}

bool isSymbol(const ClassifiedText& text, size_t at)
{
    return !(text.classes[at] & (kLetter | kNumber | kSpace));
}

size_t skipSymbols(const ClassifiedText& text, size_t begin, size_t end)
{
    while (begin < end && isSymbol(text, begin)) {
        ++begin;
    }
    return begin;
}

char32_t asciiLower(char32_t c)
{
    return c >= 'A' && c <= 'Z' ? c + 32 : c;
}

/// End of 's 't 're 've 'm 'll 'd at `begin`, else `begin`.
size_t skipContraction(const ClassifiedText& text, size_t begin, size_t end, bool anyCase)
{
    if (end - begin < 2 || text.scalars[begin] != '\'') {
        return begin;
    }
    const auto letter = [&](size_t at) {
        const char32_t c = at < end ? text.scalars[at] : 0;
        return anyCase ? asciiLower(c) : c;
    };
    const char32_t first = letter(begin + 1);
    const char32_t second = letter(begin + 2);
    if (first == 's' || first == 't' || first == 'm' || first == 'd') {
        return begin + 2;
    }
    const bool pair =
        (first == 'r' && second == 'e') || (first == 'v' && second == 'e') || (first == 'l' && second == 'l');
    return pair ? begin + 3 : begin;
}

/// \s+(?!\S)|\s+ : white space without its last character where a word follows, since that one belongs to the word.
size_t scanSpaces(const ClassifiedText& text, size_t begin, size_t end)
{
    const size_t stop = skip(text, begin, end, kSpace);
    return stop == end || stop - begin == 1 ? stop : stop - 1;
}

/// 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
size_t scanGpt2(const ClassifiedText& text, size_t begin, size_t end)
{
    if (const size_t stop = skipContraction(text, begin, end, false); stop != begin) {
        return stop;
    }
    const size_t word = text.scalars[begin] == ' ' && begin + 1 < end ? begin + 1 : begin;
    if (text.classes[word] & kLetter) {
        return skip(text, word, end, kLetter);
    }
    if (text.classes[word] & kNumber) {
        return skip(text, word, end, kNumber);
    }
    return isSymbol(text, word) ? skipSymbols(text, word, end) : scanSpaces(text, begin, end);
}

/// The part that llama 3's rule and its descendants share behind their word pattern:
/// \p{N}{1,n}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
size_t scanAfterWords(const ClassifiedText& text, size_t begin, size_t end, size_t maxDigits, char32_t alsoNewline)
{
    if (text.classes[begin] & kNumber) {
        return skip(text, begin, std::min(end, begin + maxDigits), kNumber);
    }
    const size_t symbols = text.scalars[begin] == ' ' && begin + 1 < end ? begin + 1 : begin;
    if (isSymbol(text, symbols)) {
        size_t stop = skipSymbols(text, symbols, end);
        while (stop < end && ((text.classes[stop] & kNewline) || text.scalars[stop] == alsoNewline)) {
            ++stop;
        }
        return stop;
    }
    for (size_t stop = skip(text, begin, end, kSpace); stop > begin; --stop) {
        if (text.classes[stop - 1] & kNewline) {
            return stop;
        }
    }
    return scanSpaces(text, begin, end);
}

/// Whether `at` can be the one character in front of a word: [^\r\n\p{L}\p{N}]
bool leadsWord(const ClassifiedText& text, size_t at)
{
    return !(text.classes[at] & (kLetter | kNumber | kNewline));
}

/// (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,n}| ?[^\s\p{L}\p{N}]+[\r\n]*|...
template <size_t maxDigits> size_t scanLlama3(const ClassifiedText& text, size_t begin, size_t end)
{
    if (const size_t stop = skipContraction(text, begin, end, true); stop != begin) {
        return stop;
    }
    const size_t word = leadsWord(text, begin) && begin + 1 < end ? begin + 1 : begin;
    if (text.classes[word] & kLetter) {
        return skip(text, word, end, kLetter);
    }
    return scanAfterWords(text, begin, end, maxDigits, '\n');
}

/// [Upper]*[Lower]+ or else [Upper]+[Lower]* from `begin`; letters without case and marks are both.
size_t skipCasedWord(const ClassifiedText& text, size_t begin, size_t end)
{
    const size_t upper = skip(text, begin, end, kUpper);
    const size_t lower = skip(text, upper, end, kLower);
    if (lower > upper) {
        return lower;
    }
    for (size_t stop = upper; stop > begin; --stop) {
        if (text.classes[stop - 1] & kLower) {
            return stop;
        }
    }
    return upper;
}

/// o200k: words are cut where lower case turns into upper case, and keep their contraction.
size_t scanGpt4o(const ClassifiedText& text, size_t begin, size_t end)
{
    for (const size_t word : {leadsWord(text, begin) ? begin + 1 : begin, begin}) {
        if (const size_t stop = word < end ? skipCasedWord(text, word, end) : word; stop > word) {
            return skipContraction(text, stop, end, true);
        }
    }
    return scanAfterWords(text, begin, end, 3, '/');
}

/// Each number character alone, everything between them together.
size_t scanSingleDigits(const ClassifiedText& text, size_t begin, size_t end)
{
    if (text.classes[begin] & kNumber) {
        return begin + 1;
    }
    while (begin < end && !(text.classes[begin] & kNumber)) {
        ++begin;
    }
    return begin;
}

template <class Predicate> size_t scanRuns(size_t begin, size_t end, Predicate predicate)
{
    const bool inside = predicate(begin);
    while (begin < end && predicate(begin) == inside) {
        ++begin;
    }
    return begin;
}

/// [\p{P}$+<=>^~|]+
size_t scanPunctuationRuns(const ClassifiedText& text, size_t begin, size_t end)
{
    return scanRuns(begin, end, [&](size_t at) {
        return (text.classes[at] & kPunctuation)
            || std::u32string_view(U"$+<=>^~|").find(text.scalars[at]) != std::u32string_view::npos;
    });
}

/// \p{N}+
size_t scanNumberRuns(const ClassifiedText& text, size_t begin, size_t end)
{
    return scanRuns(begin, end, [&](size_t at) { return (text.classes[at] & kNumber) != 0; });
}

/// [0-9][0-9][0-9]
size_t scanDigitTriples(const ClassifiedText& text, size_t begin, size_t end)
{
    const auto triple = [&](size_t at) {
        return end - at >= 3
            && std::all_of(&text.scalars[at], &text.scalars[at] + 3, [](char32_t c) { return c >= '0' && c <= '9'; });
    };
    if (triple(begin)) {
        return begin + 3;
    }
    while (begin < end && !triple(begin)) {
        ++begin;
    }
    return begin;
}

constexpr PreTokenizer::Scanner kGpt2[] = {scanGpt2};
constexpr PreTokenizer::Scanner kSmollm[] = {scanSingleDigits, scanGpt2};
constexpr PreTokenizer::Scanner kLlama3[] = {scanLlama3<3>};
constexpr PreTokenizer::Scanner kQwen2[] = {scanLlama3<1>};
constexpr PreTokenizer::Scanner kGpt4o[] = {scanGpt4o};
constexpr PreTokenizer::Scanner kDefault[] = {scanPunctuationRuns, scanGpt2, scanNumberRuns, scanDigitTriples};

constexpr PreTokenizer kGpt2Rule(kGpt2);
constexpr PreTokenizer kSmollmRule(kSmollm);
constexpr PreTokenizer kLlama3Rule(kLlama3, true, true);
constexpr PreTokenizer kQwen2Rule(kQwen2);
constexpr PreTokenizer kGpt4oRule(kGpt4o);
constexpr PreTokenizer kDefaultRule(kDefault);

struct Named {
    std::string_view name;
    const PreTokenizer* rule;
};

// Names as converters write them into tokenizer.ggml.pre.
constexpr Named kRules[] = {
    {"command-r", &kSmollmRule},
    {"codeshell", &kSmollmRule},
    {"default", &kDefaultRule},
    {"deepseek-r1-qwen", &kQwen2Rule},
    {"exaone", &kSmollmRule},
    {"exaone4", &kGpt2Rule},
    {"gpt-2", &kGpt2Rule},
    {"gpt-4o", &kGpt4oRule},
    {"kormo", &kQwen2Rule},
    {"llama-bpe", &kLlama3Rule},
    {"llama-v3", &kLlama3Rule},
    {"llama3", &kLlama3Rule},
    {"llama4", &kGpt4oRule},
    {"megrez", &kQwen2Rule},
    {"mellum", &kGpt2Rule},
    {"olmo", &kGpt2Rule},
    {"phi-2", &kGpt2Rule},
    {"qwen2", &kQwen2Rule},
    {"refact", &kSmollmRule},
    {"smollm", &kSmollmRule},
    {"stablelm2", &kQwen2Rule},
};

} // namespace

ClassifiedText::ClassifiedText(std::string_view text)
{
    scalars.reserve(text.size());
    classes.reserve(text.size());
    offsets.reserve(text.size() + 1);
    for (size_t position = 0; position < text.size();) {
        const Utf8Step step = readUtf8(text, position);
        scalars.push_back(step.scalar);
        classes.push_back(step.scalar < 128 ? kAsciiClasses[step.scalar] : classify(step.scalar));
        offsets.push_back(static_cast<uint32_t>(position));
        position += step.length;
    }
    offsets.push_back(static_cast<uint32_t>(text.size()));
}

const PreTokenizer* PreTokenizer::find(std::string_view name)
{
    const auto found = std::ranges::find(kRules, name, &Named::name);
    return found == std::end(kRules) ? nullptr : found->rule;
}

void PreTokenizer::split(std::string_view text, const std::function<void(std::string_view)>& word) const
{
    const ClassifiedText classified(text);
    const std::function<void(size_t, size_t, size_t)> cut = [&](size_t stage, size_t begin, size_t end) {
        if (stage == m_stages.size()) {
            const size_t first = classified.offsets[begin];
            word(text.substr(first, classified.offsets[end] - first));
            return;
        }
        while (begin < end) {
            const size_t stop = m_stages[stage](classified, begin, end);
            cut(stage + 1, begin, stop);
            begin = stop;
        }
    };
    cut(0, 0, classified.scalars.size());
}

} // namespace kvasir
