#pragma once

#include <cstdint>

namespace kvasir {

using TokenId = int32_t;
inline constexpr TokenId kNoToken = -1;

} // namespace kvasir
