#include "session/scheduler.h"

#include <QtTest>

using namespace kvasir;

class TestScheduler : public QObject {
    Q_OBJECT

    using Rows = std::vector<int>;

private slots:
    void decodesGoBeforePrompts()
    {
        const std::vector<Demand> demands{{1000, false}, {1, true}, {1, true}};
        QCOMPARE(shareStep(demands, 64, 16), (Rows{62, 1, 1}));
        QCOMPARE(shareStep(demands, 2, 16), (Rows{0, 1, 1}));
        QCOMPARE(shareStep(demands, 1, 16), (Rows{0, 1, 0}));
    }

    void promptsShareWhatIsLeftOldestFirst()
    {
        const std::vector<Demand> demands{{50, false}, {30, false}, {100, false}};
        QCOMPARE(shareStep(demands, 256, 16), (Rows{50, 30, 100}));
        QCOMPARE(shareStep(demands, 90, 16), (Rows{50, 30, 10}));
        QCOMPARE(shareStep(demands, 20, 16), (Rows{20, 0, 0}));
    }

    void noMoreSequencesEndThanThereAreLogitRows()
    {
        const std::vector<Demand> demands{{5, false}, {5, false}, {1, true}};
        QCOMPARE(shareStep(demands, 100, 2), (Rows{5, 4, 1}));
        QCOMPARE(shareStep(demands, 100, 1), (Rows{4, 4, 1}));
        QCOMPARE(shareStep(std::vector<Demand>{{1, false}, {1, true}}, 100, 1), (Rows{0, 1}));
    }

    void nothingToDoIsNothing() { QVERIFY(shareStep({}, 100, 1).empty()); }

    void stepsAreCutToTheMachinesPace()
    {
        StepPace pace(256);
        const auto step = [](int rows, double milliseconds) {
            StepRecord record;
            record.rows = record.prefillRows = rows;
            record.duration = Nanoseconds(static_cast<int64_t>(milliseconds * 1e6));
            return record;
        };
        QCOMPARE(pace.rows(), 64);
        pace.observe(step(64, 32)); // 0.5 ms a row
        QCOMPARE(pace.rows(), 256);
        for (int i = 0; i < 20; ++i) {
            pace.observe(step(pace.rows(), pace.rows() * 5.0));
        }
        QCOMPARE(pace.rows(), 50); // 250 ms at 5 ms a row
        for (int i = 0; i < 20; ++i) {
            pace.observe(step(pace.rows(), pace.rows() * 500.0));
        }
        QCOMPARE(pace.rows(), StepPace::kLeastRows);
        for (int i = 0; i < 20; ++i) {
            pace.observe(step(1, 100)); // a decode tells nothing about prompts
        }
        QCOMPARE(pace.rows(), StepPace::kLeastRows);
    }

    void aModelOfFewRowsAStepKeepsThem()
    {
        StepPace pace(4);
        QCOMPARE(pace.rows(), 4);
        StepRecord record;
        record.rows = record.prefillRows = 4;
        record.duration = std::chrono::seconds(100);
        pace.observe(record);
        QCOMPARE(pace.rows(), 4);
    }
};

QTEST_GUILESS_MAIN(TestScheduler)
#include "tst_scheduler.moc"
