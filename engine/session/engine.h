#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "base/types.h"
#include "measure/ledger.h"
#include "measure/records.h"
#include "quant/precision.h"
#include "session/sampling.h"
#include "text/templateorigin.h"

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace kvasir {

class ChatTemplate;
class Tokenizer;
struct ReplyFormat;
struct ReplyPiece;

struct EngineOptions {
    WeightsPrecision weights = WeightsPrecision::AsStored;
    KvPrecision keys = KvPrecision::Fp16;
    KvPrecision values = KvPrecision::Fp16;
    int context = 0; ///< tokens a sequence; 0: the model's own, bounded by memory
    int threads = 0; ///< 0: physical cores
    int niceness = 0; ///< of the helper threads: above 0 a program's window stays smooth while all cores compute
    size_t memoryLimit = 0; ///< bytes that everything together may take; 0: what the machine has free
    int stepTokens = 256; ///< rows a step at most; a long prompt is fed in chunks of this many
    int sequences = 16; ///< requests that run at once at most; the others wait
};

/// What the program shows about a loaded model.
struct ModelSummary {
    std::string name; ///< general.name, else the file's
    std::string architecture;
    std::string weightsName; ///< "Q4_1", "Q4_K_M"-like: the file's type in words
    uint64_t parameters = 0;
    int layers = 0;
    int vocabulary = 0;
    int trainedContext = 0; ///< tokens the model was trained for
    int context = 0; ///< tokens a sequence may have here
    std::string contextReason; ///< empty where it is the model's own, else why it is less
    size_t weightBytes = 0;
    size_t kvBytesPerToken = 0;
    size_t weightBytesPerToken = 0; ///< weights that one decode step reads
    uint64_t operationsPerToken = 0; ///< arithmetic of one row without attention
    int threads = 0;
    std::string instructionSet; ///< "AVX2", "AVX-512 VNNI", "scalar"
    TemplateOrigin templateOrigin = TemplateOrigin::None;
    std::string templateName; ///< of a known one: "ChatML"
    std::string templateError; ///< why chatTemplate() is null although the file has a template
};

/// Told between 0 and 1 while loading; returns false to cancel.
using LoadProgress = std::function<bool(double fraction)>;

struct GenerateRequest {
    std::vector<TokenId> prompt; ///< at least one token, ids inside the vocabulary
    int maxTokens = 0; ///< 0: until the model ends or the context is full
    SamplingSettings sampling;
    std::vector<std::string> stopStrings;
    bool ignoreEos = false;
    /// The prompt is a conversation as the model's template puts it: the reply is taken apart into reasoning, answer
    /// and tool calls. Else all of it is answer.
    bool isChat = false;
    bool offersTools = false; ///< with isChat: the prompt tells of tools
    TimePoint submitted = Clock::now(); ///< set before tokenization, so that TTFT includes it
    std::shared_ptr<std::atomic<bool>> stop; ///< set by any thread: the reply ends within one step; may be null
};

/// Takes the logits of one position; the values live until it returns. Returns false to stop.
using LogitsSink = std::function<bool(int position, std::span<const float> logits)>;

/// What a step tells. Called in the engine's thread, in order, from inside Engine::step().
class EngineEvents {
public:
    virtual ~EngineEvents() = default;
    virtual void prefillProgress(RequestId, int /*done*/, int /*total*/, int /*cached*/) {}
    /// `text` holds whole UTF-8 characters and may be empty: what can not yet be shown is held back.
    virtual void token(const TokenRecord&, const std::string& /*text*/) {}
    /// A stretch of the reply as what it is for. Told right after token() and before finished(), in order; all of the
    /// reply but the marks of its format.
    virtual void piece(RequestId, const ReplyPiece&) {}
    /// `text` is what was held back and belongs to the reply.
    virtual void finished(const ReplyStats&, const std::string& /*text*/) {}
    virtual void failed(RequestId, const Error&) {}
};

/// A loaded model and the requests it works on. One thread at a time may call its members, but for memory().
class Engine {
public:
    static Result<std::unique_ptr<Engine>> load(const std::string& path, const EngineOptions& options,
        const LoadProgress& progress = {});
    /// What load() would allocate, found by the same code on a dry ledger; nothing is read but the header.
    static Result<MemoryUse> plan(const std::string& path, const EngineOptions& options);

    virtual ~Engine() = default;

    virtual const ModelSummary& summary() const = 0;
    virtual const Tokenizer& tokenizer() const = 0;
    /// Null where the file has none.
    virtual const ChatTemplate* chatTemplate() const = 0;
    /// How the model marks reasoning and tool calls.
    virtual const ReplyFormat& replyFormat() const = 0;

    /// Queues a request. Fails at once where the prompt is empty, too long or holds an unknown id.
    virtual Result<RequestId> submit(GenerateRequest request) = 0;
    /// Works on what is queued for one step. Returns false when there is nothing left to do.
    virtual bool step(EngineEvents& events) = 0;

    virtual MemoryUse memory() const = 0; ///< any thread
    /// The newest records, oldest first, at most `count`.
    virtual std::vector<StepRecord> recentSteps(size_t count) const = 0;

    /// Logits of every position in `positions` (ascending) after feeding `tokens` in one sequence of its own:
    /// positions.size() x vocabulary. `chunk` rows a step; 0: stepTokens. For `logits`, `perplexity` and tests.
    virtual Result<std::vector<float>> logits(std::span<const TokenId> tokens, std::span<const int> positions,
        int chunk = 0)
        = 0;
    /// The same one position at a time, for texts whose logits do not fit into memory at once. Cancelled: `sink` said so.
    virtual Result<void> logits(std::span<const TokenId> tokens, std::span<const int> positions, const LogitsSink& sink,
        int chunk = 0)
        = 0;
};

} // namespace kvasir
