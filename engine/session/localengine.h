#pragma once

#include "measure/ring.h"
#include "session/engine.h"
#include "session/loadedmodel.h"
#include "session/prefixcache.h"
#include "session/sampler.h"
#include "session/scheduler.h"
#include "session/sequence.h"

#include <deque>
#include <memory>
#include <vector>

namespace kvasir {

/// The engine on this machine's CPU: each step picks rows of the running sequences, runs the model over them, and draws
/// a token for every sequence that reached its end.
class LocalEngine : public Engine {
public:
    explicit LocalEngine(std::unique_ptr<LoadedModel> loaded);

    const ModelSummary& summary() const override { return m_loaded->summary; }
    const Tokenizer& tokenizer() const override { return *m_loaded->tokenizer; }
    const ChatTemplate* chatTemplate() const override;
    const ReplyFormat& replyFormat() const override { return m_loaded->chat.format; }

    Result<RequestId> submit(GenerateRequest request) override;
    bool step(EngineEvents& events) override;
    MemoryUse memory() const override { return m_loaded->ledger.use(); }
    std::vector<StepRecord> recentSteps(size_t count) const override { return m_steps.newest(count); }
    Result<std::vector<float>> logits(
        std::span<const TokenId> tokens, std::span<const int> positions, int chunk) override;
    Result<void> logits(
        std::span<const TokenId> tokens, std::span<const int> positions, const LogitsSink& sink, int chunk) override;

private:
    using SequencePointer = std::unique_ptr<Sequence>;
    /// A sequence's part of the step that is being made.
    struct Share {
        Sequence* sequence = nullptr;
        int rows = 0;
        bool wantsLogits = false;
        Result<Sample> sample = Sample{};
        TimePoint sampled{};
    };

    Result<void> check(const GenerateRequest& request) const;
    Result<void> checkTokens(std::span<const TokenId> tokens) const;
    void endStopped(EngineEvents& events);
    void admit(EngineEvents& events);
    void startFromCache(Sequence& sequence);
    bool hasRoomFor(const Sequence& sequence) const;
    void chooseRows();
    void reserveRows(EngineEvents& events);
    bool freeBlocks();
    Result<void> reserve(BlockTable& table, int tokens);
    void runModel(EngineEvents& events);
    void sampleAll(std::span<const float> logits);
    void deliver(const Share& share, EngineEvents& events);
    void deliverToken(Sequence& sequence, const Share& share, EngineEvents& events);
    void countReasoning(Sequence& sequence, bool isReasoning, const std::vector<ReplyPiece>& pieces, TimePoint now);
    StopReason endOf(const Sequence& sequence, TokenId token) const;
    void finish(Sequence& sequence, StopReason reason, EngineEvents& events);
    void failRequest(Sequence& sequence, const Error& error, EngineEvents& events);
    /// Takes it off the waiting or running ones.
    SequencePointer remove(const Sequence& sequence);

    std::unique_ptr<LoadedModel> m_loaded;
    PrefixCache m_cache;
    std::deque<SequencePointer> m_waiting;
    std::vector<SequencePointer> m_running; // in the order of admission
    std::vector<Share> m_shares;
    std::vector<SequenceRows> m_rows;
    Sampler m_sampler;
    StepPace m_pace;
    RecordRing<StepRecord> m_steps;
    StepRecord m_record;
    uint64_t m_stepCount = 0;
    RequestId m_lastId = 0;
};

} // namespace kvasir
