#pragma once

#include <QMetaType>
#include <QString>

#include <optional>

namespace kvasir {

/// One of the two halves of a reply, as measured. What is unknown stays unset and is shown as a dash.
struct PhaseRate {
    std::optional<double> tokensPerSecond;
    std::optional<double> milliseconds;        ///< spent in this half of the reply
    std::optional<double> operationsPerSecond; ///< multiplications and additions the half had to do, over its time
    std::optional<double> bytesPerSecond;      ///< weights and KV the half had to read, over its time
    std::optional<double> bytesPerToken;       ///< what one token had to read
};

enum class LimitsState { NotMeasured, Measuring, Measured, Failed };

/// The figures behind "Prefill v decode".
struct PhaseValues {
    PhaseRate prefill; ///< of the tokens that were computed, not those from the cache
    PhaseRate decode;
    LimitsState limits = LimitsState::NotMeasured;
    QString limitsFailure;                           ///< why, translated; only with Failed
    std::optional<double> readBytesPerSecond;        ///< measured on this machine
    std::optional<double> operationsPerSecond;       ///< measured on this machine, for the arithmetic this model uses
    QString operationsUnit = QStringLiteral("GOPS"); ///< "GOPS" for 8-bit integers, "GFLOPS" for floating point
    std::optional<double> dashboardShare; ///< time of the GUI thread spent on these panels over wall time, 0 to 1
    bool live = false;                    ///< a reply is being computed
};

} // namespace kvasir

Q_DECLARE_METATYPE(kvasir::PhaseValues)
