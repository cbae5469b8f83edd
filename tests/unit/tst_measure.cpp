#include "base/threadpool.h"
#include "measure/ledger.h"
#include "measure/limits.h"
#include "measure/limitskernels.h"
#include "measure/processor.h"
#include "measure/records.h"
#include "measure/ring.h"
#include "measure/statistics.h"
#include "measure/systemmemory.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <atomic>
#include <thread>

using namespace kvasir;

class TestMeasure : public QObject {
    Q_OBJECT

private slots:
    void ledgerAddsByTagAndRemembersThePeak()
    {
        MemoryLedger ledger;
        ledger.add(MemoryTag::Weights, 1000);
        ledger.add(MemoryTag::KvReserved, 200);
        ledger.add(MemoryTag::KvUsed, 50);
        ledger.add(MemoryTag::Scratch, 30);
        ledger.remove(MemoryTag::Scratch, 10);
        const MemoryUse use = ledger.use();
        QCOMPARE(use[MemoryTag::Weights], size_t{1000});
        QCOMPARE(use[MemoryTag::KvReserved], size_t{200});
        QCOMPARE(use[MemoryTag::KvUsed], size_t{50});
        QCOMPARE(use[MemoryTag::Scratch], size_t{20});
        QCOMPARE(use.total(), size_t{1220});
        QCOMPARE(ledger.peak(), size_t{1230});
        QVERIFY(!ledger.isDry());
        QVERIFY(MemoryLedger(true).isDry());
    }

    void ledgerCountsFromSeveralThreads()
    {
        MemoryLedger ledger;
        const auto work = [&] {
            for (int i = 0; i < 20000; ++i) {
                ledger.add(MemoryTag::Activations, 3);
                ledger.remove(MemoryTag::Activations, 2);
            }
        };
        std::thread other(work);
        work();
        other.join();
        QCOMPARE(ledger.use()[MemoryTag::Activations], size_t{40000});
        QVERIFY(ledger.peak() >= 40000);
    }

    void ringKeepsTheNewestInOrder()
    {
        RecordRing<StepRecord> ring(4);
        QVERIFY(ring.newest(10).empty());
        for (uint64_t i = 0; i < 6; ++i) {
            StepRecord record;
            record.index = i;
            record.rows = static_cast<int>(10 * i);
            ring.push(record);
        }
        QCOMPARE(ring.count(), uint64_t{6});
        const auto all = ring.newest(10);
        QCOMPARE(all.size(), size_t{4});
        for (size_t i = 0; i < 4; ++i) {
            QCOMPARE(all[i].index, uint64_t{i + 2});
            QCOMPARE(all[i].rows, static_cast<int>(10 * (i + 2)));
        }
        QCOMPARE(ring.newest(2).front().index, uint64_t{4});
    }

    void ringReadersNeverSeeAHalfWrittenRecord()
    {
        struct Record {
            uint64_t number;
            uint64_t square;
            uint64_t inverse;
        };
        RecordRing<Record> ring(64);
        std::atomic<bool> done{false};
        std::thread writer([&] {
            for (uint64_t i = 0; !done || i < 200; ++i) {
                ring.push({i, i * i, ~i});
            }
        });
        size_t seen = 0;
        bool whole = true;
        bool ordered = true;
        QElapsedTimer timer;
        timer.start();
        while (seen < 20000 && timer.elapsed() < 20000) {
            uint64_t before = 0;
            for (const Record& record : ring.newest(64)) {
                whole = whole && record.square == record.number * record.number && record.inverse == ~record.number;
                ordered = ordered && (before == 0 || record.number > before);
                before = record.number;
                ++seen;
            }
        }
        done = true;
        writer.join();
        QVERIFY(whole);
        QVERIFY(ordered);
        QVERIFY(seen > 0);
        QCOMPARE(ring.newest(64).size(), size_t{64});
    }

    void percentilesAreLinearBetweenRanks()
    {
        const Percentiles of101 = percentiles([] {
            std::vector<double> values;
            for (int i = 100; i >= 0; --i) {
                values.push_back(i);
            }
            return values;
        }());
        QCOMPARE(of101.minimum, 0.0);
        QCOMPARE(of101.p50, 50.0);
        QCOMPARE(of101.p90, 90.0);
        QCOMPARE(of101.p99, 99.0);
        QCOMPARE(of101.maximum, 100.0);
        // rank 0.9 * 3 = 2.7: between 3 and 10
        QCOMPARE(percentiles({10, 1, 2, 3}).p90, 3 + 0.7 * 7);
        QCOMPARE(percentiles({10, 1, 2, 3}).p50, 2.5);
        QCOMPARE(percentiles({7}).p99, 7.0);
        QCOMPARE(percentiles({}).p50, 0.0);
    }

    void replyFiguresFollowTheirDefinitions()
    {
        using namespace std::chrono_literals;
        ReplyStats stats;
        stats.promptTokens = 110;
        stats.cachedTokens = 10;
        stats.generatedTokens = 5;
        stats.prefill = 200ms;
        stats.ttft = 250ms;
        stats.endToEnd = 1050ms;
        QCOMPARE(stats.tpotMilliseconds(), 200.0);
        QCOMPARE(stats.prefillTokensPerSecond(), 500.0);
        QCOMPARE(stats.decodeTokensPerSecond(), 5.0);
        stats.generatedTokens = 1;
        QCOMPARE(stats.tpotMilliseconds(), 0.0);
        QCOMPARE(stats.decodeTokensPerSecond(), 0.0);
        QCOMPARE(ReplyStats{}.prefillTokensPerSecond(), 0.0);
    }

    void stopReasonsHaveTheNamesOfTheContract()
    {
        QCOMPARE(QString(stopReasonName(StopReason::Eos)), QString("eos"));
        QCOMPARE(QString(stopReasonName(StopReason::Stop)), QString("stop"));
        QCOMPARE(QString(stopReasonName(StopReason::Length)), QString("length"));
        QCOMPARE(QString(stopReasonName(StopReason::Cancelled)), QString("cancelled"));
        QCOMPARE(QString(stopReasonName(StopReason::Context)), QString("context"));
        QCOMPARE(QString(stopReasonName(StopReason::None)), QString(""));
    }

    void systemMemoryIsPlausible()
    {
        const SystemMemory memory = systemMemory();
        QVERIFY(memory.processResident > 1 << 20);
        QVERIFY(memory.total > memory.processResident);
        QVERIFY(memory.available <= memory.total);
        QVERIFY(memory.available > 0);
    }

    void residentMemoryGrowsWithWhatIsTouched()
    {
        const size_t before = systemMemory().processResident;
        std::vector<char> block(64 << 20, 1);
        const size_t after = systemMemory().processResident;
        QVERIFY2(after > before + (48 << 20), qPrintable(QString("%1 -> %2").arg(before).arg(after)));
        QVERIFY(block.back() == 1);
    }

    void measurementsBesideOtherProgramsAreNotKept()
    {
        std::vector<std::jthread> others; // more than the processors can run beside the measurement
        for (int i = 0; i < 4 * usableCpus(); ++i) {
            others.emplace_back([](const std::stop_token& stop) {
                while (!stop.stop_requested()) { }
            });
        }
        const HardwareLimits limits = measureLimits(usableCpus());
        others.clear();
        QVERIFY(limits.disturbed);
        QTemporaryDir dir;
        const std::string path = (dir.path() + "/limits.json").toStdString();
        QVERIFY(saveLimits(path, limits));
        QVERIFY(!QFile::exists(QString::fromStdString(path)));
    }

    void measurementsOfSlowerLoopsAreNotTaken()
    {
        QTemporaryDir dir;
        const std::string path = (dir.path() + "/limits.json").toStdString();
        HardwareLimits limits;
        limits.threads = 1;
        limits.processor = processorName();
        limits.instructionSet = "of old";
        QVERIFY(saveLimits(path, limits));
        QCOMPARE(loadLimits(path, 1).error().code, ErrorCode::FileNotFound);
    }

    void limitsAreMeasuredAndKept()
    {
        HardwareLimits limits = measureLimits(1);
        limits.disturbed = false; // the machine may be busy
        QCOMPARE(limits.threads, 1);
        QVERIFY(limits.readBytesPerSecond > 1e7);
        QVERIFY(limits.int8OperationsPerSecond > 1e7);
        QVERIFY(limits.fp32OperationsPerSecond > 1e7);
        QVERIFY(!limits.instructionSet.empty());

        QTemporaryDir dir;
        const std::string path = (dir.path() + "/limits.json").toStdString();
        QCOMPARE(loadLimits(path, 1).error().code, ErrorCode::FileNotFound);
        QVERIFY(saveLimits(path, limits));
        HardwareLimits two = limits;
        two.threads = 2;
        two.readBytesPerSecond = 123456789;
        QVERIFY(saveLimits(path, two));
        QCOMPARE(loadLimits(path, 1)->readBytesPerSecond, limits.readBytesPerSecond);
        QCOMPARE(loadLimits(path, 2)->readBytesPerSecond, 123456789.0);
        QCOMPARE(loadLimits(path, 3).error().code, ErrorCode::FileNotFound);
        two.readBytesPerSecond = 5;
        QVERIFY(saveLimits(path, two));
        QCOMPARE(loadLimits(path, 2)->readBytesPerSecond, 5.0);
    }

    void measuringStopsWhenCancelled()
    {
        const TimePoint start = Clock::now();
        const HardwareLimits limits = measureLimits(1, [] { return true; });
        QCOMPARE(limits.int8OperationsPerSecond, 0.0);
        QVERIFY(toSeconds(Clock::now() - start) < 5);
    }

    void brokenLimitsFilesAreErrorsAndAreReplaced_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("no json") << QByteArray("{\"limits\": [");
        QTest::newRow("another shape") << QByteArray("[1, 2]");
        QTest::newRow("wrong types") << QByteArray("{\"limits\": [{\"threads\": \"two\", \"processor\": 3}]}");
        QTest::newRow("missing figures") << QByteArray("{\"limits\": [{\"threads\": 1, \"processor\": \"")
                + QByteArray::fromStdString(processorName()) + "\"}]}";
    }
    void brokenLimitsFilesAreErrorsAndAreReplaced()
    {
        QFETCH(QByteArray, content);
        QTemporaryDir dir;
        const std::string path = (dir.path() + "/limits.json").toStdString();
        QFile file(QString::fromStdString(path));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
        file.close();
        QVERIFY(!loadLimits(path, 1));
        HardwareLimits limits;
        limits.threads = 1;
        limits.processor = processorName();
        limits.instructionSet = limitKernels().instructionSet;
        limits.fp32OperationsPerSecond = 7;
        QVERIFY(saveLimits(path, limits));
        QCOMPARE(loadLimits(path, 1)->fp32OperationsPerSecond, 7.0);
    }

    void limitsThatCannotBeWrittenAreAnError()
    {
        QCOMPARE(saveLimits("/proc/no/such/folder/limits.json", {}).error().code, ErrorCode::FileUnwritable);
    }
};

QTEST_GUILESS_MAIN(TestMeasure)
#include "tst_measure.moc"
