#include "base/fonts.h"
#include "base/numberformat.h"
#include "base/theme.h"

#include <QApplication>
#include <QFontDatabase>
#include <QFontMetrics>
#include <QLocale>
#include <QWidget>
#include <QtTest>

using namespace kvasir;

namespace {

const Meaning kMeanings[] = {Meaning::Prefill, Meaning::Decode, Meaning::Kv, Meaning::Weights, Meaning::Activations,
    Meaning::Other, Meaning::Limit, Meaning::Draft};

class CountingWidget : public QWidget {
public:
    int changes = 0;

protected:
    void changeEvent(QEvent* event) override
    {
        if (Theme::isThemeChange(event))
            ++changes;
        QWidget::changeEvent(event);
    }
};

} // namespace

class TestTheme : public QObject {
    Q_OBJECT

private slots:
    void cleanup()
    {
        Fonts::setScale(1);
        Theme::setMode(Theme::Mode::Light);
    }

    void contrastOfBlackAndWhiteIs21()
    {
        QCOMPARE(qRound(contrastRatio(Qt::black, Qt::white) * 10), 210);
        QCOMPARE(contrastRatio(Qt::red, Qt::red), 1.0);
    }

    void textsReachFourAndAHalf_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }

    void textsReachFourAndAHalf()
    {
        QFETCH(bool, dark);
        const Theme& t = dark ? Theme::dark() : Theme::light();
        const QColor surfaces[] = {t.background, t.panel, t.field, t.userTint, t.hover, t.codeBackground};
        for (const QColor& surface : surfaces) {
            for (const QColor& ink : {t.text, t.muted})
                QVERIFY2(contrastRatio(ink, surface) >= 4.5, qPrintable(ink.name() + " on " + surface.name()));
        }
        for (const QColor& surface : {t.background, t.panel, t.field})
            QVERIFY2(contrastRatio(t.accent, surface) >= 4.5, qPrintable(t.accent.name() + " on " + surface.name()));
        for (const QColor& ink : {t.codeKeyword, t.codeString, t.codeNumber, t.codeComment, t.codeFunction})
            QVERIFY2(contrastRatio(ink, t.codeBackground) >= 4.5, qPrintable(ink.name()));
        for (const QColor& surface : {t.selection, t.found, t.foundCurrent})
            QVERIFY2(contrastRatio(t.text, surface) >= 4.5, qPrintable("text on " + surface.name()));
        QVERIFY(contrastRatio(t.onAccent, t.accent) >= 4.5);
        for (Meaning m : kMeanings) {
            for (const QColor& surface : {t.background, t.panel})
                QVERIFY2(contrastRatio(t.textColor(m), surface) >= 4.5, qPrintable(QString::number(int(m))));
            QVERIFY2(contrastRatio(t.onColor(m), t.color(m)) >= 4.5, qPrintable(QString::number(int(m))));
        }
    }

    void marksReachThree_data() { textsReachFourAndAHalf_data(); }

    void marksReachThree()
    {
        QFETCH(bool, dark);
        const Theme& t = dark ? Theme::dark() : Theme::light();
        for (Meaning m : kMeanings) {
            for (const QColor& surface : {t.background, t.panel})
                QVERIFY2(contrastRatio(t.edge(m), surface) >= 3.0, qPrintable(QString::number(int(m))));
        }
    }

    void meaningsHaveTheFixedColours()
    {
        const Theme& light = Theme::light();
        const Theme& dark = Theme::dark();
        QCOMPARE(light.color(Meaning::Prefill), QColor(0xe69f00));
        QCOMPARE(light.color(Meaning::Decode), QColor(0x0072b2));
        QCOMPARE(dark.color(Meaning::Decode), QColor(0x3d9be0));
        QCOMPARE(light.color(Meaning::Kv), QColor(0x009e73));
        QCOMPARE(light.color(Meaning::Weights), QColor(0x56b4e9));
        QCOMPARE(light.color(Meaning::Activations), QColor(0xcc79a7));
        QCOMPARE(light.color(Meaning::Other), QColor(0x9aa3ad));
        QCOMPARE(light.color(Meaning::Limit), QColor(0xd55e00));
        QCOMPARE(light.color(Meaning::Draft), QColor(0xf0e442));
        QCOMPARE(qRound(light.reserved(Meaning::Kv).alphaF() * 100), 30);
        for (Meaning m : kMeanings) {
            if (m != Meaning::Decode)
                QCOMPARE(light.color(m), dark.color(m));
        }
    }

    void switchingTheModeTellsTheWidgets()
    {
        Theme::setMode(Theme::Mode::Light);
        CountingWidget widget;
        widget.show();
        widget.changes = 0;
        Theme::setMode(Theme::Mode::Dark);
        QVERIFY(widget.changes > 0);
        QVERIFY(Theme::current().isDark);
        QCOMPARE(widget.palette().color(QPalette::Base), Theme::dark().background);
        Theme::setMode(Theme::Mode::Light);
        QVERIFY(!Theme::current().isDark);
    }

    void systemModeFollowsTheDesktop()
    {
        Theme::setMode(Theme::Mode::Dark);
        Theme::setMode(Theme::Mode::System);
        // The test machine states no dark desktop: dark must not stick from the earlier choice.
        QVERIFY(!Theme::current().isDark);
        QCOMPARE(Theme::mode(), Theme::Mode::System);
    }

    void scaleEnlargesEveryRole()
    {
        using Fonts::Role;
        const int before = Fonts::font(Role::Chat).pixelSize();
        const int label = Fonts::font(Role::PlotLabel).pixelSize();
        Fonts::setScale(2);
        QCOMPARE(Fonts::font(Role::Chat).pixelSize(), 2 * before);
        QCOMPARE(Fonts::font(Role::PlotLabel).pixelSize(), 2 * label);
        Theme::setMode(Theme::Mode::Light);
        QCOMPARE(QApplication::font().pixelSize(), Fonts::font(Role::Interface).pixelSize());
        Fonts::setScale(99);
        QCOMPARE(Fonts::scale(), 3.0);
    }

    void familiesPutHangulBeforeEmoji()
    {
        const QStringList families = Fonts::families();
        QVERIFY(!families.isEmpty());
        if (families.contains("NanumGothic") && families.contains("Noto Color Emoji"))
            QVERIFY(families.indexOf("NanumGothic") < families.indexOf("Noto Color Emoji"));
        for (const QString& family : families)
            QVERIFY2(QFontDatabase::hasFamily(family), qPrintable(family));
    }

    void reservedWidthFitsEveryNumberOfThatShape()
    {
        const QFont font = Fonts::font(Fonts::Role::Small);
        const QFontMetrics metrics(font);
        const int width = Fonts::reservedWidth(font, "000.0 ms");
        for (int i = 0; i < 10; ++i)
            QVERIFY(metrics.horizontalAdvance(QString("000.0 ms").replace('0', QString::number(i))) <= width);
    }

    void numbersAreShort_data()
    {
        QTest::addColumn<QString>("shown");
        QTest::addColumn<QString>("expected");
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        using namespace NumberFormat;
        auto row = [](const QString& shown, const char* expected) {
            QTest::newRow(expected) << shown << QString::fromUtf8(expected).replace('_', QChar(0xa0));
        };
        row(count(8192), "8,192");
        row(figures(1034.4), "1,030");
        row(figures(41.23), "41.2");
        row(figures(9.996), "10.0");
        row(figures(0.012345), "0.0123");
        row(figures(0), "0");
        row(figures(-1034), "-1,030");
        row(figures(1.0 / 0.0), "–");
        row(bytes(159.0 * 1024 * 1024), "159_MiB");
        row(bytes(1.52 * 1024 * 1024 * 1024), "1.52_GiB");
        row(bytes(1000), "0.977_KiB");
        row(bytes(512), "512_B");
        row(milliseconds(24.08), "24.1_ms");
        row(milliseconds(999.7), "1.00_s");
        row(tokensPerSecond(1034), "1,030_tok/s");
        row(percent(0.312), "31_%");
        row(percent(0.003), "0.30_%");
        row(orMissing(std::optional<double>{}, [](double v) { return figures(v); }), "– ");
        row(orMissing(std::optional<double>{2.5}, [](double v) { return figures(v); }), "2.50");
    }

    void numbersAreShort()
    {
        QFETCH(QString, shown);
        QFETCH(QString, expected);
        QCOMPARE(shown, expected.trimmed());
    }

    void numbersFollowTheLocale()
    {
        QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
        QCOMPARE(NumberFormat::count(8192), QString("8.192"));
        QCOMPARE(NumberFormat::figures(41.23), QString("41,2"));
        QLocale::setDefault(QLocale::c());
    }
};

QTEST_MAIN(TestTheme)
#include "tst_theme.moc"
