#include "base/utf8.h"
#include "text/detokenizer.h"
#include "text/tokenizer.h"

#include <QTest>

#include <random>

using namespace kvasir;

namespace {

/// Token n < pieces: that piece. What a tokenizer's vocabulary looks like to the detokenizer, and nothing more.
class PieceTokenizer final : public Tokenizer {
public:
    explicit PieceTokenizer(std::vector<std::string> pieces)
        : m_pieces(std::move(pieces))
    {
    }
    std::vector<TokenId> encode(std::string_view, EncodeOptions) const override { return {}; }
    std::vector<TokenId> encodeTrusted(std::string_view, std::span<const TextRange>, bool) const override { return {}; }
    std::string decode(std::span<const TokenId>, bool) const override { return {}; }
    std::string piece(TokenId token, bool showSpecial) const override
    {
        return isSpecial(token) && !showSpecial ? std::string() : m_pieces[static_cast<size_t>(token)];
    }
    int vocabularySize() const override { return static_cast<int>(m_pieces.size()); }
    bool isSpecial(TokenId token) const override { return m_pieces[static_cast<size_t>(token)] == "<end>"; }
    bool isEndOfGeneration(TokenId) const override { return false; }
    std::vector<TokenId> endsOfGeneration() const override { return {}; }
    void addEndsOfGeneration(std::span<const TokenId>) override { }
    TokenId bos() const override { return kNoToken; }
    TokenId eos() const override { return kNoToken; }
    bool addsBos() const override { return false; }

private:
    std::vector<std::string> m_pieces;
};

PieceTokenizer allBytes()
{
    std::vector<std::string> pieces;
    for (int byte = 0; byte < 256; ++byte) {
        pieces.emplace_back(1, static_cast<char>(byte));
    }
    return PieceTokenizer(std::move(pieces));
}

} // namespace

class TestDetokenizer : public QObject {
    Q_OBJECT

private slots:
    void holdsACharacterUntilItIsWhole();
    void neverHoldsMoreThanThreeBytes();
    void flushesAnUnfinishedCharacterAsReplacement();
    void leavesOutSpecialTokens();
    void randomSplitsGiveTheWholeText();
    void randomBytesGiveWhatTheWholeGives();
};

void TestDetokenizer::holdsACharacterUntilItIsWhole()
{
    const PieceTokenizer tokenizer({"a\xEA", "\xB0", "\x80z"});
    Detokenizer detokenizer(tokenizer);
    QCOMPARE(detokenizer.push(0), std::string("a"));
    QCOMPARE(detokenizer.push(1), std::string());
    QCOMPARE(detokenizer.heldBytes(), 2);
    QCOMPARE(detokenizer.push(2), std::string("\xEA\xB0\x80z"));
    QCOMPARE(detokenizer.flush(), std::string());
}

void TestDetokenizer::neverHoldsMoreThanThreeBytes()
{
    const PieceTokenizer tokenizer = allBytes();
    Detokenizer detokenizer(tokenizer);
    std::string shown;
    for (int i = 0; i < 100; ++i) {
        shown += detokenizer.push(0x80);
        QCOMPARE(detokenizer.heldBytes(), 0);
    }
    QCOMPARE(shown.size(), size_t(300));
    std::mt19937 random(5);
    for (int i = 0; i < 100000; ++i) {
        detokenizer.push(static_cast<TokenId>(0x80 + random() % 0x80));
        QVERIFY(detokenizer.heldBytes() <= 3);
    }
}

void TestDetokenizer::flushesAnUnfinishedCharacterAsReplacement()
{
    const PieceTokenizer tokenizer({"\xF0\x9F\x98"});
    Detokenizer detokenizer(tokenizer);
    QCOMPARE(detokenizer.push(0), std::string());
    QCOMPARE(detokenizer.flush(), std::string(kReplacementCharacter));
    QCOMPARE(detokenizer.heldBytes(), 0);
    QCOMPARE(detokenizer.flush(), std::string());
}

void TestDetokenizer::leavesOutSpecialTokens()
{
    const PieceTokenizer tokenizer({"x", "<end>"});
    Detokenizer hidden(tokenizer);
    QCOMPARE(hidden.push(0) + hidden.push(1), std::string("x"));
    Detokenizer shown(tokenizer, true);
    QCOMPARE(shown.push(0) + shown.push(1), std::string("x<end>"));
}

void TestDetokenizer::randomSplitsGiveTheWholeText()
{
    const std::string text = "Grüße, 세계! 👩‍🚀 𓀀 — ok\n";
    std::mt19937 random(9);
    for (int round = 0; round < 500; ++round) {
        std::vector<std::string> pieces;
        for (size_t position = 0; position < text.size();) {
            const size_t length = 1 + random() % 6;
            pieces.push_back(text.substr(position, length));
            position += length;
        }
        const auto count = static_cast<TokenId>(pieces.size());
        const PieceTokenizer tokenizer(std::move(pieces));
        Detokenizer detokenizer(tokenizer);
        std::string shown;
        for (TokenId token = 0; token < count; ++token) {
            const std::string part = detokenizer.push(token);
            QCOMPARE(replaceInvalidUtf8(part), part);
            shown += part;
        }
        QCOMPARE(shown + detokenizer.flush(), text);
    }
}

void TestDetokenizer::randomBytesGiveWhatTheWholeGives()
{
    const PieceTokenizer tokenizer = allBytes();
    std::mt19937 random(11);
    // Bytes at the borders of what UTF-8 allows.
    const unsigned char bytes[] = {
        'a', 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC1, 0xC2, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xF5};
    for (int round = 0; round < 5000; ++round) {
        std::string text;
        std::string shown;
        Detokenizer detokenizer(tokenizer);
        for (unsigned i = random() % 12; i > 0; --i) {
            const unsigned char byte = bytes[random() % std::size(bytes)];
            text += static_cast<char>(byte);
            shown += detokenizer.push(byte);
        }
        shown += detokenizer.flush();
        QCOMPARE(shown, replaceInvalidUtf8(text));
        // Qt's decoder is the second opinion.
        QCOMPARE(QString::fromStdString(shown).contains(QChar(0xFFFD)),
            QString::fromStdString(text).contains(QChar(0xFFFD)));
    }
}

QTEST_GUILESS_MAIN(TestDetokenizer)
#include "tst_detokenizer.moc"
