// What the three live panels cost: a reply of 100 tokens a second is fed to them while processor time is read.
// Usage: bench_plots [seconds a case, default 6]. Checks first that what is hidden costs nothing to draw.

#include "base/theme.h"
#include "plots/memorywidget.h"
#include "plots/phasewidget.h"
#include "plots/plotcost.h"
#include "plots/timelinewidget.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <cstdio>
#include <ctime>

using namespace kvasir;

namespace {

constexpr int kTokenMs = 10; // 100 tokens a second
constexpr double kMib = 1024.0 * 1024.0;

double processMilliseconds()
{
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

TokenPoint tokenAt(int index, double time)
{
    TokenPoint token;
    token.timeMs = time;
    token.gapMs = index == 0 ? 0 : 8 + (index * 7919 % 41) / 10.0; // 8 to 12 ms
    token.text = QStringLiteral(" token");
    token.probability = 0.5;
    token.entropyBits = 1.5;
    token.alternatives = {{token.text, 0.5}, {QStringLiteral(" other"), 0.25}};
    return token;
}

MemorySample sampleAt(int tokens)
{
    MemorySample sample;
    sample.tokens = tokens;
    sample.weights = static_cast<qint64>(138 * kMib);
    sample.activations = static_cast<qint64>(22 * kMib);
    sample.kvUsed = qint64{tokens} * 23040;
    sample.kvReserved = (qint64{tokens} + 15) / 16 * 16 * 23040;
    sample.process = sample.weights + sample.activations + sample.kvReserved + static_cast<qint64>(40 * kMib);
    return sample;
}

/// Three panels in one column, as docks show them, fed like the desktop feeds them: gathered values 30 times a second.
class Dashboard : public QWidget {
public:
    explicit Dashboard(int tokens)
        : m_timeline(new TimelineWidget)
        , m_memory(new MemoryWidget)
        , m_phases(new PhaseWidget)
    {
        auto* column = new QVBoxLayout(this);
        column->addWidget(m_timeline, 3);
        column->addWidget(m_memory, 3);
        column->addWidget(m_phases, 2);
        resize(460, 860);

        ReplySeries reply;
        reply.progress.state = ReplyState::Decoding;
        reply.progress.prefillBeginMs = 1;
        reply.progress.prefillEndMs = 100;
        reply.progress.ttftMs = 100;
        reply.progress.promptTokens = 34;
        MemorySeries memory;
        memory.limitBytes = static_cast<qint64>(20 * 1024 * kMib);
        memory.contextLimit = 16384;
        memory.kvBytesPerToken = 23040;
        m_now = 100;
        for (; m_tokens < tokens; ++m_tokens) {
            reply.tokens.append(tokenAt(m_tokens, m_now));
            memory.samples.append(sampleAt(m_tokens));
            m_now += kTokenMs;
        }
        m_progress = reply.progress;
        m_timeline->startReply(reply);
        m_memory->setSeries(memory);
    }

    void feed(int tokens)
    {
        QVector<TokenPoint> fresh;
        for (int i = 0; i < tokens; ++i, ++m_tokens) {
            fresh.append(tokenAt(m_tokens, m_now));
            m_now += kTokenMs;
        }
        m_progress.nowMs = m_now;
        m_timeline->appendTokens(fresh);
        m_timeline->setProgress(m_progress);
        m_memory->appendSample(sampleAt(m_tokens));
        PhaseValues values;
        values.prefill = {1030, 99, 290e9, 0.8e9, 4e6};
        values.decode = {100 + m_tokens % 7 / 10.0, m_now, 11e9, 22e9 + m_tokens % 13 * 1e8, 159 * kMib};
        values.limits = LimitsState::Measured;
        values.readBytesPerSecond = 26.9e9;
        values.operationsPerSecond = 936e9;
        values.dashboardShare = 0.003;
        m_phases->setValues(values);
    }

    int refreshes() const { return m_timeline->refreshCount() + m_memory->refreshCount() + m_phases->refreshCount(); }
    TimelineWidget* timeline() const { return m_timeline; }
    MemoryWidget* memory() const { return m_memory; }
    PhaseWidget* phases() const { return m_phases; }

private:
    TimelineWidget* m_timeline;
    MemoryWidget* m_memory;
    PhaseWidget* m_phases;
    ReplyProgress m_progress;
    int m_tokens = 0;
    double m_now = 0;
};

struct Cost {
    double process = 0; // share of one core
    double counted = 0; // the same, by the panels' own account
    int refreshes = 0;
};

Cost measure(const char* name, Dashboard* dashboard, int seconds, bool feeds)
{
    const int before = dashboard ? dashboard->refreshes() : 0;
    const double cpu = processMilliseconds();
    const qint64 counted = PlotCost::nanoseconds();
    QElapsedTimer timer;
    timer.start();
    qint64 fed = 0;
    QTimer gather;
    gather.setTimerType(Qt::PreciseTimer);
    QObject::connect(&gather, &QTimer::timeout, [&] {
        const qint64 due = timer.elapsed() / kTokenMs;
        if (dashboard && feeds && due > fed) {
            dashboard->feed(static_cast<int>(due - fed));
            fed = due;
        }
    });
    gather.start(33);
    QEventLoop loop; // quitting the application would close the window
    QTimer::singleShot(seconds * 1000, &loop, &QEventLoop::quit);
    loop.exec();
    const auto wall = static_cast<double>(timer.elapsed());
    Cost cost;
    cost.process = (processMilliseconds() - cpu) / wall;
    cost.counted = static_cast<double>(PlotCost::nanoseconds() - counted) / 1e6 / wall;
    cost.refreshes = dashboard ? dashboard->refreshes() - before : 0;
    std::printf("%-44s %8.2f %% %8.2f %% %8d\n", name, 100 * cost.process, 100 * cost.counted, cost.refreshes);
    std::fflush(stdout);
    return cost;
}

} // namespace

int main(int argc, char** argv)
{
    QApplication app(argc, argv);
    Theme::setMode(Theme::Mode::Light);
    const int seconds = argc > 1 ? std::max(1, QString::fromLocal8Bit(argv[1]).toInt()) : 6;
    std::printf("%-44s %10s %10s %8s\n", "100 tokens/s, share of one core", "process", "counted", "refreshes");

    measure("nothing but the feeding timer", nullptr, seconds, false);
    Dashboard hidden(500);
    const Cost unseen = measure("three panels, hidden", &hidden, seconds, true);
    if (unseen.refreshes != 0) {
        std::printf("FAILED: hidden panels were drawn %d times\n", unseen.refreshes);
        return 1;
    }
    for (const int tokens : {500, 8000}) {
        Dashboard live(tokens);
        live.show();
        live.phases()->setFocus();
        measure("(settling)", &live, 1, true);
        const QByteArray name = QByteArrayLiteral("three panels, live, reply of ") + QByteArray::number(tokens);
        const PlotPanel* panels[]{live.timeline(), live.memory(), live.phases()};
        qint64 own[3];
        int drawn[3];
        for (int i = 0; i < 3; ++i) {
            own[i] = panels[i]->costNanoseconds();
            drawn[i] = panels[i]->refreshCount();
        }
        measure(name.constData(), &live, seconds, true);
        static constexpr const char* kNames[]{"timeline", "memory", "prefill v decode"};
        for (int i = 0; i < 3; ++i) {
            const double cost = static_cast<double>(panels[i]->costNanoseconds() - own[i]) / 1e6;
            const int count = panels[i]->refreshCount() - drawn[i];
            std::printf("  %-42s %10s %8.2f %% %8d   %.2f ms each\n", kNames[i], "", cost / (seconds * 10.0), count,
                cost / std::max(count, 1));
        }
    }
    Dashboard still(500);
    still.show();
    measure("(settling)", &still, 2, false);
    measure("three panels, shown, nothing new", &still, seconds, false);
    return 0;
}
