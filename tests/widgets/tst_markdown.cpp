#include "chat/codehighlighter.h"
#include "chat/emoji.h"
#include "chat/markdown.h"
#include "chat/markdownstream.h"
#include "chat/mathtext.h"

#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QtTest>

using namespace kvasir;
using Kind = MarkdownBlock::Kind;

namespace {

// A picture of the structure that tests can read: one line a block.
QString styled(const RichText& text)
{
    QString out;
    int at = 0;
    for (const TextRun& run : text.runs) {
        out += text.text.mid(at, run.start - at) + '{';
        const char* letters = "bismcI";
        for (int bit : {0, 1, 2, 3, 4, 5}) {
            static const quint8 order[] = {
                TextRun::Bold, TextRun::Italic, TextRun::Strike, TextRun::Math, TextRun::Code, TextRun::Image};
            if (run.styles & order[bit])
                out += letters[bit];
        }
        if (!run.href.isEmpty())
            out += '@' + run.href;
        out += ':' + text.text.mid(run.start, run.length) + '}';
        at = run.start + run.length;
    }
    out += text.text.mid(at);
    return out.replace(QChar(0x2028), "/");
}

QString drawn(const QList<MarkdownBlock>& blocks)
{
    QStringList lines;
    for (const MarkdownBlock& b : blocks) {
        QString line;
        for (const MarkdownContainer& c : b.containers) {
            if (c.kind == MarkdownContainer::Kind::Quote)
                line += "> ";
            else
                line += (c.isFirst ? c.marker : QString(" ")) + (c.isTight ? " " : "~ ");
        }
        switch (b.kind) {
        case Kind::Paragraph:
            line += (b.joinsPrevious ? "+p " : "p ") + styled(b.text);
            break;
        case Kind::Heading:
            line += QString("h%1 ").arg(b.level) + styled(b.text);
            break;
        case Kind::Code:
            line += "code(" + b.language + ") " + b.lines.join('|');
            break;
        case Kind::Rule:
            line += "rule";
            break;
        case Kind::Table:
            line += "table";
            for (MarkdownBlock::Align a : b.columns)
                line += "<^>"[int(a)];
            for (const auto& row : b.rows) {
                QStringList cells;
                for (const RichText& cell : row)
                    cells << styled(cell);
                line += " [" + cells.join(',') + "]";
            }
            break;
        }
        lines << line;
    }
    return lines.join('\n');
}

const char kMixed[] =
    "# 제목 with *emphasis*\n\nA paragraph with **bold**, `code` and [a link](https://x.org).\nSecond "
    "line 😀.\n\n- first\n- second\n  - nested `x`\n\n  loose\n- [x] done\n\n1. one\n2. two\n\n> quote "
    "with\n> two lines\n>\n> - and a list\n\n```python\ndef f(x):\n\n    return x\n```\n\n| a | b |\n"
    "|---|:-:|\n| 1 | 2 |\n| 3 | `4` |\n\n---\n\nSetext\n===\n\nEnd $x^2$ and a\ttab\n\n    indented\n"
    "    code\n\nlast ~~gone~~ line";

} // namespace

class TestMarkdown : public QObject {
    Q_OBJECT

private slots:
    void structureIsRight_data()
    {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("expected");
        auto row = [](const char* name, const char* source, const char* expected) {
            QTest::newRow(name) << QString::fromUtf8(source) << QString::fromUtf8(expected);
        };
        row("empty", "", "");
        row("paragraphs", "one\n\ntwo", "p one\np two");
        row("line breaks", "one\ntwo  \nthree", "p one/two/three");
        row("headings", "# a\n## b\n###### f\n", "h1 a\nh2 b\nh6 f");
        row("setext", "a\n===\n", "h1 a");
        row("emphasis", "a **b** *c* ***d*** ~~e~~", "p a {b:b} {i:c} {bi:d} {s:e}");
        row("emphasis in Korean", "**굵게** 그리고 *기울임*", "p {b:굵게} 그리고 {i:기울임}");
        row("inline code", "a `b*c*` d", "p a {c:b*c*} d");
        row("link", "[a **b**](https://x.org \"t\")", "p {@https://x.org:a }{b@https://x.org:b}");
        row("bare link", "see https://x.org/y.", "p see {@https://x.org/y:https://x.org/y}.");
        row("reference link", "[a][1]\n\n[1]: https://x.org\n", "p {@https://x.org:a}");
        row("image is its alt text", "![a *b*](file:///etc/passwd)",
            "p {I@file:///etc/passwd:a }{iI@file:///etc/passwd:b}");
        row("image without alt", "![](x/y.png)", "p {I@x/y.png:y.png}");
        row("bullets", "- a\n- b\n", "• p a\n• p b");
        row("loose bullets", "- a\n\n- b\n", "•~ p a\n•~ p b");
        row("nested", "- a\n  - b\n    - c\n- d", "• p a\n  • p b\n    • p c\n• p d");
        row("ordered keeps its start", "3. a\n4. b", "3. p a\n4. p b");
        row("ordered with bracket", "1) a", "1) p a");
        row("several blocks in an item", "1. a\n\n   b\n\n   ```\n   c\n   ```\n", "1.~ p a\n ~ p b\n ~ code() c");
        row("tasks", "- [ ] a\n- [x] b\n- c", "☐ p a\n☑ p b\n• p c");
        row("text after tasks is no task", "- [x] a\n\n> q\n\np", "☑ p a\n> p q\np p");
        row("empty item", "-\n- a", "• p \n• p a");
        row("list of list", "- - a", "• • p a");
        row("quote", "> a\n> b\n\nc", "> p a/b\np c");
        row("nested quote", "> a\n>> b", "> p a\n> > p b");
        row("list in quote", "> - a\n> - b", "> • p a\n> • p b");
        row("fence", "```cpp title\nint a;\n\nb\n```", "code(cpp) int a;||b");
        row("open fence", "```py\nx = 1\ny", "code(py) x = 1|y");
        row("empty fence", "```\n```", "code() ");
        row("tilde fence holds backticks", "~~~\n```\n~~~", "code() ```");
        row("indented code", "a\n\n    b\n     c\n", "p a\ncode() b| c");
        row("rule", "a\n\n---\n\n* * *", "p a\nrule\nrule");
        row("table", "| a | **b** | c | d |\n|---|:--|:-:|--:|\n| 1 | 2 | 3 | 4 |",
            "table<<^> [a,{b:b},c,d] [1,2,3,4]");
        row("table with single dashes", "|a|b|\n|-|-|\n|1|2|", "table<< [a,b] [1,2]");
        row("table without outer bars", "a | b\n--|--\n1 | 2", "table<< [a,b] [1,2]");
        row("short and long rows", "|a|b|\n|---|---|\n|1|\n|1|2|3|", "table<< [a,b] [1,] [1,2]");
        row("table directly after code", "```\nx\n```\n| a | b |\n|---|---|\n| 1 | 2 |",
            "code() x\ntable<< [a,b] [1,2]");
        row("dashes in a fence stay", "```\n|a|\n|-|\n```", "code() |a|||-|");
        row("html is text", "<b>x</b> <script>alert(1)</script>\n\n<div>\ny\n</div>",
            "p <b>x</b> <script>alert(1)</script>\np <div>/y/</div>");
        row("entities", "&lt;&amp;&#x41;&#66;&nosuch;&#0;", "p <&AB&nosuch;�");
        row("math", "so $x^2 + \\alpha_1$ is", "p so {m:x² + α₁} is");
        row("display math", "a\n$$\\frac{1}{2}$$\nb", "p a/{m:1⁄2}/b");
        row("money is not math", "costs $5 and $10 today", "p costs $5 and $10 today");
        row("hard markers", "\\*a\\* 2 * 3 * 4 snake_case_name", "p *a* 2 * 3 * 4 snake_case_name");
        row("emoji", "👨‍👩‍👧 and 🇰🇷", "p 👨‍👩‍👧 and 🇰🇷");
        row("spaces and tabs stay", "a  b\tc", "p a  b\tc");
        row("control characters", "a\001b", "p a�b");
    }

    void structureIsRight()
    {
        QFETCH(QString, source);
        QFETCH(QString, expected);
        QCOMPARE(drawn(parseMarkdown(source)), expected);
    }

    void literalTextKeepsEverythingButFences()
    {
        const auto blocks = parseLiteral(u"# no *heading*\nsecond\n\n```c\nint a;\n```\nafter");
        QCOMPARE(drawn(blocks), QString("p # no *heading*/second\ncode(c) int a;\np after"));
    }

    void plainTextSeparatesCellsAndLines()
    {
        QCOMPARE(plainText(parseMarkdown(u"|a|b|\n|---|---|\n|1|2|").at(0)), QString("a\tb\n1\t2"));
        QCOMPARE(plainText(parseMarkdown(u"```\nx\n\ny\n```").at(0)), QString("x\n\ny"));
    }

    void markdownOfBlocksParsesToTheSame_data()
    {
        QTest::addColumn<QString>("source");
        for (const char* source : {kMixed, "- a\n  - b\n\n    c\n- d", "> q\n> - a\n> - b\n\np", "3. x\n4. y\n\n   z",
                 "a * b _c_ `d``e` [x]", "|a\\|b|c|\n|:-:|--:|\n|**1**|2|", "```\n~~~ and ```\n```",
                 "# h *i*\n\n***bi*** x", "1\\. no list", "- [ ] t\n- [x] u", "[l*i*](http://a.b/c)", "-\n- a"})
            QTest::newRow(source) << QString::fromUtf8(source).replace("$x^2$", "x"); // formulas become text
    }

    void markdownOfBlocksParsesToTheSame()
    {
        QFETCH(QString, source);
        const auto blocks = parseMarkdown(source);
        const QString written = toMarkdown(blocks);
        QVERIFY2(drawn(parseMarkdown(written)) == drawn(blocks),
            qPrintable(written + "\n----\n" + drawn(parseMarkdown(written)) + "\n----\n" + drawn(blocks)));
    }

    void streamingEqualsTheWholeAtEveryPrefix()
    {
        const QString source = QString::fromUtf8(kMixed);
        MarkdownStream stream;
        stream.reset({}, false);
        QList<MarkdownBlock> shown;
        for (qsizetype i = 0; i < source.size(); ++i) {
            stream.append(QStringView(source).mid(i, 1));
            const int first = stream.update(true);
            const QString prefix = source.left(i + 1);
            QCOMPARE(drawn(stream.blocks()), drawn(parseMarkdown(MarkdownStream::settled(prefix))));
            // What is said to be unchanged must be.
            QVERIFY(first <= shown.size());
            QVERIFY(std::equal(shown.begin(), shown.begin() + first, stream.blocks().begin()));
            shown = stream.blocks();
        }
        stream.update(false);
        QCOMPARE(stream.blocks(), parseMarkdown(source));
    }

    void streamingEqualsTheWholeForRandomText_data()
    {
        QTest::addColumn<quint32>("seed");
        for (quint32 seed = 0; seed < 40; ++seed)
            QTest::addRow("%u", seed) << seed;
    }

    void streamingEqualsTheWholeForRandomText()
    {
        QFETCH(quint32, seed);
        QRandomGenerator random(seed);
        static const QStringList pieces{"\n", "\n\n", "\n\n", "- ", "  - ", "1. ", "10) ", "   ", "    ", "> ", ">",
            "```\n", "```py\n", "~~~\n", "  ```\n", "word", " and ", "*", "**", "`", "# ", "---\n", "===\n",
            "| a | b |\n", "|---|---|\n", "| 1 |\n", "[l](u)", "[r]", "[r]: u\n", "한글", "😀", "$x$", "<b>", "\\", "\t",
            "- [x] ", "~~", "![i](s)", "http://a.b ", "&amp;", "+ ", "* ", "2. "};
        QString source;
        for (int i = 0; i < 120; ++i)
            source += pieces[random.bounded(int(pieces.size()))];
        MarkdownStream stream;
        stream.reset({}, false);
        for (qsizetype i = 0; i < source.size();) {
            const qsizetype step = 1 + random.bounded(6);
            stream.append(QStringView(source).mid(i, step));
            i += step;
            stream.update(true);
            const QString prefix = source.left(i);
            QCOMPARE(drawn(stream.blocks()), drawn(parseMarkdown(MarkdownStream::settled(prefix))));
        }
        stream.update(false);
        QCOMPARE(drawn(stream.blocks()), drawn(parseMarkdown(source)));
    }

    void aLateDefinitionReachesEarlierText()
    {
        MarkdownStream stream;
        stream.reset({}, false);
        stream.append(u"see [a]\n\nmore\n\nand more\n\n");
        stream.update(true);
        stream.append(u"[a]: http://x.org\n\nend\n");
        stream.update(true);
        QCOMPARE(drawn(stream.blocks().mid(0, 1)), QString("p see {@http://x.org:a}"));
    }

    void halfMarkersAreHeldBack()
    {
        const auto settled = [](const char* text) {
            return MarkdownStream::settled(QString::fromUtf8(text)).toString();
        };
        QCOMPARE(settled("text\n-"), QString("text\n"));
        QCOMPARE(settled("text\n1."), QString("text\n"));
        QCOMPARE(settled("text\n- a"), QString("text\n- a"));
        QCOMPARE(settled("text\n\n| a | b |"), QString("text\n\n"));
        QCOMPARE(settled("text\n\n| a | b |\n|--"), QString("text\n\n"));
        QCOMPARE(settled("| a |\n|---|\n| x"), QString("| a |\n|---|\n| x"));
        QCOMPARE(settled(""), QString());
    }

    void hostileInputIsFastAndHarmless_data()
    {
        QTest::addColumn<QString>("source");
        const auto repeated = [](const char* part, int n) { return QString::fromUtf8(part).repeated(n); };
        QTest::newRow("deep quotes") << repeated("> ", 50000) + "x";
        QTest::newRow("deep lists") << repeated("- ", 50000) + "x";
        QString stairs;
        for (int i = 0; i < 500; ++i)
            stairs += QString(2 * i, ' ') + "- a\n";
        QTest::newRow("stairs") << stairs;
        QTest::newRow("long line") << repeated("a", 1000000);
        QTest::newRow("long line of words") << repeated("word ", 200000);
        QTest::newRow("open brackets") << repeated("[", 50000);
        QTest::newRow("open links") << repeated("[a](", 30000);
        QTest::newRow("stars") << repeated("*a ", 50000);
        QTest::newRow("stars and underscores") << repeated("*_", 50000);
        QTest::newRow("backticks") << repeated("`` ` ", 50000);
        QTest::newRow("dollars") << repeated("$a ", 50000);
        QTest::newRow("bare links") << repeated("http://a.b ", 50000);
        QTest::newRow("wide table, many rows")
            << repeated("|x", 3000) + "\n" + repeated("|---", 3000) + "\n" + repeated("|x|\n", 3000);
        QTest::newRow("broken tables") << repeated("|a|b\n|---\n|-|-|-|\n||||\n", 2000);
        QTest::newRow("braces in math") << "$" + repeated("\\frac{", 20000) + "$";
        QTest::newRow("scripts in math") << "$" + repeated("x^{", 20000) + "$";
        QTest::newRow("nulls") << QString(10000, QChar(0));
        QTest::newRow("lone surrogates") << QString(10000, QChar(0xd800));
        QTest::newRow("many definitions") << repeated("[a]: u\n", 20000) + repeated("[a] ", 20000);
        QTest::newRow("fences") << repeated("```\n", 50000);
        QTest::newRow("entities") << repeated("&#x110000;", 20000);
    }

    void hostileInputIsFastAndHarmless()
    {
        QFETCH(QString, source);
        QElapsedTimer timer;
        timer.start();
        const auto blocks = parseMarkdown(source);
        // 1 MB parses in well under 100 ms; the bound is wide for sanitizers and busy machines.
        QVERIFY2(timer.elapsed() < 5000, qPrintable(QString::number(timer.elapsed())));
        for (const MarkdownBlock& b : blocks) {
            QVERIFY(b.containers.size() <= 16);
            QVERIFY(b.text.text.size() <= 8192);
            for (const auto& row : b.rows)
                QVERIFY(row.size() <= b.columns.size());
        }
    }

    void longParagraphsAreCutWithoutLoss()
    {
        const QString source = QString("word **bold** ").repeated(3000).trimmed();
        QString joined;
        const auto blocks = parseMarkdown(source);
        QVERIFY(blocks.size() > 2);
        for (const MarkdownBlock& b : blocks)
            joined += b.text.text;
        QCOMPARE(joined, QString("word bold ").repeated(3000).trimmed());
        QVERIFY(blocks[1].joinsPrevious);
        QVERIFY(!blocks[1].text.runs.isEmpty());
    }

    void codeIsColoured_data()
    {
        QTest::addColumn<QString>("language");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("expected"); // k keyword, s string, n number, c comment, f function, . plain
        auto row = [](const char* language, const char* code, const char* expected) {
            QTest::newRow(code) << QString(language) << QString(code) << QString(expected);
        };
        row("cpp", "int f(0x1F); // a", "kkk.f.nnnn...cccc");
        row("c", "/* a\nb */ if", "cccc\ncccc.kk");
        row("c", "\"a\\\"b\" 'c'", "ssssss.sss");
        row("py", "def f(x): # a", "kkk.f.....ccc");
        row("python", "\"\"\"a\nb\"\"\" x", "ssss\nssss..");
        row("python", "'a", "ss");
        row("js", "`a\nb` let", "ss\nss.kkk");
        row("json", "{\"a\": \"b\", \"c\": 1}", ".fff..sss..fff..n.");
        row("bash", "echo \"$#\" # c", "kkkk.ssss.ccc");
        row("sql", "SELECT 'x' -- y", "kkkkkk.sss.cccc");
        row("html", "<a href=\"x\">b</a>", "kk.ffff.sssk.kkkk");
        row("html", "<!-- a\nb --> c", "cccccc\nccccc..");
        row("rust", "fn f() -> u8", "kk.f......kk");
        row("go", "func f() int", "kkkk.f...kkk");
        row("java", "new X()", "kkk.f..");
    }

    void codeIsColoured()
    {
        QFETCH(QString, language);
        QFETCH(QString, code);
        QFETCH(QString, expected);
        const CodeLanguage* known = findCodeLanguage(language);
        QVERIFY(known);
        QStringList lines;
        int state = 0;
        for (const QString& line : code.split('\n')) {
            QList<CodeSpan> spans;
            state = highlightLine(*known, line, state, spans);
            QString letters(line.size(), '.');
            int end = 0;
            for (const CodeSpan& span : spans) {
                QVERIFY(span.start >= end && span.length > 0);
                end = span.start + span.length;
                QVERIFY(end <= line.size());
                for (int i = span.start; i < end; ++i)
                    letters[i] = "ksncf"[int(span.kind)];
            }
            lines << letters;
        }
        QCOMPARE(lines.join('\n'), expected);
    }

    void unknownLanguagesStayPlain()
    {
        QVERIFY(!findCodeLanguage("brainfuck"));
        QVERIFY(!findCodeLanguage(""));
        QVERIFY(findCodeLanguage("C++"));
    }

    void highlightingSurvivesAnyText()
    {
        QRandomGenerator random(7);
        static const QString alphabet = QString::fromUtf8("\"'`/*#<>!-=&\\\n\t abc09한😀(){}:");
        for (const char* name : {"cpp", "python", "js", "json", "bash", "sql", "html", "rust", "yaml"}) {
            int state = 0;
            for (int i = 0; i < 2000; ++i) {
                QString line;
                for (int j = random.bounded(20); j > 0; --j)
                    line += alphabet[random.bounded(int(alphabet.size()))];
                QList<CodeSpan> spans;
                state = highlightLine(*findCodeLanguage(name), line, state, spans);
                for (const CodeSpan& span : spans)
                    QVERIFY(span.start >= 0 && span.start + span.length <= line.size());
            }
        }
    }

    void mathIsLegible_data()
    {
        QTest::addColumn<QString>("latex");
        QTest::addColumn<QString>("expected");
        auto row = [](const char* latex, const char* expected) {
            QTest::newRow(latex) << QString::fromUtf8(latex) << QString::fromUtf8(expected);
        };
        row("E = mc^2", "E = mc²");
        row("\\frac{QK^T}{\\sqrt{d_k}}", "(QKᵀ)⁄(√(dₖ))");
        row("\\sum_{i=1}^{n} x_i", "∑ᵢ₌₁ⁿ xᵢ");
        row("\\text{softmax}(z)_q", "softmax(z)_q");
        row("\\left( \\alpha \\right)", "( α )");
        row("x \\in \\mathbb{R}^n", "x ∈ ℝⁿ");
        row("\\unknowncommand", "unknowncommand");
        row("\\", "\\");
        row("{", "{");
        row("a \\\\ b", "a ; b");
    }

    void mathIsLegible()
    {
        QFETCH(QString, latex);
        QFETCH(QString, expected);
        QCOMPARE(mathToUnicode(latex), expected);
    }

    void emojiAreFound()
    {
        using Ranges = QList<std::pair<int, int>>;
        QCOMPARE(emojiRanges(u"abc 12 # ∑ 한글 漢"), Ranges());
        QCOMPARE(emojiRanges(u"a😀b"), (Ranges{{1, 2}}));
        QCOMPARE(emojiRanges(u"👨‍👩‍👧"), (Ranges{{0, 8}}));
        QCOMPARE(emojiRanges(u"🇰🇷🚀"), (Ranges{{0, 6}}));
        QCOMPARE(emojiRanges(u"✅ ok"), (Ranges{{0, 1}}));
        QCOMPARE(emojiRanges(u"❤️"), (Ranges{{0, 2}}));
        QCOMPARE(emojiRanges(u"❤"), Ranges());
        QCOMPARE(emojiRanges(u"1️⃣"), (Ranges{{0, 3}}));
        QCOMPARE(emojiRanges(u"👍🏽"), (Ranges{{0, 4}}));
    }
};

QTEST_GUILESS_MAIN(TestMarkdown)
#include "tst_markdown.moc"
