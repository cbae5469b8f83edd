#include "chat/markdownstream.h"

#include <QRegularExpression>

#include <algorithm>

namespace kvasir {

namespace {

bool hasDefinition(QStringView text)
{
    static const QRegularExpression definition(
        QStringLiteral("^[ \\t>\\-*+0-9.)]*\\[[^\\]\\n]+\\]:"), QRegularExpression::MultilineOption);
    return text.contains(QLatin1String("]:")) && definition.match(text.toString()).hasMatch();
}

qsizetype lineStart(QStringView text, qsizetype end)
{
    return end > 0 ? text.lastIndexOf(QLatin1Char('\n'), end - 1) + 1 : 0;
}

bool isBlank(QStringView line)
{
    return line.trimmed().isEmpty();
}

} // namespace

void MarkdownStream::reset(const QString& source, bool isLiteral)
{
    *this = {};
    m_source = source;
    m_isLiteral = isLiteral;
}

QStringView MarkdownStream::settled(QStringView source)
{
    // "-" could become a list item, a rule or the underline of a heading; "1" a numbered item.
    static const QString markers = QStringLiteral("-=*+_#>`~| \t.):");
    const qsizetype last = lineStart(source, source.size());
    const QStringView line = source.mid(last);
    const auto isMarker = [](QChar c) { return markers.contains(c) || c.isDigit(); };
    if (line.size() <= 12 && std::all_of(line.begin(), line.end(), isMarker))
        source = source.left(last);
    // A table is one from the end of its second line; before that it would flash as a paragraph.
    qsizetype tableStart = source.size();
    int lines = 0;
    bool lastIsComplete = source.endsWith(QLatin1Char('\n'));
    for (qsizetype end = lastIsComplete ? source.size() - 1 : source.size(); lines < 3;) {
        const qsizetype start = lineStart(source, end);
        if (start >= source.size() || source[start] != QLatin1Char('|'))
            break;
        ++lines;
        tableStart = start;
        if (start == 0)
            break;
        end = start - 1;
    }
    if (lines == 1 || (lines == 2 && !lastIsComplete))
        source = source.left(tableStart);
    return source;
}

int MarkdownStream::update(bool isOpen)
{
    if (!m_hasDefinitions && hasDefinition(QStringView(m_source).mid(m_frozenChars))) {
        m_hasDefinitions = true;
        m_frozenChars = m_frozenBlocks = 0;
    }
    QStringView tail = QStringView(m_source).mid(m_frozenChars);
    if (isOpen && !m_isLiteral)
        tail = settled(tail);
    const QList<MarkdownBlock> parsed = m_isLiteral ? parseLiteral(tail) : parseMarkdown(tail);
    const auto firstTail = m_blocks.begin() + m_frozenBlocks;
    const auto changed = std::mismatch(firstTail, m_blocks.end(), parsed.begin(), parsed.end()).first;
    const int first = int(changed - m_blocks.begin());
    m_blocks.erase(m_blocks.begin() + first, m_blocks.end());
    m_blocks += parsed.mid(first - m_frozenBlocks);
    if (isOpen && !m_isLiteral && !m_hasDefinitions)
        tryFreeze(tail, parsed);
    return first;
}

// A line after a blank one that stands at column 0 may start a new block. Whether it does is proven by parsing both
// sides apart: if that gives the same blocks, nothing that comes later can join them again, for a complete line keeps
// its meaning and every open container was closed.
void MarkdownStream::tryFreeze(QStringView tail, const QList<MarkdownBlock>& parsed)
{
    if (parsed.size() < 2)
        return;
    qsizetype lineEnd = tail.lastIndexOf(QLatin1Char('\n'));
    while (lineEnd > 0) {
        const qsizetype start = lineStart(tail, lineEnd);
        if (start == 0 || m_frozenChars + start <= m_triedUpTo)
            return;
        const qsizetype previous = lineStart(tail, start - 1);
        const bool startsBlock = !tail[start].isSpace() && isBlank(tail.mid(previous, start - 1 - previous));
        if (startsBlock)
            break;
        lineEnd = start - 1;
    }
    if (lineEnd <= 0)
        return;
    const qsizetype start = lineStart(tail, lineEnd);
    m_triedUpTo = m_frozenChars + start;
    const QList<MarkdownBlock> head = parseMarkdown(tail.left(start));
    if (head.size() > parsed.size() || !std::equal(head.begin(), head.end(), parsed.begin()))
        return;
    if (parseMarkdown(tail.mid(start)) != parsed.mid(head.size()))
        return;
    m_frozenChars += start;
    m_frozenBlocks += head.size();
}

} // namespace kvasir
