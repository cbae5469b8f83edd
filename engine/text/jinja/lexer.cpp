#include "text/jinja/lexer.h"

#include "base/utf8.h"

#include <algorithm>

namespace kvasir::jinja {

namespace {

constexpr std::string_view kSpaces = " \t\n\v\f\r";
constexpr std::string_view kOperators[] = {"//", "**", "==", "!=", ">=", "<=", "+", "-", "/", "*", "%", "~", "[", "]",
    "(", ")", "{", "}", ">", "<", "=", ".", ":", "|", ",", ";"};

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isNameStart(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

bool isNamePart(char c)
{
    return isNameStart(c) || isDigit(c);
}

/// Line ends become \n, and the last one goes, as Jinja does by default.
std::string normalizeNewlines(std::string_view source)
{
    std::string result;
    result.reserve(source.size());
    for (size_t i = 0; i < source.size(); ++i) {
        if (source[i] != '\r') {
            result.push_back(source[i]);
        } else if (i + 1 >= source.size() || source[i + 1] != '\n') {
            result.push_back('\n');
        }
    }
    if (result.ends_with('\n')) {
        result.pop_back();
    }
    return result;
}

class Lexer {
public:
    explicit Lexer(std::string source)
        : m_source(std::move(source))
    {
    }

    Result<std::vector<Token>> run();

private:
    struct Tag {
        size_t begin = std::string::npos;
        char kind = 0;    ///< '{', '%' or '#'
        char control = 0; ///< '-', '+' or none
    };

    Tag findTag(size_t from) const;
    void addData(size_t begin, const Tag& tag);
    void skipBehindTag(bool strips, bool trimsNewline);
    /// The rest of a raw block: true if `m_position` was at one.
    bool skipRawTag(std::string_view name);
    Result<void> readRaw();
    Result<void> readComment();
    Result<void> readExpression(char kind);
    Result<void> readToken();
    Result<void> readString();
    void readNumber();

    std::string_view rest() const { return std::string_view(m_source).substr(m_position); }
    bool at(std::string_view text) const { return rest().starts_with(text); }
    void add(Token::Kind kind, std::string text, size_t begin);
    Position positionOf(size_t offset);
    Failure error(std::string what, size_t offset);

    std::string m_source;
    size_t m_position = 0;
    bool m_atLineStart = true; ///< nothing but trimmed text stands between here and the start of the line
    std::string m_brackets;    ///< open ones inside the current tag
    std::vector<Token> m_tokens;
    // Tokens are positioned in ascending order, so that lines are counted once.
    size_t m_counted = 0;
    Position m_countedAt;
};

Position Lexer::positionOf(size_t offset)
{
    if (offset < m_counted) { // only errors look back
        m_counted = 0;
        m_countedAt = {};
    }
    for (; m_counted < offset; ++m_counted) {
        const auto byte = static_cast<unsigned char>(m_source[m_counted]);
        if (byte == '\n') {
            ++m_countedAt.line;
            m_countedAt.column = 1;
        } else if ((byte & 0xC0) != 0x80) {
            ++m_countedAt.column;
        }
    }
    return m_countedAt;
}

Failure Lexer::error(std::string what, size_t offset)
{
    Sandbox sandbox;
    sandbox.at = positionOf(offset);
    sandbox.fail(std::move(what));
    return Failure{*sandbox.error()};
}

void Lexer::add(Token::Kind kind, std::string text, size_t begin)
{
    m_tokens.push_back({kind, std::move(text), positionOf(begin)});
}

Lexer::Tag Lexer::findTag(size_t from) const
{
    for (size_t i = from; (i = m_source.find('{', i)) != std::string::npos && i + 1 < m_source.size(); ++i) {
        const char kind = m_source[i + 1];
        if (kind == '{' || kind == '%' || kind == '#') {
            const char control = i + 2 < m_source.size() ? m_source[i + 2] : 0;
            return {i, kind, control == '-' || control == '+' ? control : char(0)};
        }
    }
    return {};
}

void Lexer::addData(size_t begin, const Tag& tag)
{
    std::string_view data = std::string_view(m_source).substr(begin, tag.begin - begin);
    if (tag.control == '-') {
        data = data.substr(0, data.find_last_not_of(kSpaces) + 1);
    } else if (tag.control != '+' && (tag.kind == '%' || tag.kind == '#')) {
        const size_t newline = data.rfind('\n');
        const size_t line = newline == std::string_view::npos ? 0 : newline + 1;
        const bool onlyIndent = data.find_first_not_of(" \t", line) == std::string_view::npos;
        if (onlyIndent && (line > 0 || m_atLineStart)) {
            data = data.substr(0, line);
        }
    }
    if (!data.empty()) {
        add(Token::Kind::Data, std::string(data), begin);
    }
}

void Lexer::skipBehindTag(bool strips, bool trimsNewline)
{
    const size_t begin = m_position;
    if (strips) {
        m_position = std::min(m_source.find_first_not_of(kSpaces, m_position), m_source.size());
    } else if (trimsNewline && at("\n")) {
        ++m_position;
    }
    m_atLineStart = m_position > begin && m_source[m_position - 1] == '\n';
}

bool Lexer::skipRawTag(std::string_view name)
{
    if (!at("{%")) {
        return false;
    }
    size_t i = m_position + 2;
    i += i < m_source.size() && (m_source[i] == '-' || m_source[i] == '+');
    i = std::min(m_source.find_first_not_of(kSpaces, i), m_source.size());
    if (!std::string_view(m_source).substr(i).starts_with(name)) {
        return false;
    }
    i = std::min(m_source.find_first_not_of(kSpaces, i + name.size()), m_source.size());
    const char control = i < m_source.size() ? m_source[i] : char(0);
    i += control == '-' || control == '+';
    if (!std::string_view(m_source).substr(i).starts_with("%}")) {
        return false;
    }
    m_position = i + 2;
    skipBehindTag(control == '-', control != '+');
    return true;
}

Result<void> Lexer::readRaw()
{
    const size_t begin = m_position;
    for (size_t i = begin; (i = m_source.find("{%", i)) != std::string::npos; ++i) {
        m_position = i;
        const char control = i + 2 < m_source.size() ? m_source[i + 2] : char(0);
        const Tag tag{i, '%', control == '-' || control == '+' ? control : char(0)};
        const bool lineStart = m_atLineStart;
        if (skipRawTag("endraw")) {
            const bool after = std::exchange(m_atLineStart, lineStart);
            addData(begin, tag);
            m_atLineStart = after;
            return {};
        }
    }
    return error("'raw' has no 'endraw'", begin);
}

Result<void> Lexer::readComment()
{
    const size_t end = m_source.find("#}", m_position + 2);
    if (end == std::string::npos) {
        return error("a comment has no end", m_position);
    }
    const char control = m_source[end - 1];
    m_position = end + 2;
    skipBehindTag(control == '-', control != '+');
    return {};
}

void Lexer::readNumber()
{
    const size_t begin = m_position;
    const auto skipDigits = [&] {
        while (m_position < m_source.size() && (isDigit(m_source[m_position]) || at("_"))) {
            ++m_position;
        }
    };
    skipDigits();
    bool isReal = false;
    const bool isMember = begin > 0 && m_source[begin - 1] == '.'; // a.0.1 is a list in a list
    if (!isMember && at(".") && m_position + 1 < m_source.size() && isDigit(m_source[m_position + 1])) {
        isReal = true;
        ++m_position;
        skipDigits();
    }
    if (!isMember && (at("e") || at("E"))) {
        size_t i = m_position + 1;
        i += i < m_source.size() && (m_source[i] == '+' || m_source[i] == '-');
        if (i < m_source.size() && isDigit(m_source[i])) {
            isReal = true;
            m_position = i;
            skipDigits();
        }
    }
    std::string text = m_source.substr(begin, m_position - begin);
    std::erase(text, '_');
    add(isReal ? Token::Kind::Real : Token::Kind::Integer, std::move(text), begin);
}

/// The value of `digits` hexadecimal or octal digits at `position`, which moves behind them; -1 if they are not there.
int64_t readDigits(std::string_view text, size_t& position, size_t digits, int base)
{
    int64_t value = 0;
    for (size_t i = 0; i < digits; ++i, ++position) {
        const char c = position < text.size() ? text[position] : char(0);
        const int digit = isDigit(c) ? c - '0'
            : c >= 'a' && c <= 'f'   ? c - 'a' + 10
            : c >= 'A' && c <= 'F'   ? c - 'A' + 10
                                     : base;
        if (digit >= base) {
            return -1;
        }
        value = value * base + digit;
    }
    return value;
}

Result<void> Lexer::readString()
{
    const size_t begin = m_position;
    const char quote = m_source[m_position++];
    std::string text;
    while (m_position < m_source.size() && m_source[m_position] != quote) {
        const char c = m_source[m_position++];
        if (c != '\\' || m_position >= m_source.size()) {
            text.push_back(c);
            continue;
        }
        const char escape = m_source[m_position++];
        constexpr std::string_view plain = "\\'\"abfnrtv";
        constexpr std::string_view meaning = "\\'\"\a\b\f\n\r\t\v";
        if (const size_t known = plain.find(escape); known != std::string_view::npos) {
            text.push_back(meaning[known]);
        } else if (escape == 'x' || escape == 'u' || escape == 'U') {
            const int64_t value = readDigits(m_source, m_position, escape == 'x' ? 2 : escape == 'u' ? 4 : 8, 16);
            if (value < 0 || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000)) {
                return error("a wrong escape in a string", begin);
            }
            appendUtf8(text, static_cast<char32_t>(value));
        } else if (escape >= '0' && escape <= '7') {
            char32_t value = static_cast<char32_t>(escape - '0');
            for (int i = 0;
                 i < 2 && m_position < m_source.size() && m_source[m_position] >= '0' && m_source[m_position] <= '7';
                 ++i) {
                value = value * 8 + static_cast<char32_t>(m_source[m_position++] - '0');
            }
            appendUtf8(text, value);
        } else if (escape != '\n') {
            text.push_back('\\');
            text.push_back(escape);
        }
    }
    if (m_position >= m_source.size()) {
        return error("a string has no end", begin);
    }
    ++m_position;
    add(Token::Kind::String, std::move(text), begin);
    return {};
}

Result<void> Lexer::readToken()
{
    const size_t begin = m_position;
    const char c = m_source[m_position];
    if (c == '"' || c == '\'') {
        return readString();
    }
    if (isDigit(c)) {
        readNumber();
        return {};
    }
    if (isNameStart(c)) {
        while (m_position < m_source.size() && isNamePart(m_source[m_position])) {
            ++m_position;
        }
        add(Token::Kind::Name, m_source.substr(begin, m_position - begin), begin);
        return {};
    }
    const auto found = std::ranges::find_if(kOperators, [&](std::string_view text) { return at(text); });
    if (found == std::end(kOperators)) {
        const Utf8Step step = readUtf8(m_source, begin);
        return error("unexpected character '" + m_source.substr(begin, step.length) + "'", begin);
    }
    if (constexpr std::string_view opening = "([{"; opening.find(c) != std::string_view::npos) {
        m_brackets.push_back(c == '(' ? ')' : c == '[' ? ']' : '}');
    } else if (constexpr std::string_view closing = ")]}"; closing.find(c) != std::string_view::npos) {
        if (m_brackets.empty() || m_brackets.back() != c) {
            return error(std::string("unexpected '") + c + "'", begin);
        }
        m_brackets.pop_back();
    }
    m_position += found->size();
    add(Token::Kind::Operator, std::string(*found), begin);
    return {};
}

Result<void> Lexer::readExpression(char kind)
{
    const bool isBlock = kind == '%';
    const std::string_view end = isBlock ? "%}" : "}}";
    const size_t begin = m_position;
    add(isBlock ? Token::Kind::BlockBegin : Token::Kind::OutputBegin, "", begin);
    m_position += 2;
    m_position += at("-") || at("+");
    m_brackets.clear();
    for (;;) {
        m_position = std::min(m_source.find_first_not_of(kSpaces, m_position), m_source.size());
        if (m_position >= m_source.size()) {
            return error("a tag has no end", begin);
        }
        const char control = m_source[m_position];
        const bool isControl = (control == '-' || (isBlock && control == '+')) && rest().substr(1).starts_with(end);
        if (m_brackets.empty() && (isControl || at(end))) {
            add(isBlock ? Token::Kind::BlockEnd : Token::Kind::OutputEnd, "", m_position);
            m_position += end.size() + isControl;
            skipBehindTag(isControl && control == '-', isBlock && !isControl);
            return {};
        }
        KVASIR_TRY(readToken());
    }
}

Result<std::vector<Token>> Lexer::run()
{
    while (m_position < m_source.size()) {
        const size_t begin = m_position;
        const Tag tag = findTag(begin);
        if (tag.begin == std::string::npos) {
            add(Token::Kind::Data, m_source.substr(begin), begin);
            m_position = m_source.size();
            break;
        }
        addData(begin, tag);
        m_position = tag.begin;
        if (tag.kind == '#') {
            KVASIR_TRY(readComment());
        } else if (tag.kind == '%' && skipRawTag("raw")) {
            KVASIR_TRY(readRaw());
        } else {
            KVASIR_TRY(readExpression(tag.kind));
        }
    }
    add(Token::Kind::End, "", m_source.size());
    return std::move(m_tokens);
}

} // namespace

Result<std::vector<Token>> tokenize(std::string_view source)
{
    return Lexer(normalizeNewlines(source)).run();
}

} // namespace kvasir::jinja
