#include "base/fonts.h"
#include "base/theme.h"
#include "chat/chatview.h"
#include "chat/composer.h"
#include "engine/adapters.h"
#include "engine/engineworker.h"
#include "goldendata.h"
#include "hffolder.h"
#include "plots/memorywidget.h"
#include "plots/phasewidget.h"
#include "plots/timelinewidget.h"
#include "settings/language.h"
#include "settings/options.h"
#include "settings/settings.h"
#include "store/conversationstore.h"
#include "warnings.h"
#include "window/actions.h"
#include "window/chatpage.h"
#include "window/chatsession.h"
#include "window/chatsettingsdialog.h"
#include "window/dashboard.h"
#include "window/findbar.h"
#include "window/mainwindow.h"
#include "window/noticebar.h"
#include "window/settingsdialog.h"
#include "window/shortcutsdialog.h"
#include "window/sidebar.h"
#include "window/topbar.h"
#include "window/welcomepage.h"

#include <QAccessible>
#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QDropEvent>
#include <QLineEdit>
#include <QListView>
#include <QMenuBar>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

using namespace kvasir;

namespace {

constexpr int kLoadTimeout = 60'000;
constexpr int kReplyTimeout = 120'000;

// A reply of the tiny model is over before anything can happen in its middle.
#define NEEDS_REAL_MODEL()                                                                                             \
    if (kvasir::testing::realModelPath(starterModelName()).isEmpty()) {                                                \
        QSKIP("the starter model is not there");                                                                       \
    }

QString tinyModel()
{
    return kvasir::testing::goldenPath(QStringLiteral("tiny/llama-gqa/model-f32.gguf"));
}

QString realModel()
{
    const QString real = kvasir::testing::realModelPath(starterModelName());
    return real.isEmpty() ? tinyModel() : real;
}

/// A program of its own: folders, settings, language, window.
struct Program {
    QTemporaryDir folder;
    std::unique_ptr<Settings> settings;
    Language language;
    std::unique_ptr<MainWindow> window;

    Program()
    {
        Fonts::setScale(1);
        Theme::setMode(Theme::Mode::Light);
        language.set(QStringLiteral("en"));
        open();
    }

    Paths paths() const
    {
        Paths paths;
        paths.data = folder.filePath(QStringLiteral("data"));
        paths.models = folder.filePath(QStringLiteral("models"));
        paths.cache = folder.filePath(QStringLiteral("cache"));
        return paths;
    }

    void open()
    {
        settings = std::make_unique<Settings>(paths());
        window = std::make_unique<MainWindow>(*settings, language);
        window->resize(1280, 800);
        window->show();
    }

    void close()
    {
        window->close();
        window.reset();
        settings.reset();
    }

    ChatSession& session() { return window->session(); }
    ChatView* view() { return window->chatPage()->view(); }
    Composer* composer() { return window->chatPage()->composer(); }

    bool load(const QString& path)
    {
        QSignalSpy ready(window.get(), &MainWindow::modelReady);
        QSignalSpy failed(window.get(), &MainWindow::modelFailed);
        window->start(path);
        return QTest::qWaitFor([&] { return !ready.isEmpty() || !failed.isEmpty(); }, kLoadTimeout) && failed.isEmpty();
    }

    /// A short reply, the same each time.
    void useShortReplies(int tokens)
    {
        ChatSettings chat = session().info().settings;
        chat.maxTokens = tokens;
        chat.sampling.temperature = 0;
        session().setChatSettings(chat);
    }

    bool waitForReply()
    {
        return QTest::qWaitFor([&] { return session().live() == nullptr; }, kReplyTimeout);
    }

    bool ask(const QString& text) { return session().send(text) && waitForReply(); }

    const Message& last() { return session().tree().message(session().tree().leaf()); }
};

/// Rows of a panel's data below the header; a token's text may hold line breaks.
qsizetype rowsOf(const QString& csv)
{
    static const QRegularExpression row(QStringLiteral("^token,"), QRegularExpression::MultilineOption);
    return csv.count(row);
}

QString footerText(const ChatMessage& message)
{
    QStringList texts;
    for (const FooterPart& part : message.footer) {
        texts << part.text;
    }
    return texts.join(u'|');
}

} // namespace

class TestMainWindow : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void tellsHowToBeginWithoutAModel();
    void answersAndKeepsFigures();
    void keepsTheConversationOverARestart();
    void stopsWithinOneToken();
    void keepsWhatIsTypedDuringAReply();
    void regeneratesIntoABranch();
    void editsIntoABranch();
    void takesTheSecondTurnFromTheCache();
    void answersTwoConversationsAtOnce();
    void appliesSystemPromptAndSampling();
    void tellsThatTheContextIsFull();
    void tellsWhyAModelCannotBeOpened_data();
    void tellsWhyAModelCannotBeOpened();
    void keepsTheModelWhenAnotherFails();
    void cancelsLoading();
    void opensADroppedModel();
    void opensADroppedFolder();
    void doesNotReopenAModelThatEndedTheProgram();
    void keepsTextWhenClosedInMidReply();
    void marksAKilledReplyInterrupted();
    void deletesAndBringsBack();
    void findsConversations();
    void tellsThatNothingIsSaved();
    void switchesLanguageWhileRunning();
    void switchesThemeAndSize();
    void hidesDocksAndDrawsNothingThere();
    void fillsTheDashboard();
    void showsEarlierReplies();
    void namesEverythingForAccessibility();
    void listsAllKeys();
    void escapesFromTheNearestThing();
    void keepsTheLayout();
    void refusesBadOptions_data();
    void refusesBadOptions();

private:
    std::unique_ptr<kvasir::testing::WarningLog> m_warnings;
};

void TestMainWindow::init()
{
    m_warnings = std::make_unique<kvasir::testing::WarningLog>();
}

void TestMainWindow::cleanup()
{
    const QString warnings = m_warnings->take();
    m_warnings.reset();
    QVERIFY2(warnings.isEmpty(), qPrintable(warnings));
}

void TestMainWindow::tellsHowToBeginWithoutAModel()
{
    Program program;
    QSignalSpy ready(program.window.get(), &MainWindow::storeReady);
    program.window->start({});
    QTRY_COMPARE(ready.size(), 1);
    QVERIFY(program.window->chatPage()->welcome()->isVisible());
    QVERIFY(program.window->chatPage()->welcome()->findChild<QPushButton*>("openModelButton")->isVisible());
    QVERIFY(!program.session().send(QStringLiteral("hello")));
    QVERIFY(program.session().isEmpty());
}

void TestMainWindow::answersAndKeepsFigures()
{
    Program program;
    QVERIFY(program.load(realModel()));
    QVERIFY(!program.window->chatPage()->welcome()->isVisible());
    program.useShortReplies(24);
    QSignalSpy texts(&program.session(), &ChatSession::textArrived);
    QVERIFY(QTest::qWaitForWindowActive(program.window.get()));
    // The focus is where one writes, without a click.
    QVERIFY(program.composer()->isAncestorOf(QApplication::focusWidget()));
    QTest::keyClicks(QApplication::focusWidget(), "Name three rivers.");
    QCOMPARE(program.composer()->text(), QStringLiteral("Name three rivers."));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    QVERIFY(program.session().live());
    QCOMPARE(program.composer()->text(), QString());
    QVERIFY(program.composer()->isBusy());
    QVERIFY(program.waitForReply());
    QVERIFY(!program.composer()->isBusy());

    QVERIFY(texts.size() >= 1);
    QCOMPARE(program.view()->messageCount(), 2);
    program.view()->flush();
    const ChatMessage& reply = program.view()->messageAt(1);
    QCOMPARE(reply.text, program.last().text);
    QVERIFY(!reply.text.isEmpty());
    const QString footer = footerText(reply);
    for (const char* figure : {"first token", "a token", "tok/s", "tokens", "prompt", "prefill"}) {
        QVERIFY2(footer.contains(QLatin1String(figure)), qPrintable(footer));
    }
    for (const FooterPart& part : reply.footer) {
        QVERIFY2(!part.tooltip.isEmpty(), qPrintable(part.text));
    }
    const auto record = program.session().record(program.last().id);
    QVERIFY(record);
    QCOMPARE(record->tokens.size(), record->stats.generatedTokens);
    QVERIFY(record->stats.generatedTokens <= 24);
    QVERIFY(record->stats.ttft.count() > 0);
    QCOMPARE(program.session().info().title, QStringLiteral("Name three rivers."));
    QCOMPARE(program.window->windowTitle(), QStringLiteral("Name three rivers. – Kvasir"));
}

void TestMainWindow::keepsTheConversationOverARestart()
{
    Program program;
    QVERIFY(program.load(tinyModel()));
    program.useShortReplies(8);
    QVERIFY(program.ask(QStringLiteral("한강은 어디로 흐릅니까?")));
    const QString text = program.last().text;
    const MessageId id = program.last().id;
    const int tokens = program.session().record(id)->stats.generatedTokens;
    program.close();

    program.open();
    QSignalSpy ready(program.window.get(), &MainWindow::storeReady);
    program.window->start({});
    QTRY_COMPARE(ready.size(), 1);
    QCOMPARE(program.session().conversations().size(), 1);
    program.session().openConversation(program.session().conversations().first().id);
    QTRY_COMPARE(program.view()->messageCount(), 2);
    QCOMPARE(program.last().text, text);
    QCOMPARE(program.session().record(id)->stats.generatedTokens, tokens);
    QTRY_VERIFY(!program.session().record(id)->tokens.isEmpty());
    QCOMPARE(program.session().record(id)->tokens.size(), tokens);
}

void TestMainWindow::stopsWithinOneToken()
{
    NEEDS_REAL_MODEL();
    Program program;
    QVERIFY(program.load(realModel()));
    program.useShortReplies(400);
    QSignalSpy texts(&program.session(), &ChatSession::textArrived);
    QVERIFY(program.session().send(QStringLiteral("Write a long story about the sea.")));
    const TimePoint submitted = program.session().live()->submitted;
    QTRY_VERIFY_WITH_TIMEOUT(texts.size() >= 3, kReplyTimeout);
    QVERIFY(program.session().live());
    const Nanoseconds stopped = Clock::now() - submitted;
    program.window->actions().stop->trigger();
    QVERIFY(program.waitForReply());
    const auto record = program.session().record(program.last().id);
    QCOMPARE(record->stats.stopReason, StopReason::Cancelled);
    const auto late = std::count_if(
        record->tokens.begin(), record->tokens.end(), [&](const ReplyToken& token) { return token.time > stopped; });
    QVERIFY2(late <= 1, qPrintable(QString::number(late)));
    QVERIFY(!program.last().text.isEmpty());
    QVERIFY(footerText(program.view()->messageAt(1)).contains(QStringLiteral("stopped by you")));
}

void TestMainWindow::keepsWhatIsTypedDuringAReply()
{
    NEEDS_REAL_MODEL();
    Program program;
    QVERIFY(program.load(realModel()));
    program.useShortReplies(60);
    QVERIFY(program.session().send(QStringLiteral("Hello")));
    program.composer()->setText(QStringLiteral("my next question"));
    emit program.composer()->sendRequested(program.composer()->text());
    QCOMPARE(program.composer()->text(), QStringLiteral("my next question"));
    QCOMPARE(program.session().tree().branch().size(), 2);
    QVERIFY(program.waitForReply());
    QCOMPARE(program.composer()->text(), QStringLiteral("my next question"));
}

void TestMainWindow::regeneratesIntoABranch()
{
    Program program;
    QVERIFY(program.load(tinyModel()));
    program.useShortReplies(6);
    QVERIFY(program.ask(QStringLiteral("Hello")));
    const MessageId first = program.last().id;
    program.window->actions().regenerate->trigger();
    QVERIFY(program.waitForReply());
    const MessageId second = program.last().id;
    QVERIFY(first != second);
    QCOMPARE(program.view()->messageCount(), 2);
    QCOMPARE(program.view()->messageAt(1).branchCount, 2);
    QCOMPARE(program.view()->messageAt(1).branch, 2);
    program.window->actions().previousVersion->trigger();
    QCOMPARE(program.last().id, first);
    QCOMPARE(program.view()->messageAt(1).branch, 1);
    program.window->actions().nextVersion->trigger();
    QCOMPARE(program.last().id, second);
}

void TestMainWindow::editsIntoABranch()
{
    Program program;
    QVERIFY(program.load(tinyModel()));
    program.useShortReplies(6);
    QVERIFY(program.ask(QStringLiteral("first wording")));
    program.composer()->setText(QStringLiteral("a draft"));
    program.window->actions().editLast->trigger();
    QCOMPARE(program.composer()->text(), QStringLiteral("first wording"));
    program.window->actions().stop->trigger(); // Escape takes it back
    QCOMPARE(program.composer()->text(), QStringLiteral("a draft"));
    program.window->actions().editLast->trigger();
    program.composer()->setText(QStringLiteral("second wording"));
    emit program.composer()->sendRequested(program.composer()->text());
    QVERIFY(program.waitForReply());
    QCOMPARE(program.view()->messageCount(), 2);
    QCOMPARE(program.view()->messageAt(0).text, QStringLiteral("second wording"));
    QCOMPARE(program.view()->messageAt(0).branchCount, 2);
    QCOMPARE(program.composer()->text(), QStringLiteral("a draft"));
    program.session().switchBranch(program.view()->messageAt(0).id, -1);
    QCOMPARE(program.view()->messageAt(0).text, QStringLiteral("first wording"));
}

void TestMainWindow::takesTheSecondTurnFromTheCache()
{
    Program program;
    QVERIFY(program.load(realModel()));
    program.useShortReplies(24);
    QVERIFY(
        program.ask(QStringLiteral("Tell me about the sea, the wind and the light over the harbour in the morning.")));
    QCOMPARE(program.session().record(program.last().id)->stats.cachedTokens, 0);
    QVERIFY(program.ask(QStringLiteral("And the ships?")));
    const auto record = program.session().record(program.last().id);
    QVERIFY(record->stats.cachedTokens >= 16);
    QVERIFY(footerText(program.view()->messageAt(3)).contains(QStringLiteral("cached")));
    QCOMPARE(program.session().contextUsed(), record->stats.promptTokens + record->stats.generatedTokens);
}

void TestMainWindow::answersTwoConversationsAtOnce()
{
    Program program;
    QVERIFY(program.load(realModel()));
    program.useShortReplies(60);
    QVERIFY(program.session().send(QStringLiteral("first")));
    const ConversationId first = program.session().info().id;
    program.window->actions().newChat->trigger();
    QVERIFY(program.session().isEmpty());
    QVERIFY(!program.composer()->isBusy());
    program.useShortReplies(12);
    QVERIFY(program.ask(QStringLiteral("second")));
    QTRY_VERIFY_WITH_TIMEOUT(!program.session().isAnswering(first), kReplyTimeout);
    program.session().openConversation(first);
    QTRY_COMPARE(program.session().info().id, first);
    QCOMPARE(program.last().state, MessageState::Complete);
    QVERIFY(!program.last().text.isEmpty());
    QCOMPARE(program.session().conversations().size(), 2);
}

void TestMainWindow::appliesSystemPromptAndSampling()
{
    Program program;
    QVERIFY(program.load(realModel()));
    program.window->actions().chatSettings->trigger();
    auto* dialog = program.window->findChild<ChatSettingsDialog*>();
    QVERIFY(dialog);
    dialog->findChild<QPlainTextEdit*>("systemPrompt")->setPlainText(QStringLiteral("Answer in one word."));
    dialog->findChild<QDoubleSpinBox*>("temperature")->setValue(0);
    dialog->accept();
    QCOMPARE(program.session().info().settings.systemPrompt, QStringLiteral("Answer in one word."));
    program.useShortReplies(6);
    QVERIFY(program.ask(QStringLiteral("Hello")));
    const int with = program.session().record(program.last().id)->stats.promptTokens;
    const QString text = program.last().text;
    program.window->actions().regenerate->trigger();
    QVERIFY(program.waitForReply());
    QCOMPARE(program.last().text, text); // temperature 0

    program.window->actions().newChat->trigger();
    QVERIFY(program.session().info().settings.systemPrompt.isEmpty());
    program.useShortReplies(6);
    QVERIFY(program.ask(QStringLiteral("Hello")));
    QVERIFY(program.session().record(program.last().id)->stats.promptTokens != with);
}

void TestMainWindow::tellsThatTheContextIsFull()
{
    Program program;
    program.settings->setContext(128);
    QVERIFY(program.load(tinyModel()));
    QCOMPARE(program.session().model()->summary.context, 128);
    program.useShortReplies(0);
    QVERIFY(program.ask(QStringLiteral("Write a very long story.")));
    if (program.session().record(program.last().id)->stats.stopReason == StopReason::Context) {
        const ChatMessage shown = program.session().shownMessage(program.last().id);
        QVERIFY(shown.notice.contains(QStringLiteral("context")));
    }
    QVERIFY(program.ask(QStringLiteral("word ").repeated(400)));
    QCOMPARE(program.last().state, MessageState::Failed);
    const ChatMessage shown = program.view()->messageAt(3);
    QCOMPARE(shown.state, ChatMessage::State::Error);
    QVERIFY2(shown.notice.contains(QStringLiteral("128")), qPrintable(shown.notice));
    QVERIFY2(shown.notice.contains(QStringLiteral("Start a new chat")), qPrintable(shown.notice));
}

void TestMainWindow::tellsWhyAModelCannotBeOpened_data()
{
    QTest::addColumn<QString>("file");
    QTest::newRow("absent") << QStringLiteral("/nowhere/absent.gguf");
    for (const char* name : {"empty.gguf", "not_gguf.gguf", "magic_only.gguf", "missing_tensor.gguf"}) {
        QTest::newRow(name) << kvasir::testing::goldenPath(QStringLiteral("bad/") + QLatin1String(name));
    }
}

void TestMainWindow::tellsWhyAModelCannotBeOpened()
{
    QFETCH(QString, file);
    Program program;
    QVERIFY(!program.load(file));
    NoticeBar* notice = program.window->modelNotice();
    QVERIFY(notice->isVisible());
    QVERIFY2(notice->text().contains(QFileInfo(file).fileName()), qPrintable(notice->text()));
    QVERIFY2(notice->text().count(u'.') >= 3, qPrintable(notice->text())); // what, why, what to do
    QVERIFY(notice->button(0) && notice->button(0)->isVisible());
    QVERIFY(!program.window->topBar()->isLoading());
    QVERIFY(!program.session().model());
    program.language.set(QStringLiteral("ko"));
    QCoreApplication::processEvents();
    QVERIFY2(notice->text().contains(QStringLiteral("못했습니다")), qPrintable(notice->text()));
}

void TestMainWindow::keepsTheModelWhenAnotherFails()
{
    Program program;
    QVERIFY(program.load(tinyModel()));
    QSignalSpy failed(program.window.get(), &MainWindow::modelFailed);
    program.window->openModel(QStringLiteral("/nowhere/absent.gguf"));
    QTRY_COMPARE(failed.size(), 1);
    QVERIFY(program.session().model());
    program.useShortReplies(4);
    QVERIFY(program.ask(QStringLiteral("Hello")));
    QCOMPARE(program.last().state, MessageState::Complete);
}

void TestMainWindow::cancelsLoading()
{
    Program program;
    QSignalSpy failed(program.window.get(), &MainWindow::modelFailed);
    QSignalSpy ready(program.window.get(), &MainWindow::modelReady);
    program.window->start(realModel());
    QVERIFY(program.window->topBar()->isLoading());
    program.window->topBar()->findChild<QPushButton*>("cancelLoad")->click();
    QTRY_COMPARE_WITH_TIMEOUT(failed.size() + ready.size(), 1, kLoadTimeout);
    // A tiny model may be ready before the click; a cancelled one leaves a quiet window.
    if (!failed.isEmpty()) {
        QVERIFY(!program.session().model());
        QVERIFY(program.window->modelNotice()->text().contains(QStringLiteral("cancelled")));
    }
    QVERIFY(!program.window->topBar()->isLoading());
}

void TestMainWindow::opensADroppedFolder()
{
    QTemporaryDir folder;
    QVERIFY(testing::makeFolder(QStringLiteral("llama-gqa"), folder.filePath(QStringLiteral("Tiny-1.5B"))));
    Program program;
    program.window->start({});
    QSignalSpy ready(program.window.get(), &MainWindow::modelReady);
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(folder.filePath(QStringLiteral("Tiny-1.5B/config.json")))});
    QDragEnterEvent enter(QPoint(400, 400), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(program.window.get(), &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(QPointF(400, 400), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(program.window.get(), &drop);
    QTRY_COMPARE_WITH_TIMEOUT(ready.size(), 1, kLoadTimeout);
    QCOMPARE(program.session().model()->path, folder.filePath(QStringLiteral("Tiny-1.5B")));
    QCOMPARE(Adapters::modelName(*program.session().model()), QStringLiteral("Tiny 1.5B"));
}

void TestMainWindow::opensADroppedModel()
{
    Program program;
    program.window->start({});
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(tinyModel())});
    QDragEnterEvent enter(QPoint(400, 400), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(program.window.get(), &enter);
    QVERIFY(enter.isAccepted());
    QSignalSpy ready(program.window.get(), &MainWindow::modelReady);
    QDropEvent drop(QPointF(400, 400), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(program.window.get(), &drop);
    QTRY_COMPARE_WITH_TIMEOUT(ready.size(), 1, kLoadTimeout);

    QMimeData text;
    text.setUrls({QUrl::fromLocalFile(QStringLiteral("/tmp/a.txt"))});
    QDragEnterEvent other(QPoint(400, 400), Qt::CopyAction, &text, Qt::LeftButton, Qt::NoModifier);
    other.ignore();
    QCoreApplication::sendEvent(program.window.get(), &other);
    QVERIFY(!other.isAccepted());
}

void TestMainWindow::doesNotReopenAModelThatEndedTheProgram()
{
    Program program;
    program.settings->addRecentModel(tinyModel());
    program.settings->markLoading(tinyModel());
    program.window->start({});
    QTest::qWait(50);
    QVERIFY(!program.window->topBar()->isLoading());
    QVERIFY(program.window->modelNotice()->isVisible());
    QSignalSpy ready(program.window.get(), &MainWindow::modelReady);
    program.window->modelNotice()->button(0)->click();
    QTRY_COMPARE_WITH_TIMEOUT(ready.size(), 1, kLoadTimeout);
    QVERIFY(program.settings->crashedWhileLoading().isEmpty());
}

void TestMainWindow::keepsTextWhenClosedInMidReply()
{
    NEEDS_REAL_MODEL();
    Program program;
    QVERIFY(program.load(realModel()));
    program.useShortReplies(400);
    QSignalSpy texts(&program.session(), &ChatSession::textArrived);
    QVERIFY(program.session().send(QStringLiteral("Write a long story.")));
    QTRY_VERIFY_WITH_TIMEOUT(texts.size() >= 3, kReplyTimeout);
    const QString text = program.last().text;
    program.close();
    auto store = ConversationStore::open(program.paths().data);
    QVERIFY(store);
    const auto list = (*store)->conversations();
    QCOMPARE(list->size(), 1);
    const auto conversation = (*store)->load(list->first().id);
    QCOMPARE(conversation->messages.last().state, MessageState::Interrupted);
    QVERIFY(conversation->messages.last().text.startsWith(text));
}

void TestMainWindow::marksAKilledReplyInterrupted()
{
    Program program;
    program.close();
    {
        auto store = ConversationStore::open(program.paths().data);
        QVERIFY(store);
        Message question;
        question.id = newId();
        question.text = QStringLiteral("q");
        question.created = QDateTime::currentDateTime();
        Message reply = question;
        reply.id = newId();
        reply.parent = question.id;
        reply.role = MessageRole::Assistant;
        reply.state = MessageState::Streaming;
        reply.text = QStringLiteral("half a");
        ConversationInfo info;
        info.id = newId();
        info.title = QStringLiteral("t");
        info.created = info.updated = question.created;
        info.activeLeaf = reply.id;
        QVERIFY((*store)->save(info, {question, reply}));
    }
    program.open();
    QVERIFY(program.load(tinyModel()));
    QTRY_COMPARE(program.session().conversations().size(), 1);
    program.session().openConversation(program.session().conversations().first().id);
    QTRY_COMPARE(program.view()->messageCount(), 2);
    const ChatMessage shown = program.view()->messageAt(1);
    QCOMPARE(shown.state, ChatMessage::State::Interrupted);
    QVERIFY(!shown.notice.isEmpty() && !shown.actionLabel.isEmpty());
    program.useShortReplies(4);
    emit program.view()->actionRequested(shown.id);
    QVERIFY(program.waitForReply());
    QCOMPARE(program.last().state, MessageState::Complete);
    QCOMPARE(program.view()->messageAt(1).branchCount, 2);
}

void TestMainWindow::deletesAndBringsBack()
{
    Program program;
    QVERIFY(program.load(tinyModel()));
    program.useShortReplies(4);
    QVERIFY(program.ask(QStringLiteral("Hello")));
    const ConversationId id = program.session().info().id;
    program.window->actions().remove->trigger();
    QVERIFY(program.session().conversations().isEmpty());
    QVERIFY(program.session().isEmpty());
    QVERIFY(program.window->undoNotice()->isVisible());
    program.window->undoNotice()->button(0)->click();
    QTRY_COMPARE(program.session().info().id, id);
    QTRY_COMPARE(program.session().conversations().size(), 1);
    program.session().rename(id, QStringLiteral("  Rivers \n of Korea "));
    QCOMPARE(program.session().conversations().first().title, QStringLiteral("Rivers of Korea"));
}

void TestMainWindow::findsConversations()
{
    Program program;
    QVERIFY(program.load(tinyModel()));
    program.useShortReplies(4);
    QVERIFY(program.ask(QStringLiteral("한국어 문장을 검색합니다")));
    program.window->actions().newChat->trigger();
    program.useShortReplies(4);
    QVERIFY(program.ask(QStringLiteral("something else")));
    QListView* list = program.window->sidebar()->list();
    QCOMPARE(list->model()->rowCount(), 2);
    program.window->sidebar()->searchField()->setText(QStringLiteral("국어"));
    QTRY_COMPARE(list->model()->rowCount(), 1);
    program.window->sidebar()->searchField()->setText(QStringLiteral("absent"));
    QTRY_COMPARE(list->model()->rowCount(), 0);
    program.window->sidebar()->searchField()->clear();
    QTRY_COMPARE(list->model()->rowCount(), 2);
}

void TestMainWindow::tellsThatNothingIsSaved()
{
    Program program;
    program.close();
    auto owner = ConversationStore::open(program.paths().data);
    QVERIFY(owner);
    program.open();
    QVERIFY(program.load(tinyModel()));
    NoticeBar* notice = program.window->storeNotice();
    QTRY_VERIFY(notice->isVisible());
    QVERIFY2(notice->text().contains(QStringLiteral("another Kvasir")), qPrintable(notice->text()));
    program.useShortReplies(4);
    QVERIFY(program.ask(QStringLiteral("Hello")));
    owner->reset();
    notice->button(0)->click();
    QTRY_VERIFY(!notice->isVisible());
    program.close();
    owner = ConversationStore::open(program.paths().data);
    QCOMPARE((*owner)->conversations()->size(), 1);
}

void TestMainWindow::switchesLanguageWhileRunning()
{
    Program program;
    QVERIFY(program.load(tinyModel()));
    program.useShortReplies(6);
    QVERIFY(program.ask(QStringLiteral("Hello")));
    QCOMPARE(program.view()->messageAt(0).header, QStringLiteral("You"));
    program.window->findChild<QToolButton*>("languageButton")->click();
    QCoreApplication::processEvents();
    QCOMPARE(program.language.current(), QStringLiteral("ko"));
    QCOMPARE(program.settings->language(), QStringLiteral("ko"));
    QCOMPARE(program.view()->messageAt(0).header, QStringLiteral("나"));
    QVERIFY(footerText(program.view()->messageAt(1)).contains(QStringLiteral("첫 토큰")));
    QVERIFY(program.window->menuBar()->actions().first()->text().startsWith(QStringLiteral("파일")));
    QCOMPARE(program.window->dashboard()->memoryDock()->windowTitle(), QStringLiteral("메모리"));
    program.window->findChild<QToolButton*>("languageButton")->click();
    QCoreApplication::processEvents();
    QCOMPARE(program.view()->messageAt(0).header, QStringLiteral("You"));
    QVERIFY(footerText(program.view()->messageAt(1)).contains(QStringLiteral("6 tokens")));
}

void TestMainWindow::switchesThemeAndSize()
{
    Program program;
    program.window->actions().settings->trigger();
    auto* dialog = program.window->findChild<SettingsDialog*>();
    QVERIFY(dialog);
    auto* theme = dialog->findChild<QComboBox*>("themeBox");
    theme->setCurrentIndex(theme->findData(static_cast<int>(Theme::Mode::Dark)));
    emit theme->activated(theme->currentIndex());
    QVERIFY(Theme::current().isDark);
    QCOMPARE(program.settings->theme(), Theme::Mode::Dark);
    dialog->reject();
    program.window->actions().larger->trigger();
    QCOMPARE(program.settings->fontScale(), 1.1);
    QCOMPARE(Fonts::scale(), 1.1);
    program.window->actions().normalSize->trigger();
    QCOMPARE(Fonts::scale(), 1.0);
}

void TestMainWindow::hidesDocksAndDrawsNothingThere()
{
    Program program;
    QVERIFY(program.load(realModel()));
    program.useShortReplies(40);
    Dashboard* dashboard = program.window->dashboard();
    program.window->actions().showTimeline->trigger();
    program.window->actions().showMemory->trigger();
    program.window->actions().showPhases->trigger();
    QVERIFY(!dashboard->timelineDock()->isVisible());
    QTest::qWait(100);
    const int timeline = dashboard->timeline()->refreshCount();
    const int memory = dashboard->memory()->refreshCount();
    const int phases = dashboard->phases()->refreshCount();
    QVERIFY(program.ask(QStringLiteral("Hello")));
    QCOMPARE(dashboard->timeline()->refreshCount(), timeline);
    QCOMPARE(dashboard->memory()->refreshCount(), memory);
    QCOMPARE(dashboard->phases()->refreshCount(), phases);
    program.window->actions().showTimeline->trigger();
    QTRY_VERIFY(dashboard->timeline()->refreshCount() > timeline);
}

void TestMainWindow::fillsTheDashboard()
{
    Program program;
    QVERIFY(program.load(realModel()));
    program.useShortReplies(40);
    QVERIFY(program.ask(QStringLiteral("Tell me about rivers.")));
    Dashboard* dashboard = program.window->dashboard();
    const auto record = program.session().record(program.last().id);
    QTRY_COMPARE(rowsOf(dashboard->timeline()->csv()), record->tokens.size());
    QVERIFY2(dashboard->timeline()->summary().contains(QStringLiteral("finished")),
        qPrintable(dashboard->timeline()->summary()));
    QTRY_VERIFY2(dashboard->memory()->summary().contains(QStringLiteral("KV cache")),
        qPrintable(dashboard->memory()->summary()));
    QVERIFY2(
        dashboard->phases()->summary().contains(QStringLiteral("tok/s")), qPrintable(dashboard->phases()->summary()));
    QVERIFY(dashboard->cost());
    QVERIFY2(*dashboard->cost() < 0.5, qPrintable(QString::number(*dashboard->cost())));
}

void TestMainWindow::showsEarlierReplies()
{
    Program program;
    QVERIFY(program.load(tinyModel()));
    program.useShortReplies(5);
    QVERIFY(program.ask(QStringLiteral("one")));
    program.useShortReplies(9);
    QVERIFY(program.ask(QStringLiteral("two")));
    TimelineWidget* timeline = program.window->dashboard()->timeline();
    const auto newest = program.session().record(program.last().id);
    const auto older = program.session().record(program.session().measuredReplies().at(1));
    QTRY_COMPARE(rowsOf(timeline->csv()), newest->tokens.size());
    emit timeline->replySelected(1);
    QTRY_COMPARE(rowsOf(timeline->csv()), older->tokens.size());
}

void TestMainWindow::namesEverythingForAccessibility()
{
    Program program;
    QVERIFY(program.load(tinyModel()));
    for (const QWidget* widget : program.window->findChildren<QWidget*>()) {
        if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisible() || widget->focusProxy()) {
            continue;
        }
        QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(const_cast<QWidget*>(widget));
        const QString name = accessible ? accessible->text(QAccessible::Name) : widget->accessibleName();
        QVERIFY2(!name.isEmpty(),
            qPrintable(QStringLiteral("%1 %2 in %3")
                           .arg(QLatin1String(widget->metaObject()->className()), widget->objectName(),
                               QLatin1String(widget->parentWidget()->metaObject()->className()))));
    }
}

void TestMainWindow::listsAllKeys()
{
    Program program;
    QSet<QString> keys;
    for (const Actions::Group& group : program.window->actions().groups()) {
        for (const QAction* action : group.actions) {
            QVERIFY2(!action->shortcut().isEmpty(), qPrintable(action->objectName()));
            QVERIFY2(!keys.contains(action->shortcut().toString()), qPrintable(action->shortcut().toString()));
            keys.insert(action->shortcut().toString());
        }
    }
    program.window->actions().shortcuts->trigger();
    QVERIFY(program.window->findChild<ShortcutsDialog*>());
}

void TestMainWindow::escapesFromTheNearestThing()
{
    Program program;
    QVERIFY(program.load(tinyModel()));
    program.useShortReplies(4);
    QVERIFY(program.ask(QStringLiteral("Hello")));
    QVERIFY(QTest::qWaitForWindowActive(program.window.get()));
    program.window->actions().find->trigger();
    QVERIFY(program.window->chatPage()->findBar()->isVisible());
    QTest::keyClicks(QApplication::focusWidget(), "Hello");
    QVERIFY(program.view()->findCount() > 0);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    QVERIFY(!program.window->chatPage()->findBar()->isVisible());
    QCOMPARE(program.view()->findCount(), 0);

    program.window->actions().searchChats->trigger();
    QTest::keyClicks(QApplication::focusWidget(), "absent");
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    QCOMPARE(program.window->sidebar()->searchField()->text(), QString());
    QVERIFY(program.composer()->isAncestorOf(QApplication::focusWidget()));

    program.window->actions().rename->trigger();
    QVERIFY(qobject_cast<QLineEdit*>(QApplication::focusWidget()));
    QTest::keyClicks(QApplication::focusWidget(), "another name");
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    QCOMPARE(program.session().info().title, QStringLiteral("Hello"));
    program.window->actions().rename->trigger();
    QTest::keyClicks(QApplication::focusWidget(), "another name");
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    QTRY_COMPARE(program.session().info().title, QStringLiteral("another name"));
    program.window->actions().rename->trigger(); // the window goes with the editor open
}

void TestMainWindow::keepsTheLayout()
{
    Program program;
    program.window->resize(1111, 777);
    program.window->actions().showMemory->trigger();
    program.window->actions().showSidebar->trigger();
    program.close();
    program.open();
    QTRY_COMPARE(program.window->isVisible(), true);
    QVERIFY(!program.window->actions().showMemory->isChecked());
    QVERIFY(!program.window->dashboard()->memoryDock()->isVisible());
    QVERIFY(!program.window->sidebar()->isVisible());
    program.window->actions().resetLayout->trigger();
    QVERIFY(program.window->dashboard()->memoryDock()->isVisible());
    QVERIFY(program.window->sidebar()->isVisible());
}

void TestMainWindow::refusesBadOptions_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<bool>("good");
    QTest::newRow("none") << QStringList() << true;
    QTest::newRow("all") << QStringList{"--model", "a.gguf", "--language", "ko", "--data-dir", "d", "--prompt", "p",
        "--screenshot", "s.png", "--exit", "--theme", "dark", "--size", "1280x800"}
                         << true;
    QTest::newRow("language") << QStringList{"--language", "fr"} << false;
    QTest::newRow("theme") << QStringList{"--theme", "blue"} << false;
    QTest::newRow("size") << QStringList{"--size", "12x"} << false;
    QTest::newRow("picture") << QStringList{"--screenshot", "a.jpg"} << false;
    QTest::newRow("unknown") << QStringList{"--frobnicate"} << false;
    QTest::newRow("missing value") << QStringList{"--model"} << false;
    QTest::newRow("empty value") << QStringList{"--model", ""} << false;
    QTest::newRow("positional") << QStringList{"a.gguf"} << false;
}

void TestMainWindow::refusesBadOptions()
{
    QFETCH(QStringList, arguments);
    QFETCH(bool, good);
    const Options options = parseOptions(QStringList{"kvasir"} + arguments);
    QCOMPARE(options.problem.isEmpty(), good);
}

QTEST_MAIN(TestMainWindow)

#include "tst_mainwindow.moc"
