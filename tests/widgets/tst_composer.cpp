#include "base/theme.h"
#include "chat/composer.h"
#include "chat/composeredit.h"

#include <QApplication>
#include <QClipboard>
#include <QElapsedTimer>
#include <QInputMethodEvent>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>
#include <QVBoxLayout>
#include <QtTest>

using namespace kvasir;

namespace {

class ShownComposer : public QWidget {
public:
    ShownComposer()
    {
        auto* box = new QVBoxLayout(this);
        box->addStretch(1);
        box->addWidget(&composer);
        resize(800, 600);
        show();
        activateWindow();
        Q_UNUSED(QTest::qWaitForWindowExposed(this));
        composer.focusInput();
    }

    ComposerEdit* edit() { return composer.findChild<ComposerEdit*>(); }
    QPushButton* button() { return composer.findChild<QPushButton*>(); }

    Composer composer;
};

} // namespace

class TestComposer : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { Theme::setMode(Theme::Mode::Light); }

    void enterSends()
    {
        ShownComposer w;
        QSignalSpy sent(&w.composer, &Composer::sendRequested);
        QTest::keyClicks(w.edit(), "hello");
        QTest::keyClick(w.edit(), Qt::Key_Return);
        QCOMPARE(sent.size(), 1);
        QCOMPARE(sent[0][0].toString(), QString("hello"));
        QCOMPARE(w.composer.text(), QString("hello")); // the program clears it when it has stored the message
        w.composer.clear();
        QCOMPARE(w.composer.text(), QString());
    }

    void shiftEnterMakesALine()
    {
        ShownComposer w;
        QSignalSpy sent(&w.composer, &Composer::sendRequested);
        QTest::keyClicks(w.edit(), "a");
        QTest::keyClick(w.edit(), Qt::Key_Return, Qt::ShiftModifier);
        QTest::keyClicks(w.edit(), "b");
        QCOMPARE(sent.size(), 0);
        QTest::keyClick(w.edit(), Qt::Key_Enter, Qt::KeypadModifier);
        QCOMPARE(sent[0][0].toString(), QString("a\nb"));
    }

    void blanksAreNotSent()
    {
        ShownComposer w;
        QSignalSpy sent(&w.composer, &Composer::sendRequested);
        QVERIFY(!w.button()->isEnabled());
        QTest::keyClick(w.edit(), Qt::Key_Return);
        QTest::keyClicks(w.edit(), "   ");
        QTest::keyClick(w.edit(), Qt::Key_Return);
        QCOMPARE(sent.size(), 0);
    }

    void enterWhileComposingHangulOnlyCommits()
    {
        ShownComposer w;
        QSignalSpy sent(&w.composer, &Composer::sendRequested);
        QInputMethodEvent preedit(QString::fromUtf8("한"), {});
        QApplication::sendEvent(w.edit(), &preedit);
        QTest::keyClick(w.edit(), Qt::Key_Return);
        QCOMPARE(sent.size(), 0);
        QInputMethodEvent commit;
        commit.setCommitString(QString::fromUtf8("한"));
        QApplication::sendEvent(w.edit(), &commit);
        QCOMPARE(w.composer.text(), QString::fromUtf8("한"));
        QTest::keyClick(w.edit(), Qt::Key_Return);
        QCOMPARE(sent.size(), 1);
        QCOMPARE(sent[0][0].toString(), QString::fromUtf8("한"));
    }

    void busyMeansStop()
    {
        ShownComposer w;
        QSignalSpy sent(&w.composer, &Composer::sendRequested);
        QSignalSpy stopped(&w.composer, &Composer::stopRequested);
        QTest::keyClicks(w.edit(), "next");
        w.composer.setBusy(true);
        QVERIFY(w.button()->text().startsWith("Stop"));
        QTest::keyClick(w.edit(), Qt::Key_Return);
        QCOMPARE(sent.size(), 0);
        QTest::mouseClick(w.button(), Qt::LeftButton);
        QCOMPARE(stopped.size(), 1);
        QTest::keyClick(w.edit(), Qt::Key_Escape);
        QCOMPARE(stopped.size(), 2);
        QCOMPARE(w.composer.text(), QString("next"));
        w.composer.setBusy(false);
        QTest::keyClick(w.edit(), Qt::Key_Escape);
        QCOMPARE(stopped.size(), 2);
        QTest::mouseClick(w.button(), Qt::LeftButton);
        QCOMPARE(sent.size(), 1);
    }

    void growsToTwoFifthsOfTheWindow()
    {
        ShownComposer w;
        const int one = w.edit()->height();
        w.composer.setText("1\n2\n3\n4");
        QTRY_VERIFY(w.edit()->height() > 3 * one);
        QVERIFY(w.edit()->height() < 5 * one);
        w.composer.setText(QString("line\n").repeated(200));
        QTRY_VERIFY(w.edit()->height() > 8 * one);
        QVERIFY(w.edit()->height() <= 240);
        w.composer.clear();
        QTRY_COMPARE(w.edit()->height(), one);
    }

    void aMegabyteOfPasteDoesNotFreeze()
    {
        ShownComposer w;
        QSignalSpy sent(&w.composer, &Composer::sendRequested);
        QSignalSpy edited(&w.composer, &Composer::textEdited);
        const QString huge = QString("word ").repeated(200000);
        QTest::keyClicks(w.edit(), "Summarise this:");
        edited.clear();
        QGuiApplication::clipboard()->setText(huge);
        QElapsedTimer timer;
        timer.start();
        w.edit()->paste();
        QTest::keyClicks(w.edit(), "!");
        QCoreApplication::processEvents();
        QVERIFY2(timer.elapsed() < 500, qPrintable(QString::number(timer.elapsed())));
        QVERIFY(edited.size() >= 1);
        QCOMPARE(w.composer.text(), "Summarise this:!\n\n" + huge);
        auto* chip = w.composer.findChild<QToolButton*>("pasteChip");
        QVERIFY(chip && chip->isVisible());
        w.grab();
        QTest::keyClick(w.edit(), Qt::Key_Return);
        QCOMPARE(sent[0][0].toString().size(), huge.size() + 18);
        QTest::mouseClick(chip, Qt::LeftButton);
        QCOMPARE(w.composer.text(), QString("Summarise this:!"));
    }

    void draftsComeBackWhole()
    {
        ShownComposer w;
        for (const QString& draft : {QString(), QString("a\n\nb "), QString("x").repeated(100000)}) {
            w.composer.setText(draft);
            QCOMPARE(w.composer.text(), draft);
        }
    }

    void shortPastesLoseTheirFormat()
    {
        ShownComposer w;
        auto* data = new QMimeData;
        data->setHtml("<b>bold</b>");
        data->setText("bold");
        QGuiApplication::clipboard()->setMimeData(data);
        w.edit()->paste();
        QCOMPARE(w.composer.text(), QString("bold"));
    }

    void withoutAModelNothingIsSent()
    {
        ShownComposer w;
        QSignalSpy sent(&w.composer, &Composer::sendRequested);
        w.composer.setUnavailable("Open a model first");
        QCOMPARE(w.edit()->placeholderText(), QString("Open a model first"));
        QTest::keyClicks(w.edit(), "hi");
        QTest::keyClick(w.edit(), Qt::Key_Return);
        QCOMPARE(sent.size(), 0);
        QVERIFY(!w.button()->isEnabled());
        w.composer.setUnavailable({});
        QTest::keyClick(w.edit(), Qt::Key_Return);
        QCOMPARE(sent.size(), 1);
        QCOMPARE(w.edit()->placeholderText(), QString("Write a message"));
    }

    void settingsButtonsAsk()
    {
        ShownComposer w;
        QSignalSpy prompts(&w.composer, &Composer::systemPromptRequested);
        QSignalSpy samplings(&w.composer, &Composer::samplingRequested);
        w.composer.setSystemPromptLabel("system prompt");
        w.composer.setSamplingLabel("temperature 0.7");
        for (auto* button : w.composer.findChildren<QToolButton*>())
            QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(prompts.size(), 1);
        QCOMPARE(samplings.size(), 1);
    }

    void countsAndGaugeAreShown()
    {
        ShownComposer w;
        w.composer.setTokenCount(-1);
        bool hasDash = false;
        for (auto* label : w.composer.findChildren<QLabel*>())
            hasDash |= label->text().startsWith(QChar(0x2013));
        QVERIFY(hasDash);
        w.composer.setContext(310, 8192);
        w.composer.setContext(8192, 8192);
        w.composer.setContext(9000, 8192);
        w.grab();
        w.composer.setContext(0, 0);
        w.grab();
    }

    void themeSwitchRestyles()
    {
        ShownComposer w;
        Theme::setMode(Theme::Mode::Dark);
        QCoreApplication::processEvents();
        QCOMPARE(w.composer.grab().toImage().pixelColor(1, 1), Theme::dark().background);
        Theme::setMode(Theme::Mode::Light);
    }
};

QTEST_MAIN(TestComposer)
#include "tst_composer.moc"
