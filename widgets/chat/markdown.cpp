#include "chat/markdown.h"

#include "chat/mathtext.h"

#include <QHash>
#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <md4c.h>

namespace kvasir {

namespace {

constexpr QChar kLineBreak(0x2028);
// Deeper quotes and lists are shown at this depth: nobody reads them, and each block carries its containers.
constexpr int kMaxContainers = 16;
// A paragraph is laid out as a whole, so an endless one is cut; 8,192 characters shape in about 2 ms.
constexpr int kMaxParagraph = 8192;
// md4c takes quadratic time for very many bare URLs in one paragraph (0.4.8: 3 s for 50,000).
constexpr int kMaxBareUrls = 2000;

QString decodeEntity(QStringView entity) // with & and ;
{
    static const QHash<QString, char16_t> names{{"amp", u'&'}, {"lt", u'<'}, {"gt", u'>'}, {"quot", u'"'},
        {"apos", u'\''}, {"nbsp", 0xa0}, {"copy", 0xa9}, {"reg", 0xae}, {"trade", 0x2122}, {"hellip", 0x2026},
        {"mdash", 0x2014}, {"ndash", 0x2013}, {"lsquo", 0x2018}, {"rsquo", 0x2019}, {"ldquo", 0x201c},
        {"rdquo", 0x201d}, {"laquo", 0xab}, {"raquo", 0xbb}, {"bull", 0x2022}, {"middot", 0xb7}, {"times", 0xd7},
        {"divide", 0xf7}, {"plusmn", 0xb1}, {"deg", 0xb0}, {"micro", 0xb5}, {"larr", 0x2190}, {"rarr", 0x2192},
        {"uarr", 0x2191}, {"darr", 0x2193}, {"le", 0x2264}, {"ge", 0x2265}, {"ne", 0x2260}, {"infin", 0x221e},
        {"euro", 0x20ac}, {"pound", 0xa3}, {"yen", 0xa5}, {"cent", 0xa2}, {"sect", 0xa7}, {"para", 0xb6},
        {"check", 0x2713}, {"alpha", 0x3b1}, {"beta", 0x3b2}, {"gamma", 0x3b3}, {"delta", 0x3b4}, {"lambda", 0x3bb},
        {"mu", 0x3bc}, {"pi", 0x3c0}, {"sigma", 0x3c3}, {"omega", 0x3c9}, {"theta", 0x3b8}};
    const QStringView body = entity.mid(1, entity.size() - 2);
    if (!body.startsWith(QLatin1Char('#'))) {
        const auto it = names.constFind(body.toString());
        return it != names.constEnd() ? QString(QChar(*it)) : entity.toString();
    }
    const bool hex = body.size() > 1 && body[1].toLower() == QLatin1Char('x');
    bool ok = false;
    const char32_t code = body.mid(hex ? 2 : 1).toString().toUInt(&ok, hex ? 16 : 10);
    if (!ok || code == 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return QString(QChar(QChar::ReplacementCharacter));
    return QString::fromUcs4(&code, 1);
}

QString attribute(const MD_ATTRIBUTE& a)
{
    QString result;
    for (int i = 0; a.text && a.substr_offsets[i] < a.size; ++i) {
        const MD_OFFSET from = a.substr_offsets[i], to = a.substr_offsets[i + 1];
        const QString part = QString::fromUtf8(a.text + from, qsizetype(to - from));
        result += a.substr_types[i] == MD_TEXT_ENTITY ? decodeEntity(part) : part;
    }
    return result;
}

// Text of a model may hold characters that would break the layout's idea of lines.
QString tidied(QString text)
{
    for (QChar& c : text) {
        if (c == QChar(0x2029) || c == QChar(0x85) || c == QLatin1Char('\v') || c == QLatin1Char('\f'))
            c = kLineBreak;
        else if (c.unicode() < 0x20 && c != QLatin1Char('\t') && c != QLatin1Char('\n'))
            c = QChar(QChar::ReplacementCharacter);
    }
    return text;
}

// Receives md4c's events and collects leaf blocks.
class BlockBuilder {
public:
    BlockBuilder(const char* begin, const char* end)
        : m_begin(begin)
        , m_end(end)
        , m_eventsLeft(1000 + 20 * (end - begin))
    {
    }

    QList<MarkdownBlock> takeBlocks() { return std::move(m_blocks); }

    int enterBlock(MD_BLOCKTYPE type, void* detail)
    {
        switch (type) {
        case MD_BLOCK_QUOTE:
            closeImplicitParagraph();
            push({MarkdownContainer::Kind::Quote, {}, false, false});
            break;
        case MD_BLOCK_UL: {
            closeImplicitParagraph();
            const auto* d = static_cast<MD_BLOCK_UL_DETAIL*>(detail);
            m_lists.push_back({false, 0, {}, d->is_tight != 0});
            break;
        }
        case MD_BLOCK_OL: {
            closeImplicitParagraph();
            const auto* d = static_cast<MD_BLOCK_OL_DETAIL*>(detail);
            m_lists.push_back({true, d->start, QLatin1Char(d->mark_delimiter), d->is_tight != 0});
            break;
        }
        case MD_BLOCK_LI:
            push(listItem(*static_cast<MD_BLOCK_LI_DETAIL*>(detail)));
            break;
        case MD_BLOCK_HR:
            open(MarkdownBlock::Kind::Rule);
            close();
            break;
        case MD_BLOCK_H:
            open(MarkdownBlock::Kind::Heading);
            m_leaf.level = int(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level);
            break;
        case MD_BLOCK_P:
            open(MarkdownBlock::Kind::Paragraph);
            break;
        case MD_BLOCK_CODE:
            open(MarkdownBlock::Kind::Code);
            m_leaf.language = attribute(static_cast<MD_BLOCK_CODE_DETAIL*>(detail)->lang);
            m_code.clear();
            break;
        case MD_BLOCK_TABLE:
            open(MarkdownBlock::Kind::Table);
            break;
        case MD_BLOCK_TR:
            m_leaf.rows.push_back({});
            break;
        case MD_BLOCK_TH:
        case MD_BLOCK_TD: {
            const MD_ALIGN align = static_cast<MD_BLOCK_TD_DETAIL*>(detail)->align;
            if (type == MD_BLOCK_TH && m_leaf.rows.size() == 1) {
                m_leaf.columns.push_back(align == MD_ALIGN_CENTER ? MarkdownBlock::Align::Center
                        : align == MD_ALIGN_RIGHT                 ? MarkdownBlock::Align::End
                                                                  : MarkdownBlock::Align::Start);
            }
            m_leaf.rows.back().push_back({});
            m_target = &m_leaf.rows.back().back();
            break;
        }
        default:
            break;
        }
        return tick();
    }

    int leaveBlock(MD_BLOCKTYPE type)
    {
        switch (type) {
        case MD_BLOCK_QUOTE:
            closeImplicitParagraph();
            pop();
            break;
        case MD_BLOCK_UL:
        case MD_BLOCK_OL:
            m_lists.pop_back();
            break;
        case MD_BLOCK_LI:
            closeImplicitParagraph();
            if (m_hidden == 0 && !m_containers.isEmpty() && m_containers.back().isFirst) {
                open(MarkdownBlock::Kind::Paragraph); // an item without content still shows its marker
                close();
            }
            pop();
            break;
        case MD_BLOCK_H:
        case MD_BLOCK_P:
        case MD_BLOCK_TABLE:
            close();
            break;
        case MD_BLOCK_CODE:
            if (m_code.endsWith(QLatin1Char('\n')))
                m_code.chop(1);
            m_leaf.lines = m_code.split(QLatin1Char('\n'));
            close();
            break;
        case MD_BLOCK_TH:
        case MD_BLOCK_TD:
            finishText(*m_target);
            m_target = nullptr;
            break;
        default:
            break;
        }
        return tick();
    }

    int enterSpan(MD_SPANTYPE type, void* detail)
    {
        openParagraphIfNeeded();
        switch (type) {
        case MD_SPAN_STRONG:
        case MD_SPAN_EM:
        case MD_SPAN_DEL:
        case MD_SPAN_CODE:
            ++m_depth[styleIndex(type)];
            break;
        case MD_SPAN_A:
            m_hrefs.push_back(attribute(static_cast<MD_SPAN_A_DETAIL*>(detail)->href));
            break;
        case MD_SPAN_IMG: {
            const QString source = attribute(static_cast<MD_SPAN_IMG_DETAIL*>(detail)->src);
            ++m_imageDepth;
            if (m_imageDepth == 1) {
                m_imageStart = m_target ? int(m_target->text.size()) : 0;
                m_imageSource = source;
            }
            m_hrefs.push_back(source);
            break;
        }
        case MD_SPAN_LATEXMATH:
        case MD_SPAN_LATEXMATH_DISPLAY:
            m_math.clear();
            m_mathFrom = m_mathTo = nullptr;
            break;
        default:
            break;
        }
        return tick();
    }

    int leaveSpan(MD_SPANTYPE type)
    {
        switch (type) {
        case MD_SPAN_STRONG:
        case MD_SPAN_EM:
        case MD_SPAN_DEL:
        case MD_SPAN_CODE:
            --m_depth[styleIndex(type)];
            break;
        case MD_SPAN_A:
            m_hrefs.pop_back();
            break;
        case MD_SPAN_IMG:
            if (--m_imageDepth == 0 && m_target && m_target->text.size() == m_imageStart) {
                ++m_imageDepth; // no alternative text: the file's name stands in
                append(m_imageSource.section(QLatin1Char('/'), -1, -1, QString::SectionSkipEmpty));
                --m_imageDepth;
            }
            m_hrefs.pop_back();
            break;
        case MD_SPAN_LATEXMATH:
            appendInlineMath();
            break;
        case MD_SPAN_LATEXMATH_DISPLAY:
            appendDisplayMath();
            break;
        default:
            break;
        }
        return tick();
    }

    int text(MD_TEXTTYPE type, const char* data, MD_SIZE size)
    {
        if (m_inCode) {
            m_code += type == MD_TEXT_NULLCHAR ? QString(QChar(QChar::ReplacementCharacter))
                                               : QString::fromUtf8(data, qsizetype(size));
            return tick();
        }
        openParagraphIfNeeded();
        switch (type) {
        case MD_TEXT_NULLCHAR:
            append(QString(QChar(QChar::ReplacementCharacter)));
            break;
        case MD_TEXT_BR:
        case MD_TEXT_SOFTBR:
            // Models mean a line where they write one.
            append(QString(kLineBreak));
            break;
        case MD_TEXT_ENTITY:
            append(decodeEntity(QString::fromUtf8(data, qsizetype(size))));
            break;
        case MD_TEXT_LATEXMATH:
            if (data >= m_begin && data + size <= m_end) {
                if (!m_mathFrom)
                    m_mathFrom = data;
                m_mathTo = data + size;
            }
            m_math += QString::fromUtf8(data, qsizetype(size));
            break;
        default:
            append(QString::fromUtf8(data, qsizetype(size)));
        }
        return tick();
    }

private:
    struct List {
        bool ordered;
        unsigned next;
        QChar delimiter;
        bool tight;
    };

    // md4c repeats cells of a short row up to the header's length: a small file could ask for millions.
    int tick() { return --m_eventsLeft < 0; }

    static int styleIndex(MD_SPANTYPE type)
    {
        return type == MD_SPAN_STRONG ? 0 : type == MD_SPAN_EM ? 1 : type == MD_SPAN_DEL ? 2 : 3;
    }

    quint8 styles() const
    {
        return quint8((m_depth[0] ? TextRun::Bold : 0) | (m_depth[1] ? TextRun::Italic : 0)
            | (m_depth[2] ? TextRun::Strike : 0) | (m_depth[3] ? TextRun::Code : 0)
            | (m_imageDepth ? TextRun::Image : 0));
    }

    MarkdownContainer listItem(const MD_BLOCK_LI_DETAIL& detail)
    {
        List& list = m_lists.back();
        MarkdownContainer item{MarkdownContainer::Kind::Item, {}, true, list.tight};
        if (detail.is_task)
            item.marker = QChar(detail.task_mark == ' ' ? 0x2610 : 0x2611);
        else if (list.ordered)
            item.marker = QString::number(list.next) + list.delimiter;
        else
            item.marker = QChar(0x2022);
        ++list.next;
        return item;
    }

    void push(const MarkdownContainer& container)
    {
        if (m_containers.size() < kMaxContainers)
            m_containers.push_back(container);
        else
            ++m_hidden;
    }

    void pop()
    {
        if (m_hidden > 0)
            --m_hidden;
        else if (!m_containers.isEmpty())
            m_containers.pop_back();
    }

    void open(MarkdownBlock::Kind kind)
    {
        closeImplicitParagraph();
        m_leaf = {};
        m_leaf.kind = kind;
        m_leaf.containers = m_containers;
        for (MarkdownContainer& c : m_containers)
            c.isFirst = false;
        m_isOpen = true;
        m_inCode = kind == MarkdownBlock::Kind::Code;
        const bool hasText = kind == MarkdownBlock::Kind::Paragraph || kind == MarkdownBlock::Kind::Heading;
        m_target = hasText ? &m_leaf.text : nullptr;
        m_breakPending = false;
    }

    void close()
    {
        m_isOpen = m_inCode = m_isImplicit = false;
        m_target = nullptr;
        finishText(m_leaf.text);
        if (m_leaf.text.text.size() <= kMaxParagraph)
            m_blocks.push_back(std::move(m_leaf));
        else
            pushInParts(m_leaf);
    }

    // Text directly in an item of a tight list comes without a paragraph.
    void openParagraphIfNeeded()
    {
        if (m_isOpen)
            return;
        open(MarkdownBlock::Kind::Paragraph);
        m_isImplicit = true;
    }

    void closeImplicitParagraph()
    {
        if (m_isImplicit)
            close();
    }

    static void finishText(RichText& text)
    {
        while (text.text.endsWith(kLineBreak))
            text.text.chop(1);
        while (!text.runs.isEmpty() && text.runs.back().start >= text.text.size())
            text.runs.pop_back();
        if (!text.runs.isEmpty())
            text.runs.back().length = std::min(text.runs.back().length, int(text.text.size()) - text.runs.back().start);
    }

    void pushInParts(const MarkdownBlock& whole)
    {
        const QString& text = whole.text.text;
        for (qsizetype from = 0; from < text.size();) {
            qsizetype to = std::min<qsizetype>(from + kMaxParagraph, text.size());
            if (to < text.size()) {
                const qsizetype space = text.lastIndexOf(QLatin1Char(' '), to - 1);
                if (space > from + kMaxParagraph / 2)
                    to = space + 1;
                else if (text[to].isLowSurrogate())
                    --to;
            }
            MarkdownBlock part = whole;
            part.text = sliced(whole.text, int(from), int(to));
            part.joinsPrevious = from > 0;
            if (from > 0) {
                for (MarkdownContainer& c : part.containers)
                    c.isFirst = false;
            }
            m_blocks.push_back(std::move(part));
            from = to;
        }
    }

    void append(const QString& piece, quint8 extraStyles = 0)
    {
        if (!m_target || piece.isEmpty())
            return;
        if (m_breakPending) {
            m_breakPending = false;
            if (piece[0] != kLineBreak)
                m_target->text += kLineBreak;
        }
        const int start = int(m_target->text.size());
        m_target->text += tidied(piece);
        const quint8 s = styles() | extraStyles;
        const QString href = m_hrefs.isEmpty() ? QString() : m_hrefs.back();
        if (s == 0 && href.isEmpty())
            return;
        const int length = int(m_target->text.size()) - start;
        if (!m_target->runs.isEmpty()) {
            TextRun& last = m_target->runs.back();
            if (last.start + last.length == start && last.styles == s && last.href == href) {
                last.length += length;
                return;
            }
        }
        m_target->runs.push_back({start, length, s, href});
    }

    // "$5 and $10" is money: as pandoc has it, no space inside the dollars and no digit after them.
    bool looksLikeMath() const
    {
        if (!m_mathFrom || m_math.isEmpty())
            return true;
        const bool digitAfter = m_mathTo + 1 < m_end && m_mathTo[1] >= '0' && m_mathTo[1] <= '9';
        return !digitAfter && !m_math.front().isSpace() && !m_math.back().isSpace();
    }

    void appendInlineMath()
    {
        if (looksLikeMath())
            append(mathToUnicode(m_math), TextRun::Math);
        else
            append(QLatin1Char('$') + m_math + QLatin1Char('$'));
    }

    void appendDisplayMath()
    {
        if (m_target && !m_target->text.isEmpty() && !m_target->text.endsWith(kLineBreak))
            append(QString(kLineBreak));
        append(mathToUnicode(m_math.trimmed()), TextRun::Math);
        m_breakPending = true;
    }

    const char* m_begin;
    const char* m_end;
    qint64 m_eventsLeft;
    QList<MarkdownBlock> m_blocks;
    QList<MarkdownContainer> m_containers;
    int m_hidden = 0; // containers beyond kMaxContainers
    QList<List> m_lists;
    MarkdownBlock m_leaf;
    bool m_isOpen = false, m_isImplicit = false, m_inCode = false, m_breakPending = false;
    RichText* m_target = nullptr;
    std::array<int, 4> m_depth{};
    QStringList m_hrefs;
    int m_imageDepth = 0, m_imageStart = 0;
    QString m_imageSource, m_code, m_math;
    const char* m_mathFrom = nullptr;
    const char* m_mathTo = nullptr;
};

BlockBuilder& builder(void* user)
{
    return *static_cast<BlockBuilder*>(user);
}

// The fence that a line opens, "" if none: up to three spaces, then at least three ` or ~.
QStringView fenceOf(QStringView line)
{
    qsizetype at = 0;
    while (at < line.size() && at < 4 && line[at] == QLatin1Char(' '))
        ++at;
    if (at > 3 || at >= line.size() || (line[at] != QLatin1Char('`') && line[at] != QLatin1Char('~')))
        return {};
    qsizetype end = at;
    while (end < line.size() && line[end] == line[at])
        ++end;
    if (end - at < 3 || (line[at] == QLatin1Char('`') && line.mid(end).contains(QLatin1Char('`'))))
        return {};
    return line.mid(at, end - at);
}

bool closesFence(QStringView line, QStringView fence)
{
    const QStringView own = fenceOf(line);
    return own.size() >= fence.size() && own[0] == fence[0] && line.trimmed().size() == own.size();
}

// md4c 0.4.8 wants three dashes in every cell of a table's delimiter row; GitHub and models are content with one.
QString withLongDelimiters(QStringView source)
{
    static const QRegularExpression delimiterRow(QStringLiteral("^ {0,3}\\|?(\\s*:?-+:?\\s*\\|)+(\\s*:?-+:?\\s*)?$"));
    static const QRegularExpression dashes(QStringLiteral("-+"));
    QString result;
    qsizetype copied = 0;
    QStringView fence;
    for (qsizetype at = 0; at < source.size();) {
        qsizetype end = source.indexOf(QLatin1Char('\n'), at);
        if (end < 0)
            end = source.size();
        const QStringView line = source.mid(at, end - at);
        if (!fence.isEmpty()) {
            if (closesFence(line, fence))
                fence = {};
        } else if (const QStringView opened = fenceOf(line); !opened.isEmpty()) {
            fence = opened;
        } else if (line.contains(QLatin1Char('|')) && line.contains(QLatin1Char('-'))
            && std::all_of(line.begin(), line.end(), [](QChar c) { return QStringLiteral("|-: \t").contains(c); })
            && delimiterRow.match(line.toString()).hasMatch()) {
            result += source.mid(copied, at - copied);
            result += line.toString().replace(dashes, QStringLiteral("---"));
            copied = end;
        }
        at = end + 1;
    }
    if (copied == 0)
        return {};
    result += source.mid(copied);
    return result;
}

QString lineText(const QStringList& lines)
{
    return lines.join(QLatin1Char('\n'));
}

} // namespace

RichText sliced(const RichText& text, int from, int to)
{
    RichText result{text.text.mid(from, to - from), {}};
    for (TextRun run : text.runs) {
        const int start = std::max(run.start, from), end = std::min(run.start + run.length, to);
        if (start >= end)
            continue;
        run.start = start - from;
        run.length = end - start;
        result.runs.push_back(run);
    }
    return result;
}

QList<MarkdownBlock> parseMarkdown(QStringView source)
{
    const QString changed = withLongDelimiters(source);
    const QByteArray utf8 = (changed.isEmpty() ? source : QStringView(changed)).toUtf8();
    MD_PARSER parser = {};
    parser.flags = MD_FLAG_PERMISSIVEAUTOLINKS | MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS
        | MD_FLAG_LATEXMATHSPANS | MD_FLAG_NOHTML;
    if (utf8.count("://") + utf8.count("www.") > kMaxBareUrls)
        parser.flags &= ~unsigned(MD_FLAG_PERMISSIVEAUTOLINKS);
    parser.enter_block = [](MD_BLOCKTYPE t, void* d, void* user) { return builder(user).enterBlock(t, d); };
    parser.leave_block = [](MD_BLOCKTYPE t, void*, void* user) { return builder(user).leaveBlock(t); };
    parser.enter_span = [](MD_SPANTYPE t, void* d, void* user) { return builder(user).enterSpan(t, d); };
    parser.leave_span = [](MD_SPANTYPE t, void*, void* user) { return builder(user).leaveSpan(t); };
    parser.text = [](MD_TEXTTYPE t, const char* s, MD_SIZE n, void* user) { return builder(user).text(t, s, n); };
    BlockBuilder result(utf8.constData(), utf8.constData() + utf8.size());
    if (md_parse(utf8.constData(), MD_SIZE(utf8.size()), &parser, &result) != 0)
        return parseLiteral(source);
    return result.takeBlocks();
}

QList<MarkdownBlock> parseLiteral(QStringView source)
{
    QList<MarkdownBlock> blocks;
    QStringView fence;
    bool inParagraph = false;
    const auto addText = [&](QStringView line) {
        if (line.trimmed().isEmpty()) {
            inParagraph = false;
            return;
        }
        QString text = tidied(line.toString());
        const bool tooLong = inParagraph && blocks.back().text.text.size() + text.size() > kMaxParagraph;
        if (inParagraph && !tooLong) {
            blocks.back().text.text += kLineBreak + text;
            return;
        }
        for (qsizetype from = 0; from < text.size(); from += kMaxParagraph) {
            MarkdownBlock block;
            block.joinsPrevious = from > 0;
            block.text.text = text.mid(from, kMaxParagraph);
            blocks.push_back(block);
        }
        inParagraph = true;
    };
    for (qsizetype at = 0; at <= source.size();) {
        qsizetype end = source.indexOf(QLatin1Char('\n'), at);
        if (end < 0)
            end = source.size();
        QStringView line = source.mid(at, end - at);
        if (line.endsWith(QLatin1Char('\r')))
            line.chop(1);
        at = end + 1;
        if (!fence.isEmpty()) {
            if (closesFence(line, fence))
                fence = {};
            else
                blocks.back().lines.push_back(tidied(line.toString()));
            continue;
        }
        const QStringView opened = fenceOf(line);
        if (opened.isEmpty()) {
            addText(line);
            continue;
        }
        fence = opened;
        inParagraph = false;
        MarkdownBlock code;
        code.kind = MarkdownBlock::Kind::Code;
        code.language = line.trimmed().mid(fence.size()).trimmed().toString().section(QLatin1Char(' '), 0, 0);
        blocks.push_back(code);
    }
    if (!fence.isEmpty() && !blocks.back().lines.isEmpty() && blocks.back().lines.back().isEmpty())
        blocks.back().lines.removeLast();
    return blocks;
}

QString plainText(const MarkdownBlock& block)
{
    switch (block.kind) {
    case MarkdownBlock::Kind::Code:
        return lineText(block.lines);
    case MarkdownBlock::Kind::Rule:
        return {};
    case MarkdownBlock::Kind::Table: {
        QStringList lines;
        for (const QList<RichText>& row : block.rows) {
            QStringList cells;
            for (const RichText& cell : row)
                cells << cell.text;
            lines << cells.join(QLatin1Char('\t'));
        }
        return lineText(lines);
    }
    default:
        return block.text.text;
    }
}

} // namespace kvasir
