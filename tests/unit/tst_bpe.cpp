#include "files/gguf.h"
#include "ggufwriter.h"
#include "text/bpe/wordcache.h"
#include "text/bpe/wordmerger.h"
#include "text/tokenizer.h"
#include "tokenizergolden.h"

#include <QTemporaryDir>
#include <QTest>

#include <random>

using namespace kvasir;
using namespace kvasir::testing;

namespace {

struct PairMerge {
    TokenId left = 0;
    TokenId right = 0;
    TokenId result = 0;
};

/// The definition, word for word: the earliest merge that applies anywhere, at its leftmost place, again and again.
std::vector<TokenId> mergeSlowly(std::vector<TokenId> symbols, const std::vector<PairMerge>& merges)
{
    for (size_t rank = 0; rank < merges.size();) {
        bool applied = false;
        for (size_t i = 0; i + 1 < symbols.size() && !applied; ++i) {
            if (symbols[i] == merges[rank].left && symbols[i + 1] == merges[rank].right) {
                symbols[i] = merges[rank].result;
                symbols.erase(symbols.begin() + static_cast<ptrdiff_t>(i) + 1);
                applied = true;
            }
        }
        rank = applied ? 0 : rank + 1;
    }
    return symbols;
}

} // namespace

class TestBpe : public QObject {
    Q_OBJECT

private slots:
    void mergesAsDefined_data();
    void mergesAsDefined();
    void cacheKeepsWordsApart();
    void mergesCharactersOfPlainText();
    void refusesKindsByName_data();
    void refusesKindsByName();

private:
    QString write(const GgufWriter& writer);

    QTemporaryDir m_dir;
};

QString TestBpe::write(const GgufWriter& writer)
{
    const QString path = m_dir.filePath("vocabulary.gguf");
    return writer.write(path.toStdString()) ? path : QString();
}

void TestBpe::mergesAsDefined_data()
{
    QTest::addColumn<int>("letters");
    QTest::addColumn<int>("merges");
    QTest::newRow("one letter") << 1 << 8;
    QTest::newRow("two letters") << 2 << 30;
    QTest::newRow("five letters") << 5 << 80;
    QTest::newRow("no merge") << 3 << 0;
}

void TestBpe::mergesAsDefined()
{
    QFETCH(int, letters);
    QFETCH(int, merges);
    std::mt19937 random(3);
    for (int round = 0; round < 40; ++round) {
        std::vector<PairMerge> pairs;
        MergeTable table;
        table.reserve(static_cast<size_t>(merges));
        for (int i = 0; i < merges; ++i) {
            const auto known = static_cast<unsigned>(letters + i);
            const PairMerge pair{TokenId(random() % known), TokenId(random() % known), letters + i};
            pairs.push_back(pair);
            table.add(pair.left, pair.right, {static_cast<uint32_t>(i), pair.result});
        }
        WordMerger merger(table);
        for (size_t length = 0; length < 130; length += 1 + length / 12) { // short words and long ones
            std::vector<TokenId> symbols;
            for (size_t i = 0; i < length; ++i) {
                symbols.push_back(TokenId(random() % static_cast<unsigned>(letters)));
            }
            const auto expected = mergeSlowly(symbols, pairs);
            merger.merge(symbols);
            QCOMPARE(toText(symbols), toText(expected));
        }
    }
}

void TestBpe::cacheKeepsWordsApart()
{
    WordCache cache;
    std::vector<std::string> words;
    for (int i = 0; i < 5000; ++i) {
        words.push_back(std::string(static_cast<size_t>(i) % WordCache::kLongestWord + 1, 'a') + std::to_string(i));
        words.back() =
            words.back().substr(words.back().size() > WordCache::kLongestWord ? words.back().size() - 32 : 0);
    }
    for (size_t i = 0; i < words.size(); ++i) {
        const auto [entry, isNew] = cache.at(words[i]);
        QVERIFY(isNew);
        entry->begin = static_cast<uint32_t>(i);
    }
    for (size_t i = 0; i < words.size(); ++i) {
        const std::string copy = words[i];
        const auto [entry, isNew] = cache.at(copy);
        QVERIFY(!isNew);
        QCOMPARE(size_t(entry->begin), i);
    }
}

void TestBpe::mergesCharactersOfPlainText()
{
    // Ids:                              0        1      2    3    4    5     6     7     8      9
    std::vector<std::string> tokens = {"<unk>", "<eos>", "▁", "a", "b", "ab", "▁ab", "\n", "\n\n", "▁▁"};
    std::vector<int32_t> types = {2, 3, 1, 1, 1, 1, 1, 1, 1, 1};
    for (int byte = 0; byte < 256; ++byte) {
        tokens.push_back(
            QStringLiteral("<0x%1>").arg(byte, 2, 16, QChar(u'0')).toUpper().replace("<0X", "<0x").toStdString());
        types.push_back(6);
    }
    GgufWriter writer;
    writer.add("tokenizer.ggml.model", "gemma4");
    writer.add("tokenizer.ggml.eos_token_id", uint32_t(1));
    writer.addArray("tokenizer.ggml.tokens", tokens);
    writer.addArray("tokenizer.ggml.token_type", types);
    writer.addArray("tokenizer.ggml.merges", std::vector<std::string>{"a b", "▁ ▁", "▁ ab"});
    const auto tokenizer = openTokenizer(write(writer));
    QVERIFY(tokenizer);
    QVERIFY(!tokenizer->warning());
    const auto byte = [](int value) { return QString::number(10 + value); };
    QCOMPARE(toText(tokenizer->encode("ab ab")), QStringLiteral("5 6"));
    QCOMPARE(toText(tokenizer->encode("a  ab")), QStringLiteral("3 9 5")); // the spaces merge first
    QCOMPARE(toText(tokenizer->encode("a\n\nb\n")), QStringLiteral("3 8 4 7"));
    QCOMPARE(toText(tokenizer->encode("aé\xFF")), "3 " + byte(0xC3) + ' ' + byte(0xA9) + ' ' + byte(0xFF));
    const std::string text = "ab  b\n\n\n é ab\xE2\x82 a";
    QCOMPARE(tokenizer->decode(tokenizer->encode(text)), text);
}

void TestBpe::refusesKindsByName_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("mentions");
    for (const auto& [kind, mentions] : {std::pair("bert", "WordPiece"), {"t5", "Unigram"}, {"rwkv", "RWKV"},
             {"plamo2", "PLaMo 2"}, {"none", "no tokenizer"}, {"abacus", "'abacus' are not known"}}) {
        QTest::newRow(kind) << QString(kind) << QString(mentions);
    }
}

void TestBpe::refusesKindsByName()
{
    QFETCH(QString, kind);
    QFETCH(QString, mentions);
    GgufWriter writer;
    writer.add("tokenizer.ggml.model", kind.toStdString());
    writer.addArray("tokenizer.ggml.tokens", std::vector<std::string>{"a"});
    const Error error = tokenizerError(write(writer));
    QCOMPARE(int(error.code), int(ErrorCode::Unsupported));
    QVERIFY2(QString::fromStdString(error.detail).contains(mentions), error.detail.c_str());
}

QTEST_GUILESS_MAIN(TestBpe)
#include "tst_bpe.moc"
