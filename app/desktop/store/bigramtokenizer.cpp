#include "store/bigramtokenizer.h"

#include <QChar>
#include <QString>

#include <sqlite3.h>
#include <string_view>

namespace kvasir {

namespace {

using Report = int (*)(void*, int, const char*, int, int, int);

/// The character at `at` and its length in bytes; a broken byte counts as one character of its own.
char32_t characterAt(std::string_view text, size_t at, size_t& length)
{
    const auto lead = static_cast<unsigned char>(text[at]);
    length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (length == 1 || lead < 0xC0 || at + length > text.size()) {
        length = 1;
        return lead < 0x80 ? lead : 0xFFFD;
    }
    char32_t code = lead & (0xFF >> (length + 1));
    for (size_t i = 1; i < length; ++i) {
        code = code << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3F);
    }
    return code;
}

bool isPaired(char32_t c)
{
    return (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0x1100 && c <= 0x11FF) || (c >= 0x3130 && c <= 0x318F)
        || (c >= 0x3040 && c <= 0x30FF) || (c >= 0x3400 && c <= 0x9FFF) || (c >= 0xF900 && c <= 0xFAFF)
        || (c >= 0x20000 && c <= 0x3FFFF);
}

bool isWordPart(char32_t c)
{
    return !isPaired(c) && (QChar::isLetterOrNumber(c) || QChar::isMark(c));
}

int tokenize(Fts5Tokenizer*, void* context, int, const char* data, int size, Report report)
{
    const std::string_view text(data, static_cast<size_t>(size));
    size_t length = 0;
    for (size_t at = 0; at < text.size();) {
        const char32_t c = characterAt(text, at, length);
        if (isPaired(c)) {
            size_t second = 0;
            const size_t next = at + length;
            const bool pair = next < text.size() && isPaired(characterAt(text, next, second));
            const size_t end = pair ? next + second : next;
            if (const int code = report(
                    context, 0, data + at, static_cast<int>(end - at), static_cast<int>(at), static_cast<int>(end))) {
                return code;
            }
            at = next;
        } else if (isWordPart(c)) {
            QString word;
            size_t end = at;
            while (end < text.size()) {
                const char32_t part = characterAt(text, end, length);
                if (!isWordPart(part)) {
                    break;
                }
                word += QChar::fromUcs4(QChar::toCaseFolded(part));
                end += length;
            }
            const QByteArray folded = word.toUtf8();
            if (const int code = report(context, 0, folded.constData(), static_cast<int>(folded.size()),
                    static_cast<int>(at), static_cast<int>(end))) {
                return code;
            }
            at = end;
        } else {
            at += length;
        }
    }
    return SQLITE_OK;
}

// The tokenizer has no state: SQLite only wants a pointer that is not null.
int create(void*, const char**, int, Fts5Tokenizer** out)
{
    static char instance;
    *out = reinterpret_cast<Fts5Tokenizer*>(&instance);
    return SQLITE_OK;
}

void destroy(Fts5Tokenizer*) { }

} // namespace

bool registerBigramTokenizer(sqlite3* connection)
{
    fts5_api* api = nullptr;
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(connection, "SELECT fts5(?1)", -1, &statement, nullptr) != SQLITE_OK) {
        return false;
    }
    sqlite3_bind_pointer(statement, 1, &api, "fts5_api_ptr", nullptr);
    sqlite3_step(statement);
    sqlite3_finalize(statement);
    if (!api) {
        return false;
    }
    fts5_tokenizer tokenizer{create, destroy, tokenize};
    return api->xCreateTokenizer(api, kBigramTokenizer, nullptr, &tokenizer, nullptr) == SQLITE_OK;
}

} // namespace kvasir
