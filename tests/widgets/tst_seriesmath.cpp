#include "plots/memorymath.h"
#include "plots/memoryscale.h"
#include "plots/phasemath.h"
#include "plots/plotcanvas.h"
#include "plots/plotlabels.h"
#include "plots/seriesmath.h"
#include "plotscenes.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace kvasir;
using namespace kvasir::testing;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

} // namespace

class TestSeriesMath : public QObject {
    Q_OBJECT

private slots:
    void quantilesMatchHandValues_data();
    void quantilesMatchHandValues();
    void sortedValuesTakeOnlyFiniteOnes();
    void tokensThatCannotBeDrawnAreMadeHarmless();
    void eachVisibleTokenHasItsBar();
    void tokensOfOneColumnShareABarWithTheLargestGap();
    void barsDoNotChangeWhileTheViewScrolls();
    void mergingHandlesEmptyAndDegenerateInput();
    void tokenAtFindsTheBarThatHoldsATime();
    void stepsAreTheNextPreferredNumber_data();
    void stepsAreTheNextPreferredNumber();
    void outliersDoNotFlattenTheOthers();
    void axisMovesAtMostTwiceASecond();
    void axisShrinksOnlyWhenLittleIsUsed();
    void ticksAreRoundAndFew();
    void csvFieldsAreQuotedWhereNeeded();
    void labelsNeverOverlap();
    void othersAreWhatTheLedgerDoesNotExplain();
    void stacksForgetWhatAnEditedMessageOvertakes();
    void slopeOfTheKvCacheIsFitted();
    void outlookCountsWholeBlocks();
    void outlookKnowsWhichEndComesFirst_data();
    void outlookKnowsWhichEndComesFirst();
    void projectionMeetsTheLimitWhereTheOutlookSays();
    void wobblingMemoryDoesNotMoveTheKvCache();
    void promptReadAtOnceGrowsTokenByToken();
    void thinningKeepsTheEnds();
    void baseIsCutOnlyWhereItPressesTheKvCacheFlat();
    void scaleIsMonotoneAndKeepsZero();
    void sharesAreUnknownWithoutLimits();
    void boundIsTheLargerShare();
    void ceilingIsWhereTheFirstLimitIsReached();
    void prefillShareOfAReply();
};

void TestSeriesMath::quantilesMatchHandValues_data()
{
    QTest::addColumn<QVector<double>>("values");
    QTest::addColumn<double>("fraction");
    QTest::addColumn<double>("expected");
    QTest::newRow("one value") << QVector<double>{7} << 0.99 << 7.0;
    QTest::newRow("median of two") << QVector<double>{1, 2} << 0.5 << 1.5;
    QTest::newRow("median of five") << QVector<double>{1, 2, 3, 4, 100} << 0.5 << 3.0;
    QTest::newRow("p90 of 1..11") << QVector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11} << 0.9 << 10.0;
    QTest::newRow("p25 of four") << QVector<double>{10, 20, 30, 40} << 0.25 << 17.5;
    QTest::newRow("below 0") << QVector<double>{10, 20} << -1.0 << 10.0;
    QTest::newRow("above 1") << QVector<double>{10, 20} << 2.0 << 20.0;
}

void TestSeriesMath::quantilesMatchHandValues()
{
    QFETCH(QVector<double>, values);
    QFETCH(double, fraction);
    QFETCH(double, expected);
    QCOMPARE(quantileOf(values, fraction).value(), expected);
    QVERIFY(!quantileOf({}, fraction));
}

void TestSeriesMath::sortedValuesTakeOnlyFiniteOnes()
{
    SortedValues values;
    for (const double value : {5.0, 1.0, 3.0, 1.0}) {
        QVERIFY(values.insert(value));
    }
    for (const double value : {kNaN, kInfinity, -kInfinity, -1.0}) {
        QVERIFY(!values.insert(value));
    }
    QCOMPARE(values.size(), 4);
    QCOMPARE(values.quantile(0).value(), 1.0);
    QCOMPARE(values.quantile(0.5).value(), 2.0);
    QCOMPARE(values.quantile(1).value(), 5.0);
}

void TestSeriesMath::tokensThatCannotBeDrawnAreMadeHarmless()
{
    TokenPoint token;
    token.timeMs = kNaN;
    token.gapMs = -3;
    QCOMPARE(sanitised(token, 40).timeMs, 40.0);
    QCOMPARE(sanitised(token, 40).gapMs, 0.0);
    token.timeMs = 30; // back in time
    token.gapMs = kNaN;
    QCOMPARE(sanitised(token, 40).timeMs, 40.0);
    QCOMPARE(sanitised(token, 40).gapMs, 0.0);
    token.timeMs = kInfinity;
    token.gapMs = kInfinity;
    QCOMPARE(sanitised(token, 40).timeMs, 1e12);
    QCOMPARE(sanitised(token, 40).gapMs, 1e12);
}

void TestSeriesMath::eachVisibleTokenHasItsBar()
{
    const QVector<TokenPoint> tokens = sampleReply(10).tokens;
    const QVector<TokenBar> bars = mergeBars(tokens, 0, 400, 400);
    QCOMPARE(bars.size(), 9); // the first token has no gap
    QCOMPARE(bars[0].first, 1);
    QCOMPARE(bars[0].leftMs, 100.0);
    QCOMPARE(bars[0].rightMs, 120.0);
    QCOMPARE(bars[3].gapMs, 60.0);
    QCOMPARE(bars[3].rightMs - bars[3].leftMs, 60.0);
    QCOMPARE(mergeBars(tokens, 150, 170, 400).size(), 2); // one that reaches in from the left, one from the right
}

void TestSeriesMath::tokensOfOneColumnShareABarWithTheLargestGap()
{
    const QVector<TokenPoint> tokens = sampleReply(2000).tokens;
    const double end = tokens.last().timeMs;
    const QVector<TokenBar> bars = mergeBars(tokens, 0, end, 200);
    QVERIFY(bars.size() <= 201);
    int covered = 0;
    double largest = 0;
    for (const TokenBar& bar : bars) {
        covered += bar.last - bar.first + 1;
        double most = 0;
        for (int i = bar.first; i <= bar.last; ++i) {
            most = std::max(most, tokens[i].gapMs);
        }
        QCOMPARE(bar.gapMs, most);
        largest = std::max(largest, bar.gapMs);
    }
    QCOMPARE(covered, 1999);                              // none is lost
    QCOMPARE(largest, 60.0);                              // the spike survives
    QCOMPARE(mergeBars(tokens, 100, 300, 200).size(), 9); // and zooming in gives true bars back
}

void TestSeriesMath::barsDoNotChangeWhileTheViewScrolls()
{
    const QVector<TokenPoint> tokens = sampleReply(3000).tokens;
    const QVector<TokenBar> before = mergeBars(tokens, 10000, 30000, 100);
    const QVector<TokenBar> after = mergeBars(tokens, 10137, 30137, 100);
    int same = 0;
    for (const TokenBar& bar : before) {
        for (const TokenBar& other : after) {
            same += bar.first == other.first && bar.last == other.last ? 1 : 0;
        }
    }
    QVERIFY(same >= before.size() - 3); // but for the edges
}

void TestSeriesMath::mergingHandlesEmptyAndDegenerateInput()
{
    const QVector<TokenPoint> tokens = sampleReply(5).tokens;
    QVERIFY(mergeBars({}, 0, 100, 100).isEmpty());
    QVERIFY(mergeBars(sampleReply(1).tokens, 0, 1000, 100).isEmpty());
    QVERIFY(mergeBars(tokens, 0, 100, 0).isEmpty());
    QVERIFY(mergeBars(tokens, 100, 100, 100).isEmpty());
    QVERIFY(mergeBars(tokens, kNaN, 100, 100).isEmpty());
    QVERIFY(mergeBars(tokens, 1e6, 2e6, 100).isEmpty());
}

void TestSeriesMath::tokenAtFindsTheBarThatHoldsATime()
{
    const QVector<TokenPoint> tokens = sampleReply(10).tokens; // 100, 120, 140, 160, 220, 240 ...
    QCOMPARE(tokenAt(tokens, 0), 0);
    QCOMPARE(tokenAt(tokens, 100), 0);
    QCOMPARE(tokenAt(tokens, 101), 1);
    QCOMPARE(tokenAt(tokens, 190), 4);
    QCOMPARE(tokenAt(tokens, 220), 4);
    QCOMPARE(tokenAt(tokens, 1e9), 9);
    QCOMPARE(tokenAt({}, 5), -1);
}

void TestSeriesMath::stepsAreTheNextPreferredNumber_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<double>("expected");
    QTest::newRow("exact") << 2.0 << 2.0;
    QTest::newRow("between") << 2.1 << 2.5;
    QTest::newRow("across a decade") << 8.1 << 10.0;
    QTest::newRow("hundreds") << 321.0 << 400.0;
    QTest::newRow("small") << 0.0011 << 0.00125;
    QTest::newRow("zero") << 0.0 << 1.0;
    QTest::newRow("negative") << -5.0 << 1.0;
    QTest::newRow("not a number") << kNaN << 1.0;
    QTest::newRow("infinite") << kInfinity << 1.0;
}

void TestSeriesMath::stepsAreTheNextPreferredNumber()
{
    QFETCH(double, value);
    QFETCH(double, expected);
    QVERIFY(std::abs(stepCeil(value) - expected) < 1e-9 * expected);
}

void TestSeriesMath::outliersDoNotFlattenTheOthers()
{
    QCOMPARE(gapAxisEnd(40, 20, 25), 1.15 * 40); // all fit
    const double end = gapAxisEnd(2000, 20, 25);
    QCOMPARE(end, 60.0);                       // the median keeps a third
    QVERIFY(gapAxisEnd(2000, 20, 100) >= 100); // and p90 fits
}

void TestSeriesMath::axisMovesAtMostTwiceASecond()
{
    AxisStepper axis;
    int moves = 0;
    double last = 0;
    for (qint64 now = 0; now < 10000; now += 33) {
        const double end = axis.update(1 + static_cast<double>(now), now);
        moves += end != last ? 1 : 0;
        last = end;
    }
    QVERIFY2(moves <= 20, qPrintable(QString::number(moves)));
    QVERIFY(last >= 9000);
    QVERIFY(axis.isBehind(1e6));
    axis.reset();
    QCOMPARE(axis.update(3, 10001), 3.15); // after a reset at once
}

void TestSeriesMath::axisShrinksOnlyWhenLittleIsUsed()
{
    AxisStepper axis;
    QCOMPARE(axis.update(90, 0), 100.0);
    QCOMPARE(axis.update(40, 1000), 100.0);
    QCOMPARE(axis.update(20, 1100), 20.0);
    QCOMPARE(axis.update(30, 1200), 20.0); // too early
    QCOMPARE(axis.update(30, 1700), 31.5);
}

void TestSeriesMath::ticksAreRoundAndFew()
{
    QCOMPARE(niceTicks(0, 60, 4), (QVector<double>{0, 20, 40, 60}));
    QCOMPARE(niceTicks(0, 1, 6), (QVector<double>{0, 0.2, 0.2 * 2, 0.2 * 3, 0.2 * 4, 1}));
    QCOMPARE(tickDecimals(niceTicks(0, 1, 6)), 1);
    QCOMPARE(tickDecimals(niceTicks(0, 60, 4)), 0);
    for (const double end : {0.003, 7.0, 123.0, 99999.0}) {
        const qsizetype count = niceTicks(0, end, 5).size();
        QVERIFY2(count >= 2 && count <= 5, qPrintable(QString::number(end)));
    }
    QVERIFY(niceTicks(0, kNaN, 5).isEmpty());
    QVERIFY(niceTicks(5, 5, 5).isEmpty());
}

void TestSeriesMath::csvFieldsAreQuotedWhereNeeded()
{
    QCOMPARE(csvField(QStringLiteral("plain")), QStringLiteral("plain"));
    QCOMPARE(csvField(QStringLiteral("a,b")), QStringLiteral("\"a,b\""));
    QCOMPARE(csvField(QStringLiteral("say \"hi\"\n")), QStringLiteral("\"say \"\"hi\"\"\n\""));
    QCOMPARE(csvNumber(0.1), QStringLiteral("0.1"));
    QCOMPARE(csvNumber(1234567.0), QStringLiteral("1234567"));
    QVERIFY(csvNumber(kNaN).isEmpty());
    QVERIFY(csvNumber(std::nullopt).isEmpty());
}

void TestSeriesMath::labelsNeverOverlap()
{
    LabelPlacer placer(QRectF(0, 0, 100, 30));
    QVector<QRectF> placed;
    for (int i = 0; i < 12; ++i) {
        QRectF label(i * 7 - 20, 0, 30, 10);
        if (placer.place(label, 3)) {
            for (const QRectF& other : placed) {
                QVERIFY(!other.intersects(label));
            }
            QVERIFY(QRectF(0, 0, 100, 30).contains(label));
            placed.append(label);
        }
    }
    QVERIFY(placed.size() >= 6);
    QRectF tooWide(0, 0, 200, 10);
    QVERIFY(!placer.place(tooWide, 3));

    const QVector<double> centres = spreadLabels({50, 51, 52}, 12, 0, 100);
    QVERIFY(centres[1] - centres[0] >= 12 && centres[2] - centres[1] >= 12);
    const QVector<double> low = spreadLabels({97, 98, 99}, 12, 0, 100);
    QVERIFY(low[2] <= 94 && low[0] <= low[1] - 12);
}

void TestSeriesMath::othersAreWhatTheLedgerDoesNotExplain()
{
    MemorySample sample;
    sample.weights = 100;
    sample.activations = 20;
    sample.kvReserved = 30;
    sample.kvUsed = 10;
    QCOMPARE(othersOf(sample), 0);
    sample.process = 200;
    QCOMPARE(othersOf(sample), 50);
    sample.process = 90; // pages that nothing has touched
    QCOMPARE(othersOf(sample), 0);
    const MemoryStack stack = stackOf(sample);
    QCOMPARE(stack.weights, 100.0);
    QCOMPARE(stack.activations, 120.0);
    QCOMPARE(stack.others, 120.0);
    QCOMPARE(stack.kvUsed, 130.0);
    QCOMPARE(stack.kvReserved, 150.0);
    sample.weights = -5;
    sample.kvUsed = 1000; // more than reserved cannot be
    QCOMPARE(stackOf(sample).weights, 0.0);
    QCOMPARE(stackOf(sample).kvUsed, stackOf(sample).kvReserved);
}

void TestSeriesMath::stacksForgetWhatAnEditedMessageOvertakes()
{
    QVector<MemorySample> samples;
    for (const qint64 tokens : {0, 10, 20, 30, 20, 25}) {
        MemorySample sample;
        sample.tokens = tokens;
        samples.append(sample);
    }
    const QVector<MemoryStack> stacks = stacksOf(samples);
    QCOMPARE(stacks.size(), 4);
    QCOMPARE(stacks[2].tokens, 20);
    QCOMPARE(stacks[3].tokens, 25);
    QCOMPARE(stackAt(stacks, 24)->tokens, 20);
    QCOMPARE(stackAt(stacks, 1000)->tokens, 25);
    QVERIFY(!stackAt(stacks, -1));
}

void TestSeriesMath::slopeOfTheKvCacheIsFitted()
{
    QCOMPARE(fittedKvBytesPerToken(sampleMemory(100, kMib).samples).value(), 65536.0);
    QVERIFY(!fittedKvBytesPerToken({}));
    QVERIFY(!fittedKvBytesPerToken(sampleMemory(0, kMib).samples));
}

void TestSeriesMath::outlookCountsWholeBlocks()
{
    // 160 MiB of base and 30 MiB of others; each block of 16 tokens takes 1 MiB.
    MemorySeries series = sampleMemory(32, 200 * kMib);
    QCOMPARE(outlookOf(series).kind, OutlookKind::FullAt);
    QCOMPARE(outlookOf(series).tokens, 160); // 10 MiB are left for the cache
    series.limitBytes = 200 * kMib + kMib - 1;
    QCOMPARE(outlookOf(series).tokens, 160); // a part of a block does not help
    series.limitBytes = 201 * kMib;
    QCOMPARE(outlookOf(series).tokens, 176);
    series.kvBytesPerToken.reset();
    QCOMPARE(outlookOf(series).tokens, 176);
    QVERIFY(outlookOf(series).isFitted);
}

void TestSeriesMath::outlookKnowsWhichEndComesFirst_data()
{
    QTest::addColumn<qint64>("limit");
    QTest::addColumn<qint64>("context");
    QTest::addColumn<int>("kind");
    QTest::newRow("memory") << 400 * kMib << qint64{8192} << static_cast<int>(OutlookKind::FullAt);
    QTest::newRow("context") << 4000 * kMib << qint64{8192} << static_cast<int>(OutlookKind::ContextFirst);
    QTest::newRow("no limit known") << qint64{-1} << qint64{8192} << static_cast<int>(OutlookKind::ContextFirst);
    QTest::newRow("nothing known") << qint64{-1} << qint64{-1} << static_cast<int>(OutlookKind::NoLimitKnown);
    QTest::newRow("over") << 100 * kMib << qint64{8192} << static_cast<int>(OutlookKind::AlreadyFull);
    QTest::newRow("limit of nothing") << qint64{0} << qint64{8192} << static_cast<int>(OutlookKind::AlreadyFull);
}

void TestSeriesMath::outlookKnowsWhichEndComesFirst()
{
    QFETCH(qint64, limit);
    QFETCH(qint64, context);
    QFETCH(int, kind);
    MemorySeries series = sampleMemory(32, limit);
    if (limit < 0) {
        series.limitBytes.reset();
    }
    if (context < 0) {
        series.contextLimit.reset();
    }
    QCOMPARE(static_cast<int>(outlookOf(series).kind), kind);
    QCOMPARE(outlookOf({}).kind, OutlookKind::Unknown);
}

void TestSeriesMath::projectionMeetsTheLimitWhereTheOutlookSays()
{
    const MemorySeries series = sampleMemory(40, 300 * kMib);
    const MemoryOutlook outlook = outlookOf(series);
    const MemoryStack now = stackOf(series.samples.last());
    const auto limit = static_cast<double>(*series.limitBytes);
    QVERIFY(projectedBytes(now, outlook.tokens, 65536, 16) <= limit);
    QVERIFY(projectedBytes(now, outlook.tokens + 1, 65536, 16) > limit);
    QCOMPARE(projectedBytes(now, 40, 65536, 16), now.kvReserved);
    QCOMPARE(projectedBytes(now, 3, 65536, 16), now.kvReserved); // never below what is taken
}

void TestSeriesMath::wobblingMemoryDoesNotMoveTheKvCache()
{
    MemorySeries series = sampleMemory(40, kMib);
    for (int i = 0; i < series.samples.size(); ++i) {
        series.samples[i].process = *series.samples[i].process + i % 3 * 5 * kMib;
    }
    const QVector<MemoryStack> stacks = onSteadyBase(stacksOf(series.samples));
    const MemoryStack last = stacksOf(series.samples).last();
    for (const MemoryStack& stack : stacks) {
        QCOMPARE(stack.others, stacks.last().others);
        QCOMPARE(stack.kvUsed - stack.others, 65536.0 * static_cast<double>(stack.tokens));
    }
    QVERIFY(std::abs(stacks.last().others - last.others) <= 0.5 * kMib);
    QVERIFY(onSteadyBase({}).isEmpty());
}

void TestSeriesMath::promptReadAtOnceGrowsTokenByToken()
{
    const MemorySeries all = sampleMemory(64, kMib);
    const QVector<MemoryStack> ends{stackOf(all.samples.first()), stackOf(all.samples.last())};
    const QVector<MemoryStack> filled = withoutGaps(ends, 4);
    QCOMPARE(filled.size(), 17);
    for (const MemoryStack& stack : filled) {
        QCOMPARE(stack.kvUsed - stack.others, 65536.0 * static_cast<double>(stack.tokens));
    }
    QCOMPARE(filled[1].kvReserved, ends[1].kvReserved);
    QCOMPARE(withoutGaps(ends, 0).size(), 2);
    QCOMPARE(withoutGaps(filled, 4).size(), 17);
    QVERIFY(withoutGaps({}, 4).isEmpty());
}

void TestSeriesMath::thinningKeepsTheEnds()
{
    const QVector<MemoryStack> stacks = stacksOf(sampleMemory(5000, kMib).samples);
    const QVector<MemoryStack> kept = thinned(stacks, 100);
    QCOMPARE(kept.size(), 100);
    QCOMPARE(kept.first().tokens, 0);
    QCOMPARE(kept.last().tokens, 5000);
    QCOMPARE(thinned(stacks, 1).size(), stacks.size());
}

void TestSeriesMath::baseIsCutOnlyWhereItPressesTheKvCacheFlat()
{
    const auto mib = [](double value) { return value * static_cast<double>(kMib); };
    QVERIFY(!needsCut({mib(160), mib(200)}, mib(250), 0.7, false)); // grows well visibly
    QVERIFY(!needsCut({mib(160), mib(160)}, mib(250), 0.7, false)); // nothing grows
    QVERIFY(needsCut({mib(900), mib(960)}, mib(1000), 0.7, false));
    QVERIFY(!needsCut({mib(20), mib(30)}, mib(50), 0.7, false)); // a cut would not help
    const MemoryExtent large{mib(16050), mib(16100)};
    QVERIFY(needsCut(large, mib(20000), 0.7, false));
    QVERIFY(needsCut({mib(1050), mib(1100)}, mib(1500), 0.7, false));
    QVERIFY(!needsCut({mib(1050), mib(1100)}, mib(1500), 0.7, true)); // the limit is worth seeing
    const double length = cutAxisNeeded(large, 0.7);
    const MemoryScale scale = cutScale(large, length, 0.7);
    QVERIFY(scale.isCut());
    QVERIFY(scale.cutFrom > 0 && scale.cutTo < mib(16050)); // only the base is cut
    QVERIFY(std::abs(scale.endPosition() - length) < 1);
    QVERIFY(scale.position(mib(16100)) <= 0.7 * length + 1);                         // the labels keep their strip
    QVERIFY(scale.position(mib(16100)) - scale.position(mib(16050)) > 0.2 * length); // growth is seen
    const MemoryScale small = cutScale({mib(2), mib(3)}, mib(1000), 0.7);
    QVERIFY(!small.isCut());
}

void TestSeriesMath::scaleIsMonotoneAndKeepsZero()
{
    const auto mib = [](double value) { return value * static_cast<double>(kMib); };
    const MemoryScale scale = cutScale({mib(16050), mib(16100)}, mib(300), 0.7);
    double last = -1;
    for (double value = 0; value <= 20000; value += 50) {
        QVERIFY(scale.position(mib(value)) >= last);
        last = scale.position(mib(value));
    }
    const QVector<PlotTick> ticks = scale.ticks(5);
    QCOMPARE(ticks.first().value, 0.0);
    QCOMPARE(ticks.first().label, QStringLiteral("0"));
    for (int i = 1; i < ticks.size(); ++i) {
        QVERIFY(ticks[i].value > ticks[i - 1].value);
    }
    QVERIFY(ticks.size() >= 3 && ticks.size() <= 7);
}

void TestSeriesMath::sharesAreUnknownWithoutLimits()
{
    PhaseValues values = samplePhases();
    QVERIFY(std::abs(mfuOf(values.prefill, values).value() - 0.31) < 1e-9);
    QVERIFY(std::abs(mbuOf(values.decode, values).value() - 0.84) < 1e-9);
    values.operationsPerSecond.reset();
    values.readBytesPerSecond = 0;
    QVERIFY(!mfuOf(values.prefill, values));
    QVERIFY(!mbuOf(values.decode, values));
    QCOMPARE(boundOf(values.decode, values), PhaseBound::Unknown);
    for (const double bad : {kNaN, kInfinity, -1.0}) {
        QVERIFY(!shareOf(bad, 10));
        QVERIFY(!shareOf(10, bad));
    }
}

void TestSeriesMath::boundIsTheLargerShare()
{
    PhaseValues values = samplePhases();
    QCOMPARE(boundOf(values.prefill, values), PhaseBound::Arithmetic);
    QCOMPARE(boundOf(values.decode, values), PhaseBound::Memory);
    values.decode.bytesPerSecond = 1e9;
    values.decode.operationsPerSecond = 1e9;
    QCOMPARE(boundOf(values.decode, values), PhaseBound::Neither);
}

void TestSeriesMath::ceilingIsWhereTheFirstLimitIsReached()
{
    const PhaseValues values = samplePhases();
    QVERIFY(std::abs(ceilingTokensPerSecond(values.decode, values).value() - 41 / 0.84) < 1e-6);
    QVERIFY(!ceilingTokensPerSecond({}, values));
}

void TestSeriesMath::prefillShareOfAReply()
{
    PhaseValues values = samplePhases();
    QCOMPARE(prefillShare(values).value(), 0.74);
    values.decode.milliseconds.reset();
    QVERIFY(!prefillShare(values));
    values.prefill.milliseconds = 0;
    values.decode.milliseconds = 0;
    QVERIFY(!prefillShare(values));
}

QTEST_GUILESS_MAIN(TestSeriesMath)
#include "tst_seriesmath.moc"
