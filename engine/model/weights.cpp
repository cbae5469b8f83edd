#include "model/weights.h"

#include "base/threadpool.h"
#include "files/modelfile.h"
#include "model/finite.h"
#include "model/tensortable.h"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace kvasir {

namespace {

/// Rows packed at once: small enough to share work evenly and to cancel quickly, whole panels, so that a job may be
/// placed by itself.
constexpr int kJobRows = 128;

/// Weights of fewer bytes are loaded in less time than huge pages for them take to get; see PageCollapser.
constexpr size_t kSmallWeights = size_t{1} << 30;

/// Rows of a tensor on their way into a matrix.
struct PackJob {
    cpu::PackedMatrix matrix;
    TensorRows source;
    cpu::RowPlacement placement;
    int first = 0; ///< of the source's rows
    int last = 0;

    /// Where in memory it reads, for an order that suits the disk.
    uintptr_t place() const
    {
        const size_t row = static_cast<size_t>(source.first) + static_cast<size_t>(first);
        return reinterpret_cast<uintptr_t>(source.tensor->data)
            + rowBytes(source.tensor->type, source.tensor->columns()) * row;
    }
};

/// Rows copied as they are.
struct CopyJob {
    std::byte* target = nullptr;
    const StoredTensor* tensor = nullptr;
};

/// A vector as floats; value i goes to `target[i / 16 * 16 * stride + i % 16]`.
struct VectorJob {
    float* target = nullptr;
    TensorRows source;
    size_t panelStride = 1;
};

bool readsInt8(const cpu::PackedMatrix& matrix)
{
    return cpu::usesInt8Activations(matrix.type);
}

uint64_t operationsOf(const cpu::PackedMatrix& matrix)
{
    return 2 * static_cast<uint64_t>(matrix.rows) * static_cast<uint64_t>(matrix.columns);
}

Failure notFinite(const StoredTensor& tensor)
{
    const std::string name(tensor.name);
    return fail(
        ErrorCode::NotFinite, "Tensor " + name + " holds a value that is not a finite number", {{"what", name}});
}

} // namespace

/// Lays the weights out, in order of use, in an arena: once to count, once for real.
class WeightsBuilder {
public:
    WeightsBuilder(const ModelFile& file, const ModelConfig& config, Weights& weights, std::byte* memory)
        : m_file(file)
        , m_config(config)
        , m_weights(weights)
        , m_arena(memory)
    {
    }

    Result<void> build()
    {
        m_weights.m_layers.assign(static_cast<size_t>(m_config.layers), {});
        m_weights.m_width = m_config.width;
        m_weights.m_expertsPerRow = m_config.expertsPerRow;
        for (int i = 0; i < m_config.layers; ++i) {
            auto tensors = findLayerTensors(m_file, m_config, i);
            KVASIR_TRY(tensors);
            addLayer(m_weights.m_layers[static_cast<size_t>(i)], *tensors);
        }
        auto model = findModelTensors(m_file, m_config);
        KVASIR_TRY(model);
        m_weights.m_outputNorm = vector(model->outputNorm);
        const StoredTensor& head = model->head ? *model->head : *model->embedding;
        m_weights.m_head = matrix(head.type, m_config.vocabulary, static_cast<int>(head.columns()));
        pack(m_weights.m_head, whole(&head), {});
        if (model->head) {
            m_weights.m_embeddingType = model->embedding->type;
            std::byte* rows = m_arena.take<std::byte>(model->embedding->bytes);
            m_weights.m_embedding = rows;
            m_copies.push_back({rows, model->embedding});
        }
        return {};
    }

    size_t bytes() const { return m_arena.used(); }

    /// Fills the memory. The caller's thread tells the progress.
    Result<void> run(ThreadPool& threads, const std::function<bool(double)>& progress)
    {
        for (const VectorJob& job : m_vectors) {
            KVASIR_TRY(runVector(job));
        }
        std::vector<std::byte> made;
        for (const CopyJob& job : m_copies) {
            const std::byte* data = job.tensor->readRows(0, job.tensor->rows(), made);
            if (!allFinite(job.tensor->type, data, job.tensor->elements())) {
                return notFinite(*job.tensor);
            }
            std::memcpy(job.target, data, job.tensor->bytes);
            m_file.release({data, job.tensor->bytes});
        }
        // In the file's order, so that a cold file is read from front to back.
        std::sort(
            m_jobs.begin(), m_jobs.end(), [](const PackJob& a, const PackJob& b) { return a.place() < b.place(); });
        std::atomic<size_t> next{0};
        std::atomic<bool> stop{false};
        std::atomic<const StoredTensor*> broken{nullptr};
        std::atomic<const StoredTensor*> lossy{nullptr};
        bool cancelled = false;
        threads.run([&](int thread) {
            double told = 0;
            std::vector<std::byte> scratch;
            for (size_t i = next++; i < m_jobs.size() && !stop; i = next++) {
                const PackJob& job = m_jobs[i];
                const StoredTensor& tensor = *job.source.tensor;
                const auto values = static_cast<uint64_t>(job.last - job.first) * tensor.columns();
                const std::byte* rows = tensor.readRows(static_cast<uint64_t>(job.source.first + job.first),
                    static_cast<uint64_t>(job.last - job.first), scratch);
                if (!allFinite(tensor.type, rows, values)) {
                    broken = &tensor;
                    stop = true;
                    break;
                }
                if (!cpu::packsWithoutLoss(tensor.type, rows, values)) {
                    lossy = &tensor;
                    stop = true;
                    break;
                }
                cpu::packRows(job.matrix, tensor.type, rows, 0, job.last - job.first,
                    {job.placement.firstRow + job.first * job.placement.stride, job.placement.stride});
                // Else a model would count twice, packed and as stored, until the system is short of memory.
                m_file.release({rows, rowBytes(tensor.type, values)});
                const double done = static_cast<double>(i + 1) / static_cast<double>(m_jobs.size());
                if (thread == 0 && progress && done - told >= 0.01) {
                    told = done;
                    if (!progress(done)) {
                        cancelled = true;
                        stop = true;
                    }
                }
            }
        });
        if (broken) {
            return notFinite(*broken);
        }
        if (lossy) {
            const std::string name((*lossy).name);
            return fail(ErrorCode::Unsupported,
                "Tensor " + name + " holds scales that are too small or too large for Kvasir's "
                    + std::string(tensorTypeName((*lossy).type)) + " kernels",
                {{"what", "scale"}, {"name", name}});
        }
        if (cancelled) {
            return fail(ErrorCode::Cancelled, "Loading was cancelled");
        }
        return {};
    }

private:
    void addLayer(LayerWeights& layer, const LayerTensors& t)
    {
        const int q = m_config.queryWidth();
        const int kv = m_config.kvWidth();
        layer.attentionNorm = vector(t.attentionNorm);
        addQkv(layer, t);
        if (t.queryBias || t.keyBias || t.valueBias) {
            float* bias = m_arena.take<float>(static_cast<size_t>(q + 2 * kv));
            addVector(bias, whole(t.queryBias));
            addVector(bias ? bias + q : nullptr, whole(t.keyBias));
            addVector(bias ? bias + q + kv : nullptr, whole(t.valueBias));
            layer.qkvBias = bias;
        }
        layer.queryNorm = vector(t.queryNorm);
        layer.keyNorm = vector(t.keyNorm);
        layer.sinks = vector(t.sinks);
        layer.output = matrix(whole(t.output));
        layer.outputBias = vector(t.outputBias);
        layer.postAttentionNorm = vector(t.postAttentionNorm);
        layer.feedForwardNorm = vector(t.feedForwardNorm);
        if (t.router) {
            layer.router = matrix(whole(t.router));
            layer.routerBias = vector(t.routerBias);
            layer.feedForwardReadsInt8 = readsInt8(layer.router);
        }
        layer.feedForwards.resize(t.feedForwards.size());
        for (size_t i = 0; i < t.feedForwards.size(); ++i) {
            FeedForwardWeights& feedForward = layer.feedForwards[i];
            addFeedForward(feedForward, t.feedForwards[i]);
            for (const Projection& part : feedForward.gateUp) {
                layer.feedForwardReadsInt8 |= readsInt8(part.matrix);
            }
        }
        layer.postFeedForwardNorm = vector(t.postFeedForwardNorm);
    }

    /// Stacks neighbours of one type; a panel of a stack belongs to one source, so that threads may pack them apart.
    void addQkv(LayerWeights& layer, const LayerTensors& t)
    {
        const TensorRows* sources[] = {&t.query, &t.key, &t.value};
        int column = 0;
        for (int i = 0; i < 3;) {
            int end = i + 1;
            int rows = sources[i]->count;
            const TensorType packed = packedType(*sources[i]);
            while (end < 3 && packedType(*sources[end]) == packed && rows % cpu::kPanelRows == 0) {
                rows += sources[end]->count;
                ++end;
            }
            Projection& part = layer.qkv.parts[static_cast<size_t>(layer.qkv.count++)];
            part.matrix = matrix(sources[i]->tensor->type, rows, m_config.width);
            part.column = column;
            column += rows;
            int firstRow = 0;
            for (; i < end; ++i) {
                pack(part.matrix, *sources[i], {.firstRow = firstRow});
                firstRow += sources[i]->count;
            }
        }
    }

    void addFeedForward(FeedForwardWeights& weights, const FeedForwardTensors& t)
    {
        const int wide = m_config.feedForward;
        const int width = m_config.width;
        const bool interleaved = packedType(t.gate) == packedType(t.up);
        const auto rows = static_cast<size_t>(interleaved ? cpu::interleavedRows(wide) : 2 * wide);
        if (interleaved) {
            weights.gateUp.count = 1;
            cpu::PackedMatrix& both = weights.gateUp.parts[0].matrix;
            both = matrix(t.gate.tensor->type, static_cast<int>(rows), width);
            pack(both, t.gate, {.firstRow = 0, .stride = 2});
            pack(both, t.up, {.firstRow = cpu::kPanelRows, .stride = 2});
        } else {
            weights.gateUp.count = 2;
            weights.gateUp.parts[0].matrix = matrix(t.gate);
            weights.gateUp.parts[1].matrix = matrix(t.up);
            weights.gateUp.parts[1].column = wide;
        }
        if (t.gateBias.tensor || t.upBias.tensor) {
            float* bias = m_arena.take<float>(rows);
            const int second = interleaved ? cpu::kPanelRows : wide;
            addVector(bias, t.gateBias, interleaved ? 2 : 1);
            addVector(bias ? bias + second : nullptr, t.upBias, interleaved ? 2 : 1);
            weights.gateUpBias = bias;
        }
        weights.down = matrix(t.down);
        if (t.downBias.tensor) {
            float* bias = m_arena.take<float>(static_cast<size_t>(width));
            addVector(bias, t.downBias);
            weights.downBias = bias;
        }
    }

    static TensorType packedType(const TensorRows& source) { return cpu::packedType(source.tensor->type); }

    /// Memory for rows of the stored type `type`.
    cpu::PackedMatrix matrix(TensorType type, int rows, int columns)
    {
        cpu::PackedMatrix result = cpu::packedShape(cpu::packedType(type), rows, columns);
        result.data = m_arena.take<std::byte>(result.bytes());
        return result;
    }
    /// The same, with `source` to be packed into it.
    cpu::PackedMatrix matrix(const TensorRows& source)
    {
        const cpu::PackedMatrix result =
            matrix(source.tensor->type, source.count, static_cast<int>(source.tensor->columns()));
        pack(result, source, {});
        return result;
    }

    static TensorRows whole(const StoredTensor* tensor)
    {
        return {tensor, 0, tensor ? static_cast<int>(tensor->rows()) : 0};
    }

    void pack(const cpu::PackedMatrix& target, const TensorRows& source, const cpu::RowPlacement& placement)
    {
        if (target.data) {
            for (int row = 0; row < source.count; row += kJobRows) {
                m_jobs.push_back({target, source, placement, row, std::min(source.count, row + kJobRows)});
            }
        }
    }

    const float* vector(const StoredTensor* tensor)
    {
        if (!tensor) {
            return nullptr;
        }
        float* target = m_arena.take<float>(tensor->elements());
        addVector(target, whole(tensor));
        return target;
    }

    void addVector(float* target, const TensorRows& source, size_t panelStride = 1)
    {
        if (target && source.tensor) {
            m_vectors.push_back({target, source, panelStride});
        }
    }

    static Result<void> runVector(const VectorJob& job)
    {
        const StoredTensor& tensor = *job.source.tensor;
        const size_t count = static_cast<size_t>(job.source.count) * tensor.columns();
        std::vector<float> values(count);
        std::vector<std::byte> made;
        const std::byte* rows =
            tensor.readRows(static_cast<uint64_t>(job.source.first), static_cast<uint64_t>(job.source.count), made);
        dequantizeRow(tensor.type, rows, values.data(), count);
        if (!allFinite(values.data(), count)) {
            return notFinite(tensor);
        }
        for (size_t i = 0; i < count; ++i) {
            job.target[i / 16 * 16 * job.panelStride + i % 16] = values[i];
        }
        return {};
    }

    const ModelFile& m_file;
    const ModelConfig& m_config;
    Weights& m_weights;
    Arena m_arena;
    std::vector<PackJob> m_jobs;
    std::vector<CopyJob> m_copies;
    std::vector<VectorJob> m_vectors;
};

Result<Weights> Weights::load(const ModelFile& file, const ModelConfig& config, MemoryLedger& ledger,
    ThreadPool* threads, const std::function<bool(double)>& progress)
{
    Weights weights;
    WeightsBuilder counter(file, config, weights, nullptr);
    KVASIR_TRY(counter.build());
    const bool isSmall = counter.bytes() < kSmallWeights;
    auto memory =
        TrackedBuffer::allocate(ledger, MemoryTag::Weights, counter.bytes(), isSmall ? Pages::Small : Pages::Huge);
    KVASIR_TRY(memory);
    weights.m_memory = *std::move(memory);
    if (ledger.isDry()) {
        return weights;
    }
    file.adviseSequential();
    WeightsBuilder builder(file, config, weights, weights.m_memory.data());
    KVASIR_TRY(builder.build());
    KVASIR_TRY(builder.run(*threads, progress));
    if (isSmall) {
        weights.m_collapser = std::make_unique<PageCollapser>(weights.m_memory.data(), weights.bytes());
    }
    return weights;
}

void Weights::settle() const
{
    if (m_collapser) {
        m_collapser->finish();
    }
}

void Weights::embed(TokenId token, float* out) const
{
    if (m_embedding) {
        const size_t bytes = embeddingRowBytes();
        dequantizeRow(
            m_embeddingType, m_embedding + bytes * static_cast<size_t>(token), out, static_cast<size_t>(m_width));
    } else {
        cpu::unpackRow(m_head, token, out);
    }
}

size_t Weights::embeddingRowBytes() const
{
    return rowBytes(m_embedding ? m_embeddingType : m_head.type, static_cast<size_t>(m_width));
}

size_t FeedForwardWeights::bytes() const
{
    size_t bytes = 0;
    forEachMatrix([&](const cpu::PackedMatrix& matrix) { bytes += matrix.bytes(); });
    return bytes;
}

uint64_t FeedForwardWeights::operations() const
{
    uint64_t operations = 0;
    forEachMatrix([&](const cpu::PackedMatrix& matrix) { operations += operationsOf(matrix); });
    return operations;
}

template <class F> auto Weights::sumOverExperts(F&& ofOne) const
{
    decltype(ofOne(FeedForwardWeights())) sum = 0;
    for (const LayerWeights& layer : m_layers) {
        if (layer.router.columns > 0) {
            sum += ofOne(layer.feedForwards.front()) * static_cast<unsigned>(m_expertsPerRow);
        }
    }
    return sum;
}

size_t Weights::expertBytes() const
{
    return sumOverExperts([](const FeedForwardWeights& expert) { return expert.bytes(); });
}

uint64_t Weights::expertOperations() const
{
    return sumOverExperts([](const FeedForwardWeights& expert) { return expert.operations(); });
}

size_t Weights::layerBytes() const
{
    size_t bytes = 0;
    for (const LayerWeights& layer : m_layers) {
        forEachCommonMatrix(layer, [&](const cpu::PackedMatrix& matrix) { bytes += matrix.bytes(); });
    }
    return bytes;
}

uint64_t Weights::layerOperations() const
{
    uint64_t operations = 0;
    for (const LayerWeights& layer : m_layers) {
        forEachCommonMatrix(layer, [&](const cpu::PackedMatrix& matrix) { operations += operationsOf(matrix); });
    }
    return operations;
}

uint64_t Weights::headOperations() const
{
    return operationsOf(m_head);
}

} // namespace kvasir
