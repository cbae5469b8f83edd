#include "goldendata.h"
#include "tokenizergolden.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>

using namespace kvasir;
using namespace kvasir::testing;

namespace {

const QString kGemma = QStringLiteral("gemma-3-270m-q4_k_m.gguf");

} // namespace

class TestTokenizerSpm : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void matchesGoldenOfGemma();
    void matchesGoldenOfTinyModels_data();
    void matchesGoldenOfTinyModels();
    void roundTripsInvalidUtf8();
    void parsesSpecialTokensOnlyInTrustedStretches();
    void cutsChangeNothing();
    void endsWithOneLetterRepeated();
    void loadsQuickly();

private:
    std::unique_ptr<Tokenizer> m_gemma;
};

void TestTokenizerSpm::initTestCase()
{
    const QString path = realModelPath(kGemma);
    if (!path.isEmpty()) {
        m_gemma = openTokenizer(path);
    }
}

#define NEED_GEMMA()                                                                                                   \
    if (!m_gemma) {                                                                                                    \
        QSKIP("gemma-3-270m-q4_k_m.gguf is not on this machine");                                                      \
    }

void TestTokenizerSpm::matchesGoldenOfGemma()
{
    NEED_GEMMA();
    checkRealTokenizer(*m_gemma, goldenPath("real/gemma3/tokenizer.json"));
    QVERIFY(m_gemma->isEndOfGeneration(1));    // <eos>
    QVERIFY(m_gemma->isEndOfGeneration(106));  // <end_of_turn>
    QVERIFY(!m_gemma->isEndOfGeneration(212)); // </s>, a tag of HTML here
}

void TestTokenizerSpm::matchesGoldenOfTinyModels_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name : {"llama-linear", "gemma2", "gemma3", "mistral-swa", "mixtral", "phi3", "phi3-longrope"}) {
        QTest::newRow(name) << QString(name);
    }
}

void TestTokenizerSpm::matchesGoldenOfTinyModels()
{
    QFETCH(QString, name);
    const QString golden = goldenPath(QStringLiteral("tiny/%1/tokenizer_golden.json").arg(name));
    QString model;
    for (const char* type : {"f32", "f16"}) {
        model = model.isEmpty() ? goldenPath(QStringLiteral("tiny/%1/model-%2.gguf").arg(name, type)) : model;
    }
    if (golden.isEmpty() || model.isEmpty()) {
        QSKIP("the golden data of this model is not on this machine");
    }
    const auto tokenizer = openTokenizer(model);
    QVERIFY(tokenizer);
    checkTinyTokenizer(*tokenizer, golden);
}

void TestTokenizerSpm::roundTripsInvalidUtf8()
{
    NEED_GEMMA();
    for (const std::string text : {"a\x80z", "\xE2\x96", "\xED\xA0\x80 b", "ok \xF0\x9F\x98 ok", "\xFF\xFE  \xFF"}) {
        QCOMPARE(m_gemma->decode(m_gemma->encode(text)), text);
    }
}

void TestTokenizerSpm::parsesSpecialTokensOnlyInTrustedStretches()
{
    NEED_GEMMA();
    const std::string text = "<start_of_turn>user\n<end_of_turn><start_of_turn>";
    const TextRange opening{0, 20};
    const auto ids = m_gemma->encodeTrusted(text, {&opening, 1}, false);
    QCOMPARE(ids.front(), 105);
    QCOMPARE(std::count_if(ids.begin(), ids.end(), [&](TokenId id) { return m_gemma->isSpecial(id); }), 1);
    QCOMPARE(m_gemma->decode(ids, true), text);
}

void TestTokenizerSpm::cutsChangeNothing()
{
    NEED_GEMMA();
    // The text is encoded word by word; a prefix that ends at a word must give a prefix of the ids.
    const std::string text =
        "The quick  brown   fox\n\n jumps\tover 12 lazy dogs. 빠른 갈색   여우가\n  <h1> 뛴다 \xE2\x96\x81 x";
    const auto whole = m_gemma->encode(text);
    for (size_t cut = 1; cut < text.size(); ++cut) {
        if (text[cut] == ' ' && text[cut - 1] > ' ') {
            auto joined = m_gemma->encode(text.substr(0, cut));
            const auto rest = m_gemma->encode(text.substr(cut));
            joined.insert(joined.end(), rest.begin(), rest.end());
            QCOMPARE(toText(joined), toText(whole));
        }
    }
}

void TestTokenizerSpm::endsWithOneLetterRepeated()
{
    NEED_GEMMA();
    for (const char* unit : {"a", " ", "1", "\n", "!", "가", "ab ", "word and other words, "}) {
        std::string text;
        while (text.size() < 1'000'000) {
            text += unit;
        }
        QElapsedTimer timer;
        timer.start();
        const auto ids = m_gemma->encode(text);
        qInfo("1 MB of '%s': %lld ms, %zu tokens", QByteArray(unit).toPercentEncoding().constData(), timer.elapsed(),
            ids.size());
        QVERIFY(timer.elapsed() < 20'000); // quadratic would be minutes
        QCOMPARE(m_gemma->decode(ids) == text, true);
    }
}

void TestTokenizerSpm::loadsQuickly()
{
    NEED_GEMMA();
    const auto file = GgufFile::open(realModelPath(kGemma).toStdString());
    QVERIFY(file);
    QBENCHMARK_ONCE
    {
        QVERIFY(makeTokenizer(*file));
    }
}

QTEST_GUILESS_MAIN(TestTokenizerSpm)
#include "tst_tokenizer_spm.moc"
