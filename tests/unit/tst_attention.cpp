#include "base/threadpool.h"
#include "cpusupport.h"

#include <QTest>

using namespace kvasir;
using namespace kvasir::cpu;
using namespace kvasir::testing;

class TestAttention : public QObject {
    Q_OBJECT

private slots:
    void agreesWithDoubles_data() { addCases(); }
    void agreesWithDoubles();
    void rowsHaveTheSameBitsHoweverTheyAreAsked_data() { addCases(); }
    void rowsHaveTheSameBitsHoweverTheyAreAsked();
    void readsNothingThatARowDoesNotSee_data() { addCases(); }
    void readsNothingThatARowDoesNotSee();
    void sinksTakeTheirShare();
    void storedHalvesRoundAndSaturate();

private:
    static void addCases();
};

namespace {

constexpr float kPoison = NAN;

/// A sequence of one key/value head: floats as given, and the cache that the kernels see.
struct Sequence {
    AttentionShape shape;
    int positions;
    std::vector<float> keys; ///< positions x headSize
    std::vector<float> values;
    size_t offset;
    std::vector<AlignedBuffer> blocks;
    std::vector<const std::byte*> table;

    Sequence(const AttentionShape& shape_, int positions_, InstructionSet set, Random& random)
        : shape(shape_)
        , positions(positions_)
        , keys(randomFloats(static_cast<size_t>(positions) * size(), random))
        , values(randomFloats(static_cast<size_t>(positions) * size(), random))
        , offset(192) // other heads lie before and after
    {
        for (int b = 0; b * kKvBlock < positions; b++) {
            const size_t bytes = offset + shape.layout.bytes() + 64;
            blocks.push_back(std::move(*AlignedBuffer::allocate(bytes)));
            // What nobody wrote is poison: 0xff.. is a NaN in every type.
            std::memset(blocks.back().data(), 0xff, bytes);
            table.push_back(blocks.back().data());
        }
        for (int p = 0; p < positions; p++) {
            write(p, set);
        }
    }
    size_t size() const { return static_cast<size_t>(shape.layout.headSize); }
    void write(int p, InstructionSet set)
    {
        const auto at = static_cast<size_t>(p) * size();
        kernelsFor(set).storeKv(shape.layout, blocks[static_cast<size_t>(p / kKvBlock)].data() + offset, p % kKvBlock,
            keys.data() + at, values.data() + at);
    }
    KvView view() const { return {table.data(), offset}; }
};

float asStored(TensorType type, float value)
{
    return type == TensorType::F16 ? halfToFloat(floatToHalf(value)) : value;
}

/// Attention of one query by the definition.
std::vector<double> naive(const Sequence& s, const float* query, int position)
{
    const auto d = s.size();
    std::vector<double> scores;
    double top = -INFINITY;
    const int first = firstVisible(s.shape, position);
    for (int p = first; p <= position; p++) {
        double score = 0;
        for (size_t i = 0; i < d; i++) {
            score += double{query[i]} * asStored(s.shape.layout.keys, s.keys[static_cast<size_t>(p) * d + i]);
        }
        score *= s.shape.scale;
        if (s.shape.softCap > 0) {
            score = s.shape.softCap * std::tanh(score / s.shape.softCap);
        }
        scores.push_back(score);
        top = std::max(top, score);
    }
    double sum = 0;
    std::vector<double> out(d);
    for (size_t n = 0; n < scores.size(); n++) {
        const double e = std::exp(scores[n] - top);
        sum += e;
        for (size_t i = 0; i < d; i++) {
            out[i] += e * asStored(s.shape.layout.values, s.values[(static_cast<size_t>(first) + n) * d + i]);
        }
    }
    for (double& v : out) {
        v /= sum;
    }
    return out;
}

/// By chunks, as a decode step does it.
void decode(
    const Kernels& k, const Sequence& s, const float* queries, int heads, int position, float* y, ThreadPool& pool)
{
    const int first = firstChunk(s.shape, position);
    const int chunks = chunkCount(s.shape, position);
    const auto floats = static_cast<size_t>(attentionPartFloats(s.shape.layout));
    std::vector<float> parts(static_cast<size_t>(chunks * heads) * floats, kPoison);
    pool.run([&](int thread) {
        const Range mine = shareOf(chunks, thread, pool.threads());
        for (int c = mine.first; c < mine.last; c++) {
            k.attendChunk(s.shape, s.view(), queries, heads, position, first + c,
                parts.data() + static_cast<size_t>(c) * floats, static_cast<size_t>(chunks) * floats);
        }
    });
    for (int h = 0; h < heads; h++) {
        k.mergeParts(s.shape, parts.data() + static_cast<size_t>(h * chunks) * floats, floats, chunks, kNoSink,
            y + static_cast<size_t>(h) * s.size());
    }
}

AttentionShape fetchShape()
{
    AttentionShape shape;
    shape.layout.headSize = *static_cast<int*>(QTest::qData("headSize", qMetaTypeId<int>()));
    shape.layout.keys =
        *static_cast<bool*>(QTest::qData("halfKeys", qMetaTypeId<bool>())) ? TensorType::F16 : TensorType::F32;
    shape.layout.values =
        *static_cast<bool*>(QTest::qData("halfValues", qMetaTypeId<bool>())) ? TensorType::F16 : TensorType::F32;
    shape.window = *static_cast<int*>(QTest::qData("window", qMetaTypeId<int>()));
    shape.softCap = *static_cast<float*>(QTest::qData("softCap", qMetaTypeId<float>()));
    shape.scale = 0.7f / std::sqrt(static_cast<float>(shape.layout.headSize));
    return shape;
}

} // namespace

void TestAttention::addCases()
{
    QTest::addColumn<int>("headSize");
    QTest::addColumn<int>("heads"); // queries that share the key/value head
    QTest::addColumn<bool>("halfKeys");
    QTest::addColumn<bool>("halfValues");
    QTest::addColumn<int>("window");
    QTest::addColumn<float>("softCap");
    QTest::newRow("64, 3 heads, F16") << 64 << 3 << true << true << 0 << 0.0f;
    QTest::newRow("64, 3 heads, F32") << 64 << 3 << false << false << 0 << 0.0f;
    QTest::newRow("256, 4 heads, F16, window") << 256 << 4 << true << true << 100 << 0.0f;
    QTest::newRow("128, 8 heads, F32 and F16") << 128 << 8 << false << true << 0 << 0.0f;
    QTest::newRow("8, 1 head, F16, long window") << 8 << 1 << true << true << 300 << 0.0f;
    QTest::newRow("24, 2 heads, F16 and F32, soft cap") << 24 << 2 << true << false << 0 << 2.0f;
    QTest::newRow("80, 7 heads, F16, window of 5, soft cap") << 80 << 7 << true << true << 5 << 3.0f;
    QTest::newRow("16, 2 heads, F32, window of 1") << 16 << 2 << false << false << 1 << 0.0f;
    QTest::newRow("32, 5 heads, F16, window of 256") << 32 << 5 << true << true << 256 << 0.0f;
    QTest::newRow("5, 2 heads, F16") << 5 << 2 << true << true << 0 << 0.0f;
}

void TestAttention::agreesWithDoubles()
{
    QFETCH(int, heads);
    const AttentionShape shape = fetchShape();
    Random random(31);
    constexpr int kPositions = 600;
    const Sequence s(shape, kPositions, InstructionSet::Scalar, random);
    const auto row = static_cast<size_t>(heads) * s.size();
    auto pool = ThreadPool::create({1});
    for (int position : {0, 1, 15, 16, 40, 255, 256, 300, 511, 512, 599}) {
        const auto queries = randomFloats(row, random);
        std::vector<float> y(row, kPoison);
        decode(kernelsFor(bestInstructionSet()), s, queries.data(), heads, position, y.data(), **pool);
        for (int h = 0; h < heads; h++) {
            const auto want = naive(s, queries.data() + static_cast<size_t>(h) * s.size(), position);
            for (size_t i = 0; i < s.size(); i++) {
                // Scores reach 30; each is off by some 1e-6 of that, so probabilities are by 3e-5 relative; values
                // reach 80.
                const double error = std::abs(want[i] - y[static_cast<size_t>(h) * s.size() + i]);
                QVERIFY2(error <= 2e-5 + 2e-5 * std::abs(want[i]),
                    qPrintable(QString("position %1, head %2: off by %3").arg(position).arg(h).arg(error)));
            }
        }
    }
}

void TestAttention::rowsHaveTheSameBitsHoweverTheyAreAsked()
{
    QFETCH(int, heads);
    const AttentionShape shape = fetchShape();
    Random random(32);
    constexpr int kPositions = 560;
    const Sequence s(shape, kPositions, InstructionSet::Scalar, random);
    const auto row = static_cast<size_t>(heads) * s.size();
    const auto queries = randomFloats(row * kPositions, random);
    const int starts[] = {0, 230, 500};
    constexpr int kCount = 60;
    auto one = ThreadPool::create({1});
    auto two = ThreadPool::create({2});

    for (int start : starts) {
        std::vector<float> want(row * kCount, kPoison);
        for (int j = 0; j < kCount; j++) {
            decode(kernelsFor(InstructionSet::Scalar), s, queries.data() + row * static_cast<size_t>(start + j), heads,
                start + j, want.data() + row * static_cast<size_t>(j), **one);
        }
        for (InstructionSet set : testedSets()) {
            const Kernels& k = kernelsFor(set);
            std::vector<float> got(row * kCount, kPoison);
            for (int j = 0; j < kCount; j++) {
                decode(k, s, queries.data() + row * static_cast<size_t>(start + j), heads, start + j,
                    got.data() + row * static_cast<size_t>(j), **two);
            }
            QVERIFY2(sameBits(got.data(), want.data(), got.size()), instructionSetName(set).data());
            for (int pieces : {1, 3, 7, 16, kCount}) {
                std::fill(got.begin(), got.end(), kPoison);
                for (int j = 0; j < kCount; j += pieces) {
                    QueryRows rows;
                    rows.queries = queries.data() + row * static_cast<size_t>(start + j);
                    rows.queryStride = row;
                    rows.y = got.data() + row * static_cast<size_t>(j);
                    rows.yStride = row;
                    rows.heads = heads;
                    rows.firstPosition = start + j;
                    rows.count = std::min(pieces, kCount - j);
                    k.attendQueries(shape, s.view(), rows);
                }
                QVERIFY2(sameBits(got.data(), want.data(), got.size()),
                    qPrintable(QString("%1, pieces of %2").arg(instructionSetName(set).data()).arg(pieces)));
            }
        }
    }
}

void TestAttention::readsNothingThatARowDoesNotSee()
{
    QFETCH(int, heads);
    const AttentionShape shape = fetchShape();
    for (InstructionSet set : testedSets()) {
        Random random(33);
        constexpr int kPositions = 420;
        constexpr int kFirst = 390;
        constexpr int kCount = 25; // positions after kFirst + kCount - 1 exist and are poison, too
        Sequence s(shape, kPositions, set, random);
        const auto row = static_cast<size_t>(heads) * s.size();
        const auto queries = randomFloats(row * kCount, random);
        QueryRows rows;
        rows.queries = queries.data();
        rows.queryStride = row;
        rows.yStride = row;
        rows.heads = heads;
        rows.firstPosition = kFirst;
        rows.count = kCount;
        std::vector<float> want(row * kCount);
        rows.y = want.data();
        kernelsFor(set).attendQueries(shape, s.view(), rows);
        for (float value : want) {
            QVERIFY(std::isfinite(value));
        }
        // Blocks that fell out of the window are gone, and later positions of the same step hold NaN.
        for (int b = 0; (b + 1) * kKvBlock <= firstVisible(shape, kFirst); b++) {
            s.table[static_cast<size_t>(b)] = nullptr;
        }
        for (int p = kFirst + 10; p < kPositions; p++) {
            for (size_t i = 0; i < s.size(); i++) {
                s.keys[static_cast<size_t>(p) * s.size() + i] = kPoison;
                s.values[static_cast<size_t>(p) * s.size() + i] = kPoison;
            }
            s.write(p, set);
        }
        std::vector<float> got(row * kCount);
        rows.y = got.data();
        kernelsFor(set).attendQueries(shape, s.view(), rows);
        QVERIFY(sameBits(got.data(), want.data(), row * 10));
        for (size_t i = row * 10; i < got.size(); i++) {
            QVERIFY(std::isnan(got[i]));
        }
    }
}

void TestAttention::sinksTakeTheirShare()
{
    Random random(34);
    AttentionShape shape;
    shape.layout.headSize = 16;
    shape.scale = 0.25f;
    const Sequence s(shape, 300, InstructionSet::Scalar, random);
    const auto queries = randomFloats(32, random);
    const float sinks[] = {1.5f, -40.0f};
    for (InstructionSet set : testedSets()) {
        float plain[32];
        float got[32];
        QueryRows rows;
        rows.queries = queries.data();
        rows.queryStride = 32;
        rows.y = plain;
        rows.yStride = 32;
        rows.heads = 2;
        rows.firstPosition = 299;
        rows.count = 1;
        kernelsFor(set).attendQueries(shape, s.view(), rows);
        rows.sinks = sinks;
        rows.y = got;
        kernelsFor(set).attendQueries(shape, s.view(), rows);
        for (int h = 0; h < 2; h++) {
            double sum = 0;
            for (int p = 0; p < 300; p++) {
                double score = 0;
                for (size_t i = 0; i < 16; i++) {
                    score += double{queries[static_cast<size_t>(h) * 16 + i]}
                        * asStored(TensorType::F16, s.keys[static_cast<size_t>(p) * 16 + i]);
                }
                sum += std::exp(score * 0.25);
            }
            const double share = sum / (sum + std::exp(double{sinks[h]}));
            for (int i = 0; i < 16; i++) {
                QVERIFY(
                    std::abs(got[h * 16 + i] - plain[h * 16 + i] * share) <= 2e-5 * std::abs(plain[h * 16 + i]) + 1e-7);
            }
        }
    }
}

void TestAttention::storedHalvesRoundAndSaturate()
{
    Random random(35);
    KvHeadLayout layout;
    layout.headSize = 20;
    auto key = randomFloats(20, random);
    auto value = randomFloats(20, random);
    key[3] = 1e6f;
    value[7] = -1e6f;
    value[8] = 1e-8f;
    for (InstructionSet set : testedSets()) {
        auto memory = AlignedBuffer::allocate(layout.bytes());
        kernelsFor(set).storeKv(layout, memory->data(), 5, key.data(), value.data());
        const auto* halves = memory->as<uint16_t>();
        for (int d = 0; d < 20; d++) {
            const float k = std::min(key[static_cast<size_t>(d)], 65504.0f);
            const float v = std::max(value[static_cast<size_t>(d)], -65504.0f);
            QCOMPARE(halves[d * kKvBlock + 5], floatToHalf(k));
            QCOMPARE(halves[20 * kKvBlock + 5 * 32 + d], floatToHalf(v));
        }
        for (int slot = 0; slot < kKvBlock; slot++) {
            if (slot != 5) {
                QCOMPARE(halves[slot], uint16_t{0});
            }
        }
    }
}

QTEST_GUILESS_MAIN(TestAttention)
#include "tst_attention.moc"
