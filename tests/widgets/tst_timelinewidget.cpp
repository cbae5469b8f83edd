#include "base/fonts.h"
#include "base/theme.h"
#include "plots/plotcost.h"
#include "plots/refreshclock.h"
#include "plots/timelinewidget.h"
#include "plotscenes.h"

#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QMimeData>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QTranslator>
#include <QWheelEvent>

#include <limits>
#include <memory>

using namespace kvasir;
using namespace kvasir::testing;

namespace {

/// Answers every text with itself in brackets, twice as long.
class LongTranslator : public QTranslator {
public:
    bool isEmpty() const override { return false; }
    QString translate(const char*, const char* text, const char*, int) const override
    {
        return QStringLiteral("[%1 한국어로 더 긴 문장]").arg(QString::fromUtf8(text));
    }
};

void wheel(QWidget* target, const QPointF& at, int steps, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
{
    QWheelEvent event(at, target->mapToGlobal(at), QPoint(), QPoint(0, 120 * steps), Qt::NoButton, modifiers,
        Qt::NoScrollPhase, false);
    QApplication::sendEvent(target, &event);
}

QImage imageOf(PlotPanel& panel)
{
    return panel.picture(1).convertToFormat(QImage::Format_RGB32);
}

} // namespace

class TestTimelineWidget : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void answersWithTtftAndPercentiles();
    void unknownFiguresAreDashes();
    void hoverShowsTextProbabilityGapAndAlternatives();
    void hoverOnBandsExplainsThem();
    void arrowKeysMoveTheCursorOverTokens();
    void cursorOutsideTheViewBringsItIn();
    void dragPansAndStopsFollowing();
    void doubleClickAndHomeReturnToFollowing();
    void wheelZoomsAboutThePointer();
    void controlWheelZoomsTheGap();
    void keysZoom();
    void zoomedLiveReplyStaysAtTheRightEdge();
    void prefillShowsItsProgress();
    void hiddenPanelDrawsNothing();
    void minimisedWindowDrawsNothing();
    void scrolledOutPanelDrawsNothing();
    void unchangedPanelDrawsNothing();
    void refreshesAtMostThirtyTimesASecond();
    void hoverRedrawsTheCursorAlone();
    void axisRescalesAtMostTwiceASecond();
    void presentIsNeverOutsideTheView();
    void eightThousandTokensStayFast();
    void earlierRepliesCanBeChosen();
    void csvHoldsEverything();
    void summaryTellsTheStory();
    void earlyEndsAreMarked();
    void clearingKeepsTheSelector();
    void strangeValuesAreDrawnHarmlessly();
    void languageChangesWhileRunning();
    void themeChangesWhileRunning();
    void picturesAreWritten();
    void unwritablePictureSaysWhy();
    void menuOffersPicturesAndData();
    void headerExplainsItsTerms();
    void tooLittleSpaceIsSaid();
    void costIsCounted();

private:
    /// Until the panel has drawn what it was given.
    void settle() { QTRY_VERIFY(!m_widget->isDirty()); }
    void showReply(const ReplySeries& series)
    {
        m_widget->startReply(series);
        settle();
    }

    std::unique_ptr<TimelineWidget> m_widget;
};

void TestTimelineWidget::init()
{
    QLocale::setDefault(QLocale(QLocale::English));
    Fonts::setScale(1);
    Theme::setMode(Theme::Mode::Light);
    m_widget = std::make_unique<TimelineWidget>();
    m_widget->resize(460, 300);
    m_widget->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_widget.get()));
    settle();
}

void TestTimelineWidget::cleanup()
{
    m_widget.reset();
}

void TestTimelineWidget::answersWithTtftAndPercentiles()
{
    showReply(sampleReply(101)); // 99 gaps of 20 ms and one of 60
    QString answer = m_widget->answerText();
    answer.replace(QChar(0xa0), QLatin1Char(' '));
    QCOMPARE(answer, QStringLiteral("TTFT 100 ms  ITL p50 20.0 ms  p99 20.4 ms"));
}

void TestTimelineWidget::unknownFiguresAreDashes()
{
    QCOMPARE(m_widget->answerText().count(QChar(0x2013)), 3);
    QVERIFY(m_widget->summary().contains(QLatin1String("No reply yet")));
}

void TestTimelineWidget::hoverShowsTextProbabilityGapAndAlternatives()
{
    showReply(sampleReply(20));
    QTest::mouseMove(m_widget->canvas(), m_widget->tokenPosition(4));
    QTRY_COMPARE(m_widget->currentToken(), 4);
    const QString text = m_widget->readout().replace(QChar(0xa0), QLatin1Char(' '));
    QVERIFY2(text.contains(QString::fromUtf8("“·tok4”")), qPrintable(text));
    QVERIFY2(text.contains(QLatin1String("token 5 of 20")), qPrintable(text));
    QVERIFY2(text.contains(QLatin1String("gap 60.0 ms")), qPrintable(text));
    QVERIFY2(text.contains(QLatin1String("probability 50 %")), qPrintable(text));
    QVERIFY2(text.contains(QString::fromUtf8("“⏎” 25 %")), qPrintable(text)); // white space is made visible
    QTest::mouseMove(m_widget->canvas(), QPoint(1, 1));
    QTRY_COMPARE(m_widget->currentToken(), -1);
    QVERIFY(m_widget->readout().isEmpty());
}

void TestTimelineWidget::hoverOnBandsExplainsThem()
{
    showReply(sampleReply(20));
    const QPoint first = m_widget->tokenPosition(0);
    QTest::mouseMove(m_widget->canvas(), first - QPoint(10, 0));
    QTRY_VERIFY(m_widget->readout().contains(QLatin1String("prefill")));
    QVERIFY(m_widget->readout().contains(QLatin1String("34 new")));
    QVERIFY(m_widget->readout().contains(QLatin1String("180 cached")));
}

void TestTimelineWidget::arrowKeysMoveTheCursorOverTokens()
{
    showReply(sampleReply(30));
    QTest::keyClick(m_widget->canvas(), Qt::Key_Right);
    QCOMPARE(m_widget->currentToken(), 0);
    QVERIFY(m_widget->readout().contains(QLatin1String("TTFT")));
    QTest::keyClick(m_widget->canvas(), Qt::Key_Right);
    QTest::keyClick(m_widget->canvas(), Qt::Key_Right, Qt::ControlModifier);
    QCOMPARE(m_widget->currentToken(), 11);
    QTest::keyClick(m_widget->canvas(), Qt::Key_Left);
    QCOMPARE(m_widget->currentToken(), 10);
    QVERIFY(m_widget->canvas()->accessibleDescription().contains(QLatin1String("tok10")));
    QTest::keyClick(m_widget->canvas(), Qt::Key_End);
    QTest::keyClick(m_widget->canvas(), Qt::Key_Right);
    QCOMPARE(m_widget->currentToken(), 29); // stops at the end
    QTest::keyClick(m_widget->canvas(), Qt::Key_Escape);
    QCOMPARE(m_widget->currentToken(), -1);
}

void TestTimelineWidget::cursorOutsideTheViewBringsItIn()
{
    showReply(sampleReply(200));
    for (int i = 0; i < 12; ++i) {
        QTest::keyClick(m_widget->canvas(), Qt::Key_Plus);
    }
    QTest::keyClick(m_widget->canvas(), Qt::Key_End);
    settle();
    const double last = sampleReply(200).tokens.last().timeMs;
    QVERIFY(m_widget->visibleRange().first < last && m_widget->visibleRange().second > last);
}

void TestTimelineWidget::dragPansAndStopsFollowing()
{
    showReply(sampleReply(50));
    QVERIFY(m_widget->isFollowing());
    const auto before = m_widget->visibleRange();
    const QPoint start = m_widget->canvas()->rect().center();
    QTest::mousePress(m_widget->canvas(), Qt::LeftButton, {}, start);
    QTest::mouseMove(m_widget->canvas(), start + QPoint(50, 0));
    QTest::mouseRelease(m_widget->canvas(), Qt::LeftButton, {}, start + QPoint(50, 0));
    settle();
    QVERIFY(!m_widget->isFollowing());
    const auto after = m_widget->visibleRange();
    QVERIFY(after.first < before.first);
    QCOMPARE(after.second - after.first, before.second - before.first); // panned, not zoomed
}

void TestTimelineWidget::doubleClickAndHomeReturnToFollowing()
{
    showReply(sampleReply(50));
    const auto whole = m_widget->visibleRange();
    QTest::keyClick(m_widget->canvas(), Qt::Key_PageUp);
    settle();
    QVERIFY(!m_widget->isFollowing());
    QTest::mouseDClick(m_widget->canvas(), Qt::LeftButton, {}, m_widget->canvas()->rect().center());
    settle();
    QVERIFY(m_widget->isFollowing());
    QCOMPARE(m_widget->visibleRange(), whole);
    QTest::keyClick(m_widget->canvas(), Qt::Key_Plus);
    settle();
    QVERIFY(m_widget->visibleRange() != whole);
    QTest::keyClick(m_widget->canvas(), Qt::Key_Home);
    settle();
    QCOMPARE(m_widget->visibleRange(), whole);
}

void TestTimelineWidget::wheelZoomsAboutThePointer()
{
    showReply(sampleReply(50));
    const QPoint at = m_widget->tokenPosition(10);
    wheel(m_widget->canvas(), at, 3);
    settle();
    const auto range = m_widget->visibleRange();
    QVERIFY(range.second - range.first < sampleReply(50).progress.nowMs);
    QVERIFY(std::abs(m_widget->tokenPosition(10).x() - at.x()) <= 1); // what is under the pointer stays there
    wheel(m_widget->canvas(), at, -50);
    settle();
    const double span = m_widget->visibleRange().second - m_widget->visibleRange().first;
    QVERIFY(span <= 4.01 * sampleReply(50).progress.nowMs); // and not out of sight
    wheel(m_widget->canvas(), at, 200);
    settle();
    QVERIFY(m_widget->visibleRange().second > m_widget->visibleRange().first);
}

void TestTimelineWidget::controlWheelZoomsTheGap()
{
    showReply(sampleReply(50));
    const auto range = m_widget->visibleRange();
    const int before = m_widget->tokenPosition(10).y();
    wheel(m_widget->canvas(), m_widget->canvas()->rect().center(), 2, Qt::ControlModifier);
    settle();
    QVERIFY(m_widget->tokenPosition(10).y() < before); // a taller bar
    QCOMPARE(m_widget->visibleRange(), range);
}

void TestTimelineWidget::keysZoom()
{
    showReply(sampleReply(50));
    const double whole = m_widget->visibleRange().second - m_widget->visibleRange().first;
    QTest::keyClick(m_widget->canvas(), Qt::Key_Plus);
    settle();
    const double closer = m_widget->visibleRange().second - m_widget->visibleRange().first;
    QVERIFY(closer < whole);
    QTest::keyClick(m_widget->canvas(), Qt::Key_Minus);
    settle();
    QVERIFY(m_widget->visibleRange().second - m_widget->visibleRange().first > closer);
}

void TestTimelineWidget::zoomedLiveReplyStaysAtTheRightEdge()
{
    ReplySeries live = sampleReply(200, ReplyState::Decoding);
    showReply(live);
    for (int i = 0; i < 5; ++i) {
        m_widget->zoomIn();
    }
    settle();
    QVERIFY(m_widget->isFollowing());
    QCOMPARE(m_widget->visibleRange().second, live.progress.nowMs);
    TokenPoint next;
    next.timeMs = live.progress.nowMs + 500;
    next.gapMs = 500;
    m_widget->appendTokens({next});
    settle();
    QCOMPARE(m_widget->visibleRange().second, next.timeMs);
}

void TestTimelineWidget::prefillShowsItsProgress()
{
    ReplySeries live;
    live.progress.state = ReplyState::Queued;
    live.progress.nowMs = 5;
    showReply(live);
    QVERIFY(m_widget->summary().contains(QLatin1String("queue")));
    ReplyProgress progress = sampleReply(0).progress;
    progress.state = ReplyState::Prefill;
    progress.prefillEndMs.reset();
    progress.ttftMs.reset();
    progress.prefillDone = 12;
    progress.nowMs = 60;
    m_widget->setProgress(progress);
    settle();
    QVERIFY2(m_widget->summary().contains(QLatin1String("12 of 34 new")), qPrintable(m_widget->summary()));
    QCOMPARE(m_widget->barCount(), 0);
}

void TestTimelineWidget::hiddenPanelDrawsNothing()
{
    showReply(sampleReply(10, ReplyState::Decoding));
    m_widget->hide();
    const int before = m_widget->refreshCount();
    for (int i = 0; i < 50; ++i) {
        m_widget->appendTokens(sampleReply(3).tokens);
    }
    QTest::qWait(200);
    QCOMPARE(m_widget->refreshCount(), before);
    QVERIFY(!RefreshClock::instance().isRunning()); // nothing wakes for it either
    m_widget->show();
    QTRY_VERIFY(m_widget->refreshCount() > before); // and what came meanwhile is there
}

void TestTimelineWidget::minimisedWindowDrawsNothing()
{
    showReply(sampleReply(10, ReplyState::Decoding));
    m_widget->showMinimized();
    QTRY_VERIFY(m_widget->isMinimized());
    QTest::qWait(50);
    const int before = m_widget->refreshCount();
    m_widget->appendTokens(sampleReply(3).tokens);
    QTest::qWait(150);
    QCOMPARE(m_widget->refreshCount(), before);
    m_widget->showNormal();
    QTRY_VERIFY(m_widget->refreshCount() > before);
}

void TestTimelineWidget::scrolledOutPanelDrawsNothing()
{
    QWidget window;
    window.resize(300, 200);
    auto* panel = new TimelineWidget(&window);
    panel->setGeometry(0, 500, 300, 200); // below the window's edge, as in a scroll area
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    panel->startReply(sampleReply(10));
    QTest::qWait(100);
    QCOMPARE(panel->refreshCount(), 0);
    panel->move(0, 0);
    QTRY_VERIFY(panel->refreshCount() > 0);
}

void TestTimelineWidget::unchangedPanelDrawsNothing()
{
    showReply(sampleReply(10));
    QTest::qWait(600); // axes have settled
    const int before = m_widget->refreshCount();
    QTest::qWait(300);
    QCOMPARE(m_widget->refreshCount(), before);
    QVERIFY(!RefreshClock::instance().isRunning());
    showReply(sampleReply(200, ReplyState::Decoding)); // one that stalls, and is panned away from
    QTest::keyClick(m_widget->canvas(), Qt::Key_PageUp);
    QTest::qWait(700);
    const int panned = m_widget->refreshCount();
    QTest::qWait(700);
    QCOMPARE(m_widget->refreshCount(), panned);
}

void TestTimelineWidget::refreshesAtMostThirtyTimesASecond()
{
    showReply(sampleReply(2, ReplyState::Decoding));
    const int before = m_widget->refreshCount();
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < 1000) {
        m_widget->appendTokens(sampleReply(1).tokens);
        QTest::qWait(1);
    }
    const double seconds = static_cast<double>(timer.elapsed()) / 1000;
    const int count = m_widget->refreshCount() - before;
    QVERIFY2(count <= 30 * seconds + 1, qPrintable(QString::number(count)));
    QVERIFY2(count >= 3, qPrintable(QString::number(count))); // but it lives
}

void TestTimelineWidget::hoverRedrawsTheCursorAlone()
{
    showReply(sampleReply(50));
    QTest::qWait(600);
    const int bars = m_widget->barCount();
    const int before = m_widget->refreshCount();
    for (int i = 5; i < 40; ++i) {
        QTest::mouseMove(m_widget->canvas(), m_widget->tokenPosition(i));
    }
    settle();
    QVERIFY(m_widget->refreshCount() - before < 35);
    QCOMPARE(m_widget->barCount(), bars);
}

void TestTimelineWidget::axisRescalesAtMostTwiceASecond()
{
    showReply(sampleReply(1, ReplyState::Decoding));
    ReplyProgress progress = sampleReply(1, ReplyState::Decoding).progress;
    QElapsedTimer timer;
    timer.start();
    int changes = 0;
    double end = m_widget->visibleRange().second;
    while (timer.elapsed() < 1600) {
        progress.nowMs = 100 + 20 * static_cast<double>(timer.elapsed()); // a reply 20 times as fast as the clock
        m_widget->setProgress(progress);
        QTest::qWait(10);
        changes += m_widget->visibleRange().second != end ? 1 : 0;
        end = m_widget->visibleRange().second;
    }
    QVERIFY2(changes >= 1 && changes <= 4, qPrintable(QString::number(changes)));
}

void TestTimelineWidget::presentIsNeverOutsideTheView()
{
    ReplyProgress progress = sampleReply(1, ReplyState::Decoding).progress;
    progress.nowMs = 0;
    showReply({progress, {}, {}});
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < 1500) {
        progress.nowMs = static_cast<double>(timer.elapsed());
        m_widget->setProgress(progress);
        QTest::qWait(5);
        QVERIFY(m_widget->visibleRange().second >= progress.nowMs);
    }
}

void TestTimelineWidget::eightThousandTokensStayFast()
{
    m_widget->startReply(sampleReply(8000, ReplyState::Decoding));
    settle();
    QVERIFY2(m_widget->barCount() <= m_widget->canvas()->width(), qPrintable(QString::number(m_widget->barCount())));
    const qint64 before = m_widget->costNanoseconds();
    const int refreshes = m_widget->refreshCount();
    for (int i = 0; i < 20; ++i) {
        m_widget->appendTokens(sampleReply(1).tokens);
        QTest::qWait(40);
    }
    const double each = static_cast<double>(m_widget->costNanoseconds() - before) / 1e6
        / std::max(m_widget->refreshCount() - refreshes, 1);
    QVERIFY2(each < 33, qPrintable(QStringLiteral("%1 ms a refresh").arg(each))); // one frame, sanitizers included
    for (int i = 0; i < 25; ++i) {
        QTest::keyClick(m_widget->canvas(), Qt::Key_Plus);
    }
    settle();
    const int bars = m_widget->barCount();
    const double span = m_widget->visibleRange().second - m_widget->visibleRange().first;
    QVERIFY2(bars <= span / 20 + 2, qPrintable(QString::number(bars))); // true bars again
}

void TestTimelineWidget::earlierRepliesCanBeChosen()
{
    showReply(sampleReply(10, ReplyState::Decoding));
    m_widget->setReplies({QStringLiteral("Rivers of Korea"), QStringLiteral("KV cache")});
    QSignalSpy chosen(m_widget.get(), &TimelineWidget::replySelected);
    QMenu* menu = nullptr;
    for (const QToolButton* button : m_widget->findChildren<QToolButton*>()) {
        menu = button->menu() ? button->menu() : menu;
    }
    QVERIFY(menu);
    QCOMPARE(menu->actions().size(), 3);
    menu->actions().at(2)->trigger();
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(chosen.first().first().toInt(), 1);
    m_widget->setReply(sampleReply(77));
    settle();
    QVERIFY(!m_widget->isShowingLive());
    QVERIFY(m_widget->summary().contains(QLatin1String("77 token")));
    m_widget->appendTokens(sampleReply(5).tokens); // the live one goes on behind
    QVERIFY(m_widget->summary().contains(QLatin1String("77 token")));
    m_widget->showLive();
    settle();
    QVERIFY(m_widget->isShowingLive());
    QVERIFY(m_widget->summary().contains(QLatin1String("15 token")));
    menu->actions().at(0)->trigger();
    QCOMPARE(chosen.last().first().toInt(), -1);
}

void TestTimelineWidget::csvHoldsEverything()
{
    ReplySeries reply = sampleReply(3);
    reply.tokens[1].text = QStringLiteral("say \"a,b\"\n");
    reply.events.append({130, QStringLiteral("another chat joined")});
    showReply(reply);
    const QStringList lines = m_widget->csv().split(QLatin1Char('\n'));
    QCOMPARE(lines[0], QStringLiteral("kind,index,begin_ms,end_ms,gap_ms,text,probability,entropy_bits"));
    QCOMPARE(lines[1], QStringLiteral("queue,,0,10,,,,"));
    QCOMPARE(lines[2], QStringLiteral("prefill,,10,100,,,,"));
    QCOMPARE(lines[3], QStringLiteral("token,0,100,100,, tok0,0.5,1.5"));
    QCOMPARE(lines[4], QStringLiteral("token,1,100,120,20,\"say \"\"a,b\"\""));
    QCOMPARE(lines[5], QStringLiteral("\",0.5,1.5"));
    QCOMPARE(lines[6], QStringLiteral("token,2,120,140,20, tok2,0.5,1.5"));
    QCOMPARE(lines[7], QStringLiteral("event,,130,130,,another chat joined,,"));
    m_widget->copyCsv();
    QCOMPARE(QApplication::clipboard()->text(), m_widget->csv());
}

void TestTimelineWidget::summaryTellsTheStory()
{
    ReplySeries reply = sampleReply(101);
    reply.events.append({130, QStringLiteral("another chat joined")});
    showReply(reply);
    const QString text = m_widget->summary().replace(QChar(0xa0), QLatin1Char(' '));
    for (const char* part : {"finished", "First token after 100 ms", "queue 10.0 ms", "prefill 90.0 ms", "180 cached",
             "101 token", "p50 20.0 ms", "longest 60.0 ms", "another chat joined"}) {
        QVERIFY2(text.contains(QLatin1String(part)), qPrintable(text));
    }
    QCOMPARE(m_widget->accessibleName(), m_widget->question());
    QTRY_COMPARE_WITH_TIMEOUT(m_widget->accessibleDescription(), m_widget->summary(), 3000);
    reply.progress.state = ReplyState::Failed;
    reply.progress.failure = QStringLiteral("out of memory");
    m_widget->startReply(reply);
    QVERIFY(m_widget->summary().contains(QLatin1String("out of memory")));
}

void TestTimelineWidget::earlyEndsAreMarked()
{
    showReply(sampleReply(20));
    const QImage finished = imageOf(*m_widget);
    showReply(sampleReply(20, ReplyState::Stopped));
    QVERIFY(imageOf(*m_widget) != finished);
    QVERIFY(m_widget->summary().contains(QLatin1String("stopped")));
    ReplySeries failed;
    failed.progress.state = ReplyState::Failed;
    failed.progress.failure = QStringLiteral("the context is full");
    showReply(failed);
    QTemporaryDir folder;
    const QString svg = folder.filePath(QStringLiteral("failed.svg"));
    QVERIFY(m_widget->save(svg));
    QFile file(svg);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains("the context is full"));
}

void TestTimelineWidget::clearingKeepsTheSelector()
{
    m_widget->setReplies({QStringLiteral("Rivers of Korea")});
    showReply(sampleReply(20));
    m_widget->clear();
    settle();
    QVERIFY(m_widget->summary().contains(QLatin1String("No reply yet")));
    QMenu* menu = nullptr;
    for (const QToolButton* button : m_widget->findChildren<QToolButton*>()) {
        menu = button->menu() ? button->menu() : menu;
    }
    QCOMPARE(menu->actions().size(), 2);
}

void TestTimelineWidget::strangeValuesAreDrawnHarmlessly()
{
    constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    for (const double bad : {kNaN, kInfinity, -kInfinity, -1.0, 0.0, 1e300}) {
        ReplySeries reply = sampleReply(20, ReplyState::Decoding);
        for (int i = 3; i < 9; ++i) {
            reply.tokens[i].gapMs = bad;
            reply.tokens[i].timeMs = bad;
            reply.tokens[i].probability = bad;
            reply.tokens[i].entropyBits = bad;
            reply.tokens[i].alternatives[0].probability = bad;
        }
        reply.events.append({bad, QStringLiteral("strange")});
        showReply(reply);
        QVERIFY(!imageOf(*m_widget).isNull());
        reply.progress.queueMs = bad;
        reply.progress.prefillBeginMs = bad;
        reply.progress.prefillEndMs = bad;
        reply.progress.ttftMs = bad;
        reply.progress.nowMs = bad;
        reply.progress.cachedTokens = 1000; // more than the prompt
        showReply(reply);
        QVERIFY(!imageOf(*m_widget).isNull());
        QTest::mouseMove(m_widget->canvas(), m_widget->canvas()->rect().center());
        QTest::keyClick(m_widget->canvas(), Qt::Key_Right);
        QTest::keyClick(m_widget->canvas(), Qt::Key_Plus);
        wheel(m_widget->canvas(), {50, 50}, -4);
        settle();
        QVERIFY(!m_widget->csv().contains(QLatin1String("nan")));
        QVERIFY(m_widget->visibleRange().second > m_widget->visibleRange().first);
    }
}

void TestTimelineWidget::languageChangesWhileRunning()
{
    showReply(sampleReply(20));
    const QString before = m_widget->question();
    LongTranslator translator;
    QApplication::installTranslator(&translator);
    QCoreApplication::processEvents();
    settle();
    QVERIFY(m_widget->question() != before);
    QCOMPARE(m_widget->accessibleName(), m_widget->question());
    QVERIFY(m_widget->answerText().contains(QString::fromUtf8("한국어")));
    QApplication::removeTranslator(&translator);
    QCoreApplication::processEvents();
    QCOMPARE(m_widget->question(), before);
}

void TestTimelineWidget::themeChangesWhileRunning()
{
    showReply(sampleReply(20));
    const QImage light = imageOf(*m_widget);
    QCOMPARE(light.pixelColor(0, 0), Theme::light().panel);
    Theme::setMode(Theme::Mode::Dark);
    settle();
    const QImage dark = imageOf(*m_widget);
    QCOMPARE(dark.pixelColor(0, 0), Theme::dark().panel);
    QCOMPARE(dark.pixelColor(m_widget->canvas()->geometry().topLeft() + QPoint(2, 2)), Theme::dark().panel);
    QVERIFY(m_widget->grab().toImage().pixelColor(0, 0) == Theme::dark().panel);
}

void TestTimelineWidget::picturesAreWritten()
{
    showReply(sampleReply(20));
    QTemporaryDir folder;
    const QString png = folder.filePath(QStringLiteral("plot.png"));
    const QString svg = folder.filePath(QStringLiteral("plot.svg"));
    const QString csv = folder.filePath(QStringLiteral("plot.csv"));
    QVERIFY(m_widget->save(png));
    QVERIFY(m_widget->save(svg));
    QVERIFY(m_widget->save(csv));
    const QImage image(png);
    QCOMPARE(image.size(), m_widget->size() * 2);
    QFile file(svg);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(file.readAll());
    QVERIFY(text.contains(QLatin1String("<svg")));
    QVERIFY(text.contains(QLatin1String("first token"))); // text stays text
    QVERIFY(text.contains(m_widget->question()));
    QVERIFY(!text.contains(QLatin1String("<image"))); // and vectors vectors
    QFile table(csv);
    QVERIFY(table.open(QIODevice::ReadOnly));
    QCOMPARE(QString::fromUtf8(table.readAll()), m_widget->csv());
    m_widget->copyPicture();
    QCOMPARE(QApplication::clipboard()->image().size(), m_widget->size() * 2);
}

void TestTimelineWidget::unwritablePictureSaysWhy()
{
    QString reason;
    QVERIFY(!m_widget->save(QStringLiteral("/nowhere/at/all/plot.png"), &reason));
    QVERIFY(!reason.isEmpty());
    QVERIFY(!m_widget->save(QStringLiteral("/nowhere/at/all/plot.svg"), &reason));
}

void TestTimelineWidget::menuOffersPicturesAndData()
{
    showReply(sampleReply(20));
    std::unique_ptr<QMenu> menu(m_widget->createMenu());
    QStringList texts;
    for (const QAction* action : menu->actions()) {
        texts.append(action->text());
    }
    for (const char* text : {"Follow", "Copy picture", "Save as PNG…", "Save as SVG…", "Copy data as CSV"}) {
        QVERIFY2(texts.contains(QString::fromUtf8(text)), text);
    }
    for (QAction* action : menu->actions()) {
        if (action->text() == QLatin1String("Copy data as CSV")) {
            action->trigger();
        }
    }
    QVERIFY(QApplication::clipboard()->mimeData()->hasFormat(QStringLiteral("text/csv")));
}

void TestTimelineWidget::headerExplainsItsTerms()
{
    showReply(sampleReply(20));
    QStringList found;
    for (int x = 0; x < m_widget->width(); ++x) {
        const QString text = m_widget->explanationAt({x, 18});
        if (!text.isEmpty() && !found.contains(text)) {
            found.append(text);
        }
    }
    QCOMPARE(found.size(), 2);
    QVERIFY(found[0].startsWith(QLatin1String("TTFT")));
    QVERIFY(found[1].startsWith(QLatin1String("ITL")));
}

void TestTimelineWidget::tooLittleSpaceIsSaid()
{
    showReply(sampleReply(20));
    m_widget->resize(460, 90);
    settle();
    QVERIFY(!m_widget->canvas()->isVisible());
    m_widget->resize(460, 300);
    settle();
    QVERIFY(m_widget->canvas()->isVisible());
    for (const QSize& size : {QSize(1, 1), QSize(40, 400), QSize(3000, 1200), QSize(300, 160)}) {
        m_widget->resize(size);
        settle();
        QVERIFY(!imageOf(*m_widget).isNull());
    }
}

void TestTimelineWidget::costIsCounted()
{
    const qint64 own = m_widget->costNanoseconds();
    const qint64 all = PlotCost::nanoseconds();
    showReply(sampleReply(500));
    m_widget->repaint();
    QVERIFY(m_widget->costNanoseconds() > own);
    QVERIFY(PlotCost::nanoseconds() - all >= m_widget->costNanoseconds() - own);
}

QTEST_MAIN(TestTimelineWidget)
#include "tst_timelinewidget.moc"
