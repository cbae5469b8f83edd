#include "cpusupport.h"

#include <QTest>

using namespace kvasir;
using namespace kvasir::cpu;
using namespace kvasir::testing;

Q_DECLARE_METATYPE(kvasir::TensorType)

class TestPacking : public QObject {
    Q_OBJECT

private slots:
    void unpacksWhatTheSourceDecodesTo_data();
    void unpacksWhatTheSourceDecodesTo();
    void stacksTensorsAtAnyRow_data() { unpacksWhatTheSourceDecodesTo_data(); }
    void stacksTensorsAtAnyRow();
    void alternatesThePanelsOfTwoTensors();
    void packsInPartsAsAtOnce();
    void leavesRowsBeyondTheEndZero();
    void takesHardlyMoreThanTheSource();
    void tellsMxfp4ScalesThatDoNotFit();
};

namespace {

void addTypes()
{
    QTest::addColumn<TensorType>("type");
    for (TensorType type : kPackableTypes) {
        QTest::newRow(tensorTypeName(type).data()) << type;
    }
}

std::vector<float> decoded(TensorType type, const std::vector<std::byte>& source, int row, int columns)
{
    std::vector<float> values(static_cast<size_t>(columns));
    const size_t bytes = rowBytes(type, static_cast<size_t>(columns));
    dequantizeRow(type, source.data() + static_cast<size_t>(row) * bytes, values.data(), values.size());
    return values;
}

} // namespace

void TestPacking::unpacksWhatTheSourceDecodesTo_data()
{
    addTypes();
}

void TestPacking::unpacksWhatTheSourceDecodesTo()
{
    QFETCH(TensorType, type);
    Random random(1);
    const int unit = columnUnit(type);
    for (int units : {1, 2, 3, 5}) {
        for (int rows : {1, 15, 16, 17, 50}) {
            const int columns = unit * units;
            const auto source = randomSource(type, rows, columns, random);
            OwnedMatrix packed(type, rows, columns);
            packRows(packed.matrix, type, source.data(), 0, rows);
            std::vector<float> got(static_cast<size_t>(columns));
            for (int row = 0; row < rows; row++) {
                unpackRow(packed.matrix, row, got.data());
                const auto want = decoded(type, source, row, columns);
                QVERIFY2(sameBits(got.data(), want.data(), got.size()), qPrintable(QString("row %1").arg(row)));
            }
        }
    }
}

void TestPacking::stacksTensorsAtAnyRow()
{
    QFETCH(TensorType, type);
    Random random(2);
    const int columns = std::max(64, columnUnit(type));
    const int sizes[] = {24, 8, 7, 33};
    OwnedMatrix packed(type, 24 + 8 + 7 + 33, columns);
    std::vector<std::vector<std::byte>> sources;
    int first = 0;
    for (int rows : sizes) {
        sources.push_back(randomSource(type, rows, columns, random));
        packRows(packed.matrix, type, sources.back().data(), 0, rows, {first, 1});
        first += rows;
    }
    std::vector<float> got(static_cast<size_t>(columns));
    int row = 0;
    for (size_t i = 0; i < sources.size(); i++) {
        for (int r = 0; r < sizes[i]; r++, row++) {
            unpackRow(packed.matrix, row, got.data());
            QVERIFY(sameBits(got.data(), decoded(type, sources[i], r, columns).data(), got.size()));
        }
    }
}

void TestPacking::alternatesThePanelsOfTwoTensors()
{
    Random random(3);
    constexpr int kRows = 41;
    constexpr int kColumns = 96;
    QCOMPARE(interleavedRows(kRows), 96);
    const auto gate = randomSource(TensorType::Q4_1, kRows, kColumns, random);
    const auto up = randomSource(TensorType::Q4_1, kRows, kColumns, random);
    OwnedMatrix packed(TensorType::Q4_1, interleavedRows(kRows), kColumns);
    packRows(packed.matrix, TensorType::Q4_1, gate.data(), 0, kRows, {0, 2});
    packRows(packed.matrix, TensorType::Q4_1, up.data(), 0, kRows, {kPanelRows, 2});
    std::vector<float> got(kColumns);
    for (int r = 0; r < kRows; r++) {
        const int at = r / kPanelRows * 2 * kPanelRows + r % kPanelRows;
        unpackRow(packed.matrix, at, got.data());
        QVERIFY(sameBits(got.data(), decoded(TensorType::Q4_1, gate, r, kColumns).data(), kColumns));
        unpackRow(packed.matrix, at + kPanelRows, got.data());
        QVERIFY(sameBits(got.data(), decoded(TensorType::Q4_1, up, r, kColumns).data(), kColumns));
    }
}

void TestPacking::packsInPartsAsAtOnce()
{
    Random random(4);
    for (TensorType type : kPackableTypes) {
        const int columns = std::max(64, columnUnit(type));
        const auto source = randomSource(type, 70, columns, random);
        OwnedMatrix whole(type, 70, columns);
        packRows(whole.matrix, type, source.data(), 0, 70);
        OwnedMatrix parts(type, 70, columns);
        packRows(parts.matrix, type, source.data(), 32, 70);
        packRows(parts.matrix, type, source.data(), 0, 32);
        QVERIFY(std::memcmp(whole.matrix.data, parts.matrix.data, whole.matrix.bytes()) == 0);
    }
}

void TestPacking::leavesRowsBeyondTheEndZero()
{
    Random random(5);
    for (TensorType type : kPackableTypes) {
        const int columns = std::max(64, columnUnit(type));
        const auto source = randomSource(type, 17, columns, random);
        OwnedMatrix packed(type, 17, columns);
        packRows(packed.matrix, type, source.data(), 0, 17);
        std::vector<float> got(static_cast<size_t>(columns), 1.0f);
        for (int row = 17; row < 32; row++) {
            unpackRow(packed.matrix, row, got.data());
            for (float value : got) {
                QCOMPARE(value, 0.0f);
            }
        }
    }
}

void TestPacking::takesHardlyMoreThanTheSource()
{
    for (TensorType type : kPackableTypes) {
        const double source = static_cast<double>(rowBytes(type, 2048)) * 1024;
        const double packed = static_cast<double>(packedBytes(packedType(type), 1024, 2048));
        QVERIFY(packed >= source);
        switch (type) {
        case TensorType::Q2_K:   // two bits in nibbles
        case TensorType::Q3_K:   // three in six
        case TensorType::IQ4_NL: // four looked up: eight
        case TensorType::IQ4_XS:
        case TensorType::MXFP4:
            QVERIFY(packed <= source * 2.01);
            break;
        case TensorType::TQ1_0: // 1.6 bits and two in nibbles with a scale each 32
        case TensorType::TQ2_0:
            QVERIFY(packed <= source * 2.7);
            break;
        default:
            // Q4_K keeps 6-bit scales as bytes: 4.625 bits a weight instead of 4.5.
            QVERIFY(packed <= source * 1.03);
        }
    }
}

void TestPacking::tellsMxfp4ScalesThatDoNotFit()
{
    for (int exponent = 0; exponent < 256; exponent++) {
        std::vector<std::byte> block(sizeof(BlockMXFP4), std::byte{0x17}); // 0.5 and 6
        block[0] = static_cast<std::byte>(exponent);
        const bool fits = packsWithoutLoss(TensorType::MXFP4, block.data(), 32);
        QCOMPARE(fits, exponent >= 104 && exponent <= 146);
        if (fits) {
            OwnedMatrix packed(TensorType::MXFP4, 1, 32);
            packRows(packed.matrix, TensorType::MXFP4, block.data(), 0, 1);
            float got[32];
            unpackRow(packed.matrix, 0, got);
            QVERIFY(sameBits(got, decoded(TensorType::MXFP4, block, 0, 32).data(), 32));
        }
        std::fill(block.begin() + 1, block.end(), std::byte{0x80}); // zeros of both signs
        QVERIFY(packsWithoutLoss(TensorType::MXFP4, block.data(), 32));
    }
}

QTEST_GUILESS_MAIN(TestPacking)
#include "tst_packing.moc"
