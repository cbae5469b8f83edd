#pragma once

namespace kvasir::testing {

/// Whether this build carries a sanitizer: many times slower, and in need of address space without limits.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

} // namespace kvasir::testing
