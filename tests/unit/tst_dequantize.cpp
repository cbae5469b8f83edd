#include "goldendata.h"
#include "quant/blocks.h"
#include "quant/encode.h"
#include "quant/tensortype.h"

#include <QJsonArray>
#include <QTest>

#include <cmath>
#include <cstring>
#include <limits>

using namespace kvasir;
using namespace kvasir::testing;

class TestDequantize : public QObject {
    Q_OBJECT

private slots:
    void everyDecoderMatchesTheReference_data();
    void everyDecoderMatchesTheReference();
    void everyEncoderMatchesTheReference_data();
    void everyEncoderMatchesTheReference();
    void sourcesNeedNoAlignment();
    void typesKnowTheirNames();
    void codesOutsideTheTableAreRefused();
    void q8RoundsHalvesAwayFromZero();
    void q8KeepsClearOfWhatIsNoNumber();
};

namespace {

const char* const kTensors[] = {"normal", "uniform", "tiny", "outliers", "zeros", "ties", "random"};

const QList<QPair<QString, TensorType>>& types()
{
    static const QList<QPair<QString, TensorType>> list = [] {
        QList<QPair<QString, TensorType>> found;
        for (uint32_t code = 0; code < 64; ++code) {
            if (const auto type = tensorTypeFromCode(code); type && *type != TensorType::F32) {
                const std::string_view name = tensorTypeName(*type);
                found.append({QString::fromLatin1(name.data(), qsizetype(name.size())), *type});
            }
        }
        return found;
    }();
    return list;
}

std::vector<float> floats(const QByteArray& bytes)
{
    std::vector<float> values(size_t(bytes.size()) / sizeof(float));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
    return values;
}

/// Index of the first value whose bits differ, -1 where there is none.
qsizetype firstDifference(const std::vector<float>& a, const std::vector<float>& b)
{
    for (size_t i = 0; i < a.size(); ++i) {
        if (std::memcmp(&a[i], &b[i], sizeof(float)) != 0) {
            return qsizetype(i);
        }
    }
    return -1;
}

} // namespace

void TestDequantize::everyDecoderMatchesTheReference_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<uint>("code");
    QCOMPARE(types().size(), 17);
    for (const auto& [typeName, type] : types()) {
        for (const char* tensor : kTensors) {
            const QString name = QString::fromLatin1(tensor) + '.' + typeName;
            QTest::newRow(qPrintable(name)) << name << uint(type);
        }
    }
}

void TestDequantize::everyDecoderMatchesTheReference()
{
    QFETCH(QString, name);
    QFETCH(uint, code);
    const auto type = static_cast<TensorType>(code);
    const QByteArray encoded = readAll(goldenPath("quant/" + name + ".bin"));
    const std::vector<float> expected = floats(readAll(goldenPath("quant/" + name + ".deq.f32")));
    QVERIFY(!expected.empty());
    QCOMPARE(size_t(encoded.size()), rowBytes(type, expected.size()));

    std::vector<float> decoded(expected.size());
    dequantizeRow(type, reinterpret_cast<const std::byte*>(encoded.data()), decoded.data(), decoded.size());
    if (const qsizetype at = firstDifference(decoded, expected); at >= 0) {
        const auto i = size_t(at);
        QFAIL(qPrintable(QString("value %1: %2 instead of %3").arg(i).arg(decoded[i]).arg(expected[i])));
    }
}

void TestDequantize::everyEncoderMatchesTheReference_data()
{
    QTest::addColumn<QString>("tensor");
    QTest::addColumn<uint>("code");
    for (const TensorType type : {TensorType::F16, TensorType::BF16, TensorType::Q8_0}) {
        for (const char* tensor : kTensors) {
            if (qstrcmp(tensor, "random") != 0) { // random blocks can only be decoded
                QTest::addRow("%s %s", tensor, tensorTypeName(type).data())
                    << QString::fromLatin1(tensor) << uint(type);
            }
        }
    }
}

void TestDequantize::everyEncoderMatchesTheReference()
{
    QFETCH(QString, tensor);
    QFETCH(uint, code);
    const auto type = static_cast<TensorType>(code);
    QVERIFY(canEncode(type));
    const std::vector<float> source = floats(readAll(goldenPath("quant/" + tensor + ".f32")));
    const std::string typeName(tensorTypeName(type));
    const QByteArray expected =
        readAll(goldenPath("quant/" + tensor + '.' + QString::fromStdString(typeName) + ".bin"));
    QByteArray encoded(qsizetype(rowBytes(type, source.size())), '\0');
    encodeRow(type, source.data(), reinterpret_cast<std::byte*>(encoded.data()), source.size());
    QVERIFY(!encoded.isEmpty());
    QVERIFY(encoded == expected);
}

void TestDequantize::sourcesNeedNoAlignment()
{
    for (const auto& [typeName, type] : types()) {
        const QByteArray encoded = readAll(goldenPath("quant/normal." + typeName + ".bin"));
        const std::vector<float> expected = floats(readAll(goldenPath("quant/normal." + typeName + ".deq.f32")));
        const QByteArray shifted = '\0' + encoded;
        std::vector<float> decoded(expected.size());
        dequantizeRow(type, reinterpret_cast<const std::byte*>(shifted.data()) + 1, decoded.data(), decoded.size());
        QVERIFY2(firstDifference(decoded, expected) < 0, qPrintable(typeName));
    }
}

void TestDequantize::typesKnowTheirNames()
{
    const QJsonObject tensors = readJson(goldenPath("quant/golden.json"))["tensors"].toObject();
    const QJsonObject golden = tensors["normal"].toObject();
    for (const auto& [typeName, type] : types()) {
        const QJsonObject entry = golden[typeName].toObject();
        QVERIFY2(!entry.isEmpty(), qPrintable(typeName));
        QCOMPARE(int(blockShape(type).values), entry["block"].toInt());
        QCOMPARE(int(blockShape(type).bytes), entry["bytes_per_block"].toInt());
    }
    QCOMPARE(tensorTypeName(TensorType::F32), std::string_view("F32"));
    QCOMPARE(rowBytes(TensorType::F32, 7), size_t(28));
}

void TestDequantize::codesOutsideTheTableAreRefused()
{
    for (const uint32_t code : {4u, 5u, 9u, 15u, 26u, 31u, 36u, 200u, 0xffffffffu}) {
        QVERIFY(!tensorTypeFromCode(code));
    }
    QCOMPARE(tensorTypeName(static_cast<TensorType>(26)), std::string_view("I32"));
    QCOMPARE(tensorTypeName(static_cast<TensorType>(200)), std::string_view("unknown"));
    QVERIFY(!canEncode(TensorType::Q4_K));
}

void TestDequantize::q8RoundsHalvesAwayFromZero()
{
    std::vector<float> values(32, 127.0f); // makes the scale 1
    const std::vector<float> halves{0.5f, 1.5f, 2.5f, -0.5f, -2.5f, 126.5f};
    const std::vector<int> expected{1, 2, 3, -1, -3, 127};
    std::copy(halves.begin(), halves.end(), values.begin());
    BlockQ8_0 block;
    encodeRow(TensorType::Q8_0, values.data(), reinterpret_cast<std::byte*>(&block), values.size());
    for (size_t i = 0; i < expected.size(); ++i) {
        QCOMPARE(int(block.values[i]), expected[i]);
    }
}

void TestDequantize::q8KeepsClearOfWhatIsNoNumber()
{
    // Only that nothing undefined happens (the sanitizer build watches) and that good blocks beside stay good.
    std::vector<float> values(64, 1.0f);
    values[3] = std::numeric_limits<float>::quiet_NaN();
    values[4] = std::numeric_limits<float>::infinity();
    values[5] = std::numeric_limits<float>::denorm_min();
    std::vector<std::byte> encoded(rowBytes(TensorType::Q8_0, values.size()));
    encodeRow(TensorType::Q8_0, values.data(), encoded.data(), values.size());
    std::vector<float> decoded(values.size());
    dequantizeRow(TensorType::Q8_0, encoded.data(), decoded.data(), decoded.size());
    for (size_t i = 32; i < 64; ++i) {
        QVERIFY(std::abs(decoded[i] - 1.0f) < 1e-3f); // the scale 1/127 is rounded to F16
    }
    const std::vector<float> subnormal(32, 1e-42f);
    encodeRow(TensorType::Q8_0, subnormal.data(), encoded.data(), subnormal.size());
    dequantizeRow(TensorType::Q8_0, encoded.data(), decoded.data(), subnormal.size());
    QCOMPARE(decoded[0], 0.0f); // its scale is below the smallest half
}

QTEST_GUILESS_MAIN(TestDequantize)
#include "tst_dequantize.moc"
