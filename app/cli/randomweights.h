#pragma once

#include "quant/tensortype.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace kvasir::cli {

/// Fills tensors with random numbers: any codes, scales such that the values have a mean near 0 and the deviation asked
/// for. The same numbers every time (xorshift64*, Vigna 2016).
class RandomWeights {
public:
    explicit RandomWeights(uint64_t seed)
        : m_state(seed * 0x9e3779b97f4a7c15u + 1)
    {
    }
    /// `target` holds whole blocks of `type`: F32, F16, BF16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q4_K, Q5_K or Q6_K.
    void fill(TensorType type, float deviation, std::span<std::byte> target);

private:
    uint64_t next();

    uint64_t m_state;
};

} // namespace kvasir::cli
