#include "session/random.h"
#include "session/sampler.h"

#include <QtTest>

#include <cmath>
#include <limits>
#include <random>

using namespace kvasir;

namespace {

std::vector<float> randomLogits(size_t count, float spread, unsigned seed)
{
    std::mt19937 generator(seed);
    std::normal_distribution<float> normal(0, spread);
    std::vector<float> logits(count);
    for (float& logit : logits) {
        logit = normal(generator);
    }
    return logits;
}

SamplingSettings plain()
{
    SamplingSettings settings;
    settings.temperature = 1;
    settings.topK = 0;
    settings.topP = 1;
    settings.minP = 0;
    return settings;
}

std::vector<double> softmax(const std::vector<float>& logits, double temperature)
{
    const float largest = *std::max_element(logits.begin(), logits.end());
    std::vector<double> weights;
    double total = 0;
    for (const float logit : logits) {
        weights.push_back(std::exp((static_cast<double>(logit) - static_cast<double>(largest)) / temperature));
        total += weights.back();
    }
    for (double& weight : weights) {
        weight /= total;
    }
    return weights;
}

std::vector<int> drawMany(
    const std::vector<float>& logits, const SamplingSettings& settings, int draws, std::vector<TokenId> history = {})
{
    Sampler sampler;
    std::vector<int> counts(logits.size());
    for (int i = 0; i < draws; ++i) {
        ++counts[static_cast<size_t>(sampler.sample(logits, history, settings, static_cast<uint64_t>(i))->token)];
    }
    return counts;
}

// Pearson's statistic over the tokens with a probability; the caller knows the degrees of freedom.
double chiSquare(const std::vector<int>& counts, const std::vector<double>& probabilities, int draws)
{
    double sum = 0;
    for (size_t i = 0; i < counts.size(); ++i) {
        const double expected = probabilities[i] * draws;
        if (expected > 0) {
            sum += (counts[i] - expected) * (counts[i] - expected) / expected;
        } else if (counts[i] > 0) {
            return std::numeric_limits<double>::infinity();
        }
    }
    return sum;
}

// The distribution that the settings ask for, by sorting everything.
std::vector<double> reference(const std::vector<float>& logits, const SamplingSettings& settings)
{
    std::vector<size_t> order(logits.size());
    for (size_t i = 0; i < order.size(); ++i) {
        order[i] = i;
    }
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return logits[a] > logits[b]; });
    if (settings.topK > 0) {
        order.resize(std::min(order.size(), static_cast<size_t>(settings.topK)));
    }
    const std::vector<double> all = softmax(logits, static_cast<double>(settings.temperature));
    double total = 0;
    for (const size_t i : order) {
        total += all[i];
    }
    double mass = 0;
    size_t kept = 0;
    while (kept < order.size() && (settings.topP >= 1 || mass < static_cast<double>(settings.topP) * total)) {
        mass += all[order[kept++]];
    }
    order.resize(kept);
    std::vector<double> result(logits.size());
    double sum = 0;
    for (const size_t i : order) {
        if (all[i] >= static_cast<double>(settings.minP) * all[order.front()]) {
            result[i] = all[i];
            sum += all[i];
        }
    }
    for (double& value : result) {
        value /= sum;
    }
    return result;
}

} // namespace

class TestSampler : public QObject {
    Q_OBJECT

private slots:
    void philoxMatchesItsPublishedVectors()
    {
        using Words = std::array<uint32_t, 4>;
        QCOMPARE(philox({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
        QCOMPARE(philox({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}), (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
        QCOMPARE(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
    }

    void zeroTemperatureTakesTheLargestAndTheLowestIdOnTies()
    {
        std::vector<float> logits(1000, -1);
        logits[700] = logits[130] = logits[129] = 2;
        SamplingSettings settings = plain();
        settings.temperature = 0;
        Sampler sampler;
        for (uint64_t index = 0; index < 5; ++index) {
            QCOMPARE(sampler.sample(logits, {}, settings, index)->token, 129);
        }
        std::fill(logits.begin(), logits.end(), 0.0f);
        QCOMPARE(sampler.sample(logits, {}, settings, 0)->token, 0);
    }

    void topKBreaksTiesByTheLowestId()
    {
        std::vector<float> logits(300, 1);
        SamplingSettings settings = plain();
        settings.topK = 3;
        const auto counts = drawMany(logits, settings, 3000);
        QVERIFY(counts[0] > 800 && counts[1] > 800 && counts[2] > 800);
        QCOMPARE(counts[0] + counts[1] + counts[2], 3000);
    }

    void drawsFollowTheSoftmax_data()
    {
        QTest::addColumn<float>("temperature");
        QTest::newRow("0.5") << 0.5f;
        QTest::newRow("1") << 1.0f;
        QTest::newRow("2") << 2.0f;
    }
    void drawsFollowTheSoftmax()
    {
        QFETCH(float, temperature);
        const std::vector<float> logits{1.0f, 0.0f, -1.0f, 2.0f, 0.5f, 0.5f, -0.5f, 1.5f};
        SamplingSettings settings = plain();
        settings.temperature = temperature;
        settings.seed = 99;
        constexpr int kDraws = 40000;
        const double statistic =
            chiSquare(drawMany(logits, settings, kDraws), softmax(logits, static_cast<double>(temperature)), kDraws);
        QVERIFY2(statistic < 24.3, qPrintable(QString::number(statistic))); // 7 degrees of freedom, 0.1 %
    }

    void everyFilterGivesTheReferenceDistribution_data()
    {
        QTest::addColumn<int>("topK");
        QTest::addColumn<float>("topP");
        QTest::addColumn<float>("minP");
        QTest::addColumn<float>("temperature");
        QTest::newRow("top-k") << 10 << 1.0f << 0.0f << 1.0f;
        QTest::newRow("top-p") << 0 << 0.5f << 0.0f << 1.0f;
        QTest::newRow("top-p of many") << 0 << 0.97f << 0.0f << 1.5f;
        QTest::newRow("min-p") << 0 << 1.0f << 0.2f << 1.0f;
        QTest::newRow("min-p before temperature would differ") << 0 << 1.0f << 0.2f << 2.0f;
        QTest::newRow("all") << 40 << 0.9f << 0.05f << 0.8f;
        QTest::newRow("top-p inside top-k") << 5 << 0.6f << 0.0f << 1.0f;
        QTest::newRow("top-k above the vocabulary") << 100000 << 1.0f << 0.0f << 1.0f;
    }
    void everyFilterGivesTheReferenceDistribution()
    {
        QFETCH(int, topK);
        QFETCH(float, topP);
        QFETCH(float, minP);
        QFETCH(float, temperature);
        const std::vector<float> logits = randomLogits(1000, 2, 5);
        SamplingSettings settings = plain();
        settings.topK = topK;
        settings.topP = topP;
        settings.minP = minP;
        settings.temperature = temperature;
        settings.seed = 4;
        const std::vector<double> expected = reference(logits, settings);
        const std::vector<int> counts = drawMany(logits, settings, 20000);
        double freedom = -1;
        for (size_t i = 0; i < counts.size(); ++i) {
            freedom += expected[i] > 0 ? 1 : 0;
            QVERIFY2(expected[i] > 0 || counts[i] == 0, qPrintable(QString("token %1 was drawn").arg(i)));
        }
        const double statistic = chiSquare(counts, expected, 20000);
        // Wilson-Hilferty: the 99.9 % point, widened for cells with few expected draws
        const double bound =
            std::max(1.0, freedom) * std::pow(1 - 2 / (9 * freedom) + 4 * std::sqrt(2 / (9 * freedom)), 3);
        QVERIFY2(statistic < bound, qPrintable(QString("%1 of %2 at %3").arg(statistic).arg(bound).arg(freedom)));
    }

    void topPKeepsTheTokenThatCrossesTheMass()
    {
        // probabilities 0.5, 0.3, 0.2
        const std::vector<float> logits{std::log(0.5f), std::log(0.3f), std::log(0.2f)};
        SamplingSettings settings = plain();
        settings.topP = 0.6f;
        auto counts = drawMany(logits, settings, 4000);
        QVERIFY(std::abs(counts[0] - 2500) < 150); // 0.5 / 0.8
        QCOMPARE(counts[2], 0);
        settings.topP = 0.4f;
        counts = drawMany(logits, settings, 100);
        QCOMPARE(counts[0], 100);
    }

    void minPComparesWithTheMostLikely()
    {
        const std::vector<float> logits{std::log(0.5f), std::log(0.3f), std::log(0.2f)};
        SamplingSettings settings = plain();
        settings.minP = 0.5f; // 0.25 and above
        const auto counts = drawMany(logits, settings, 4000);
        QCOMPARE(counts[2], 0);
        QVERIFY(std::abs(counts[1] - 1500) < 150);
    }

    void penaltiesFollowTheirFormulas()
    {
        // After the penalties the wanted order is by hand: token 0: (3 / 1.5) - 0.25 - 2 * 0.5 = 0.75,
        // token 1: (-1 * 1.5) - 0.25 - 0.5 = -2.25, token 2 is untouched at 0.8.
        const std::vector<float> logits{3.0f, -1.0f, 0.8f};
        const std::vector<TokenId> history{0, 1, 0};
        SamplingSettings settings = plain();
        settings.repetitionPenalty = 1.5f;
        settings.presencePenalty = 0.25f;
        settings.frequencyPenalty = 0.5f;
        settings.temperature = 0;
        Sampler sampler;
        QCOMPARE(sampler.sample(logits, history, settings, 0)->token, 2);
        settings.temperature = 1;
        const auto counts = drawMany(logits, settings, 40000, history);
        const double statistic = chiSquare(counts, softmax({0.75f, -2.25f, 0.8f}, 1), 40000);
        QVERIFY2(statistic < 13.8, qPrintable(QString::number(statistic)));
    }

    void penaltiesLookAtTheirWindowOnly()
    {
        const std::vector<float> logits{1.0f, 0.9f};
        SamplingSettings settings = plain();
        settings.temperature = 0;
        settings.presencePenalty = 1;
        Sampler sampler;
        const std::vector<TokenId> history{0, 1};
        settings.penaltyWindow = 1; // sees token 1
        QCOMPARE(sampler.sample(logits, history, settings, 0)->token, 0);
        settings.penaltyWindow = -1; // sees both
        QCOMPARE(sampler.sample(logits, history, settings, 0)->token, 0);
        settings.penaltyWindow = 1;
        QCOMPARE(sampler.sample(logits, std::vector<TokenId>{1, 0}, settings, 0)->token, 1);
        settings.penaltyWindow = 0;
        QCOMPARE(sampler.sample(logits, std::vector<TokenId>{1, 0}, settings, 0)->token, 0);
    }

    void biasComesBeforeThePenalties()
    {
        // 1 + 2 = 3, / 2 = 1.5 < 1.6; the other order would give 2.5
        const std::vector<float> logits{1.0f, 1.6f};
        SamplingSettings settings = plain();
        settings.temperature = 0;
        settings.repetitionPenalty = 2;
        settings.bias = {{0, 2.0f}};
        Sampler sampler;
        QCOMPARE(sampler.sample(logits, std::vector<TokenId>{0}, settings, 0)->token, 1);
        QCOMPARE(sampler.sample(logits, {}, settings, 0)->token, 0);
    }

    void minusInfinityForbidsAToken()
    {
        const std::vector<float> logits{5.0f, 1.0f, 0.0f};
        SamplingSettings settings = plain();
        settings.bias = {{0, -std::numeric_limits<float>::infinity()}};
        QCOMPARE(drawMany(logits, settings, 1000)[0], 0);
        settings.topK = 2;
        QCOMPARE(drawMany(logits, settings, 1000)[0], 0);
        settings.topK = 3;
        QCOMPARE(drawMany(logits, settings, 1000)[0], 0);
        for (TokenId token : {1, 2}) {
            settings.bias.push_back({token, -std::numeric_limits<float>::infinity()});
        }
        Sampler sampler;
        QCOMPARE(sampler.sample(logits, {}, settings, 0).error().code, ErrorCode::BadArgument);
    }

    void theSameSeedGivesTheSameTokens()
    {
        const std::vector<float> logits = randomLogits(5000, 1, 1);
        SamplingSettings settings = plain();
        settings.seed = 12;
        std::vector<TokenId> first;
        std::vector<TokenId> second;
        std::vector<TokenId> other;
        Sampler one;
        Sampler two;
        for (uint64_t index = 0; index < 50; ++index) {
            first.push_back(one.sample(logits, {}, settings, index)->token);
        }
        for (uint64_t index = 50; index-- > 0;) { // the order of drawing does not matter
            second.insert(second.begin(), two.sample(logits, {}, settings, index)->token);
        }
        settings.seed = 13;
        for (uint64_t index = 0; index < 50; ++index) {
            other.push_back(one.sample(logits, {}, settings, index)->token);
        }
        QCOMPARE(first, second);
        QVERIFY(first != other);
    }

    void describesTheModelsOwnDistribution()
    {
        const std::vector<float> logits = randomLogits(1003, 2, 8);
        const std::vector<double> expected = softmax(logits, 1);
        double entropy = 0;
        for (const double p : expected) {
            entropy -= p * std::log2(p);
        }
        SamplingSettings settings; // temperature 0.7, filters on
        settings.repetitionPenalty = 1.3f;
        const std::vector<TokenId> history{1, 2, 3};
        Sampler sampler;
        const Sample sample = *sampler.sample(logits, history, settings, 0);
        QVERIFY(std::abs(static_cast<double>(sample.probability) - expected[static_cast<size_t>(sample.token)]) < 1e-6);
        QVERIFY(std::abs(static_cast<double>(sample.entropy) - entropy) < 1e-4);
        std::vector<double> sorted = expected;
        std::sort(sorted.rbegin(), sorted.rend());
        for (size_t i = 0; i < kAlternatives; ++i) {
            const Alternative& alternative = sample.alternatives[i];
            QVERIFY(std::abs(static_cast<double>(alternative.probability) - sorted[i]) < 1e-6);
            QVERIFY(std::abs(expected[static_cast<size_t>(alternative.token)] - sorted[i]) < 1e-12);
        }
    }

    void fewerTokensThanAlternativesLeaveTheRestEmpty()
    {
        Sampler sampler;
        const Sample sample = *sampler.sample(std::vector<float>{0.0f, 1.0f}, {}, plain(), 0);
        QCOMPARE(sample.alternatives[0].token, 1);
        QCOMPARE(sample.alternatives[1].token, 0);
        QCOMPARE(sample.alternatives[2].token, kNoToken);
    }

    void logitsThatAreNoNumbersAreAnError_data()
    {
        QTest::addColumn<float>("value");
        QTest::newRow("nan") << std::numeric_limits<float>::quiet_NaN();
        QTest::newRow("infinity") << std::numeric_limits<float>::infinity();
        QTest::newRow("minus infinity") << -std::numeric_limits<float>::infinity();
    }
    void logitsThatAreNoNumbersAreAnError()
    {
        QFETCH(float, value);
        Sampler sampler;
        for (const size_t position : {0, 63, 64, 100, 129}) {
            std::vector<float> logits(130, 0.5f);
            logits[position] = value;
            QCOMPARE(sampler.sample(logits, {}, plain(), 0).error().code, ErrorCode::NotFinite);
        }
    }

    void extremeLogitsStayWellDefined()
    {
        Sampler sampler;
        const float huge = std::numeric_limits<float>::max() / 4;
        const std::vector<float> logits{-huge, huge, 0, -1e30f};
        for (const float temperature : {1e-5f, 1.0f, 1e6f}) {
            SamplingSettings settings = plain();
            settings.temperature = temperature;
            const Sample sample = *sampler.sample(logits, {}, settings, 3);
            QCOMPARE(sample.token, 1);
            QCOMPARE(sample.probability, 1.0f);
            QCOMPARE(sample.entropy, 0.0f);
        }
    }

    void settingsOutOfRangeAreNamed_data()
    {
        QTest::addColumn<QString>("what");
        QTest::addColumn<double>("value");
        for (const double value : {-0.1, std::nan(""), HUGE_VAL}) {
            QTest::addRow("temperature %g", value) << "temperature" << value;
        }
        QTest::addRow("top-k") << "top-k" << -1.0;
        QTest::addRow("top-p 0") << "top-p" << 0.0;
        QTest::addRow("top-p 1.1") << "top-p" << 1.1;
        QTest::addRow("min-p") << "min-p" << -0.5;
        QTest::addRow("repetition") << "repetition penalty" << 0.0;
        QTest::addRow("window") << "penalty window" << -2.0;
        QTest::addRow("bias") << "a biased token" << 100.0;
    }
    void settingsOutOfRangeAreNamed()
    {
        QFETCH(QString, what);
        QFETCH(double, value);
        SamplingSettings settings;
        const auto single = static_cast<float>(value);
        if (what == "temperature") {
            settings.temperature = single;
        } else if (what == "top-k") {
            settings.topK = -1;
        } else if (what == "top-p") {
            settings.topP = single;
        } else if (what == "min-p") {
            settings.minP = single;
        } else if (what == "repetition penalty") {
            settings.repetitionPenalty = single;
        } else if (what == "penalty window") {
            settings.penaltyWindow = -2;
        } else {
            settings.bias = {{100, 1.0f}};
        }
        const auto checked = Sampler::check(settings, 100);
        QVERIFY(!checked);
        QCOMPARE(checked.error().code, ErrorCode::BadArgument);
        QCOMPARE(QString::fromStdString(std::string(checked.error().parameter("what"))), what);
        QVERIFY(Sampler::check(SamplingSettings{}, 100));
    }

    void samplingCostsLittleAtTheLargestVocabulary()
    {
        const std::vector<float> logits = randomLogits(262144, 3, 2);
        Sampler sampler;
        QBENCHMARK
        {
            (void)sampler.sample(logits, {}, SamplingSettings{}, 1);
        }
    }
};

QTEST_GUILESS_MAIN(TestSampler)
#include "tst_sampler.moc"
