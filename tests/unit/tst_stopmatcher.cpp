#include "text/stopmatcher.h"

#include <QTest>

#include <random>

using namespace kvasir;

class TestStopMatcher : public QObject {
    Q_OBJECT

private slots:
    void emitsEverythingWithoutStops();
    void endsBeforeTheStopString();
    void holdsBackOnlyWhatMayBecomeAStop();
    void findsAStopSplitOverPieces();
    void givesHeldTextAtTheEnd();
    void firstCompleteStopWins();
    void resultDoesNotDependOnTheSplit();
};

void TestStopMatcher::emitsEverythingWithoutStops()
{
    StopMatcher matcher({"", ""});
    QCOMPARE(matcher.push("abc"), std::string("abc"));
    QCOMPARE(matcher.flush(), std::string());
    QVERIFY(!matcher.stopped());
}

void TestStopMatcher::endsBeforeTheStopString()
{
    StopMatcher matcher({"END"});
    QCOMPARE(matcher.push("text END more"), std::string("text "));
    QVERIFY(matcher.stopped());
    QCOMPARE(matcher.matched(), std::string("END"));
    QCOMPARE(matcher.push("never"), std::string());
    QCOMPARE(matcher.flush(), std::string());
}

void TestStopMatcher::holdsBackOnlyWhatMayBecomeAStop()
{
    StopMatcher matcher({"</s>", "\n\n"});
    QCOMPARE(matcher.push("a<"), std::string("a"));
    QCOMPARE(matcher.push("/x"), std::string("</x"));
    QCOMPARE(matcher.push("\n"), std::string());
    QCOMPARE(matcher.push("b"), std::string("\nb"));
}

void TestStopMatcher::findsAStopSplitOverPieces()
{
    StopMatcher matcher({"User:"});
    std::string shown;
    for (const char* piece : {"Hi", " U", "Us", "e", "r", ":", " x"}) {
        shown += matcher.push(piece);
    }
    QCOMPARE(shown, std::string("Hi U"));
    QVERIFY(matcher.stopped());
}

void TestStopMatcher::givesHeldTextAtTheEnd()
{
    StopMatcher matcher({"abcd"});
    QCOMPARE(matcher.push("xabc"), std::string("x"));
    QCOMPARE(matcher.flush(), std::string("abc"));
    QVERIFY(!matcher.stopped());
}

void TestStopMatcher::firstCompleteStopWins()
{
    StopMatcher matcher({"abcde", "bc"});
    QCOMPARE(matcher.push("xabcde"), std::string("xa"));
    QCOMPARE(matcher.matched(), std::string("bc"));
    StopMatcher same({"bc", "abc"}); // complete together: the longer one
    QCOMPARE(same.push("xabc"), std::string("x"));
}

void TestStopMatcher::resultDoesNotDependOnTheSplit()
{
    std::mt19937 random(3);
    const std::vector<std::vector<std::string>> sets = {
        {"aab"}, {"ab", "ba"}, {"aaaa", "abab", "b"}, {"abcabd", "cab"}};
    for (int round = 0; round < 4000; ++round) {
        std::string text;
        for (unsigned i = random() % 24; i > 0; --i) {
            text += static_cast<char>('a' + random() % 4);
        }
        const auto& stops = sets[round % sets.size()];
        StopMatcher whole(stops);
        std::string expected = whole.push(text);
        expected += whole.flush();
        StopMatcher streamed(stops);
        std::string shown;
        for (size_t position = 0; position < text.size();) {
            const size_t length = 1 + random() % 5;
            shown += streamed.push(std::string_view(text).substr(position, length));
            position += length;
        }
        shown += streamed.flush();
        QCOMPARE(shown, expected);
        QCOMPARE(streamed.stopped(), whole.stopped());
        QCOMPARE(streamed.matched(), whole.matched());
        size_t plain = std::string::npos;
        for (const std::string& stop : stops) {
            plain = std::min(plain, text.find(stop) == std::string::npos ? plain : text.find(stop) + stop.size());
        }
        QCOMPARE(whole.stopped(), plain != std::string::npos);
        QCOMPARE(whole.stopped() ? expected.size() + whole.matched().size() : expected.size(),
            whole.stopped() ? plain : text.size());
    }
}

QTEST_GUILESS_MAIN(TestStopMatcher)
#include "tst_stopmatcher.moc"
