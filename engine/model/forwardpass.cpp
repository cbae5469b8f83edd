#include "model/forwardpass.h"

#include "base/clock.h"
#include "model/finite.h"

#include <algorithm>
#include <cstring>

namespace kvasir {

namespace {

constexpr int kTileQueries = 16; ///< positions that attention works out together for one key/value head
/// Sequences with so few rows in a step share their chunks between threads; more rows keep all threads busy as they
/// are.
constexpr int kSplitRows = 4;

bool readsInt8(const Projections& projections)
{
    return std::any_of(projections.begin(), projections.end(),
        [](const Projection& part) { return cpu::usesInt8Activations(part.matrix.type); });
}

} // namespace

/// What one thread does in a step.
class ForwardPass::Worker {
public:
    Worker(ForwardPass& pass, int thread, StepRecord* record)
        : m_pass(pass)
        , m_config(pass.m_config)
        , m_traits(*pass.m_config.traits)
        , m_space(pass.m_space)
        , m_kernels(pass.m_kernels)
        , m_thread(thread)
        , m_threads(pass.m_team)
        , m_record(record)
        , m_count(static_cast<int>(pass.m_rows.size()))
        , m_private(m_count <= kPrivateRows)
        , m_buffers(m_private ? m_space.own[static_cast<size_t>(thread)] : m_space.shared)
        , m_mine(m_private ? Range{0, m_count} : shareOf(m_count, thread, m_threads))
    {
    }

    void run()
    {
        TimePoint last = m_record ? Clock::now() : TimePoint();
        const auto stamp = [&](Nanoseconds StepRecord::*stage) {
            if (m_record) {
                const TimePoint now = Clock::now();
                m_record->*stage += now - last;
                last = now;
            }
        };
        const std::vector<LayerWeights>& layers = m_pass.m_weights.layers();
        embed(layers.front());
        for (int i = 0; i < m_config.layers; ++i) {
            const LayerWeights& layer = layers[static_cast<size_t>(i)];
            attention(layer, i);
            stamp(&StepRecord::attention);
            const LayerWeights* next = i + 1 < m_config.layers ? &layers[static_cast<size_t>(i) + 1] : nullptr;
            feedForward(layer, next);
            stamp(&StepRecord::feedForward);
        }
        if (!m_pass.m_wanted.empty()) {
            head();
        }
        stamp(&StepRecord::head);
    }

private:
    float* at(float* base, int row, int stride) const
    {
        return base + static_cast<size_t>(row) * static_cast<size_t>(stride);
    }
    cpu::ActBlock* blocksAt(cpu::ActBlock* base, int row, int columns) const
    {
        return base + static_cast<size_t>(row) * static_cast<size_t>(columns / cpu::kGroupColumns);
    }

    /// Makes the work on `m_mine` known to all. Where every thread works on all rows for itself, there is nothing to
    /// tell.
    void rowsDone()
    {
        if (!m_private) {
            m_pass.m_threads.barrier();
        }
    }

    void normRow(const float* weight, const float* x, float* y) const
    {
        if (!weight) {
            std::memcpy(y, x, static_cast<size_t>(m_config.width) * sizeof(float));
        } else if (m_traits.norm == NormKind::Rms) {
            m_kernels.rmsNorm(x, weight, y, m_config.width, m_config.epsilon);
        } else {
            m_kernels.layerNorm(x, weight, nullptr, y, m_config.width, m_config.epsilon);
        }
    }

    /// x of a row to the input of the next products, as int8 too if one of them reads that.
    void prepareRow(int row, const float* norm, bool int8)
    {
        float* y = at(m_buffers.normed, row, m_config.width);
        normRow(norm, at(m_buffers.x, row, m_config.width), y);
        if (int8) {
            m_kernels.quantize(y, blocksAt(m_buffers.normedBlocks, row, m_config.width), m_config.width);
        }
    }

    void embed(const LayerWeights& first)
    {
        for (int row = m_mine.first; row < m_mine.last; ++row) {
            float* x = at(m_buffers.x, row, m_config.width);
            m_pass.m_weights.embed(m_pass.m_rows[static_cast<size_t>(row)].token, x);
            if (m_config.embeddingScale != 1) {
                m_kernels.scale(x, m_config.embeddingScale, m_config.width);
            }
            prepareRow(row, first.attentionNorm, readsInt8(first.qkv));
        }
        const Range angles = shareOf(m_count, m_thread, m_threads);
        for (size_t i = 0; i < m_config.ropes.size(); ++i) {
            const int pairs = m_config.ropes[i].dimensions / 2;
            for (int row = angles.first; row < angles.last; ++row) {
                ropeAngles(m_config.ropes[i], m_pass.m_rows[static_cast<size_t>(row)].position,
                    at(m_space.cosines[i], row, pairs), at(m_space.sines[i], row, pairs));
            }
        }
        rowsDone();
    }

    /// y = W x for this thread's panels and all rows.
    void multiply(const cpu::PackedMatrix& matrix, const float* floats, const cpu::ActBlock* blocks, int rows, float* y,
        int yStride, Range panels) const
    {
        cpu::MatmulArguments arguments;
        arguments.weights = &matrix;
        arguments.blocks = blocks;
        arguments.floats = floats;
        arguments.floatStride = static_cast<size_t>(matrix.columns);
        arguments.y = y;
        arguments.yStride = static_cast<size_t>(yStride);
        arguments.n = rows;
        arguments.scratch = m_space.matmulScratch[static_cast<size_t>(m_thread)];
        m_kernels.matmul(arguments, panels.first, panels.last);
    }
    Range panelsOf(const cpu::PackedMatrix& matrix, int rows) const
    {
        return shareOf(matrix.panels, m_thread, m_threads, cpu::panelUnit(m_kernels.set, matrix.type, rows));
    }

    void attention(const LayerWeights& layer, int index)
    {
        for (const Projection& part : layer.qkv) {
            multiply(part.matrix, m_buffers.normed, m_buffers.normedBlocks, m_count, m_space.qkv + part.column,
                m_space.qkvStride, panelsOf(part.matrix, m_count));
        }
        m_pass.m_threads.barrier();
        prepareHeads(layer, index);
        if (m_thread == 0) {
            m_pass.m_nextItem.store(0, std::memory_order_relaxed);
        }
        m_pass.m_threads.barrier();
        const Plan& plan = m_pass.planOf(m_config.layer[static_cast<size_t>(index)].window);
        attend(plan, layer, index);
        m_pass.m_threads.barrier();
        gather(plan, layer);
        multiply(layer.output, m_buffers.attention, m_buffers.attentionBlocks, m_count, m_space.projected,
            m_config.width, panelsOf(layer.output, m_count));
        m_pass.m_threads.barrier();
        for (int row = m_mine.first; row < m_mine.last; ++row) {
            join(row, at(m_space.projected, row, m_config.width), layer.outputBias, layer.postAttentionNorm);
            if (!m_traits.parallel) {
                prepareRow(row, layer.feedForwardNorm, layer.feedForwardReadsInt8);
            }
        }
        rowsDone();
    }

    /// Biases, norms of heads, rotation, and keys and values to the cache.
    void prepareHeads(const LayerWeights& layer, int index)
    {
        const bool wholeRows = m_traits.qkNorm == QkNorm::WholeRow;
        const int group = wholeRows ? m_config.kvHeads : 1;
        const int parts = m_config.kvHeads / group;
        const Range items = shareOf(m_count * parts, m_thread, m_threads);
        for (int item = items.first; item < items.last; ++item) {
            prepareHeads(layer, index, item / parts, item % parts * group, group);
        }
    }

    /// The same for one row and `kvCount` key/value heads from `kvFirst` on, with the query heads that share them.
    void prepareHeads(const LayerWeights& layer, int index, int row, int kvFirst, int kvCount)
    {
        const int size = m_config.headSize;
        const int sharing = m_config.heads / m_config.kvHeads;
        const int queryColumn = kvFirst * sharing * size;
        const int keyColumn = m_config.queryWidth() + kvFirst * size;
        const int valueColumn = keyColumn + m_config.kvWidth();
        float* base = at(m_space.qkv, row, m_space.qkvStride);
        float* query = base + queryColumn;
        float* key = base + keyColumn;
        float* value = base + valueColumn;
        if (layer.qkvBias) {
            m_kernels.add(query, layer.qkvBias + queryColumn, kvCount * sharing * size);
            m_kernels.add(key, layer.qkvBias + keyColumn, kvCount * size);
            m_kernels.add(value, layer.qkvBias + valueColumn, kvCount * size);
        }
        if (layer.queryNorm && m_traits.qkNorm == QkNorm::WholeRow) {
            m_kernels.rmsNorm(query, layer.queryNorm, query, m_config.queryWidth(), m_config.epsilon);
            m_kernels.rmsNorm(key, layer.keyNorm, key, m_config.kvWidth(), m_config.epsilon);
        } else if (layer.queryNorm) {
            for (int i = 0; i < kvCount * sharing; ++i) {
                m_kernels.rmsNorm(query + i * size, layer.queryNorm, query + i * size, size, m_config.epsilon);
            }
            for (int i = 0; i < kvCount; ++i) {
                m_kernels.rmsNorm(key + i * size, layer.keyNorm, key + i * size, size, m_config.epsilon);
            }
        }
        const int rope = m_config.layer[static_cast<size_t>(index)].rope;
        if (rope >= 0) {
            const int dimensions = m_config.ropes[static_cast<size_t>(rope)].dimensions;
            const float* cosines = at(m_space.cosines[static_cast<size_t>(rope)], row, dimensions / 2);
            const float* sines = at(m_space.sines[static_cast<size_t>(rope)], row, dimensions / 2);
            m_kernels.rope(query, kvCount * sharing, size, dimensions, cosines, sines, m_config.ropeStyle);
            m_kernels.rope(key, kvCount, size, dimensions, cosines, sines, m_config.ropeStyle);
        }
        const StepRow& step = m_pass.m_rows[static_cast<size_t>(row)];
        std::byte* block = step.blocks[step.position / kBlockTokens];
        for (int i = 0; i < kvCount; ++i) {
            m_kernels.storeKv(m_pass.m_kv.head, block + m_pass.m_kv.offset(index, kvFirst + i),
                step.position % kBlockTokens, key + i * size, value + i * size);
        }
    }

    /// Takes pieces of attention until there are none left.
    void attend(const Plan& plan, const LayerWeights& layer, int index)
    {
        const Unit* unit = plan.units.data();
        for (;;) {
            const int item = m_pass.m_nextItem.fetch_add(1, std::memory_order_relaxed);
            if (item >= plan.items) {
                return;
            }
            const Unit* end = plan.units.data() + plan.units.size();
            while (unit + 1 < end && (unit + 1)->firstItem <= item) {
                ++unit;
            }
            attendItem(plan, *unit, item - unit->firstItem, layer.sinks, index);
        }
    }

    void attendItem(const Plan& plan, const Unit& unit, int item, const float* sinks, int index)
    {
        const int size = m_config.headSize;
        const int sharing = m_config.heads / m_config.kvHeads;
        const StepRow& step = m_pass.m_rows[static_cast<size_t>(unit.firstRow)];
        if (unit.firstPart >= 0) {
            const int kvHead = item / unit.chunks;
            const int chunk = item % unit.chunks;
            const auto partFloats = static_cast<size_t>(cpu::attentionPartFloats(plan.shape.layout));
            const int part = unit.firstPart + kvHead * sharing * unit.chunks + chunk;
            m_kernels.attendChunk(plan.shape, {step.blocks, m_pass.m_kv.offset(index, kvHead)},
                at(m_space.qkv, unit.firstRow, m_space.qkvStride) + kvHead * sharing * size, sharing, step.position,
                cpu::firstChunk(plan.shape, step.position) + chunk,
                m_space.parts + static_cast<size_t>(part) * partFloats, static_cast<size_t>(unit.chunks) * partFloats);
            return;
        }
        // The last queries see the most and come first, so that no thread is left with a long one at the end.
        const int tiles = (unit.rows + kTileQueries - 1) / kTileQueries;
        const int tile = tiles - 1 - item / m_config.kvHeads;
        const int kvHead = item % m_config.kvHeads;
        const int firstRow = unit.firstRow + tile * kTileQueries;
        const int column = kvHead * sharing * size;
        cpu::QueryRows queries;
        queries.queries = at(m_space.qkv, firstRow, m_space.qkvStride) + column;
        queries.queryStride = static_cast<size_t>(m_space.qkvStride);
        queries.y = at(m_space.shared.attention, firstRow, m_config.queryWidth()) + column;
        queries.sinks = sinks ? sinks + kvHead * sharing : nullptr;
        queries.yStride = static_cast<size_t>(m_config.queryWidth());
        queries.heads = sharing;
        queries.firstPosition = step.position + tile * kTileQueries;
        queries.count = std::min(kTileQueries, unit.rows - tile * kTileQueries);
        m_kernels.attendQueries(plan.shape, {step.blocks, m_pass.m_kv.offset(index, kvHead)}, queries);
    }

    /// Merges what was worked out by chunks, and quantizes.
    void gather(const Plan& plan, const LayerWeights& layer)
    {
        const int width = m_config.queryWidth();
        const auto partFloats = static_cast<size_t>(cpu::attentionPartFloats(plan.shape.layout));
        for (int row = m_mine.first; row < m_mine.last; ++row) {
            float* y = at(m_buffers.attention, row, width);
            const int firstPart = plan.partOfRow[static_cast<size_t>(row)];
            if (firstPart >= 0) {
                const int chunks = cpu::chunkCount(plan.shape, m_pass.m_rows[static_cast<size_t>(row)].position);
                for (int head = 0; head < m_config.heads; ++head) {
                    m_kernels.mergeParts(plan.shape,
                        m_space.parts + static_cast<size_t>(firstPart + head * chunks) * partFloats, partFloats, chunks,
                        layer.sinks ? layer.sinks[head] : cpu::kNoSink, y + head * m_config.headSize);
                }
            } else if (m_private) {
                std::memcpy(y, at(m_space.shared.attention, row, width), static_cast<size_t>(width) * sizeof(float));
            }
            if (cpu::usesInt8Activations(layer.output.type)) {
                m_kernels.quantize(y, blocksAt(m_buffers.attentionBlocks, row, width), width);
            }
        }
        rowsDone();
    }

    /// Adds the row `projected`, which may belong to all threads, to the residual stream.
    void join(int row, const float* projected, const float* bias, const float* norm)
    {
        const int width = m_config.width;
        float* x = at(m_buffers.x, row, width);
        if (bias || norm || m_config.residualScale != 1) {
            float* changed = m_space.own[static_cast<size_t>(m_thread)].spare;
            std::memcpy(changed, projected, static_cast<size_t>(width) * sizeof(float));
            if (bias) {
                m_kernels.add(changed, bias, width);
            }
            if (norm) {
                normRow(norm, changed, changed);
            }
            if (m_config.residualScale != 1) {
                m_kernels.scale(changed, m_config.residualScale, width);
            }
            projected = changed;
        }
        m_kernels.add(x, projected, width);
    }

    void feedForward(const LayerWeights& layer, const LayerWeights* next)
    {
        const bool routed = layer.router.columns > 0;
        if (routed) {
            runExperts(layer);
        } else {
            gateAndUp(layer.feedForwards.front(), m_buffers.normed, m_buffers.normedBlocks, 0, m_count);
            m_pass.m_threads.barrier();
            down(layer.feedForwards.front(), 0, m_count, m_space.projected);
            m_pass.m_threads.barrier();
        }
        for (int row = m_mine.first; row < m_mine.last; ++row) {
            const float* result = routed ? mixExperts(layer, row) : at(m_space.projected, row, m_config.width);
            join(row, result, routed ? nullptr : layer.feedForwards.front().downBias, layer.postFeedForwardNorm);
            if (next) {
                prepareRow(row, next->attentionNorm, readsInt8(next->qkv));
            }
        }
        rowsDone();
    }

    /// Gate, up, their activation and product, and its quantization, without a barrier between: this thread's panels
    /// hold both halves of its outputs. The results are rows [firstRow, firstRow + count) of `gated`.
    void gateAndUp(
        const FeedForwardWeights& weights, const float* floats, const cpu::ActBlock* blocks, int firstRow, int count)
    {
        const int wide = m_config.feedForward;
        const int stride = m_space.gateUpStride;
        const bool interleaved = weights.gateUp.count == 1;
        const bool quantizes = cpu::usesInt8Activations(weights.down.type);
        const int unitOutputs = quantizes ? cpu::kGroupColumns : cpu::kPanelRows;
        const int needed = unitOutputs / cpu::kPanelRows * (interleaved ? 2 : 1);
        const cpu::PackedMatrix& first = weights.gateUp.parts[0].matrix;
        const int step = cpu::panelUnit(m_kernels.set, first.type, count);
        int unit = step;
        while (unit % needed != 0) {
            unit += step;
        }
        const Range panels = shareOf(first.panels, m_thread, m_threads, unit);
        for (const Projection& part : weights.gateUp) {
            multiply(
                part.matrix, floats, blocks, count, at(m_space.gateUp, firstRow, stride) + part.column, stride, panels);
        }
        const int panelOutputs = interleaved ? cpu::kPanelRows / 2 : cpu::kPanelRows;
        const int firstOutput = panels.first * panelOutputs;
        const int outputs = std::min(wide, panels.last * panelOutputs) - firstOutput;
        if (outputs <= 0) {
            return;
        }
        for (int row = firstRow; row < firstRow + count; ++row) {
            float* gateUp = at(m_space.gateUp, row, stride);
            float* out = at(m_space.gated, row, wide) + firstOutput;
            if (interleaved) {
                const int column = panels.first * cpu::kPanelRows;
                if (weights.gateUpBias) {
                    m_kernels.add(
                        gateUp + column, weights.gateUpBias + column, (panels.last - panels.first) * cpu::kPanelRows);
                }
                m_kernels.gatedInterleaved(m_traits.activation, gateUp + column, out, outputs);
            } else {
                if (weights.gateUpBias) {
                    m_kernels.add(gateUp + firstOutput, weights.gateUpBias + firstOutput, outputs);
                    m_kernels.add(gateUp + wide + firstOutput, weights.gateUpBias + wide + firstOutput, outputs);
                }
                m_kernels.gated(m_traits.activation, gateUp + firstOutput, gateUp + wide + firstOutput, out, outputs);
            }
            if (quantizes) {
                m_kernels.quantize(
                    out, blocksAt(m_space.gatedBlocks, row, wide) + firstOutput / cpu::kGroupColumns, outputs);
            }
        }
    }

    /// Rows of `gated` to rows of `y`.
    void down(const FeedForwardWeights& weights, int firstRow, int count, float* y)
    {
        const int wide = m_config.feedForward;
        multiply(weights.down, at(m_space.gated, firstRow, wide), blocksAt(m_space.gatedBlocks, firstRow, wide), count,
            at(y, firstRow, m_config.width), m_config.width, panelsOf(weights.down, count));
    }

    /// All rows through their experts: rows are sorted by expert, so that an expert's weights are read once for all of
    /// its rows. A row's results depend on that row alone, as everywhere.
    void runExperts(const LayerWeights& layer)
    {
        const ExpertBuffers& buffers = m_space.experts;
        const int width = m_config.width;
        const int used = m_config.expertsPerRow;
        multiply(layer.router, m_buffers.normed, m_buffers.normedBlocks, m_count, buffers.routerLogits,
            m_config.experts, panelsOf(layer.router, m_count));
        m_pass.m_threads.barrier();
        const Range rows = shareOf(m_count, m_thread, m_threads);
        for (int row = rows.first; row < rows.last; ++row) {
            float* logits = at(buffers.routerLogits, row, m_config.experts);
            if (layer.routerBias) {
                m_kernels.add(logits, layer.routerBias, m_config.experts);
            }
            chooseExperts({logits, static_cast<size_t>(m_config.experts)},
                {buffers.ids + static_cast<ptrdiff_t>(row) * used, static_cast<size_t>(used)},
                {at(buffers.shares, row, used), static_cast<size_t>(used)});
        }
        m_pass.m_threads.barrier();
        ExpertSlots& slots = m_pass.m_slots;
        if (m_thread == 0) {
            slots.assign({buffers.ids, static_cast<size_t>(m_count * used)}, m_count);
        }
        m_pass.m_threads.barrier();
        // Where every thread has all rows, its own are the same as everyone's.
        const Range mine = shareOf(slots.count(), m_thread, m_threads);
        for (int slot = mine.first; slot < mine.last; ++slot) {
            const int row = slots.rowOf(slot);
            std::memcpy(at(buffers.inputs, slot, width), at(m_buffers.normed, row, width),
                static_cast<size_t>(width) * sizeof(float));
            if (layer.feedForwardReadsInt8) {
                std::memcpy(blocksAt(buffers.inputBlocks, slot, width), blocksAt(m_buffers.normedBlocks, row, width),
                    static_cast<size_t>(width / cpu::kGroupColumns) * sizeof(cpu::ActBlock));
            }
        }
        m_pass.m_threads.barrier();
        forEachUsedExpert(layer, [&](const FeedForwardWeights& expert, int first, int count) {
            gateAndUp(
                expert, at(buffers.inputs, first, width), blocksAt(buffers.inputBlocks, first, width), first, count);
            if (m_record) {
                m_record->bytesRead += expert.bytes();
            }
        });
        m_pass.m_threads.barrier();
        forEachUsedExpert(layer, [&](const FeedForwardWeights& expert, int first, int count) {
            down(expert, first, count, buffers.outputs);
        });
        m_pass.m_threads.barrier();
    }

    template <class F> void forEachUsedExpert(const LayerWeights& layer, F&& f)
    {
        const ExpertSlots& slots = m_pass.m_slots;
        for (int i = 0; i < m_config.experts; ++i) {
            if (slots.rowsOf(i) > 0) {
                f(layer.feedForwards[static_cast<size_t>(i)], slots.first(i), slots.rowsOf(i));
            }
        }
    }

    /// The sum of what a row's experts gave, by their shares, the largest first; it lies where the row's norm was.
    const float* mixExperts(const LayerWeights& layer, int row)
    {
        const ExpertBuffers& buffers = m_space.experts;
        const int width = m_config.width;
        const int used = m_config.expertsPerRow;
        float* sum = at(m_buffers.normed, row, width);
        std::fill_n(sum, width, 0.0f);
        for (int rank = 0; rank < used; ++rank) {
            const float share = buffers.shares[row * used + rank];
            const int expert = buffers.ids[row * used + rank];
            m_kernels.addScaled(sum, at(buffers.outputs, m_pass.m_slots.slotOf(row, rank), width), share, width);
            if (const float* bias = layer.feedForwards[static_cast<size_t>(expert)].downBias) {
                m_kernels.addScaled(sum, bias, share, width);
            }
        }
        return sum;
    }

    /// Final norm and logits of the wanted rows, which are packed together.
    void head()
    {
        const cpu::PackedMatrix& matrix = m_pass.m_weights.head();
        const std::vector<int>& wanted = m_pass.m_wanted;
        const auto count = static_cast<int>(wanted.size());
        const bool everyone = count <= kPrivateRows;
        const RowBuffers& inputs = everyone ? m_space.own[static_cast<size_t>(m_thread)] : m_space.shared;
        const Range mine = everyone ? Range{0, count} : shareOf(count, m_thread, m_threads);
        for (int i = mine.first; i < mine.last; ++i) {
            float* y = at(inputs.normed, i, m_config.width);
            normRow(m_pass.m_weights.outputNorm(), at(m_buffers.x, wanted[static_cast<size_t>(i)], m_config.width), y);
            if (cpu::usesInt8Activations(matrix.type)) {
                m_kernels.quantize(y, blocksAt(inputs.normedBlocks, i, m_config.width), m_config.width);
            }
        }
        if (!everyone) {
            m_pass.m_threads.barrier();
        }
        const Range panels = panelsOf(matrix, count);
        multiply(matrix, inputs.normed, inputs.normedBlocks, count, m_space.logits, m_config.vocabulary, panels);
        const int first = panels.first * cpu::kPanelRows;
        const int length = std::min(m_config.vocabulary, panels.last * cpu::kPanelRows) - first;
        for (int i = 0; i < count && length > 0; ++i) {
            float* logits = at(m_space.logits, i, m_config.vocabulary) + first;
            if (m_config.logitScale != 1) {
                m_kernels.scale(logits, m_config.logitScale, length);
            }
            if (m_config.finalSoftCap != 0) {
                m_kernels.softCap(logits, m_config.finalSoftCap, length);
            }
            if (!allFinite(logits, static_cast<size_t>(length))) {
                m_pass.m_finite.store(false, std::memory_order_relaxed);
            }
        }
    }

    ForwardPass& m_pass;
    const ModelConfig& m_config;
    const ArchitectureTraits& m_traits;
    Workspace& m_space;
    const cpu::Kernels& m_kernels;
    const int m_thread;
    const int m_threads;
    StepRecord* const m_record; ///< of thread 0, which keeps the time
    const int m_count;
    const bool m_private;
    const RowBuffers& m_buffers;
    const Range m_mine;
};

ForwardPass::ForwardPass(const ModelConfig& config, const Weights& weights, Workspace& space, const KvShape& kv,
    const cpu::Kernels& kernels, ThreadPool& threads, int maxRows)
    : m_config(config)
    , m_weights(weights)
    , m_space(space)
    , m_kv(kv)
    , m_kernels(kernels)
    , m_threads(threads)
    , m_slots(config.experts > 0 ? maxRows : 0, config.experts, config.expertsPerRow)
    , m_fewRows(threads.threads())
    , m_manyRows(threads.threads())
{
    m_rows.reserve(static_cast<size_t>(maxRows));
    m_wanted.reserve(static_cast<size_t>(maxRows));
    for (const LayerConfig& layer : config.layer) {
        const bool known = std::any_of(
            m_plans.begin(), m_plans.end(), [&](const Plan& plan) { return plan.shape.window == layer.window; });
        if (!known) {
            Plan& plan = m_plans.emplace_back();
            plan.shape = {kv.head, config.attentionScale, config.attentionSoftCap, layer.window};
            plan.units.reserve(static_cast<size_t>(maxRows));
            plan.partOfRow.reserve(static_cast<size_t>(maxRows));
        }
    }
}

void ForwardPass::makePlan(Plan& plan) const
{
    plan.units.clear();
    plan.partOfRow.assign(m_rows.size(), -1);
    plan.items = 0;
    int parts = 0;
    const auto count = static_cast<int>(m_rows.size());
    for (int first = 0; first < count;) {
        const StepRow& row = m_rows[static_cast<size_t>(first)];
        int end = first + 1;
        while (end < count && m_rows[static_cast<size_t>(end)].sequence == row.sequence) {
            ++end;
        }
        Unit unit;
        unit.firstRow = first;
        unit.rows = end - first;
        unit.firstItem = plan.items;
        if (unit.rows <= kSplitRows) {
            unit.rows = 1;
            unit.chunks = cpu::chunkCount(plan.shape, row.position);
            const int needed = m_config.heads * unit.chunks;
            if (parts + needed <= m_space.partCount) {
                unit.firstPart = parts;
                plan.partOfRow[static_cast<size_t>(first)] = parts;
                parts += needed;
            }
        }
        plan.items += unit.firstPart >= 0 ? m_config.kvHeads * unit.chunks
                                          : m_config.kvHeads * ((unit.rows + kTileQueries - 1) / kTileQueries);
        plan.units.push_back(unit);
        first += unit.rows;
    }
}

bool ForwardPass::run(StepRecord& record)
{
    for (Plan& plan : m_plans) {
        makePlan(plan);
    }
    m_finite.store(true, std::memory_order_relaxed);
    const auto rows = static_cast<int>(m_rows.size());
    TeamSize& size = rows <= kPrivateRows ? m_fewRows : m_manyRows;
    const TimePoint start = Clock::now();
    const int64_t switches = involuntarySwitches();
    m_team = size.choose(start);
    m_threads.run(m_team, [&](int thread) { Worker(*this, thread, thread == 0 ? &record : nullptr).run(); });
    const TimePoint end = Clock::now();
    size.report(end, end - start, rows, static_cast<int>(involuntarySwitches() - switches));
    record.threads = m_team;
    return m_finite.load(std::memory_order_relaxed);
}

void ForwardPass::countAttention(StepRecord& record) const
{
    const auto kvBytes = static_cast<uint64_t>(m_kv.head.bytes() * static_cast<size_t>(m_kv.kvHeads)) / kBlockTokens;
    const auto scoreOperations = 4 * static_cast<uint64_t>(m_config.heads) * static_cast<uint64_t>(m_config.headSize);
    for (const LayerConfig& layer : m_config.layer) {
        const cpu::AttentionShape& shape = planOf(layer.window).shape;
        for (size_t i = 0; i < m_rows.size(); ++i) {
            const int position = m_rows[i].position;
            const auto seen = static_cast<uint64_t>(position + 1 - cpu::firstVisible(shape, position));
            record.operations += scoreOperations * seen;
            // A sequence's cache is read once, whatever the number of its rows: what its first row sees, then one more
            // each.
            const bool firstOfSequence = i == 0 || m_rows[i - 1].sequence != m_rows[i].sequence;
            record.bytesRead += kvBytes * (firstOfSequence ? seen : 1);
        }
    }
}

} // namespace kvasir
