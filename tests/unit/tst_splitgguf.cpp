#include "modelrunner.h"
#include "splitgguf.h"

#include <QTemporaryDir>

#include <algorithm>
#include <filesystem>

using namespace kvasir;
using namespace kvasir::testing;

/// Models in several GGUF files. The parts are cut from a golden model as llama.cpp's splitter cuts.
class SplitGgufTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();

    void anyPartOpensTheWholeModel_data();
    void anyPartOpensTheWholeModel();
    void givesTheSameLogitsAsTheWholeFile();
    void namesAPartThatIsMissing_data();
    void namesAPartThatIsMissing();
    void namesAPartThatIsTruncated();
    void refusesARenamedPart();
    void refusesPartsInTheWrongPlace();
    void refusesPartsThatCountDifferently();
    void refusesAPartOfAModelOfAnotherSize();
    void refusesAPartWithOtherMetadata();
    void refusesATensorInTwoParts();
    void refusesTooFewTensors();
    void refusesAnImpossibleNumber();

private:
    void write(size_t part, const GgufWriter& writer) { QVERIFY(writer.write(pathOf(part))); }
    std::string pathOf(size_t part) const { return splitPath(m_stem, part, kParts); }
    Error errorOfFirst() const
    {
        const auto file = GgufFile::open(pathOf(0));
        return file ? Error{ErrorCode::Internal, {}, "opened"} : file.error();
    }

    static constexpr size_t kParts = 3;

    QString m_wholePath;
    QTemporaryDir m_folder;
    std::string m_stem;
    std::vector<GgufWriter> m_parts;
};

namespace {

bool says(const Error& error, std::string_view text)
{
    return error.detail.find(text) != std::string::npos;
}

} // namespace

void SplitGgufTest::initTestCase()
{
    m_wholePath = goldenPath("tiny/llama-gqa/model-f32.gguf");
    QVERIFY(!m_wholePath.isEmpty());
    const auto whole = GgufFile::open(m_wholePath.toStdString());
    QVERIFY(whole);
    m_parts = splitGguf(*whole, kParts);
    m_stem = m_folder.path().toStdString() + "/model";
}

void SplitGgufTest::init()
{
    for (size_t part = 0; part < kParts; ++part) {
        write(part, m_parts[part]);
    }
}

void SplitGgufTest::anyPartOpensTheWholeModel_data()
{
    QTest::addColumn<int>("part");
    for (size_t part = 0; part < kParts; ++part) {
        QTest::addRow("part %zu", part + 1) << static_cast<int>(part);
    }
}

void SplitGgufTest::anyPartOpensTheWholeModel()
{
    QFETCH(int, part);
    const auto whole = GgufFile::open(m_wholePath.toStdString());
    const auto file = GgufFile::open(pathOf(static_cast<size_t>(part)));
    QVERIFY2(file, file ? "" : file.error().detail.c_str());
    QCOMPARE(file->maps().size(), kParts);
    QVERIFY(file->fileSize() > whole->fileSize());
    QCOMPARE(file->tensors().size(), whole->tensors().size());
    for (const StoredTensor& wanted : whole->tensors()) {
        const StoredTensor* tensor = file->tensor(wanted.name);
        QVERIFY(tensor);
        QCOMPARE(tensor->bytes, wanted.bytes);
        QVERIFY(std::equal(tensor->data, tensor->data + tensor->bytes, wanted.data));
    }
    for (const GgufEntry& wanted : whole->metadata()) {
        const GgufEntry* entry = file->find(wanted.key);
        QVERIFY(entry);
        QVERIFY(std::ranges::equal(entry->data, wanted.data));
    }
}

void SplitGgufTest::givesTheSameLogitsAsTheWholeFile()
{
    const std::vector<TokenId> tokens{1, 17, 300, 4, 99};
    std::vector<std::vector<float>> results;
    for (const QString& path : {m_wholePath, QString::fromStdString(pathOf(1))}) {
        ModelRunner runner = ModelRunner::load(path, ModelRunner::exact());
        QVERIFY2(runner, runner.error.c_str());
        BlockTable table(*runner.pool);
        results.push_back(runner.feed(table, tokens));
        QVERIFY(!results.back().empty());
    }
    QVERIFY(results[0] == results[1]);
}

void SplitGgufTest::namesAPartThatIsMissing_data()
{
    QTest::addColumn<int>("missing");
    QTest::newRow("the first") << 0;
    QTest::newRow("the last") << 2;
}

void SplitGgufTest::namesAPartThatIsMissing()
{
    QFETCH(int, missing);
    const std::string gone = pathOf(static_cast<size_t>(missing));
    std::filesystem::remove(gone);
    const auto file = GgufFile::open(pathOf(1));
    QVERIFY(!file);
    QCOMPARE(file.error().code, ErrorCode::FileNotFound);
    QCOMPARE(std::string(file.error().parameter("path")), gone);
    QVERIFY2(says(file.error(), gone), file.error().detail.c_str());
    QVERIFY(says(file.error(), missing == 0 ? "part 1 of 3" : "part 3 of 3"));
}

void SplitGgufTest::namesAPartThatIsTruncated()
{
    const std::string path = pathOf(2);
    std::filesystem::resize_file(path, std::filesystem::file_size(path) - 1);
    QCOMPARE(errorOfFirst().code, ErrorCode::Truncated);
    QCOMPARE(std::string(errorOfFirst().parameter("path")), path);
}

void SplitGgufTest::refusesARenamedPart()
{
    const std::string other = m_folder.path().toStdString() + "/renamed.gguf";
    std::filesystem::copy_file(pathOf(1), other, std::filesystem::copy_options::overwrite_existing);
    const auto file = GgufFile::open(other);
    QVERIFY(!file);
    QCOMPARE(file.error().code, ErrorCode::Malformed);
    QVERIFY2(says(file.error(), "-00002-of-00003.gguf"), file.error().detail.c_str());
}

void SplitGgufTest::refusesPartsInTheWrongPlace()
{
    write(1, m_parts[2]);
    const Error error = errorOfFirst();
    QCOMPARE(error.code, ErrorCode::Malformed);
    QVERIFY2(says(error, "part 3 of 3") && says(error, pathOf(1)), error.detail.c_str());
}

void SplitGgufTest::refusesPartsThatCountDifferently()
{
    const auto whole = GgufFile::open(m_wholePath.toStdString());
    write(1, splitGguf(*whole, 4)[1]);
    const Error error = errorOfFirst();
    QCOMPARE(error.code, ErrorCode::Malformed);
    QVERIFY2(says(error, "part 2 of 4"), error.detail.c_str());
}

void SplitGgufTest::refusesAPartOfAModelOfAnotherSize()
{
    const auto other = GgufFile::open(goldenPath("tiny/llama-linear/model-f32.gguf").toStdString());
    QVERIFY(other);
    write(2, splitGguf(*other, kParts)[2]);
    const Error error = errorOfFirst();
    QCOMPARE(error.code, ErrorCode::Malformed);
    QVERIFY2(says(error, "of a model of"), error.detail.c_str());
}

void SplitGgufTest::refusesAPartWithOtherMetadata()
{
    GgufWriter part = m_parts[1];
    part.add("general.architecture", "gemma3");
    write(1, part);
    const Error error = errorOfFirst();
    QCOMPARE(error.code, ErrorCode::Malformed);
    QVERIFY2(says(error, "general.architecture"), error.detail.c_str());
}

void SplitGgufTest::refusesATensorInTwoParts()
{
    const auto whole = GgufFile::open(m_wholePath.toStdString());
    GgufWriter part = m_parts[2];
    copyTensor(part, whole->tensors().front());
    write(2, part);
    const Error error = errorOfFirst();
    QCOMPARE(error.code, ErrorCode::Malformed);
    QVERIFY2(says(error, whole->tensors().front().name) && says(error, pathOf(0)) && says(error, pathOf(2)),
        error.detail.c_str());
}

void SplitGgufTest::refusesTooFewTensors()
{
    GgufWriter part;
    part.addRaw("split.no", 2, rawBytes(uint16_t(1)));
    part.addRaw("split.count", 2, rawBytes(uint16_t(kParts)));
    part.add("split.tensors.count", static_cast<int32_t>(GgufFile::open(m_wholePath.toStdString())->tensors().size()));
    write(1, part);
    const Error error = errorOfFirst();
    QCOMPARE(error.code, ErrorCode::Malformed);
    QVERIFY2(says(error, "tensors together instead of"), error.detail.c_str());
}

void SplitGgufTest::refusesAnImpossibleNumber()
{
    GgufWriter part;
    part.addRaw("split.no", 2, rawBytes(uint16_t(3)));
    part.addRaw("split.count", 2, rawBytes(uint16_t(kParts)));
    part.add("split.tensors.count", int32_t(0));
    write(0, part);
    QCOMPARE(errorOfFirst().code, ErrorCode::Malformed);
}

QTEST_GUILESS_MAIN(SplitGgufTest)
#include "tst_splitgguf.moc"
