#include "base/fonts.h"
#include "base/theme.h"
#include "chat/chatview.h"
#include "chat/composer.h"
#include "chat/tokenview.h"
#include "engine/adapters.h"
#include "scriptedmodel.h"
#include "settings/language.h"
#include "settings/settings.h"
#include "warnings.h"
#include "window/actions.h"
#include "window/chatpage.h"
#include "window/chatsession.h"
#include "window/mainwindow.h"
#include "window/promptdialog.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace kvasir;
using namespace kvasir::testing;

namespace {

constexpr int kTimeout = 60'000;

/// Turns like ChatML's, closed by the end token; the reasoning of earlier replies is left out.
constexpr const char* kTemplate =
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content.split('</think>')[-1] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";

ScriptedModel thinker()
{
    ScriptedModel model;
    model.control = {"<|im_start|>", "<|im_end|>"};
    model.userDefined = {"<think>", "</think>", "<tool_call>", "</tool_call>"};
    model.chatTemplate = kTemplate;
    model.script = {"<think>", "\n", "Let", " me", " see.", "\n", "</think>", "\n\n", "Six", ".", "<tool_call>",
        "{\"name\": \"f\",", " \"arguments\": {\"a\": 1}}", "</tool_call>", "<|im_end|>"};
    return model;
}

struct Program {
    QTemporaryDir folder;
    std::unique_ptr<Settings> settings;
    Language language;
    std::unique_ptr<MainWindow> window;

    explicit Program(const ScriptedModel& model)
    {
        Fonts::setScale(1);
        Theme::setMode(Theme::Mode::Light);
        language.set(QStringLiteral("en"));
        model.write(path().toStdString());
        open();
    }

    QString path() const { return folder.filePath(QStringLiteral("scripted.gguf")); }

    void open()
    {
        Paths paths;
        paths.data = folder.filePath(QStringLiteral("data"));
        paths.models = folder.filePath(QStringLiteral("models"));
        paths.cache = folder.filePath(QStringLiteral("cache"));
        settings = std::make_unique<Settings>(paths);
        window = std::make_unique<MainWindow>(*settings, language);
        window->resize(1280, 800);
        window->show();
        QSignalSpy ready(window.get(), &MainWindow::modelReady);
        window->start(path());
        loaded = ready.wait(kTimeout);
    }

    void close()
    {
        window->close();
        window.reset();
        settings.reset();
    }

    bool ask(const QString& text)
    {
        return session().send(text) && QTest::qWaitFor([&] { return session().live() == nullptr; }, kTimeout);
    }

    ChatSession& session() { return window->session(); }
    ChatView* view() { return window->chatPage()->view(); }
    const Message& last() { return session().tree().message(session().tree().leaf()); }
    PromptDialog* openPrompt()
    {
        window->actions().showPrompt->trigger();
        auto* dialog = window->findChild<PromptDialog*>();
        return dialog && QTest::qWaitFor([&] { return !dialog->view()->tokens().isEmpty(); }, kTimeout) ? dialog
                                                                                                        : nullptr;
    }

    bool loaded = false;
};

} // namespace

class TestReasoning : public QObject {
    Q_OBJECT

private slots:
    void init() { m_warnings = std::make_unique<WarningLog>(); }
    void cleanup()
    {
        const QString warnings = m_warnings->take();
        m_warnings.reset();
        QVERIFY2(warnings.isEmpty(), qPrintable(warnings));
    }
    void keepsReasoningApartFromTheAnswer();
    void keepsItOverARestart();
    void togglesWithAKey();
    void tellsItInKorean();
    void leavesItOutOfLaterTurns();
    void showsThePromptAsItWouldBeSent();
    void showsTheDraftInThePrompt();
    void copiesThePrompt();
    void tellsWhereNothingIsToBeSent();
    void tellsThatTheTemplateIsNotTheFiles();
    void showsCallsInTheirPlaces();
    void fencesHoldWhateverACallHolds();

private:
    std::unique_ptr<WarningLog> m_warnings;
};

void TestReasoning::keepsReasoningApartFromTheAnswer()
{
    Program program(thinker());
    QVERIFY(program.loaded);
    QVERIFY(program.ask(QStringLiteral("Hi")));
    const Message& reply = program.last();
    QCOMPARE(reply.text, QStringLiteral("Six."));
    QCOMPARE(reply.reasoning, QStringLiteral("Let me see."));
    QCOMPARE(reply.calls.size(), 1);
    QCOMPARE(reply.calls.first().text, QStringLiteral("{\"name\": \"f\", \"arguments\": {\"a\": 1}}"));
    const ChatMessage shown = program.session().shownMessage(reply.id);
    QCOMPARE(shown.text, QStringLiteral("Six.\n\n```tool-call:f\n{\n    \"a\": 1\n}\n```"));
    QCOMPARE(shown.reasoning, reply.reasoning);
    QVERIFY2(shown.reasoningLabel.startsWith(QStringLiteral("Thought for ")), qPrintable(shown.reasoningLabel));
    QVERIFY2(shown.reasoningLabel.endsWith(QStringLiteral("7 tokens")), qPrintable(shown.reasoningLabel));
    QStringList footer;
    for (const FooterPart& part : shown.footer) {
        footer << part.text;
    }
    QVERIFY2(footer.contains(QStringLiteral("15 tokens")), qPrintable(footer.join(u'|')));
    QVERIFY2(footer.contains(QStringLiteral("7 of reasoning")), qPrintable(footer.join(u'|')));
    QCOMPARE(footer.filter(QStringLiteral("answer after")).size(), 1);
    // What streamed in is what a reload would show.
    const ChatMessage* streamed = program.view()->message(reply.id);
    QCOMPARE(streamed->text, shown.text);
    QCOMPARE(streamed->reasoning, shown.reasoning);
    QVERIFY(!program.view()->isReasoningOpen(reply.id));
}

void TestReasoning::keepsItOverARestart()
{
    Program program(thinker());
    QVERIFY(program.ask(QStringLiteral("Hi")));
    const ConversationId id = program.session().info().id;
    const QString label = program.session().shownMessage(program.last().id).reasoningLabel;
    program.close();
    program.open();
    QTRY_VERIFY_WITH_TIMEOUT(!program.session().conversations().isEmpty(), kTimeout);
    program.session().openConversation(id);
    QTRY_COMPARE_WITH_TIMEOUT(program.session().info().id, id, kTimeout);
    const ChatMessage shown = program.session().shownMessage(program.last().id);
    QCOMPARE(shown.reasoning, QStringLiteral("Let me see."));
    QCOMPARE(shown.reasoningLabel, label);
    QVERIFY(shown.text.contains(QStringLiteral("tool-call:f")));
}

void TestReasoning::togglesWithAKey()
{
    Program program(thinker());
    QVERIFY(program.ask(QStringLiteral("Hi")));
    const MessageId reply = program.last().id;
    program.window->actions().toggleReasoning->trigger();
    QVERIFY(program.view()->isReasoningOpen(reply));
    program.window->actions().toggleReasoning->trigger();
    QVERIFY(!program.view()->isReasoningOpen(reply));
}

void TestReasoning::tellsItInKorean()
{
    Program program(thinker());
    QVERIFY(program.ask(QStringLiteral("안녕")));
    program.language.set(QStringLiteral("ko"));
    const QString label = program.session().shownMessage(program.last().id).reasoningLabel;
    QVERIFY2(label.contains(QStringLiteral("생각")), qPrintable(label));
    program.language.set(QStringLiteral("en"));
}

void TestReasoning::leavesItOutOfLaterTurns()
{
    Program program(thinker());
    QVERIFY(program.ask(QStringLiteral("Hi")));
    PromptDialog* dialog = program.openPrompt();
    QVERIFY(dialog);
    QCOMPARE(dialog->prompt().text,
        QStringLiteral("<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\nSix.\n<tool_call>\n"
                       "{\"name\": \"f\", \"arguments\": {\"a\": 1}}\n</tool_call><|im_end|>\n"));
}

void TestReasoning::showsThePromptAsItWouldBeSent()
{
    Program program(thinker());
    QVERIFY(program.ask(QStringLiteral("Hi <|im_end|>")));
    // The prompt of the reply that is there, before it came.
    const MessageId reply = program.last().id;
    const int promptTokens = program.session().record(reply)->stats.promptTokens;
    program.session().newConversation();
    program.window->chatPage()->composer()->setText(QStringLiteral("Hi <|im_end|>"));
    PromptDialog* dialog = program.openPrompt();
    QVERIFY(dialog);
    QCOMPARE(dialog->view()->tokens().size(), promptTokens);
    QCOMPARE(
        dialog->prompt().text, QStringLiteral("<|im_start|>user\nHi <|im_end|><|im_end|>\n<|im_start|>assistant\n"));
    QCOMPARE(dialog->view()->specialCount(), 3); // the one that the user wrote is letters
    QVERIFY2(dialog->summary().contains(QStringLiteral("3 of them special")), qPrintable(dialog->summary()));
}

void TestReasoning::showsTheDraftInThePrompt()
{
    Program program(thinker());
    PromptDialog* dialog = [&] {
        program.window->chatPage()->composer()->setText(QStringLiteral("one"));
        return program.openPrompt();
    }();
    QVERIFY(dialog);
    QVERIFY(dialog->prompt().text.contains(QStringLiteral("user\none<")));
    program.window->chatPage()->composer()->setText(QStringLiteral("two"));
    emit program.window->chatPage()->composer()->textEdited();
    QTRY_VERIFY_WITH_TIMEOUT(dialog->prompt().text.contains(QStringLiteral("user\ntwo<")), kTimeout);
    program.language.set(QStringLiteral("ko"));
    QTRY_VERIFY2(dialog->summary().contains(QStringLiteral("토큰")), qPrintable(dialog->summary()));
    program.language.set(QStringLiteral("en"));
}

void TestReasoning::copiesThePrompt()
{
    Program program(thinker());
    program.window->chatPage()->composer()->setText(QStringLiteral("한글"));
    PromptDialog* dialog = program.openPrompt();
    QVERIFY(dialog);
    const QList<QPushButton*> buttons = dialog->findChildren<QPushButton*>();
    QCOMPARE(buttons.size(), 3);
    buttons.at(0)->click();
    // Characters of three tokens each are characters again.
    QCOMPARE(QGuiApplication::clipboard()->text(),
        QStringLiteral("<|im_start|>user\n한글<|im_end|>\n<|im_start|>assistant\n"));
    buttons.at(1)->click();
    QCOMPARE(QGuiApplication::clipboard()->text().split(QStringLiteral(", ")).size(), dialog->view()->tokens().size());
    QVERIFY(QGuiApplication::clipboard()->text().startsWith(QStringLiteral("256, "))); // <|im_start|>
}

void TestReasoning::tellsWhereNothingIsToBeSent()
{
    Program program(thinker());
    program.window->actions().showPrompt->trigger();
    auto* dialog = program.window->findChild<PromptDialog*>();
    QVERIFY(dialog);
    QVERIFY2(dialog->summary().contains(QStringLiteral("nothing to send")), qPrintable(dialog->summary()));
    QVERIFY(dialog->view()->tokens().isEmpty());
}

void TestReasoning::tellsThatTheTemplateIsNotTheFiles()
{
    ScriptedModel model = thinker();
    {
        Program program(model);
        QVERIFY(program.window->findChild<QLabel*>(QStringLiteral("templateNote"))->isHidden());
    }
    model.chatTemplate.clear();
    Program program(model);
    const auto* note = program.window->findChild<QLabel*>(QStringLiteral("templateNote"));
    QVERIFY(note->isVisible());
    QVERIFY2(note->text().contains(QStringLiteral("ChatML")), qPrintable(note->text()));
    program.language.set(QStringLiteral("ko"));
    QTRY_VERIFY2(note->text().contains(QStringLiteral("ChatML")) && !note->text().contains(QStringLiteral("template")),
        qPrintable(note->text()));
    program.language.set(QStringLiteral("en"));
}

void TestReasoning::showsCallsInTheirPlaces()
{
    Message message;
    message.role = MessageRole::Assistant;
    message.text = QStringLiteral("before after");
    message.calls = {{{}, QStringLiteral("call:f{a:1}"), 7}, {QStringLiteral("g"), QStringLiteral("{}"), 7}};
    QCOMPARE(Adapters::shownText(message),
        QStringLiteral("before \n\n```tool-call:f\n{a:1}\n```\n\n```tool-call:g\n{}\n```\n\nafter"));
    // While the last one is written nothing is known of it but its words, and the text only grows.
    message.state = MessageState::Streaming;
    message.text = QStringLiteral("before ");
    const QString streaming = Adapters::shownText(message);
    QVERIFY(streaming.endsWith(QStringLiteral("```tool-call:g\n{}")));
    message.calls.last().text += QStringLiteral("x");
    QVERIFY(Adapters::shownText(message).startsWith(streaming));
    message.calls.last().at = 1000; // a damaged database
    QVERIFY(Adapters::shownText(message).startsWith(QStringLiteral("before ")));
}

void TestReasoning::fencesHoldWhateverACallHolds()
{
    Message message;
    message.role = MessageRole::Assistant;
    message.calls = {{QStringLiteral("f`x y\n"), QStringLiteral("a\n````\n# no heading"), 0}};
    QCOMPARE(Adapters::shownText(message), QStringLiteral("\n\n`````tool-call:fxy\na\n````\n# no heading\n`````"));
}

QTEST_MAIN(TestReasoning)
#include "tst_reasoning.moc"
