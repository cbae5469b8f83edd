#pragma once

#include <cstddef>
#include <cstdint>

namespace kvasir {

/// The loops that measureLimits() times, one set for each instruction set. Results go to a sink so that nothing is
/// dropped.
struct LimitKernels {
    const char* instructionSet;
    /// Reads `bytes` (a multiple of 512) from `data`, aligned to 64.
    uint64_t (*read)(const std::byte* data, size_t bytes);
    /// Runs `rounds` rounds on registers only; each is `int8Operations` (or `fp32Operations`) operations.
    uint64_t (*int8)(size_t rounds);
    uint64_t (*fp32)(size_t rounds);
    double int8Operations;
    double fp32Operations;
};

/// The fastest set that this CPU runs.
const LimitKernels& limitKernels();

} // namespace kvasir
