#include "base/fonts.h"
#include "base/theme.h"
#include "plots/phasepainter.h"
#include "plots/phasewidget.h"
#include "plotscenes.h"

#include <QApplication>
#include <QClipboard>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTranslator>

#include <limits>
#include <memory>

using namespace kvasir;
using namespace kvasir::testing;

namespace {

class LongTranslator : public QTranslator {
public:
    bool isEmpty() const override { return false; }
    QString translate(const char*, const char* text, const char*, int) const override
    {
        return QStringLiteral("[%1 한국어로 더 긴 문장]").arg(QString::fromUtf8(text));
    }
};

QString plain(QString text)
{
    return text.replace(QChar(0xa0), QLatin1Char(' '));
}

} // namespace

class TestPhaseWidget : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_widget.reset(); }
    void answersWithTheMachinesLimits();
    void namesTheSlowerHalf();
    void saysWhatBindsEachHalf();
    void unknownIsADashAndWhy();
    void limitsCanBeMeasuredByButtonAndKey();
    void buttonIsThereOnlyWhileItHelps();
    void keyboardReachesItAndCopies();
    void dashboardCostIsShown();
    void gaugeIsFilledByTheShare();
    void moreThanTheLimitStaysInPlace();
    void numbersOfAnyLengthMoveNothing();
    void csvHoldsRatesAndLimits();
    void summaryTellsTheStory();
    void clearingKeepsTheMachine();
    void hiddenPanelDrawsNothing();
    void strangeValuesAreDrawnHarmlessly();
    void partsNeverOverlap_data();
    void partsNeverOverlap();
    void detailsGiveWayBeforeTheMessage();
    void languageAndThemeChangeWhileRunning();

private:
    void settle() { QTRY_VERIFY(!m_widget->isDirty()); }
    void showValues(const PhaseValues& values)
    {
        m_widget->setValues(values);
        settle();
    }
    QPushButton* button() const { return m_widget->findChild<QPushButton*>(); }

    std::unique_ptr<PhaseWidget> m_widget;
};

void TestPhaseWidget::init()
{
    QLocale::setDefault(QLocale(QLocale::English));
    Fonts::setScale(1);
    Theme::setMode(Theme::Mode::Light);
    m_widget = std::make_unique<PhaseWidget>();
    m_widget->resize(460, 240);
    m_widget->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_widget.get()));
    settle();
}

void TestPhaseWidget::answersWithTheMachinesLimits()
{
    showValues(samplePhases());
    QCOMPARE(m_widget->answerText(), QStringLiteral("this machine: 26.9 GB/s · 936 GOPS"));
}

void TestPhaseWidget::namesTheSlowerHalf()
{
    PhaseValues values = samplePhases();
    showValues(values);
    QCOMPARE(
        plain(m_widget->verdict()), QStringLiteral("Starting is the slower half: prefill took 74 % of this reply."));
    values.decode.milliseconds = 7400;
    values.prefill.milliseconds = 2600;
    showValues(values);
    QCOMPARE(
        plain(m_widget->verdict()), QStringLiteral("Streaming is the slower half: decode took 74 % of this reply."));
    values.decode.milliseconds.reset();
    showValues(values);
    QVERIFY(m_widget->verdict().isEmpty());
}

void TestPhaseWidget::saysWhatBindsEachHalf()
{
    PhaseValues values = samplePhases();
    showValues(values);
    QCOMPARE(m_widget->prefillBound(), QStringLiteral("bound by arithmetic"));
    QCOMPARE(plain(m_widget->decodeBound()), QStringLiteral("bound by memory: each token reads 159 MiB"));
    values.decode.bytesPerSecond = 1e9;
    values.decode.operationsPerSecond = 1e9;
    showValues(values);
    QVERIFY(m_widget->decodeBound().startsWith(QLatin1String("far from both limits")));
}

void TestPhaseWidget::unknownIsADashAndWhy()
{
    QCOMPARE(m_widget->answerText(), QStringLiteral("limits not measured yet"));
    QVERIFY(m_widget->summary().contains(QStringLiteral("Prefill –, MFU –: limits not measured yet.")));
    PhaseValues values = samplePhases();
    values.limits = LimitsState::Failed;
    values.limitsFailure = QStringLiteral("the engine was busy");
    values.readBytesPerSecond.reset();
    values.operationsPerSecond.reset();
    showValues(values);
    QCOMPARE(m_widget->answerText(), QStringLiteral("limits not measured: the engine was busy"));
    QCOMPARE(plain(m_widget->decodeBound()), QStringLiteral("each token reads 159 MiB")); // what is known is said
}

void TestPhaseWidget::limitsCanBeMeasuredByButtonAndKey()
{
    QSignalSpy requested(m_widget.get(), &PhaseWidget::measureRequested);
    QVERIFY(button()->isVisible());
    QTest::mouseClick(button(), Qt::LeftButton);
    QCOMPARE(requested.size(), 1);
    button()->setFocus();
    QTest::keyClick(button(), Qt::Key_Space);
    QCOMPARE(requested.size(), 2);
    QVERIFY(m_widget->rect().contains(button()->geometry()));
}

void TestPhaseWidget::buttonIsThereOnlyWhileItHelps()
{
    PhaseValues values = samplePhases();
    showValues(values);
    QVERIFY(!button()->isVisible());
    values.limits = LimitsState::Measuring;
    showValues(values);
    QVERIFY(!button()->isVisible());
    values.limits = LimitsState::Failed;
    showValues(values);
    QVERIFY(button()->isVisible());
}

void TestPhaseWidget::keyboardReachesItAndCopies()
{
    showValues(samplePhases());
    m_widget->setFocus(Qt::TabFocusReason);
    QTRY_VERIFY(m_widget->hasFocus());
    QTest::keyClick(m_widget.get(), Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QApplication::clipboard()->text(), m_widget->csv());
}

void TestPhaseWidget::dashboardCostIsShown()
{
    QCOMPARE(m_widget->costText(), QStringLiteral("Cost of this dashboard: –"));
    showValues(samplePhases());
    QCOMPARE(plain(m_widget->costText()), QStringLiteral("Cost of this dashboard: 0.30 %"));
}

void TestPhaseWidget::gaugeIsFilledByTheShare()
{
    const auto bluePixels = [this](double share) {
        PhaseValues values = samplePhases();
        values.decode.bytesPerSecond = share * *values.readBytesPerSecond;
        values.decode.tokensPerSecond.reset(); // only the gauge is blue
        showValues(values);
        const QImage image = m_widget->picture(1);
        int count = 0;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                count += image.pixelColor(x, y) == Theme::light().color(Meaning::Decode) ? 1 : 0;
            }
        }
        return count;
    };
    const int quarter = bluePixels(0.25);
    const int half = bluePixels(0.5);
    QVERIFY(quarter > 100);
    QVERIFY2(std::abs(half - 2 * quarter) < 0.1 * half, qPrintable(QStringLiteral("%1 %2").arg(quarter).arg(half)));
}

void TestPhaseWidget::moreThanTheLimitStaysInPlace()
{
    PhaseValues values = samplePhases();
    values.decode.bytesPerSecond = 5 * *values.readBytesPerSecond;
    showValues(values);
    QVERIFY(plain(m_widget->summary()).contains(QLatin1String("MBU 500 %")));
    QVERIFY(!m_widget->picture(1).isNull());
}

void TestPhaseWidget::numbersOfAnyLengthMoveNothing()
{
    const QRectF area(0, 0, 430, 190);
    PhaseValues values = samplePhases();
    const PhaseLayout before = layoutPhases(area, values);
    values.prefill.tokensPerSecond = 1234567;
    values.decode.tokensPerSecond = 0.0123;
    values.decode.bytesPerSecond = 3e10;
    const PhaseLayout after = layoutPhases(area, values);
    QCOMPARE(after.prefill.gauge, before.prefill.gauge);
    QCOMPARE(after.decode.gauge, before.decode.gauge);
    QCOMPARE(after.decode.rate, before.decode.rate);
    QCOMPARE(after.verdict.top(), before.verdict.top());
}

void TestPhaseWidget::csvHoldsRatesAndLimits()
{
    showValues(samplePhases());
    const QStringList lines = m_widget->csv().split(QLatin1Char('\n'));
    QCOMPARE(lines[0],
        QStringLiteral(
            "half,tokens_per_second,milliseconds,operations_per_second,bytes_per_second,bytes_per_token,mfu,mbu"));
    QVERIFY(lines[1].startsWith(QLatin1String("prefill,1030,740,290160000000,800000000,4000000,0.31")));
    QVERIFY(lines[2].startsWith(QLatin1String("decode,41,260,11000000000,22596000000,166723584,")));
    QVERIFY(lines[2].endsWith(QLatin1String(",0.84")));
    QCOMPARE(lines[3], QStringLiteral("limit,,,936000000000,26900000000,,,"));
}

void TestPhaseWidget::summaryTellsTheStory()
{
    showValues(samplePhases());
    const QString text = plain(m_widget->summary());
    for (const char* part : {"Prefill 1,030 tok/s, MFU 31 %: bound by arithmetic.",
             "Decode 41.0 tok/s, MBU 84 %: bound by memory", "prefill took 74 %", "26.9 GB/s"}) {
        QVERIFY2(text.contains(QString::fromUtf8(part)), qPrintable(text));
    }
    QCOMPARE(m_widget->accessibleName(), m_widget->question());
    QTRY_COMPARE_WITH_TIMEOUT(m_widget->accessibleDescription(), m_widget->summary(), 3000);
}

void TestPhaseWidget::clearingKeepsTheMachine()
{
    showValues(samplePhases());
    m_widget->clear();
    settle();
    QVERIFY(m_widget->verdict().isEmpty());
    QCOMPARE(m_widget->answerText(), QStringLiteral("this machine: 26.9 GB/s · 936 GOPS"));
}

void TestPhaseWidget::hiddenPanelDrawsNothing()
{
    showValues(samplePhases());
    m_widget->hide();
    const int before = m_widget->refreshCount();
    for (int i = 0; i < 50; ++i) {
        m_widget->setValues(samplePhases());
    }
    QTest::qWait(150);
    QCOMPARE(m_widget->refreshCount(), before);
    m_widget->show();
    QTRY_VERIFY(m_widget->refreshCount() > before);
}

void TestPhaseWidget::strangeValuesAreDrawnHarmlessly()
{
    for (const double bad :
        {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), -1.0, 0.0, 1e300, -1e300}) {
        PhaseValues values = samplePhases();
        values.prefill = {bad, bad, bad, bad, bad};
        values.decode = {bad, bad, bad, bad, bad};
        values.dashboardShare = bad;
        m_widget->setValues(values);
        QVERIFY(!m_widget->picture(1).isNull());
        QVERIFY(!m_widget->summary().contains(QLatin1String("nan")));
        values.readBytesPerSecond = bad;
        values.operationsPerSecond = bad;
        m_widget->setValues(values);
        QVERIFY(!m_widget->picture(1).isNull());
    }
}

void TestPhaseWidget::partsNeverOverlap_data()
{
    QTest::addColumn<int>("width");
    QTest::addColumn<double>("scale");
    QTest::addColumn<bool>("longWords");
    for (const int width : {276, 430, 900}) {
        for (const double scale : {1.0, 2.0}) {
            for (const bool longWords : {false, true}) {
                QTest::addRow("%d px, %d %%, %s", width, static_cast<int>(scale * 100), longWords ? "long" : "English")
                    << width << scale << longWords;
            }
        }
    }
}

void TestPhaseWidget::partsNeverOverlap()
{
    QFETCH(int, width);
    QFETCH(double, scale);
    QFETCH(bool, longWords);
    Fonts::setScale(scale);
    LongTranslator translator;
    if (longWords) {
        QApplication::installTranslator(&translator);
    }
    for (const int height : {70, 120, 190, 2000}) {
        const PhaseLayout layout = layoutPhases(QRectF(0, 0, width, height), samplePhases());
        QVector<QRectF> parts;
        for (const PhaseLayout::Half& half : {layout.prefill, layout.decode}) {
            parts << half.name << half.rate << half.gauge << half.share << half.ceiling << half.bound;
        }
        parts << layout.verdict << layout.cost;
        for (int i = 0; i < parts.size(); ++i) {
            QVERIFY(parts[i].isEmpty() || parts[i].left() >= 0);
            QVERIFY(parts[i].isEmpty() || parts[i].right() <= width + 0.5);
            QVERIFY(parts[i].bottom() <= layout.height + 0.5);
            for (int j = 0; j < i; ++j) {
                QVERIFY2(!parts[i].intersects(parts[j]), qPrintable(QStringLiteral("%1 and %2").arg(i).arg(j)));
            }
        }
    }
}

void TestPhaseWidget::detailsGiveWayBeforeTheMessage()
{
    const PhaseValues values = samplePhases();
    const PhaseLayout full = layoutPhases(QRectF(0, 0, 430, 2000), values);
    QVERIFY(!full.prefill.ceiling.isEmpty() && !full.cost.isEmpty());
    const PhaseLayout shorter = layoutPhases(QRectF(0, 0, 430, full.height - 5), values);
    QVERIFY(shorter.prefill.ceiling.isEmpty());
    QVERIFY(!shorter.verdict.isEmpty());
    const PhaseLayout least = layoutPhases(QRectF(0, 0, 430, 10), values);
    QVERIFY(least.cost.isEmpty() && least.prefill.bound.isEmpty());
    for (const PhaseLayout::Half& half : {least.prefill, least.decode}) { // all of it in one line
        QVERIFY(half.rate.contains(QPointF(half.rate.center().x(), half.gauge.center().y())));
        QVERIFY(half.name.right() < half.rate.left() && half.rate.right() < half.gauge.left());
    }
    m_widget->resize(460, static_cast<int>(least.height) + 20); // below that, the panel asks for space
    m_widget->setValues(values);
    settle();
    QVERIFY(!m_widget->picture(1).isNull());
}

void TestPhaseWidget::languageAndThemeChangeWhileRunning()
{
    showValues(samplePhases());
    const QString question = m_widget->question();
    LongTranslator translator;
    QApplication::installTranslator(&translator);
    QCoreApplication::processEvents();
    settle();
    QVERIFY(m_widget->question() != question);
    QVERIFY(button()->text().contains(QString::fromUtf8("한국어")));
    QApplication::removeTranslator(&translator);
    Theme::setMode(Theme::Mode::Dark);
    settle();
    QCOMPARE(m_widget->picture(1).pixelColor(0, 0), Theme::dark().panel);
}

QTEST_MAIN(TestPhaseWidget)
#include "tst_phasewidget.moc"
