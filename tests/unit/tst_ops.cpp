#include "cpusupport.h"
#include "rowresults.h"

#include <QTest>

#include <functional>
#include <numeric>

using namespace kvasir;
using namespace kvasir::cpu;
using namespace kvasir::testing;

class TestOps : public QObject {
    Q_OBJECT

private slots:
    void exponentialIsCloseToTheLibrary();
    void exponentialIsExactAtItsEnds();
    void tanhIsCloseToTheLibrary();
    void activationsAreCloseToTheirFormulas();
    void clampedSiluIsThatOfItsModel();
    void gatedFormsAreOneFunction();
    void rmsNormAgreesWithDoubles();
    void layerNormAgreesWithDoubles();
    void ropeTurnsPairs();
    void ropeLeavesTheRestOfAHead();
    void sumsAgreeWithDoubles();
    void findsTheMaximumAndWhatIsNotFinite();
    void allSetsGiveTheSameBits();
};

namespace {

const Kernels& scalar()
{
    return kernelsFor(InstructionSet::Scalar);
}

/// Numbers from -limit to limit, dense.
std::vector<float> line(float limit, int n)
{
    std::vector<float> x(static_cast<size_t>(n));
    for (int i = 0; i < n; i++) {
        x[static_cast<size_t>(i)] = limit * (2.0f * static_cast<float>(i) / static_cast<float>(n - 1) - 1.0f);
    }
    return x;
}

} // namespace

void TestOps::exponentialIsCloseToTheLibrary()
{
    const auto x = line(86.5f, 200001);
    std::vector<float> y(x.size());
    scalar().expSum(x.data(), 0, y.data(), static_cast<int>(x.size()));
    double worst = 0;
    for (size_t i = 0; i < x.size(); i++) {
        const double want = std::exp(static_cast<double>(x[i]));
        worst = std::max(worst, std::abs(y[i] - want) / want);
    }
    QVERIFY2(worst < 3e-7, qPrintable(QString::number(worst))); // 2.5 ulp
}

void TestOps::exponentialIsExactAtItsEnds()
{
    const std::vector<float> x = {0, -0.0f, -INFINITY, -1000, -87.5f, 100, 1e30f, NAN};
    std::vector<float> y(x.size());
    for (InstructionSet set : testedSets()) {
        kernelsFor(set).expSum(x.data(), 0, y.data(), static_cast<int>(x.size()));
        QCOMPARE(y[0], 1.0f);
        QCOMPARE(y[1], 1.0f);
        for (size_t i = 2; i < 5; i++) {
            QCOMPARE(y[i], 0.0f);
        }
        QVERIFY(std::isfinite(y[5]) && y[5] > 1e38f);
        QCOMPARE(y[6], y[5]);
        QVERIFY(std::isnan(y[7]));
    }
}

void TestOps::tanhIsCloseToTheLibrary()
{
    for (float limit : {1e-3f, 0.7f, 10.0f, 60.0f}) {
        const auto x = line(limit, 100001);
        auto y = x;
        scalar().softCap(y.data(), 1, static_cast<int>(y.size()));
        for (size_t i = 0; i < x.size(); i++) {
            const double want = std::tanh(static_cast<double>(x[i]));
            QVERIFY2(std::abs(y[i] - want) <= 5e-7 * std::abs(want), qPrintable(QString::number(x[i])));
        }
    }
    std::vector<float> y = {25, -1e9f, 0};
    scalar().softCap(y.data(), 50, 3);
    QVERIFY(std::abs(y[0] - 50 * std::tanh(0.5)) < 2e-5);
    QCOMPARE(y[1], -50.0f);
    QCOMPARE(y[2], 0.0f);
}

void TestOps::activationsAreCloseToTheirFormulas()
{
    struct Case {
        Activation activation;
        std::function<double(double)> formula;
        double bound; ///< absolute, plus three ulp of the value
    };
    const Case cases[] = {
        {Activation::Silu, [](double x) { return x / (1 + std::exp(-x)); }, 2e-7},
        {Activation::GeluTanh,
            [](double x) { return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x))); }, 3e-7},
        {Activation::GeluErf, [](double x) { return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0))); }, 5e-7},
    };
    for (const Case& c : cases) {
        const auto x = line(20, 100001);
        auto y = x;
        scalar().activate(c.activation, y.data(), static_cast<int>(y.size()));
        for (size_t i = 0; i < x.size(); i++) {
            const double want = c.formula(x[i]);
            QVERIFY2(std::abs(y[i] - want) <= c.bound + 4e-7 * std::abs(want),
                qPrintable(QString("%1: %2, not %3").arg(x[i]).arg(y[i]).arg(want)));
        }
        std::vector<float> far = {-1e4f, 1e4f, -200, 200};
        scalar().activate(c.activation, far.data(), 4);
        QVERIFY(std::abs(far[0]) < 1e-30f && std::abs(far[2]) < 1e-30f);
        QCOMPARE(far[1], 1e4f);
        QCOMPARE(far[3], 200.0f);
    }
}

void TestOps::clampedSiluIsThatOfItsModel()
{
    // The model's own reference: gate * sigmoid(1.702 gate) * (up + 1), gate at most 7, up within -7 and 7.
    const auto gate = line(20, 4001);
    for (float up : {-30.0f, -7.0f, -1.0f, 0.25f, 6.5f, 100.0f}) {
        const std::vector<float> ups(gate.size(), up);
        std::vector<float> y(gate.size());
        scalar().gated(Activation::ClampedSilu, gate.data(), ups.data(), y.data(), static_cast<int>(y.size()));
        for (size_t i = 0; i < gate.size(); i++) {
            const double g = std::min(7.0, static_cast<double>(gate[i]));
            const double u = std::clamp(static_cast<double>(up), -7.0, 7.0);
            const double want = g / (1 + std::exp(-1.702 * g)) * (u + 1);
            QVERIFY2(std::abs(y[i] - want) <= 2e-6 + 5e-7 * std::abs(want),
                qPrintable(QString("%1, %2: %3, not %4").arg(gate[i]).arg(up).arg(y[i]).arg(want)));
        }
    }
    std::vector<float> interleaved(32);
    for (int i = 0; i < 16; i++) {
        interleaved[static_cast<size_t>(i)] = gate[static_cast<size_t>(i * 250)];
        interleaved[static_cast<size_t>(16 + i)] = 0.5f;
    }
    const std::vector<float> ups(16, 0.5f);
    for (InstructionSet set : testedSets()) {
        float apart[16];
        float together[16];
        kernelsFor(set).gated(Activation::ClampedSilu, interleaved.data(), ups.data(), apart, 16);
        kernelsFor(set).gatedInterleaved(Activation::ClampedSilu, interleaved.data(), together, 16);
        QVERIFY(sameBits(apart, together, 16));
    }
}

void TestOps::gatedFormsAreOneFunction()
{
    Random random(21);
    for (Activation activation : {Activation::Silu, Activation::GeluTanh, Activation::GeluErf}) {
        for (int n : kRowSizes) {
            const auto gate = randomFloats(static_cast<size_t>(n), random);
            const auto up = randomFloats(static_cast<size_t>(n), random);
            std::vector<float> interleaved(static_cast<size_t>(interleavedRows(n)), NAN);
            for (int i = 0; i < n; i++) {
                interleaved[static_cast<size_t>(i / 16 * 32 + i % 16)] = gate[static_cast<size_t>(i)];
                interleaved[static_cast<size_t>(i / 16 * 32 + 16 + i % 16)] = up[static_cast<size_t>(i)];
            }
            auto want = gate;
            scalar().activate(activation, want.data(), n);
            scalar().multiply(want.data(), up.data(), n);
            for (InstructionSet set : testedSets()) {
                auto inPlace = gate;
                kernelsFor(set).gated(activation, inPlace.data(), up.data(), inPlace.data(), n);
                QVERIFY(sameBits(inPlace.data(), want.data(), want.size()));
                std::vector<float> out(static_cast<size_t>(n + 1), 7.0f);
                kernelsFor(set).gatedInterleaved(activation, interleaved.data(), out.data(), n);
                QVERIFY(sameBits(out.data(), want.data(), want.size()));
                QCOMPARE(out.back(), 7.0f);
            }
        }
    }
}

void TestOps::rmsNormAgreesWithDoubles()
{
    Random random(22);
    for (int n : kRowSizes) {
        const auto x = randomFloats(static_cast<size_t>(n), random);
        const auto weight = randomFloats(static_cast<size_t>(n), random);
        double squares = 0;
        for (float v : x) {
            squares += static_cast<double>(v) * v;
        }
        const double k = 1 / std::sqrt(squares / n + 1e-5);
        std::vector<float> y(static_cast<size_t>(n));
        std::vector<float> bare(static_cast<size_t>(n));
        scalar().rmsNorm(x.data(), weight.data(), y.data(), n, 1e-5f);
        scalar().rmsNorm(x.data(), nullptr, bare.data(), n, 1e-5f);
        for (size_t i = 0; i < y.size(); i++) {
            // The sum rounds at most 20 times a lane (halved by the root), then six operations.
            QVERIFY(std::abs(y[i] - x[i] * k * weight[i]) <= 1e-6 * std::abs(x[i] * k * weight[i]));
            QVERIFY(std::abs(bare[i] - x[i] * k) <= 1e-6 * std::abs(x[i] * k));
        }
    }
}

void TestOps::layerNormAgreesWithDoubles()
{
    Random random(23);
    for (int n : kRowSizes) {
        auto x = randomFloats(static_cast<size_t>(n), random);
        for (float& v : x) {
            v += 3;
        }
        const auto weight = randomFloats(static_cast<size_t>(n), random);
        const auto bias = randomFloats(static_cast<size_t>(n), random);
        const double mean = std::accumulate(x.begin(), x.end(), 0.0) / n;
        double variance = 0;
        for (float v : x) {
            variance += (v - mean) * (v - mean) / n;
        }
        std::vector<float> y(static_cast<size_t>(n));
        scalar().layerNorm(x.data(), weight.data(), bias.data(), y.data(), n, 1e-5f);
        for (size_t i = 0; i < y.size(); i++) {
            const double scaled = (x[i] - mean) / std::sqrt(variance + 1e-5) * weight[i];
            // The mean's error (relative 1e-6 of about 3) is not small against x - mean.
            const double bound =
                1e-6 * (std::abs(scaled) + std::abs(bias[i])) + 4e-6 / std::sqrt(variance + 1e-5) * std::abs(weight[i]);
            QVERIFY2(std::abs(y[i] - scaled - bias[i]) <= bound, qPrintable(QString("n = %1").arg(n)));
        }
    }
}

void TestOps::ropeTurnsPairs()
{
    Random random(24);
    for (int dimensions : {2, 8, 10, 16, 32, 34, 64, 128, 256}) {
        const auto half = static_cast<size_t>(dimensions / 2);
        std::vector<float> cosines(half);
        std::vector<float> sines(half);
        for (size_t i = 0; i < half; i++) {
            const double angle = 1000 * std::pow(10000.0, -2.0 * static_cast<double>(i) / dimensions);
            cosines[i] = static_cast<float>(std::cos(angle));
            sines[i] = static_cast<float>(std::sin(angle));
        }
        const auto x = randomFloats(static_cast<size_t>(dimensions) * 3, random);
        for (RopeStyle style : {RopeStyle::Pairs, RopeStyle::Halves}) {
            auto y = x;
            scalar().rope(y.data(), 3, dimensions, dimensions, cosines.data(), sines.data(), style);
            for (size_t head = 0; head < 3; head++) {
                for (size_t i = 0; i < half; i++) {
                    const size_t base = head * static_cast<size_t>(dimensions);
                    const size_t a = base + (style == RopeStyle::Pairs ? 2 * i : i);
                    const size_t b = base + (style == RopeStyle::Pairs ? 2 * i + 1 : i + half);
                    const double size = std::hypot(x[a], x[b]);
                    QVERIFY(std::abs(y[a] - (double{x[a]} * cosines[i] - double{x[b]} * sines[i])) <= 2e-7 * size);
                    QVERIFY(std::abs(y[b] - (double{x[b]} * cosines[i] + double{x[a]} * sines[i])) <= 2e-7 * size);
                }
            }
        }
    }
}

void TestOps::ropeLeavesTheRestOfAHead()
{
    Random random(25);
    const std::vector<float> cosines(8, 0.5f);
    const std::vector<float> sines(8, 0.25f);
    const auto x = randomFloats(3 * 24, random);
    for (InstructionSet set : testedSets()) {
        for (RopeStyle style : {RopeStyle::Pairs, RopeStyle::Halves}) {
            auto y = x;
            kernelsFor(set).rope(y.data(), 3, 24, 10, cosines.data(), sines.data(), style);
            for (size_t i = 0; i < y.size(); i++) {
                QCOMPARE(y[i] != x[i], i % 24 < 10);
            }
        }
    }
}

void TestOps::sumsAgreeWithDoubles()
{
    Random random(26);
    for (int n : kRowSizes) {
        const auto a = randomFloats(static_cast<size_t>(n), random);
        const auto b = randomFloats(static_cast<size_t>(n), random);
        double product = 0;
        double magnitude = 0;
        double exponentials = 0;
        for (size_t i = 0; i < a.size(); i++) {
            product += double{a[i]} * b[i];
            magnitude += std::abs(double{a[i]} * b[i]);
            exponentials += std::exp(double{a[i]} - 30);
        }
        // At most 11 additions a lane and six down the tree.
        QVERIFY(std::abs(scalar().dot(a.data(), b.data(), n) - product) <= 20 * 0x1p-24 * magnitude);
        std::vector<float> out(static_cast<size_t>(n));
        QVERIFY(std::abs(scalar().expSum(a.data(), 30, out.data(), n) - exponentials) <= 6e-6 * exponentials + 1e-30);
    }
}

void TestOps::findsTheMaximumAndWhatIsNotFinite()
{
    Random random(27);
    for (InstructionSet set : testedSets()) {
        for (int n : kRowSizes) {
            auto x = randomFloats(static_cast<size_t>(n), random);
            for (float& v : x) {
                v = -std::abs(v) - 1; // zeros beyond the end must not win
            }
            QCOMPARE(kernelsFor(set).maximum(x.data(), n), *std::max_element(x.begin(), x.end()));
            QVERIFY(kernelsFor(set).allFinite(x.data(), n));
            for (float bad : {NAN, INFINITY, -INFINITY}) {
                for (int at : {0, n / 2, n - 1}) {
                    auto broken = x;
                    broken[static_cast<size_t>(at)] = bad;
                    QVERIFY(!kernelsFor(set).allFinite(broken.data(), n));
                }
            }
        }
    }
}

void TestOps::allSetsGiveTheSameBits()
{
    Random random(28);
    for (int n : kRowSizes) {
        const RowInputs inputs(n, random);
        const auto want = rowResults(scalar(), inputs);
        for (InstructionSet set : testedSets()) {
            const auto got = rowResults(kernelsFor(set), inputs);
            for (size_t i = 0; i < want.size(); i++) {
                QVERIFY2(sameBits(&got[i], &want[i], 1),
                    qPrintable(QString("%1: n = %2, value %3 of part %4")
                                   .arg(instructionSetName(set).data())
                                   .arg(n)
                                   .arg(i % static_cast<size_t>(n))
                                   .arg(i / static_cast<size_t>(n))));
            }
        }
    }
}

QTEST_GUILESS_MAIN(TestOps)
#include "tst_ops.moc"
