#include "window/dashboard.h"

#include "base/fonts.h"
#include "engine/adapters.h"
#include "engine/engineworker.h"
#include "engine/errortext.h"
#include "plots/memorywidget.h"
#include "plots/phasewidget.h"
#include "plots/plotcost.h"
#include "plots/timelinewidget.h"
#include "store/storeworker.h"
#include "window/chatsession.h"
#include "window/docktitle.h"

#include <QDockWidget>
#include <QLocale>
#include <QMainWindow>

namespace kvasir {

namespace {

// After a model was loaded or a reply ended: measuring takes all cores for a second and must not meet a question.
constexpr int kIdleMilliseconds = 3000;
// The window's own thread takes its time from the threads that compute: bars that grow 15 times a second look alive,
// and figures that change faster than four times a second cannot be read.
constexpr int kTimelineMilliseconds = 66;
constexpr int kFiguresMilliseconds = 250;
constexpr int kCostMilliseconds = 500;
constexpr int kReplyTitleLength = 40;

QDockWidget* makeDock(QMainWindow* window, const char* name, QWidget* panel)
{
    auto* dock = new QDockWidget(window);
    dock->setObjectName(QLatin1String(name));
    dock->setWidget(panel);
    dock->setTitleBarWidget(new DockTitle(dock));
    dock->setAllowedAreas(Qt::LeftDockWidgetArea | Qt::RightDockWidgetArea | Qt::BottomDockWidgetArea);
    return dock;
}

ReplyEvent eventOf(const ReplyMark& mark)
{
    return {toMilliseconds(mark.sinceSubmit),
        mark.kind == ReplyMark::Kind::ChatJoined ? Dashboard::tr("another chat joined")
                                                 : Dashboard::tr("another chat ended")};
}

} // namespace

Dashboard::Dashboard(ChatSession& session, EngineWorker& engine, StoreWorker& store, QMainWindow* window)
    : QObject(window)
    , m_session(session)
    , m_engine(engine)
    , m_store(store)
    , m_window(window)
    , m_timeline(new TimelineWidget)
    , m_memory(new MemoryWidget)
    , m_phases(new PhaseWidget)
    , m_timelineDock(makeDock(window, "timelineDock", m_timeline))
    , m_memoryDock(makeDock(window, "memoryDock", m_memory))
    , m_phaseDock(makeDock(window, "phaseDock", m_phases))
{
    restoreLayout();
    connect(&session, &ChatSession::modelChanged, this, &Dashboard::showModel);
    connect(&session, &ChatSession::shown, this, &Dashboard::showConversation);
    connect(&session, &ChatSession::replyStarted, this, &Dashboard::onStarted);
    connect(&session, &ChatSession::replyGrew, this, &Dashboard::onGrew);
    connect(&session, &ChatSession::replyEnded, this, &Dashboard::onEnded);
    connect(&session, &ChatSession::replyMarked, this,
        [this](const ReplyMark& mark) { m_timeline->addEvent(eventOf(mark)); });
    connect(&store, &StoreWorker::recordLoaded, this, &Dashboard::showRecord);
    connect(m_timeline, &TimelineWidget::replySelected, this, &Dashboard::chooseReply);

    connect(m_phases, &PhaseWidget::measureRequested, this, [this] {
        if (m_session.liveReplies().isEmpty()) {
            m_engine.measureLimits(m_limitsFile, true);
        }
    });
    connect(&engine, &EngineWorker::limitsMeasuring, this, [this] {
        m_limitsState = LimitsState::Measuring;
        showPhases();
    });
    connect(&engine, &EngineWorker::limitsMeasured, this, [this](const HardwareLimits& limits) {
        m_limits = limits;
        m_limitsState = LimitsState::Measured;
        showPhases();
        emit limitsSettled();
    });
    connect(&engine, &EngineWorker::limitsFailed, this, [this](const Error& error) {
        m_limitsError = error;
        // Given up for a reply: there will be a quieter moment.
        const bool cancelled = error.code == ErrorCode::Cancelled;
        m_limitsState = m_limits ? LimitsState::Measured : cancelled ? LimitsState::NotMeasured : LimitsState::Failed;
        showPhases();
        if (cancelled) {
            m_idle.start();
        } else {
            emit limitsSettled();
        }
    });
    m_turn.setSingleShot(true);
    connect(&m_turn, &QTimer::timeout, this, &Dashboard::showGrowth);
    m_sinceTimeline.start();
    m_sinceFigures.start();
    m_idle.setSingleShot(true);
    m_idle.setInterval(kIdleMilliseconds);
    connect(&m_idle, &QTimer::timeout, this, &Dashboard::measureLimits);
    connect(&session, &ChatSession::busyChanged, this, [this] { m_idle.start(); });
    retranslate();
}

void Dashboard::restoreLayout(bool tabbed)
{
    for (QDockWidget* dock : {m_timelineDock, m_memoryDock, m_phaseDock}) {
        dock->setFloating(false);
        m_window->removeDockWidget(dock);
        m_window->addDockWidget(Qt::RightDockWidgetArea, dock);
        dock->show();
    }
    if (tabbed) {
        m_window->tabifyDockWidget(m_timelineDock, m_memoryDock);
        m_window->tabifyDockWidget(m_memoryDock, m_phaseDock);
        m_timelineDock->raise();
    } else {
        m_window->resizeDocks({m_timelineDock, m_memoryDock, m_phaseDock}, {300, 320, 240}, Qt::Vertical);
    }
    m_window->resizeDocks({m_timelineDock}, {tabbed ? Fonts::px(320) : Fonts::px(500)}, Qt::Horizontal);
}

void Dashboard::retranslate()
{
    m_timelineDock->setWindowTitle(tr("Timeline"));
    m_memoryDock->setWindowTitle(tr("Memory"));
    m_phaseDock->setWindowTitle(tr("Prefill v decode"));
    listReplies();
    showPhases();
}

void Dashboard::setLoading(bool loading)
{
    m_loading = loading;
    showMemory();
}

void Dashboard::showModel()
{
    if (m_session.model()) {
        m_system = m_session.model()->system;
    }
    m_limits.reset(); // of another number of threads, perhaps
    m_limitsState = LimitsState::NotMeasured;
    showMemory();
    showPhases();
    m_idle.start();
}

void Dashboard::showMemory()
{
    const auto& model = m_session.model();
    if (!model) {
        MemorySeries empty;
        empty.isLoading = m_loading;
        m_memory->setSeries(empty);
        return;
    }
    MemorySeries series =
        Adapters::memorySeries(*model, Adapters::memorySample(model->memory, model->system, 0), m_system);
    series.samples += m_session.memorySamples();
    series.isLoading = m_loading;
    m_memory->setSeries(series);
}

void Dashboard::showConversation()
{
    m_awaited = 0;
    m_awaitedAsLive = 0;
    showMemory();
    listReplies();
    m_values = {};
    if (const LiveReply* live = m_session.live()) {
        ReplySeries series = Adapters::replySeries(live->record);
        series.progress = Adapters::liveProgress(live->record, live->age);
        for (const ReplyMark& mark : live->marks) {
            series.events.append(eventOf(mark));
        }
        m_timeline->startReply(series);
        m_shownTokens = live->record.tokens.size();
        m_values = Adapters::phaseValues(live->phases, live->record);
    } else if (!m_replies.isEmpty()) {
        m_timeline->clear();
        m_values = Adapters::phaseValues({}, *m_session.record(m_replies.first()));
        m_awaitedAsLive = m_replies.first();
        m_store.loadRecord(m_awaitedAsLive);
    } else {
        m_timeline->clear();
    }
    showPhases();
}

void Dashboard::onStarted()
{
    m_awaited = 0;
    m_awaitedAsLive = 0;
    m_idle.stop();
    m_shownTokens = 0;
    ReplySeries series;
    series.progress.state = ReplyState::Queued;
    m_timeline->startReply(series);
    listReplies();
    m_values = {};
    m_values.live = true;
    m_costBegin = PlotCost::nanoseconds();
    m_costClock.start();
    m_costTold.start();
    showPhases();
}

void Dashboard::onGrew(const ReplyDelta& delta)
{
    m_system = delta.system;
    // A token that comes after a quiet while is shown at once; of many, the newest wait for the next turn.
    if (!m_turn.isActive()) {
        const qint64 rest = kTimelineMilliseconds - m_sinceTimeline.elapsed();
        if (rest <= 0) {
            showGrowth();
        } else {
            m_turn.start(static_cast<int>(rest));
        }
    }
}

void Dashboard::showGrowth()
{
    m_turn.stop();
    const LiveReply* live = m_session.live();
    if (!live) {
        return;
    }
    m_sinceTimeline.restart();
    showTokens(live->record);
    m_timeline->setProgress(Adapters::liveProgress(live->record, live->age));
    if (m_sinceFigures.elapsed() >= kFiguresMilliseconds || live->record.tokens.size() <= 1) {
        m_sinceFigures.restart();
        showNewestMemory();
        m_values = Adapters::phaseValues(live->phases, live->record);
        measureCost(false);
        showPhases();
    }
}

void Dashboard::showTokens(const ReplyRecord& record)
{
    QVector<TokenPoint> points;
    for (; m_shownTokens < record.tokens.size(); ++m_shownTokens) {
        const bool first = m_shownTokens == 0;
        const Nanoseconds before = first ? Nanoseconds(0) : record.tokens.at(m_shownTokens - 1).time;
        points.append(Adapters::tokenPoint(record.tokens.at(m_shownTokens), before, first));
    }
    if (!points.isEmpty()) {
        m_timeline->appendTokens(points);
    }
}

void Dashboard::showNewestMemory()
{
    if (const QVector<MemorySample> samples = m_session.memorySamples(); !samples.isEmpty()) {
        m_memory->appendSample(samples.last());
    }
}

void Dashboard::onEnded(qint64 message)
{
    m_turn.stop();
    measureCost(true);
    showNewestMemory();
    const auto record = m_session.record(message);
    if (record) {
        showTokens(*record);
        m_timeline->setProgress(Adapters::replySeries(*record).progress);
        m_values.live = false;
        const PhaseValues settled = Adapters::phaseValues({}, *record);
        m_values.prefill.tokensPerSecond = settled.prefill.tokensPerSecond;
        m_values.prefill.milliseconds = settled.prefill.milliseconds;
        m_values.decode.tokensPerSecond = settled.decode.tokensPerSecond;
        m_values.decode.milliseconds = settled.decode.milliseconds;
    } else {
        ReplyProgress progress;
        progress.state = ReplyState::Failed;
        progress.failure = m_session.shownMessage(message).notice;
        m_timeline->setProgress(progress);
        m_values.live = false;
    }
    listReplies();
    showPhases();
    doubtLimits();
}

void Dashboard::doubtLimits()
{
    if (!m_limits || m_limitsDoubted || !m_session.model()) {
        return;
    }
    PhaseValues values = m_values;
    Adapters::setLimits(values, *m_limits, m_session.model()->summary);
    const bool beaten = values.decode.bytesPerSecond.value_or(0) > *values.readBytesPerSecond
        || values.prefill.operationsPerSecond.value_or(0) > *values.operationsPerSecond;
    if (beaten && m_session.liveReplies().isEmpty()) {
        // They were taken while the machine had other work.
        m_limitsDoubted = true;
        m_engine.measureLimits(m_limitsFile, true);
    }
}

void Dashboard::listReplies()
{
    m_replies = m_session.measuredReplies();
    QStringList titles;
    for (const MessageId id : std::as_const(m_replies)) {
        const Message& reply = m_session.tree().message(id);
        QString question = reply.parent != 0 ? m_session.tree().message(reply.parent).text.simplified() : QString();
        if (question.size() > kReplyTitleLength) {
            question = question.left(kReplyTitleLength - 1) + QChar(0x2026);
        }
        titles << tr("%1  %2", "time and beginning of a question")
                      .arg(QLocale().toString(reply.created.time(), QLocale::ShortFormat), question);
    }
    m_timeline->setReplies(titles);
}

void Dashboard::chooseReply(int index)
{
    m_awaited = 0;
    if (index < 0 || index >= m_replies.size()) {
        return;
    }
    const auto record = m_session.record(m_replies.at(index));
    if (record && !record->tokens.isEmpty()) {
        m_timeline->setReply(Adapters::replySeries(*record));
    } else {
        m_awaited = m_replies.at(index);
        m_store.loadRecord(m_awaited);
    }
}

void Dashboard::showRecord(qint64 message, const std::shared_ptr<const ReplyRecord>& record)
{
    if (!record) {
        return;
    }
    if (message == m_awaited) {
        m_awaited = 0;
        m_timeline->setReply(Adapters::replySeries(*record));
    } else if (message == m_awaitedAsLive) {
        m_awaitedAsLive = 0;
        m_timeline->startReply(Adapters::replySeries(*record));
    }
}

void Dashboard::showPhases()
{
    PhaseValues values = m_values;
    values.limits = m_limitsState;
    if (m_limitsState == LimitsState::Failed) {
        values.limitsFailure = ErrorText::limitsFailed(m_limitsError);
    }
    if (m_limits && m_session.model()) {
        Adapters::setLimits(values, *m_limits, m_session.model()->summary);
        values.limits = m_limitsState;
    }
    values.dashboardShare = m_cost;
    m_phases->setValues(values);
}

void Dashboard::measureCost(bool final)
{
    if (!m_costClock.isValid() || (!final && m_costTold.elapsed() < kCostMilliseconds)) {
        return;
    }
    m_costTold.restart();
    const qint64 wall = m_costClock.nsecsElapsed();
    if (wall > 0) {
        m_cost = static_cast<double>(PlotCost::nanoseconds() - m_costBegin) / static_cast<double>(wall);
        emit costChanged();
    }
    if (final) {
        m_costClock.invalidate();
    }
}

void Dashboard::measureLimits()
{
    if (!m_limits && m_limitsState != LimitsState::Failed && m_session.model() && m_session.liveReplies().isEmpty()
        && !m_loading && !m_limitsFile.isEmpty()) {
        m_engine.measureLimits(m_limitsFile);
    }
}

} // namespace kvasir
