#pragma once

#include <chrono>
#include <cstdint>

namespace kvasir {

/// The one clock of the program: steady, in nanoseconds.
using Clock = std::chrono::steady_clock;
using TimePoint = Clock::time_point;
using Nanoseconds = std::chrono::nanoseconds;

inline double toMilliseconds(Nanoseconds duration)
{
    return static_cast<double>(duration.count()) * 1e-6;
}
inline double toSeconds(Nanoseconds duration)
{
    return static_cast<double>(duration.count()) * 1e-9;
}

} // namespace kvasir
