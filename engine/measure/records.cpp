#include "measure/records.h"

namespace kvasir {

const char* stopReasonName(StopReason reason)
{
    switch (reason) {
    case StopReason::None:
        return "";
    case StopReason::Eos:
        return "eos";
    case StopReason::Stop:
        return "stop";
    case StopReason::Length:
        return "length";
    case StopReason::Cancelled:
        return "cancelled";
    case StopReason::Context:
        return "context";
    case StopReason::Failed:
        return "failed";
    }
    return "";
}

double ReplyStats::tpotMilliseconds() const
{
    return generatedTokens < 2 ? 0.0 : toMilliseconds(endToEnd - ttft) / (generatedTokens - 1);
}

double ReplyStats::prefillTokensPerSecond() const
{
    return prefill.count() <= 0 ? 0.0 : (promptTokens - cachedTokens) / toSeconds(prefill);
}

double ReplyStats::decodeTokensPerSecond() const
{
    const Nanoseconds decode = endToEnd - ttft;
    return generatedTokens < 2 || decode.count() <= 0 ? 0.0 : (generatedTokens - 1) / toSeconds(decode);
}

} // namespace kvasir
