#include "model/weights.h"

#include "base/threadpool.h"
#include "files/gguf.h"
#include "model/finite.h"
#include "model/tensortable.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <optional>

namespace kvasir {

namespace {

/// Rows packed at once: small enough to share work evenly and to cancel quickly, whole panels.
constexpr int kJobRows = 128;

const std::byte* rowData(const GgufTensor& tensor, int row)
{
    return tensor.data + rowBytes(tensor.type, tensor.columns()) * static_cast<size_t>(row);
}

/// Rows of a tensor on their way into a matrix.
struct PackJob {
    cpu::PackedMatrix matrix;
    TensorRows source;
    cpu::RowPlacement placement;
    int first = 0; ///< of the source's rows
    int last = 0;

    const std::byte* data() const { return rowData(*source.tensor, source.first + first); }
};

/// Rows copied as they are.
struct CopyJob {
    std::byte* target = nullptr;
    const GgufTensor* tensor = nullptr;
};

/// A vector as floats; value i goes to `target[i / 16 * 16 * stride + i % 16]`.
struct VectorJob {
    float* target = nullptr;
    const GgufTensor* tensor = nullptr;
    size_t panelStride = 1;
};

Failure notFinite(const GgufTensor& tensor)
{
    const std::string name(tensor.name);
    return fail(
        ErrorCode::NotFinite, "Tensor " + name + " holds a value that is not a finite number", {{"what", name}});
}

} // namespace

/// Lays the weights out, in order of use, in an arena: once to count, once for real.
class WeightsBuilder {
public:
    WeightsBuilder(const ModelConfig& config, Weights& weights, std::byte* memory)
        : m_config(config)
        , m_weights(weights)
        , m_arena(memory)
    {
    }

    Result<void> build(const GgufFile& file)
    {
        m_weights.m_layers.assign(static_cast<size_t>(m_config.layers), {});
        m_weights.m_width = m_config.width;
        for (int i = 0; i < m_config.layers; ++i) {
            auto tensors = findLayerTensors(file, m_config, i);
            KVASIR_TRY(tensors);
            addLayer(m_weights.m_layers[static_cast<size_t>(i)], *tensors);
        }
        auto model = findModelTensors(file, m_config);
        KVASIR_TRY(model);
        m_weights.m_outputNorm = vector(model->outputNorm);
        const GgufTensor& head = model->head ? *model->head : *model->embedding;
        m_weights.m_head = matrix(head, m_config.vocabulary);
        pack(m_weights.m_head, whole(head), {});
        if (model->head) {
            m_weights.m_embeddingType = model->embedding->type;
            std::byte* rows = m_arena.take<std::byte>(model->embedding->bytes);
            m_weights.m_embedding = rows;
            m_copies.push_back({rows, model->embedding});
        }
        if (m_refused) {
            return Failure{*m_refused};
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
        for (const CopyJob& job : m_copies) {
            if (!allFinite(job.tensor->type, job.tensor->data, job.tensor->elements())) {
                return notFinite(*job.tensor);
            }
            std::memcpy(job.target, job.tensor->data, job.tensor->bytes);
        }
        // In the file's order, so that a cold file is read from front to back.
        std::sort(m_jobs.begin(), m_jobs.end(), [](const PackJob& a, const PackJob& b) { return a.data() < b.data(); });
        std::atomic<size_t> next{0};
        std::atomic<bool> stop{false};
        std::atomic<const GgufTensor*> broken{nullptr};
        bool cancelled = false;
        threads.run([&](int thread) {
            double told = 0;
            for (size_t i = next++; i < m_jobs.size() && !stop; i = next++) {
                const PackJob& job = m_jobs[i];
                const GgufTensor& tensor = *job.source.tensor;
                const auto values = static_cast<uint64_t>(job.last - job.first) * tensor.columns();
                if (!allFinite(tensor.type, job.data(), values)) {
                    broken = &tensor;
                    stop = true;
                    break;
                }
                cpu::packRows(job.matrix, rowData(tensor, job.source.first), job.first, job.last, job.placement);
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
        const int wide = m_config.feedForward;
        layer.attentionNorm = vector(t.attentionNorm);
        addQkv(layer, t);
        if (t.queryBias || t.keyBias || t.valueBias) {
            float* bias = m_arena.take<float>(static_cast<size_t>(q + 2 * kv));
            addVector(bias, t.queryBias);
            addVector(bias ? bias + q : nullptr, t.keyBias);
            addVector(bias ? bias + q + kv : nullptr, t.valueBias);
            layer.qkvBias = bias;
        }
        layer.queryNorm = vector(t.queryNorm);
        layer.keyNorm = vector(t.keyNorm);
        layer.output = matrix(*t.output, m_config.width);
        pack(layer.output, whole(*t.output), {});
        layer.outputBias = vector(t.outputBias);
        layer.postAttentionNorm = vector(t.postAttentionNorm);
        layer.feedForwardNorm = vector(t.feedForwardNorm);
        addGateUp(layer, t, wide);
        layer.down = matrix(*t.down, m_config.width);
        pack(layer.down, whole(*t.down), {});
        layer.downBias = vector(t.downBias);
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
            while (end < 3 && sources[end]->tensor->type == sources[i]->tensor->type && rows % cpu::kPanelRows == 0) {
                rows += sources[end]->count;
                ++end;
            }
            Projection& part = layer.qkv.parts[static_cast<size_t>(layer.qkv.count++)];
            part.matrix = matrix(*sources[i]->tensor, rows);
            part.column = column;
            column += rows;
            int firstRow = 0;
            for (; i < end; ++i) {
                pack(part.matrix, *sources[i], {.firstRow = firstRow});
                firstRow += sources[i]->count;
            }
        }
    }

    void addGateUp(LayerWeights& layer, const LayerTensors& t, int wide)
    {
        const bool interleaved = t.gate.tensor->type == t.up.tensor->type;
        const auto rows = static_cast<size_t>(interleaved ? cpu::interleavedRows(wide) : 2 * wide);
        if (interleaved) {
            layer.gateUp.count = 1;
            cpu::PackedMatrix& both = layer.gateUp.parts[0].matrix;
            both = matrix(*t.gate.tensor, static_cast<int>(rows));
            pack(both, t.gate, {.firstRow = 0, .stride = 2});
            pack(both, t.up, {.firstRow = cpu::kPanelRows, .stride = 2});
        } else {
            layer.gateUp.count = 2;
            layer.gateUp.parts[0].matrix = matrix(*t.gate.tensor, wide);
            layer.gateUp.parts[1].matrix = matrix(*t.up.tensor, wide);
            layer.gateUp.parts[1].column = wide;
            pack(layer.gateUp.parts[0].matrix, t.gate, {});
            pack(layer.gateUp.parts[1].matrix, t.up, {});
        }
        if (t.gateBias || t.upBias) {
            float* bias = m_arena.take<float>(rows);
            const int second = interleaved ? cpu::kPanelRows : wide;
            addVector(bias, t.gateBias, interleaved ? 2 : 1);
            addVector(bias ? bias + second : nullptr, t.upBias, interleaved ? 2 : 1);
            layer.gateUpBias = bias;
        }
    }

    cpu::PackedMatrix matrix(const GgufTensor& tensor, int rows)
    {
        if (!cpu::isPackable(tensor.type)) {
            if (!m_refused) {
                const std::string type(tensorTypeName(tensor.type));
                m_refused = fail(ErrorCode::Unsupported,
                    "Kvasir can not compute with tensors of type " + type + ", which " + std::string(tensor.name)
                        + " has",
                    {{"what", "tensor type"}, {"name", type}})
                                .error;
            }
            return {};
        }
        cpu::PackedMatrix result = cpu::packedShape(tensor.type, rows, static_cast<int>(tensor.columns()));
        result.data = m_arena.take<std::byte>(result.bytes());
        return result;
    }

    static TensorRows whole(const GgufTensor& tensor) { return {&tensor, 0, static_cast<int>(tensor.rows())}; }

    void pack(const cpu::PackedMatrix& target, const TensorRows& source, const cpu::RowPlacement& placement)
    {
        if (target.data) {
            for (int row = 0; row < source.count; row += kJobRows) {
                m_jobs.push_back({target, source, placement, row, std::min(source.count, row + kJobRows)});
            }
        }
    }

    const float* vector(const GgufTensor* tensor)
    {
        if (!tensor) {
            return nullptr;
        }
        float* target = m_arena.take<float>(tensor->elements());
        addVector(target, tensor);
        return target;
    }

    void addVector(float* target, const GgufTensor* tensor, size_t panelStride = 1)
    {
        if (target && tensor) {
            m_vectors.push_back({target, tensor, panelStride});
        }
    }

    static Result<void> runVector(const VectorJob& job)
    {
        const size_t count = job.tensor->elements();
        std::vector<float> values(count);
        dequantizeRow(job.tensor->type, job.tensor->data, values.data(), count);
        if (!allFinite(TensorType::F32, reinterpret_cast<const std::byte*>(values.data()), count)) {
            return notFinite(*job.tensor);
        }
        for (size_t i = 0; i < count; ++i) {
            job.target[i / 16 * 16 * job.panelStride + i % 16] = values[i];
        }
        return {};
    }

    const ModelConfig& m_config;
    Weights& m_weights;
    Arena m_arena;
    std::optional<Error> m_refused;
    std::vector<PackJob> m_jobs;
    std::vector<CopyJob> m_copies;
    std::vector<VectorJob> m_vectors;
};

Result<Weights> Weights::load(const GgufFile& file, const ModelConfig& config, MemoryLedger& ledger,
    ThreadPool* threads, const std::function<bool(double)>& progress)
{
    Weights weights;
    WeightsBuilder counter(config, weights, nullptr);
    KVASIR_TRY(counter.build(file));
    auto memory = TrackedBuffer::allocate(ledger, MemoryTag::Weights, counter.bytes());
    KVASIR_TRY(memory);
    weights.m_memory = *std::move(memory);
    if (ledger.isDry()) {
        return weights;
    }
    file.map().adviseSequential();
    WeightsBuilder builder(config, weights, weights.m_memory.data());
    KVASIR_TRY(builder.build(file));
    KVASIR_TRY(builder.run(*threads, progress));
    return weights;
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

size_t Weights::layerBytes() const
{
    size_t bytes = 0;
    for (const LayerWeights& layer : m_layers) {
        forEachMatrix(layer, [&](const cpu::PackedMatrix& matrix) { bytes += matrix.bytes(); });
    }
    return bytes;
}

uint64_t Weights::layerOperations() const
{
    uint64_t operations = 0;
    for (const LayerWeights& layer : m_layers) {
        forEachMatrix(layer, [&](const cpu::PackedMatrix& matrix) {
            operations += 2 * static_cast<uint64_t>(matrix.rows) * static_cast<uint64_t>(matrix.columns);
        });
    }
    return operations;
}

uint64_t Weights::headOperations() const
{
    return 2 * static_cast<uint64_t>(m_head.rows) * static_cast<uint64_t>(m_head.columns);
}

} // namespace kvasir
