#pragma once

#include "engine/replyvalues.h"
#include "measure/limits.h"
#include "plots/phasevalues.h"
#include "store/conversation.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <optional>

class QDockWidget;
class QMainWindow;

namespace kvasir {

class ChatSession;
class EngineWorker;
class MemoryWidget;
class PhaseWidget;
class StoreWorker;
class TimelineWidget;

/// The docks: feeds the panels from the session, live and for earlier replies, and measures what they cost.
class Dashboard : public QObject {
    Q_OBJECT

public:
    Dashboard(ChatSession& session, EngineWorker& engine, StoreWorker& store, QMainWindow* window);

    QDockWidget* timelineDock() const { return m_timelineDock; }
    QDockWidget* memoryDock() const { return m_memoryDock; }
    QDockWidget* phaseDock() const { return m_phaseDock; }
    TimelineWidget* timeline() const { return m_timeline; }
    MemoryWidget* memory() const { return m_memory; }
    PhaseWidget* phases() const { return m_phases; }

    void setLimitsFile(const QString& path) { m_limitsFile = path; }
    void setLoading(bool loading);
    /// The docks as they are at the first start: one above the other, or behind each other where that is too tight.
    void restoreLayout(bool tabbed = false);
    /// Measures the limits of this machine now if that has not been done; limitsSettled() tells when it is over.
    void measureLimits();
    bool limitsAreSettled() const { return m_limits || m_limitsState == LimitsState::Failed; }
    void retranslate();
    /// Share of one core that drawing the panels took while the newest reply was computed; unset before there was one.
    std::optional<double> cost() const { return m_cost; }

signals:
    void costChanged();
    void limitsSettled();

private:
    void showModel();
    void showConversation();
    void showMemory();
    void onStarted();
    void onGrew(const ReplyDelta& delta);
    void showGrowth();
    void showTokens(const ReplyRecord& record);
    void showNewestMemory();
    void onEnded(qint64 message);
    void listReplies();
    void chooseReply(int index);
    void showRecord(qint64 message, const std::shared_ptr<const ReplyRecord>& record);
    void showPhases();
    void measureCost(bool final);
    void doubtLimits();

    ChatSession& m_session;
    EngineWorker& m_engine;
    StoreWorker& m_store;
    QMainWindow* m_window;
    TimelineWidget* m_timeline;
    MemoryWidget* m_memory;
    PhaseWidget* m_phases;
    QDockWidget* m_timelineDock;
    QDockWidget* m_memoryDock;
    QDockWidget* m_phaseDock;

    QList<MessageId> m_replies;    ///< behind the selector's entries
    MessageId m_awaited = 0;       ///< a stored reply that was asked for
    MessageId m_awaitedAsLive = 0; ///< the newest reply of a conversation that was just opened
    qsizetype m_shownTokens = 0;   ///< of the live reply, how many the timeline has
    QTimer m_turn;
    QElapsedTimer m_sinceTimeline;
    QElapsedTimer m_sinceFigures;
    bool m_loading = false;
    SystemMemory m_system;
    PhaseValues m_values;
    std::optional<HardwareLimits> m_limits;
    LimitsState m_limitsState = LimitsState::NotMeasured;
    Error m_limitsError;
    bool m_limitsDoubted = false; ///< a reply did better than they allow: measured again, once
    QString m_limitsFile;
    QTimer m_idle;
    std::optional<double> m_cost;
    qint64 m_costBegin = 0;
    QElapsedTimer m_costClock;
    QElapsedTimer m_costTold;
};

} // namespace kvasir
