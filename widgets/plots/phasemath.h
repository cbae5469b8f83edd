#pragma once

#include "plots/phasevalues.h"

#include <optional>

namespace kvasir {

enum class PhaseBound { Unknown, Arithmetic, Memory, Neither };

/// Below this share of both limits, neither binds: waiting, copying or a single thread does.
inline constexpr double kBoundThreshold = 0.25;

/// `value` / `limit`; unset where either is unknown, not finite or negative, or the limit is zero.
std::optional<double> shareOf(std::optional<double> value, std::optional<double> limit);

/// Model FLOP utilisation: arithmetic of the phase over what the machine does at most.
std::optional<double> mfuOf(const PhaseRate& rate, const PhaseValues& values);
/// Memory bandwidth utilisation: bytes the phase had to read over what the machine reads at most.
std::optional<double> mbuOf(const PhaseRate& rate, const PhaseValues& values);

/// The limit of which the phase uses the larger share (the roofline's side).
PhaseBound boundOf(const PhaseRate& rate, const PhaseValues& values);

/// Tokens a second at which the phase would reach its first limit. Unset where no share is known.
std::optional<double> ceilingTokensPerSecond(const PhaseRate& rate, const PhaseValues& values);

/// Share of prefill in prefill and decode together, 0 to 1. Unset where either time is unknown or both are zero.
std::optional<double> prefillShare(const PhaseValues& values);

} // namespace kvasir
