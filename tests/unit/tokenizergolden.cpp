#include "tokenizergolden.h"

#include "goldendata.h"

#include <QTest>

#include <nlohmann/json.hpp>

namespace kvasir::testing {

namespace {

using Json = nlohmann::json;

// Not Qt's JSON: it drops a byte order mark at the start of a text.
Json readGolden(const QString& path)
{
    return Json::parse(readAll(path).toStdString(), nullptr, false);
}

std::vector<TokenId> ids(const Json& array)
{
    return array.get<std::vector<TokenId>>();
}

std::string fromHex(const Json& hex)
{
    return QByteArray::fromHex(QByteArray::fromStdString(hex.get<std::string>())).toStdString();
}

QByteArray shown(std::string_view bytes)
{
    return QByteArray(bytes.data(), qsizetype(bytes.size())).toPercentEncoding(" ");
}

} // namespace

std::unique_ptr<Tokenizer> openTokenizer(const QString& path)
{
    auto file = GgufFile::open(path.toStdString());
    if (!file) {
        QTest::qFail(file.error().detail.c_str(), __FILE__, __LINE__);
        return nullptr;
    }
    auto tokenizer = makeTokenizer(*file);
    if (!tokenizer) {
        QTest::qFail(tokenizer.error().detail.c_str(), __FILE__, __LINE__);
        return nullptr;
    }
    return *std::move(tokenizer);
}

Error tokenizerError(const QString& path)
{
    const auto file = GgufFile::open(path.toStdString());
    if (!file) {
        return file.error();
    }
    const auto tokenizer = makeTokenizer(*file);
    return tokenizer ? Error{ErrorCode::Internal, {}, "loaded"} : tokenizer.error();
}

QString toText(const std::vector<TokenId>& ids)
{
    QStringList words;
    for (const TokenId id : ids) {
        words.append(QString::number(id));
    }
    return words.join(u' ');
}

void checkRealTokenizer(const Tokenizer& tokenizer, const QString& goldenFile)
{
    const Json golden = readGolden(goldenFile);
    QVERIFY(golden.is_object());
    QCOMPARE(tokenizer.vocabularySize(), golden["n_vocab"].get<int>());
    QVERIFY(golden["cases"].size() > 100);
    for (const Json& item : golden["cases"]) {
        const auto text = item["text"].get<std::string>();
        const Json& plain = item["ids"];
        QCOMPARE(toText(tokenizer.encode(text)), toText(ids(plain)));
        QCOMPARE(toText(tokenizer.encode(text, {.parseSpecial = true})),
            toText(ids(item.value("ids_parse_special", plain))));
        QCOMPARE(toText(tokenizer.encode(text, {.addSpecial = true, .parseSpecial = true})),
            toText(ids(item["ids_add_and_parse_special"])));
        const std::string back = item.contains("detok") ? item["detok"].get<std::string>() : fromHex(item["detok_hex"]);
        QCOMPARE(shown(tokenizer.decode(ids(plain), true)), shown(back));
    }
    QVERIFY(!golden["detokenize"].empty());
    for (const Json& item : golden["detokenize"]) {
        QCOMPARE(shown(tokenizer.decode(ids(item["ids"]), true)), shown(fromHex(item["bytes_hex"])));
        QCOMPARE(shown(tokenizer.decode(ids(item["ids"]))), shown(fromHex(item["bytes_hex_without_special"])));
    }
    QVERIFY(!golden["piece_hex"].empty());
    for (const auto& [id, hex] : golden["piece_hex"].items()) {
        QCOMPARE(shown(tokenizer.piece(std::stoi(id), true)), shown(fromHex(hex)));
    }
}

void checkTinyTokenizer(const Tokenizer& tokenizer, const QString& goldenFile)
{
    const Json golden = readGolden(goldenFile);
    QVERIFY(golden.is_object());
    QCOMPARE(tokenizer.addsBos(), golden["add_bos"].get<bool>());
    QVERIFY(!golden["cases"].empty());
    for (const Json& item : golden["cases"]) {
        QCOMPARE(toText(tokenizer.encode(item["text"].get<std::string>())), toText(ids(item["ids"])));
        QCOMPARE(shown(tokenizer.decode(ids(item["ids"]))), shown(item["detok"].get<std::string>()));
    }
    QVERIFY(!golden["special_cases"].empty());
    for (const Json& item : golden["special_cases"]) {
        const auto text = item["text"].get<std::string>();
        QCOMPARE(toText(tokenizer.encode(text, {.parseSpecial = true})), toText(ids(item["ids_parse_special"])));
        // llama.cpp takes these four of gpt-oss's for ordinary text tokens; a user could forge a turn with them.
        if (text.find("<|start|>") == std::string::npos && text.find("<|message|>") == std::string::npos
            && text.find("<|channel|>") == std::string::npos) {
            QCOMPARE(toText(tokenizer.encode(text)), toText(ids(item["ids_no_parse_special_llama_cpp"])));
        }
        for (const TokenId id : tokenizer.encode(text)) {
            QVERIFY(!tokenizer.isSpecial(id));
        }
    }
    QCOMPARE(toText(tokenizer.encode("Hello", {.addSpecial = true})), toText(ids(golden["with_special_Hello"])));
}

} // namespace kvasir::testing
