#include "settings/modelpaths.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace kvasir;

/// What the window takes for a model, by names alone.
class TestModelPaths : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void aFolderIsMeantByAnyOfItsFiles();
    void otherFilesAreNoModels();
    void countsAllFilesOfAModel();
    void namesAModelWithoutItsPart();

private:
    QString path(const QString& name) const { return m_folder.filePath(name); }

    QTemporaryDir m_folder;
};

void TestModelPaths::initTestCase()
{
    QVERIFY(QDir(m_folder.path()).mkpath("Model-1.5B"));
    QVERIFY(QDir(m_folder.path()).mkpath("other"));
    for (const char* name : {"Model-1.5B/config.json", "Model-1.5B/a.safetensors", "Model-1.5B/b.safetensors",
             "other/notes.txt", "whole.gguf", "big-00001-of-00002.gguf", "big-00002-of-00002.gguf", "old-name.bin"}) {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write("0123456789"), 10);
    }
}

void TestModelPaths::aFolderIsMeantByAnyOfItsFiles()
{
    for (const char* name : {"Model-1.5B", "Model-1.5B/config.json", "Model-1.5B/b.safetensors"}) {
        QCOMPARE(modelAt(path(name)), path("Model-1.5B"));
    }
    QCOMPARE(modelAt(path("whole.gguf")), path("whole.gguf"));
    QVERIFY(isPresent(path("Model-1.5B")));
}

void TestModelPaths::otherFilesAreNoModels()
{
    for (const char* name : {"other", "other/notes.txt", "other/config.json", "absent", "old-name.bin"}) {
        QVERIFY2(modelAt(path(name)).isEmpty(), name);
    }
    QVERIFY(isPresent(path("old-name.bin"))); // it was opened once by its content
    QVERIFY(!isPresent(path("absent.gguf")));
    QVERIFY(!isPresent(path("other")));
}

void TestModelPaths::countsAllFilesOfAModel()
{
    QCOMPARE(modelBytes(path("whole.gguf")), 10);
    QCOMPARE(modelBytes(path("big-00002-of-00002.gguf")), 20);
    QCOMPARE(modelBytes(path("Model-1.5B")), 20);
}

void TestModelPaths::namesAModelWithoutItsPart()
{
    QCOMPARE(modelBaseName(path("Model-1.5B")), QString("Model-1.5B"));
    QCOMPARE(modelBaseName(path("whole.gguf")), QString("whole"));
    QCOMPARE(modelBaseName(path("big-00002-of-00002.gguf")), QString("big"));
    QVERIFY(isLaterPart(path("big-00002-of-00002.gguf")));
    QVERIFY(!isLaterPart(path("big-00001-of-00002.gguf")));
    QVERIFY(!isLaterPart(path("whole.gguf")));
}

QTEST_GUILESS_MAIN(TestModelPaths)
#include "tst_modelpaths.moc"
