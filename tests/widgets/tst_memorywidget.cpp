#include "base/fonts.h"
#include "base/theme.h"
#include "plots/memorywidget.h"
#include "plotscenes.h"

#include <QApplication>
#include <QMenu>
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

/// How many pixels of `image` are nearly `color`.
int pixelsOf(const QImage& image, const QColor& color)
{
    int count = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const QColor at = image.pixelColor(x, y);
            count += std::abs(at.red() - color.red()) + std::abs(at.green() - color.green())
                        + std::abs(at.blue() - color.blue())
                    < 60
                ? 1
                : 0;
        }
    }
    return count;
}

QString plain(QString text)
{
    return text.replace(QChar(0xa0), QLatin1Char(' '));
}

} // namespace

class TestMemoryWidget : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_widget.reset(); }
    void answersWithProcessAndMachine();
    void saysWhenMemoryWouldBeFull();
    void saysWhenTheContextEndsFirst();
    void saysWhenItIsAlreadyFull();
    void unknownLimitIsNotInvented();
    void limitFarAboveIsAnArrow();
    void kvGrowthStaysVisibleUnderLargeWeights();
    void samplesCanBeAppended();
    void editedMessageShortensTheCurve();
    void hoverTellsTheValues();
    void hoverBeyondNowIsAnEstimate();
    void keysMoveTheCursorByBlocks();
    void wholeContextCanBeShown();
    void csvHoldsTheSamples();
    void summaryTellsTheStory();
    void emptyAndLoadingStatesDiffer();
    void hiddenPanelDrawsNothing();
    void strangeValuesAreDrawnHarmlessly();
    void longHistoriesStayFast();
    void everySizeAndScaleIsDrawn();
    void languageAndThemeChangeWhileRunning();

private:
    void settle() { QTRY_VERIFY(!m_widget->isDirty()); }
    void showSeries(const MemorySeries& series)
    {
        m_widget->setSeries(series);
        settle();
    }

    std::unique_ptr<MemoryWidget> m_widget;
};

void TestMemoryWidget::init()
{
    QLocale::setDefault(QLocale(QLocale::English));
    Fonts::setScale(1);
    Theme::setMode(Theme::Mode::Light);
    m_widget = std::make_unique<MemoryWidget>();
    m_widget->resize(460, 320);
    m_widget->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_widget.get()));
    settle();
}

void TestMemoryWidget::answersWithProcessAndMachine()
{
    QCOMPARE(m_widget->answerText().count(QChar(0x2013)), 2);
    showSeries(sampleMemory(32, 400 * kMib));
    QCOMPARE(plain(m_widget->answerText()), QStringLiteral("process 192 MiB  of 24.0 GiB"));
}

void TestMemoryWidget::saysWhenMemoryWouldBeFull()
{
    showSeries(sampleMemory(32, 200 * kMib));
    QCOMPARE(m_widget->outlook(), QStringLiteral("full at 160 tokens"));
    MemorySeries fitted = sampleMemory(32, 200 * kMib);
    fitted.kvBytesPerToken.reset();
    showSeries(fitted);
    QCOMPARE(m_widget->outlook(), QStringLiteral("full at about 160 tokens")); // an estimate says so
}

void TestMemoryWidget::saysWhenTheContextEndsFirst()
{
    showSeries(sampleMemory(32, qint64{20} * 1024 * kMib));
    QCOMPARE(m_widget->outlook(), QStringLiteral("context ends at 8,192 first"));
}

void TestMemoryWidget::saysWhenItIsAlreadyFull()
{
    showSeries(sampleMemory(32, 100 * kMib));
    QCOMPARE(m_widget->outlook(), QStringLiteral("over the memory that is free"));
}

void TestMemoryWidget::unknownLimitIsNotInvented()
{
    MemorySeries series = sampleMemory(32, 1);
    series.limitBytes.reset();
    series.contextLimit.reset();
    showSeries(series);
    QCOMPARE(m_widget->outlook(), QStringLiteral("limit not known"));
    QVERIFY(!m_widget->limitIsOutOfRange());
    QVERIFY(!m_widget->summary().contains(QLatin1String("Memory free")));
}

void TestMemoryWidget::limitFarAboveIsAnArrow()
{
    showSeries(sampleMemory(310, 400 * kMib));
    QVERIFY(!m_widget->limitIsOutOfRange());
    m_widget->clear();
    showSeries(sampleMemory(310, qint64{20} * 1024 * kMib)); // a hundred times the rest
    QVERIFY(m_widget->limitIsOutOfRange());
}

void TestMemoryWidget::kvGrowthStaysVisibleUnderLargeWeights()
{
    MemorySeries series = sampleMemory(300, qint64{200} * 1024 * kMib);
    for (MemorySample& sample : series.samples) {
        sample.process = *sample.process - sample.weights + qint64{8} * 1024 * kMib;
        sample.weights = qint64{8} * 1024 * kMib;
    }
    showSeries(series);
    // 19 MiB of KV cache beside 8 GiB of weights would be half a pixel without the cut.
    const int green = pixelsOf(m_widget->picture(1), Theme::light().color(Meaning::Kv));
    QVERIFY2(green > 1500, qPrintable(QString::number(green)));
}

void TestMemoryWidget::samplesCanBeAppended()
{
    showSeries(sampleMemory(10, 400 * kMib));
    for (const MemorySample& sample : sampleMemory(40, 1).samples.mid(11)) {
        m_widget->appendSample(sample);
    }
    settle();
    QVERIFY(m_widget->summary().startsWith(QLatin1String("40 tokens")));
    QCOMPARE(m_widget->csv(), [] {
        MemoryWidget other;
        other.setSeries(sampleMemory(40, 1));
        return other.csv();
    }());
}

void TestMemoryWidget::editedMessageShortensTheCurve()
{
    showSeries(sampleMemory(200, 400 * kMib));
    m_widget->appendSample(sampleMemory(50, 1).samples.last());
    settle();
    QVERIFY(m_widget->summary().startsWith(QLatin1String("50 tokens")));
}

void TestMemoryWidget::hoverTellsTheValues()
{
    showSeries(sampleMemory(200, 400 * kMib));
    const QRect canvas = m_widget->canvas()->rect();
    QTest::mouseMove(m_widget->canvas(), QPoint(canvas.width() / 4, canvas.height() / 2));
    QTRY_VERIFY(!m_widget->readout().isEmpty());
    const QString text = plain(m_widget->readout());
    for (const char* part : {"tokens: together", "KV used", "KV reserved", "activations 22.0 MiB", "weights 138 MiB"}) {
        QVERIFY2(text.contains(QLatin1String(part)), qPrintable(text));
    }
    QTest::mouseMove(m_widget->canvas(), QPoint(1, 1));
    QTRY_VERIFY(m_widget->readout().isEmpty());
}

void TestMemoryWidget::hoverBeyondNowIsAnEstimate()
{
    showSeries(sampleMemory(100, 400 * kMib));
    const QRect canvas = m_widget->canvas()->rect();
    QTest::mouseMove(m_widget->canvas(), QPoint(canvas.width() * 9 / 10, canvas.height() / 2));
    QTRY_VERIFY(m_widget->readout().startsWith(QLatin1String("expected at")));
    QVERIFY(plain(m_widget->readout()).contains(QLatin1String("each token adds 64.0 KiB")));
}

void TestMemoryWidget::keysMoveTheCursorByBlocks()
{
    showSeries(sampleMemory(100, 400 * kMib));
    QTest::keyClick(m_widget->canvas(), Qt::Key_Left);
    QVERIFY(m_widget->readout().startsWith(QLatin1String("100 tokens")));
    QTest::keyClick(m_widget->canvas(), Qt::Key_Left);
    QVERIFY(m_widget->readout().startsWith(QLatin1String("84 tokens")));
    QVERIFY(m_widget->canvas()->accessibleDescription().contains(QLatin1String("84 tokens")));
    for (int i = 0; i < 20; ++i) {
        QTest::keyClick(m_widget->canvas(), Qt::Key_Left, Qt::ControlModifier);
    }
    QVERIFY(m_widget->readout().startsWith(QLatin1String("0 tokens")));
    QTest::keyClick(m_widget->canvas(), Qt::Key_Escape);
    QVERIFY(m_widget->readout().isEmpty());
}

void TestMemoryWidget::wholeContextCanBeShown()
{
    showSeries(sampleMemory(100, 400 * kMib));
    QTest::keyClick(m_widget->canvas(), Qt::Key_W);
    settle();
    QVERIFY(m_widget->showsWholeContext());
    const QRect canvas = m_widget->canvas()->rect();
    QTest::mouseMove(m_widget->canvas(), QPoint(canvas.width() * 9 / 10, canvas.height() / 3));
    QTRY_VERIFY2(m_widget->readout().contains(QLatin1String("expected at 7,")), qPrintable(m_widget->readout()));
    QTest::mouseDClick(m_widget->canvas(), Qt::LeftButton, {}, canvas.center());
    QVERIFY(!m_widget->showsWholeContext());
}

void TestMemoryWidget::csvHoldsTheSamples()
{
    showSeries(sampleMemory(1, 400 * kMib));
    const QStringList lines = m_widget->csv().split(QLatin1Char('\n'));
    QCOMPARE(lines[0],
        QStringLiteral(
            "tokens,weights_bytes,activations_bytes,kv_used_bytes,kv_reserved_bytes,others_bytes,process_bytes"));
    QCOMPARE(lines[1], QStringLiteral("0,144703488,23068672,0,0,31457280,199229440"));
    QCOMPARE(lines[2], QStringLiteral("1,144703488,23068672,65536,1048576,31457280,200278016"));
}

void TestMemoryWidget::summaryTellsTheStory()
{
    showSeries(sampleMemory(32, 200 * kMib));
    const QString text = plain(m_widget->summary());
    for (const char* part : {"32 tokens", "weights 138 MiB", "activations 22.0 MiB", "2.00 MiB used of 2.00 MiB",
             "process holds 192 MiB", "free for Kvasir: 200 MiB", "full at 160 tokens"}) {
        QVERIFY2(text.contains(QLatin1String(part)), qPrintable(text));
    }
    QCOMPARE(m_widget->accessibleName(), m_widget->question());
    QTRY_COMPARE_WITH_TIMEOUT(m_widget->accessibleDescription(), m_widget->summary(), 3000);
}

void TestMemoryWidget::emptyAndLoadingStatesDiffer()
{
    QCOMPARE(m_widget->summary(), QStringLiteral("No model is open."));
    const QImage empty = m_widget->picture(1);
    MemorySeries loading;
    loading.isLoading = true;
    showSeries(loading);
    QCOMPARE(m_widget->summary(), QStringLiteral("A model is being loaded."));
    QVERIFY(m_widget->picture(1) != empty);
    m_widget->clear();
    settle();
    QCOMPARE(m_widget->picture(1), empty);
    QVERIFY(m_widget->outlook().isEmpty());
    QTest::keyClick(m_widget->canvas(), Qt::Key_Left); // nothing to move over
    QVERIFY(m_widget->readout().isEmpty());
}

void TestMemoryWidget::hiddenPanelDrawsNothing()
{
    showSeries(sampleMemory(10, 400 * kMib));
    m_widget->hide();
    const int before = m_widget->refreshCount();
    for (int i = 0; i < 50; ++i) {
        m_widget->appendSample(sampleMemory(1, 1).samples.last());
    }
    QTest::qWait(150);
    QCOMPARE(m_widget->refreshCount(), before);
    m_widget->show();
    QTRY_VERIFY(m_widget->refreshCount() > before);
}

void TestMemoryWidget::strangeValuesAreDrawnHarmlessly()
{
    constexpr qint64 kMost = std::numeric_limits<qint64>::max();
    constexpr qint64 kLeast = std::numeric_limits<qint64>::min();
    for (const qint64 bad : {kMost, kLeast, qint64{-1}, qint64{0}, kMost / 2}) {
        for (int field = 0; field < 9; ++field) {
            MemorySeries series = sampleMemory(20, 400 * kMib);
            MemorySample& sample = series.samples.last();
            qint64* const fields[]{&sample.tokens, &sample.weights, &sample.activations, &sample.kvUsed,
                &sample.kvReserved, &*sample.process, &*series.limitBytes, &*series.contextLimit,
                &*series.machineBytes};
            *fields[field] = bad;
            series.blockTokens = bad > 0 ? 16 : static_cast<int>(bad);
            m_widget->setWholeContext(field % 2 == 1);
            m_widget->setSeries(series);
            QVERIFY(!m_widget->picture(1).isNull());
            QTest::mouseMove(m_widget->canvas(), m_widget->canvas()->rect().center() + QPoint(field, 0));
            QTest::keyClick(m_widget->canvas(), Qt::Key_Right);
            QVERIFY(!m_widget->picture(1).isNull());
            m_widget->clear();
        }
    }
    MemorySeries series = sampleMemory(20, 400 * kMib);
    for (const double slope : {std::numeric_limits<double>::quiet_NaN(), 0.0, -5.0, 1e300}) {
        series.kvBytesPerToken = slope;
        showSeries(series);
        QVERIFY(!m_widget->picture(1).isNull());
    }
}

void TestMemoryWidget::longHistoriesStayFast()
{
    showSeries(sampleMemory(8000, 4000 * kMib));
    const qint64 before = m_widget->costNanoseconds();
    const int refreshes = m_widget->refreshCount();
    MemorySample next = sampleMemory(8000, 1).samples.last();
    for (int i = 0; i < 20; ++i) {
        ++next.tokens;
        m_widget->appendSample(next);
        QTest::qWait(40);
    }
    const double each = static_cast<double>(m_widget->costNanoseconds() - before) / 1e6
        / std::max(m_widget->refreshCount() - refreshes, 1);
    QVERIFY2(each < 33, qPrintable(QStringLiteral("%1 ms a refresh").arg(each)));
}

void TestMemoryWidget::everySizeAndScaleIsDrawn()
{
    m_widget->setSeries(sampleMemory(310, 400 * kMib));
    for (const double scale : {1.0, 2.0}) {
        Fonts::setScale(scale);
        Theme::setMode(Theme::Mode::Light);
        for (const QSize& size : {QSize(1, 1), QSize(300, 200), QSize(460, 320), QSize(920, 640), QSize(3000, 90)}) {
            m_widget->resize(size);
            settle();
            QVERIFY(!m_widget->picture(1).isNull());
        }
    }
}

void TestMemoryWidget::languageAndThemeChangeWhileRunning()
{
    showSeries(sampleMemory(310, 400 * kMib));
    const QString question = m_widget->question();
    LongTranslator translator;
    QApplication::installTranslator(&translator);
    QCoreApplication::processEvents();
    settle();
    QVERIFY(m_widget->question() != question);
    QCOMPARE(m_widget->accessibleName(), m_widget->question());
    QApplication::removeTranslator(&translator);
    Theme::setMode(Theme::Mode::Dark);
    settle();
    QCOMPARE(m_widget->picture(1).pixelColor(0, 0), Theme::dark().panel);
}

QTEST_MAIN(TestMemoryWidget)
#include "tst_memorywidget.moc"
