#pragma once

#include "cpu/packedmatrix.h"

namespace kvasir::cpu {

// Offsets inside a record of quantized weights; packedmatrix.h tells the layout in words. Constants only: this header
// is included by files with different -m flags, and an inline function of theirs could be linked into the others.

enum class ScaleKind {
    Half,        ///< an FP16 scale a group
    Bytes,       ///< an FP16 d a super-block times an u8 a group or half group (Q4_K, Q5_K, Q2_K)
    SignedBytes, ///< the same with an i8 (IQ4_XS, Q6_K)
};

inline constexpr int kMostHalves = 2;

/// What a product asks for of a code.
enum class CodePart { Whole, LowNibble, HighNibble };

/// Halves: scales, and minima if any, of a group.
template <int Bits, int OffsetShift, ScaleKind Kind, bool HasMin, int Halves = 1> struct RecordLayout {
    static_assert(Bits != 8 || OffsetShift == 7, "NEON takes the offset off with the sign bit");
    static constexpr int bits = Bits;
    static constexpr bool hasOffset = OffsetShift >= 0;
    static constexpr int offset = hasOffset ? 1 << (hasOffset ? OffsetShift : 0) : 0;
    static constexpr ScaleKind kind = Kind;
    static constexpr bool hasMin = HasMin;
    static constexpr int halves = Halves;
    static constexpr int groups = Kind == ScaleKind::Half ? 2 : 8;

    static constexpr size_t scaleAt = Kind == ScaleKind::Half ? 0 : 64;
    static constexpr size_t scaleBytes = Kind == ScaleKind::Half ? 32 : 16 * Halves; ///< of a group
    static constexpr size_t minAt = scaleAt + groups * scaleBytes;
    static constexpr size_t minBytes = HasMin ? scaleBytes : 0;
    static constexpr size_t codesAt = minAt + groups * minBytes;
    static constexpr size_t highAt = 256; ///< fifth and sixth bits, from the start of a group's codes
    static constexpr size_t codeBytes = Bits == 8 ? 512 : Bits == 6 ? 384 : Bits == 5 ? 320 : 256;
    static constexpr size_t recordBytes = codesAt + groups * codeBytes;
};

template <TensorType T> struct Layout;
template <> struct Layout<TensorType::Q4_0> : RecordLayout<4, 3, ScaleKind::Half, false> {
};
template <> struct Layout<TensorType::Q4_1> : RecordLayout<4, -1, ScaleKind::Half, true> {
};
template <> struct Layout<TensorType::Q5_0> : RecordLayout<5, 4, ScaleKind::Half, false> {
};
template <> struct Layout<TensorType::Q5_1> : RecordLayout<5, -1, ScaleKind::Half, true> {
};
template <> struct Layout<TensorType::Q8_0> : RecordLayout<8, 7, ScaleKind::Half, false> {
};
template <> struct Layout<TensorType::Q4_K> : RecordLayout<4, -1, ScaleKind::Bytes, true> {
};
template <> struct Layout<TensorType::Q5_K> : RecordLayout<5, -1, ScaleKind::Bytes, true> {
};
template <> struct Layout<TensorType::Q6_K> : RecordLayout<6, 5, ScaleKind::SignedBytes, false, 2> {
};
template <> struct Layout<TensorType::Q2_K> : RecordLayout<4, -1, ScaleKind::Bytes, true, 2> {
};
template <> struct Layout<TensorType::IQ4_XS> : RecordLayout<8, 7, ScaleKind::SignedBytes, false> {
};

} // namespace kvasir::cpu
