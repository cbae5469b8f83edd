#include "replyfixture.h"
#include "text/replymarkers.h"
#include "text/toolcall.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <random>

using namespace kvasir;
using namespace kvasir::testing;

namespace {

using Words = std::vector<std::string>;

ScriptedModel vocabulary(Words control, Words userDefined, std::string chatTemplate = {})
{
    ScriptedModel model;
    control.push_back("<eos>");
    model.control = std::move(control);
    model.userDefined = std::move(userDefined);
    model.chatTemplate = std::move(chatTemplate);
    return model;
}

/// A reply of these tokens, each of them one token of the vocabulary or ordinary text.
std::vector<TokenId> idsOf(const ReplyFixture& fixture, const Words& words)
{
    std::vector<TokenId> ids;
    for (const std::string& word : words) {
        const bool isToken = word.size() > 2 && fixture.tokenizer->encode(word, {.parseSpecial = true}).size() == 1;
        const auto some = fixture.tokenizer->encode(word, {.parseSpecial = isToken});
        ids.insert(ids.end(), some.begin(), some.end());
    }
    return ids;
}

/// The slow way: the whole text at once, with the marks of one reasoning and one tool block in it.
std::string splitWhole(const std::string& text, const std::vector<std::array<std::string, 2>>& blocks)
{
    struct Stretch {
        char kind;
        std::string text;
    };
    std::vector<Stretch> stretches{{'A', {}}};
    size_t inside = blocks.size();
    std::string rest = text;
    while (!rest.empty()) {
        size_t first = std::string::npos;
        size_t which = 0;
        for (size_t i = 0; i < blocks.size(); ++i) {
            const std::string& mark = inside == blocks.size() ? blocks[i][0] : blocks[i][1];
            const size_t at = inside == blocks.size() || inside == i ? rest.find(mark) : std::string::npos;
            if (at < first) {
                first = at;
                which = i;
            }
        }
        stretches.back().text += rest.substr(0, first);
        if (first == std::string::npos) {
            break;
        }
        rest.erase(0, first + blocks[which][inside == blocks.size() ? 0 : 1].size());
        const bool opens = inside == blocks.size();
        inside = opens ? which : blocks.size();
        stretches.push_back({opens ? (which == 0 ? 'R' : 'T') : 'A', {}});
    }
    std::string out;
    for (size_t i = 0; i < stretches.size(); ++i) {
        std::string& own = stretches[i].text;
        const size_t end = own.find_last_not_of(" \t\r\n");
        if (i + 1 < stretches.size()) { // in front of a mark
            own.erase(end == std::string::npos ? 0 : end + 1);
        }
        if (i > 0) { // behind one
            own.erase(0, std::min(own.find_first_not_of(" \t\r\n"), own.size()));
        }
        if (stretches[i].kind != 'A' || !own.empty()) {
            out += stretches[i].kind + ("{" + own + "}");
        }
    }
    return out;
}

} // namespace

class TestReplySplitter : public QObject {
    Q_OBJECT

private slots:
    void takesPublishedFormatsApart_data();
    void takesPublishedFormatsApart();
    void onlyTheTokenIsAMarkWhereThereIsOne();
    void beginsInsideWhatTheTemplateOpened_data();
    void beginsInsideWhatTheTemplateOpened();
    void anyCutGivesTheSame();
    void keepsEveryByteOfUnreadableReplies();
    void bareJsonIsACallOnlyWhereToolsAreOffered();
    void stopStringEndsEveryPart();
    void noMarkOverlapsAnother();
    void readsToolCalls_data();
    void readsToolCalls();
    void readsNoDepthWithoutEnd();
};

void TestReplySplitter::takesPublishedFormatsApart_data()
{
    QTest::addColumn<QStringList>("control");
    QTest::addColumn<QStringList>("userDefined");
    QTest::addColumn<QString>("chatTemplate");
    QTest::addColumn<QString>("prompt");
    QTest::addColumn<QStringList>("reply");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, QStringList control, QStringList userDefined, const char* chatTemplate,
                         const char* prompt, QStringList reply, const char* expected) {
        QTest::newRow(name) << control << userDefined << QString(chatTemplate) << QString(prompt) << reply
                            << QString(expected);
    };
    row("no marks", {}, {}, "", "", {"Hello <think> there"}, "A{Hello <think> there}");
    row("qwen 3", {}, {"<think>", "</think>", "<tool_call>", "</tool_call>"}, "", "<eos>\n",
        {"<think>", "\nHm, two.\n", "</think>", "\n\nTwo.", "\n", "<tool_call>", "\n{\"name\": \"f\"}\n",
            "</tool_call>"},
        "R{Hm, two.}A{Two.}T{{\"name\": \"f\"}}");
    row("two calls", {}, {"<tool_call>", "</tool_call>"}, "", "",
        {"<tool_call>", "a", "</tool_call>", "\n", "<tool_call>", "b", "</tool_call>"}, "T{a}T{b}");
    row("empty reasoning", {}, {"<think>", "</think>"}, "", "", {"<think>", "\n\n", "</think>", "\n\nYes"},
        "R{}A{Yes}");
    row("unclosed", {}, {"<think>", "</think>"}, "", "", {"<think>", "\nAnd so", " on"}, "R{And so on}");
    row("text marks of a template", {}, {}, "{{ content.split('</think>')[-1] }}", "",
        {"<thi", "nk>a", "</th", "ink> b"}, "R{a}A{b}");
    row("mistral", {"[TOOL_CALLS]", "[ARGS]", "[THINK]", "[/THINK]"}, {}, "", "",
        {"[THINK]", "hm", "[/THINK]", "[TOOL_CALLS]", "f", "[ARGS]", "{}", "[TOOL_CALLS]", "g", "[ARGS]", "{}"},
        "R{hm}T{f\n{}}T{g\n{}}");
    row("gemma 4", {"<|channel>", "<channel|>", "<|tool_call>", "<tool_call|>"}, {}, "", "",
        {"<|channel>", "thou", "ght\nhm\n", "<channel|>", "Yes", "<|tool_call>", "call:f{a:1}", "<tool_call|>"},
        "R{hm}A{Yes}T{call:f{a:1}}");
    row("command a", {"<|START_THINKING|>", "<|END_THINKING|>", "<|START_ACTION|>", "<|END_ACTION|>"}, {}, "",
        "<|START_THINKING|>", {"plan", "<|END_THINKING|>", "<|START_ACTION|>", "[1]", "<|END_ACTION|>"},
        "R{plan}T{[1]}");
    const QStringList harmony{
        "<|start|>", "<|message|>", "<|end|>", "<|channel|>", "<|constrain|>", "<|call|>", "<|return|>"};
    row("gpt-oss", harmony, {}, "", "<|start|>assistant",
        {"<|channel|>", "analysis", "<|message|>", "Hm.", "<|end|>", "<|start|>", "assistant", "<|channel|>", "final",
            "<|message|>", "Two.", "<|return|>"},
        "R{Hm.}A{Two.}");
    row("gpt-oss with a tool", harmony, {}, "", "<|start|>assistant",
        {"<|channel|>", "analysis", "<|message|>", "Hm.", "<|end|>", "<|start|>", "assistant", "<|channel|>",
            "commentary to=functions.get_weather ", "<|constrain|>", "json", "<|message|>", "{\"a\": 1}", "<|call|>"},
        "R{Hm.}T:get_weather{{\"a\": 1}}");
    row("gpt-oss, tool before the channel", harmony, {}, "", "<|start|>assistant",
        {" to=functions.f", "<|channel|>", "commentary json", "<|message|>", "{}", "<|call|>"}, "T:f{{}}");
    row("gpt-oss, preamble", harmony, {}, "", "<|start|>assistant",
        {"<|channel|>", "commentary", "<|message|>", "I look it up.", "<|end|>", "<|start|>", "assistant",
            "<|channel|>", "final", "<|message|>", "Two."},
        "A{I look it up.}A{Two.}");
    row("solar",
        {"<|begin|>", "<|think|>", "<|content|>", "<|end|>", "<|tool_calls|>", "<|tool_call:begin|>",
            "<|tool_call:name|>", "<|tool_call:args|>", "<|tool_call:end|>", "<|calls|>", "<|flush|>"},
        {}, "", "<|begin|>assistant",
        {"<|think|>", "hm", "<|end|>", "<|begin|>", "assistant", "<|content|>", "Two.", "<|end|>", "<|begin|>",
            "assistant", "<|tool_calls|>", "<|tool_call:begin|>", "x1", "<|tool_call:name|>", "f", "<|tool_call:args|>",
            "{}", "<|tool_call:end|>", "<|calls|>"},
        "R{hm}A{Two.}T{x1\nf\n{}}");
    row("functionary", {}, {}, "<function={{ f }}>{{ a }}</function>", "",
        {"Let me.\n<function=f>{\"a\": 1}</function>"}, "A{Let me.}T{<function=f>{\"a\": 1}</function>}");
    row("tool call ends unclosed reasoning", {}, {"<think>", "</think>", "<tool_call>", "</tool_call>"}, "", "",
        {"<think>", "hm ", "<tool_call>", "x", "</tool_call>"}, "R{hm}T{x}");
    row("mark of another block inside", {}, {"<think>", "</think>", "<tool_call>", "</tool_call>"}, "", "",
        {"<tool_call>", "x", "<think>", "y", "</tool_call>"}, "T{x<think>y}");
}

void TestReplySplitter::takesPublishedFormatsApart()
{
    QFETCH(QStringList, control);
    QFETCH(QStringList, userDefined);
    QFETCH(QString, chatTemplate);
    QFETCH(QString, prompt);
    QFETCH(QStringList, reply);
    QFETCH(QString, expected);
    const auto toWords = [](const QStringList& list) {
        Words words;
        for (const QString& word : list) {
            words.push_back(word.toStdString());
        }
        return words;
    };
    const ReplyFixture fixture(vocabulary(toWords(control), toWords(userDefined), chatTemplate.toStdString()));
    QCOMPARE(QString::fromStdString(fixture.split(idsOf(fixture, toWords(reply)), prompt.toStdString())), expected);
}

void TestReplySplitter::onlyTheTokenIsAMarkWhereThereIsOne()
{
    const ReplyFixture fixture(vocabulary({"<|im_end|>"}, {"<think>", "</think>"}));
    // The same letters as ordinary tokens: every byte has one.
    std::vector<TokenId> letters;
    for (const char c : std::string("<think> is a mark, <|im_end|> an end")) {
        const auto ids = fixture.tokenizer->encode(std::string(1, c));
        letters.insert(letters.end(), ids.begin(), ids.end());
    }
    QCOMPARE(fixture.split(letters), std::string("A{<think> is a mark, <|im_end|> an end}"));
    for (const TokenId id : letters) {
        QVERIFY(!fixture.tokenizer->isEndOfGeneration(id));
    }
}

void TestReplySplitter::beginsInsideWhatTheTemplateOpened_data()
{
    QTest::addColumn<QString>("prompt");
    QTest::addColumn<QString>("expected");
    QTest::newRow("opened") << "assistant\n<think>\n"
                            << "R{a}A{b}";
    QTest::newRow("opened and closed") << "assistant\n<think>\n\n</think>\n\n"
                                       << "A{a</think>b}";
    QTest::newRow("not opened") << "assistant\n"
                                << "A{a</think>b}";
}

void TestReplySplitter::beginsInsideWhatTheTemplateOpened()
{
    QFETCH(QString, prompt);
    QFETCH(QString, expected);
    const ReplyFixture fixture(vocabulary({}, {"<think>", "</think>"}));
    QCOMPARE(
        QString::fromStdString(fixture.split(idsOf(fixture, {"a", "</think>", "b"}), prompt.toStdString())), expected);
}

void TestReplySplitter::anyCutGivesTheSame()
{
    ReplyFormat format;
    const std::vector<std::array<std::string, 2>> marks{{"<think>", "</think>"}, {"<tool_call>", "</tool_call>"}};
    format.blocks = {{ReplyPart::Reasoning, {marks[0][0]}, {marks[0][1]}, {}, false},
        {ReplyPart::ToolCall, {marks[1][0]}, {marks[1][1]}, {}, false}};
    const Words fragments{"<think>", "</think>", "<tool_call>", "</tool_call>", "<thin", "</", "<", "k>", " ", "\n",
        "\n\n", "word", " and", "é", "가"};
    std::mt19937 random(7);
    const auto below = [&](size_t limit) { return static_cast<size_t>(random() % limit); };
    for (int round = 0; round < 20000; ++round) {
        std::string text;
        for (size_t i = below(14); i > 0; --i) {
            text += fragments[below(fragments.size())];
        }
        const std::string expected = splitWhole(text, marks);
        for (int cut = 0; cut < 3; ++cut) {
            ReplySplitter splitter(format, {}, false);
            std::vector<ReplyPiece> all;
            const auto take = [&] {
                for (ReplyPiece& piece : splitter.take()) {
                    all.push_back(std::move(piece));
                }
            };
            for (size_t position = 0; position < text.size();) {
                const size_t length = cut == 0 ? 1 : cut == 1 ? text.size() : 1 + below(6);
                splitter.addText(std::string_view(text).substr(position, length));
                position += length;
                take();
            }
            splitter.finish();
            take();
            QCOMPARE(ReplyFixture::shown(all), expected);
        }
    }
}

/// Random tokens of every kind in a format with heads: whatever a broken model writes, its words come out, in order.
void TestReplySplitter::keepsEveryByteOfUnreadableReplies()
{
    const Words control{"<|start|>", "<|message|>", "<|end|>", "<|channel|>", "<|constrain|>"};
    const ReplyFixture fixture(vocabulary(control, {"<think>", "</think>"}));
    const Words words{"alpha ", "beta", " gamma", "\n", "가"};
    std::mt19937 random(3);
    for (int round = 0; round < 3000; ++round) {
        Words reply;
        std::string letters;
        bool inHead = true;
        bool isWhole = true;
        for (int i = static_cast<int>(random() % 16); i > 0; --i) {
            const size_t pick = random() % (control.size() + words.size());
            reply.push_back(pick < control.size() ? control[pick] : words[pick - control.size()]);
            if (reply.back() == "<|start|>") {
                inHead = true;
            } else if (reply.back() == "<|message|>") {
                inHead = false;
            } else if (pick >= control.size()) {
                isWhole = isWhole && !inHead;
                letters += reply.back();
            }
        }
        const std::string out = fixture.split(idsOf(fixture, reply), "<|start|>assistant");
        if (!isWhole) {
            continue; // words in a head may be its own
        }
        const auto strip = [](std::string text) {
            std::erase_if(text, [](char c) { return std::string_view(" \nRAT{}").find(c) != std::string_view::npos; });
            return text;
        };
        QCOMPARE(strip(out), strip(letters));
    }
    // A model that knows nothing of heads.
    QCOMPARE(fixture.split(idsOf(fixture, {"alpha ", "beta"}), "<|start|>assistant"), std::string("A{alpha beta}"));
    const std::string longText(1000, 'x');
    QCOMPARE(fixture.split(idsOf(fixture, {longText}), "<|start|>assistant"), "A{" + longText + "}");
}

void TestReplySplitter::bareJsonIsACallOnlyWhereToolsAreOffered()
{
    const ReplyFixture fixture(vocabulary({}, {}, R"({"name": "{{ n }}", "parameters": {{ p }}})"));
    const auto reply = idsOf(fixture, {"\n{\"na", "me\": \"f\", \"parameters\": {}}"});
    QCOMPARE(fixture.split(reply, "", true), std::string(R"(T{{"name": "f", "parameters": {}}})"));
    QVERIFY(fixture.split(reply, "", false).starts_with("A{"));
    const auto text = idsOf(fixture, {"So: {\"name\": 1}"});
    QCOMPARE(fixture.split(text, "", true), std::string("A{So: {\"name\": 1}}"));
}

void TestReplySplitter::stopStringEndsEveryPart()
{
    const ReplyFixture fixture(vocabulary({}, {"<think>", "</think>"}));
    ReplyText text(*fixture.tokenizer, {"STOP"}, &fixture.format, {}, false);
    std::vector<ReplyPiece> pieces;
    std::string plain;
    const auto add = [&](const ReplyText::Step& step) {
        plain += step.text;
        pieces.insert(pieces.end(), step.pieces.begin(), step.pieces.end());
    };
    for (const TokenId id : idsOf(fixture, {"<think>", "hm ST", "</think>", "yes ST", "OP no"})) {
        if (!text.stopped()) {
            add(text.push(id));
        }
    }
    add(text.finish());
    QVERIFY(text.stopped());
    QCOMPARE(plain, std::string("<think>hm ST</think>yes "));
    QCOMPARE(ReplyFixture::shown(pieces), std::string("R{hm ST}A{yes }"));
}

void TestReplySplitter::noMarkOverlapsAnother()
{
    std::vector<std::string> all{std::string(kBareCall)};
    for (const BlockRow& row : kBlockRows) {
        all.emplace_back(row.open);
        if (!row.close.empty()) {
            all.emplace_back(row.close);
        }
    }
    for (const std::string& mark : all) {
        for (const std::string& other : all) {
            QVERIFY2(mark == other || !other.starts_with(mark), (mark + " begins " + other).c_str());
            for (size_t i = 1; i < mark.size(); ++i) {
                QVERIFY2(!other.starts_with(mark.substr(i)), (mark + " runs into " + other).c_str());
            }
        }
    }
}

void TestReplySplitter::readsToolCalls_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("calls");
    QTest::newRow("json") << R"({"name": "f", "arguments": {"a": 1}})"
                          << R"(f({"a":1}))";
    QTest::newRow("llama 3") << R"({"name": "f", "parameters": {}})"
                             << "f({})";
    QTest::newRow("mistral list") << R"([{"name": "f", "arguments": {}}, {"name": "g", "arguments": {}}])"
                                  << "f({}) g({})";
    QTest::newRow("command a") << R"([{"tool_call_id": "0", "tool_name": "f", "parameters": {"a": 1}}])"
                               << R"(f({"a":1}))";
    QTest::newRow("gemma 4") << "call:f{a:1}"
                             << "f({a:1})";
    QTest::newRow("functionary") << "<function=f>{\"a\": 1}</function>"
                                 << "f({\"a\": 1})";
    QTest::newRow("minimax") << "<invoke name=\"f\">\n<parameter name=\"a\">1</parameter>\n</invoke>"
                             << "f(<parameter name=\"a\">1</parameter>)";
    QTest::newRow("glm") << "f\n<arg_key>a</arg_key>\n<arg_value>1</arg_value>"
                         << "f(<arg_key>a</arg_key>\n<arg_value>1</arg_value>)";
    QTest::newRow("deepseek") << "function\nf\n```json\n{\"a\": 1}\n```"
                              << "f({\"a\": 1})";
    QTest::newRow("kimi") << "functions.f:0\n{}"
                          << "f({})";
    QTest::newRow("devstral") << "f\n{}"
                              << "f({})";
    QTest::newRow("lfm2") << "[f(a=1)]"
                          << "f([f(a=1)])";
    QTest::newRow("unreadable") << "?!"
                                << "(?!)";
    QTest::newRow("nothing") << ""
                             << "()";
}

void TestReplySplitter::readsToolCalls()
{
    QFETCH(QString, text);
    QFETCH(QString, calls);
    QStringList shown;
    for (const ToolCall& call : readToolCalls(text.toStdString())) {
        shown << QString::fromStdString(call.name + "(" + call.arguments + ")");
    }
    QCOMPARE(shown.join(' '), calls);
}

void TestReplySplitter::readsNoDepthWithoutEnd()
{
    const auto calls = readToolCalls(std::string(200000, '['));
    QCOMPARE(calls.size(), size_t(1));
    QCOMPARE(calls[0].name, std::string());
}

QTEST_GUILESS_MAIN(TestReplySplitter)
#include "tst_replysplitter.moc"
