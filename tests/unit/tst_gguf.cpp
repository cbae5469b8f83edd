#include "files/gguf.h"
#include "ggufwriter.h"
#include "goldendata.h"
#include "readgguf.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace kvasir;
using namespace kvasir::testing;

namespace {

std::atomic<size_t> allocatedBytes{0}; // since the last reset; frees are not taken off

} // namespace

void* operator new(size_t size)
{
    allocatedBytes += size;
    if (void* memory = std::malloc(size)) {
        return memory;
    }
    throw std::bad_alloc();
}

void* operator new(size_t size, const std::nothrow_t&) noexcept
{
    allocatedBytes += size;
    return std::malloc(size);
}

void operator delete(void* memory) noexcept
{
    std::free(memory);
}

void operator delete(void* memory, size_t) noexcept
{
    std::free(memory);
}

class TestGguf : public QObject {
    Q_OBJECT

private slots:
    void readsTheUnbrokenFile();
    void treatsBrokenFilesAsTheIndexSays_data();
    void treatsBrokenFilesAsTheIndexSays();
    void refusesEveryTruncation();
    void survivesEveryChangedByte();
    void survivesWhatTheFuzzerFound();
    void loadsEveryTinyModel();

    void loadsTheRealModels_data();
    void loadsTheRealModels();

    void readsVersion2();
    void convertsNumbersOnlyWhereTheyFit();
    void fallbackStandsInForAnAbsentKeyOnly();
    void readsArrays();
    void refusesWrongKindsByName();
    void refusesNestedArrays();
    void refusesATruthValueOfTwo();
    void honoursTheAlignment();
    void refusesAlignment_data();
    void refusesAlignment();
    void acceptsTensorsInAnyOrder();
    void refusesTensorsThatShareOneByte();
    void acceptsATensorThatEndsWithTheFile();
    void knowsTensorSizesOfEveryType();
    void refusesAPartOfASplitModelByItself();
    void namesOtherFormats_data();
    void namesOtherFormats();
    void showsValuesOnOneLine();
    void survivesMoves();

    void mapRefusesWhatIsNoFile();
    void mapRefusesWhatMayNotBeRead();
    void mapSaysWhenAddressSpaceIsShort();
    void mapGivesTheSameBytesAfterAdvice();

private:
    Result<GgufFile> parse(const GgufWriter& writer)
    {
        m_bytes = writer.bytes();
        return GgufFile::parse(FileMap::borrow(std::as_bytes(std::span(m_bytes)), "made.gguf"));
    }

    std::string m_bytes; // behind the file that parse() gave last
};

namespace {

/// What a reader of files must find; all other broken files are well-formed, and only their content is wrong for a
/// model.
const std::map<QString, ErrorCode>& fileErrors()
{
    static const std::map<QString, ErrorCode> errors{
        {"empty.gguf", ErrorCode::Truncated},
        {"not_gguf.gguf", ErrorCode::NotAModelFile},
        {"magic_only.gguf", ErrorCode::Truncated},
        {"wrong_magic.gguf", ErrorCode::NotAModelFile},
        {"version_1.gguf", ErrorCode::Unsupported},
        {"version_99.gguf", ErrorCode::Unsupported},
        {"big_endian.gguf", ErrorCode::Unsupported},
        {"truncated_header.gguf", ErrorCode::Truncated},
        {"truncated_kv.gguf", ErrorCode::Truncated},
        {"truncated_tensor_info.gguf", ErrorCode::Truncated},
        {"truncated_data.gguf", ErrorCode::Truncated},
        {"no_tensor_data.gguf", ErrorCode::Truncated},
        {"huge_tensor_count.gguf", ErrorCode::Truncated},
        {"huge_kv_count.gguf", ErrorCode::Truncated},
        {"tensor_count_too_large.gguf", ErrorCode::Malformed},
        {"string_length_past_end.gguf", ErrorCode::Truncated},
        {"key_length_huge.gguf", ErrorCode::Truncated},
        {"array_length_huge.gguf", ErrorCode::Truncated},
        {"nested_array.gguf", ErrorCode::Unsupported},
        {"deeply_nested_array.gguf", ErrorCode::Unsupported},
        {"unknown_value_type.gguf", ErrorCode::Malformed},
        {"duplicate_key.gguf", ErrorCode::Malformed},
        {"empty_key.gguf", ErrorCode::Malformed},
        {"odd_key.gguf", ErrorCode::Malformed},
        {"bad_alignment.gguf", ErrorCode::Malformed},
        {"huge_alignment.gguf", ErrorCode::Malformed},
        {"alignment_string.gguf", ErrorCode::Malformed},
        {"offset_past_end.gguf", ErrorCode::Truncated},
        {"offset_overflow.gguf", ErrorCode::Truncated},
        {"offset_misaligned.gguf", ErrorCode::Malformed},
        {"overlapping.gguf", ErrorCode::Malformed},
        {"n_dims_5.gguf", ErrorCode::Malformed},
        {"n_dims_huge.gguf", ErrorCode::Malformed},
        {"n_dims_zero.gguf", ErrorCode::Malformed},
        {"dim_zero.gguf", ErrorCode::Malformed},
        {"dim_negative.gguf", ErrorCode::Malformed},
        {"elements_overflow.gguf", ErrorCode::Malformed},
        {"bytes_overflow.gguf", ErrorCode::Malformed},
        {"type_unknown.gguf", ErrorCode::Unsupported},
        {"type_removed.gguf", ErrorCode::Unsupported},
        {"type_int.gguf", ErrorCode::Unsupported},
        {"row_not_block_multiple.gguf", ErrorCode::Malformed},
        {"name_too_long.gguf", ErrorCode::Malformed},
        {"name_empty.gguf", ErrorCode::Malformed},
        {"name_duplicate.gguf", ErrorCode::Malformed},
    };
    return errors;
}

std::string stdPath(const QString& path)
{
    return QFile::encodeName(path).toStdString();
}

GgufWriter::Tensor f32Tensor(const std::string& name, uint64_t columns)
{
    return {name, 0, {columns}, std::string(columns * 4, 'x'), {}};
}

bool says(const Error& error, std::string_view text)
{
    return error.detail.find(text) != std::string::npos;
}

} // namespace

void TestGguf::readsTheUnbrokenFile()
{
    const auto file = GgufFile::open(stdPath(goldenPath("bad/control_valid.gguf")));
    QVERIFY(file);
    QCOMPARE(file->version(), 3u);
    QCOMPARE(file->alignment(), 32u);
    QCOMPARE(file->fileSize(), uint64_t(64256));
    QCOMPARE(file->metadata().size(), size_t(20));
    QCOMPARE(file->tensors().size(), size_t(11));
    QCOMPARE(*file->string("general.architecture"), std::string_view("llama"));
    QCOMPARE(*file->u64("llama.block_count"), uint64_t(1));
    QCOMPARE(file->strings("tokenizer.ggml.tokens")->size(), size_t(266));
    QCOMPARE(file->integers("tokenizer.ggml.token_type")->size(), size_t(266));
    const StoredTensor* embedding = file->tensor("token_embd.weight");
    QVERIFY(embedding);
    QCOMPARE(embedding->columns(), uint64_t(32));
    QCOMPARE(embedding->rows(), uint64_t(266));
    QCOMPARE(embedding->bytes, size_t(32 * 266 * 4));
    QCOMPARE(embedding->dimCount, 2);
    QVERIFY(!file->tensor("no.such.tensor"));
    QCOMPARE(file->u64("no.such.key").error().code, ErrorCode::MissingMetadata);
    QCOMPARE(file->u64("no.such.key").error().parameter("key"), std::string_view("no.such.key"));
}

void TestGguf::treatsBrokenFilesAsTheIndexSays_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("expected");
    const QJsonArray files = readJson(goldenPath("bad/index.json"))["files"].toArray();
    QVERIFY(files.size() >= 81);
    for (const QJsonValue& file : files) {
        QTest::newRow(qPrintable(file["file"].toString())) << file["file"].toString() << file["expected"].toString();
    }
}

void TestGguf::treatsBrokenFilesAsTheIndexSays()
{
    QFETCH(QString, name);
    QFETCH(QString, expected);
    const QString path = goldenPath("bad/" + name);
    QVERIFY(!path.isEmpty());
    const std::string nativePath = stdPath(path);

    allocatedBytes = 0;
    const auto file = GgufFile::open(nativePath);
    // Entries and tensors are views of 56 and 88 bytes on at least 14 and 33 bytes of file, in vectors that double.
    const size_t bound = 4096 + 12 * size_t(QFileInfo(path).size());
    QVERIFY2(allocatedBytes < bound, qPrintable(QString::number(allocatedBytes)));

    const auto known = fileErrors().find(name);
    if (known == fileErrors().end()) {
        QVERIFY2(file, file ? "" : file.error().detail.c_str());
        QVERIFY(readWholeGguf(file->maps().front().bytes()) > 0);
        return;
    }
    QVERIFY2(!expected.startsWith("must load"), qPrintable(expected));
    QVERIFY(!file);
    QCOMPARE(file.error().code, known->second);
    QVERIFY(says(file.error(), nativePath));
    QCOMPARE(file.error().parameter("path"), std::string_view(nativePath));
}

void TestGguf::refusesEveryTruncation()
{
    const QByteArray whole = readAll(goldenPath("bad/control_valid.gguf"));
    const auto* begin = reinterpret_cast<const std::byte*>(whole.data());
    QVERIFY(GgufFile::parse(FileMap::borrow({begin, size_t(whole.size())}, "whole")));
    // Each start is laid against the end of one buffer, so that a sanitizer sees a read of the byte behind it.
    std::vector<std::byte> buffer(size_t(whole.size()));
    for (size_t length = 0; length < buffer.size(); ++length) {
        std::byte* start = buffer.data() + buffer.size() - length;
        std::memcpy(start, begin, length);
        const auto file = GgufFile::parse(FileMap::borrow({start, length}, "cut"));
        if (file || (length > 0 && file.error().code != ErrorCode::Truncated)) {
            QFAIL(qPrintable(QString("length %1").arg(length)));
        }
    }
}

void TestGguf::survivesEveryChangedByte()
{
    const QByteArray whole = readAll(goldenPath("bad/control_valid.gguf"));
    std::vector<std::byte> bytes(size_t(whole.size()));
    std::memcpy(bytes.data(), whole.data(), bytes.size());
    const uint64_t headerBytes = GgufFile::parse(FileMap::borrow(bytes, "whole"))->dataOffset();
    uint64_t sum = 0;
    for (size_t i = 0; i < headerBytes; ++i) {
        const std::byte right = bytes[i];
        for (const int change : {0x01, 0x80}) {
            bytes[i] = right ^ std::byte(change);
            sum += readWholeGguf(bytes);
        }
        bytes[i] = right;
    }
    QVERIFY(sum > 0);
}

void TestGguf::survivesWhatTheFuzzerFound()
{
    int accepted = 0;
    const QDir corpus(smallGoldenDir() + "/../fuzz/corpus/gguf");
    const QStringList names = corpus.entryList(QDir::Files);
    QVERIFY(names.size() > 100);
    for (const QString& name : names) {
        const QByteArray input = readAll(corpus.filePath(name));
        const std::vector<std::byte> exact(reinterpret_cast<const std::byte*>(input.begin()),
            reinterpret_cast<const std::byte*>(input.end())); // without the byte that QByteArray keeps behind its end
        QVERIFY(readWholeGguf(exact) > 0);
        accepted += GgufFile::parse(FileMap::borrow(exact, "input")) ? 1 : 0;
    }
    QVERIFY(accepted > 10); // else the corpus would no longer reach behind the header
}

void TestGguf::loadsEveryTinyModel()
{
    for (const char* name :
        {"tiny/llama-gqa/model-f32.gguf", "tiny/llama-tied/model-f16.gguf", "tiny/llama-tied/model-q8_0.gguf",
            "tiny/qwen2/model-f32.gguf", "tiny/qwen3/model-f32.gguf", "tiny/gemma3/model-f32.gguf",
            "tiny-quant/model-q4_k_m.gguf", "tiny-quant/model-q6_k.gguf", "tiny-quant/model-bf16.gguf"}) {
        const auto file = GgufFile::open(stdPath(goldenPath(name)));
        QVERIFY2(file, name);
        QVERIFY2(file->tensors().size() > 10, name);
        QVERIFY(file->tensor("token_embd.weight"));
        QVERIFY(readWholeGguf(file->maps().front().bytes()) > 0);
    }
}

void TestGguf::loadsTheRealModels_data()
{
    QTest::addColumn<QString>("fileName");
    QTest::addColumn<QByteArray>("architecture");
    QTest::addColumn<int>("tensors");
    QTest::addColumn<int>("tokens");
    QTest::newRow("smollm2") << "SmolLM2-135M-Instruct.Q4_1.gguf" << QByteArray("llama") << 272 << 49152;
    QTest::newRow("gemma3") << "gemma-3-270m-q4_k_m.gguf" << QByteArray("gemma3") << 236 << 262144;
}

void TestGguf::loadsTheRealModels()
{
    QFETCH(QString, fileName);
    QFETCH(QByteArray, architecture);
    QFETCH(int, tensors);
    QFETCH(int, tokens);
    const QString path = realModelPath(fileName);
    if (path.isEmpty()) {
        QSKIP("the real model is not present");
    }
    const auto file = GgufFile::open(stdPath(path));
    QVERIFY2(file, file ? "" : file.error().detail.c_str());
    QCOMPARE(*file->string("general.architecture"), std::string_view(architecture.data(), size_t(architecture.size())));
    QCOMPARE(file->tensors().size(), size_t(tensors));
    QCOMPARE(file->strings("tokenizer.ggml.tokens")->size(), size_t(tokens));
}

void TestGguf::readsVersion2()
{
    GgufWriter writer;
    writer.version = 2;
    writer.add("general.name", "two");
    const auto file = parse(writer);
    QVERIFY(file);
    QCOMPARE(file->version(), 2u);
    QCOMPARE(*file->string("general.name"), std::string_view("two"));
}

void TestGguf::convertsNumbersOnlyWhereTheyFit()
{
    GgufWriter writer;
    writer.addRaw("u8", 0, rawBytes(uint8_t(200)));
    writer.addRaw("i8", 1, rawBytes(int8_t(-7)));
    writer.addRaw("u16", 2, rawBytes(uint16_t(60000)));
    writer.addRaw("i16", 3, rawBytes(int16_t(-30000)));
    writer.add("u32", uint32_t(4294967295u));
    writer.add("i32", int32_t(-2));
    writer.add("u64", uint64_t(1) << 63);
    writer.add("i64", int64_t(-5));
    writer.add("f32", 0.1f);
    writer.add("f64", 0.1);
    writer.add("yes", true);
    const auto file = parse(writer);
    QVERIFY(file);
    QCOMPARE(*file->u64("u8"), uint64_t(200));
    QCOMPARE(*file->i64("i8"), int64_t(-7));
    QCOMPARE(*file->u64("u16"), uint64_t(60000));
    QCOMPARE(*file->i64("i16"), int64_t(-30000));
    QCOMPARE(*file->u64("u32"), uint64_t(4294967295u));
    QCOMPARE(*file->i64("u32"), int64_t(4294967295));
    QCOMPARE(*file->i64("i32"), int64_t(-2));
    QCOMPARE(*file->u64("u64"), uint64_t(1) << 63);
    QCOMPARE(*file->f64("u64"), 0x1p63);
    QCOMPARE(*file->f64("i64"), -5.0);
    QCOMPARE(*file->f64("f32"), double(0.1f));
    QCOMPARE(*file->f64("f64"), 0.1);
    QCOMPARE(*file->boolean("yes"), true);

    QCOMPARE(file->u64("i32").error().code, ErrorCode::Malformed);
    QCOMPARE(file->i64("u64").error().code, ErrorCode::Malformed);
    QCOMPARE(file->u64("f32").error().code, ErrorCode::Malformed);
    QCOMPARE(file->u64("yes").error().code, ErrorCode::Malformed);
    QCOMPARE(file->f64("yes").error().code, ErrorCode::Malformed);
    QCOMPARE(file->boolean("u8").error().code, ErrorCode::Malformed);
}

void TestGguf::fallbackStandsInForAnAbsentKeyOnly()
{
    GgufWriter writer;
    writer.add("count", 7u);
    writer.add("text", "seven");
    const auto file = parse(writer);
    QVERIFY(file);
    QCOMPARE(*file->u64("absent", 3), uint64_t(3));
    QCOMPARE(*file->f64("absent", 0.5), 0.5);
    QCOMPARE(*file->string("absent", "none"), std::string_view("none"));
    QCOMPARE(*file->boolean("absent", true), true);
    QCOMPARE(*file->i64("absent", -1), int64_t(-1));
    QCOMPARE(*file->u64("count", 3), uint64_t(7));
    QCOMPARE(file->u64("text", 3).error().code, ErrorCode::Malformed);
}

void TestGguf::readsArrays()
{
    GgufWriter writer;
    writer.addArray("words", std::vector<std::string>{"a", "", "\xed\x95\x9c", std::string("\0b", 2)});
    writer.addArray("ints", std::vector<int32_t>{-1, 0, 7});
    writer.addArray("floats", std::vector<float>{0.25f, -3.0f});
    writer.addArray("nothing", std::vector<uint32_t>{});
    writer.addRaw("doubles", 9, rawBytes(12u) + rawBytes(uint64_t(1)) + rawBytes(0.1));
    writer.addRaw("large", 9, rawBytes(10u) + rawBytes(uint64_t(1)) + rawBytes(~uint64_t(0)));
    const auto file = parse(writer);
    QVERIFY(file);
    const auto words = file->strings("words");
    QVERIFY(words);
    QCOMPARE(words->size(), size_t(4));
    QCOMPARE((*words)[2], std::string_view("\xed\x95\x9c"));
    QCOMPARE((*words)[3], std::string_view("\0b", 2));
    QCOMPARE(*file->integers("ints"), (std::vector<int64_t>{-1, 0, 7}));
    QCOMPARE(*file->floats("ints"), (std::vector<float>{-1, 0, 7}));
    QCOMPARE(*file->floats("floats"), (std::vector<float>{0.25f, -3.0f}));
    QCOMPARE(*file->floats("doubles"), (std::vector<float>{0.1f}));
    QCOMPARE(file->integers("nothing")->size(), size_t(0));
    QCOMPARE(file->find("words")->count, uint64_t(4));
    QCOMPARE(file->integers("large").error().code, ErrorCode::Malformed);
    QCOMPARE(file->integers("floats").error().code, ErrorCode::Malformed);
    QCOMPARE(file->integers("words").error().code, ErrorCode::Malformed);
    QCOMPARE(file->strings("ints").error().code, ErrorCode::Malformed);
    QCOMPARE(file->u64("ints").error().code, ErrorCode::Malformed);
}

void TestGguf::refusesWrongKindsByName()
{
    GgufWriter writer;
    writer.add("llama.block_count", "twelve");
    const auto file = parse(writer);
    QVERIFY(file);
    const auto count = file->u64("llama.block_count");
    QVERIFY(!count);
    QVERIFY2(says(count.error(), "'llama.block_count' is a string value ('twelve') instead of a whole number"),
        count.error().detail.c_str());
}

void TestGguf::refusesNestedArrays()
{
    GgufWriter writer;
    writer.addRaw("x", 9, rawBytes(9u) + rawBytes(uint64_t(1)) + rawBytes(4u) + rawBytes(uint64_t(0)));
    const auto file = parse(writer);
    QVERIFY(!file);
    QCOMPARE(file.error().code, ErrorCode::Unsupported);
}

void TestGguf::refusesATruthValueOfTwo()
{
    GgufWriter writer;
    writer.addRaw("x", 7, rawBytes(uint8_t(2)));
    QCOMPARE(parse(writer).error().code, ErrorCode::Malformed);
}

void TestGguf::honoursTheAlignment()
{
    for (const uint32_t alignment : {8u, 64u, 4096u}) {
        GgufWriter writer;
        writer.alignment = alignment;
        writer.addTensor(f32Tensor("a", 3));
        writer.addTensor(f32Tensor("b", 5));
        const auto file = parse(writer);
        QVERIFY(file);
        QCOMPARE(file->alignment(), alignment);
        QCOMPARE(file->dataOffset() % alignment, uint64_t(0));
        const std::ptrdiff_t apart = file->tensor("b")->data - file->tensor("a")->data;
        QCOMPARE(apart, std::ptrdiff_t((12 + alignment - 1) / alignment * alignment));
    }
}

void TestGguf::refusesAlignment_data()
{
    QTest::addColumn<uint>("alignment");
    for (const uint alignment : {0u, 1u, 4u, 24u, 33u}) {
        QTest::addRow("%u", alignment) << alignment;
    }
}

void TestGguf::refusesAlignment()
{
    QFETCH(uint, alignment);
    GgufWriter writer;
    writer.alignment = alignment;
    writer.addTensor(f32Tensor("a", 8));
    QCOMPARE(parse(writer).error().code, ErrorCode::Malformed);
}

void TestGguf::acceptsTensorsInAnyOrder()
{
    GgufWriter writer;
    writer.addTensor({"late", 0, {8}, std::string(32, 'l'), 32});
    writer.addTensor({"early", 0, {8}, std::string(32, 'e'), 0});
    const auto file = parse(writer);
    QVERIFY(file);
    QCOMPARE(file->tensors()[0].name, std::string_view("late"));
    QCOMPARE(file->tensor("late")->data - file->tensor("early")->data, std::ptrdiff_t(32));
}

void TestGguf::refusesTensorsThatShareOneByte()
{
    GgufWriter writer;
    writer.addTensor({"a", 0, {9}, std::string(36, 'a'), {}}); // 4 bytes into the next place
    writer.addTensor({"b", 0, {8}, std::string(32, 'b'), 32});
    const auto file = parse(writer);
    QCOMPARE(file.error().code, ErrorCode::Malformed);
    QVERIFY(says(file.error(), "overlap"));
}

void TestGguf::acceptsATensorThatEndsWithTheFile()
{
    GgufWriter writer;
    writer.addTensor(f32Tensor("a", 3));
    QVERIFY(parse(writer));
    m_bytes.pop_back();
    const auto cut = GgufFile::parse(FileMap::borrow(std::as_bytes(std::span(m_bytes)), "cut.gguf"));
    QCOMPARE(cut.error().code, ErrorCode::Truncated);
}

void TestGguf::knowsTensorSizesOfEveryType()
{
    GgufWriter writer;
    for (uint32_t code = 0; code < 64; ++code) {
        if (const auto type = tensorTypeFromCode(code)) {
            writer.addTensor({std::string("t") + std::to_string(code), code, {512, 2, 3, 2},
                std::string(rowBytes(*type, 512) * 12, 'x'), {}});
        }
    }
    const auto file = parse(writer);
    QVERIFY(file);
    QCOMPARE(file->tensors().size(), size_t(18));
    for (const StoredTensor& tensor : file->tensors()) {
        QCOMPARE(tensor.rows(), uint64_t(12));
        QCOMPARE(tensor.bytes, rowBytes(tensor.type, 512) * 12);
        QCOMPARE(tensor.data[tensor.bytes - 1], std::byte('x'));
    }
}

void TestGguf::refusesAPartOfASplitModelByItself()
{
    GgufWriter writer;
    writer.addRaw("split.count", 2, rawBytes(uint16_t(3)));
    writer.addRaw("split.no", 2, rawBytes(uint16_t(0)));
    writer.add("split.tensors.count", int32_t(0));
    const auto file = parse(writer);
    QCOMPARE(file.error().code, ErrorCode::Unsupported);
    QVERIFY(says(file.error(), "one of 3 files"));
}

void TestGguf::namesOtherFormats_data()
{
    QTest::addColumn<QByteArray>("start");
    QTest::addColumn<QByteArray>("hint");
    QTest::newRow("lfs") << QByteArray("version https://git-lfs.github.com/spec/v1\n") << QByteArray("git lfs pull");
    QTest::newRow("html") << QByteArray("<!DOCTYPE html><html>") << QByteArray("web page");
    QTest::newRow("zip") << QByteArray("PK\x03\x04....") << QByteArray("PyTorch");
    QTest::newRow("ggml") << QByteArray("tjgg\x03\0\0\0") << QByteArray("old GGML");
    QTest::newRow("safetensors") << QByteArray("\x40\0\0\0\0\0\0\0{\"__metadata__\"", 23) << QByteArray("safetensors");
    QTest::newRow("gzip") << QByteArray("\x1f\x8b\x08") << QByteArray("gzip");
    QTest::newRow("other") << QByteArray("hello") << QByteArray("does not begin with");
}

void TestGguf::namesOtherFormats()
{
    QFETCH(QByteArray, start);
    QFETCH(QByteArray, hint);
    const auto file =
        GgufFile::parse(FileMap::borrow(std::as_bytes(std::span(start.data(), size_t(start.size()))), "other.gguf"));
    QCOMPARE(file.error().code, ErrorCode::NotAModelFile);
    QVERIFY2(says(file.error(), hint.toStdString()), file.error().detail.c_str());
}

void TestGguf::showsValuesOnOneLine()
{
    GgufWriter writer;
    writer.add("text", "\xed\x95\x9c\n\x01\xff" + std::string(200, 'x'));
    writer.add("float", 1e-5f);
    writer.add("no", false);
    writer.add("big", ~uint64_t(0));
    writer.addArray("list", std::vector<int32_t>{1, -2, 3});
    writer.addArray("words", std::vector<std::string>{"a", "b"});
    const auto file = parse(writer);
    QVERIFY(file);
    const std::string text = ggufValueText(*file->find("text"));
    QCOMPARE(QByteArray(text.c_str()), "'\xed\x95\x9c ??" + QByteArray(74, 'x') + "...'");
    QCOMPARE(ggufValueText(*file->find("float")), std::string("9.99999975e-06"));
    QCOMPARE(ggufValueText(*file->find("no")), std::string("false"));
    QCOMPARE(ggufValueText(*file->find("big")), std::string("18446744073709551615"));
    QCOMPARE(ggufValueText(*file->find("list")), std::string("[1, -2, 3]"));
    QCOMPARE(ggufValueText(*file->find("list"), 2), std::string("[1, -2, ...] (3)"));
    QCOMPARE(ggufValueText(*file->find("words")), std::string("['a', 'b']"));
}

void TestGguf::survivesMoves()
{
    const std::string path = stdPath(goldenPath("bad/control_valid.gguf"));
    auto first = GgufFile::open(path);
    QVERIFY(first);
    const StoredTensor* tensor = first->tensor("output_norm.weight");
    const std::byte* data = tensor->data;
    GgufFile second = std::move(*first);
    QCOMPARE(second.tensor("output_norm.weight")->data, data);
    auto third = GgufFile::open(path);
    second = std::move(*third); // gives the old mapping back
    QCOMPARE(second.fileSize(), uint64_t(64256));
    QVERIFY(readWholeGguf(second.maps().front().bytes()) > 0);
}

void TestGguf::mapRefusesWhatIsNoFile()
{
    QTemporaryDir dir;
    const std::string base = stdPath(dir.path());
    QCOMPARE(FileMap::open(base + "/absent").error().code, ErrorCode::FileNotFound);
    QCOMPARE(FileMap::open(base + "/absent/below").error().code, ErrorCode::FileNotFound);
    QCOMPARE(FileMap::open("").error().code, ErrorCode::FileNotFound);

    const auto directory = FileMap::open(base);
    QCOMPARE(directory.error().code, ErrorCode::FileUnreadable);
    QCOMPARE(directory.error().parameter("reason"), std::string_view("it is a directory"));

    QFile empty(dir.filePath("empty"));
    QVERIFY(empty.open(QIODevice::WriteOnly));
    empty.close();
    QCOMPARE(FileMap::open(base + "/empty").error().code, ErrorCode::Truncated);

    QCOMPARE(::mkfifo((base + "/pipe").c_str(), 0600), 0);
    QCOMPARE(FileMap::open(base + "/pipe").error().code, ErrorCode::FileUnreadable);
    QCOMPARE(FileMap::open("/dev/null").error().code, ErrorCode::FileUnreadable);
}

void TestGguf::mapRefusesWhatMayNotBeRead()
{
    QTemporaryDir dir;
    const std::string path = stdPath(dir.filePath("secret"));
    GgufWriter writer;
    QVERIFY(writer.write(path));
    QCOMPARE(::chmod(path.c_str(), 0000), 0);
    QCOMPARE(::chmod(stdPath(dir.path()).c_str(), 0755), 0);
    // Root may read everything, so a child asks as nobody.
    const pid_t child = ::fork();
    QVERIFY(child >= 0);
    if (child == 0) {
        if (::geteuid() == 0 && ::setuid(65534) != 0) {
            ::_exit(2);
        }
        const auto map = FileMap::open(path);
        ::_exit(
            !map && map.error().code == ErrorCode::FileUnreadable && says(map.error(), "Permission denied") ? 0 : 1);
    }
    int status = -1;
    QCOMPARE(::waitpid(child, &status, 0), child);
    QVERIFY(WIFEXITED(status));
    QCOMPARE(WEXITSTATUS(status), 0);
}

void TestGguf::mapSaysWhenAddressSpaceIsShort()
{
    QTemporaryDir dir;
    const std::string path = stdPath(dir.filePath("large"));
    QVERIFY(GgufWriter().write(path));
    QCOMPARE(::truncate(path.c_str(), off_t(1) << 40), 0); // a hole: takes no room on the disk
    const pid_t child = ::fork();
    QVERIFY(child >= 0);
    if (child == 0) {
        // A sanitizer holds 16 TiB of address space already; no more may come, whatever is there.
        const rlimit none{0, 0};
        ::setrlimit(RLIMIT_AS, &none);
        const auto map = FileMap::open(path);
        ::_exit(!map && map.error().code == ErrorCode::OutOfMemory ? 0 : 1);
    }
    int status = -1;
    QCOMPARE(::waitpid(child, &status, 0), child);
    QVERIFY(WIFEXITED(status));
    QCOMPARE(WEXITSTATUS(status), 0);
}

void TestGguf::mapGivesTheSameBytesAfterAdvice()
{
    const QString path = goldenPath("tiny/qwen3/model-f32.gguf");
    const QByteArray expected = readAll(path);
    const auto map = FileMap::open(stdPath(path));
    QVERIFY(map);
    const auto same = [&] {
        return map->size() == size_t(expected.size())
            && std::memcmp(map->bytes().data(), expected.data(), map->size()) == 0;
    };
    map->adviseSequential();
    QVERIFY(same());
    map->release(map->bytes().subspan(1, map->size() - 1));
    map->release(map->bytes().subspan(100, 10));
    map->release({});
    QVERIFY(same());
}

QTEST_GUILESS_MAIN(TestGguf)
#include "tst_gguf.moc"
