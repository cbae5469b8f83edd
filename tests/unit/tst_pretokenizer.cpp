#include "base/utf8.h"
#include "goldendata.h"
#include "splittext.h"
#include "text/pretokenizer.h"
#include "text/pretokenizers/families.h"

#include <QDir>
#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

#include <random>

using namespace kvasir;
using namespace kvasir::testing;

namespace {

QString words(const PreTokenizer& rule, std::string_view text)
{
    QStringList result;
    PreTokenizer::Work work;
    size_t begin = 0;
    for (const uint32_t end : rule.split(text, work)) {
        result.append(QString::fromUtf8(text.data() + begin, qsizetype(end - begin)));
        begin = end;
    }
    return result.join(u'|');
}

/// Lengths in scalar values, written as tests/golden/pretokenizers/make.py does.
QString lengths(const PreTokenizer& rule, std::string_view text)
{
    QString result;
    PreTokenizer::Work work;
    size_t position = 0;
    for (const uint32_t end : rule.split(text, work)) {
        int count = 0;
        for (; position < end; ++count) {
            position += readUtf8(text, position).length;
        }
        const char digit[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        result += count < 62 ? QString(QChar::fromLatin1(digit[count])) : QStringLiteral("~%1~").arg(count);
    }
    return result;
}

QStringList familyNames()
{
    QStringList names;
    for (const PreTokenizerFamily& family : preTokenizerFamilies()) {
        names += QString::fromUtf8(family.names.data(), qsizetype(family.names.size())).split(u' ');
    }
    return names;
}

} // namespace

class TestPreTokenizer : public QObject {
    Q_OBJECT

private slots:
    void everyFamilyIsUnderstood();
    void knowsNoNameTwice();
    void cutsAsTheReferenceDoes_data();
    void cutsAsTheReferenceDoes();
    void splitsIntoWords_data();
    void splitsIntoWords();
    void everyRuleKeepsAllBytes();
    void takesLinearTime();
    void understandsPublishedSpellings_data();
    void understandsPublishedSpellings();
    void refusesWhatNeedsBacktracking_data();
    void refusesWhatNeedsBacktracking();
    void replaysFuzzCorpus();
};

void TestPreTokenizer::everyFamilyIsUnderstood()
{
    QVERIFY(familyNames().size() > 80);
    for (const QString& name : familyNames()) {
        QVERIFY2(PreTokenizer::find(name.toStdString()), qPrintable(name));
    }
    QVERIFY(!PreTokenizer::find(""));
    QVERIFY(!PreTokenizer::find("no-such-pre"));
    QVERIFY(!PreTokenizer::find("gpt-2 phi-2"));
}

void TestPreTokenizer::knowsNoNameTwice()
{
    QStringList names = familyNames();
    QCOMPARE(names.removeDuplicates(), 0);
}

void TestPreTokenizer::cutsAsTheReferenceDoes_data()
{
    QTest::addColumn<QString>("names");
    QTest::addColumn<QJsonArray>("expected");
    QTest::addColumn<QJsonArray>("texts");
    const QJsonObject golden = readJson(goldenPath("pretokenizers/splits.json"));
    const QJsonObject families = golden["families"].toObject();
    QVERIFY(families.size() > 20);
    for (const QString& names : families.keys()) {
        QTest::newRow(qPrintable(names)) << names << families[names].toArray() << golden["texts"].toArray();
    }
}

void TestPreTokenizer::cutsAsTheReferenceDoes()
{
    QFETCH(QString, names);
    QFETCH(QJsonArray, expected);
    QFETCH(QJsonArray, texts);
    QCOMPARE(expected.size(), texts.size());
    for (const QString& name : names.split(u' ')) {
        const auto rule = PreTokenizer::find(name.toStdString());
        QVERIFY2(rule, qPrintable(name));
        for (qsizetype i = 0; i < texts.size(); ++i) {
            const std::string text = texts[i].toString().toStdString();
            const QString message = QStringLiteral("%1 on text %2: %3").arg(name).arg(i).arg(words(*rule, text));
            QVERIFY2(lengths(*rule, text) == expected[i].toString(),
                qPrintable(message + "\n" + lengths(*rule, text) + "\n" + expected[i].toString()));
        }
    }
}

void TestPreTokenizer::splitsIntoWords_data()
{
    QTest::addColumn<QString>("rule");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* rule, const char* text, const char* expected) {
        QTest::addRow("%s: %s", rule, QByteArray(text).replace('\n', "\\n").constData())
            << QString(rule) << QString::fromUtf8(text) << QString::fromUtf8(expected);
    };
    row("gpt-2", "I'm HE'LL we've", "I|'m| HE|'|LL| we|'ve");
    row("gpt-2", "a  b   \n\n c", "a| | b|   \n\n| c");
    row("gpt-2", "x1234 5!! end  ", "x|1234| 5|!!| end|  ");
    row("smollm", "x1234 5!!", "x|1|2|3|4| |5|!!");
    row("smollm", "a  12", "a|  |1|2");
    row("llama-bpe", "I'M 12345 (word)\n\n  next", "I|'M| |123|45| (|word|)\n\n| | next");
    row("llama-bpe", "\tx = a+b;\r\n", "\tx| =| a|+b|;\r\n");
    row("llama-bpe", " \n  \n   z", " \n  \n|  | z");
    row("qwen2", "abc123 '", "abc|1|2|3| '");
    row("gpt-4o", "camelCase HTTPServer's 가나다 //\n", "camel|Case| HTTPServer's| 가나다| //\n");
    row("default", "a+b 12345", "a|+|b| |123|45");
}

void TestPreTokenizer::splitsIntoWords()
{
    QFETCH(QString, rule);
    QFETCH(QString, text);
    QFETCH(QString, expected);
    const auto splitter = PreTokenizer::find(rule.toStdString());
    QVERIFY(splitter);
    QCOMPARE(words(*splitter, text.toStdString()), expected);
}

void TestPreTokenizer::everyRuleKeepsAllBytes()
{
    std::mt19937 random(7);
    const std::string_view parts[] = {" ", "\n", "\r", "\t", "a", "Z", "7", "'", "'S", "'re", "가", "é", "\xCC\x81",
        "!", "/", "\xFF", "\xE2\x82", "😀", "\xC2\xA0", "٣", "$", "ǅ", "ʰ"};
    for (const QString& rule : familyNames()) {
        const auto splitter = PreTokenizer::find(rule.toStdString());
        PreTokenizer::Work work;
        for (int round = 0; round < 100; ++round) {
            std::string text;
            for (unsigned i = random() % 40; i > 0; --i) {
                text += parts[random() % std::size(parts)];
            }
            uint32_t before = 0;
            for (const uint32_t end : splitter->split(text, work)) {
                QVERIFY(end > before);
                before = end;
            }
            QCOMPARE(size_t(before), text.size());
        }
    }
}

void TestPreTokenizer::takesLinearTime()
{
    // Runs at which a rule looks far and fails; quadratic time would be ten seconds and more for each.
    const std::string_view units[] = {"a", " ", "1", "\n", "!", "가", "😀", " \t", "A", "Aa1", "  x", "\xCC\x81", "12a",
        "A\xCC\x81", "'", "'s", "\xFF", "漢", "\r\n "};
    for (const PreTokenizerFamily& family : preTokenizerFamilies()) {
        const std::string name(family.names.substr(0, family.names.find(' ')));
        const auto rule = PreTokenizer::find(name);
        PreTokenizer::Work work;
        for (const std::string_view unit : units) {
            std::string text;
            while (text.size() < 100'000) {
                text += unit;
            }
            for (const char* tail : {"", "x"}) {
                text += tail;
                QElapsedTimer timer;
                timer.start();
                QVERIFY(!rule->split(text, work).empty());
                QVERIFY2(timer.elapsed() < 10'000, (name + " on " + std::string(unit)).c_str());
            }
        }
    }
}

void TestPreTokenizer::understandsPublishedSpellings_data()
{
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    QTest::newRow("cl100k")
        << R"('(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s)"
        << "I'LL go  12345!?\n x  "
        << "I|'LL| go| | |123|45|!?\n| x|  ";
    QTest::newRow("line ends written out") << "[\r\n]"
                                           << "a\r\nb"
                                           << "a|\r|\n|b";
    QTest::newRow("expanded contraction") << R"((?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])|\p{L}+)"
                                          << "we'RE ok"
                                          << "we|'RE| |ok";
    QTest::newRow("single characters") << "\\p{P}"
                                       << "a!?b"
                                       << "a|!|?|b";
    QTest::newRow("bracket in a class") << R"([\]\[a]+)"
                                        << "x[a]y"
                                        << "x|[a]|y";
    QTest::newRow("overlapping ranges") << "[a-zc-d]+"
                                        << "1zoo1"
                                        << "1|zoo|1";
    QTest::newRow("not a space") << R"(\S+)"
                                 << "ab  c"
                                 << "ab|  |c";
    QTest::newRow("scalar by number") << R"([\x{AC00}-\x{D7A3}]+)"
                                      << "a가나b"
                                      << "a|가나|b";
    QTest::newRow("at least two") << "a{2,}"
                                  << "abaaa"
                                  << "ab|aaa";
}

void TestPreTokenizer::understandsPublishedSpellings()
{
    QFETCH(QString, pattern);
    QFETCH(QString, text);
    QFETCH(QString, expected);
    const auto rule = preTokenizerForPattern(pattern.toStdString());
    QVERIFY(rule);
    QCOMPARE(words(*rule, text.toStdString()), expected);
}

void TestPreTokenizer::refusesWhatNeedsBacktracking_data()
{
    QTest::addColumn<QString>("pattern");
    for (const char* pattern : {"", "a|", "|a", "(a+)+b", "a*", "a?", "a+b", "a*a*b", "[a", "[z-a]", "a{3,1}",
             "a{1000}", "a{99999999999999999999999}", "\\p{Unheard}", "\\p{L", "\\", "\\q", "(?=a)", "a**", "^a", "a$",
             "[[a]]", "[a&&b]", "\\x{110000}", "\\x{}", "a(?!b)", "\xFF"}) {
        QTest::newRow(pattern) << QString::fromLatin1(pattern);
    }
}

void TestPreTokenizer::refusesWhatNeedsBacktracking()
{
    QFETCH(QString, pattern);
    QVERIFY(!preTokenizerForPattern(pattern.toLatin1().toStdString()));
}

void TestPreTokenizer::replaysFuzzCorpus()
{
    const QDir corpus(smallGoldenDir() + "/../fuzz/corpus/pretokenizer");
    const QStringList files = corpus.entryList(QDir::Files);
    QVERIFY(files.size() > 20);
    for (const QString& file : files) {
        const std::string input = readAll(corpus.filePath(file)).toStdString();
        splitFuzzInput(input); // aborts where a promise breaks
        for (size_t i = 0; i < preTokenizerFamilies().size(); ++i) {
            splitFuzzInput(std::string(1, static_cast<char>(i)) + input);
        }
    }
}

QTEST_GUILESS_MAIN(TestPreTokenizer)
#include "tst_pretokenizer.moc"
