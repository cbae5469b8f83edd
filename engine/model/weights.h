#pragma once

#include "base/arena.h"
#include "base/pagecollapser.h"
#include "base/result.h"
#include "base/types.h"
#include "cpu/packedmatrix.h"
#include "measure/trackedbuffer.h"
#include "model/config.h"

#include <array>
#include <functional>
#include <memory>
#include <vector>

namespace kvasir {

class ThreadPool;

/// A matrix whose results begin at `column` of the row that several matrices write together.
struct Projection {
    cpu::PackedMatrix matrix;
    int column = 0;
};

/// Up to three matrices that read the same rows, of one type where they could be stacked to one.
struct Projections {
    std::array<Projection, 3> parts;
    int count = 0;

    const Projection* begin() const { return parts.data(); }
    const Projection* end() const { return parts.data() + count; }
};

/// A feed-forward: that of a layer, or one of its experts. Vectors are null where the model has none.
struct FeedForwardWeights {
    Projections gateUp; ///< one matrix: panels of gate and up alternate; two: gate, then up at column `feedForward`
    const float* gateUpBias = nullptr; ///< in the order of the results
    cpu::PackedMatrix down;
    const float* downBias = nullptr;

    size_t bytes() const;        ///< of the matrices
    uint64_t operations() const; ///< of one row

    template <class F> void forEachMatrix(F&& f) const
    {
        for (const Projection& part : gateUp) {
            f(part.matrix);
        }
        f(down);
    }
};

/// Vectors are null where the model has none.
struct LayerWeights {
    const float* attentionNorm = nullptr;
    Projections qkv; ///< results: queries, keys, values, headwise
    const float* qkvBias = nullptr;
    const float* queryNorm = nullptr;
    const float* keyNorm = nullptr;
    cpu::PackedMatrix output;
    const float* outputBias = nullptr;
    const float* postAttentionNorm = nullptr;
    const float* sinks = nullptr; ///< one a query head
    const float* feedForwardNorm = nullptr;
    cpu::PackedMatrix router; ///< columns 0: there are no experts
    const float* routerBias = nullptr;
    std::vector<FeedForwardWeights> feedForwards; ///< one, or the experts
    bool feedForwardReadsInt8 = false;            ///< whether one of them, or the router, takes its input so
    const float* postFeedForwardNorm = nullptr;
};

/// All weights of a model in the order in which the kernels read them, in one piece of memory.
class Weights {
public:
    /// Packs from the mapping with all threads (null: on a dry ledger), and refuses weights that are not finite. See
    /// Model::load.
    static Result<Weights> load(const ModelFile& file, const ModelConfig& config, MemoryLedger& ledger,
        ThreadPool* threads, const std::function<bool(double)>& progress);

    const std::vector<LayerWeights>& layers() const { return m_layers; }
    const cpu::PackedMatrix& head() const { return m_head; }
    const float* outputNorm() const { return m_outputNorm; }
    /// Returns when the memory lies on the pages that it will stay on.
    void settle() const;
    /// The stored embedding of a token, as floats.
    void embed(TokenId token, float* out) const;

    size_t bytes() const { return m_memory.size(); }
    size_t layerBytes() const; ///< of all layers that every step reads: experts are counted by those that run
    size_t headBytes() const { return m_head.bytes(); }
    size_t embeddingRowBytes() const;
    uint64_t layerOperations() const;  ///< of one row through all layers but experts, without attention
    size_t expertBytes() const;        ///< of those that one row needs in all layers
    uint64_t expertOperations() const; ///< of one row through them
    uint64_t headOperations() const;

    /// The matrices of a layer, experts included.
    template <class F> static void forEachMatrix(const LayerWeights& layer, F&& f)
    {
        forEachCommonMatrix(layer, f);
        if (layer.router.columns > 0) {
            for (const FeedForwardWeights& expert : layer.feedForwards) {
                expert.forEachMatrix(f);
            }
        }
    }

private:
    friend class WeightsBuilder;

    /// Those that every row needs.
    template <class F> static void forEachCommonMatrix(const LayerWeights& layer, F&& f)
    {
        for (const Projection& part : layer.qkv) {
            f(part.matrix);
        }
        f(layer.output);
        if (layer.router.columns > 0) {
            f(layer.router);
        } else {
            layer.feedForwards.front().forEachMatrix(f);
        }
    }
    template <class F> auto sumOverExperts(F&& ofOne) const;

    TrackedBuffer m_memory;
    std::unique_ptr<PageCollapser> m_collapser; ///< null where the pages are huge from the start
    std::vector<LayerWeights> m_layers;
    cpu::PackedMatrix m_head;
    const float* m_outputNorm = nullptr;
    // Where the head is not the embedding: its rows as stored.
    const std::byte* m_embedding = nullptr;
    TensorType m_embeddingType = TensorType::F32;
    int m_width = 0;
    int m_expertsPerRow = 0;
};

} // namespace kvasir
