#pragma once

#include "base/result.h"
#include "base/types.h"
#include "cache/blocktable.h"
#include "cpu/instructionset.h"
#include "measure/ledger.h"
#include "measure/records.h"
#include "model/config.h"

#include <functional>
#include <memory>
#include <span>

namespace kvasir {

class ModelFile;
class ThreadPool;

struct ModelOptions {
    int stepTokens = 256;              ///< rows a step at most
    int logitRows = 16;                ///< rows a step whose logits may be asked for at most
    int context = 4096;                ///< positions a sequence may have
    int maxSequences = 64;             ///< sequences a step at most
    TensorType keys = TensorType::F16; ///< F16 or F32
    TensorType values = TensorType::F16;
    cpu::InstructionSet instructionSet = cpu::bestInstructionSet();
};

/// Rows of one sequence in a step. They get the positions from table->length() on.
struct SequenceRows {
    BlockTable* table = nullptr;     ///< grows by tokens.size(); made from a pool with Model::kvShape()
    std::span<const TokenId> tokens; ///< at least one
    std::span<const int> wanted; ///< rows (indices into `tokens`, ascending) whose logits are asked for; may be empty
};

/// A loaded model: weights, work memory, and the forward pass. One thread at a time may call forward().
class Model {
public:
    /// Packs the weights of `file`, which may be closed afterwards. `progress` is told between 0 and 1 and returns
    /// false to cancel. On a dry ledger nothing is allocated or read but the header, the ledger gets the same sums, and
    /// the model can not run. `ledger` and `threads` must outlive the model. Errors: Unsupported, MissingMetadata,
    /// MissingTensor, Malformed, NotFinite, OutOfMemory, Cancelled.
    static Result<std::unique_ptr<Model>> load(const ModelFile& file, const ModelOptions& options, MemoryLedger& ledger,
        ThreadPool& threads, const std::function<bool(double)>& progress = {});
    /// The same on a dry ledger for a team of `threads` threads, each of which has its own scratch.
    static Result<std::unique_ptr<Model>> plan(
        const ModelFile& file, const ModelOptions& options, MemoryLedger& dryLedger, int threads);
    ~Model();
    Model(const Model&) = delete;
    Model& operator=(const Model&) = delete;

    const ModelConfig& config() const;
    const ModelOptions& options() const;
    KvShape kvShape() const;
    uint64_t parameters() const;
    size_t weightBytes() const;         ///< as packed
    size_t weightBytesPerToken() const; ///< that a step reads, whatever its number of rows
    void settle() const;                ///< returns when nothing in the background is left of loading: for measurements
    uint64_t operationsPerToken() const; ///< of one row, logits included, without attention

    /// One step: any mix of prefill and decode. Returns the logits of the wanted rows, in the order of the sequences:
    /// wanted rows x vocabulary, valid until the next step. Fills the stage times, rows, bytesRead and operations of
    /// `record`. A row's logits depend only on the tokens before it, bit for bit.
    /// Errors (tables keep their length): OutOfMemory (no blocks), ContextTooSmall, BadArgument (an id outside the
    /// vocabulary, too many rows), NotFinite.
    Result<std::span<const float>> forward(std::span<const SequenceRows> sequences, StepRecord& record);

private:
    struct Parts;
    static Result<std::unique_ptr<Model>> make(const ModelFile& file, const ModelOptions& options, MemoryLedger& ledger,
        ThreadPool* threads, int threadCount, const std::function<bool(double)>& progress);
    explicit Model(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> m_parts;
};

} // namespace kvasir
