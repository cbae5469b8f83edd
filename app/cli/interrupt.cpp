#include "interrupt.h"

#include <csignal>

namespace kvasir::cli {
namespace {

std::atomic<bool> s_interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler writes it");

void onInterrupt(int signal)
{
    if (s_interrupted.exchange(true)) {
        std::signal(signal, SIG_DFL);
        std::raise(signal);
    }
}

} // namespace

void installSignalHandlers()
{
    struct sigaction action = {};
    action.sa_handler = onInterrupt; // no SA_RESTART: reading a line must end
    sigaction(SIGINT, &action, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
}

std::shared_ptr<std::atomic<bool>> interruptFlag()
{
    return {std::shared_ptr<void>(), &s_interrupted}; // owns nothing: the flag lives as long as the program
}

bool isInterrupted()
{
    return s_interrupted.load();
}

void clearInterrupt()
{
    s_interrupted.store(false);
}

} // namespace kvasir::cli
