#pragma once

#include "quant/tensortype.h"

#include <cstddef>
#include <cstdint>

namespace kvasir {

/// Whether `count` stored values hold no NaN and no infinity: every number of a float type, every scale and minimum of
/// a quantized one. `count` must be a multiple of the type's block.
bool allFinite(TensorType type, const std::byte* data, uint64_t count);
bool allFinite(const float* values, size_t count);

} // namespace kvasir
