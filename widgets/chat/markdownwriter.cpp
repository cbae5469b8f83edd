#include "chat/markdown.h"

#include <algorithm>

namespace kvasir {

namespace {

constexpr QChar kLineBreak(0x2028);

QString escaped(const QString& text, bool inTable)
{
    static const QString always = QStringLiteral("\\`*_[]<>~$&");
    QString out;
    bool atLineStart = !inTable;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text[i];
        if (c == kLineBreak) {
            out += QLatin1Char('\n');
            atLineStart = true;
            continue;
        }
        const bool startsBlock = atLineStart && QStringLiteral("#+-=|").contains(c);
        if (always.contains(c) || startsBlock || (inTable && c == QLatin1Char('|')))
            out += QLatin1Char('\\');
        // "1." at the start of a line would number it.
        if (atLineStart && c.isDigit()) {
            while (i + 1 < text.size() && text[i].isDigit() && text[i + 1].isDigit())
                out += text[i++];
            out += text[i];
            if (i + 1 < text.size() && (text[i + 1] == QLatin1Char('.') || text[i + 1] == QLatin1Char(')')))
                out += QLatin1Char('\\');
        } else {
            out += c;
        }
        atLineStart = false;
    }
    return out;
}

QString fenced(const QString& text, QChar tick, qsizetype atLeast)
{
    qsizetype longest = 0, run = 0;
    for (QChar c : text) {
        run = c == tick ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    return QString(std::max(atLeast, longest + 1), tick);
}

QString written(const QString& piece, const TextRun* run, bool inTable)
{
    if (!run)
        return escaped(piece, inTable);
    QString out;
    if (run->styles & TextRun::Code) {
        const QString ticks = fenced(piece, QLatin1Char('`'), 1);
        const bool touches = piece.startsWith(QLatin1Char('`')) || piece.endsWith(QLatin1Char('`'));
        out = ticks + (touches ? " " : "") + piece + (touches ? " " : "") + ticks;
    } else {
        out = escaped(piece, inTable);
    }
    if (run->styles & TextRun::Strike)
        out = QStringLiteral("~~%1~~").arg(out);
    if (run->styles & TextRun::Italic)
        out = QLatin1Char('*') + out + QLatin1Char('*');
    if (run->styles & TextRun::Bold)
        out = QStringLiteral("**") + out + QStringLiteral("**");
    return out;
}

QString written(const RichText& text, bool inTable)
{
    QString out;
    int at = 0;
    for (qsizetype i = 0; i < text.runs.size(); ++i) {
        const TextRun& run = text.runs[i];
        out += written(text.text.mid(at, run.start - at), nullptr, inTable);
        const bool opens = !run.href.isEmpty()
            && (i == 0 || text.runs[i - 1].href != run.href
                || text.runs[i - 1].start + text.runs[i - 1].length != run.start);
        const bool closes = !run.href.isEmpty()
            && (i + 1 == text.runs.size() || text.runs[i + 1].href != run.href
                || text.runs[i + 1].start != run.start + run.length);
        const QString piece = text.text.mid(run.start, run.length);
        at = run.start + run.length;
        if (opens && closes && piece == run.href && run.styles == 0) {
            out += QLatin1Char('<') + piece + QLatin1Char('>');
            continue;
        }
        if (opens)
            out += run.styles & TextRun::Image ? QStringLiteral("![") : QStringLiteral("[");
        out += written(piece, &run, inTable);
        if (closes)
            out += QStringLiteral("](<%1>)").arg(run.href);
    }
    return out + written(text.text.mid(at), nullptr, inTable);
}

QString markerOf(const MarkdownContainer& item)
{
    if (item.marker == QChar(0x2022))
        return QStringLiteral("- ");
    if (item.marker == QChar(0x2610))
        return QStringLiteral("- [ ] ");
    if (item.marker == QChar(0x2611))
        return QStringLiteral("- [x] ");
    return item.marker + QLatin1Char(' ');
}

QString prefixOf(const QList<MarkdownContainer>& containers, bool isFirstLine, qsizetype depth)
{
    QString prefix;
    for (qsizetype i = 0; i < depth; ++i) {
        const MarkdownContainer& c = containers[i];
        if (c.kind == MarkdownContainer::Kind::Quote) {
            prefix += QStringLiteral("> ");
        } else if (isFirstLine && c.isFirst) {
            prefix += markerOf(c);
        } else {
            // The box of a task is content; the item's own indent is that of "- ".
            const bool isNumber = c.marker.size() > 1;
            prefix += QString(isNumber ? c.marker.size() + 1 : 2, QLatin1Char(' '));
        }
    }
    return prefix;
}

// How many containers of `below` were open in `above` already.
qsizetype sharedDepth(const MarkdownBlock& above, const MarkdownBlock& below)
{
    qsizetype depth = 0;
    while (depth < std::min(above.containers.size(), below.containers.size())
        && above.containers[depth].kind == below.containers[depth].kind && !below.containers[depth].isFirst)
        ++depth;
    return depth;
}

bool isTightBelow(const MarkdownBlock& above, const MarkdownBlock& below, qsizetype shared)
{
    using Kind = MarkdownContainer::Kind;
    const bool startsItem = shared < below.containers.size() && below.containers[shared].kind == Kind::Item;
    const bool isSibling =
        startsItem && shared < above.containers.size() && above.containers[shared].kind == Kind::Item;
    if (isSibling)
        return below.containers[shared].isTight;
    return shared > 0 && below.containers[shared - 1].kind == Kind::Item && below.containers[shared - 1].isTight;
}

QString bodyOf(const MarkdownBlock& block)
{
    switch (block.kind) {
    case MarkdownBlock::Kind::Heading:
        return QString(block.level, QLatin1Char('#')) + QLatin1Char(' ') + written(block.text, false);
    case MarkdownBlock::Kind::Rule:
        return QStringLiteral("***");
    case MarkdownBlock::Kind::Code: {
        const QString code = block.lines.join(QLatin1Char('\n'));
        const QString fence = fenced(code, QLatin1Char('`'), 3);
        return fence + block.language + QLatin1Char('\n') + code + QLatin1Char('\n') + fence;
    }
    case MarkdownBlock::Kind::Table: {
        QStringList lines;
        for (const QList<RichText>& row : block.rows) {
            QStringList cells;
            for (const RichText& cell : row)
                cells << written(cell, true);
            lines << QStringLiteral("| ") + cells.join(QStringLiteral(" | ")) + QStringLiteral(" |");
            if (lines.size() > 1)
                continue;
            QString delimiters = QStringLiteral("|");
            for (MarkdownBlock::Align align : block.columns)
                delimiters += align == MarkdownBlock::Align::Center ? QStringLiteral(":---:|")
                    : align == MarkdownBlock::Align::End            ? QStringLiteral("---:|")
                                                                    : QStringLiteral("---|");
            lines << delimiters;
        }
        return lines.join(QLatin1Char('\n'));
    }
    default:
        return written(block.text, false);
    }
}

} // namespace

QString toMarkdown(const QList<MarkdownBlock>& blocks)
{
    QString out;
    for (qsizetype i = 0; i < blocks.size(); ++i) {
        const MarkdownBlock& block = blocks[i];
        if (block.joinsPrevious && i > 0) {
            out.chop(1);
            out += written(block.text, false) + QLatin1Char('\n');
            continue;
        }
        if (i > 0) {
            const qsizetype shared = sharedDepth(blocks[i - 1], block);
            if (!isTightBelow(blocks[i - 1], block, shared))
                out += prefixOf(block.containers, false, shared).trimmed() + QLatin1Char('\n');
        }
        const QString first = prefixOf(block.containers, true, block.containers.size());
        const QString next = prefixOf(block.containers, false, block.containers.size());
        out += first + bodyOf(block).replace(QLatin1Char('\n'), QLatin1Char('\n') + next) + QLatin1Char('\n');
    }
    return out;
}

} // namespace kvasir
