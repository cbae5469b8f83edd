#pragma once

#include "base/arena.h"
#include "base/result.h"
#include "cpu/kernels.h"
#include "measure/trackedbuffer.h"
#include "model/config.h"
#include "model/weights.h"

#include <vector>

namespace kvasir {

/// Steps of so few rows are normed and quantized by every thread for itself, which costs less than a barrier.
inline constexpr int kPrivateRows = 4;

/// What is known of each row between two products: [rows][width or queryWidth].
struct RowBuffers {
    float* x = nullptr;                    ///< the residual stream
    float* normed = nullptr;               ///< input of Q/K/V and of gate/up
    cpu::ActBlock* normedBlocks = nullptr; ///< the same as int8
    float* attention = nullptr;            ///< input of the output projection
    cpu::ActBlock* attentionBlocks = nullptr;
    float* spare = nullptr; ///< one row of width
};

/// What rows on their way through experts need; slots as in ExpertSlots. Null where the model has no experts.
struct ExpertBuffers {
    float* routerLogits = nullptr; ///< [rows][experts]
    int* ids = nullptr;            ///< [rows][expertsPerRow]
    float* shares = nullptr;       ///< [rows][expertsPerRow]
    float* inputs = nullptr;       ///< [slots][width]
    cpu::ActBlock* inputBlocks = nullptr;
    float* outputs = nullptr; ///< [slots][width]
};

/// Memory of a step, taken once when the model is loaded.
class Workspace {
public:
    struct Sizes {
        int rows = 0;
        int logitRows = 0;
        int threads = 0;
        int context = 0;
    };

    static Result<Workspace> allocate(const ModelConfig& config, const Weights& weights,
        const cpu::KvHeadLayout& kvLayout, const Sizes& sizes, MemoryLedger& ledger);

    RowBuffers shared;                     ///< for `rows` rows
    std::vector<RowBuffers> own;           ///< of each thread, for kPrivateRows rows
    std::vector<std::byte*> matmulScratch; ///< of each thread
    float* qkv = nullptr;                  ///< [rows][queryWidth + 2 kvWidth]
    float* projected = nullptr;            ///< [rows][width], results of the output projection and of down
    float* gateUp = nullptr;               ///< [rows or slots][gateUpStride]
    float* gated = nullptr;                ///< [rows or slots][feedForward], input of down
    cpu::ActBlock* gatedBlocks = nullptr;
    ExpertBuffers experts;
    std::vector<float*> cosines; ///< for each of ModelConfig::ropes: [rows][dimensions / 2]
    std::vector<float*> sines;
    float* parts = nullptr; ///< softmax states of rows whose chunks are worked out apart
    int partCount = 0;
    float* logits = nullptr; ///< [logitRows][vocabulary]
    int qkvStride = 0;
    int gateUpStride = 0;

private:
    void layOut(const ModelConfig& config, const Weights& weights, const cpu::KvHeadLayout& kvLayout,
        const Sizes& sizes, Arena& activations, Arena& scratch);

    TrackedBuffer m_activations;
    TrackedBuffer m_scratch;
    TrackedBuffer m_logits;
};

} // namespace kvasir
