#include "model/expertrouting.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

using namespace kvasir;

class ExpertRoutingTest : public QObject {
    Q_OBJECT

private slots:
    void choosesTheLargest();
    void prefersLowerIdsOnTies();
    void sharesAreASoftmaxOverAllMadeToSumToOne();
    void sortsRowsByExpert();
    void keepsTheOrderOfRowsWithinAnExpert();
};

void ExpertRoutingTest::choosesTheLargest()
{
    std::mt19937 generator(1);
    std::normal_distribution<float> normal(0, 2);
    for (int experts : {1, 2, 3, 8, 60, 128}) {
        for (int used = 1; used <= std::min(experts, 9); ++used) {
            std::vector<float> logits(static_cast<size_t>(experts));
            for (float& logit : logits) {
                logit = normal(generator);
            }
            std::vector<int> order(logits.size());
            std::iota(order.begin(), order.end(), 0);
            std::stable_sort(order.begin(), order.end(),
                [&](int a, int b) { return logits[static_cast<size_t>(a)] > logits[static_cast<size_t>(b)]; });
            order.resize(static_cast<size_t>(used));
            std::vector<int> ids(order.size());
            std::vector<float> shares(order.size());
            chooseExperts(logits, ids, shares);
            QCOMPARE(ids, order);
        }
    }
}

void ExpertRoutingTest::prefersLowerIdsOnTies()
{
    const std::vector<float> logits = {1, 3, 2, 3, 3, 2};
    std::vector<int> ids(4);
    std::vector<float> shares(4);
    chooseExperts(logits, ids, shares);
    QCOMPARE(ids, (std::vector<int>{1, 3, 4, 2}));
    QCOMPARE(shares[0], shares[2]);
}

void ExpertRoutingTest::sharesAreASoftmaxOverAllMadeToSumToOne()
{
    const std::vector<float> logits = {0.5f, -1, 4, 2.25f, 100 - 97.0f};
    std::vector<int> ids(3);
    std::vector<float> shares(3);
    chooseExperts(logits, ids, shares);
    double all = 0;
    for (float logit : logits) {
        all += std::exp(static_cast<double>(logit));
    }
    double chosen = 0;
    for (int id : ids) {
        chosen += std::exp(static_cast<double>(logits[static_cast<size_t>(id)])) / all;
    }
    for (size_t i = 0; i < ids.size(); ++i) {
        const double want = std::exp(static_cast<double>(logits[static_cast<size_t>(ids[i])])) / all / chosen;
        QVERIFY(std::abs(want - static_cast<double>(shares[i])) < 1e-7);
    }
}

void ExpertRoutingTest::sortsRowsByExpert()
{
    ExpertSlots sorted(4, 5, 2);
    const std::vector<int> ids = {3, 0, 3, 4, 0, 3};
    sorted.assign(ids, 3);
    QCOMPARE(sorted.count(), 6);
    const int counts[] = {2, 0, 0, 3, 1};
    for (int i = 0; i < 5; ++i) {
        QCOMPARE(sorted.rowsOf(i), counts[i]);
    }
    for (int row = 0; row < 3; ++row) {
        for (int rank = 0; rank < 2; ++rank) {
            const int slot = sorted.slotOf(row, rank);
            const int expert = ids[static_cast<size_t>(row * 2 + rank)];
            QCOMPARE(sorted.rowOf(slot), row);
            QVERIFY(slot >= sorted.first(expert) && slot < sorted.first(expert) + sorted.rowsOf(expert));
        }
    }
    sorted.assign(std::vector<int>{1, 2}, 1); // a smaller step leaves nothing of a larger one
    QCOMPARE(sorted.count(), 2);
    QCOMPARE(sorted.rowsOf(3), 0);
    QCOMPARE(sorted.rowOf(sorted.first(2)), 0);
}

void ExpertRoutingTest::keepsTheOrderOfRowsWithinAnExpert()
{
    ExpertSlots sorted(50, 3, 1);
    std::vector<int> ids(50);
    for (size_t i = 0; i < ids.size(); ++i) {
        ids[i] = static_cast<int>(i * 7 % 3);
    }
    sorted.assign(ids, 50);
    for (int expert = 0; expert < 3; ++expert) {
        for (int i = 1; i < sorted.rowsOf(expert); ++i) {
            QVERIFY(sorted.rowOf(sorted.first(expert) + i) > sorted.rowOf(sorted.first(expert) + i - 1));
        }
    }
}

QTEST_GUILESS_MAIN(ExpertRoutingTest)
#include "tst_expertrouting.moc"
