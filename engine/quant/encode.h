#pragma once

#include "quant/tensortype.h"

namespace kvasir {

/// Whether encodeRow() knows the type: F32, F16, BF16 and Q8_0.
bool canEncode(TensorType type);

/// Encodes `columns` floats (a multiple of the type's block) into rowBytes(type, columns) bytes; bit-equal to ggml's
/// reference encoders. F16 and BF16 round to nearest, ties to even. Q8_0 takes the largest magnitude of 32 values as
/// 127 and rounds halves away from zero, before the scale itself is rounded to F16. `target` needs no alignment. A NaN
/// or infinite input makes the Q8_0 block's values meaningless, not the call unsafe.
void encodeRow(TensorType type, const float* source, std::byte* target, size_t columns);

} // namespace kvasir
