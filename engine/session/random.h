#pragma once

#include <array>
#include <cstdint>

namespace kvasir {

/// Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011): a function of key and counter,
/// so that token n of a reply is drawn with the same number however the reply was scheduled.
inline std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key)
{
    for (int round = 0; round < 10; ++round) {
        const uint64_t first = uint64_t{0xD2511F53} * counter[0];
        const uint64_t second = uint64_t{0xCD9E8D57} * counter[2];
        counter = {static_cast<uint32_t>(second >> 32) ^ counter[1] ^ key[0], static_cast<uint32_t>(second),
            static_cast<uint32_t>(first >> 32) ^ counter[3] ^ key[1], static_cast<uint32_t>(first)};
        key[0] += 0x9E3779B9;
        key[1] += 0xBB67AE85;
    }
    return counter;
}

/// A number in [0, 1) for token `index` of a reply with this seed; 53 random bits.
inline double uniformAt(uint64_t seed, uint64_t index)
{
    const auto words = philox({static_cast<uint32_t>(index), static_cast<uint32_t>(index >> 32), 0, 0},
        {static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)});
    return static_cast<double>((uint64_t{words[0]} << 32 | words[1]) >> 11) * 0x1p-53;
}

} // namespace kvasir
