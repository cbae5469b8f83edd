#include "engine/engineworker.h"

#include "base/threadpool.h"
#include "engine/prompt.h"
#include "text/chattemplate.h"
#include "text/replysplitter.h"
#include "text/tokenizer.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <new>

namespace kvasir {

namespace {

// With all cores computing at the window's own priority a frame came up to 40 ms late, nine steps below it up to 14 ms.
// Five keep most of that, and leave inference its share beside other programs.
constexpr int kNice = 5;
// The system's figures cost 50 us; four a second are enough for a plot.
constexpr Nanoseconds kSystemInterval = std::chrono::milliseconds(250);

Error asError(const Failure& failure)
{
    return failure.error;
}

/// Runs `job` where what libraries throw ends: nothing may leave the worker's event loop.
std::optional<Error> guarded(const std::function<void()>& job)
{
    try {
        job();
        return {};
    } catch (const std::bad_alloc&) {
        return asError(fail(ErrorCode::OutOfMemory, "the system gave no memory", {{"what", "memory"}}));
    } catch (const std::exception& exception) {
        return asError(fail(ErrorCode::Internal, exception.what(), {{"what", exception.what()}}));
    }
}

} // namespace

/// Gathers what the engine tells during one step into one delta for each reply.
class WorkerEvents : public EngineEvents {
public:
    struct Reply {
        MessageId id = 0;
        TimePoint submitted{};
        ReplyDelta delta;
        PhaseTotals phases;
        bool scheduled = false;
        Nanoseconds queue{0};
    };

    explicit WorkerEvents(EngineWorker& worker)
        : m_worker(worker)
    {
    }

    QHash<RequestId, Reply> replies;
    const Tokenizer* tokenizer = nullptr;

    void prefillProgress(RequestId request, int done, int total, int cached) override
    {
        if (auto reply = replies.find(request); reply != replies.end()) {
            const Nanoseconds now = Clock::now() - reply->submitted;
            if (!reply->scheduled) {
                reply->scheduled = true;
                reply->queue = m_stepStart > reply->submitted ? m_stepStart - reply->submitted : Nanoseconds(0);
            }
            reply->delta.prefill = {done, total, cached, reply->queue};
            reply->delta.marks.append({now, done});
        }
    }

    void token(const TokenRecord& record, const std::string&) override
    {
        auto reply = replies.find(record.request);
        if (reply == replies.end()) {
            return;
        }
        ReplyToken token;
        token.text = tokenText(tokenizer->piece(record.token, true));
        token.time = record.sinceSubmit;
        token.probability = record.probability;
        token.entropy = record.entropy;
        token.isReasoning = record.isReasoning;
        for (const Alternative& alternative : record.alternatives) {
            if (alternative.token != kNoToken) {
                token.alternatives.append(
                    {tokenText(tokenizer->piece(alternative.token, true)), alternative.probability});
            }
        }
        reply->delta.tokens.append(token);
    }

    void piece(RequestId request, const ReplyPiece& piece) override
    {
        if (auto reply = replies.find(request); reply != replies.end()) {
            reply->delta.pieces.append(
                {piece.part, piece.begins, QString::fromStdString(piece.name), QString::fromStdString(piece.text)});
        }
    }

    void finished(const ReplyStats& stats, const std::string&) override
    {
        if (auto reply = replies.find(stats.request); reply != replies.end()) {
            auto end = std::make_shared<ReplyEnd>();
            end->id = reply->id;
            end->stats = stats;
            m_ended.append({stats.request, std::move(end)});
        }
    }

    void failed(RequestId request, const Error& error) override
    {
        if (auto reply = replies.find(request); reply != replies.end()) {
            auto end = std::make_shared<ReplyEnd>();
            end->id = reply->id;
            end->failed = true;
            end->error = error;
            end->stats.request = request;
            end->stats.stopReason = StopReason::Failed;
            m_ended.append({request, std::move(end)});
        }
    }

    void beginStep() { m_stepStart = Clock::now(); }

    /// Sends what the step told.
    void endStep(const Engine& engine)
    {
        const std::vector<StepRecord> steps = engine.recentSteps(1);
        const TimePoint now = Clock::now();
        if (now - m_systemRead > kSystemInterval) {
            m_systemRead = now;
            m_system = systemMemory();
        }
        for (Reply& reply : replies) {
            if (!steps.empty() && replies.size() == 1) {
                addStep(reply.phases, steps.front());
            }
            if (reply.delta.tokens.isEmpty() && reply.delta.pieces.isEmpty() && !reply.delta.prefill) {
                continue;
            }
            reply.delta.id = reply.id;
            reply.delta.phases = reply.phases;
            reply.delta.memory = engine.memory();
            reply.delta.system = m_system;
            reply.delta.age = now - reply.submitted;
            emit m_worker.progressed(std::make_shared<const ReplyDelta>(std::exchange(reply.delta, {})));
        }
        sendEnded();
    }

    void sendEnded()
    {
        for (const auto& [request, end] : std::exchange(m_ended, {})) {
            replies.remove(request);
            emit m_worker.finished(end);
        }
    }

private:
    void addStep(PhaseTotals& phases, const StepRecord& step)
    {
        if (step.index == m_lastStep) {
            return;
        }
        m_lastStep = step.index;
        if (step.prefillRows > 0) {
            phases.prefillTime += step.duration;
            phases.prefillTokens += step.prefillRows;
            phases.prefillOperations += step.operations;
            phases.prefillBytes += step.bytesRead;
        } else if (step.decodeRows > 0) {
            phases.decodeTime += step.duration;
            phases.decodeTokens += step.decodeRows;
            phases.decodeOperations += step.operations;
            phases.decodeBytes += step.bytesRead;
        }
    }

    EngineWorker& m_worker;
    QList<std::pair<RequestId, std::shared_ptr<const ReplyEnd>>> m_ended;
    TimePoint m_stepStart{};
    TimePoint m_systemRead{};
    SystemMemory m_system;
    uint64_t m_lastStep = ~0ull;
};

EngineWorker::EngineWorker(QObject* parent)
    : QObject(parent)
    , m_events(std::make_unique<WorkerEvents>(*this))
{
    qRegisterMetaType<kvasir::Error>();
    qRegisterMetaType<kvasir::HardwareLimits>();
    qRegisterMetaType<kvasir::PromptView>();
    qRegisterMetaType<std::shared_ptr<const kvasir::ReplyDelta>>();
    qRegisterMetaType<std::shared_ptr<const kvasir::ReplyEnd>>();
    post([] { lowerThisThread(kNice); });
}

EngineWorker::~EngineWorker() = default;

void EngineWorker::post(std::function<void()> job)
{
    QMetaObject::invokeMethod(this, std::move(job), Qt::QueuedConnection);
}

void EngineWorker::load(const QString& path, const EngineOptions& options)
{
    // A load that waits behind another one must not fall to the cancelling of that one.
    m_cancelLoad->store(true);
    m_cancelLoad = std::make_shared<std::atomic<bool>>(false);
    m_cancelMeasuring->store(true);
    post([this, path, options, cancel = m_cancelLoad] {
        emit loadStarted(path);
        if (const auto error = guarded([&] { loadNow(path, options, *cancel); })) {
            emit loadFailed(path, *error, m_engine != nullptr);
        }
    });
}

void EngineWorker::loadNow(const QString& path, EngineOptions options, const std::atomic<bool>& cancel)
{
    options.niceness = kNice;
    TimePoint told{};
    const LoadProgress progress = [&](double fraction) {
        if (Clock::now() - told > std::chrono::milliseconds(33)) {
            told = Clock::now();
            emit loadProgressed(fraction);
        }
        return !cancel.load(std::memory_order_relaxed);
    };
    const std::string file = QFile::encodeName(path).toStdString();
    auto engine = Engine::load(file, options, progress);
    if (!engine && engine.error().code == ErrorCode::OutOfMemory && m_engine) {
        failAll(asError(fail(ErrorCode::Cancelled, "another model takes the place of this one")));
        m_engine.reset();
        engine = Engine::load(file, options, progress);
    }
    if (!engine) {
        emit loadFailed(path, engine.error(), m_engine != nullptr);
        return;
    }
    failAll(asError(fail(ErrorCode::Cancelled, "another model takes the place of this one")));
    m_engine = std::move(*engine);
    m_events->tokenizer = &m_engine->tokenizer();
    ModelInfo info;
    info.path = path;
    info.summary = m_engine->summary();
    info.hasTemplate = m_engine->chatTemplate() != nullptr;
    info.memory = m_engine->memory();
    info.system = systemMemory();
    emit loaded(info);
}

void EngineWorker::generate(const ReplyRequest& request)
{
    m_cancelMeasuring->store(true);
    // Flags of replies that ended are dropped here: the worker holds no other reference to them by then.
    erase_if(m_stops, [](const auto& entry) { return entry.value().use_count() == 1; });
    const auto flag = std::make_shared<std::atomic<bool>>(false);
    m_stops.insert(request.id, flag);
    post([this, request, stop = flag] {
        if (const auto error = guarded([&] { generateNow(request, stop); })) {
            refuse(request.id, *error);
        }
    });
}

void EngineWorker::stop(MessageId id)
{
    if (const auto flag = m_stops.value(id)) {
        flag->store(true);
    }
}

void EngineWorker::generateNow(const ReplyRequest& request, const std::shared_ptr<std::atomic<bool>>& stop)
{
    if (!m_engine) {
        refuse(request.id, asError(fail(ErrorCode::BadArgument, "no model is loaded", {{"what", "model"}})));
        return;
    }
    auto prompt = buildPrompt(*m_engine, request.messages, request.settings.systemPrompt);
    if (!prompt) {
        refuse(request.id, prompt.error());
        return;
    }
    GenerateRequest generate;
    generate.prompt = std::move(prompt->tokens);
    generate.stopStrings = std::move(prompt->stopStrings);
    generate.isChat = prompt->isChat;
    generate.maxTokens = request.settings.maxTokens;
    generate.sampling = request.settings.sampling;
    generate.submitted = request.submitted;
    generate.stop = stop;
    auto id = m_engine->submit(std::move(generate));
    if (!id) {
        refuse(request.id, id.error());
        return;
    }
    WorkerEvents::Reply reply;
    reply.id = request.id;
    reply.submitted = request.submitted;
    m_events->replies.insert(*id, reply);
    if (!m_stepping) {
        m_stepping = true;
        post([this] { step(); });
    }
}

void EngineWorker::refuse(MessageId id, const Error& error)
{
    auto end = std::make_shared<ReplyEnd>();
    end->id = id;
    end->failed = true;
    end->error = error;
    end->stats.stopReason = StopReason::Failed;
    emit finished(std::move(end));
}

void EngineWorker::failAll(const Error& error)
{
    const auto requests = m_events->replies.keys();
    for (const RequestId request : requests) {
        m_events->failed(request, error);
    }
    m_events->sendEnded();
}

void EngineWorker::step()
{
    bool more = false;
    const auto error = guarded([&] {
        if (m_engine) {
            m_events->beginStep();
            more = m_engine->step(*m_events);
            m_events->endStep(*m_engine);
        }
    });
    if (error) {
        failAll(*error);
    }
    // Through the event loop, so that a question or a new model that came meanwhile gets its turn.
    m_stepping = more;
    if (more) {
        post([this] { step(); });
    }
}

void EngineWorker::countTokens(int ticket, const QString& text)
{
    post([this, ticket, text] {
        if (m_engine) {
            int count = 0;
            static_cast<void>(
                guarded([&] { count = static_cast<int>(m_engine->tokenizer().encode(text.toStdString()).size()); }));
            emit tokensCounted(ticket, count);
        }
    });
}

void EngineWorker::describePrompt(int ticket, const QList<PromptMessage>& messages, const QString& systemPrompt)
{
    post([this, ticket, messages, systemPrompt] {
        PromptView view;
        if (const auto error = guarded([&] { view = describeNow(messages, systemPrompt); })) {
            view.failed = true;
            view.error = *error;
        }
        emit promptDescribed(ticket, view);
    });
}

PromptView EngineWorker::describeNow(const QList<PromptMessage>& messages, const QString& systemPrompt) const
{
    PromptView view;
    if (!m_engine) {
        return view;
    }
    view.endsWithReply = !messages.isEmpty() && messages.last().role == MessageRole::Assistant;
    const auto prompt = buildPrompt(*m_engine, messages, systemPrompt);
    if (!prompt) {
        view.failed = true;
        view.error = prompt.error();
        return view;
    }
    const Tokenizer& tokenizer = m_engine->tokenizer();
    view.text = tokenText(tokenizer.decode(prompt->tokens, true));
    view.tokens.reserve(static_cast<qsizetype>(prompt->tokens.size()));
    for (const TokenId token : prompt->tokens) {
        view.tokens.append({token, tokenText(tokenizer.piece(token, true)), tokenizer.isSpecial(token)});
    }
    return view;
}

void EngineWorker::measureLimits(const QString& cacheFile, bool again)
{
    m_cancelMeasuring = std::make_shared<std::atomic<bool>>(false);
    post([this, cacheFile, again, cancel = m_cancelMeasuring] {
        if (const auto error = guarded([&] { measureNow(cacheFile, again, *cancel); })) {
            emit limitsFailed(*error);
        }
    });
}

void EngineWorker::measureNow(const QString& cacheFile, bool again, const std::atomic<bool>& cancel)
{
    const int threads = m_engine ? m_engine->summary().threads : physicalCores();
    const std::string file = QFile::encodeName(cacheFile).toStdString();
    if (!again) {
        if (const auto kept = loadLimits(file, threads)) {
            emit limitsMeasured(*kept);
            return;
        }
    }
    if (m_stepping) {
        emit limitsFailed(asError(fail(ErrorCode::Cancelled, "the engine is working")));
        return;
    }
    emit limitsMeasuring();
    const HardwareLimits limits = kvasir::measureLimits(threads, [&] { return cancel.load(); });
    if (cancel.load()) {
        emit limitsFailed(asError(fail(ErrorCode::Cancelled, "the engine is needed")));
        return;
    }
    // A read-only cache folder costs a second at the next start, nothing more.
    QDir().mkpath(QFileInfo(cacheFile).path());
    static_cast<void>(saveLimits(file, limits));
    emit limitsMeasured(limits);
}

} // namespace kvasir
