#include "enginefixture.h"
#include "replyfixture.h"
#include "text/chatsetup.h"
#include "text/templateprobe.h"

#include <QTemporaryDir>
#include <QTest>

using namespace kvasir;
using namespace kvasir::testing;

namespace {

using Words = std::vector<std::string>;

// Turns as in ChatML with a mark of its own behind a reply.
std::string turns(const std::string& behindReply)
{
    return "{% for m in messages %}[{{ m.role }}]{{ m.content }}{% if m.role == 'assistant' %}" + behindReply
        + "{% endif %}\n{% endfor %}{% if add_generation_prompt %}[assistant]\n{% endif %}";
}

struct Replied {
    EventLog::Entry entry;
    std::string pieces;
};

class PieceLog : public EventLog {
public:
    void piece(RequestId, const ReplyPiece& piece) override { pieces.push_back(piece); }
    std::vector<ReplyPiece> pieces;
};

/// What the model says to "[assistant]\n".
Replied reply(const ScriptedModel& model, bool isChat = true)
{
    const QTemporaryDir folder;
    const std::string path = folder.filePath("scripted.gguf").toStdString();
    EngineOptions options = exactOptions();
    options.context = 512;
    Replied result;
    if (!model.write(path)) {
        return result;
    }
    auto engine = Engine::load(path, options);
    if (!engine) {
        result.entry.error = engine.error();
        return result;
    }
    GenerateRequest request = greedyRequest((*engine)->tokenizer().encode("[assistant]\n"), 400);
    request.ignoreEos = false;
    request.isChat = isChat;
    PieceLog log;
    const auto id = (*engine)->submit(std::move(request));
    runAll(**engine, log);
    result.entry = log.entries[*id];
    result.pieces = ReplyFixture::shown(log.pieces);
    return result;
}

} // namespace

class TestReplyEnds : public QObject {
    Q_OBJECT

private slots:
    void knowsEndsByNameAndKey_data();
    void knowsEndsByNameAndKey();
    void learnsTheEndFromTheTemplate_data();
    void learnsTheEndFromTheTemplate();
    void learnsTheEndFromPublishedTemplates_data();
    void learnsTheEndFromPublishedTemplates();
    void endsAtATokenAndNotAtItsLetters();
    void endsAtTheTemplatesOwnToken();
    void countsReasoningApart();
    void takesNothingApartOutsideOfAChat();
    void readsWhatTemplatesDoWithReasoning_data();
    void readsWhatTemplatesDoWithReasoning();
    void writesEarlierRepliesAsTheTemplateAsks();
    void aTemplateOfOursLeavesReasoningOut();
};

void TestReplyEnds::knowsEndsByNameAndKey_data()
{
    QTest::addColumn<QStringList>("control");
    QTest::addColumn<QStringList>("ends"); // beside <eos>, the file's own
    QTest::newRow("chatml") << QStringList{"<|im_start|>", "<|im_end|>"} << QStringList{"<|im_end|>"};
    QTest::newRow("llama 3") << QStringList{"<|eot_id|>", "<|eom_id|>", "<|start_header_id|>"}
                             << QStringList{"<|eot_id|>", "<|eom_id|>"};
    QTest::newRow("phi 3") << QStringList{"<|end|>", "<|user|>"} << QStringList{"<|end|>"};
    QTest::newRow("gpt-oss") << QStringList{"<|end|>", "<|return|>", "<|call|>", "<|start|>"}
                             << QStringList{"<|return|>", "<|call|>"};
    QTest::newRow("solar") << QStringList{"<|end|>", "<|flush|>", "<|calls|>"} << QStringList{"<|flush|>", "<|calls|>"};
    QTest::newRow("gemma") << QStringList{"<end_of_turn>", "<start_of_turn>"} << QStringList{"<end_of_turn>"};
    QTest::newRow("mistral") << QStringList{"</s>", "[INST]"} << QStringList{"</s>"};
}

void TestReplyEnds::knowsEndsByNameAndKey()
{
    QFETCH(QStringList, control);
    QFETCH(QStringList, ends);
    ScriptedModel model;
    for (const QString& text : control) {
        model.control.push_back(text.toStdString());
    }
    model.control.push_back("<eos>");
    if (!control.contains("</s>")) {
        model.userDefined = {"</s>"}; // of HTML
    }
    const ReplyFixture fixture(model);
    QStringList found;
    for (const TokenId id : fixture.tokenizer->endsOfGeneration()) {
        found << QString::fromStdString(fixture.tokenizer->piece(id, true));
    }
    ends << "<eos>";
    found.sort();
    ends.sort();
    QCOMPARE(found, ends);
}

void TestReplyEnds::learnsTheEndFromTheTemplate_data()
{
    QTest::addColumn<QString>("chatTemplate");
    QTest::addColumn<QString>("end");
    const auto row = [](const char* name, const std::string& source, const char* end) {
        QTest::newRow(name) << QString::fromStdString(source) << QString(end);
    };
    row("its own token", turns("<|mine|>"), "<|mine|>");
    row("behind white space", turns("\n <|mine|>"), "<|mine|>");
    row("the next turn's",
        "{% for m in messages %}{% if m.role == 'user' %}<|mine|>{% endif %}{{ m.content }}{% endfor %}", "<|mine|>");
    row("known already", turns("<|other|><eos>"), "");
    row("behind words", turns("that is all<|mine|>"), "");
    row("none", turns(""), "");
    row("only in front of a reply",
        "{% for m in messages %}{% if m.role == 'assistant' %}<|mine|>{% endif %}{{ m.content }}|{% endfor %}", "");
    row("refuses the conversation", "{{ raise_exception('no') }}", "");
    row("does not show the reply", "<|mine|>", "");
}

void TestReplyEnds::learnsTheEndFromTheTemplate()
{
    QFETCH(QString, chatTemplate);
    QFETCH(QString, end);
    ScriptedModel model;
    model.control = {"<|mine|>", "<|other|>", "<eos>"};
    model.chatTemplate = chatTemplate.toStdString();
    const ReplyFixture fixture(model);
    QString found;
    for (const TokenId id : endsWrittenBy(*fixture.chatTemplate, *fixture.tokenizer)) {
        found += QString::fromStdString(fixture.tokenizer->piece(id, true));
    }
    QCOMPARE(found, end);
}

void TestReplyEnds::learnsTheEndFromPublishedTemplates_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QStringList>("control");
    QTest::addColumn<QStringList>("ends"); // all that a reply may end with, as the models' generation settings say
    QTest::newRow("GLM") << "GLM-4.6.jinja"
                         << QStringList{"<|user|>", "<|assistant|>", "<|observation|>", "<|endoftext|>", "[gMASK]"}
                         << QStringList{"<|user|>", "<|observation|>", "<|endoftext|>"};
    QTest::newRow("Command A") << "Cohere2MoE.jinja"
                               << QStringList{"<|END_TEXT|>", "<|END_OF_TURN_TOKEN|>", "<|START_OF_TURN_TOKEN|>"}
                               << QStringList{"<|END_OF_TURN_TOKEN|>"};
    QTest::newRow("gpt-oss") << "openai-gpt-oss-120b.jinja"
                             << QStringList{"<|start|>", "<|message|>", "<|channel|>", "<|end|>", "<|return|>",
                                    "<|call|>"}
                             << QStringList{"<|return|>", "<|call|>"};
    QTest::newRow("Llama 3") << "meta-llama-Llama-3.1-8B-Instruct.jinja"
                             << QStringList{"<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>",
                                    "<|eot_id|>"}
                             << QStringList{"<|eot_id|>"};
    QTest::newRow("MiniMax") << "MiniMax-M2.jinja" << QStringList{"]~b]", "]~!b[", "[e~["} << QStringList{"[e~["};
}

void TestReplyEnds::learnsTheEndFromPublishedTemplates()
{
    QFETCH(QString, file);
    QFETCH(QStringList, control);
    QFETCH(QStringList, ends);
    const QString path = goldenPath("templates/" + file);
    if (path.isEmpty()) {
        QSKIP("the published templates are not on this machine");
    }
    ScriptedModel model;
    for (const QString& text : control) {
        model.control.push_back(text.toStdString());
    }
    model.control.push_back("<eos>");
    model.chatTemplate = readAll(path).toStdString();
    const ReplyFixture fixture(model);
    fixture.tokenizer->addEndsOfGeneration(
        endsWrittenBy(*fixture.chatTemplate, *fixture.tokenizer, {fixture.format.end.token}));
    QStringList found;
    for (const TokenId id : fixture.tokenizer->endsOfGeneration()) {
        found << QString::fromStdString(fixture.tokenizer->piece(id, true));
    }
    ends << "<eos>";
    found.sort();
    ends.sort();
    QCOMPARE(found, ends);
}

void TestReplyEnds::endsAtATokenAndNotAtItsLetters()
{
    ScriptedModel model;
    model.control = {"<|im_end|>", "<eos>"};
    model.script = {"It", " ends", " with", " <|", "im_", "end", "|>", ".", "<|im_end|>", " never", "<eos>"};
    const Replied said = reply(model);
    QVERIFY2(said.entry.stats, said.entry.error ? said.entry.error->detail.c_str() : "");
    QCOMPARE(said.entry.stats->stopReason, StopReason::Eos);
    QCOMPARE(said.entry.text, std::string("It ends with <|im_end|>."));
    QCOMPARE(said.entry.stats->generatedTokens, 9);
    QCOMPARE(said.pieces, std::string("A{It ends with <|im_end|>.}"));
}

void TestReplyEnds::endsAtTheTemplatesOwnToken()
{
    ScriptedModel model;
    model.control = {"<|mine|>", "<eos>"};
    model.script = {"Yes", "<|mine|>", " and", " on", "<eos>"};
    QCOMPARE(reply(model).entry.text, std::string("Yes and on"));
    model.chatTemplate = turns("<|mine|>");
    const Replied said = reply(model);
    QCOMPARE(said.entry.text, std::string("Yes"));
    QCOMPARE(said.entry.stats->stopReason, StopReason::Eos);
}

void TestReplyEnds::countsReasoningApart()
{
    ScriptedModel model;
    model.control = {"<eos>"};
    model.userDefined = {"<think>", "</think>"};
    model.script = {"<think>", "\n", "one", " two", " three", "\n", "</think>", "\n\n", "Six", ".", "<eos>"};
    const Replied said = reply(model);
    QVERIFY(said.entry.stats);
    const ReplyStats& stats = *said.entry.stats;
    QCOMPARE(said.pieces, std::string("R{one two three}A{Six.}"));
    QCOMPARE(said.entry.text, std::string("<think>\none two three\n</think>\n\nSix.")); // as the tokens say it
    QCOMPARE(stats.generatedTokens, 11);
    QCOMPARE(stats.reasoningTokens, 7); // with both marks
    for (size_t i = 0; i < said.entry.records.size(); ++i) {
        QCOMPARE(said.entry.records[i].isReasoning, i < 7);
    }
    QCOMPARE(stats.ttfo, said.entry.records[8].sinceSubmit);
    QCOMPARE(stats.reasoning, said.entry.records[6].sinceSubmit - said.entry.records[0].sinceSubmit);
    QVERIFY(stats.ttft < stats.ttfo);
}

void TestReplyEnds::takesNothingApartOutsideOfAChat()
{
    ScriptedModel model;
    model.control = {"<eos>"};
    model.userDefined = {"<think>", "</think>"};
    model.script = {"<think>", "one", "</think>", "two", "<eos>"};
    const Replied said = reply(model, false);
    QCOMPARE(said.pieces, std::string("A{<think>one</think>two}"));
    QCOMPARE(said.entry.stats->reasoningTokens, 0);
    QCOMPARE(said.entry.stats->ttfo, said.entry.stats->ttft);
}

void TestReplyEnds::readsWhatTemplatesDoWithReasoning_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("field");
    QTest::addColumn<bool>("drops");
    QTest::newRow("GLM") << "GLM-4.6.jinja"
                         << "reasoning_content" << false;
    QTest::newRow("MiniMax") << "MiniMax-M2.jinja"
                             << "reasoning_content" << false;
    QTest::newRow("gpt-oss") << "openai-gpt-oss-120b.jinja"
                             << "thinking" << false;
    QTest::newRow("DeepSeek R1") << "deepseek-ai-DeepSeek-R1-Distill-Llama-8B.jinja"
                                 << "" << true;
    QTest::newRow("QwQ") << "Qwen-QwQ-32B.jinja"
                         << "" << true;
    QTest::newRow("Gemma 4") << "google-gemma-4-31B-it.jinja"
                             << "" << true;
    QTest::newRow("SmolLM3") << "HuggingFaceTB-SmolLM3-3B.jinja"
                             << "" << false;
    QTest::newRow("Solar") << "upstage-Solar-Open-100B.jinja"
                           << "reasoning" << false;
}

void TestReplyEnds::readsWhatTemplatesDoWithReasoning()
{
    QFETCH(QString, file);
    QFETCH(QString, field);
    QFETCH(bool, drops);
    const QString path = goldenPath("templates/" + file);
    if (path.isEmpty()) {
        QSKIP("the published templates are not on this machine");
    }
    ScriptedModel model;
    model.control = {"<|start|>", "<|message|>", "<|channel|>", "<|end|>", "<|begin|>", "<|content|>", "<|think|>",
        "<|channel>", "<channel|>", "<eos>"};
    if (!file.contains("gpt-oss")) {
        std::erase(model.control, "<|start|>");
    }
    if (!file.contains("Solar")) {
        std::erase(model.control, "<|begin|>");
    }
    model.chatTemplate = readAll(path).toStdString();
    const ReplyFixture fixture(model);
    QCOMPARE(QString::fromStdString(fixture.format.reasoningField), field);
    if (field.isEmpty()) {
        QCOMPARE(fixture.format.dropsReasoning, drops);
    }
}

void TestReplyEnds::writesEarlierRepliesAsTheTemplateAsks()
{
    ScriptedModel model;
    model.control = {"<eos>"};
    model.userDefined = {"<think>", "</think>", "<tool_call>", "</tool_call>"};
    const std::vector<std::string> calls{"{\"name\": \"f\"}"};
    const auto message = [&](const std::string& chatTemplate) {
        model.chatTemplate = chatTemplate;
        return QString::fromStdString(messageOfEarlierReply(ReplyFixture(model).format, "Hm.", "Two.", calls).dump());
    };
    const QString call = R"(Two.\n<tool_call>\n{\"name\": \"f\"}\n</tool_call>")";
    // It shows whatever stands there.
    QCOMPARE(message("{% for m in messages %}{{ m.content }}{% endfor %}"),
        R"({"role":"assistant","content":"<think>\nHm.\n</think>\n\n)" + call + "}");
    // It cuts the reasoning away.
    QCOMPARE(message("{% for m in messages %}{{ m.content.split('</think>')[-1] }}{% endfor %}"),
        R"({"role":"assistant","content":")" + call + "}");
    // It reads it from a field of its own.
    QCOMPARE(message("{% for m in messages %}{{ m.reasoning_content }}{{ m.content }}{% endfor %}"),
        R"({"role":"assistant","content":")" + call + R"(,"reasoning_content":"Hm."})");
}

void TestReplyEnds::aTemplateOfOursLeavesReasoningOut()
{
    ScriptedModel model;
    model.control = {"<|im_start|>", "<|im_end|>"};
    model.userDefined = {"<think>", "</think>"};
    const ReplyFixture fixture(model);
    const ChatSetup known = readChatSetup({}, *fixture.tokenizer);
    QCOMPARE(known.origin, TemplateOrigin::Known);
    QCOMPARE(known.name, std::string("ChatML"));
    QCOMPARE(messageOfEarlierReply(known.format, "Hm.", "Two.", {})["content"].get<std::string>(), std::string("Two."));
    const ChatSetup stored = readChatSetup("{% for m in messages %}{{ m.content }}{% endfor %}", *fixture.tokenizer);
    QCOMPARE(stored.origin, TemplateOrigin::File);
    QCOMPARE(messageOfEarlierReply(stored.format, "Hm.", "Two.", {})["content"].get<std::string>(),
        std::string("<think>\nHm.\n</think>\n\nTwo."));
    const ChatSetup broken = readChatSetup("{{", *fixture.tokenizer);
    QCOMPARE(broken.origin, TemplateOrigin::Broken);
    QVERIFY(!broken.chatTemplate && !broken.error.empty());
}

QTEST_GUILESS_MAIN(TestReplyEnds)
#include "tst_replyends.moc"
