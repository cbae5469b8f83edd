#include "huggingface/rowmakers.h"

#include "quant/blocks.h"

#include <cstring>

namespace kvasir {

void StridedRows::make(uint64_t first, uint64_t count, std::byte* target) const
{
    const Shape& s = m_shape;
    const size_t rowSize = s.columns * s.valueBytes;
    // Neighbouring rows of a transposed matrix are neighbours in memory: columns outside.
    for (uint64_t column = 0; column < s.columns; ++column) {
        for (uint64_t i = 0; i < count; ++i) {
            const uint64_t row = first + i;
            const std::byte* source = s.data + row / s.rowsPerMatrix * s.matrixStep + row % s.rowsPerMatrix * s.rowStep
                + column * s.columnStep;
            std::memcpy(target + i * rowSize + column * s.valueBytes, source, s.valueBytes);
        }
    }
}

void OnePlusRow::make(uint64_t, uint64_t, std::byte* target) const
{
    std::vector<float> values(m_columns);
    dequantizeRow(m_type, m_data, values.data(), m_columns);
    for (float& value : values) {
        value += 1;
    }
    std::memcpy(target, values.data(), m_columns * sizeof(float));
}

void SplitMxfp4Rows::make(uint64_t first, uint64_t count, std::byte* target) const
{
    constexpr size_t kHalf = kSmallBlock / 2;
    for (uint64_t row = first; row < first + count; ++row) {
        const uint64_t stored =
            row / m_shape.rowsPerMatrix * m_shape.matrixStep + row % m_shape.rowsPerMatrix * m_shape.rowStep;
        const auto* nibbles = reinterpret_cast<const uint8_t*>(m_shape.nibbles) + stored * m_shape.blocks * kHalf;
        const auto* scales = reinterpret_cast<const uint8_t*>(m_shape.scales) + stored * m_shape.blocks;
        for (uint64_t block = 0; block < m_shape.blocks; ++block, nibbles += kHalf) {
            *target++ = std::byte(scales[block]);
            const auto value = [&](size_t i) { return nibbles[i / 2] >> (i % 2 * 4) & 15; };
            for (size_t i = 0; i < kHalf; ++i) {
                *target++ = std::byte(value(i) | value(i + kHalf) << 4);
            }
        }
    }
}

} // namespace kvasir
