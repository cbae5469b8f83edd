#include "chat/codehighlighter.h"

#include <algorithm>

namespace kvasir {

namespace {

// State: 0 nothing open, 1 comment, 2 inside a markup tag, kFirstQuote + i the i-th quote of the language.
constexpr int kInComment = 1, kInTag = 2, kFirstQuote = 3;

bool isWordStart(QChar c)
{
    return c.isLetter() || c == QLatin1Char('_') || c == QLatin1Char('#');
}
bool isWordPart(QChar c)
{
    return c.isLetterOrNumber() || c == QLatin1Char('_');
}

class LineScanner {
public:
    LineScanner(const CodeLanguage& language, QStringView line, QList<CodeSpan>& spans)
        : m_language(language)
        , m_line(line)
        , m_spans(spans)
    {
    }

    int scan(int state)
    {
        m_isInTag = state == kInTag;
        if (state == kInComment && !finishComment(0))
            return kInComment;
        if (state >= kFirstQuote && state - kFirstQuote < m_language.quotes.size()) {
            // Quotes of markup only open inside tags.
            m_isInTag = m_language.isMarkup;
            if (!finishQuote(0, state - kFirstQuote))
                return state;
        }
        while (m_at < m_line.size()) {
            if (const int open = step(); open != 0)
                return open;
        }
        return m_isInTag ? kInTag : 0;
    }

private:
    // Consumes one token; not 0 when it stays open at the end of the line.
    int step()
    {
        const QStringView rest = m_line.mid(m_at);
        if (!m_language.commentOpen.isEmpty() && rest.startsWith(m_language.commentOpen)) {
            const qsizetype from = m_at;
            m_at += m_language.commentOpen.size();
            return finishComment(from) ? 0 : kInComment;
        }
        for (const QString& mark : m_language.lineComments) {
            // '#' inside a word is no comment: $# or a#b.
            if (rest.startsWith(mark) && (mark != QLatin1String("#") || m_at == 0 || m_line[m_at - 1].isSpace())) {
                add(m_at, m_line.size(), CodeSpan::Kind::Comment);
                m_at = m_line.size();
                return 0;
            }
        }
        if (m_language.isMarkup)
            return stepMarkup(rest);
        if (const int open = tryQuote(rest); open >= 0)
            return open;
        const QChar c = rest[0];
        if (c.isDigit())
            number();
        else if (isWordStart(c))
            word();
        else
            ++m_at;
        return 0;
    }

    int stepMarkup(QStringView rest)
    {
        if (!m_isInTag) {
            if (rest[0] != QLatin1Char('<') || rest.size() < 2
                || !(rest[1].isLetter() || rest[1] == QLatin1Char('/') || rest[1] == QLatin1Char('!'))) {
                ++m_at;
                return 0;
            }
            const qsizetype from = m_at++;
            while (m_at < m_line.size() && QStringLiteral("/!?").contains(m_line[m_at]))
                ++m_at;
            while (m_at < m_line.size() && (isWordPart(m_line[m_at]) || m_line[m_at] == QLatin1Char('-')))
                ++m_at;
            add(from, m_at, CodeSpan::Kind::Keyword);
            m_isInTag = true;
            return 0;
        }
        if (const int open = tryQuote(rest); open >= 0)
            return open;
        const qsizetype from = m_at;
        if (rest[0] == QLatin1Char('>')) {
            add(from, ++m_at, CodeSpan::Kind::Keyword);
            m_isInTag = false;
        } else if (isWordStart(rest[0])) {
            ++m_at;
            while (m_at < m_line.size() && (isWordPart(m_line[m_at]) || m_line[m_at] == QLatin1Char('-')))
                ++m_at;
            add(from, m_at, CodeSpan::Kind::Function);
        } else {
            ++m_at;
        }
        return 0;
    }

    // -1: no quote here; 0: read to its end; else the state of an open one.
    int tryQuote(QStringView rest)
    {
        for (int i = 0; i < m_language.quotes.size(); ++i) {
            if (!rest.startsWith(m_language.quotes[i].open))
                continue;
            const qsizetype from = m_at;
            m_at += m_language.quotes[i].open.size();
            if (finishQuote(from, i) || !m_language.quotes[i].spansLines)
                return 0;
            return kFirstQuote + i;
        }
        return -1;
    }

    bool finishComment(qsizetype from)
    {
        const qsizetype end = m_line.indexOf(m_language.commentClose, m_at);
        m_at = end < 0 ? m_line.size() : end + m_language.commentClose.size();
        add(from, m_at, CodeSpan::Kind::Comment);
        return end >= 0;
    }

    bool finishQuote(qsizetype from, int index)
    {
        const CodeLanguage::Quote& quote = m_language.quotes[index];
        bool closed = false;
        while (m_at < m_line.size()) {
            if (quote.hasEscapes && m_line[m_at] == QLatin1Char('\\')) {
                m_at = std::min(m_at + 2, m_line.size());
            } else if (m_line.mid(m_at).startsWith(quote.close)) {
                m_at += quote.close.size();
                closed = true;
                break;
            } else {
                ++m_at;
            }
        }
        const bool isKey = m_language.colorsKeys && m_line.mid(m_at).trimmed().startsWith(QLatin1Char(':'));
        add(from, m_at, isKey ? CodeSpan::Kind::Function : CodeSpan::Kind::String);
        return closed;
    }

    void number()
    {
        const qsizetype from = m_at;
        while (m_at < m_line.size() && (isWordPart(m_line[m_at]) || m_line[m_at] == QLatin1Char('.')))
            ++m_at;
        add(from, m_at, CodeSpan::Kind::Number);
    }

    void word()
    {
        const qsizetype from = m_at++;
        while (m_at < m_line.size() && isWordPart(m_line[m_at]))
            ++m_at;
        const QString text = m_line.mid(from, m_at - from).toString();
        const QString key = m_language.ignoresCase ? text.toLower() : text;
        if (std::binary_search(m_language.keywords.begin(), m_language.keywords.end(), key))
            add(from, m_at, CodeSpan::Kind::Keyword);
        else if (m_at < m_line.size() && m_line[m_at] == QLatin1Char('('))
            add(from, m_at, CodeSpan::Kind::Function);
    }

    void add(qsizetype from, qsizetype to, CodeSpan::Kind kind)
    {
        if (to > from)
            m_spans.push_back({int(from), int(to - from), kind});
    }

    const CodeLanguage& m_language;
    QStringView m_line;
    QList<CodeSpan>& m_spans;
    qsizetype m_at = 0;
    bool m_isInTag = false;
};

} // namespace

int highlightLine(const CodeLanguage& language, QStringView line, int state, QList<CodeSpan>& spans)
{
    return LineScanner(language, line, spans).scan(state);
}

} // namespace kvasir
