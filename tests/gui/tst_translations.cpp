#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QTranslator>
#include <QXmlStreamReader>

namespace {

struct Entry {
    QString context;
    QString source;
    QString comment;
    QStringList forms;
    QString type;
    bool plural = false;
};

QList<Entry> entriesOf(const QString& path)
{
    QFile file(path);
    QList<Entry> entries;
    if (!file.open(QIODevice::ReadOnly)) {
        return entries;
    }
    QXmlStreamReader xml(&file);
    QString context;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement) {
            continue;
        }
        if (xml.name() == u"name") {
            context = xml.readElementText();
        } else if (xml.name() == u"message") {
            entries.append({context, {}, {}, {}, {}, xml.attributes().value("numerus") == u"yes"});
        } else if (xml.name() == u"source") {
            entries.last().source = xml.readElementText();
        } else if (xml.name() == u"comment") {
            entries.last().comment = xml.readElementText();
        } else if (xml.name() == u"translation") {
            entries.last().type = xml.attributes().value("type").toString();
            if (!entries.last().plural) {
                entries.last().forms << xml.readElementText();
            }
        } else if (xml.name() == u"numerusform") {
            entries.last().forms << xml.readElementText();
        }
    }
    return entries;
}

QString fileOf(const QString& language)
{
    return QStringLiteral(KVASIR_SOURCE_DIR "/translations/kvasir_%1.ts").arg(language);
}

QStringList placesIn(const QString& text)
{
    static const QRegularExpression place(QStringLiteral("%L?[0-9n]"));
    QStringList places;
    for (auto it = place.globalMatch(text); it.hasNext();) {
        places << it.next().captured();
    }
    places.sort();
    places.removeDuplicates();
    return places;
}

} // namespace

class TestTranslations : public QObject {
    Q_OBJECT

private slots:
    void isComplete_data();
    void isComplete();
    void coversAllSources_data();
    void coversAllSources();
    void isPartOfTheProgram();
};

void TestTranslations::isComplete_data()
{
    QTest::addColumn<QString>("language");
    QTest::addColumn<int>("pluralForms");
    QTest::newRow("Korean") << "ko" << 1;
    QTest::newRow("English") << "en" << 2;
}

void TestTranslations::isComplete()
{
    QFETCH(QString, language);
    QFETCH(int, pluralForms);
    const QList<Entry> entries = entriesOf(fileOf(language));
    QVERIFY(entries.size() > 200);
    for (const Entry& entry : entries) {
        const QString where = entry.context + QStringLiteral(": ") + entry.source;
        QVERIFY2(entry.type.isEmpty(), qPrintable(where + u' ' + entry.type));
        QCOMPARE(entry.forms.size(), entry.plural ? pluralForms : 1);
        for (const QString& form : entry.forms) {
            QVERIFY2(!form.trimmed().isEmpty(), qPrintable(where));
            QVERIFY2(placesIn(form) == placesIn(entry.source), qPrintable(where + QStringLiteral(" -> ") + form));
            // A key in a menu, lost in translation, cannot be pressed.
            QVERIFY2(form.count(u'&') == entry.source.count(u'&'), qPrintable(where + QStringLiteral(" -> ") + form));
        }
    }
}

void TestTranslations::coversAllSources_data()
{
    QTest::addColumn<QString>("language");
    QTest::newRow("Korean") << "ko";
    QTest::newRow("English") << "en";
}

void TestTranslations::coversAllSources()
{
    QFETCH(QString, language);
    const QString lupdate = QStringLiteral(KVASIR_LUPDATE);
    QVERIFY(QFile::exists(lupdate));
    // A copy is brought up to date; a string that the file lacks, or has no use for, changes it.
    QTemporaryDir folder;
    const QString copy = folder.filePath(QStringLiteral("copy.ts"));
    QVERIFY(QFile::copy(fileOf(language), copy));
    QProcess process;
    process.start(lupdate,
        {"-silent", "-no-obsolete", "-locations", "none", QStringLiteral(KVASIR_SOURCE_DIR "/app/desktop"),
            QStringLiteral(KVASIR_SOURCE_DIR "/widgets"), "-ts", copy});
    QVERIFY(process.waitForFinished(120'000));
    QCOMPARE(process.exitCode(), 0);
    const QList<Entry> kept = entriesOf(fileOf(language));
    const QList<Entry> fresh = entriesOf(copy);
    QStringList keptSources;
    QStringList freshSources;
    for (const Entry& entry : kept) {
        keptSources << entry.context + u'|' + entry.source + u'|' + entry.comment;
    }
    for (const Entry& entry : fresh) {
        freshSources << entry.context + u'|' + entry.source + u'|' + entry.comment;
    }
    for (const QString& source : std::as_const(freshSources)) {
        QVERIFY2(keptSources.contains(source), qPrintable(QStringLiteral("not translated: ") + source));
    }
    for (const QString& source : std::as_const(keptSources)) {
        QVERIFY2(freshSources.contains(source), qPrintable(QStringLiteral("no longer used: ") + source));
    }
}

void TestTranslations::isPartOfTheProgram()
{
    QTranslator korean;
    QVERIFY(korean.load(QStringLiteral(":/i18n/kvasir_ko")));
    QCOMPARE(korean.translate("kvasir::TopBar", "No model"), QStringLiteral("모델 없음"));
    QTranslator english;
    QVERIFY(english.load(QStringLiteral(":/i18n/kvasir_en")));
    QCOMPARE(english.translate("Adapters", "%n token(s)", nullptr, 1), QStringLiteral("%n token"));
}

QTEST_GUILESS_MAIN(TestTranslations)

#include "tst_translations.moc"
