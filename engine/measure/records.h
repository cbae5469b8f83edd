#pragma once

#include "base/clock.h"
#include "base/types.h"

#include <array>
#include <cstdint>
#include <vector>

namespace kvasir {

using RequestId = uint64_t;

/// One pass of the model over a list of rows.
struct StepRecord {
    uint64_t index = 0;
    TimePoint start{};
    Nanoseconds duration{0};
    int rows = 0;             ///< tokens computed
    int threads = 0;          ///< that computed them: fewer than there are where the machine is busy
    int prefillRows = 0;      ///< of them, from prompts
    int decodeRows = 0;       ///< of them, one for each sequence that is generating
    Nanoseconds attention{0}; ///< norm, QKV, rope, scores, output projection
    Nanoseconds feedForward{0};
    Nanoseconds head{0}; ///< final norm and logits
    Nanoseconds sampling{0};
    uint64_t bytesRead = 0;  ///< weights and KV that the step must read
    uint64_t operations = 0; ///< multiplications and additions (2 a weight and row, plus attention)
};

inline constexpr int kAlternatives = 5;

struct Alternative {
    TokenId token = kNoToken;
    float probability = 0;
};

/// One generated token.
struct TokenRecord {
    RequestId request = 0;
    int index = 0; ///< 0 for the first token of a reply
    TokenId token = kNoToken;
    Nanoseconds sinceSubmit{0}; ///< when it left the sampler; for index 0 this is TTFT
    Nanoseconds gap{0};         ///< to the token before it (ITL); 0 for index 0
    float probability = 0;      ///< under the model at temperature 1, before penalties and truncation
    float entropy = 0;          ///< of that distribution, in bits
    std::array<Alternative, kAlternatives> alternatives{}; ///< the most likely ones, best first
    uint64_t step = 0;                                     ///< index of the StepRecord that made it
    bool isReasoning = false; ///< from the mark that begins the reasoning to the one that ends it
};

enum class StopReason { None, Eos, Stop, Length, Cancelled, Context, Failed };

/// "eos", "stop", "length", "cancelled", "context", "failed"; "" for None.
const char* stopReasonName(StopReason reason);

/// One reply, complete when `stopReason` is set. Definitions: TTFT is submitted (before tokenization) to the first
/// token; TPOT is (end to end - TTFT) / (tokens - 1).
struct ReplyStats {
    RequestId request = 0;
    Nanoseconds queue{0};   ///< submitted to first scheduled
    Nanoseconds prefill{0}; ///< first scheduled to first token
    Nanoseconds ttft{0};
    Nanoseconds ttfo{0};      ///< submitted to the first token of the answer, behind the reasoning; 0: there was none
    Nanoseconds reasoning{0}; ///< first to last token of the reasoning
    Nanoseconds endToEnd{0};
    std::vector<Nanoseconds> itl; ///< every gap; one less than `generatedTokens`
    int promptTokens = 0;
    int cachedTokens = 0; ///< of the prompt, taken from the KV cache
    int generatedTokens = 0;
    int reasoningTokens = 0; ///< of them
    StopReason stopReason = StopReason::None;

    double tpotMilliseconds() const;       ///< 0 where fewer than two tokens
    double prefillTokensPerSecond() const; ///< (promptTokens - cachedTokens) / prefill
    double decodeTokensPerSecond() const;  ///< (generatedTokens - 1) / (endToEnd - ttft)
};

} // namespace kvasir
