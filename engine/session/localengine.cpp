#include "session/localengine.h"

#include <algorithm>
#include <array>
#include <new>
#include <numeric>
#include <string>

namespace kvasir {
namespace {

constexpr size_t kKeptSteps = 8192;
// Finished sequences keep blocks for at least so many tokens together, so that a model with a short context can still
// go back and forth between a few conversations.
constexpr int kLeastRetainedTokens = 16384;

int retainedBlocks(const LoadedModel& loaded)
{
    const int tokens = std::max(loaded.summary.context, kLeastRetainedTokens);
    return std::min(loaded.pool->capacity(), (tokens + kBlockTokens - 1) / kBlockTokens);
}

Failure outOfMemory()
{
    return fail(ErrorCode::OutOfMemory, "out of memory", {{"what", "request"}});
}

/// The row of a share whose logits are wanted: its last.
std::span<const int> lastRow(int rows)
{
    static const std::vector<int> kIndices = [] {
        std::vector<int> indices(4097);
        std::iota(indices.begin(), indices.end(), 0);
        return indices;
    }();
    return std::span(kIndices).subspan(static_cast<size_t>(rows - 1), 1);
}

} // namespace

LocalEngine::LocalEngine(std::unique_ptr<LoadedModel> loaded)
    : m_loaded(std::move(loaded))
    , m_cache(retainedBlocks(*m_loaded))
    , m_pace(m_loaded->model->options().stepTokens)
    , m_steps(kKeptSteps)
{
}

const ChatTemplate* LocalEngine::chatTemplate() const
{
    return m_loaded->chat.chatTemplate ? &*m_loaded->chat.chatTemplate : nullptr;
}

Result<void> LocalEngine::checkTokens(std::span<const TokenId> tokens) const
{
    if (tokens.empty()) {
        return fail(ErrorCode::BadArgument, "the prompt is empty", {{"what", "prompt"}, {"value", ""}});
    }
    for (const TokenId token : tokens) {
        if (token < 0 || token >= summary().vocabulary) {
            return fail(ErrorCode::BadArgument,
                "token id " + std::to_string(token) + " is outside the vocabulary of "
                    + std::to_string(summary().vocabulary),
                {{"what", "token id"}, {"value", std::to_string(token)}});
        }
    }
    return {};
}

Result<void> LocalEngine::check(const GenerateRequest& request) const
{
    KVASIR_TRY(checkTokens(request.prompt));
    const size_t need = request.prompt.size() + 1;
    if (need > static_cast<size_t>(summary().context)) {
        return fail(ErrorCode::ContextTooSmall,
            "the prompt has " + std::to_string(request.prompt.size()) + " tokens, the context holds "
                + std::to_string(summary().context) + " with at least one of the reply",
            {{"need", std::to_string(need)}, {"have", std::to_string(summary().context)}});
    }
    if (request.maxTokens < 0) {
        return fail(ErrorCode::BadArgument, "the number of tokens to generate must be 0 (no limit) or more",
            {{"what", "max tokens"}, {"value", std::to_string(request.maxTokens)}});
    }
    return Sampler::check(request.sampling, summary().vocabulary);
}

Result<RequestId> LocalEngine::submit(GenerateRequest request)
try {
    KVASIR_TRY(check(request));
    const RequestId id = m_lastId + 1;
    m_waiting.push_back(std::make_unique<Sequence>(
        id, std::move(request), *m_loaded->pool, *m_loaded->tokenizer, m_loaded->chat.format));
    return m_lastId = id;
} catch (const std::bad_alloc&) {
    return outOfMemory();
}

bool LocalEngine::step(EngineEvents& events)
try {
    endStopped(events);
    admit(events);
    chooseRows();
    reserveRows(events);
    if (!m_shares.empty()) {
        runModel(events);
    }
    return !m_running.empty() || !m_waiting.empty();
} catch (const std::bad_alloc&) {
    // Whatever was running may be in a state between two steps: it ends, what waits goes on.
    while (!m_running.empty()) {
        failRequest(*m_running.back(), outOfMemory().error, events);
    }
    return !m_waiting.empty();
}

void LocalEngine::endStopped(EngineEvents& events)
{
    std::vector<Sequence*> stopped;
    for (const auto& sequence : m_running) {
        if (sequence->isStopped()) {
            stopped.push_back(sequence.get());
        }
    }
    for (const auto& sequence : m_waiting) {
        if (sequence->isStopped()) {
            stopped.push_back(sequence.get());
        }
    }
    for (Sequence* sequence : stopped) {
        finish(*sequence, StopReason::Cancelled, events);
    }
}

bool LocalEngine::hasRoomFor(const Sequence& sequence) const
{
    const int needed = (static_cast<int>(sequence.tokens.size()) + kBlockTokens) / kBlockTokens;
    return needed <= m_loaded->pool->blocksLeft() + m_cache.exclusiveBlocks();
}

void LocalEngine::admit(EngineEvents& events)
{
    const auto most = static_cast<size_t>(m_loaded->model->options().maxSequences);
    while (!m_waiting.empty() && m_running.size() < most && (m_running.empty() || hasRoomFor(*m_waiting.front()))) {
        Sequence& sequence = *m_waiting.front();
        startFromCache(sequence);
        if (!sequence.scheduled) {
            sequence.scheduled = true;
            sequence.firstScheduled = Clock::now();
            sequence.stats.queue = sequence.firstScheduled - sequence.request.submitted;
            sequence.stats.cachedTokens = sequence.table.length();
            events.prefillProgress(sequence.stats.request, sequence.table.length(), sequence.stats.promptTokens,
                sequence.stats.cachedTokens);
        }
        m_running.push_back(std::move(m_waiting.front()));
        m_waiting.pop_front();
    }
}

/// Begins with the longest prefix that some other sequence, finished or running, has in its blocks. At least one token
/// is left to compute, since its logits are wanted.
void LocalEngine::startFromCache(Sequence& sequence)
{
    const int most = static_cast<int>(sequence.tokens.size()) - 1;
    const int kept = m_cache.match(sequence.tokens, most);
    const Sequence* best = nullptr;
    int longest = std::max(kept, PrefixCache::kLeastTokens - 1);
    for (const auto& other : m_running) {
        const int shared = std::min({most, commonPrefix(other->tokens, sequence.tokens), other->table.length()});
        if (shared > longest) {
            longest = shared;
            best = other.get();
        }
    }
    if (best) {
        sequence.table = best->table.fork();
        sequence.table.truncate(longest);
    } else if (kept > 0) {
        sequence.table = m_cache.fork(sequence.tokens, kept);
    }
}

void LocalEngine::chooseRows()
{
    std::vector<Demand> demands;
    demands.reserve(m_running.size());
    for (const auto& sequence : m_running) {
        demands.push_back({sequence->pending(), sequence->isDecoding()});
    }
    const int budget = std::max(m_pace.rows(), static_cast<int>(m_running.size()));
    const std::vector<int> rows = shareStep(demands, budget, m_loaded->model->options().logitRows);
    m_shares.clear();
    for (size_t i = 0; i < rows.size(); ++i) {
        if (rows[i] > 0) {
            m_shares.push_back({m_running[i].get(), rows[i], rows[i] == demands[i].pending, Sample{}, {}});
        }
    }
}

/// Takes the blocks that the step will write. A sequence that is alone and finds no memory has failed.
void LocalEngine::reserveRows(EngineEvents& events)
{
    for (size_t i = 0; i < m_shares.size();) {
        Sequence& sequence = *m_shares[i].sequence;
        const auto reserved = sequence.table.reserve(sequence.table.length() + m_shares[i].rows);
        if (reserved) {
            ++i;
        } else if (freeBlocks()) {
            i = 0; // the list of shares may have changed
        } else {
            m_shares.erase(m_shares.begin() + static_cast<std::ptrdiff_t>(i));
            failRequest(sequence, reserved.error(), events);
        }
    }
}

/// Kept prefixes go first, then the youngest sequence is put back to wait and to be recomputed.
bool LocalEngine::freeBlocks()
{
    if (m_cache.dropOldest()) {
        return true;
    }
    if (m_running.size() < 2) {
        return false;
    }
    SequencePointer youngest = std::move(m_running.back());
    m_running.pop_back();
    std::erase_if(m_shares, [&](const Share& share) { return share.sequence == youngest.get(); });
    youngest->table.clear();
    m_waiting.push_front(std::move(youngest));
    return true;
}

void LocalEngine::runModel(EngineEvents& events)
{
    m_record = {};
    m_record.index = m_stepCount++;
    m_record.start = Clock::now();
    m_rows.clear();
    for (const Share& share : m_shares) {
        const auto first = static_cast<size_t>(share.sequence->table.length());
        const auto tokens = std::span(share.sequence->tokens).subspan(first, static_cast<size_t>(share.rows));
        m_rows.push_back(
            {&share.sequence->table, tokens, share.wantsLogits ? lastRow(share.rows) : std::span<const int>()});
        m_record.decodeRows += share.sequence->isDecoding() ? 1 : 0;
        m_record.rows += share.rows;
    }
    m_record.prefillRows = m_record.rows - m_record.decodeRows;
    const StepRecord counted = m_record;
    const auto logits = m_loaded->model->forward(m_rows, m_record);
    m_record.rows = counted.rows;
    m_record.prefillRows = counted.prefillRows;
    m_record.decodeRows = counted.decodeRows;
    if (logits) {
        sampleAll(*logits);
    }
    m_record.duration = Clock::now() - m_record.start;
    m_steps.push(m_record);
    m_pace.observe(m_record);
    for (const Share& share : m_shares) {
        if (logits) {
            deliver(share, events);
        } else {
            failRequest(*share.sequence, logits.error(), events);
        }
    }
}

void LocalEngine::sampleAll(std::span<const float> logits)
{
    const TimePoint start = Clock::now();
    const auto vocabulary = static_cast<size_t>(summary().vocabulary);
    for (Share& share : m_shares) {
        if (share.wantsLogits) {
            const Sequence& sequence = *share.sequence;
            share.sample = m_sampler.sample(logits.first(vocabulary), sequence.tokens, sequence.request.sampling,
                static_cast<uint64_t>(sequence.stats.generatedTokens));
            share.sampled = Clock::now();
            logits = logits.subspan(vocabulary);
        }
    }
    m_record.sampling = Clock::now() - start;
}

void LocalEngine::deliver(const Share& share, EngineEvents& events)
{
    Sequence& sequence = *share.sequence;
    if (sequence.stats.generatedTokens == 0) {
        events.prefillProgress(
            sequence.stats.request, sequence.table.length(), sequence.stats.promptTokens, sequence.stats.cachedTokens);
    }
    if (!share.wantsLogits) {
        return;
    }
    if (share.sample) {
        deliverToken(sequence, share, events);
    } else {
        failRequest(sequence, share.sample.error(), events);
    }
}

void LocalEngine::deliverToken(Sequence& sequence, const Share& share, EngineEvents& events)
{
    ReplyStats& stats = sequence.stats;
    TokenRecord record;
    record.request = stats.request;
    record.index = stats.generatedTokens++;
    record.token = share.sample->token;
    record.sinceSubmit = share.sampled - sequence.request.submitted;
    record.probability = share.sample->probability;
    record.entropy = share.sample->entropy;
    record.alternatives = share.sample->alternatives;
    record.step = m_record.index;
    if (record.index == 0) {
        stats.ttft = record.sinceSubmit;
        stats.prefill = share.sampled - sequence.firstScheduled;
    } else {
        record.gap = share.sampled - sequence.lastToken;
        stats.itl.push_back(record.gap);
    }
    stats.endToEnd = record.sinceSubmit;
    sequence.lastToken = share.sampled;
    sequence.tokens.push_back(record.token);

    const ReplyPart before = sequence.text.part();
    const ReplyText::Step step = sequence.text.push(record.token);
    record.isReasoning = before == ReplyPart::Reasoning || sequence.text.part() == ReplyPart::Reasoning;
    countReasoning(sequence, record.isReasoning, step.pieces, share.sampled);
    events.token(record, step.text);
    for (const ReplyPiece& piece : step.pieces) {
        events.piece(stats.request, piece);
    }
    if (const StopReason reason = endOf(sequence, record.token); reason != StopReason::None) {
        finish(sequence, reason, events);
    }
}

void LocalEngine::countReasoning(
    Sequence& sequence, bool isReasoning, const std::vector<ReplyPiece>& pieces, TimePoint now)
{
    ReplyStats& stats = sequence.stats;
    if (isReasoning) {
        if (stats.reasoningTokens++ == 0) {
            sequence.reasoningBegan = now;
        }
        stats.reasoning = now - sequence.reasoningBegan;
    }
    const auto answers = [](const ReplyPiece& piece) { return piece.part != ReplyPart::Reasoning; };
    if (stats.ttfo.count() == 0 && std::any_of(pieces.begin(), pieces.end(), answers)) {
        stats.ttfo = now - sequence.request.submitted;
    }
}

StopReason LocalEngine::endOf(const Sequence& sequence, TokenId token) const
{
    if (!sequence.request.ignoreEos && tokenizer().isEndOfGeneration(token)) {
        return StopReason::Eos;
    }
    if (sequence.text.stopped()) {
        return StopReason::Stop;
    }
    if (sequence.request.maxTokens > 0 && sequence.stats.generatedTokens >= sequence.request.maxTokens) {
        return StopReason::Length;
    }
    if (static_cast<int>(sequence.tokens.size()) >= summary().context) {
        return StopReason::Context;
    }
    return StopReason::None;
}

void LocalEngine::finish(Sequence& sequence, StopReason reason, EngineEvents& events)
{
    const SequencePointer owned = remove(sequence);
    const ReplyText::Step rest = sequence.text.finish();
    if (sequence.stats.generatedTokens == 0) {
        sequence.stats.endToEnd = Clock::now() - sequence.request.submitted;
    }
    sequence.stats.stopReason = reason;
    m_cache.keep(sequence.tokens, std::move(sequence.table));
    for (const ReplyPiece& piece : rest.pieces) {
        events.piece(sequence.stats.request, piece);
    }
    events.finished(sequence.stats, rest.text);
}

void LocalEngine::failRequest(Sequence& sequence, const Error& error, EngineEvents& events)
{
    const SequencePointer owned = remove(sequence);
    events.failed(sequence.stats.request, error);
}

LocalEngine::SequencePointer LocalEngine::remove(const Sequence& sequence)
{
    const auto isIt = [&](const SequencePointer& other) { return other.get() == &sequence; };
    SequencePointer owned;
    if (const auto found = std::find_if(m_running.begin(), m_running.end(), isIt); found != m_running.end()) {
        owned = std::move(*found);
        m_running.erase(found);
    } else if (const auto queued = std::find_if(m_waiting.begin(), m_waiting.end(), isIt); queued != m_waiting.end()) {
        owned = std::move(*queued);
        m_waiting.erase(queued);
    }
    return owned;
}

Result<void> LocalEngine::reserve(BlockTable& table, int tokens)
{
    for (;;) {
        auto reserved = table.reserve(tokens);
        if (reserved || !m_cache.dropOldest()) {
            return reserved;
        }
    }
}

Result<std::vector<float>> LocalEngine::logits(
    std::span<const TokenId> tokens, std::span<const int> positions, int chunk)
try {
    std::vector<float> all;
    all.reserve(positions.size() * static_cast<size_t>(summary().vocabulary));
    const auto done = logits(
        tokens, positions,
        [&](int, std::span<const float> row) {
            all.insert(all.end(), row.begin(), row.end());
            return true;
        },
        chunk);
    KVASIR_TRY(done);
    return all;
} catch (const std::bad_alloc&) {
    return outOfMemory();
}

Result<void> LocalEngine::logits(
    std::span<const TokenId> tokens, std::span<const int> positions, const LogitsSink& sink, int chunk)
try {
    KVASIR_TRY(checkTokens(tokens));
    if (tokens.size() > static_cast<size_t>(summary().context)) {
        return fail(ErrorCode::ContextTooSmall,
            "the text has " + std::to_string(tokens.size()) + " tokens, the context holds "
                + std::to_string(summary().context),
            {{"need", std::to_string(tokens.size())}, {"have", std::to_string(summary().context)}});
    }
    const auto count = static_cast<int>(tokens.size());
    for (size_t i = 0; i < positions.size(); ++i) {
        if (positions[i] < 0 || positions[i] >= count || (i > 0 && positions[i] <= positions[i - 1])) {
            return fail(ErrorCode::BadArgument,
                "position " + std::to_string(positions[i]) + " is not inside the text, or not in order",
                {{"what", "position"}, {"value", std::to_string(positions[i])}});
        }
    }
    const ModelOptions& options = m_loaded->model->options();
    const int mostRows = chunk > 0 ? std::min(chunk, options.stepTokens) : options.stepTokens;
    BlockTable table(*m_loaded->pool);
    std::vector<int> wanted;
    while (table.length() < count) {
        const int first = table.length();
        int rows = std::min(mostRows, count - first);
        // No more wanted rows than there is memory for: the step ends before the next one.
        wanted.clear();
        for (const int position : positions) {
            if (position < first || position >= first + rows) {
                continue;
            }
            if (static_cast<int>(wanted.size()) == options.logitRows) {
                rows = position - first;
                break;
            }
            wanted.push_back(position - first);
        }
        KVASIR_TRY(reserve(table, first + rows));
        const SequenceRows sequence{
            &table, tokens.subspan(static_cast<size_t>(first), static_cast<size_t>(rows)), wanted};
        m_record = {};
        m_record.index = m_stepCount++;
        m_record.start = Clock::now();
        const auto logits = m_loaded->model->forward(std::span(&sequence, 1), m_record);
        KVASIR_TRY(logits);
        m_record.duration = Clock::now() - m_record.start;
        m_record.rows = m_record.prefillRows = rows;
        m_record.decodeRows = 0;
        m_steps.push(m_record);
        const auto vocabulary = static_cast<size_t>(summary().vocabulary);
        for (size_t i = 0; i < wanted.size(); ++i) {
            if (!sink(first + wanted[i], logits->subspan(i * vocabulary, vocabulary))) {
                return fail(ErrorCode::Cancelled, "stopped");
            }
        }
    }
    return {};
} catch (const std::bad_alloc&) {
    return outOfMemory();
}

} // namespace kvasir
