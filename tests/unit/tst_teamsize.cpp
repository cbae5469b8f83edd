#include "base/teamsize.h"

#include <QTest>

#include <functional>
#include <map>

using namespace kvasir;
using namespace std::chrono_literals;

/// Machines made of numbers: what a step costs with so many threads, and how often it is interrupted.
class TeamSizeTest : public QObject {
    Q_OBJECT

private slots:
    void usesAllThreadsOnAQuietMachine();
    void oneThreadStaysOne();
    void leavesABusyMachineToOneThread();
    void stepsDownAsFarAsItHelps();
    void comesBackWhenTheMachineIsQuietAgain();
    void keepsTheTeamWhereFewerAreSlower();
    void spendsLittleOnTrials();
};

namespace {

struct Machine {
    TimePoint now{};
    std::map<int, Nanoseconds> time; ///< spent with so many threads
    std::map<int, int> steps;
    int last = 0;

    /// `cost`: of a step with that many threads; a step is interrupted `perMillisecond` times a millisecond.
    void run(TeamSize& size, Nanoseconds duration, const std::function<Nanoseconds(int)>& cost, double perMillisecond)
    {
        const TimePoint end = now + duration;
        while (now < end) {
            last = size.choose(now);
            const Nanoseconds step = cost(last);
            now += step;
            time[last] += step;
            steps[last]++;
            size.report(now, step, 1, static_cast<int>(toMilliseconds(step) * perMillisecond));
        }
    }
};

Nanoseconds scaling(int threads)
{
    return Nanoseconds{8'000'000} / threads;
}

/// Two and more threads wait for CPUs at every barrier.
Nanoseconds contended(int threads)
{
    return threads == 1 ? 12ms : 600ms;
}

} // namespace

void TeamSizeTest::usesAllThreadsOnAQuietMachine()
{
    TeamSize size(4);
    Machine machine;
    machine.run(size, 60s, scaling, 0.02);
    QCOMPARE(machine.steps.size(), size_t{1});
    QVERIFY(machine.steps.contains(4));
}

void TeamSizeTest::oneThreadStaysOne()
{
    TeamSize size(1);
    Machine machine;
    machine.run(size, 5s, contended, 1);
    QCOMPARE(machine.steps.size(), size_t{1});
    QVERIFY(machine.steps.contains(1));
}

void TeamSizeTest::leavesABusyMachineToOneThread()
{
    TeamSize size(2);
    Machine machine;
    machine.run(size, 60s, contended, 0.25);
    QCOMPARE(machine.last, 1);
    // One step to see that it is interrupted, and trials of two threads, each as long as a step is.
    QVERIFY2(machine.time[2] < 6s, qPrintable(QString::number(toMilliseconds(machine.time[2]))));
    QVERIFY(machine.steps[1] > 4000);
}

void TeamSizeTest::stepsDownAsFarAsItHelps()
{
    // Half of eight CPUs are taken by others.
    const auto cost = [](int threads) { return threads <= 4 ? Nanoseconds{80ms} / threads : Nanoseconds{300ms}; };
    TeamSize size(8);
    Machine machine;
    machine.run(size, 120s, cost, 0.25);
    QVERIFY(machine.time[4] > 100s);
}

void TeamSizeTest::comesBackWhenTheMachineIsQuietAgain()
{
    TeamSize size(2);
    Machine machine;
    machine.run(size, 10s, contended, 0.25);
    QCOMPARE(machine.last, 1);
    const TimePoint quiet = machine.now;
    while (machine.now - quiet < 60s && machine.last != 2) {
        machine.run(size, 10ms, scaling, 0);
    }
    machine.run(size, 1s, scaling, 0);
    QCOMPARE(machine.last, 2);
    QVERIFY(machine.now - quiet < 61s);
}

void TeamSizeTest::keepsTheTeamWhereFewerAreSlower()
{
    // Interrupted, but not so that one thread alone would do better.
    TeamSize size(2);
    Machine machine;
    machine.run(size, 60s, scaling, 0.5);
    QVERIFY(machine.time[2] > 59s);
}

void TeamSizeTest::spendsLittleOnTrials()
{
    for (const Nanoseconds step : {2ms, 40ms, 500ms}) {
        TeamSize size(2);
        Machine machine;
        machine.run(
            size, 600s, [&](int threads) { return threads == 1 ? step : 5 * step; }, 0.3);
        QVERIFY2(machine.time[2] < 60s, qPrintable(QString::number(toMilliseconds(machine.time[2]))));
    }
}

QTEST_GUILESS_MAIN(TeamSizeTest)
#include "tst_teamsize.moc"
