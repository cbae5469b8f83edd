#include "base/theme.h"
#include "chat/tokenview.h"

#include <QAccessible>
#include <QElapsedTimer>
#include <QScrollBar>
#include <QSignalSpy>
#include <QtTest>

using namespace kvasir;

namespace {

QVector<TokenBox> someTokens(int count)
{
    QVector<TokenBox> tokens;
    for (int i = 0; i < count; ++i)
        tokens.append({i, QStringLiteral(" word%1").arg(i % 997), i % 50 == 0});
    return tokens;
}

} // namespace

class TestTokenView : public QObject {
    Q_OBJECT

private slots:
    void placesEveryTokenOnceAndInOrder();
    void breaksBehindALineBreak();
    void marksSpecialTokensOtherwise();
    void joinsIdsAndCountsSpecialOnes();
    void movesByKeys();
    void describesTheCurrentToken();
    void showsAWholeContextAtOnce();
    void isEmptyWithoutTokens();
};

void TestTokenView::placesEveryTokenOnceAndInOrder()
{
    TokenView view;
    view.resize(400, 300);
    view.setTokens(someTokens(300));
    view.show();
    QRect before;
    for (int i = 0; i < 300; ++i) {
        const QRect rect = view.tokenRect(i);
        QVERIFY(rect.left() >= 0 && rect.right() <= view.viewport()->width());
        QVERIFY(i == 0 || rect.top() > before.top() || rect.left() > before.right());
        QCOMPARE(view.tokenAt(rect.center()), i);
        before = rect;
    }
    QVERIFY(view.verticalScrollBar()->maximum() > 0);
    QCOMPARE(view.tokenAt(QPoint(-5, 5)), -1);
    const int tall = view.tokenRect(299).top();
    view.resize(800, 300);
    QVERIFY(view.tokenRect(299).top() < tall);
}

void TestTokenView::breaksBehindALineBreak()
{
    TokenView view;
    view.resize(800, 300);
    view.setTokens(
        {{1, QStringLiteral("a"), false}, {2, QStringLiteral("\n"), false}, {3, QStringLiteral("b"), false}});
    QCOMPARE(view.tokenRect(1).top(), view.tokenRect(0).top());
    QVERIFY(view.tokenRect(2).top() > view.tokenRect(1).top());
    QCOMPARE(view.tokenRect(2).left(), view.tokenRect(0).left());
}

void TestTokenView::marksSpecialTokensOtherwise()
{
    const auto picture = [](bool isSpecial) {
        TokenView view;
        view.resize(200, 60);
        // The first one has the cursor.
        view.setTokens({{0, QStringLiteral("a"), false}, {1, QStringLiteral("<s>"), isSpecial}});
        view.show();
        static_cast<void>(QTest::qWaitForWindowExposed(&view));
        return view.viewport()->grab(view.tokenRect(1)).toImage();
    };
    const QImage special = picture(true);
    const auto countOf = [](const QImage& image, const QColor& color) {
        int count = 0;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x)
                count += image.pixelColor(x, y) == color;
        }
        return count;
    };
    QVERIFY(countOf(special, Theme::current().accent) > 20); // an outline at least
    QCOMPARE(countOf(picture(false), Theme::current().accent), 0);
}

void TestTokenView::joinsIdsAndCountsSpecialOnes()
{
    TokenView view;
    view.setTokens({{256, QStringLiteral("<s>"), true}, {7, QStringLiteral(" a\n"), false}});
    QCOMPARE(view.ids(), QStringLiteral("256, 7"));
    QCOMPARE(view.specialCount(), 1);
}

void TestTokenView::movesByKeys()
{
    TokenView view;
    view.resize(400, 300);
    view.setTokens(someTokens(1000));
    view.show();
    QCOMPARE(view.current(), 0);
    QSignalSpy moves(&view, &TokenView::currentChanged);
    QTest::keyClick(&view, Qt::Key_Left);
    QCOMPARE(view.current(), 0);
    QTest::keyClick(&view, Qt::Key_Right);
    QCOMPARE(view.current(), 1);
    QTest::keyClick(&view, Qt::Key_Down);
    QVERIFY(view.tokenRect(view.current()).top() > view.tokenRect(1).top());
    QTest::keyClick(&view, Qt::Key_Up);
    QVERIFY(view.tokenRect(view.current()).top() == view.tokenRect(1).top());
    QTest::keyClick(&view, Qt::Key_End);
    QCOMPARE(view.current(), 999);
    const QRect last = view.tokenRect(999);
    QVERIFY(last.top() >= 0 && last.bottom() <= view.viewport()->height()); // it came into sight
    QTest::keyClick(&view, Qt::Key_PageUp);
    QVERIFY(view.current() < 999 && view.current() > 900);
    QTest::keyClick(&view, Qt::Key_Home);
    QCOMPARE(view.current(), 0);
    QCOMPARE(view.verticalScrollBar()->value(), 0);
    QCOMPARE(moves.size(), 6);
    QTest::mousePress(view.viewport(), Qt::LeftButton, {}, view.tokenRect(3).center());
    QCOMPARE(view.current(), 3);
}

void TestTokenView::describesTheCurrentToken()
{
    TokenView view;
    view.setTokens(
        {{5, QStringLiteral("a"), false}, {198, QStringLiteral("\n"), false}, {2, QStringLiteral("</s>"), true}});
    QCOMPARE(view.description(1), QStringLiteral("Token 2 of 3: “↵”, id 198"));
    QCOMPARE(view.description(2), QStringLiteral("Token 3 of 3: “</s>”, id 2, special"));
    view.setCurrent(2);
    QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(&view);
    QCOMPARE(accessible->text(QAccessible::Description), view.description(2));
}

void TestTokenView::showsAWholeContextAtOnce()
{
    TokenView view;
    view.resize(800, 600);
    view.show();
    static_cast<void>(QTest::qWaitForWindowExposed(&view));
    QElapsedTimer timer;
    timer.start();
    view.setTokens(someTokens(131072));
    view.repaint();
    view.verticalScrollBar()->setValue(view.verticalScrollBar()->maximum() / 2);
    view.repaint();
    qInfo("131,072 tokens in %lld ms", timer.elapsed());
    QVERIFY(timer.elapsed() < 20'000); // hangs are found here, speed is not measured
    timer.restart();
    view.setCurrent(131071);
    view.repaint();
    QVERIFY(timer.elapsed() < 5'000);
}

void TestTokenView::isEmptyWithoutTokens()
{
    TokenView view;
    view.resize(200, 100);
    view.setTokens(someTokens(3));
    view.setTokens({});
    view.show();
    view.repaint();
    QCOMPARE(view.current(), -1);
    for (const int key : {Qt::Key_Left, Qt::Key_Down, Qt::Key_End, Qt::Key_PageUp})
        QTest::keyClick(&view, Qt::Key(key));
    QCOMPARE(view.current(), -1);
    QCOMPARE(view.tokenRect(0), QRect());
    QCOMPARE(view.ids(), QString());
}

QTEST_MAIN(TestTokenView)
#include "tst_tokenview.moc"
