#pragma once

#include <QMetaType>
#include <QString>
#include <QVector>

#include <optional>

namespace kvasir {

/// Memory in bytes when the context held `tokens` tokens.
struct MemorySample {
    qint64 tokens = 0;
    qint64 weights = 0;
    qint64 activations = 0; ///< with scratch and logits
    qint64 kvUsed = 0;      ///< part of kvReserved
    qint64 kvReserved = 0;
    std::optional<qint64>
        process; ///< resident size that the system reports; what the ledger does not explain is "others"
};

/// A conversation's memory against its tokens, and what it may grow to.
struct MemorySeries {
    QVector<MemorySample> samples;         ///< in order of time; a step back in tokens drops what it overtakes
    std::optional<qint64> limitBytes;      ///< memory free for Kvasir: what the whole process may occupy
    std::optional<qint64> machineBytes;    ///< memory of the machine
    std::optional<qint64> contextLimit;    ///< tokens the model, or the setting, allows
    std::optional<double> kvBytesPerToken; ///< unset: fitted to the samples
    int blockTokens = 16;                  ///< the KV cache grows by so many tokens at once
    bool isLoading = false;                ///< a model is being loaded
};

} // namespace kvasir

Q_DECLARE_METATYPE(kvasir::MemorySeries)
