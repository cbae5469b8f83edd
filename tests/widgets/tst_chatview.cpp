#include "base/fonts.h"
#include "base/theme.h"
#include "chat/chatview.h"
#include "chat/rowstack.h"
#include "chat/tableblocklayout.h"

#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QElapsedTimer>
#include <QHelpEvent>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QToolButton>
#include <QToolTip>
#include <QTranslator>
#include <QVBoxLayout>
#include <QWheelEvent>
#include <QtTest>

#include <numeric>

using namespace kvasir;
using Role = ChatMessage::Role;
using State = ChatMessage::State;

namespace {

ChatMessage makeMessage(qint64 id, Role role, const QString& text)
{
    ChatMessage m;
    m.id = id;
    m.role = role;
    m.header = role == Role::User ? "You" : "Model";
    m.text = text;
    m.canEdit = role == Role::User;
    m.canRegenerate = role == Role::Assistant;
    return m;
}

QList<ChatMessage> manyMessages(int count)
{
    static const QString parts[] = {
        "Plain prose that is long enough to wrap over a few lines of the column, as most answers of a model do. ",
        QString::fromUtf8("\n\n### 제목\n\n이 문단은 한국어로 작성되었으며 줄바꿈을 시험합니다. 😀🚀 "),
        "\n\n- first item\n- second item `code`\n\n",
        "\n\n```python\ndef f(x):\n    return [i * i for i in range(x)]\n```\n\n",
        "\n\n| name | value |\n|---|---|\n| alpha | 1 |\n| beta | 2 |\n\n"};
    QList<ChatMessage> messages;
    for (int i = 0; i < count; ++i) {
        QString text;
        for (int k = 0; k < 4; ++k)
            text += parts[(i + k) % 5];
        messages << makeMessage(i, i % 2 ? Role::Assistant : Role::User, text);
    }
    return messages;
}

// Shown, sized, and with every height known.
class ShownView : public QWidget {
public:
    explicit ShownView(const QList<ChatMessage>& messages, QSize size = {800, 600})
    {
        auto* box = new QVBoxLayout(this);
        box->setContentsMargins(0, 0, 0, 0);
        box->addWidget(&view);
        resize(size);
        view.setMessages(messages);
        show();
        Q_UNUSED(QTest::qWaitForWindowExposed(this));
    }

    QScrollBar* bar() { return view.verticalScrollBar(); }

    QPoint at(int index, int position)
    {
        const QRect r = view.characterRect(index, position);
        return {r.left() + 1, r.center().y()};
    }

    void settle()
    {
        QElapsedTimer timer;
        timer.start();
        int before = -1;
        // Measuring goes on while idle; the range stands still when it is done.
        while (timer.elapsed() < 5000 && (before != bar()->maximum() || timer.elapsed() < 100)) {
            before = bar()->maximum();
            QTest::qWait(60);
        }
    }

    void drag(const QPoint& from, const QPoint& to, Qt::KeyboardModifiers modifiers = {})
    {
        QWidget* port = view.viewport();
        QTest::mousePress(port, Qt::LeftButton, modifiers, from);
        QMouseEvent move(QEvent::MouseMove, to, port->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, modifiers);
        QApplication::sendEvent(port, &move);
        QTest::mouseRelease(port, Qt::LeftButton, modifiers, to);
    }

    ChatView view;
};

QMenu* openMenu()
{
    for (QWidget* widget : QApplication::topLevelWidgets()) {
        auto* menu = qobject_cast<QMenu*>(widget);
        if (menu && menu->isVisible())
            return menu;
    }
    return nullptr;
}

QAction* actionNamed(QMenu* menu, const QString& text)
{
    for (QAction* action : menu->actions()) {
        if (action->text() == text)
            return action;
    }
    return nullptr;
}

} // namespace

class TestChatView : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { Theme::setMode(Theme::Mode::Light); }

    void cleanup()
    {
        Fonts::setScale(1);
        Theme::setMode(Theme::Mode::Light);
    }

    // ---- Rows

    void stackFindsRows()
    {
        RowStack stack;
        QCOMPARE(stack.rowAt(5), -1);
        for (int h : {10, 20, 30})
            stack.append(h);
        QCOMPARE(stack.total(), 60);
        QCOMPARE(stack.rowAt(-4), 0);
        QCOMPARE(stack.rowAt(9), 0);
        QCOMPARE(stack.rowAt(10), 1);
        QCOMPARE(stack.rowAt(29), 1);
        QCOMPARE(stack.rowAt(30), 2);
        QCOMPARE(stack.rowAt(1000), 2);
        stack.setHeight(0, 15);
        QCOMPARE(stack.top(2), 35);
        stack.resize(1);
        QCOMPARE(stack.total(), 15);
        stack.append(7);
        QCOMPARE(stack.total(), 22);
    }

    void columnsShareTheWidth()
    {
        using Widths = std::vector<qreal>;
        QCOMPARE(shareColumns({100, 50}, {40, 20}, 300), (Widths{100, 50}));
        QCOMPARE(shareColumns({300, 100}, {60, 40}, 250), (Widths{180, 70}));
        QCOMPARE(shareColumns({300, 300}, {200, 200}, 250), (Widths{200, 200}));
        const Widths w = shareColumns({500, 120, 80}, {80, 60, 40}, 400);
        QVERIFY(std::accumulate(w.begin(), w.end(), 0.0) <= 400);
    }

    // ---- Scrolling

    void aConversationOpensAtItsEnd()
    {
        ShownView w(manyMessages(100));
        QVERIFY(w.view.isFollowing());
        QCOMPARE(w.bar()->value(), w.bar()->maximum());
        QVERIFY(w.view.messageRect(99).bottom() <= w.view.viewport()->height());
        w.settle();
        QCOMPARE(w.bar()->value(), w.bar()->maximum());
    }

    void measuringFarRowsMovesNothing()
    {
        ShownView w(manyMessages(300));
        w.bar()->setValue(w.bar()->maximum() / 2);
        const int row = [&] {
            for (int i = 0; i < 300; ++i) {
                if (w.view.messageRect(i).top() >= 0)
                    return i;
            }
            return 0;
        }();
        const int top = w.view.messageRect(row).top();
        const QImage before = w.view.viewport()->grab().toImage();
        w.settle();
        QCOMPARE(w.view.messageRect(row).top(), top);
        QCOMPARE(w.view.viewport()->grab().toImage(), before);
    }

    void everyHeightBecomesExact()
    {
        ShownView w(manyMessages(60));
        w.settle();
        const int maximum = w.bar()->maximum();
        for (int v = 0; v <= maximum; v += 200)
            w.bar()->setValue(v);
        QCOMPARE(w.bar()->maximum(), maximum);
    }

    void followsWhileAtTheEnd()
    {
        ShownView w(manyMessages(20));
        ChatMessage reply = makeMessage(100, Role::Assistant, "");
        reply.state = State::Streaming;
        w.view.appendMessage(reply);
        for (int i = 0; i < 200; ++i) {
            w.view.appendText(100, QString("word%1 ").arg(i) + (i % 20 == 19 ? "\n\n" : ""));
            w.view.flush();
            QCOMPARE(w.bar()->value(), w.bar()->maximum());
        }
        QVERIFY(w.view.message(100)->text.startsWith("word0 word1 "));
        QVERIFY(w.view.message(100)->text.contains("word199"));
    }

    void staysWhenTheUserScrolledUp()
    {
        ShownView w(manyMessages(40));
        w.settle();
        ChatMessage reply = makeMessage(100, Role::Assistant, "");
        reply.state = State::Streaming;
        w.view.appendMessage(reply);
        QSignalSpy following(&w.view, &ChatView::followingChanged);
        w.bar()->setValue(w.bar()->maximum() - 400);
        QCOMPARE(following.size(), 1);
        QVERIFY(!w.view.isFollowing());
        const int top = w.view.messageRect(38).top();
        for (int i = 0; i < 100; ++i)
            w.view.appendText(100, "some more words of the reply\n\n");
        w.view.flush();
        QCOMPARE(w.view.messageRect(38).top(), top);

        auto* jump = w.view.findChild<QToolButton*>(QString(), Qt::FindDirectChildrenOnly);
        QVERIFY(jump && jump->isVisible());
        QTest::mouseClick(jump, Qt::LeftButton);
        QVERIFY(w.view.isFollowing());
        QCOMPARE(w.bar()->value(), w.bar()->maximum());
        QVERIFY(!jump->isVisible());
    }

    void keysScroll()
    {
        ShownView w(manyMessages(60));
        w.settle();
        w.view.setFocus();
        QTest::keyClick(&w.view, Qt::Key_Home);
        QCOMPARE(w.bar()->value(), 0);
        QTest::keyClick(&w.view, Qt::Key_Down);
        const int line = w.bar()->value();
        QVERIFY(line > 0);
        QTest::keyClick(&w.view, Qt::Key_PageDown);
        QVERIFY(w.bar()->value() > line + 300);
        QTest::keyClick(&w.view, Qt::Key_PageUp);
        QCOMPARE(w.bar()->value(), line);
        QTest::keyClick(&w.view, Qt::Key_End);
        QCOMPARE(w.bar()->value(), w.bar()->maximum());
    }

    void resizingKeepsTheTopMessage()
    {
        ShownView w(manyMessages(200));
        w.bar()->setValue(w.bar()->maximum() / 3);
        int row = 0;
        while (w.view.messageRect(row).bottom() < 0)
            ++row;
        for (int width : {700, 500, 420, 650, 900, 800}) {
            w.resize(width, 600);
            QCoreApplication::processEvents();
            QVERIFY(w.view.messageRect(row).intersects(w.view.viewport()->rect()));
        }
    }

    // ---- Painting

    void streamingPaintsOnlyTheTail()
    {
        ShownView w({makeMessage(1, Role::User, "question")});
        ChatMessage reply = makeMessage(2, Role::Assistant, QString("A line of text.\n\n").repeated(5));
        reply.state = State::Streaming;
        w.view.appendMessage(reply);
        w.view.appendText(2, "tail");
        w.view.flush();
        QTest::qWait(50);
        struct Painted : QObject {
            QRegion region;
            bool eventFilter(QObject*, QEvent* event) override
            {
                if (event->type() == QEvent::Paint)
                    region += static_cast<QPaintEvent*>(event)->region();
                return false;
            }
        } painted;
        w.view.viewport()->installEventFilter(&painted);
        w.view.appendText(2, " more");
        w.view.flush();
        QTRY_VERIFY(!painted.region.isEmpty());
        QTest::qWait(50);
        const int tail = w.at(1, 5 * 16).y();
        QVERIFY2(painted.region.boundingRect().top() > tail - 30, qPrintable(QString::number(tail)));
    }

    void partialPaintingEqualsPaintingAll()
    {
        // The moved and partly painted picture must be what a full paint gives.
        ShownView w(manyMessages(6), {700, 500});
        ChatMessage reply = makeMessage(100, Role::Assistant, "");
        reply.state = State::Streaming;
        w.view.appendMessage(reply);
        QTest::qWait(50);
        const QString text = manyMessages(5).at(1).text + manyMessages(5).at(3).text;
        for (int i = 0; i < text.size(); i += 7) {
            w.view.appendText(100, text.mid(i, 7));
            w.view.setFooter(100, {{QString("%1 tokens").arg(i), "", "00,000 tokens"}});
            w.view.flush();
            QCoreApplication::processEvents();
        }
        QTest::qWait(50);
        // The backing store holds what was painted in parts.
        const QImage parts = w.screen()->grabWindow(w.winId()).toImage();
        w.view.viewport()->update();
        QTest::qWait(50);
        const QImage whole = w.screen()->grabWindow(w.winId()).toImage();
        QVERIFY(!whole.isNull());
        QCOMPARE(parts, whole);
    }

    void streamedMessageLooksAsIfItCameWhole()
    {
        const QString text = manyMessages(5).at(1).text + "\n\n1. one\n2. two\n\n> quote\n\nlast **line**";
        ChatMessage whole = makeMessage(1, Role::Assistant, text);
        ShownView a({whole});
        ChatMessage empty = makeMessage(1, Role::Assistant, "");
        empty.state = State::Streaming;
        ShownView b({empty});
        for (int i = 0; i < text.size(); ++i) {
            b.view.appendText(1, text.mid(i, 1));
            b.view.flush();
        }
        b.view.setState(1, State::Done);
        QCOMPARE(b.view.messageRect(0), a.view.messageRect(0));
        QCOMPARE(b.view.viewport()->grab().toImage(), a.view.viewport()->grab().toImage());
    }

    void switchingTheThemeRepaints()
    {
        ShownView w(manyMessages(10));
        const QImage light = w.view.viewport()->grab().toImage();
        const QRect before = w.view.messageRect(9);
        Theme::setMode(Theme::Mode::Dark);
        const QImage dark = w.view.viewport()->grab().toImage();
        QCOMPARE(dark.pixelColor(2, 2), Theme::dark().background);
        QCOMPARE(w.view.messageRect(9), before);
        Theme::setMode(Theme::Mode::Light);
        QCOMPARE(w.view.viewport()->grab().toImage(), light);
    }

    void scalingTheFontsLaysOutAnew()
    {
        ShownView w(manyMessages(10));
        const int before = w.view.messageRect(9).height();
        Fonts::setScale(1.5);
        Theme::setMode(Theme::Mode::Light);
        QCoreApplication::processEvents();
        QVERIFY(w.view.messageRect(9).height() > before);
    }

    void nothingChangesItsWidthWhileFiguresGrow()
    {
        ChatMessage m = makeMessage(1, Role::Assistant, "text");
        m.footer = {{"1 token", "", "00,000 tokens"}, {"after", "", ""}};
        ShownView w({m});
        const QImage a = w.view.viewport()->grab().toImage();
        m.footer[0].text = "12,345 tokens";
        w.view.setFooter(1, m.footer);
        const QImage b = w.view.viewport()->grab().toImage();
        const QRect row = w.view.messageRect(0);
        // Right of the reserved figure both pictures are the same.
        const int x = row.left() + Fonts::reservedWidth(Fonts::font(Fonts::Role::Small), "00,000 tokens") + 1;
        const QRect rest(x, 0, a.width() - x, a.height());
        QCOMPARE(a.copy(rest), b.copy(rest));
        QVERIFY(a != b);
    }

    // ---- Selection

    void dragSelectsAcrossMessages()
    {
        ShownView w({makeMessage(1, Role::User, "first message"), makeMessage(2, Role::Assistant, "second *message*"),
            makeMessage(3, Role::User, "third message")});
        w.drag(w.at(0, 6), w.at(2, 5));
        QCOMPARE(w.view.selectedText(), QString("message\n\nsecond message\n\nthird"));
        QCOMPARE(w.view.selectedMarkdown(), QString("message\n\nsecond *message*\n\nthird"));
        w.view.copySelection();
        QCOMPARE(QGuiApplication::clipboard()->text(), QString("message\n\nsecond message\n\nthird"));
    }

    void dragBackwardsSelectsTheSame()
    {
        ShownView w({makeMessage(1, Role::User, "first message"), makeMessage(2, Role::Assistant, "second message")});
        w.drag(w.at(1, 6), w.at(0, 6));
        QCOMPARE(w.view.selectedText(), QString("message\n\nsecond"));
    }

    void shiftClickExtends()
    {
        ShownView w({makeMessage(1, Role::User, "first message"), makeMessage(2, Role::Assistant, "second message")});
        QTest::mouseClick(w.view.viewport(), Qt::LeftButton, {}, w.at(0, 0));
        QTest::mouseClick(w.view.viewport(), Qt::LeftButton, Qt::ShiftModifier, w.at(1, 6));
        QCOMPARE(w.view.selectedText(), QString("first message\n\nsecond"));
    }

    void doubleClickSelectsAWordAndTripleABlock()
    {
        ShownView w({makeMessage(1, Role::Assistant, QString::fromUtf8("one 한국어 three\n\nsecond paragraph"))});
        const QPoint point = w.at(0, 5);
        QTest::mouseDClick(w.view.viewport(), Qt::LeftButton, {}, point);
        QCOMPARE(w.view.selectedText(), QString::fromUtf8("한국어"));
        QTest::mousePress(w.view.viewport(), Qt::LeftButton, {}, point);
        QTest::mouseRelease(w.view.viewport(), Qt::LeftButton, {}, point);
        QCOMPARE(w.view.selectedText(), QString::fromUtf8("one 한국어 three"));
    }

    void selectAllCopiesEverything()
    {
        ShownView w(manyMessages(200));
        w.view.setFocus();
        QTest::keyClick(&w.view, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClick(&w.view, Qt::Key_C, Qt::ControlModifier);
        const QString text = QGuiApplication::clipboard()->text();
        QCOMPARE(text.count("Plain prose"), 160);
        QVERIFY(text.contains("alpha\t1"));
        QTest::keyClick(&w.view, Qt::Key_Escape);
        QVERIFY(!w.view.hasSelection());
    }

    void copiedTextKeepsListsAndCode()
    {
        ShownView w({makeMessage(
            1, Role::Assistant, "Intro:\n\n- one\n- two\n  1. deep\n\n```c\nint a;\n\nint b;\n```\n\nEnd")});
        w.view.selectAll();
        QCOMPARE(
            w.view.selectedText(), QString::fromUtf8("Intro:\n\n• one\n• two\n  1. deep\n\nint a;\n\nint b;\n\nEnd"));
    }

    void partOfAMessageCopiesAsMarkdown()
    {
        ShownView w({makeMessage(1, Role::Assistant, "## Title\n\nsome **bold words** here\n\n- item")});
        w.drag(w.at(0, 0), w.at(0, 6 + 9));
        QCOMPARE(w.view.selectedMarkdown(), QString("## Title\n\nsome **bold**"));
    }

    void selectionIsPainted()
    {
        ShownView w({makeMessage(1, Role::Assistant, "some words to select")});
        const QPoint point = w.at(0, 5) + QPoint(4, -7);
        const QColor before = w.view.viewport()->grab().toImage().pixelColor(point);
        w.view.selectAll();
        const QColor after = w.view.viewport()->grab().toImage().pixelColor(point);
        QVERIFY(before != after);
        QCOMPARE(after, Theme::light().selection);
    }

    void streamingKeepsTheSelection()
    {
        ChatMessage reply = makeMessage(1, Role::Assistant, "first paragraph\n\nsecond");
        reply.state = State::Streaming;
        ShownView w({reply});
        w.drag(w.at(0, 0), w.at(0, 5));
        QCOMPARE(w.view.selectedText(), QString("first"));
        w.view.appendText(1, " and more\n\nand more\n\n");
        w.view.flush();
        QCOMPARE(w.view.selectedText(), QString("first"));
    }

    void draggingOutsideScrolls()
    {
        ShownView w(manyMessages(60));
        w.settle();
        const int before = w.bar()->value();
        QWidget* port = w.view.viewport();
        QTest::mousePress(port, Qt::LeftButton, {}, QPoint(200, 100));
        const QPoint outside(200, -40);
        QMouseEvent move(
            QEvent::MouseMove, outside, port->mapToGlobal(outside), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(port, &move);
        QTRY_VERIFY(w.bar()->value() < before - 100);
        QTest::mouseRelease(port, Qt::LeftButton, {}, outside);
        const int after = w.bar()->value();
        QTest::qWait(100);
        QCOMPARE(w.bar()->value(), after);
        QVERIFY(w.view.hasSelection());
    }

    // ---- Things to click

    void linksAskThroughASignal()
    {
        ShownView w({makeMessage(1, Role::Assistant, "see [this page](https://example.org/x?y=1) now")});
        QSignalSpy links(&w.view, &ChatView::linkActivated);
        QTest::mouseClick(w.view.viewport(), Qt::LeftButton, {}, w.at(0, 6));
        QCOMPARE(links.size(), 1);
        QCOMPARE(links[0][0].toUrl(), QUrl("https://example.org/x?y=1"));
        QTest::mouseClick(w.view.viewport(), Qt::LeftButton, {}, w.at(0, 1));
        w.drag(w.at(0, 4), w.at(0, 9));
        QCOMPARE(links.size(), 1);
        QCOMPARE(w.view.selectedText(), QString("this "));
    }

    void dangerousLinksAreDead_data()
    {
        QTest::addColumn<QString>("address");
        for (const char* address :
            {"file:///etc/passwd", "javascript:alert(1)", "smb://host/x", "relative/path", "x-y:z"})
            QTest::newRow(address) << QString(address);
    }

    void dangerousLinksAreDead()
    {
        QFETCH(QString, address);
        ShownView w({makeMessage(1, Role::Assistant, QString("see [this page](<%1>) now").arg(address))});
        QSignalSpy links(&w.view, &ChatView::linkActivated);
        QTest::mouseClick(w.view.viewport(), Qt::LeftButton, {}, w.at(0, 6));
        QCOMPARE(links.size(), 0);
    }

    void codeHasACopyButton()
    {
        ShownView w({makeMessage(1, Role::Assistant, "```c\nint a;\nint b;\n```")});
        const QRect first = w.view.characterRect(0, 0);
        const QRect row = w.view.messageRect(0);
        QGuiApplication::clipboard()->clear();
        QTest::mouseClick(w.view.viewport(), Qt::LeftButton, {}, QPoint(row.right() - 30, first.top() - 16));
        QCOMPARE(QGuiApplication::clipboard()->text(), QString("int a;\nint b;"));
    }

    void noticesHaveAnAction()
    {
        ChatMessage m = makeMessage(7, Role::Assistant, "half a rep");
        m.state = State::Interrupted;
        m.notice = "The program ended while this reply was being written.";
        m.actionLabel = "Continue";
        ShownView w({m});
        QSignalSpy actions(&w.view, &ChatView::actionRequested);
        const QRect row = w.view.messageRect(0);
        QTest::mouseClick(w.view.viewport(), Qt::LeftButton, {}, QPoint(row.left() + 40, row.bottom() - 24 - 12));
        QCOMPARE(actions.size(), 1);
        QCOMPARE(actions[0][0].toLongLong(), 7);
        w.view.focusMessage(0);
        QTest::keyClick(&w.view, Qt::Key_Return);
        QCOMPARE(actions.size(), 2);
    }

    void branchArrowsAsk()
    {
        ChatMessage m = makeMessage(7, Role::Assistant, "reply");
        m.branch = 2;
        m.branchCount = 2;
        ShownView w({m});
        QSignalSpy branches(&w.view, &ChatView::branchRequested);
        w.view.focusMessage(0);
        QTest::keyClick(&w.view, Qt::Key_Left);
        QTest::keyClick(&w.view, Qt::Key_Right); // there is no third
        QCOMPARE(branches.size(), 1);
        QCOMPARE(branches[0][1].toInt(), -1);
        const QRect row = w.view.messageRect(0);
        for (int x = row.left(); x < row.left() + 150; x += 4)
            QTest::mouseClick(w.view.viewport(), Qt::LeftButton, {}, QPoint(x, row.top() + 9));
        QVERIFY(branches.size() > 1);
        for (const auto& branch : branches)
            QCOMPARE(branch[1].toInt(), -1);
    }

    void hoverShowsAToolbar()
    {
        ShownView w({makeMessage(1, Role::User, "question"), makeMessage(2, Role::Assistant, "answer **x**")});
        QSignalSpy edits(&w.view, &ChatView::editRequested);
        QSignalSpy regenerations(&w.view, &ChatView::regenerateRequested);
        QTest::mouseMove(w.view.viewport(), w.at(0, 2));
        QMap<QString, QToolButton*> buttons;
        for (auto* button : w.view.viewport()->findChildren<QToolButton*>())
            buttons[button->text()] = button;
        QTRY_VERIFY(buttons["Edit"]->isVisible());
        QVERIFY(!buttons["Regenerate"]->isVisible());
        QTest::mouseClick(buttons["Edit"], Qt::LeftButton);
        QCOMPARE(edits.size(), 1);
        QCOMPARE(edits[0][0].toLongLong(), 1);
        QTest::mouseMove(w.view.viewport(), w.at(1, 2));
        QTRY_VERIFY(buttons["Regenerate"]->isVisible());
        QVERIFY(!buttons["Edit"]->isVisible());
        QTest::mouseClick(buttons["Regenerate"], Qt::LeftButton);
        QCOMPARE(regenerations.size(), 1);
        QTest::mouseClick(buttons["Copy"], Qt::LeftButton);
        QCOMPARE(QGuiApplication::clipboard()->text(), QString("answer x"));
    }

    void contextMenuHoldsEverything()
    {
        ShownView w({makeMessage(1, Role::Assistant, "answer **x**\n\n```\ncode\n```")});
        QSignalSpy regenerations(&w.view, &ChatView::regenerateRequested);
        w.view.setFocus();
        QContextMenuEvent event(QContextMenuEvent::Keyboard, QPoint(10, 10), w.view.mapToGlobal(QPoint(10, 10)));
        QApplication::sendEvent(&w.view, &event);
        QMenu* menu = openMenu();
        QVERIFY(menu);
        actionNamed(menu, "Copy Message as Markdown")->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text(), QString("answer **x**\n\n```\ncode\n```"));
        actionNamed(menu, "Copy Code")->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text(), QString("code"));
        actionNamed(menu, "Regenerate")->trigger();
        QCOMPARE(regenerations.size(), 1);
        QVERIFY(!actionNamed(menu, "Edit…"));
        actionNamed(menu, "Select All")->trigger();
        QVERIFY(w.view.hasSelection());
        menu->close();
    }

    void figuresHaveTooltips()
    {
        ChatMessage m = makeMessage(1, Role::Assistant, "text");
        m.footer = {{"first token 312 ms", "Time to first token", ""}};
        ShownView w({m});
        const QRect row = w.view.messageRect(0);
        const QPoint point(row.left() + 10, row.bottom() - 24 - 8);
        QHelpEvent help(QEvent::ToolTip, point, w.view.viewport()->mapToGlobal(point));
        QApplication::sendEvent(w.view.viewport(), &help);
        QVERIFY(QToolTip::text().contains("Time to first token"));
        QToolTip::hideText();
    }

    void wideCodeScrollsSideways()
    {
        ShownView w({makeMessage(1, Role::Assistant, "```\n" + QString("word ").repeated(100) + "\n```")});
        const int before = w.view.characterRect(0, 0).left();
        const QPoint point = w.at(0, 3);
        QWheelEvent wheel(point, w.view.viewport()->mapToGlobal(point), QPoint(), QPoint(-240, 0), Qt::NoButton,
            Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(w.view.viewport(), &wheel);
        QVERIFY(w.view.characterRect(0, 0).left() < before);
    }

    void longPastesAreFolded()
    {
        ShownView w({makeMessage(1, Role::User, QString("line of a file\n").repeated(70000))});
        const int folded = w.view.messageRect(0).height();
        QVERIFY(folded < 20000);
        QCOMPARE(w.view.message(1)->text.size(), 15 * 70000);
        w.bar()->setValue(w.bar()->maximum());
        const QRect row = w.view.messageRect(0);
        QTest::mouseClick(w.view.viewport(), Qt::LeftButton, {}, QPoint(row.left() + 30, row.bottom() - 24 - 12 - 8));
        QVERIFY(w.view.messageRect(0).height() > 3 * folded);
    }

    void emptyViewOffersQuestions()
    {
        ChatView view;
        view.setEmptyState("Title", "Text", {"one?", "two?"});
        view.resize(600, 500);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QSignalSpy picked(&view, &ChatView::examplePicked);
        const auto buttons = view.findChildren<QPushButton*>();
        QCOMPARE(buttons.size(), 2);
        QVERIFY(buttons[1]->isVisible());
        QTest::mouseClick(buttons[1], Qt::LeftButton);
        QCOMPARE(picked.size(), 1);
        QCOMPARE(picked[0][0].toString(), QString("two?"));
        view.appendMessage(makeMessage(1, Role::User, "x"));
        QVERIFY(!buttons[1]->isVisible());
        view.clear();
        QVERIFY(buttons[1]->isVisible());
    }

    // ---- Keyboard focus

    void tabGoesFromMessageToMessage()
    {
        QWidget window;
        auto* box = new QVBoxLayout(&window);
        auto* before = new QPushButton("before");
        auto* view = new ChatView;
        auto* after = new QPushButton("after");
        for (QWidget* widget :
            {static_cast<QWidget*>(before), static_cast<QWidget*>(view), static_cast<QWidget*>(after)})
            box->addWidget(widget);
        window.resize(600, 500);
        view->setMessages({makeMessage(1, Role::User, "a"), makeMessage(2, Role::Assistant, "b")});
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        before->setFocus();
        QTest::keyClick(before, Qt::Key_Tab);
        QVERIFY(view->hasFocus());
        QVERIFY(view->focusedMessage() >= 0);
        for (int i = 0; i < 5 && view->hasFocus(); ++i)
            QTest::keyClick(view, Qt::Key_Tab);
        QVERIFY(after->hasFocus());
        QTest::keyClick(after, Qt::Key_Tab, Qt::ShiftModifier);
        QVERIFY(view->hasFocus());
        QCOMPARE(view->focusedMessage(), 1);
        const QImage ring = view->viewport()->grab().toImage();
        QTest::keyClick(view, Qt::Key_Tab, Qt::ShiftModifier);
        QCOMPARE(view->focusedMessage(), 0);
        QVERIFY(view->viewport()->grab().toImage() != ring);
        QTest::keyClick(view, Qt::Key_Tab, Qt::ShiftModifier);
        QVERIFY(before->hasFocus());
    }

    // ---- Search

    void searchFindsAndMoves()
    {
        ShownView w(manyMessages(100));
        QCOMPARE(w.view.find("SECOND item"), 80);
        QVERIFY(w.view.findCurrent() >= 0);
        const int before = w.view.findCurrent();
        w.view.findNext();
        QCOMPARE(w.view.findCurrent(), (before + 1) % 80);
        w.view.findNext(true);
        w.view.findNext(true);
        QCOMPARE(w.view.findCurrent(), (before + 79) % 80);
        QCOMPARE(w.view.find("no such words"), 0);
        QCOMPARE(w.view.findCurrent(), -1);
        w.view.findNext();
        w.view.clearFind();
    }

    void searchShowsItsHit()
    {
        QList<ChatMessage> messages = manyMessages(100);
        messages[10].text += "\n\nneedle in the stack";
        ShownView w(messages);
        QCOMPARE(w.view.find("needle"), 1);
        bool isSeen = false;
        const QImage image = w.view.viewport()->grab().toImage();
        for (int y = 0; y < image.height() && !isSeen; ++y) {
            for (int x = 0; x < image.width() && !isSeen; ++x)
                isSeen = image.pixelColor(x, y) == Theme::light().foundCurrent;
        }
        QVERIFY(isSeen);
    }

    // ---- Changes

    void messagesCanBeReplacedAndRemoved()
    {
        ShownView w(manyMessages(10));
        ChatMessage m = makeMessage(5, Role::Assistant, "changed");
        w.view.updateMessage(m);
        QCOMPARE(w.view.message(5)->text, QString("changed"));
        w.view.updateMessage(makeMessage(99, Role::User, "unknown"));
        QCOMPARE(w.view.messageCount(), 10);
        w.view.selectAll();
        w.view.removeMessagesFrom(4);
        QCOMPARE(w.view.messageCount(), 4);
        QVERIFY(!w.view.hasSelection());
        QVERIFY(!w.view.message(5));
        w.view.appendText(5, "lost");
        w.view.setState(5, State::Done);
        w.view.setFooter(5, {});
        w.view.clear();
        QCOMPARE(w.view.messageCount(), 0);
        w.view.grab();
    }

    void anUpdateWithTheSameTextKeepsTheSelection()
    {
        ChatMessage m = makeMessage(1, Role::Assistant, "some words");
        m.state = State::Streaming;
        ShownView w({m});
        w.drag(w.at(0, 0), w.at(0, 4));
        m.state = State::Done;
        m.text += " more";
        m.footer = {{"2 tokens", "", ""}};
        w.view.updateMessage(m);
        QCOMPARE(w.view.selectedText(), QString("some"));
        QCOMPARE(w.view.message(1)->text, QString("some words more"));
        ShownView fresh({m});
        w.view.clearSelection();
        QEvent leave(QEvent::Leave); // takes the toolbar away
        QApplication::sendEvent(w.view.viewport(), &leave);
        QCOMPARE(w.view.viewport()->grab().toImage(), fresh.view.viewport()->grab().toImage());
        w.drag(w.at(0, 0), w.at(0, 4));
        m.text = "other words";
        w.view.updateMessage(m);
        QVERIFY(!w.view.hasSelection());
    }

    void hiddenViewsKeepTheirText()
    {
        ChatMessage reply = makeMessage(1, Role::Assistant, "a");
        reply.state = State::Streaming;
        ShownView w({reply});
        w.hide();
        for (int i = 0; i < 50; ++i)
            w.view.appendText(1, "b");
        QTest::qWait(100);
        w.show();
        QCOMPARE(w.view.message(1)->text, "a" + QString("b").repeated(50));
    }

    void changingTheLanguageKeepsTheView()
    {
        class Shouting : public QTranslator {
        public:
            bool isEmpty() const override { return false; }
            QString translate(const char*, const char* source, const char*, int) const override
            {
                return QString(source).toUpper();
            }
        } translator;
        ShownView w(manyMessages(10));
        QCoreApplication::installTranslator(&translator);
        QCoreApplication::processEvents();
        QStringList texts;
        for (auto* button : w.view.viewport()->findChildren<QToolButton*>())
            texts << button->text();
        QVERIFY(texts.contains("COPY"));
        w.view.grab();
        QCoreApplication::removeTranslator(&translator);
    }

    // ---- Assistive technology

    void assistiveTechnologySeesAList()
    {
        ShownView w({makeMessage(1, Role::User, "question"),
            makeMessage(2, Role::Assistant, QString::fromUtf8("**답변** text"))});
        QAccessibleInterface* list = QAccessible::queryAccessibleInterface(&w.view);
        QVERIFY(list);
        QCOMPARE(list->role(), QAccessible::List);
        QVERIFY(!list->text(QAccessible::Name).isEmpty());
        QCOMPARE(list->childCount(), 2);
        QAccessibleInterface* item = list->child(1);
        QCOMPARE(item->role(), QAccessible::ListItem);
        QCOMPARE(item->text(QAccessible::Name), QString::fromUtf8("Model: 답변 text"));
        QCOMPARE(item->parent(), list);
        QCOMPARE(list->indexOfChild(item), 1);
        QVERIFY(item->textInterface());
        QCOMPARE(item->textInterface()->text(0, 5), QString("Model"));
        QVERIFY(w.geometry().contains(item->rect().center()));
        QCOMPARE(list->childAt(item->rect().center().x(), item->rect().center().y()), item);
        w.view.appendMessage(makeMessage(3, Role::User, "more"));
        QCOMPARE(list->childCount(), 3);
        w.view.removeMessagesFrom(2);
        QCOMPARE(list->childCount(), 1);
        QVERIFY(!item->isValid());
        QVERIFY(!list->child(1));
        w.view.focusMessage(0);
        QVERIFY(list->child(0)->state().focusable);
    }

    // ---- Speed: generous bounds; bench_chatview measures

    void fiveHundredMessagesShowAtOnce()
    {
        const auto messages = manyMessages(500);
        QElapsedTimer timer;
        timer.start();
        ShownView w(messages);
        w.view.grab();
        QVERIFY2(timer.elapsed() < 1500, qPrintable(QString::number(timer.elapsed())));
        w.settle();
        timer.start();
        w.resize(600, 500);
        QCoreApplication::processEvents();
        QVERIFY2(timer.elapsed() < 500, qPrintable(QString::number(timer.elapsed())));
    }
};

QTEST_MAIN(TestChatView)
#include "tst_chatview.moc"
