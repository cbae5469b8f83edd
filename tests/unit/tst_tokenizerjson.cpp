#include "goldendata.h"
#include "readtokenizerjson.h"

#include <QDir>
#include <QTest>

using namespace kvasir;
using namespace kvasir::testing;
using Json = nlohmann::json;

/// tokenizer.json against the `tokenizers` library: tests/golden/tokenizerjson/make.py made the cases.
class TokenizerJsonTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();

    void givesTheIdsOfTheLibrary_data();
    void givesTheIdsOfTheLibrary();
    void normalizesAroundBytesThatAreNotUtf8();
    void refusesBrokenTokenizers_data();
    void refusesBrokenTokenizers();
    void survivesWhatTheFuzzerFound();

private:
    Json m_cases;
};

namespace {

QString toText(const std::vector<TokenId>& ids)
{
    QStringList words;
    for (const TokenId id : ids) {
        words << QString::number(id);
    }
    return words.join(u' ');
}

} // namespace

void TokenizerJsonTest::initTestCase()
{
    m_cases = Json::parse(readAll(smallGoldenDir() + "/tokenizerjson/cases.json").toStdString(), nullptr, false);
    QVERIFY(m_cases.size() >= 8);
}

void TokenizerJsonTest::givesTheIdsOfTheLibrary_data()
{
    QTest::addColumn<int>("index");
    for (size_t i = 0; i < m_cases.size(); ++i) {
        QTest::newRow(m_cases[i]["name"].get<std::string>().c_str()) << static_cast<int>(i);
    }
}

void TokenizerJsonTest::givesTheIdsOfTheLibrary()
{
    QFETCH(int, index);
    const Json& given = m_cases[static_cast<size_t>(index)];
    const auto tokenizer = tokenizerOfJson(given["tokenizer"].dump(), given["rows"].get<uint64_t>());
    QVERIFY2(tokenizer, tokenizer ? "" : tokenizer.error().detail.c_str());
    QVERIFY(given["texts"].size() > 10);
    for (const Json& item : given["texts"]) {
        const auto text = item["text"].get<std::string>();
        const QString found = toText((*tokenizer)->encode(text, {.parseSpecial = true}));
        if (item.contains("decoded")) {
            const std::string back = (*tokenizer)->decode(item["ids"].get<std::vector<TokenId>>(), true);
            QCOMPARE(QString::fromStdString(back), QString::fromStdString(item["decoded"].get<std::string>()));
        }
        const QString wanted = toText(item["ids"].get<std::vector<TokenId>>());
        QVERIFY2(found == wanted,
            qPrintable(QString("'%1': %2 instead of %3").arg(QString::fromStdString(text), found, wanted)));
    }
}

void TokenizerJsonTest::normalizesAroundBytesThatAreNotUtf8()
{
    for (const Json& given : m_cases) {
        if (given["name"] == "bytes nfkc") {
            const auto tokenizer = tokenizerOfJson(given["tokenizer"].dump(), given["rows"].get<uint64_t>());
            QVERIFY(tokenizer);
            const auto decoded = (*tokenizer)
                                     ->decode((*tokenizer)
                                                  ->encode("\xFF"
                                                           "e\xCC\x81\xEF\xAC\x81\x80"));
            QCOMPARE(decoded,
                std::string("\xFF\xC3\xA9"
                            "fi\x80"));
        }
    }
}

void TokenizerJsonTest::refusesBrokenTokenizers_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("code");
    const auto row = [](const char* name, const QByteArray& text, ErrorCode code) {
        QTest::newRow(name) << text << static_cast<int>(code);
    };
    const QByteArray bytes = R"("pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false}, "model": )";
    row("no JSON", "{", ErrorCode::Malformed);
    row("no model", "{}", ErrorCode::BadTokenizer);
    row("no vocabulary", "{" + bytes + R"({"type": "BPE", "merges": []}})", ErrorCode::BadTokenizer);
    row("no merges", "{" + bytes + R"({"type": "BPE", "vocab": {"a": 0}}})", ErrorCode::BadTokenizer);
    row("a token without a number", "{" + bytes + R"({"type": "BPE", "vocab": {"a": "0"}, "merges": []}})",
        ErrorCode::BadTokenizer);
    row("a merge of three", "{" + bytes + R"({"type": "BPE", "vocab": {"a": 0}, "merges": [["a", "b", "c"]]}})",
        ErrorCode::BadTokenizer);
    row("a merge with a space", "{" + bytes + R"({"type": "BPE", "vocab": {"a": 0}, "merges": [["a b", "c"]]}})",
        ErrorCode::BadTokenizer);
    row("an affix", "{" + bytes + R"({"type": "BPE", "end_of_word_suffix": "</w>", "vocab": {"a": 0}, "merges": []}})",
        ErrorCode::Unsupported);
    row("dropout", "{" + bytes + R"({"type": "BPE", "dropout": 0.1, "vocab": {"a": 0}, "merges": []}})",
        ErrorCode::Unsupported);
    row("characters without bytes", R"({"normalizer": {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
        "model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}})",
        ErrorCode::Unsupported);
    row("neither bytes nor signs", R"({"model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}})",
        ErrorCode::Unsupported);
    row("a score that is text", R"({"pre_tokenizer": {"type": "Metaspace", "replacement": "▁"},
        "model": {"type": "Unigram", "vocab": [["a", "b"]]}})",
        ErrorCode::BadTokenizer);
    row("an added token without a number", "{" + bytes + R"({"type": "BPE", "vocab": {"a": 0}, "merges": []},
        "added_tokens": [{"content": "a"}]})",
        ErrorCode::BadTokenizer);
}

void TokenizerJsonTest::refusesBrokenTokenizers()
{
    QFETCH(QByteArray, text);
    QFETCH(int, code);
    const auto tokenizer = tokenizerOfJson(text.toStdString(), 300);
    QVERIFY(!tokenizer);
    QVERIFY2(static_cast<int>(tokenizer.error().code) == code, tokenizer.error().detail.c_str());
}

void TokenizerJsonTest::survivesWhatTheFuzzerFound()
{
    const QDir corpus(smallGoldenDir() + "/../fuzz/corpus/tokenizerjson");
    const QStringList names = corpus.entryList(QDir::Files);
    int accepted = 0;
    for (const QString& name : names) {
        const std::string text = readAll(corpus.filePath(name)).toStdString();
        tryTokenizerJson(text);
        accepted += tokenizerOfJson(text, 300) ? 1 : 0;
    }
    QVERIFY(accepted >= 4); // else the corpus would no longer reach behind the reader
}

QTEST_GUILESS_MAIN(TokenizerJsonTest)
#include "tst_tokenizerjson.moc"
