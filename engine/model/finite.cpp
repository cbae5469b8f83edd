#include "model/finite.h"

#include <cstring>

namespace kvasir {

namespace {

/// Looks at `perBlock` numbers of type T from byte `at` of every block; `mask` are the exponent's bits.
template <class T>
bool blocksFinite(const std::byte* data, size_t blocks, size_t stride, size_t at, size_t perBlock, T mask)
{
    unsigned bad = 0;
    for (size_t i = 0; i < blocks; ++i) {
        for (size_t k = 0; k < perBlock; ++k) {
            T bits;
            std::memcpy(&bits, data + i * stride + at + k * sizeof(T), sizeof(T));
            bad |= static_cast<T>(bits & mask) == mask ? 1U : 0U;
        }
    }
    return bad == 0;
}

} // namespace

bool allFinite(TensorType type, const std::byte* data, uint64_t count)
{
    constexpr uint16_t kHalf = 0x7c00;
    constexpr uint16_t kBfloat = 0x7f80;
    constexpr uint32_t kFloat = 0x7f800000;
    const BlockShape shape = blockShape(type);
    const auto blocks = static_cast<size_t>(count / shape.values);
    const auto halves = [&](size_t at, size_t perBlock) {
        return blocksFinite<uint16_t>(data, blocks, shape.bytes, at, perBlock, kHalf);
    };
    switch (type) {
    case TensorType::F32:
        return blocksFinite<uint32_t>(data, blocks, 4, 0, 1, kFloat);
    case TensorType::BF16:
        return blocksFinite<uint16_t>(data, blocks, 2, 0, 1, kBfloat);
    case TensorType::F16:
    case TensorType::Q4_0:
    case TensorType::Q5_0:
    case TensorType::Q8_0:
    case TensorType::IQ4_NL:
    case TensorType::IQ4_XS:
        return halves(0, 1); // d
    case TensorType::Q4_1:
    case TensorType::Q5_1:
    case TensorType::Q4_K:
    case TensorType::Q5_K:
        return halves(0, 2); // d and minimum
    // Behind codes and scales:
    case TensorType::Q2_K:
        return halves(80, 2);
    case TensorType::Q3_K:
        return halves(108, 1);
    case TensorType::Q6_K:
        return halves(208, 1);
    case TensorType::TQ1_0:
        return halves(52, 1);
    case TensorType::TQ2_0:
        return halves(64, 1);
    case TensorType::MXFP4:
        return true; // a power of two
    }
    return true;
}

bool allFinite(const float* values, size_t count)
{
    return allFinite(TensorType::F32, reinterpret_cast<const std::byte*>(values), count);
}

} // namespace kvasir
