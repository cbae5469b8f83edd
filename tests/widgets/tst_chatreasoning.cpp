#include "base/theme.h"
#include "chat/chatview.h"

#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QImage>
#include <QMenu>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QtTest>

#include <climits>

using namespace kvasir;

namespace {

const QString kThought = QStringLiteral("First I look at it.\n\nThen I *count*:\n\n- one\n- two\n\nSo it is six.");
const QString kAnswer = QStringLiteral("It is **six**.\n\n- 2 x 3");

ChatMessage reply(const QString& reasoning, const QString& text, ChatMessage::State state = ChatMessage::State::Done)
{
    ChatMessage message;
    message.id = 1;
    message.state = state;
    message.header = QStringLiteral("Model");
    message.text = text;
    message.reasoning = reasoning;
    message.reasoningLabel = reasoning.isEmpty() ? QString() : QStringLiteral("Thought for 3.20 s · 214 tokens");
    return message;
}

ChatMessage question()
{
    ChatMessage message;
    message.id = 0;
    message.role = ChatMessage::Role::User;
    message.header = QStringLiteral("You");
    message.text = QStringLiteral("Two by three?");
    return message;
}

/// A view with a question and a reply.
class Shown {
public:
    explicit Shown(const ChatMessage& message)
    {
        view.resize(800, 600);
        view.setMessages({question(), message});
        view.show();
        static_cast<void>(QTest::qWaitForWindowExposed(&view));
    }

    int height() { return view.messageRect(1).height(); }
    QString all()
    {
        view.flush();
        view.selectAll();
        const QString text = view.selectedText();
        view.clearSelection();
        return text;
    }

    ChatView view;
};

/// What is painted below the header of the reply, as far as it is not background.
int inkOf(ChatView& view)
{
    const QImage picture = view.viewport()->grab(view.messageRect(1)).toImage();
    int ink = 0;
    for (int y = 0; y < picture.height(); ++y) {
        for (int x = 0; x < picture.width(); ++x)
            ink += picture.pixelColor(x, y) != Theme::current().background;
    }
    return ink;
}

} // namespace

class TestChatReasoning : public QObject {
    Q_OBJECT

private slots:
    void isOneLineUntilItIsOpened();
    void opensWithTheMouse();
    void opensWithTheKeyboard();
    void opensForAssistiveTechnology();
    void aReplyWithoutItHasNoLine();
    void streamsItsLastLineWhileFolded();
    void anyCutOfTheStreamShowsTheSame_data();
    void anyCutOfTheStreamShowsTheSame();
    void staysOpenWhileTheMessageGrows();
    void copiesTheAnswerAlone();
    void searchFindsItWhenItIsOpen();
    void aToolCallIsALabelledBlock();
};

void TestChatReasoning::isOneLineUntilItIsOpened()
{
    Shown with(reply(kThought, kAnswer)), without(reply({}, kAnswer));
    QVERIFY(!with.view.isReasoningOpen(1));
    QVERIFY(!with.all().contains(QStringLiteral("First I look")));
    const int line = with.height() - without.height();
    QVERIFY2(line > 8 && line < 40, qPrintable(QString::number(line)));
    with.view.setReasoningOpen(1, true);
    QVERIFY(with.view.isReasoningOpen(1));
    QVERIFY(with.all().contains(QStringLiteral("First I look at it.")));
    QVERIFY(with.all().contains(QStringLiteral("It is six.")));
    QVERIFY(with.height() > without.height() + 100);
    with.view.setReasoningOpen(1, false);
    QCOMPARE(with.height() - without.height(), line);
}

void TestChatReasoning::opensWithTheMouse()
{
    Shown shown(reply(kThought, kAnswer));
    const QRect row = shown.view.messageRect(1);
    // Where the answer begins is below the line that stands for the reasoning.
    const QPoint point(row.left() + 40, shown.view.characterRect(1, 0).top() - 14);
    QTest::mouseMove(shown.view.viewport(), point);
    QTest::mouseClick(shown.view.viewport(), Qt::LeftButton, {}, point);
    QVERIFY(shown.view.isReasoningOpen(1));
    QTest::mouseClick(shown.view.viewport(), Qt::LeftButton, {}, point);
    QVERIFY(!shown.view.isReasoningOpen(1));
    QCOMPARE(shown.view.messageRect(1).top(), row.top()); // what was clicked stays where it is
}

void TestChatReasoning::opensWithTheKeyboard()
{
    Shown shown(reply(kThought, kAnswer));
    shown.view.focusMessage(1);
    QTest::keyClick(&shown.view, Qt::Key_Return);
    QVERIFY(shown.view.isReasoningOpen(1));
    QTest::keyClick(&shown.view, Qt::Key_Enter);
    QVERIFY(!shown.view.isReasoningOpen(1));
    shown.view.focusMessage(0); // a question has none
    QTest::keyClick(&shown.view, Qt::Key_Return);
    QVERIFY(!shown.view.isReasoningOpen(1));
}

void TestChatReasoning::opensForAssistiveTechnology()
{
    Shown shown(reply(kThought, kAnswer));
    QAccessibleInterface* view = QAccessible::queryAccessibleInterface(&shown.view);
    QAccessibleInterface* message = view->child(1);
    QVERIFY(message->text(QAccessible::Name).contains(QStringLiteral("Thought for 3.20 s")));
    QVERIFY(message->state().expandable && message->state().collapsed);
    QAccessibleActionInterface* actions = message->actionInterface();
    QVERIFY(actions);
    QCOMPARE(actions->actionNames(), QStringList{QAccessibleActionInterface::toggleAction()});
    actions->doAction(QAccessibleActionInterface::toggleAction());
    QVERIFY(shown.view.isReasoningOpen(1));
    QVERIFY(message->state().expanded && !message->state().collapsed);
    QVERIFY(message->text(QAccessible::Name).contains(QStringLiteral("First I look at it.")));
    QVERIFY(view->child(0)->actionInterface()->actionNames().isEmpty());
    QVERIFY(!view->child(0)->state().expandable);
}

void TestChatReasoning::aReplyWithoutItHasNoLine()
{
    Shown shown(reply({}, kAnswer));
    shown.view.setReasoningOpen(1, true);
    QVERIFY(!shown.view.isReasoningOpen(1));
    shown.view.focusMessage(1);
    QTest::keyClick(&shown.view, Qt::Key_Return);
    QVERIFY(!shown.view.isReasoningOpen(1));
}

void TestChatReasoning::streamsItsLastLineWhileFolded()
{
    Shown shown(reply({}, {}, ChatMessage::State::Streaming));
    const int before = inkOf(shown.view);
    shown.view.setReasoningLabel(1, QStringLiteral("Thinking…"));
    shown.view.appendReasoning(1, QStringLiteral("A first line of thought\n"));
    shown.view.flush();
    const int height = shown.height();
    const int first = inkOf(shown.view);
    QVERIFY(first > before + 100);
    // More lines take no more room, but the picture is another one.
    shown.view.appendReasoning(
        1, QStringLiteral("and then a second one that is quite a bit longer than the first was\n"));
    shown.view.flush();
    QCOMPARE(shown.height(), height);
    QVERIFY(inkOf(shown.view) > first + 100);
    // The first word of the answer takes the line away.
    shown.view.appendText(1, QStringLiteral("Six."));
    shown.view.flush();
    QVERIFY(shown.all().contains(QStringLiteral("Six.")));
    QVERIFY(!shown.all().contains(QStringLiteral("second one")));
}

void TestChatReasoning::anyCutOfTheStreamShowsTheSame_data()
{
    QTest::addColumn<bool>("open");
    QTest::newRow("folded") << false;
    QTest::newRow("open") << true;
}

void TestChatReasoning::anyCutOfTheStreamShowsTheSame()
{
    QFETCH(bool, open);
    Shown whole(reply(kThought, kAnswer));
    whole.view.setReasoningOpen(1, open);
    const QString expected = whole.all();
    const int height = whole.height();
    QRandomGenerator random(5);
    for (int round = 0; round < 30; ++round) {
        Shown shown(reply(QStringLiteral("F"), {}, ChatMessage::State::Streaming));
        shown.view.setReasoningOpen(1, open);
        for (qsizetype at = 1; at < kThought.size();) {
            const qsizetype length = random.bounded(1, 9);
            shown.view.appendReasoning(1, kThought.mid(at, length));
            at += length;
            if (random.bounded(2) == 0)
                shown.view.flush();
        }
        for (qsizetype at = 0; at < kAnswer.size();) {
            const qsizetype length = random.bounded(1, 9);
            shown.view.appendText(1, kAnswer.mid(at, length));
            at += length;
            if (random.bounded(2) == 0)
                shown.view.flush();
        }
        shown.view.updateMessage(reply(kThought, kAnswer));
        QCOMPARE(shown.all(), expected);
        QCOMPARE(shown.height(), height);
    }
}

void TestChatReasoning::staysOpenWhileTheMessageGrows()
{
    Shown shown(reply(QStringLiteral("One"), {}, ChatMessage::State::Streaming));
    shown.view.setReasoningOpen(1, true);
    shown.view.appendReasoning(1, QStringLiteral(" two"));
    shown.view.updateMessage(
        reply(QStringLiteral("One two three"), QStringLiteral("Six"), ChatMessage::State::Streaming));
    // gpt-oss thinks again behind a first answer: it stands above, the answer goes on below.
    shown.view.appendReasoning(1, QStringLiteral("\n\nfour"));
    shown.view.appendText(1, QStringLiteral(" and a half"));
    QVERIFY(shown.view.isReasoningOpen(1));
    const QString text = shown.all();
    QVERIFY2(text.contains(QStringLiteral("One two three")), qPrintable(text));
    QVERIFY(text.indexOf(QStringLiteral("four")) < text.indexOf(QStringLiteral("Six and a half")));
}

void TestChatReasoning::copiesTheAnswerAlone()
{
    Shown shown(reply(kThought, kAnswer));
    shown.view.setReasoningOpen(1, true);
    const auto copy = [&](const QString& entry) {
        shown.view.focusMessage(1);
        QContextMenuEvent event(QContextMenuEvent::Keyboard, {10, 10}, shown.view.mapToGlobal(QPoint(10, 10)));
        QApplication::sendEvent(&shown.view, &event);
        for (QMenu* menu : shown.view.findChildren<QMenu*>()) {
            for (QAction* action : menu->actions()) {
                if (action->text() == entry)
                    action->trigger();
            }
            menu->close();
        }
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        return QGuiApplication::clipboard()->text();
    };
    QCOMPARE(copy(QStringLiteral("Copy Message")), QStringLiteral("It is six.\n\n• 2 x 3"));
    QCOMPARE(copy(QStringLiteral("Copy Message as Markdown")), kAnswer);
    QCOMPARE(copy(QStringLiteral("Copy Reasoning")), kThought);
    copy(QStringLiteral("Fold Reasoning"));
    QVERIFY(!shown.view.isReasoningOpen(1));
}

void TestChatReasoning::searchFindsItWhenItIsOpen()
{
    Shown shown(reply(kThought, kAnswer));
    QCOMPARE(shown.view.find(QStringLiteral("six")), 1);
    shown.view.setReasoningOpen(1, true);
    QCOMPARE(shown.view.findCount(), 2);
    shown.view.setReasoningOpen(1, false);
    QCOMPARE(shown.view.findCount(), 1);
}

void TestChatReasoning::aToolCallIsALabelledBlock()
{
    const auto picture = [](const QString& language) {
        Shown shown(reply({}, QStringLiteral("```%1\n{\"a\": 1}\n```").arg(language)));
        return shown.view.viewport()->grab().toImage();
    };
    // The label is words, not the mark; the colours are those of JSON.
    const QImage call = picture(QStringLiteral("tool-call:get_weather"));
    QVERIFY(call != picture(QStringLiteral("tool-calx:get_weather")));
    QVERIFY(call != picture(QStringLiteral("tool-call")));
    QVERIFY(call != picture(QStringLiteral("json")));
}

QTEST_MAIN(TestChatReasoning)
#include "tst_chatreasoning.moc"
