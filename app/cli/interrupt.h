#pragma once

#include <atomic>
#include <memory>

namespace kvasir::cli {

/// Ctrl+C sets a flag instead of ending the program; pressed again while the flag is still set, it ends it. A pipe that
/// was closed makes writing fail instead of ending it.
void installSignalHandlers();

/// The flag, as a request's stop flag takes it.
std::shared_ptr<std::atomic<bool>> interruptFlag();
bool isInterrupted();
void clearInterrupt();

} // namespace kvasir::cli
