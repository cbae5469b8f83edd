#include "base/threadpool.h"
#include "cpusupport.h"

#include <QTest>

using namespace kvasir;
using namespace kvasir::cpu;
using namespace kvasir::testing;

Q_DECLARE_METATYPE(kvasir::TensorType)

class TestMatmul : public QObject {
    Q_OBJECT

private slots:
    void scalarAgreesWithDoubles_data() { addTypes(); }
    void scalarAgreesWithDoubles();
    void rowsHaveTheSameBitsInAnyCompany_data() { addTypes(); }
    void rowsHaveTheSameBitsInAnyCompany();
    void longRowsHaveTheSameBits_data() { addTypes(); }
    void longRowsHaveTheSameBits();
    void extremeCodesDoNotOverflow();
    void writesNothingBesideItsRows();
    void quantizesToNearestWithinTheStep();
    void quantizedBlocksAreEqualInAllSets();
    void keepsWhatIsNotFinite();

private:
    static void addTypes();
};

namespace {

/// Activation rows in both forms.
struct Activations {
    int columns;
    std::vector<float> floats;
    std::vector<ActBlock> blocks;

    Activations(int rows, int columns_, Random& random)
        : columns(columns_)
        , floats(randomFloats(static_cast<size_t>(rows) * static_cast<size_t>(columns_), random))
    {
        if (columns % kGroupColumns == 0) {
            blocks.resize(floats.size() / kGroupColumns);
            kernelsFor(InstructionSet::Scalar).quantize(floats.data(), blocks.data(), static_cast<int>(floats.size()));
        }
    }
    MatmulArguments arguments(const PackedMatrix& matrix, int firstRow, int n) const
    {
        MatmulArguments a;
        a.weights = &matrix;
        if (usesInt8Activations(matrix.type)) {
            a.blocks = blocks.data() + static_cast<size_t>(firstRow) * static_cast<size_t>(columns / kGroupColumns);
        } else {
            a.floats = floats.data() + static_cast<size_t>(firstRow) * static_cast<size_t>(columns);
            a.floatStride = static_cast<size_t>(columns);
        }
        a.n = n;
        return a;
    }
};

/// Where a block has its scale, behind which lies the minimum, if any.
struct ScalePlace {
    size_t at = 0;
    int bytes = 2;
    bool hasMin = false;
};
ScalePlace scalePlace(TensorType type)
{
    switch (type) {
    case TensorType::Q4_1:
    case TensorType::Q5_1:
    case TensorType::Q4_K:
    case TensorType::Q5_K:
        return {.hasMin = true};
    case TensorType::Q2_K:
        return {.at = offsetof(BlockQ2_K, scale), .hasMin = true};
    case TensorType::Q3_K:
        return {.at = offsetof(BlockQ3_K, scale)};
    case TensorType::Q6_K:
        return {.at = offsetof(BlockQ6_K, scale)};
    case TensorType::TQ1_0:
        return {.at = offsetof(BlockTQ1_0, scale)};
    case TensorType::TQ2_0:
        return {.at = offsetof(BlockTQ2_0, scale)};
    case TensorType::MXFP4:
        return {.bytes = 1};
    default:
        return {};
    }
}

void multiply(const Kernels& kernels, ThreadPool& pool, MatmulArguments a, const AlignedBuffer& scratch)
{
    const size_t scratchBytes = (matmulScratchBytes(*a.weights) + 63) / 64 * 64;
    pool.run([&](int thread) {
        MatmulArguments mine = a;
        mine.scratch = scratch.data() + static_cast<size_t>(thread) * scratchBytes;
        const Range part =
            shareOf(a.weights->panels, thread, pool.threads(), panelUnit(kernels.set, a.weights->type, a.n));
        kernels.matmul(mine, part.first, part.last);
    });
}

AlignedBuffer scratchFor(const PackedMatrix& matrix, int threads)
{
    return std::move(
        *AlignedBuffer::allocate((matmulScratchBytes(matrix) + 63) / 64 * 64 * static_cast<size_t>(threads)));
}

} // namespace

void TestMatmul::addTypes()
{
    QTest::addColumn<TensorType>("type");
    for (TensorType type : kPackableTypes) {
        QTest::newRow(tensorTypeName(type).data()) << type;
    }
}

void TestMatmul::scalarAgreesWithDoubles()
{
    QFETCH(TensorType, type);
    Random random(11);
    constexpr int kRows = 37;
    constexpr int kN = 7;
    const int columns =
        meetsInt8(type) ? std::max(416, columnUnit(type) * 2) / columnUnit(type) * columnUnit(type) : 333;
    const auto source = randomSource(type, kRows, columns, random);
    OwnedMatrix w(type, kRows, columns);
    packRows(w.matrix, type, source.data(), 0, kRows);
    const Activations x(kN, columns, random);
    std::vector<float> y(kN * kRows);
    auto pool = ThreadPool::create({});
    MatmulArguments a = x.arguments(w.matrix, 0, kN);
    a.y = y.data();
    a.yStride = kRows;
    multiply(kernelsFor(InstructionSet::Scalar), **pool, a, scratchFor(w.matrix, 1));

    // Every step of the float sum rounds once: relative 2^-24 of the partial sum, which is at most the sum of
    // magnitudes. A group has at most 4 steps (two products with a scale times d, rounded too, and their additions), a
    // float column one. Minimum and codes cancel in part, so each counts by its own magnitude.
    const double steps = meetsInt8(type) ? columns / 8.0 : columns;
    const double bound = (steps + 4) * 0x1p-24;
    std::vector<float> weights(static_cast<size_t>(columns));
    for (int row = 0; row < kRows; row++) {
        dequantizeRow(type, source.data() + static_cast<size_t>(row) * rowBytes(type, weights.size()), weights.data(),
            weights.size());
        for (int j = 0; j < kN; j++) {
            double want = 0;
            double magnitude = 0;
            for (int c = 0; c < columns; c++) {
                double activation = x.floats[static_cast<size_t>(j * columns + c)];
                double span = std::abs(weights[static_cast<size_t>(c)]);
                if (meetsInt8(type)) {
                    const ActBlock& block = x.blocks[static_cast<size_t>(j * columns + c) / 32];
                    activation = static_cast<double>(block.d) * block.q[c % 32];
                    // Codes reach 255 steps of at most 0.007 x 63, minima the same.
                    span +=
                        type == TensorType::Q2_K || type == TensorType::Q4_K || type == TensorType::Q5_K ? 0.5 : 0.01;
                }
                want += activation * weights[static_cast<size_t>(c)];
                magnitude += std::abs(activation) * span;
            }
            const double error = std::abs(want - y[static_cast<size_t>(j * kRows + row)]);
            QVERIFY2(error <= bound * magnitude,
                qPrintable(QString("row %1 activation %2: off by %3 of %4")
                               .arg(row)
                               .arg(j)
                               .arg(error)
                               .arg(bound * magnitude)));
        }
    }
}

void TestMatmul::rowsHaveTheSameBitsInAnyCompany()
{
    QFETCH(TensorType, type);
    Random random(12);
    constexpr int kMost = 64;
    struct Shape {
        int rows;
        int columns;
    };
    // Whole and broken panels, an odd number of groups, one panel and many.
    std::vector<Shape> shapes = {{112, 96}, {49, 32}, {16, 160}, {5, 64}};
    if (columnUnit(type) == 256) {
        shapes = {{112, 256}, {49, 512}, {5, 768}};
    } else if (columnUnit(type) == 1) {
        shapes = {{112, 48}, {49, 31}, {16, 7}, {5, 1}};
    }
    std::vector<std::unique_ptr<ThreadPool>> pools;
    for (int threads : {1, 2, 3}) {
        pools.push_back(std::move(*ThreadPool::create({threads})));
    }
    for (const Shape shape : shapes) {
        const auto source = randomSource(type, shape.rows, shape.columns, random);
        OwnedMatrix w(type, shape.rows, shape.columns);
        packRows(w.matrix, type, source.data(), 0, shape.rows);
        const Activations x(kMost, shape.columns, random);
        const AlignedBuffer scratch = scratchFor(w.matrix, 3);
        const auto rows = static_cast<size_t>(shape.rows);
        std::vector<float> want(kMost * rows);
        for (int j = 0; j < kMost; j++) { // one row at a time: the plainest way
            MatmulArguments a = x.arguments(w.matrix, j, 1);
            a.y = want.data() + static_cast<size_t>(j) * rows;
            a.yStride = rows;
            kernelsFor(InstructionSet::Scalar).matmul(a, 0, w.matrix.panels);
        }
        for (InstructionSet set : testedSets()) {
            for (const auto& pool : pools) {
                for (int n = 1; n <= kMost; n = n == 33 ? kMost : n + 1) {
                    if (set == InstructionSet::Scalar && n > 9 && n < 31) {
                        continue; // slow, and nothing new: its tiles have 4 and 6 rows
                    }
                    // Starts at different rows, so that a row meets every place in a tile.
                    const int first = n * 7 % (kMost - n + 1);
                    std::vector<float> got(static_cast<size_t>(n) * rows, -1.0f);
                    MatmulArguments a = x.arguments(w.matrix, first, n);
                    a.y = got.data();
                    a.yStride = rows;
                    multiply(kernelsFor(set), *pool, a, scratch);
                    QVERIFY2(sameBits(got.data(), want.data() + static_cast<size_t>(first) * rows, got.size()),
                        qPrintable(QString("%1, %2 x %3, n = %4, %5 threads")
                                       .arg(instructionSetName(set).data())
                                       .arg(shape.rows)
                                       .arg(shape.columns)
                                       .arg(n)
                                       .arg(pool->threads())));
                }
            }
        }
    }
}

void TestMatmul::longRowsHaveTheSameBits()
{
    // Long enough that activation rows are cut into blocks that fit the cache (512 KiB).
    QFETCH(TensorType, type);
    Random random(13);
    constexpr int kRows = 40;
    constexpr int kN = 75;
    const int columns = meetsInt8(type) ? 8192 : 4099;
    const auto source = randomSource(type, kRows, columns, random);
    OwnedMatrix w(type, kRows, columns);
    packRows(w.matrix, type, source.data(), 0, kRows);
    const Activations x(kN, columns, random);
    auto pool = ThreadPool::create({2});
    const AlignedBuffer scratch = scratchFor(w.matrix, 2);
    std::vector<float> want;
    for (InstructionSet set : testedSets()) {
        for (int n : {1, kN}) {
            std::vector<float> got(static_cast<size_t>(kN * kRows));
            for (int row = 0; row < kN; row += n) {
                MatmulArguments a = x.arguments(w.matrix, row, n);
                a.y = got.data() + row * kRows;
                a.yStride = kRows;
                multiply(kernelsFor(set), **pool, a, scratch);
            }
            if (want.empty()) {
                want = got;
            }
            QVERIFY2(sameBits(got.data(), want.data(), got.size()), instructionSetName(set).data());
        }
    }
}

void TestMatmul::extremeCodesDoNotOverflow()
{
    // All codes at their ends times all activations at theirs: where an int16 sum would saturate, it does here.
    constexpr int kColumns = 256;
    for (TensorType type : kPackableTypes) {
        if (!meetsInt8(type)) {
            continue;
        }
        for (int fill : {0x00, 0xff, 0x80, 0x7f}) {
            Random random(14);
            auto source = randomSource(type, 16, kColumns, random);
            const auto reference = source;
            std::fill(source.begin(), source.end(), static_cast<std::byte>(fill));
            // Scales as they were, minima none.
            const ScalePlace place = scalePlace(type);
            for (size_t at = place.at; at < source.size(); at += blockShape(type).bytes) {
                std::copy_n(reference.begin() + static_cast<ptrdiff_t>(at), place.bytes,
                    source.begin() + static_cast<ptrdiff_t>(at));
                if (place.hasMin) {
                    std::fill_n(source.begin() + static_cast<ptrdiff_t>(at + 2), 2, std::byte{0});
                }
            }
            OwnedMatrix w(type, 16, kColumns);
            packRows(w.matrix, type, source.data(), 0, 16);
            const AlignedBuffer scratch = scratchFor(w.matrix, 1);
            for (int sign : {1, -1}) {
                std::vector<float> x(8 * kColumns, static_cast<float>(sign));
                std::vector<ActBlock> blocks(x.size() / 32);
                kernelsFor(InstructionSet::Scalar).quantize(x.data(), blocks.data(), static_cast<int>(x.size()));
                QCOMPARE(int{blocks[0].q[0]}, 127 * sign);
                std::vector<float> want;
                for (InstructionSet set : testedSets()) {
                    std::vector<float> got(8 * 16);
                    MatmulArguments a;
                    a.weights = &w.matrix;
                    a.blocks = blocks.data();
                    a.y = got.data();
                    a.yStride = 16;
                    a.n = 8;
                    a.scratch = scratch.data();
                    kernelsFor(set).matmul(a, 0, 1);
                    want = want.empty() ? got : want;
                    QVERIFY2(sameBits(got.data(), want.data(), got.size()), tensorTypeName(type).data());
                }
                for (int row = 0; row < 16; row++) {
                    std::vector<float> weights(kColumns);
                    unpackRow(w.matrix, row, weights.data());
                    double sum = 0;
                    for (float weight : weights) {
                        sum += weight;
                    }
                    // d = 1 / 127 rounded, times 127.
                    QVERIFY(std::abs(sum * sign - want[static_cast<size_t>(row)]) <= 1e-6 * std::abs(sum) + 1e-6);
                }
            }
        }
    }
}

void TestMatmul::writesNothingBesideItsRows()
{
    Random random(15);
    constexpr float kUntouched = 12345.0f;
    for (TensorType type : {TensorType::F32, TensorType::BF16, TensorType::Q4_1, TensorType::Q6_K}) {
        const int columns = 256;
        constexpr int kRows = 53;
        constexpr int kStride = 61;
        const auto source = randomSource(type, kRows, columns, random);
        OwnedMatrix w(type, kRows, columns);
        packRows(w.matrix, type, source.data(), 0, kRows);
        const Activations x(9, columns, random);
        const AlignedBuffer scratch = scratchFor(w.matrix, 1);
        for (InstructionSet set : testedSets()) {
            for (int n : {1, 2, 3, 4, 5, 9}) {
                std::vector<float> y(static_cast<size_t>(n * kStride), kUntouched);
                MatmulArguments a = x.arguments(w.matrix, 0, n);
                a.y = y.data();
                a.yStride = kStride;
                a.scratch = scratch.data();
                kernelsFor(set).matmul(a, 1, 4); // not the first panel
                for (int j = 0; j < n; j++) {
                    for (int i = 0; i < kStride; i++) {
                        const bool touched = y[static_cast<size_t>(j * kStride + i)] != kUntouched;
                        QCOMPARE(touched, i >= 16 && i < kRows);
                    }
                }
            }
        }
    }
}

void TestMatmul::quantizesToNearestWithinTheStep()
{
    Random random(16);
    for (float size : {1e-25f, 1e-3f, 1.0f, 1e6f, 1e30f}) {
        const auto x = randomFloats(32, random, size);
        ActBlock block;
        kernelsFor(InstructionSet::Scalar).quantize(x.data(), &block, 32);
        int sums[2] = {0, 0};
        float largest = 0;
        for (int i = 0; i < 32; i++) {
            largest = std::max(largest, std::abs(x[static_cast<size_t>(i)]));
            sums[i / 16] += block.q[i];
            // Half a step, and the roundings of 127 / max and of the product.
            QVERIFY(std::abs(x[static_cast<size_t>(i)] - block.d * block.q[i]) <= block.d * 0.50002f);
        }
        QCOMPARE(block.d, largest / 127);
        QCOMPARE(block.negativeSums[0], -sums[0]);
        QCOMPARE(block.negativeSums[1], -sums[1]);
        QCOMPARE(block.sum, block.d * static_cast<float>(sums[0] + sums[1]));
    }
}

void TestMatmul::quantizedBlocksAreEqualInAllSets()
{
    Random random(17);
    std::vector<float> x = randomFloats(32 * 300, random);
    for (int i = 0; i < 32; i++) { // groups of their own: zeros, the smallest numbers, ties, one outlier
        x[static_cast<size_t>(i)] = 0;
        x[static_cast<size_t>(32 + i)] = 1e-42f * static_cast<float>(i);
        x[static_cast<size_t>(64 + i)] = static_cast<float>(i - 16) + 0.5f;
        x[static_cast<size_t>(96 + i)] = i == 7 ? 1e38f : 1.0f;
    }
    x[64] = 127;
    std::vector<ActBlock> want(300);
    kernelsFor(InstructionSet::Scalar).quantize(x.data(), want.data(), static_cast<int>(x.size()));
    for (int i = 0; i < 32; i++) {
        QCOMPARE(int{want[0].q[i]}, 0);
        QCOMPARE(int{want[1].q[i]}, 0);
    }
    for (InstructionSet set : testedSets()) {
        std::vector<ActBlock> got(300);
        kernelsFor(set).quantize(x.data(), got.data(), static_cast<int>(x.size()));
        QVERIFY(std::memcmp(got.data(), want.data(), got.size() * sizeof(ActBlock)) == 0);
    }
}

void TestMatmul::keepsWhatIsNotFinite()
{
    // A NaN in an activation must reach the logits, where it becomes an error; a quantized one could vanish.
    const float bad[] = {std::nanf(""), INFINITY, -INFINITY};
    Random random(18);
    for (float value : bad) {
        for (TensorType type : {TensorType::Q4_0, TensorType::Q6_K, TensorType::F16}) {
            const auto source = randomSource(type, 16, 256, random);
            OwnedMatrix w(type, 16, 256);
            packRows(w.matrix, type, source.data(), 0, 16);
            for (InstructionSet set : testedSets()) {
                std::vector<float> x(256, 0.5f);
                x[100] = value;
                std::vector<ActBlock> blocks(8);
                kernelsFor(set).quantize(x.data(), blocks.data(), 256);
                float y[16];
                MatmulArguments a;
                a.weights = &w.matrix;
                a.blocks = blocks.data();
                a.floats = x.data();
                a.floatStride = 256;
                a.y = y;
                a.yStride = 16;
                a.n = 1;
                kernelsFor(set).matmul(a, 0, 1);
                for (float result : y) {
                    QVERIFY(!std::isfinite(result));
                }
            }
        }
    }
}

QTEST_GUILESS_MAIN(TestMatmul)
#include "tst_matmul.moc"
