#include "outcome.h"
#include "scriptedmodel.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace kvasir::testing;

namespace {

/// Turns like ChatML's; it reads the reasoning of the replies from a field and shows it in the last one only.
constexpr const char* kTemplate =
    "{% for m in messages %}[{{ m.role }}]{% if m.reasoning_content and loop.last %}<think>{{ m.reasoning_content }}"
    "</think>{% endif %}{{ m.content }}{{ eos_token if m.role == 'assistant' }}\n{% endfor %}"
    "{% if add_generation_prompt %}[assistant]\n{% endif %}";

} // namespace

/// Replies with reasoning and tool calls, said by models that say what they are told to.
class TestCliReplies : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void jsonTellsThePartsApart();
    void aPipeGetsTheWholeText();
    void aTerminalDimsTheReasoning();
    void plainTextWhereNoColorIsAskedFor();
    void bareCallsNeedTools();
    void chatLeavesReasoningOutOfLaterTurns();

private:
    static Outcome run(const QStringList& arguments, const QByteArray& input = {})
    {
        return runProgram(KVASIR_CLI, arguments, input);
    }
    static QByteArray onTerminal(const QString& environment, const QString& model)
    {
        QByteArray out = runProgram("script",
            {"-qec",
                QString("%1 %2 generate -m %3 -t 1 --temp 0 --chat -p Hi 2>/dev/null")
                    .arg(environment, KVASIR_CLI, model),
                "/dev/null"})
                             .out;
        return out.replace("\r\n", "\n");
    }

    QTemporaryDir m_folder;
    QString m_thinks, m_calls;
};

void TestCliReplies::initTestCase()
{
    ScriptedModel model;
    model.control = {"<eos>"};
    model.userDefined = {"<think>", "</think>", "<tool_call>", "</tool_call>"};
    model.chatTemplate = kTemplate;
    model.script = {"<think>", "\n", "Let", " me", " see.", "\n", "</think>", "\n\n", "Six", ".", "<tool_call>",
        "{\"name\": \"f\",", " \"arguments\": {\"a\": 1}}", "</tool_call>", "<eos>"};
    m_thinks = m_folder.filePath("thinks.gguf");
    QVERIFY(model.write(m_thinks.toStdString()));

    ScriptedModel calls;
    calls.control = {"<eos>"};
    calls.chatTemplate = std::string(kTemplate) + "{# {\"name\": \"f\", \"parameters\": {}} #}{{ tools }}";
    calls.before = "e";
    calls.chatTemplate += "{{ 'e' }}";
    calls.script = {"{\"na", "me\": \"f\", ", "\"parameters\": {}}", "<eos>"};
    m_calls = m_folder.filePath("calls.gguf");
    QVERIFY(calls.write(m_calls.toStdString()));
}

void TestCliReplies::jsonTellsThePartsApart()
{
    const Outcome outcome = run({"generate", "-m", m_thinks, "-t", "1", "--chat", "-p", "Hi", "--temp", "0", "--json"});
    QVERIFY2(outcome.code == 0, outcome.error);
    const QJsonObject json = outcome.json();
    QCOMPARE(json["text"].toString(),
        "<think>\nLet me see.\n</think>\n\nSix.<tool_call>{\"name\": \"f\", \"arguments\": {\"a\": 1}}</tool_call>");
    QCOMPARE(json["answer"].toString(), "Six.");
    QCOMPARE(json["reasoning"].toString(), "Let me see.");
    const QJsonObject call = json["tool_calls"][0].toObject();
    QCOMPARE(call["name"].toString(), "f");
    QCOMPARE(call["arguments"].toString(), "{\"a\":1}");
    QCOMPARE(json["stop_reason"].toString(), "eos");
    const QJsonObject timings = json["timings"].toObject();
    QCOMPARE(timings["reasoning_tokens"].toInt(), 7);
    QVERIFY(timings["ttfo_ms"].toDouble() > timings["ttft_ms"].toDouble());
}

void TestCliReplies::aPipeGetsTheWholeText()
{
    QCOMPARE(run({"generate", "-m", m_thinks, "-t", "1", "--chat", "-p", "Hi", "--temp", "0", "-n", "9"}).out,
        QByteArray("<think>\nLet me see.\n</think>\n\nSix\n"));
}

void TestCliReplies::aTerminalDimsTheReasoning()
{
    QCOMPARE(onTerminal("TERM=xterm", m_thinks),
        QByteArray("\033[2mLet me see.\033[0m\n\nSix.\n\n\033[36m[tool call] \033[0m"
                   "{\"name\": \"f\", \"arguments\": {\"a\": 1}}\n"));
}

void TestCliReplies::plainTextWhereNoColorIsAskedFor()
{
    QVERIFY(onTerminal("NO_COLOR=1", m_thinks).startsWith("<think>\nLet me see.\n</think>"));
}

void TestCliReplies::bareCallsNeedTools()
{
    const QStringList arguments{"generate", "-m", m_calls, "-t", "1", "--chat", "-p", "Hi", "--temp", "0", "--json"};
    const Outcome plain = run(arguments);
    QVERIFY2(plain.code == 0, plain.error);
    const QJsonObject without = plain.json();
    QCOMPARE(without["tool_calls"].toArray().size(), 0);
    QCOMPARE(without["answer"].toString(), without["text"].toString());
    QFile tools(m_folder.filePath("tools.json"));
    QVERIFY(tools.open(QIODevice::WriteOnly));
    tools.write(R"([{"type": "function", "function": {"name": "f", "parameters": {}}}])");
    tools.close();
    const Outcome offered = run(arguments + QStringList{"--tools", tools.fileName()});
    QVERIFY2(offered.code == 0, offered.error);
    const QJsonObject with = offered.json();
    QCOMPARE(with["tool_calls"][0]["name"].toString(), "f");
    QCOMPARE(with["answer"].toString(), "");
    QVERIFY(with["prompt_tokens"].toArray().size() > without["prompt_tokens"].toArray().size());
    QCOMPARE(run({"generate", "-m", m_calls, "-p", "Hi", "--tools", tools.fileName()}).code, 2);
}

void TestCliReplies::chatLeavesReasoningOutOfLaterTurns()
{
    const Outcome outcome = run({"chat", "-m", m_thinks, "-t", "1", "--temp", "0", "--json"}, "Hi\nHi\n");
    QVERIFY2(outcome.code == 0, outcome.error);
    const QList<QByteArray> lines = outcome.out.trimmed().split('\n');
    QCOMPARE(lines.size(), 2);
    const QJsonObject first = QJsonDocument::fromJson(lines[0]).object();
    QCOMPARE(first["reasoning"].toString(), "Let me see.");
    // The second prompt shares with the first conversation what is in front of the reasoning, a token a byte:
    // "[user]Hi\n[assistant]\n".
    const QJsonObject second = QJsonDocument::fromJson(lines[1]).object();
    QCOMPARE(second["answer"].toString(), "Six.");
    QVERIFY(second["timings"]["cached_tokens"].toInt() <= 21);
}

QTEST_GUILESS_MAIN(TestCliReplies)
#include "tst_clireplies.moc"
