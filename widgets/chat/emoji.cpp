#include "chat/emoji.h"

#include <algorithm>
#include <iterator>

namespace kvasir {

namespace {

// Emoji_Presentation=Yes below U+1F000 (Unicode 15, emoji-data.txt).
constexpr char16_t kBmpEmoji[] = {0x231a, 0x231b, 0x23e9, 0x23ea, 0x23eb, 0x23ec, 0x23f0, 0x23f3, 0x25fd, 0x25fe,
    0x2614, 0x2615, 0x2648, 0x2649, 0x264a, 0x264b, 0x264c, 0x264d, 0x264e, 0x264f, 0x2650, 0x2651, 0x2652, 0x2653,
    0x267f, 0x2693, 0x26a1, 0x26aa, 0x26ab, 0x26bd, 0x26be, 0x26c4, 0x26c5, 0x26ce, 0x26d4, 0x26ea, 0x26f2, 0x26f3,
    0x26f5, 0x26fa, 0x26fd, 0x2705, 0x270a, 0x270b, 0x2728, 0x274c, 0x274e, 0x2753, 0x2754, 0x2755, 0x2757, 0x2795,
    0x2796, 0x2797, 0x27b0, 0x27bf, 0x2b1b, 0x2b1c, 0x2b50, 0x2b55};
constexpr char32_t kJoiner = 0x200d, kEmojiStyle = 0xfe0f, kTextStyle = 0xfe0e, kKeycap = 0x20e3;

char32_t at(QStringView text, qsizetype i, int* units)
{
    *units = 1;
    if (i >= text.size())
        return 0;
    if (text[i].isHighSurrogate() && i + 1 < text.size() && text[i + 1].isLowSurrogate()) {
        *units = 2;
        return QChar::surrogateToUcs4(text[i], text[i + 1]);
    }
    return text[i].unicode();
}

bool hasEmojiPresentation(char32_t c)
{
    return (c >= 0x1f000 && c <= 0x1faff)
        || (c < 0x3000 && std::binary_search(std::begin(kBmpEmoji), std::end(kBmpEmoji), char16_t(c)));
}

bool extends(char32_t c)
{
    return c == kEmojiStyle || c == kKeycap || (c >= 0x1f3fb && c <= 0x1f3ff) || (c >= 0xe0020 && c <= 0xe007f);
}

} // namespace

QList<std::pair<int, int>> emojiRanges(QStringView text)
{
    QList<std::pair<int, int>> ranges;
    for (qsizetype i = 0; i < text.size();) {
        int units = 1;
        const char32_t c = at(text, i, &units);
        int nextUnits = 1;
        const char32_t next = at(text, i + units, &nextUnits);
        const bool isEmoji = next != kTextStyle && (hasEmojiPresentation(c) || (next == kEmojiStyle && c > 0x20));
        if (!isEmoji) {
            i += units;
            continue;
        }
        qsizetype end = i + units;
        for (;;) {
            const char32_t follower = at(text, end, &units);
            if (follower != 0 && extends(follower)) {
                end += units;
            } else if (follower == kJoiner && at(text, end + 1, &nextUnits) > 0x20) {
                end += 1 + nextUnits;
            } else {
                break;
            }
        }
        if (!ranges.isEmpty() && ranges.back().first + ranges.back().second == i)
            ranges.back().second += int(end - i);
        else
            ranges.push_back({int(i), int(end - i)});
        i = end;
    }
    return ranges;
}

} // namespace kvasir
