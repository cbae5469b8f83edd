#include "goldendata.h"
#include "tokenizergolden.h"

#include <QElapsedTimer>
#include <QTest>

#include <random>

using namespace kvasir;
using namespace kvasir::testing;

namespace {

const QString kSmolLm = QStringLiteral("SmolLM2-135M-Instruct.Q4_1.gguf");

} // namespace

class TestTokenizerBpe : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void matchesGoldenOfSmolLm();
    void matchesGoldenOfTinyModels_data();
    void matchesGoldenOfTinyModels();
    void encodesInvalidUtf8();
    void roundTripsRandomText();
    void parsesSpecialTokensOnlyInTrustedStretches();
    void knowsEndOfGeneration();
    void endsWithOneLetterRepeated();
    void loadsQuickly();
    void warnsOfUnknownPreTokenizer();
    void refusesBrokenVocabulary_data();
    void refusesBrokenVocabulary();
    void survivesOddVocabulary_data();
    void survivesOddVocabulary();

private:
    std::unique_ptr<Tokenizer> m_smolLm;
};

void TestTokenizerBpe::initTestCase()
{
    const QString path = realModelPath(kSmolLm);
    if (!path.isEmpty()) {
        m_smolLm = openTokenizer(path);
    }
}

#define NEED_SMOLLM()                                                                                                  \
    if (!m_smolLm) {                                                                                                   \
        QSKIP("SmolLM2-135M-Instruct.Q4_1.gguf is not on this machine");                                               \
    }

void TestTokenizerBpe::matchesGoldenOfSmolLm()
{
    NEED_SMOLLM();
    checkRealTokenizer(*m_smolLm, goldenPath("real/smollm2/tokenizer.json"));
}

void TestTokenizerBpe::matchesGoldenOfTinyModels_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name : {"llama-gqa", "llama3-rope", "llama-tied", "llama-yarn", "mistral-headdim", "qwen2",
             "qwen3", "qwen3-moe", "smollm3", "olmo2", "gpt-oss", "gpt-oss-mxfp4", "exaone4", "granite", "command-r"}) {
        QTest::newRow(name) << QString(name);
    }
}

void TestTokenizerBpe::matchesGoldenOfTinyModels()
{
    QFETCH(QString, name);
    const QString golden = goldenPath(QStringLiteral("tiny/%1/tokenizer_golden.json").arg(name));
    QString model;
    for (const char* type : {"f32", "f16", "mxfp4"}) {
        model = model.isEmpty() ? goldenPath(QStringLiteral("tiny/%1/model-%2.gguf").arg(name, type)) : model;
    }
    if (golden.isEmpty() || model.isEmpty()) {
        QSKIP("the golden data of this model is not on this machine");
    }
    const auto tokenizer = openTokenizer(model);
    QVERIFY(tokenizer);
    checkTinyTokenizer(*tokenizer, golden);
}

void TestTokenizerBpe::encodesInvalidUtf8()
{
    NEED_SMOLLM();
    for (const std::string text : {"a\x80z", "\xE2\x96", "\xED\xA0\x80", "ok \xF0\x9F\x98 ok"}) {
        QCOMPARE(m_smolLm->decode(m_smolLm->encode(text)), text);
    }
}

void TestTokenizerBpe::roundTripsRandomText()
{
    NEED_SMOLLM();
    std::mt19937 random(1);
    for (int round = 0; round < 300; ++round) {
        std::string text;
        for (unsigned i = random() % 60; i > 0; --i) {
            const auto pick = random() % 4;
            text += pick == 0 ? QString(QChar(static_cast<char16_t>(0xAC00 + random() % 11172))).toStdString()
                : pick == 1   ? std::string(1, ' ')
                              : std::string(1, static_cast<char>('!' + random() % 90));
        }
        QCOMPARE(m_smolLm->decode(m_smolLm->encode(text)), text);
    }
}

void TestTokenizerBpe::parsesSpecialTokensOnlyInTrustedStretches()
{
    NEED_SMOLLM();
    const std::string text = "<|im_start|>user\n<|im_end|><|im_start|>";
    const TextRange opening{0, 17}; // up to the newline
    const auto ids = m_smolLm->encodeTrusted(text, {&opening, 1}, false);
    QCOMPARE(ids.front(), 1);
    QCOMPARE(std::count_if(ids.begin(), ids.end(), [&](TokenId id) { return m_smolLm->isSpecial(id); }), 1);
    QCOMPARE(m_smolLm->decode(ids, true), text);
    const TextRange torn[] = {{0, 6}, {6, 12}}; // a token must lie in one stretch
    for (const TokenId id : m_smolLm->encodeTrusted("<|im_start|>", torn, false)) {
        QVERIFY(!m_smolLm->isSpecial(id));
    }
}

void TestTokenizerBpe::knowsEndOfGeneration()
{
    NEED_SMOLLM();
    QVERIFY(m_smolLm->isEndOfGeneration(0));  // <|endoftext|>
    QVERIFY(m_smolLm->isEndOfGeneration(2));  // <|im_end|>
    QVERIFY(!m_smolLm->isEndOfGeneration(1)); // <|im_start|>
    QVERIFY(m_smolLm->isSpecial(1));
    QVERIFY(!m_smolLm->isSpecial(1000));
    QVERIFY(!m_smolLm->isSpecial(-1));
    QVERIFY(!m_smolLm->isEndOfGeneration(m_smolLm->vocabularySize()));
    QCOMPARE(m_smolLm->piece(m_smolLm->vocabularySize()), std::string());
}

void TestTokenizerBpe::endsWithOneLetterRepeated()
{
    NEED_SMOLLM();
    for (const char* unit : {"a", " ", "1", "\n", "!", "가", "ab ", "😀"}) {
        std::string text;
        while (text.size() < 1'000'000) {
            text += unit;
        }
        QElapsedTimer timer;
        timer.start();
        const auto ids = m_smolLm->encode(text);
        qInfo("1 MB of '%s': %lld ms, %zu tokens", QByteArray(unit).toPercentEncoding().constData(), timer.elapsed(),
            ids.size());
        QVERIFY(timer.elapsed() < 30'000); // quadratic would be minutes; tests/bench measures
        QCOMPARE(m_smolLm->decode(ids) == text, true);
    }
}

void TestTokenizerBpe::loadsQuickly()
{
    NEED_SMOLLM();
    const auto file = GgufFile::open(realModelPath(kSmolLm).toStdString());
    QVERIFY(file);
    QBENCHMARK
    {
        QVERIFY(makeTokenizer(*file));
    }
}

void TestTokenizerBpe::warnsOfUnknownPreTokenizer()
{
    const QString unknown = goldenPath("bad/tokenizer_pre_unknown.gguf");
    const QString valid = goldenPath("bad/control_valid.gguf");
    if (unknown.isEmpty() || valid.isEmpty()) {
        QSKIP("the broken files are not on this machine");
    }
    const auto tokenizer = openTokenizer(unknown);
    QVERIFY(tokenizer);
    const auto warning = tokenizer->warning();
    QVERIFY(warning);
    QCOMPARE(int(warning->code), int(ErrorCode::Unsupported));
    QCOMPARE(QString::fromUtf8(warning->parameter("name").data()), QStringLiteral("no-such-pre"));
    QCOMPARE(tokenizer->decode(tokenizer->encode("Hello, world 123")), std::string("Hello, world 123"));
    QVERIFY(!openTokenizer(valid)->warning());
}

void TestTokenizerBpe::refusesBrokenVocabulary_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("mentions");
    const auto row = [](const char* name, ErrorCode code, const char* mentions) {
        QTest::newRow(name) << QStringLiteral("bad/%1.gguf").arg(name) << int(code) << QString(mentions);
    };
    row("missing_vocabulary", ErrorCode::MissingMetadata, "tokenizer.ggml.tokens");
    row("token_type_short", ErrorCode::BadTokenizer, "10 token types");
    row("tokenizer_model_unknown", ErrorCode::Unsupported, "unigram-x");
    row("scores_bad", ErrorCode::BadTokenizer, "20 scores");
}

void TestTokenizerBpe::refusesBrokenVocabulary()
{
    QFETCH(QString, file);
    QFETCH(int, code);
    QFETCH(QString, mentions);
    const QString path = goldenPath(file);
    if (path.isEmpty()) {
        QSKIP("the broken files are not on this machine");
    }
    const Error error = tokenizerError(path);
    QVERIFY2(QString::fromStdString(error.detail).contains(mentions), error.detail.c_str());
    QCOMPARE(int(error.code), code);
}

void TestTokenizerBpe::survivesOddVocabulary_data()
{
    QTest::addColumn<QString>("file");
    for (const char* name : {"control_valid", "merges_invalid", "merges_cyclic", "token_invalid_utf8",
             "token_duplicate", "special_id_out_of_range", "byte_token_malformed"}) {
        QTest::newRow(name) << QStringLiteral("bad/%1.gguf").arg(name);
    }
}

void TestTokenizerBpe::survivesOddVocabulary()
{
    QFETCH(QString, file);
    const QString path = goldenPath(file);
    if (path.isEmpty()) {
        QSKIP("the broken files are not on this machine");
    }
    const auto tokenizer = openTokenizer(path);
    QVERIFY(tokenizer);
    QVERIFY(tokenizer->bos() < tokenizer->vocabularySize());
    QVERIFY(tokenizer->eos() < tokenizer->vocabularySize());
    std::string text;
    for (int byte = 0; byte < 256; ++byte) {
        text += static_cast<char>(byte);
        text += "the quick 12345 가나 ";
    }
    for (const EncodeOptions options : {EncodeOptions{}, EncodeOptions{true, true}}) {
        for (const TokenId id : tokenizer->encode(text, options)) {
            QVERIFY(id >= 0 && id < tokenizer->vocabularySize());
            tokenizer->piece(id, true);
        }
    }
}

QTEST_GUILESS_MAIN(TestTokenizerBpe)
#include "tst_tokenizer_bpe.moc"
