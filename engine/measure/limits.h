#pragma once

#include "base/result.h"

#include <functional>
#include <string>

namespace kvasir {

/// What this machine's CPU can do at most, measured with `threads` threads.
struct HardwareLimits {
    int threads = 0;
    double readBytesPerSecond = 0; ///< plain read of memory larger than the caches
    double int8OperationsPerSecond =
        0; ///< 8-bit multiply-add, two operations each, with the fastest kernel of this CPU
    double fp32OperationsPerSecond = 0; ///< FMA, two operations each
    std::string instructionSet;         ///< "AVX2", "AVX-512 VNNI", "scalar"
    std::string processor;              ///< name of the CPU, to tell a kept measurement of another machine
    bool disturbed = false;             ///< other programs took the processor meanwhile: the true limits are higher
};

/// Measures for about a second. Run it on an idle machine; the engine must not be working.
HardwareLimits measureLimits(int threads, const std::function<bool()>& cancelled = {});

/// The measurement kept in `path` for this CPU, its best instruction set and number of threads; an error where there is
/// none.
Result<HardwareLimits> loadLimits(const std::string& path, int threads);
/// Keeps it, unless it was disturbed.
Result<void> saveLimits(const std::string& path, const HardwareLimits& limits);

} // namespace kvasir
