#include "session/logitscan.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>

namespace kvasir {
namespace {

constexpr size_t kLanes = 8;
// So many logits are summed in float, 128 a lane, before double takes over: that keeps 1e-6 and costs nothing.
constexpr size_t kFloatSum = 16 * kScanBlock;
constexpr float kLowest = -std::numeric_limits<float>::infinity();

// Eight lanes on every instruction set, so that the sums are taken in one order; one register of AVX2.
typedef float Floats __attribute__((vector_size(kLanes * sizeof(float))));
typedef int32_t Integers __attribute__((vector_size(kLanes * sizeof(int32_t))));

[[gnu::always_inline]] inline void load(const float* source, Floats& target)
{
    std::memcpy(&target, source, sizeof target);
}

// exp(x) for x <= 0, in place: degree 6 on [-ln2/2, ln2/2] after taking 2^n out; coefficients of Cephes' expf
// (Moshier). Below -87 it is 0, which is what it adds to our sums.
[[gnu::always_inline]] inline void expInPlace(Floats& x)
{
    constexpr float kRound = 12582912.0f; // 1.5 * 2^23: adding it rounds to an integer in the low bits
    const Integers tooSmall = x < -87.0f;
    const Floats clamped = tooSmall ? Floats{} - 87.0f : x;
    const Floats shifted = clamped * 1.44269504f + kRound;
    const Floats n = shifted - kRound;
    const Floats r = (clamped - n * 0.693359375f) - n * -2.12194440e-4f;
    Floats p = r * 1.9875691500e-4f + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * r * r + r + 1.0f;
    const Integers scaled = (Integers)p + ((Integers)shifted << 23);
    x = (Floats)(scaled & ~tooSmall);
}

[[gnu::always_inline]] inline void maximaLoop(const float* logits, size_t blocks, float* out, int32_t& notFinite)
{
    Integers flags{};
    for (size_t block = 0; block < blocks; ++block) {
        Floats largest = Floats{} + kLowest;
        for (size_t i = 0; i < kScanBlock; i += kLanes) {
            Floats values;
            load(logits + block * kScanBlock + i, values);
            largest = largest > values ? largest : values;
            flags |= ((Integers)values & 0x7f800000) == 0x7f800000;
        }
        float best = largest[0];
        for (size_t lane = 1; lane < kLanes; ++lane) {
            best = std::max(best, largest[lane]);
        }
        out[block] = best;
    }
    for (size_t lane = 0; lane < kLanes; ++lane) {
        notFinite |= flags[lane];
    }
}

[[gnu::always_inline]] inline void sumsLoop(
    const float* logits, size_t blocks, float largest, float inverse, SoftmaxSums& sums)
{
    const size_t count = blocks * kScanBlock;
    for (size_t start = 0; start < count; start += kFloatSum) {
        Floats weights{};
        Floats weighted{};
        for (size_t i = start; i < std::min(count, start + kFloatSum); i += kLanes) {
            Floats d;
            load(logits + i, d);
            d = (d - largest) * inverse;
            Floats weight = d;
            expInPlace(weight);
            weights += weight;
            weighted += weight > 0.0f ? weight * d : Floats{}; // a banned token has d = -inf
        }
        for (size_t lane = 0; lane < kLanes; ++lane) {
            sums.weights += static_cast<double>(weights[lane]);
            sums.weighted += static_cast<double>(weighted[lane]);
        }
    }
}

struct Loops {
    void (*maxima)(const float* logits, size_t blocks, float* out, int32_t& notFinite);
    void (*sums)(const float* logits, size_t blocks, float largest, float inverse, SoftmaxSums& sums);
};

void maximaAnywhere(const float* logits, size_t blocks, float* out, int32_t& notFinite)
{
    maximaLoop(logits, blocks, out, notFinite);
}
void sumsAnywhere(const float* logits, size_t blocks, float largest, float inverse, SoftmaxSums& sums)
{
    sumsLoop(logits, blocks, largest, inverse, sums);
}

#if defined(__x86_64__)
// The same operations in the same order, eight lanes at a time. Without "fma" nothing can be fused.
[[gnu::target("avx2")]] void maximaAvx2(const float* logits, size_t blocks, float* out, int32_t& notFinite)
{
    maximaLoop(logits, blocks, out, notFinite);
}
[[gnu::target("avx2")]] void sumsAvx2(
    const float* logits, size_t blocks, float largest, float inverse, SoftmaxSums& sums)
{
    sumsLoop(logits, blocks, largest, inverse, sums);
}
#endif

const Loops& loops()
{
    static const Loops chosen = [] {
#if defined(__x86_64__)
        if (__builtin_cpu_supports("avx2")) {
            return Loops{maximaAvx2, sumsAvx2};
        }
#endif
        return Loops{maximaAnywhere, sumsAnywhere};
    }();
    return chosen;
}

/// The last, incomplete block, filled up with `filler`.
struct Tail {
    Tail(std::span<const float> logits, float filler)
    {
        const size_t start = logits.size() / kScanBlock * kScanBlock;
        count = logits.size() - start;
        std::fill(std::begin(values), std::end(values), filler);
        std::copy(logits.begin() + static_cast<std::ptrdiff_t>(start), logits.end(), values);
    }
    float values[kScanBlock];
    size_t count;
};

} // namespace

void scanMaxima(std::span<const float> logits, LogitMaxima& maxima)
{
    const size_t whole = logits.size() / kScanBlock;
    int32_t notFinite = 0;
    maxima.blocks.resize((logits.size() + kScanBlock - 1) / kScanBlock);
    loops().maxima(logits.data(), whole, maxima.blocks.data(), notFinite);
    // Filled with a logit that is there anyway: it changes neither the maximum nor what is finite.
    if (const Tail tail(logits, logits.empty() ? 0 : logits.back()); tail.count > 0) {
        loops().maxima(tail.values, 1, maxima.blocks.data() + whole, notFinite);
    }
    maxima.finite = notFinite == 0;
    maxima.largest = kLowest;
    for (const float block : maxima.blocks) {
        maxima.largest = std::max(maxima.largest, block);
    }
}

SoftmaxSums softmaxSums(std::span<const float> logits, float largest, float temperature)
{
    const size_t whole = logits.size() / kScanBlock;
    const float inverse = 1.0f / temperature;
    SoftmaxSums sums;
    loops().sums(logits.data(), whole, largest, inverse, sums);
    if (const Tail tail(logits, kLowest); tail.count > 0) {
        loops().sums(tail.values, 1, largest, inverse, sums);
    }
    return sums;
}

void selectAbove(
    std::span<const float> logits, const LogitMaxima& maxima, float threshold, std::vector<Candidate>& above)
{
    above.clear();
    for (size_t block = 0; block < maxima.blocks.size(); ++block) {
        if (!(maxima.blocks[block] >= threshold)) {
            continue;
        }
        const size_t end = std::min(logits.size(), (block + 1) * kScanBlock);
        for (size_t i = block * kScanBlock; i < end; ++i) {
            if (logits[i] >= threshold) {
                above.push_back({static_cast<TokenId>(i), logits[i]});
            }
        }
    }
}

void selectTop(std::span<const float> logits, LogitMaxima& maxima, size_t count, std::vector<Candidate>& top)
{
    count = std::min(count, logits.size());
    // The count-th largest block maximum is a threshold that at least `count` logits reach.
    float threshold = kLowest;
    if (count > 0 && count < maxima.blocks.size()) {
        maxima.scratch = maxima.blocks;
        const auto nth = maxima.scratch.begin() + static_cast<std::ptrdiff_t>(count - 1);
        std::nth_element(maxima.scratch.begin(), nth, maxima.scratch.end(), std::greater<>());
        threshold = *nth;
    }
    selectAbove(logits, maxima, threshold, top);
    const auto end = top.begin() + static_cast<std::ptrdiff_t>(std::min(count, top.size()));
    std::partial_sort(top.begin(), end, top.end(), isBefore);
    top.erase(end, top.end());
}

} // namespace kvasir
