#include "base/pagecollapser.h"
#include "base/threadpool.h"
#include "measure/trackedbuffer.h"

#include <QTest>

#include <cstring>
#include <numeric>
#include <sys/resource.h>
#include <thread>

using namespace kvasir;

class TestThreadPool : public QObject {
    Q_OBJECT

private slots:
    void runsEveryThreadOnce();
    void barriersOrderWritesOfAllThreads_data();
    void barriersOrderWritesOfAllThreads();
    void smallTeamsLeaveTheOthersOut();
    void wakesAfterASleep();
    void endsWhileAsleepOrFresh();
    void refusesSillyNumbers();
    void lowersOnlyItsOwnThreads();
    void sharesCoverEverythingOnce();
    void countsCores();
    void buffersAreAlignedZeroedAndCounted();
    void dryBuffersAreCountedWithoutMemory();
    void refusedMemoryIsAnError();
    void memoryIsReadWhileItsPagesBecomeHuge();
    void stopsMakingHugePages();
};

void TestThreadPool::runsEveryThreadOnce()
{
    for (int threads : {1, 2, 3, 8}) {
        auto pool = ThreadPool::create({threads});
        QVERIFY(pool.has_value());
        QCOMPARE((*pool)->threads(), threads);
        std::vector<int> calls(static_cast<size_t>(threads));
        for (int i = 0; i < 200; i++) {
            (*pool)->run([&](int thread) { calls[static_cast<size_t>(thread)]++; });
        }
        for (int count : calls) {
            QCOMPARE(count, 200);
        }
    }
}

void TestThreadPool::barriersOrderWritesOfAllThreads_data()
{
    QTest::addColumn<int>("threads");
    for (int threads : {1, 2, 3, 5}) {
        QTest::addRow("%d", threads) << threads;
    }
}

void TestThreadPool::barriersOrderWritesOfAllThreads()
{
    QFETCH(int, threads);
    auto created = ThreadPool::create({threads});
    ThreadPool& pool = **created;
    constexpr int kRounds = 300;
    // Plain variables: after a barrier each thread must see what all others wrote before it.
    std::vector<int> written(static_cast<size_t>(threads));
    std::vector<int> errors(static_cast<size_t>(threads));
    for (int job = 0; job < 20; job++) {
        pool.run([&](int thread) {
            for (int round = 1; round <= kRounds; round++) {
                written[static_cast<size_t>(thread)] = job * kRounds + round;
                pool.barrier();
                for (int value : written) {
                    errors[static_cast<size_t>(thread)] += value != job * kRounds + round;
                }
                pool.barrier();
            }
        });
    }
    QCOMPARE(std::accumulate(errors.begin(), errors.end(), 0), 0);
}

void TestThreadPool::smallTeamsLeaveTheOthersOut()
{
    constexpr int kThreads = 5;
    auto created = ThreadPool::create({kThreads});
    ThreadPool& pool = **created;
    std::vector<int> calls(kThreads);
    std::vector<int> wanted(kThreads);
    for (int job = 0; job < 600; job++) {
        // Sizes that follow no rhythm; now and then the team falls asleep in between.
        const int team = 1 + job * 7 % 11 % kThreads;
        if (job % 100 == 0) {
            std::this_thread::sleep_for(std::chrono::milliseconds(3));
        }
        std::vector<int> seen(kThreads);
        pool.run(team, [&](int thread) {
            calls[static_cast<size_t>(thread)]++;
            pool.barrier();
            seen[static_cast<size_t>(thread)] = calls[0];
            pool.barrier();
        });
        for (int thread = 0; thread < kThreads; thread++) {
            wanted[static_cast<size_t>(thread)] += thread < team;
            QCOMPARE(seen[static_cast<size_t>(thread)], thread < team ? job + 1 : 0);
        }
    }
    QCOMPARE(calls, wanted);
}

void TestThreadPool::wakesAfterASleep()
{
    auto created = ThreadPool::create({3});
    ThreadPool& pool = **created;
    int sum = 0;
    for (int i = 0; i < 30; i++) {
        std::this_thread::sleep_for(std::chrono::milliseconds(3)); // the team is asleep by now
        int parts[3] = {};
        pool.run([&](int thread) {
            parts[thread] = 1;
            pool.barrier();
        });
        sum += parts[0] + parts[1] + parts[2];
    }
    QCOMPARE(sum, 90);
}

void TestThreadPool::endsWhileAsleepOrFresh()
{
    for (int i = 0; i < 50; i++) {
        auto pool = ThreadPool::create({4});
        QVERIFY(pool.has_value());
        if (i % 10 == 0) {
            std::this_thread::sleep_for(std::chrono::milliseconds(3));
        }
        if (i % 3 == 0) {
            (*pool)->run([](int) {});
        }
    }
}

void TestThreadPool::refusesSillyNumbers()
{
    for (int threads : {0, -1, 1000000}) {
        auto pool = ThreadPool::create({threads});
        QVERIFY(!pool.has_value());
        QCOMPARE(pool.error().code, ErrorCode::BadArgument);
    }
}

void TestThreadPool::lowersOnlyItsOwnThreads()
{
    const int before = getpriority(PRIO_PROCESS, 0);
    if (before > 4) {
        QSKIP("the test itself runs at low priority");
    }
    auto pool = ThreadPool::create({2, before + 3});
    int niceness[2] = {};
    (*pool)->run([&](int thread) { niceness[thread] = getpriority(PRIO_PROCESS, 0); });
    QCOMPARE(niceness[0], before);
    QCOMPARE(niceness[1], before + 3);
}

void TestThreadPool::sharesCoverEverythingOnce()
{
    for (int count : {0, 1, 5, 36, 97}) {
        for (int parts : {1, 2, 3, 7}) {
            for (int unit : {1, 2, 3}) {
                int next = 0;
                for (int i = 0; i < parts; i++) {
                    const Range range = shareOf(count, i, parts, unit);
                    QCOMPARE(range.first, next);
                    QVERIFY(range.first % unit == 0 || range.first == count);
                    next = range.last;
                }
                QCOMPARE(next, count);
            }
        }
    }
}

void TestThreadPool::countsCores()
{
    QVERIFY(usableCpus() >= 1);
    QVERIFY(physicalCores() >= 1);
    QVERIFY(physicalCores() <= usableCpus());
}

void TestThreadPool::buffersAreAlignedZeroedAndCounted()
{
    MemoryLedger ledger;
    {
        for (size_t bytes : {size_t{0}, size_t{1}, size_t{5000}, size_t{3} << 20}) {
            auto buffer = TrackedBuffer::allocate(ledger, MemoryTag::Scratch, bytes);
            QVERIFY(buffer.has_value());
            QCOMPARE(buffer->size(), bytes);
            QCOMPARE(ledger.use()[MemoryTag::Scratch], bytes);
            const size_t alignment = bytes >= size_t{2} << 20 ? size_t{2} << 20 : 4096;
            QCOMPARE(reinterpret_cast<uintptr_t>(buffer->data()) % alignment, size_t{0});
            for (size_t i = 0; i < bytes; i++) {
                QCOMPARE(buffer->as<uint8_t>()[i], uint8_t{0});
            }
        }
        auto first = TrackedBuffer::allocate(ledger, MemoryTag::Scratch, 100);
        TrackedBuffer second = std::move(*first);
        QCOMPARE(ledger.use()[MemoryTag::Scratch], size_t{100});
        second = TrackedBuffer();
    }
    QCOMPARE(ledger.use().total(), size_t{0});
}

void TestThreadPool::dryBuffersAreCountedWithoutMemory()
{
    MemoryLedger ledger(true);
    auto buffer = TrackedBuffer::allocate(ledger, MemoryTag::Weights, size_t{1} << 45);
    QVERIFY(buffer.has_value());
    QVERIFY(!buffer->data());
    QCOMPARE(ledger.use()[MemoryTag::Weights], size_t{1} << 45);
}

void TestThreadPool::refusedMemoryIsAnError()
{
    MemoryLedger ledger;
    for (size_t bytes : {size_t{1} << 60, ~size_t{0}}) {
        auto buffer = TrackedBuffer::allocate(ledger, MemoryTag::Weights, bytes);
        QVERIFY(!buffer.has_value());
        QCOMPARE(buffer.error().code, ErrorCode::OutOfMemory);
        QCOMPARE(QString::fromUtf8(buffer.error().parameter("need").data()), QString::number(bytes));
        QCOMPARE(ledger.use().total(), size_t{0});
    }
}

void TestThreadPool::memoryIsReadWhileItsPagesBecomeHuge()
{
    // A size that is no whole number of pages, and a start in the middle of one.
    constexpr size_t kBytes = (size_t{20} << 20) + 12345;
    auto buffer = AlignedBuffer::allocate(kBytes, Pages::Small);
    QVERIFY(buffer.has_value());
    auto* words = buffer->as<uint32_t>();
    constexpr size_t kWords = kBytes / sizeof(uint32_t);
    for (size_t i = 0; i < kWords; i++) {
        words[i] = static_cast<uint32_t>(i * 2654435761u);
    }
    PageCollapser collapser(buffer->data() + 4096, kBytes - 4096);
    std::jthread other([&] { collapser.finish(); });
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < kWords; i++) {
            QVERIFY(words[i] == static_cast<uint32_t>(i * 2654435761u));
        }
    }
    other.join();
    for (size_t i = 0; i < kWords; i++) {
        QVERIFY(words[i] == static_cast<uint32_t>(i * 2654435761u));
    }
}

void TestThreadPool::stopsMakingHugePages()
{
    for (size_t bytes : {size_t{0}, size_t{1}, size_t{64} << 20}) {
        auto buffer = AlignedBuffer::allocate(bytes, Pages::Small);
        QVERIFY(buffer.has_value());
        if (bytes > 0) {
            std::memset(buffer->data(), 1, bytes);
        }
        const PageCollapser collapser(buffer->data(), bytes); // ends before the memory goes
    }
}

QTEST_GUILESS_MAIN(TestThreadPool)
#include "tst_threadpool.moc"
