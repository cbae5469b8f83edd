#pragma once

#include "base/teamsize.h"
#include "base/threadpool.h"
#include "base/types.h"
#include "cache/blocktable.h"
#include "cpu/kernels.h"
#include "measure/records.h"
#include "model/config.h"
#include "model/expertrouting.h"
#include "model/weights.h"
#include "model/workspace.h"

#include <atomic>
#include <span>
#include <vector>

namespace kvasir {

/// One row of a step.
struct StepRow {
    TokenId token = kNoToken;
    int position = 0;
    std::byte* const* blocks = nullptr; ///< of its sequence's cache
    int sequence = 0;                   ///< rows of a sequence stand together, in order
};

/// The pass of one step through all layers, the same for prefill and decode. Threads share the rows of every matrix and
/// meet at barriers; what belongs to a row (norms, rotation, quantization) is shared by rows, or, where rows are few,
/// done by every thread for itself. No order of a sum depends on either.
class ForwardPass {
public:
    ForwardPass(const ModelConfig& config, const Weights& weights, Workspace& space, const KvShape& kv,
        const cpu::Kernels& kernels, ThreadPool& threads, int maxRows);

    /// Rows to fill for the next run(), and which of them want logits.
    std::vector<StepRow>& rows() { return m_rows; }
    std::vector<int>& wanted() { return m_wanted; }

    /// Writes keys and values of all rows to their caches and the logits of the wanted rows to the workspace. Adds the
    /// time of the stages to `record`. False where a logit is not finite.
    bool run(StepRecord& record);
    /// Bytes of the caches that the rows read, and the arithmetic of their attention.
    void countAttention(StepRecord& record) const;

private:
    class Worker;
    /// A piece of attention: one row, chunk by chunk on any thread, or several rows of a sequence in tiles.
    struct Unit {
        int firstRow = 0;
        int rows = 0;
        int firstItem = 0;
        int firstPart = -1; ///< -1: not by chunks
        int chunks = 0;
    };
    /// How the attention of a step is cut up in layers with one window.
    struct Plan {
        cpu::AttentionShape shape;
        std::vector<Unit> units;
        std::vector<int> partOfRow; ///< first part, -1: none
        int items = 0;
    };

    void makePlan(Plan& plan) const;
    const Plan& planOf(int window) const
    {
        return window == m_plans.front().shape.window ? m_plans.front() : m_plans.back();
    }

    const ModelConfig& m_config;
    const Weights& m_weights;
    Workspace& m_space;
    const KvShape m_kv;
    const cpu::Kernels& m_kernels;
    ThreadPool& m_threads;
    std::vector<StepRow> m_rows;
    std::vector<int> m_wanted;
    std::vector<Plan> m_plans; ///< one or two
    ExpertSlots m_slots;
    TeamSize m_fewRows;  ///< steps that memory bounds
    TeamSize m_manyRows; ///< steps that arithmetic bounds
    int m_team = 1;      ///< threads of the step
    std::atomic<int> m_nextItem{0};
    std::atomic<bool> m_finite{true};
};

} // namespace kvasir
