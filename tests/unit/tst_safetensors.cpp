#include "files/safetensors.h"
#include "goldendata.h"
#include "readsafetensors.h"
#include "safetensorswriter.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <memory>

using namespace kvasir;
using namespace kvasir::testing;

class SafetensorsTest : public QObject {
    Q_OBJECT

private slots:
    void readsWhatWasWritten();
    void readsTensorsInAnyOrderOfTheHeader();
    void acceptsSpacesBehindTheHeader();
    void acceptsATensorWithoutValues();
    void refusesEveryTruncation();
    void survivesEveryChangedByte();
    void survivesWhatTheFuzzerFound();
    void refusesABrokenHeader_data();
    void refusesABrokenHeader();
    void refusesAHeaderOfImpossibleLength();
    void tellsOtherFilesApart();

private:
    static Result<SafetensorsFile> parse(const std::string& bytes)
    {
        return SafetensorsFile::parse(FileMap::borrow(std::as_bytes(std::span(bytes)), "made.safetensors"));
    }
    static std::string sample()
    {
        SafetensorsWriter writer;
        writer.add({"first", "F32", {2, 3}, std::string(24, 'a')});
        writer.add({"second", "BF16", {5}, std::string(10, 'b')});
        writer.add({"blocks", "U8", {1, 2, 4}, std::string(8, 'c')});
        return writer.bytes();
    }
};

namespace {

bool says(const Error& error, const std::string& text)
{
    return error.detail.find(text) != std::string::npos;
}

} // namespace

void SafetensorsTest::readsWhatWasWritten()
{
    const std::string bytes = sample();
    const auto file = parse(bytes);
    QVERIFY2(file, file ? "" : file.error().detail.c_str());
    QCOMPARE(file->tensors().size(), size_t(3));
    const SafeTensor& second = file->tensors()[1];
    QCOMPARE(second.name, std::string("second"));
    QCOMPARE(second.dtype, std::string("BF16"));
    QVERIFY(second.shape == std::vector<uint64_t>{5});
    QCOMPARE(second.bytes, size_t(10));
    QCOMPARE(second.data[0], std::byte('b'));
    QCOMPARE(second.data[9], std::byte('b'));
    QCOMPARE(file->tensors()[2].elements(), uint64_t(8));
}

void SafetensorsTest::readsTensorsInAnyOrderOfTheHeader()
{
    const std::string bytes = SafetensorsWriter::fileOf(R"({"b": {"dtype": "U8", "shape": [2], "data_offsets": [0, 2]},
        "a": {"shape": [1], "data_offsets": [2, 3], "dtype": "I8"}})",
        "xyz");
    const auto file = parse(bytes);
    QVERIFY2(file, file ? "" : file.error().detail.c_str());
    QCOMPARE(file->tensors()[1].name, std::string("a"));
    QCOMPARE(file->tensors()[1].data[0], std::byte('z'));
}

void SafetensorsTest::acceptsSpacesBehindTheHeader()
{
    const std::string bytes =
        SafetensorsWriter::fileOf(R"({"a": {"dtype": "U8", "shape": [1], "data_offsets": [0, 1]}}     )", "x");
    QVERIFY(parse(bytes));
}

void SafetensorsTest::acceptsATensorWithoutValues()
{
    const std::string bytes =
        SafetensorsWriter::fileOf(R"({"a": {"dtype": "F32", "shape": [0, 4], "data_offsets": [0, 0]},
        "b": {"dtype": "F32", "shape": [], "data_offsets": [0, 4]}})",
            "1234");
    const auto file = parse(bytes);
    QVERIFY2(file, file ? "" : file.error().detail.c_str());
    QCOMPARE(file->tensors()[0].elements(), uint64_t(0));
    QCOMPARE(file->tensors()[1].elements(), uint64_t(1)); // a number by itself
}

void SafetensorsTest::refusesEveryTruncation()
{
    const std::string whole = sample();
    QVERIFY(parse(whole));
    for (size_t length = 0; length < whole.size(); ++length) {
        // A copy of exactly this length, so that a sanitizer sees every byte that is read behind the end.
        const std::unique_ptr<std::byte[]> exact(new std::byte[length]);
        std::memcpy(exact.get(), whole.data(), length);
        const auto file = SafetensorsFile::parse(FileMap::borrow({exact.get(), length}, "cut"));
        QVERIFY2(!file, qPrintable(QString::number(length)));
        QCOMPARE(file.error().code, ErrorCode::Truncated);
    }
}

void SafetensorsTest::survivesEveryChangedByte()
{
    const std::string whole = sample();
    int accepted = 0;
    for (size_t at = 0; at < whole.size(); ++at) {
        for (const char change : {'\0', ' ', '"', '[', '{', '9', '\xff'}) {
            std::string changed = whole;
            changed[at] = change;
            accepted += readWholeSafetensors(std::as_bytes(std::span(changed))) > 0 ? 1 : 0;
        }
    }
    QVERIFY(accepted > 42 * 6); // its 42 bytes of values may be anything
}

void SafetensorsTest::survivesWhatTheFuzzerFound()
{
    const QDir corpus(smallGoldenDir() + "/../fuzz/corpus/safetensors");
    const QStringList files = corpus.entryList(QDir::Files);
    QVERIFY(!files.isEmpty());
    for (const QString& name : files) {
        QFile file(corpus.filePath(name));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();
        readWholeSafetensors(std::as_bytes(std::span(bytes.data(), static_cast<size_t>(bytes.size()))));
    }
}

void SafetensorsTest::refusesABrokenHeader_data()
{
    QTest::addColumn<QByteArray>("header");
    QTest::addColumn<QString>("message");
    QTest::addColumn<bool>("isUnsupported");
    const auto row = [](const char* name, const QByteArray& header, const char* message, bool isUnsupported = false) {
        QTest::newRow(name) << header << message << isUnsupported;
    };
    const auto tensor = [](const QByteArray& dtype, const QByteArray& shape, const QByteArray& offsets) {
        return QByteArray("{\"dtype\":" + dtype + ",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}");
    };
    const QByteArray four = tensor("\"U8\"", "[4]", "[0,4]");
    row("a type of the future", "{\"a\":" + tensor("\"F4\"", "[8]", "[0,4]") + "}", "'F4'", true);
    row("a type that is a number", "{\"a\":" + tensor("7", "[4]", "[0,4]") + "}", "not made of dtype");
    row("a negative size", "{\"a\":" + tensor("\"U8\"", "[-4]", "[0,4]") + "}", "not made of dtype");
    row("a size with a fraction", "{\"a\":" + tensor("\"U8\"", "[4.0]", "[0,4]") + "}", "not made of dtype");
    row("a size of another shape", "{\"a\":" + tensor("\"U8\"", "[5]", "[0,4]") + "}", "of 5 bytes lies from 0 to 4");
    row("an end before the begin", "{\"a\":" + tensor("\"U8\"", "[4]", "[4,0]") + "}", "lies from 4 to 0");
    row("one offset", "{\"a\":" + tensor("\"U8\"", "[4]", "[0]") + "}", "not made of dtype");
    row("three offsets", "{\"a\":" + tensor("\"U8\"", "[4]", "[0,4,4]") + "}", "not made of dtype");
    row("sizes that overflow", "{\"a\":" + tensor("\"U8\"", "[4294967296,4294967296,4294967297]", "[0,4]") + "}",
        "overflows");
    row("nine dimensions", "{\"a\":" + tensor("\"U8\"", "[1,1,1,1,1,1,1,1,4]", "[0,4]") + "}", "dimensions");
    row("an overlap", "{\"a\":" + four + ",\"b\":" + tensor("\"U8\"", "[2]", "[2,4]") + "}", "begins at 2");
    row("twice the same bytes", "{\"a\":" + four + ",\"b\":" + four + "}", "begins at 0");
    row("a hole", "{\"a\":" + tensor("\"U8\"", "[1]", "[0,1]") + ",\"b\":" + tensor("\"U8\"", "[2]", "[2,4]") + "}",
        "begins at 2");
    row("bytes before the first", "{\"a\":" + tensor("\"U8\"", "[3]", "[1,4]") + "}", "begins at 1");
    row("bytes behind the last", "{\"a\":" + tensor("\"U8\"", "[3]", "[0,3]") + "}", "belong to no tensor");
    row("a name twice", "{\"a\":" + four + ",\"a\":" + four + "}", "there twice");
    row("no name", "{\"\":" + four + "}", "no object with a name");
    row("a field too many", "{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4],\"x\":1}}",
        "not made of dtype");
    row("a list", "{\"a\":[]}", "no object");
    row("deep", "{\"a\":" + QByteArray(1000, '[') + QByteArray(1000, ']') + "}", "levels deep");
    row("not closed", "{\"a\":" + four, "JSON is broken");
    row("something behind", "{\"a\":" + four + "}}", "JSON is broken");
    row("no UTF-8", "{\"\xff\":" + four + "}", "JSON is broken");
    row("a huge number", "{\"a\":" + tensor("\"U8\"", "[4]", "[0,1e999]") + "}", "out of range");
}

void SafetensorsTest::refusesABrokenHeader()
{
    QFETCH(QByteArray, header);
    QFETCH(QString, message);
    QFETCH(bool, isUnsupported);
    const std::string bytes = SafetensorsWriter::fileOf(header.toStdString(), "abcd");
    const auto file = parse(bytes);
    QVERIFY(!file);
    QCOMPARE(file.error().code, isUnsupported ? ErrorCode::Unsupported : ErrorCode::Malformed);
    QVERIFY2(says(file.error(), message.toStdString()), file.error().detail.c_str());
}

void SafetensorsTest::refusesAHeaderOfImpossibleLength()
{
    for (const uint64_t length : {uint64_t(100'000'001), uint64_t(1) << 63, UINT64_MAX}) {
        std::string bytes = sample();
        std::memcpy(bytes.data(), &length, sizeof length);
        const auto file = parse(bytes);
        QVERIFY(!file);
        QCOMPARE(file.error().code, ErrorCode::Malformed);
    }
}

void SafetensorsTest::tellsOtherFilesApart()
{
    const auto file = parse("GGUF\3\0\0\0\0\0\0\0 and so on");
    QVERIFY(!file);
    QVERIFY(file.error().code != ErrorCode::Internal);
    const auto other = parse(std::string("\x10\0\0\0\0\0\0\0hello, I am text", 24));
    QCOMPARE(other.error().code, ErrorCode::NotAModelFile);
}

QTEST_GUILESS_MAIN(SafetensorsTest)
#include "tst_safetensors.moc"
