#pragma once

// Products of packed weights and activation rows.
//
// One lane is one output with one float sum of its own, which runs over columns in order: so a row's bits do not depend
// on what is computed beside it. Up to kDirectRows rows the codes are unpacked in registers while the weights stream
// past. For more, panels are unpacked once to scratch (codes as bytes, scales and minima as floats) and tiles of
// kTilePanels x kTileRows run over them.

#include "cpu/simd.h"

namespace kvasir::cpu {
namespace {

KVASIR_INLINE int smaller(int a, int b)
{
    return a < b ? a : b;
}
KVASIR_INLINE int larger(int a, int b)
{
    return a > b ? a : b;
}
KVASIR_INLINE const std::byte* panelAt(const PackedMatrix& matrix, int panel)
{
    return matrix.data + static_cast<size_t>(panel) * matrix.panelBytes;
}

/// Steps 2t and 2t + 1 of a group whose codes begin at `codes`.
template <TensorType T> KVASIR_INLINE void loadPackedSteps(const std::byte* codes, int t, Bytes& even, Bytes& odd)
{
    using L = Layout<T>;
    if constexpr (L::bits == 8) {
        even = loadBytes(codes + t * 128);
        odd = loadBytes(codes + t * 128 + 64);
        return;
    }
    splitNibbles(loadBytes(codes + t * 64), even, odd);
    if constexpr (L::bits == 5) {
        const Bytes high = loadBytes(codes + L::highAt);
        switch (t) {
        case 0:
            even = addHighBits<0, 1>(even, high);
            odd = addHighBits<1, 1>(odd, high);
            break;
        case 1:
            even = addHighBits<2, 1>(even, high);
            odd = addHighBits<3, 1>(odd, high);
            break;
        case 2:
            even = addHighBits<4, 1>(even, high);
            odd = addHighBits<5, 1>(odd, high);
            break;
        default:
            even = addHighBits<6, 1>(even, high);
            odd = addHighBits<7, 1>(odd, high);
        }
    } else if constexpr (L::bits == 6) {
        const Bytes high = loadBytes(codes + L::highAt + t / 2 * 64);
        if (t % 2 == 0) {
            even = addHighBits<0, 3>(even, high);
            odd = addHighBits<2, 3>(odd, high);
        } else {
            even = addHighBits<4, 3>(even, high);
            odd = addHighBits<6, 3>(odd, high);
        }
    }
}

template <CodePart Part> KVASIR_INLINE void takePart(Bytes& codes)
{
    Bytes other;
    if constexpr (Part == CodePart::LowNibble) {
        splitNibbles(codes, codes, other);
    } else if constexpr (Part == CodePart::HighNibble) {
        splitNibbles(codes, other, codes);
    }
}
/// Bytes of a group's codes in scratch: one a code, or its nibbles apart.
template <TensorType T> inline constexpr size_t kScratchCodes = Layout<T>::bits == 8 && kSplitsBytes ? 1024 : 512;

/// Group `group` of a record in its packed form, as addGroup() asks for it.
template <TensorType T> struct PackedGroup {
    using L = Layout<T>;
    const std::byte* record;
    int group;

    template <CodePart Part> KVASIR_INLINE void steps(int, int t, Bytes& even, Bytes& odd) const
    {
        loadPackedSteps<T>(record + L::codesAt + static_cast<size_t>(group) * L::codeBytes, t, even, odd);
        takePart<Part>(even);
        takePart<Part>(odd);
    }
    KVASIR_INLINE Floats scale(int, int half) const
    {
        const std::byte* at = record + L::scaleAt + static_cast<size_t>(group) * L::scaleBytes;
        if constexpr (L::kind == ScaleKind::Half) {
            return loadHalves(at);
        } else if constexpr (L::kind == ScaleKind::Bytes) {
            return mul(loadHalves(record), loadUnsignedBytes(at + half * 16));
        } else {
            return mul(loadHalves(record), loadSignedBytes(at + half * 16));
        }
    }
    KVASIR_INLINE Floats min(int, int half) const
    {
        const std::byte* at = record + L::minAt + static_cast<size_t>(group) * L::minBytes;
        if constexpr (L::kind == ScaleKind::Half) {
            return loadHalves(at);
        } else {
            return mul(negate(loadHalves(record + 32)), loadUnsignedBytes(at + half * 16));
        }
    }
};

/// A group of kTilePanels or fewer panels in scratch.
template <TensorType T> struct UnpackedGroup {
    const std::byte* codes;
    const float* scales;
    const float* minima;
    size_t groups; ///< of a panel: panels follow one another in each of the three planes

    template <CodePart Part> KVASIR_INLINE void steps(int panel, int t, Bytes& even, Bytes& odd) const
    {
        const std::byte* at = codes + static_cast<size_t>(panel) * groups * kScratchCodes<T> + t * 128;
        if constexpr (Part == CodePart::HighNibble) {
            at += 512;
        }
        even = loadBytes(at);
        odd = loadBytes(at + 64);
    }
    KVASIR_INLINE Floats scale(int panel, int half) const { return load(scales + offset(panel, half)); }
    KVASIR_INLINE Floats min(int panel, int half) const { return load(minima + offset(panel, half)); }

private:
    KVASIR_INLINE size_t offset(int panel, int half) const
    {
        return (static_cast<size_t>(panel) * groups * Layout<T>::halves + static_cast<size_t>(half)) * kLanes;
    }
};

/// acc[i][j] += group of panel i times the same group of row j, whose block is x[j * groups]. This is the arithmetic
/// that fixes the bits; see Kernels::matmul.
template <TensorType T, int Panels, int Rows, class Group>
KVASIR_INLINE void addGroup(const Group& group, const ActBlock* x, size_t groups, Floats (&acc)[Panels][Rows])
{
    using L = Layout<T>;
    const auto steps = [&]<CodePart Part>(
                           int i, int t, Bytes& even, Bytes& odd) { group.template steps<Part>(i, t, even, odd); };
    const auto part = [&]<int Half>() {
        int32_t start[Rows];
        KVASIR_UNROLL
        for (int j = 0; j < Rows; j++) {
            const ActBlock& block = x[static_cast<size_t>(j) * groups];
            start[j] = L::halves == 2 ? block.negativeSums[Half] * L::offset
                                      : (block.negativeSums[0] + block.negativeSums[1]) * L::offset;
        }
        Integers sums[Panels][Rows];
        dotSteps<L::bits, Half * 8 / L::halves, 8 / L::halves>(steps, x->q, groups * sizeof(ActBlock), start, sums);
        KVASIR_UNROLL
        for (int j = 0; j < Rows; j++) {
            const Floats d = broadcast(x[static_cast<size_t>(j) * groups].d);
            KVASIR_UNROLL
            for (int i = 0; i < Panels; i++) {
                acc[i][j] = fma(toFloats(sums[i][j]), mul(group.scale(i, Half), d), acc[i][j]);
            }
        }
    };
    part.template operator()<0>();
    if constexpr (L::halves == 2) {
        part.template operator()<1>();
    }
    if constexpr (L::hasMin) {
        KVASIR_UNROLL
        for (int half = 0; half < L::halves; half++) {
            KVASIR_UNROLL
            for (int j = 0; j < Rows; j++) {
                const ActBlock& block = x[static_cast<size_t>(j) * groups];
                const Floats sum =
                    broadcast(L::halves == 2 ? block.d * static_cast<float>(-block.negativeSums[half]) : block.sum);
                KVASIR_UNROLL
                for (int i = 0; i < Panels; i++) {
                    acc[i][j] = fma(group.min(i, half), sum, acc[i][j]);
                }
            }
        }
    }
}

template <int Panels, int Rows>
KVASIR_INLINE void storeTile(const MatmulArguments& a, int panel, int row, const Floats (&acc)[Panels][Rows])
{
    KVASIR_UNROLL
    for (int i = 0; i < Panels; i++) {
        const int first = (panel + i) * kPanelRows;
        const int left = a.weights->rows - first;
        KVASIR_UNROLL
        for (int j = 0; j < Rows; j++) {
            float* y = a.y + static_cast<size_t>(row + j) * a.yStride + first;
            if (left >= kPanelRows) {
                store(y, acc[i][j]);
            } else {
                storePartial(y, left, acc[i][j]);
            }
        }
    }
}
template <int Panels, int Rows> KVASIR_INLINE void clearTile(Floats (&acc)[Panels][Rows])
{
    KVASIR_UNROLL
    for (int i = 0; i < Panels; i++) {
        KVASIR_UNROLL
        for (int j = 0; j < Rows; j++) {
            acc[i][j] = zero();
        }
    }
}

/// Asks for what lies `Bytes` further on with each call, so that reading weights overlaps with computing.
template <size_t Bytes> KVASIR_INLINE void prefetchNext(const std::byte*& ahead)
{
    if (ahead) {
        for (size_t i = 0; i < Bytes; i += 64) {
            prefetch(ahead + i);
        }
        ahead += Bytes;
    }
}

// The inner loops are functions of their own (noinline), or the registers of all their callers' loops spill into them.

/// Panel `panel` times rows [row, row + Rows), unpacked in registers. `ahead`, if set, is the packed form of the next
/// panel.
template <TensorType T, int Rows>
[[gnu::noinline]] void direct(const MatmulArguments& a, int panel, int row, const std::byte* ahead)
{
    using L = Layout<T>;
    const auto groups = static_cast<size_t>(a.weights->columns / kGroupColumns);
    const ActBlock* x = a.blocks + static_cast<size_t>(row) * groups;
    const std::byte* record = panelAt(*a.weights, panel);
    Floats acc[1][Rows];
    clearTile(acc);
    for (size_t g = 0; g < groups; record += L::recordBytes) {
        for (int i = 0; i < L::groups && g < groups; i++, g++) {
            prefetchNext<L::recordBytes / L::groups>(ahead);
            addGroup<T>(PackedGroup<T>{record, i}, x + g, groups, acc);
        }
    }
    storeTile(a, panel, row, acc);
}

/// Scratch of one thread: bytes of codes, floats of scales, floats of minima, each panel after panel.
struct Scratch {
    std::byte* codes;
    float* scales;
    float* minima;
};
KVASIR_INLINE Scratch scratchAt(std::byte* memory, size_t groups, size_t codeBytes)
{
    Scratch s;
    s.codes = memory;
    s.scales = reinterpret_cast<float*>(memory + kTilePanels * groups * codeBytes);
    s.minima = s.scales + kTilePanels * groups * kMostHalves * kLanes;
    return s;
}

/// The codes of a group as UnpackedGroup finds them.
template <TensorType T> KVASIR_INLINE void storeCodes(const PackedGroup<T>& group, std::byte* codes)
{
    const auto part = [&]<CodePart Part>(std::byte* at) {
        KVASIR_UNROLL
        for (int t = 0; t < 4; t++) {
            Bytes even;
            Bytes odd;
            group.template steps<Part>(0, t, even, odd);
            storeBytes(at + t * 128, even);
            storeBytes(at + t * 128 + 64, odd);
        }
    };
    if constexpr (kScratchCodes<T> == 1024) {
        part.template operator()<CodePart::LowNibble>(codes);
        part.template operator()<CodePart::HighNibble>(codes + 512);
    } else {
        part.template operator()<CodePart::Whole>(codes);
    }
}

template <TensorType T> [[gnu::noinline]] void unpack(const PackedMatrix& matrix, int panel, const Scratch& s, int slot)
{
    using L = Layout<T>;
    const auto groups = static_cast<size_t>(matrix.columns / kGroupColumns);
    const std::byte* record = panelAt(matrix, panel);
    std::byte* codes = s.codes + static_cast<size_t>(slot) * groups * kScratchCodes<T>;
    float* scales = s.scales + static_cast<size_t>(slot) * groups * L::halves * kLanes;
    float* minima = s.minima + static_cast<size_t>(slot) * groups * L::halves * kLanes;
    for (size_t g = 0; g < groups; record += L::recordBytes) {
        for (int i = 0; i < L::groups && g < groups; i++, g++) {
            const PackedGroup<T> group{record, i};
            storeCodes(group, codes);
            codes += kScratchCodes<T>;
            for (int half = 0; half < L::halves; half++, scales += kLanes) {
                store(scales, group.scale(0, half));
                if constexpr (L::hasMin) {
                    store(minima, group.min(0, half));
                    minima += kLanes;
                }
            }
        }
    }
}

/// Unpacked panels [panel, panel + Panels) times rows [row, row + Rows), over all columns. `ahead`, if set, is the
/// packed form of the next panels: asked for here, so that reading weights overlaps with computing.
template <TensorType T, int Panels, int Rows>
[[gnu::noinline]] void tile(const MatmulArguments& a, const Scratch& s, int panel, int row, const std::byte* ahead)
{
    using L = Layout<T>;
    const auto groups = static_cast<size_t>(a.weights->columns / kGroupColumns);
    const ActBlock* x = a.blocks + static_cast<size_t>(row) * groups;
    Floats acc[Panels][Rows];
    clearTile(acc);
    UnpackedGroup<T> group{s.codes, s.scales, s.minima, groups};
    for (size_t g = 0; g < groups; g++, x++) {
        prefetchNext<L::recordBytes / L::groups * Panels>(ahead);
        addGroup<T>(group, x, groups, acc);
        group.codes += kScratchCodes<T>;
        group.scales += L::halves * kLanes;
        group.minima += L::halves * kLanes;
    }
    storeTile(a, panel, row, acc);
}

/// Cuts rows [first, last) into tiles of at most `Most` rows, where the last two share what would be a thin remainder,
/// and calls f.template operator()<Rows>(row) for each.
template <int Most, class F> KVASIR_INLINE void forRowTiles(int first, int last, F&& f)
{
    while (first < last) {
        const int left = last - first;
        int rows = smaller(left, Most);
        if (left > Most && left < 2 * Most) {
            rows = (left + 1) / 2;
        }
        const auto choose = [&]<int Rows>(const auto& self) -> void {
            if (rows == Rows) {
                f.template operator()<Rows>(first);
            } else if constexpr (Rows > 1) {
                self.template operator()<Rows - 1>(self);
            }
        };
        choose.template operator()<Most>(choose);
        first += rows;
    }
}

/// Rows of `rowBytes` that fit into half of a 1 MiB second level cache; a multiple of `unit`.
KVASIR_INLINE int rowsPerBlock(size_t rowBytes, int unit)
{
    const auto fit = static_cast<int>((size_t{512} << 10) / rowBytes);
    return larger(unit * 4, fit / unit * unit);
}

template <TensorType T> void quantizedProduct(const MatmulArguments& a, int first, int last)
{
    const auto groups = static_cast<size_t>(a.weights->columns / kGroupColumns);
    const int block = rowsPerBlock(groups * sizeof(ActBlock), kTileRows);
    for (int row = 0; row < a.n; row += block) {
        const int lastRow = smaller(a.n, row + block);
        const auto next = [&](int panel, int panels) {
            // A single tile streams through memory on its own.
            return lastRow - row > kTileRows && panel + panels < last ? panelAt(*a.weights, panel + panels) : nullptr;
        };
        if (a.n <= kDirectRows<Layout<T>::bits>) {
            for (int panel = first; panel < last; panel++) {
                const std::byte* ahead = next(panel, 1);
                forRowTiles<kDirectTileRows>(row, lastRow, [&]<int Rows>(int at) {
                    direct<T, Rows>(a, panel, at, ahead);
                    ahead = nullptr;
                });
            }
            continue;
        }
        const Scratch s = scratchAt(a.scratch, groups, kScratchCodes<T>);
        const auto panels = [&]<int Panels>(int panel) {
            const std::byte* ahead = next(panel, Panels);
            for (int i = 0; i < Panels; i++) {
                unpack<T>(*a.weights, panel + i, s, i);
            }
            forRowTiles<kTileRows>(row, lastRow, [&]<int Rows>(int at) {
                tile<T, Panels, Rows>(a, s, panel, at, ahead);
                ahead = nullptr;
            });
        };
        int panel = first;
        for (; panel + kTilePanels <= last; panel += kTilePanels) {
            panels.template operator()<kTilePanels>(panel);
        }
        for (; panel < last; panel++) {
            panels.template operator()<1>(panel);
        }
    }
}

/// Float weights: acc = fma(w, x, acc) a column.
template <TensorType T, int Panels, int Rows>
[[gnu::noinline]] void floatTile(const MatmulArguments& a, int panel, int row)
{
    const std::byte* w = panelAt(*a.weights, panel);
    const size_t stride = a.weights->panelBytes;
    const int columns = a.weights->columns;
    const float* x = a.floats + static_cast<size_t>(row) * a.floatStride;
    Floats acc[Panels][Rows];
    clearTile(acc);
    const auto addColumn = [&](const Floats(&weights)[Panels], int column) {
        KVASIR_UNROLL
        for (int j = 0; j < Rows; j++) {
            const Floats b = broadcast(x[static_cast<size_t>(j) * a.floatStride + static_cast<size_t>(column)]);
            KVASIR_UNROLL
            for (int i = 0; i < Panels; i++) {
                acc[i][j] = fma(weights[i], b, acc[i][j]);
            }
        }
    };
    if constexpr (T == TensorType::BF16) {
        for (int c = 0; c < columns; c += 2, w += 64) {
            Floats weights[Panels];
            KVASIR_UNROLL
            for (int i = 0; i < Panels; i++) {
                weights[i] = loadBfloatEven(w + static_cast<size_t>(i) * stride);
            }
            addColumn(weights, c);
            if (c + 1 < columns) {
                KVASIR_REREAD(w);
                KVASIR_UNROLL
                for (int i = 0; i < Panels; i++) {
                    weights[i] = loadBfloatOdd(w + static_cast<size_t>(i) * stride);
                }
                addColumn(weights, c + 1);
            }
        }
    } else {
        constexpr int kColumnBytes = T == TensorType::F16 ? 32 : 64;
        for (int c = 0; c < columns; c++, w += kColumnBytes) {
            Floats weights[Panels];
            KVASIR_UNROLL
            for (int i = 0; i < Panels; i++) {
                const std::byte* at = w + static_cast<size_t>(i) * stride;
                weights[i] = T == TensorType::F16 ? loadHalves(at) : load(reinterpret_cast<const float*>(at));
            }
            addColumn(weights, c);
        }
    }
    storeTile(a, panel, row, acc);
}

template <TensorType T, int Panels, int MostRows> void floatProduct(const MatmulArguments& a, int first, int last)
{
    const int block = rowsPerBlock(static_cast<size_t>(a.weights->columns) * sizeof(float), MostRows);
    for (int row = 0; row < a.n; row += block) {
        const int lastRow = smaller(a.n, row + block);
        int panel = first;
        for (; panel + Panels <= last; panel += Panels) {
            forRowTiles<MostRows>(row, lastRow, [&]<int Rows>(int at) { floatTile<T, Panels, Rows>(a, panel, at); });
        }
        for (; panel < last; panel++) {
            forRowTiles<MostRows>(row, lastRow, [&]<int Rows>(int at) { floatTile<T, 1, Rows>(a, panel, at); });
        }
    }
}

template <TensorType T> void floatProduct(const MatmulArguments& a, int first, int last)
{
    // A single row has one chain of additions a panel: two panels at once hide half of its latency.
    if (a.n <= 2) {
        floatProduct<T, 2, 2>(a, first, last);
    } else {
        floatProduct<T, kFloatTilePanels, kFloatTileRows>(a, first, last);
    }
}

void matmul(const MatmulArguments& a, int first, int last)
{
    switch (a.weights->type) {
    case TensorType::F32:
        floatProduct<TensorType::F32>(a, first, last);
        break;
    case TensorType::F16:
        floatProduct<TensorType::F16>(a, first, last);
        break;
    case TensorType::BF16:
        floatProduct<TensorType::BF16>(a, first, last);
        break;
    case TensorType::Q4_0:
        quantizedProduct<TensorType::Q4_0>(a, first, last);
        break;
    case TensorType::Q4_1:
        quantizedProduct<TensorType::Q4_1>(a, first, last);
        break;
    case TensorType::Q5_0:
        quantizedProduct<TensorType::Q5_0>(a, first, last);
        break;
    case TensorType::Q5_1:
        quantizedProduct<TensorType::Q5_1>(a, first, last);
        break;
    case TensorType::Q8_0:
        quantizedProduct<TensorType::Q8_0>(a, first, last);
        break;
    case TensorType::Q4_K:
        quantizedProduct<TensorType::Q4_K>(a, first, last);
        break;
    case TensorType::Q5_K:
        quantizedProduct<TensorType::Q5_K>(a, first, last);
        break;
    case TensorType::Q6_K:
        quantizedProduct<TensorType::Q6_K>(a, first, last);
        break;
    case TensorType::Q2_K:
        quantizedProduct<TensorType::Q2_K>(a, first, last);
        break;
    case TensorType::IQ4_XS:
        quantizedProduct<TensorType::IQ4_XS>(a, first, last);
        break;
    default:
        break;
    }
}

} // namespace
} // namespace kvasir::cpu
