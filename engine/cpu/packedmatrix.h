#pragma once

#include "quant/tensortype.h"

#include <cstddef>
#include <cstdint>

namespace kvasir::cpu {

inline constexpr int kPanelRows = 16;    ///< rows of a panel: one AVX-512 register of results
inline constexpr int kGroupColumns = 32; ///< columns that share a scale, and a group of quantized activations

/// Weights in the order in which the kernels read them. A panel is 16 rows and one stream of bytes from front to back;
/// one SIMD lane is one row. Nothing is lost against the source. Rows beyond the end of the last panel are zero.
///
/// F32, F16: [column][16 rows]. BF16: [column pair][16 rows][2], an odd last column paired with zero.
/// The others: records of 2 groups of 32 columns (K-quants: a super-block of 8), an odd last group paired with zeros. A
/// record has, each part a multiple of 64 bytes:
///   super-blocks only: FP16 d of 16 rows, then FP16 dmin (Q4_K, Q5_K, Q2_K) or 32 unused bytes (Q6_K, IQ4_XS)
///   scales: per group 16 FP16, or 16 u8 (Q4_K, Q5_K), or 2 x 16 u8 (Q2_K), or 2 x 16 i8 (Q6_K), or 16 i8 (IQ4_XS)
///   minima, if any: as many of the same kind
///   codes: per group 256 bytes of nibbles, then 64 bytes of fifth bits or 128 bytes of fifth and sixth bits; Q8_0 and
///   IQ4_XS, whose nibbles are looked up before, 512 bytes
/// Codes are unsigned: value = scale * (code - offset) + minimum, offset 8, 16, 32, 128 or 0. Step s (0..7) of a group
/// holds for each row its codes of columns 4s..4s+3: what one vpdpbusd eats. Byte i of nibble vector t (64 bytes) has
/// step 2t low and 2t+1 high. Bit j of a byte of fifth bits is step j. Bits 2j and 2j+1 of vector t of fifth and sixth
/// bits are step 4t+j.
struct PackedMatrix {
    TensorType type = TensorType::F32;
    int rows = 0;
    int columns = 0;
    int panels = 0;            ///< of 16 rows, the last one perhaps in part
    size_t panelBytes = 0;     ///< a multiple of 64
    std::byte* data = nullptr; ///< panels x panelBytes, aligned to 64, not owned

    size_t bytes() const { return static_cast<size_t>(panels) * panelBytes; }
};

/// The type that matrices of the stored type `source` are packed as, without loss: most as themselves; Q3_K as Q6_K;
/// IQ4_NL and MXFP4, looked up, as Q8_0; TQ1_0 and TQ2_0 as Q4_0.
TensorType packedType(TensorType source);
/// Whether products of this packed type take activations quantized to int8 (else floats).
bool usesInt8Activations(TensorType packed);
/// The columns of a stored matrix are a multiple of this: 1, 32 or 256.
int columnUnit(TensorType source);
/// Whether blocks of this type, one after the other, can be packed without loss. Only those of MXFP4 may not: powers of
/// two below 2^-23 and above 2^16 have no place in an FP16 scale, and no weight that was trained.
bool packsWithoutLoss(TensorType source, const std::byte* data, uint64_t values);

/// A matrix without memory: all fields but `data`, and bytes() tells what it needs. `columns` must be a multiple of
/// columnUnit() of what is packed into it, both sizes at least 1.
PackedMatrix packedShape(TensorType packed, int rows, int columns);
/// packedShape(packed, rows, columns).bytes().
size_t packedBytes(TensorType packed, int rows, int columns);

/// Where source rows go. Several tensors of the same type and columns can be stacked in one matrix (Q, K and V). With
/// `stride` 2 their panels alternate: gate in the even panels (firstRow 0) and up in the odd ones (firstRow 16) of a
/// matrix of interleavedRows(n) rows, so that a thread's panels hold both halves of its outputs.
struct RowPlacement {
    int firstRow = 0; ///< of the packed matrix; a multiple of 16 where stride is not 1
    int stride = 1;   ///< source panel p becomes packed panel firstRow / 16 + p * stride
};
/// Rows of a matrix in which two tensors of `rows` rows each alternate by panels.
inline int interleavedRows(int rows)
{
    return (rows + kPanelRows - 1) / kPanelRows * kPanelRows * 2;
}

/// Packs rows [first, last) of a source tensor of type `type` (rows one after the other, as in a GGUF file; no
/// alignment needed) into `matrix`, which is of packedType(type) and whose memory must have been zero before. Threads
/// may pack parts at the same time if each part begins in a packed panel of its own.
void packRows(const PackedMatrix& matrix, TensorType type, const std::byte* source, int first, int last,
    const RowPlacement& placement = {});

/// Row `row` as floats: `matrix.columns` values, bit-equal to dequantizeRow() of the source. A tied embedding is read
/// so.
void unpackRow(const PackedMatrix& matrix, int row, float* out);

} // namespace kvasir::cpu
