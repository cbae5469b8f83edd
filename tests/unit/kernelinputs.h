#pragma once

#include "base/alignedbuffer.h"
#include "base/half.h"
#include "cpu/kernels.h"
#include "quant/blocks.h"

#include <cmath>
#include <cstring>
#include <vector>

// Inputs for kernels. No Qt: cross-compiled checks use it too.

namespace kvasir::testing {

inline constexpr TensorType kPackableTypes[] = {TensorType::F32, TensorType::F16, TensorType::BF16, TensorType::Q4_0,
    TensorType::Q4_1, TensorType::Q5_0, TensorType::Q5_1, TensorType::Q8_0, TensorType::Q2_K, TensorType::Q3_K,
    TensorType::Q4_K, TensorType::Q5_K, TensorType::Q6_K, TensorType::IQ4_NL, TensorType::IQ4_XS, TensorType::MXFP4,
    TensorType::TQ1_0, TensorType::TQ2_0};

/// Whether matrices stored as `source` meet activations of 8 bits.
inline bool meetsInt8(TensorType source)
{
    return cpu::usesInt8Activations(cpu::packedType(source));
}

/// xorshift64*: the same numbers everywhere.
class Random {
public:
    explicit Random(uint64_t seed)
        : m_state(seed * 0x9e3779b97f4a7c15u + 1)
    {
    }
    uint32_t bits()
    {
        m_state ^= m_state >> 12;
        m_state ^= m_state << 25;
        m_state ^= m_state >> 27;
        return static_cast<uint32_t>(m_state * 0x2545f4914f6cdd1du >> 32);
    }
    int below(int n) { return static_cast<int>(bits() % static_cast<uint32_t>(n)); }
    float uniform() { return static_cast<float>(bits() >> 8) * 0x1p-24f; }
    /// Near normal: the sum of twelve uniform numbers.
    float normal()
    {
        float sum = -6;
        for (int i = 0; i < 12; i++) {
            sum += uniform();
        }
        return sum;
    }

private:
    uint64_t m_state;
};

/// Normal values, one in a hundred 20 times as large.
inline std::vector<float> randomFloats(size_t n, Random& random, float deviation = 1)
{
    std::vector<float> values(n);
    for (float& value : values) {
        value = random.normal() * deviation * (random.below(100) == 0 ? 20.0f : 1.0f);
    }
    return values;
}

template <class Block> void setScales(std::vector<std::byte>& source, Random& random)
{
    const auto scale = [&] { return floatToHalf((random.uniform() - 0.3f) * 0.01f); };
    for (size_t at = 0; at < source.size(); at += sizeof(Block)) {
        Block block;
        std::memcpy(&block, source.data() + at, sizeof block);
        block.scale = scale();
        if constexpr (requires { block.min; }) {
            block.min = scale();
        }
        std::memcpy(source.data() + at, &block, sizeof block);
    }
}

/// Rows of any bits but for their scales, which are of ordinary size and either sign.
inline std::vector<std::byte> randomSource(TensorType type, int rows, int columns, Random& random)
{
    std::vector<std::byte> source(rowBytes(type, static_cast<size_t>(columns)) * static_cast<size_t>(rows));
    for (std::byte& byte : source) {
        byte = static_cast<std::byte>(random.bits());
    }
    const auto floats = [&]<class T>(T (*encode)(float)) {
        for (size_t at = 0; at < source.size(); at += sizeof(T)) {
            const T value = encode(random.normal() * 0.05f);
            std::memcpy(source.data() + at, &value, sizeof value);
        }
    };
    switch (type) {
    case TensorType::F32:
        floats(+[](float x) { return x; });
        break;
    case TensorType::F16:
        floats(+[](float x) { return floatToHalf(x); });
        break;
    case TensorType::BF16:
        floats(+[](float x) { return floatToBfloat(x); });
        break;
    case TensorType::Q4_0:
        setScales<BlockQ4_0>(source, random);
        break;
    case TensorType::Q4_1:
        setScales<BlockQ4_1>(source, random);
        break;
    case TensorType::Q5_0:
        setScales<BlockQ5_0>(source, random);
        break;
    case TensorType::Q5_1:
        setScales<BlockQ5_1>(source, random);
        break;
    case TensorType::Q8_0:
        setScales<BlockQ8_0>(source, random);
        break;
    case TensorType::Q4_K:
        setScales<BlockQ4_K>(source, random);
        break;
    case TensorType::Q5_K:
        setScales<BlockQ5_K>(source, random);
        break;
    case TensorType::Q6_K:
        setScales<BlockQ6_K>(source, random);
        break;
    case TensorType::Q2_K:
        setScales<BlockQ2_K>(source, random);
        break;
    case TensorType::Q3_K:
        setScales<BlockQ3_K>(source, random);
        break;
    case TensorType::IQ4_NL:
        setScales<BlockIQ4_NL>(source, random);
        break;
    case TensorType::IQ4_XS:
        setScales<BlockIQ4_XS>(source, random);
        break;
    case TensorType::TQ1_0:
        setScales<BlockTQ1_0>(source, random);
        break;
    case TensorType::TQ2_0:
        setScales<BlockTQ2_0>(source, random);
        break;
    case TensorType::MXFP4:
        for (size_t at = 0; at < source.size(); at += sizeof(BlockMXFP4)) {
            source[at] = static_cast<std::byte>(114 + random.below(8));
        }
        break;
    }
    return source;
}

/// A packed matrix with its memory.
struct OwnedMatrix {
    cpu::PackedMatrix matrix;
    AlignedBuffer memory;

    OwnedMatrix(TensorType type, int rows, int columns)
        : matrix(cpu::packedShape(cpu::packedType(type), rows, columns))
        , memory(std::move(*AlignedBuffer::allocate(matrix.bytes())))
    {
        matrix.data = memory.data();
    }
};

inline bool sameBits(const float* a, const float* b, size_t n)
{
    return std::memcmp(a, b, n * sizeof(float)) == 0;
}

} // namespace kvasir::testing
