#pragma once

#include "engine/replyvalues.h"
#include "measure/limits.h"

#include <QHash>
#include <QObject>

#include <atomic>
#include <memory>

namespace kvasir {

class Engine;
class WorkerEvents;

/// Owns the engine on a thread of its own. The functions are called from one other thread, return at once and are done
/// in order; values come out as queued signals. The shared words are stop flags, which act within one step.
class EngineWorker : public QObject {
    Q_OBJECT

public:
    explicit EngineWorker(QObject* parent = nullptr);
    ~EngineWorker() override;

    /// Loads beside the present model where memory allows, else in its place; a failure says which.
    void load(const QString& path, const EngineOptions& options);
    void cancelLoad() { m_cancelLoad->store(true); }

    void generate(const ReplyRequest& request);
    /// Ends a reply within one step; what it has stays.
    void stop(MessageId id);

    /// Tokens of a text on its own; answered by tokensCounted() with the same ticket.
    void countTokens(int ticket, const QString& text);

    /// The conversation as the model would receive it; answered by promptDescribed() with the same ticket.
    void describePrompt(int ticket, const QList<PromptMessage>& messages, const QString& systemPrompt);

    /// Answers with the limits kept in `cacheFile`, or measures them (about a second, given up when a reply is asked
    /// for) and keeps them.
    void measureLimits(const QString& cacheFile, bool again = false);

signals:
    void loadStarted(const QString& path);
    void loadProgressed(double fraction);
    void loaded(const kvasir::ModelInfo& model);
    void loadFailed(const QString& path, const kvasir::Error& error, bool modelKept);
    /// One a step at most.
    void progressed(std::shared_ptr<const kvasir::ReplyDelta> delta);
    void finished(std::shared_ptr<const kvasir::ReplyEnd> end);
    void tokensCounted(int ticket, int tokens);
    void promptDescribed(int ticket, const kvasir::PromptView& prompt);
    void limitsMeasuring();
    void limitsMeasured(const kvasir::HardwareLimits& limits);
    void limitsFailed(const kvasir::Error& error);

private:
    void post(std::function<void()> job);
    void loadNow(const QString& path, EngineOptions options, const std::atomic<bool>& cancel);
    void generateNow(const ReplyRequest& request, const std::shared_ptr<std::atomic<bool>>& stop);
    void measureNow(const QString& cacheFile, bool again, const std::atomic<bool>& cancel);
    PromptView describeNow(const QList<PromptMessage>& messages, const QString& systemPrompt) const;
    void refuse(MessageId id, const Error& error);
    void failAll(const Error& error);
    void step();

    // Swapped by the thread that calls (the GUI's), set there, read by the worker: a flag a job, so that ending one job
    // does not end the next.
    std::shared_ptr<std::atomic<bool>> m_cancelLoad = std::make_shared<std::atomic<bool>>(false);
    std::shared_ptr<std::atomic<bool>> m_cancelMeasuring = std::make_shared<std::atomic<bool>>(false);
    QHash<MessageId, std::shared_ptr<std::atomic<bool>>> m_stops;

    // Touched in the worker's thread only.
    std::unique_ptr<Engine> m_engine;
    std::unique_ptr<WorkerEvents> m_events;
    bool m_stepping = false;
};

} // namespace kvasir
