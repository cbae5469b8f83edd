#pragma once

#include "files/modelfile.h"

namespace kvasir {

/// Rows whose values stand apart in the file: value c of row r of matrix m is at
/// `data + matrix * matrixStep + r * rowStep + c * columnStep`, in bytes.
class StridedRows final : public RowMaker {
public:
    struct Shape {
        const std::byte* data = nullptr;
        size_t valueBytes = 0;
        uint64_t columns = 0;
        uint64_t rowsPerMatrix = 1;
        size_t matrixStep = 0;
        size_t rowStep = 0;
        size_t columnStep = 0;
    };

    explicit StridedRows(const Shape& shape)
        : m_shape(shape)
    {
    }
    void make(uint64_t first, uint64_t count, std::byte* target) const override;

private:
    const Shape m_shape;
};

/// One row of floats: 1 + each value.
class OnePlusRow final : public RowMaker {
public:
    OnePlusRow(const std::byte* data, TensorType type, uint64_t columns)
        : m_data(data)
        , m_type(type)
        , m_columns(columns)
    {
    }
    void make(uint64_t first, uint64_t count, std::byte* target) const override;

private:
    const std::byte* m_data;
    TensorType m_type;
    uint64_t m_columns;
};

/// MXFP4 rows whose nibbles and scales stand apart, the nibbles in the order of the values (low one first); GGUF has
/// each scale before its nibbles, half a block apart.
class SplitMxfp4Rows final : public RowMaker {
public:
    /// `rowStep`, `matrixStep` in rows of the file: gate and up alternate.
    struct Shape {
        const std::byte* nibbles = nullptr; ///< of the first row: 16 bytes a block
        const std::byte* scales = nullptr;  ///< a byte a block
        uint64_t blocks = 0;                ///< in a row
        uint64_t rowsPerMatrix = 1;
        uint64_t matrixStep = 0;
        uint64_t rowStep = 1;
    };

    explicit SplitMxfp4Rows(const Shape& shape)
        : m_shape(shape)
    {
    }
    void make(uint64_t first, uint64_t count, std::byte* target) const override;

private:
    const Shape m_shape;
};

} // namespace kvasir
