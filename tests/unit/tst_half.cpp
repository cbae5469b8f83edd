#include "base/half.h"

#include <QTest>

#include <cmath>
#include <limits>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace kvasir;

class TestHalf : public QObject {
    Q_OBJECT

private slots:
    void halvesSurviveTheWayThroughFloat();
    void halfValuesAreWhatTheirBitsSay();
    void roundsToTheNearestHalf();
    void roundsTiesToEven();
    void agreesWithTheProcessor();
    void bfloatsSurviveTheWayThroughFloat();
    void roundsToTheNearestBfloat();
};

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// A half's value by the definition of binary16, without its bit tricks.
double valueOfHalf(uint16_t half)
{
    const int exponent = half >> 10 & 31;
    const int mantissa = half & 1023;
    const double magnitude = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
    return half & 0x8000 ? -magnitude : magnitude;
}

bool isHalfNan(uint16_t half)
{
    return (half & 0x7fff) > 0x7c00;
}

} // namespace

void TestHalf::halvesSurviveTheWayThroughFloat()
{
    for (uint32_t bits = 0; bits < 0x10000; ++bits) {
        const auto half = static_cast<uint16_t>(bits);
        const float value = halfToFloat(half);
        if (isHalfNan(half)) {
            QVERIFY(std::isnan(value));
            QCOMPARE(floatToHalf(value), uint16_t(half | 0x200)); // signalling ones become quiet
        } else {
            QCOMPARE(floatToHalf(value), half);
        }
    }
}

void TestHalf::halfValuesAreWhatTheirBitsSay()
{
    for (uint32_t bits = 0; bits < 0x10000; ++bits) {
        const auto half = static_cast<uint16_t>(bits);
        if ((half & 0x7c00) != 0x7c00) {
            QCOMPARE(double(halfToFloat(half)), valueOfHalf(half));
            QCOMPARE(std::signbit(halfToFloat(half)), (half & 0x8000) != 0);
        }
    }
    QCOMPARE(halfToFloat(0x7c00), kInfinity);
    QCOMPARE(halfToFloat(0xfc00), -kInfinity);
}

void TestHalf::roundsToTheNearestHalf()
{
    // Between each two neighbours: just below the middle goes down, just above goes up.
    for (uint16_t half = 0; half < 0x7bff; ++half) {
        const auto next = static_cast<uint16_t>(half + 1);
        const auto middle = static_cast<float>((valueOfHalf(half) + valueOfHalf(next)) / 2); // exact in 24 bits
        QCOMPARE(floatToHalf(std::nextafter(middle, -kInfinity)), half);
        QCOMPARE(floatToHalf(std::nextafter(middle, kInfinity)), next);
        QCOMPARE(floatToHalf(-std::nextafter(middle, kInfinity)), uint16_t(next | 0x8000));
    }
    QCOMPARE(floatToHalf(65504.0f), uint16_t(0x7bff));
    QCOMPARE(floatToHalf(65519.996f), uint16_t(0x7bff));
    QCOMPARE(floatToHalf(65520.0f), uint16_t(0x7c00));
    QCOMPARE(floatToHalf(-1e30f), uint16_t(0xfc00));
    QCOMPARE(floatToHalf(kInfinity), uint16_t(0x7c00));
    QCOMPARE(floatToHalf(1e-30f), uint16_t(0));
    QCOMPARE(floatToHalf(-0.0f), uint16_t(0x8000));
    QVERIFY(isHalfNan(floatToHalf(std::numeric_limits<float>::quiet_NaN())));
}

void TestHalf::roundsTiesToEven()
{
    for (uint16_t half = 0; half < 0x7bff; ++half) {
        const auto middle = static_cast<float>((valueOfHalf(half) + valueOfHalf(uint16_t(half + 1))) / 2);
        const auto even = static_cast<uint16_t>(half + (half & 1));
        QCOMPARE(floatToHalf(middle), even);
        QCOMPARE(floatToHalf(-middle), uint16_t(even | 0x8000));
    }
}

#if defined(__x86_64__)
namespace {

/// Every half to float, and floats of all exponents, signs and mantissa ends to half; false where the processor
/// differs.
__attribute__((target("f16c"))) bool agreesWithF16c()
{
    const auto fromHalf = [](uint16_t half) __attribute__((target("f16c")))
    {
        return std::bit_cast<uint32_t>(_mm_cvtss_f32(_mm_cvtph_ps(_mm_cvtsi32_si128(half))));
    };
    const auto toHalf = [](uint32_t bits) __attribute__((target("f16c")))
    {
        const __m128i halves = _mm_cvtps_ph(_mm_set_ss(std::bit_cast<float>(bits)), _MM_FROUND_TO_NEAREST_INT);
        return static_cast<uint16_t>(_mm_extract_epi16(halves, 0));
    };
    for (uint32_t half = 0; half < 0x10000; ++half) {
        // The instruction makes signalling NaNs quiet; a plain conversion need not.
        const uint32_t quiet = isHalfNan(uint16_t(half)) ? 0x400000u : 0u;
        if ((std::bit_cast<uint32_t>(halfToFloat(uint16_t(half))) | quiet) != fromHalf(uint16_t(half))) {
            return false;
        }
    }
    for (uint64_t bits = 0; bits < uint64_t(1) << 32; bits += 241) { // odd: meets all low bits; 18 million floats
        if (floatToHalf(std::bit_cast<float>(uint32_t(bits))) != toHalf(uint32_t(bits))) {
            return false;
        }
    }
    return true;
}

} // namespace
#endif

void TestHalf::agreesWithTheProcessor()
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("f16c")) {
        QVERIFY(agreesWithF16c());
        return;
    }
#endif
    QSKIP("this processor has no F16C instructions");
}

void TestHalf::bfloatsSurviveTheWayThroughFloat()
{
    for (uint32_t bits = 0; bits < 0x10000; ++bits) {
        const auto bfloat = static_cast<uint16_t>(bits);
        const float value = bfloatToFloat(bfloat);
        QCOMPARE(std::bit_cast<uint32_t>(value), bits << 16);
        const uint16_t quiet = std::isnan(value) ? 0x40 : 0;
        QCOMPARE(floatToBfloat(value), uint16_t(bfloat | quiet));
    }
}

void TestHalf::roundsToTheNearestBfloat()
{
    for (uint32_t bits = 0; bits < 0x7f80; ++bits) {
        const uint32_t middle = bits << 16 | 0x8000;
        QCOMPARE(floatToBfloat(std::bit_cast<float>(middle - 1)), uint16_t(bits));
        QCOMPARE(floatToBfloat(std::bit_cast<float>(middle)), uint16_t(bits + (bits & 1)));
        QCOMPARE(floatToBfloat(std::bit_cast<float>(middle + 1)), uint16_t(bits + 1));
        QCOMPARE(floatToBfloat(std::bit_cast<float>((middle + 1) | 0x80000000u)), uint16_t((bits + 1) | 0x8000));
    }
    QCOMPARE(floatToBfloat(std::bit_cast<float>(0x7f800001u)), uint16_t(0x7fc0)); // the low bits alone make it a NaN
}

QTEST_GUILESS_MAIN(TestHalf)
#include "tst_half.moc"
