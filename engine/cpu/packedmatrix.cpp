#include "cpu/packedmatrix.h"

#include "base/half.h"
#include "cpu/packedlayout.h"
#include "quant/blocks.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace kvasir::cpu {

static_assert(std::endian::native == std::endian::little, "codes are moved four at a time");

namespace {

constexpr uint32_t kLowNibbles = 0x0f0f0f0f;
constexpr uint32_t kLowBits = 0x01010101;
constexpr uint32_t kLowPairs = 0x03030303;

/// One group of one row, its codes with the offset of the packed type. words[s]: those of columns 4s to 4s + 3, a byte
/// each.
struct SourceGroup {
    uint32_t words[8];
    uint16_t scale = 0; ///< FP16, of the block
    uint16_t min = 0;
    uint8_t groupScales[2] = {0, 0}; ///< super-blocks only; signed where the layout says so; one for each half
    uint8_t groupMins[2] = {0, 0};
};

template <class T> T readAt(const void* at)
{
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

template <class Block> Block blockAt(const std::byte* row, int index)
{
    return readAt<Block>(row + static_cast<size_t>(index) * sizeof(Block));
}

void splitNibbles(const uint8_t* nibbles, uint32_t* words)
{
    for (int s = 0; s < 4; s++) {
        const auto four = readAt<uint32_t>(nibbles + 4 * s);
        words[s] = four & kLowNibbles;
        words[s + 4] = four >> 4 & kLowNibbles;
    }
}

void addFifthBits(const uint8_t* high, uint32_t* words)
{
    const auto bits = readAt<uint32_t>(high);
    for (int s = 0; s < 8; s++) {
        // Four neighbouring bits to one a byte: bit i moves by 7i.
        words[s] |= ((bits >> 4 * s & 15) * 0x00204081u & kLowBits) << 4;
    }
}

/// Codes of 2 bits of group `group` of a super-block: four groups share 32 bytes.
void takePairs(const uint8_t* quants, int group, uint32_t* words)
{
    for (int s = 0; s < 8; s++) {
        words[s] = readAt<uint32_t>(quants + group / 4 * 32 + 4 * s) >> group % 4 * 2 & kLowPairs;
    }
}

/// What nibbles half a block apart stand for, times `factor`, with Q8_0's offset of 128.
void lookUp(const uint8_t nibbles[16], const int8_t table[16], int factor, uint32_t* words)
{
    uint8_t codes[kGroupColumns];
    for (int j = 0; j < 16; j++) {
        codes[j] = static_cast<uint8_t>(table[nibbles[j] & 15] * factor + 128);
        codes[j + 16] = static_cast<uint8_t>(table[nibbles[j] >> 4] * factor + 128);
    }
    std::memcpy(words, codes, sizeof codes);
}

/// 2^(exponent - 128) as an FP16 number times a power of two up to 8, by which codes of up to 12 may grow.
struct Mxfp4Scale {
    uint16_t half;
    int factor;
};

constexpr int kSmallestMxfp4 = 128 - 24; ///< 2^-24 is the smallest number of FP16
constexpr int kLargestMxfp4 = 128 + 15 + 3;

Mxfp4Scale mxfp4Scale(uint8_t exponent)
{
    const int power = exponent - 128;
    if (power < -24) {
        return {0, 1};
    }
    const int shift = power > 15 ? 3 : 0;
    return {floatToHalf(std::ldexp(1.0f, power - shift)), 1 << shift};
}

template <TensorType T> SourceGroup takeGroup(const std::byte* row, int group)
{
    SourceGroup o;
    if constexpr (T == TensorType::Q4_0) {
        const auto block = blockAt<BlockQ4_0>(row, group);
        splitNibbles(block.nibbles, o.words);
        o.scale = block.scale;
    } else if constexpr (T == TensorType::Q4_1) {
        const auto block = blockAt<BlockQ4_1>(row, group);
        splitNibbles(block.nibbles, o.words);
        o.scale = block.scale;
        o.min = block.min;
    } else if constexpr (T == TensorType::Q5_0) {
        const auto block = blockAt<BlockQ5_0>(row, group);
        splitNibbles(block.nibbles, o.words);
        addFifthBits(block.high, o.words);
        o.scale = block.scale;
    } else if constexpr (T == TensorType::Q5_1) {
        const auto block = blockAt<BlockQ5_1>(row, group);
        splitNibbles(block.nibbles, o.words);
        addFifthBits(block.high, o.words);
        o.scale = block.scale;
        o.min = block.min;
    } else if constexpr (T == TensorType::Q8_0) {
        const auto block = blockAt<BlockQ8_0>(row, group);
        for (int s = 0; s < 8; s++) {
            o.words[s] = readAt<uint32_t>(block.values + 4 * s) ^ 0x80808080u;
        }
        o.scale = block.scale;
    } else if constexpr (T == TensorType::Q4_K || T == TensorType::Q5_K) {
        using Block = std::conditional_t<T == TensorType::Q4_K, BlockQ4_K, BlockQ5_K>;
        const auto* block = row + static_cast<size_t>(group / 8) * sizeof(Block);
        const int g = group % 8;
        const auto at = [&](size_t offset) { return block + offset; };
        for (int s = 0; s < 8; s++) {
            const auto four = readAt<uint32_t>(at(offsetof(Block, nibbles) + static_cast<size_t>(g / 2 * 32 + 4 * s)));
            o.words[s] = four >> g % 2 * 4 & kLowNibbles;
            if constexpr (T == TensorType::Q5_K) {
                const auto high = readAt<uint32_t>(at(offsetof(Block, high) + static_cast<size_t>(4 * s)));
                o.words[s] |= (high >> g & kLowBits) << 4;
            }
        }
        uint8_t scales[12];
        std::memcpy(scales, at(offsetof(Block, groupScales)), sizeof scales);
        const GroupScale own = q4GroupScale(scales, g);
        o.groupScales[0] = own.scale;
        o.groupMins[0] = own.min;
        o.scale = readAt<uint16_t>(at(offsetof(Block, scale)));
        o.min = readAt<uint16_t>(at(offsetof(Block, min)));
    } else if constexpr (T == TensorType::Q2_K) {
        const auto block = blockAt<BlockQ2_K>(row, group / 8);
        takePairs(block.quants, group % 8, o.words);
        for (int half = 0; half < 2; half++) {
            const uint8_t both = block.groupScales[group % 8 * 2 + half];
            o.groupScales[half] = both & 15;
            o.groupMins[half] = both >> 4;
        }
        o.scale = block.scale;
        o.min = block.min;
    } else if constexpr (T == TensorType::Q3_K) {
        const auto block = blockAt<BlockQ3_K>(row, group / 8);
        const int g = group % 8;
        takePairs(block.quants, g, o.words);
        for (int s = 0; s < 8; s++) {
            const auto third = readAt<uint32_t>(block.highMask + 4 * s) >> g & kLowBits;
            o.words[s] += (third << 2) + 0x1c1c1c1c; // q - 4 on top of Q6_K's offset of 32
        }
        for (int half = 0; half < 2; half++) {
            o.groupScales[half] = static_cast<uint8_t>(q3GroupScale(block.groupScales, g * 2 + half));
        }
        o.scale = block.scale;
    } else if constexpr (T == TensorType::IQ4_NL) {
        const auto block = blockAt<BlockIQ4_NL>(row, group);
        lookUp(block.nibbles, kIq4Values, 1, o.words);
        o.scale = block.scale;
    } else if constexpr (T == TensorType::IQ4_XS) {
        const auto block = blockAt<BlockIQ4_XS>(row, group / 8);
        const int g = group % 8;
        lookUp(block.nibbles + g * 16, kIq4Values, 1, o.words);
        const int low = block.scalesLow[g / 2] >> g % 2 * 4 & 15;
        const int high = block.scalesHigh >> 2 * g & 3;
        o.groupScales[0] = static_cast<uint8_t>((low | high << 4) - 32);
        o.scale = block.scale;
    } else if constexpr (T == TensorType::MXFP4) {
        const auto block = blockAt<BlockMXFP4>(row, group);
        const Mxfp4Scale scale = mxfp4Scale(block.exponent);
        lookUp(block.nibbles, kMxfp4Doubled, scale.factor, o.words);
        o.scale = scale.half;
    } else if constexpr (T == TensorType::TQ2_0) {
        const auto block = blockAt<BlockTQ2_0>(row, group / 8);
        takePairs(block.quants, group % 8, o.words);
        for (uint32_t& word : o.words) {
            word += 0x07070707; // t - 1 on top of Q4_0's offset of 8
        }
        o.scale = block.scale;
    } else if constexpr (T == TensorType::TQ1_0) {
        const auto block = blockAt<BlockTQ1_0>(row, group / 8);
        uint8_t digits[kGroupColumns];
        for (int i = 0; i < kGroupColumns; i++) {
            digits[i] = static_cast<uint8_t>(ternaryDigit(block, group % 8 * kGroupColumns + i));
        }
        for (int s = 0; s < 8; s++) {
            o.words[s] = readAt<uint32_t>(digits + 4 * s) + 0x07070707;
        }
        o.scale = block.scale;
    } else {
        static_assert(T == TensorType::Q6_K);
        const auto* block = row + static_cast<size_t>(group / 8) * sizeof(BlockQ6_K);
        const int g = group % 8;
        const int half = g / 4;
        const int quarter = g % 4;
        const auto* nibbles = block + offsetof(BlockQ6_K, nibbles) + half * 64 + quarter % 2 * 32;
        const auto* high = block + offsetof(BlockQ6_K, high) + half * 32;
        for (int s = 0; s < 8; s++) {
            o.words[s] = (readAt<uint32_t>(nibbles + 4 * s) >> quarter / 2 * 4 & kLowNibbles)
                | (readAt<uint32_t>(high + 4 * s) >> 2 * quarter & kLowPairs) << 4;
        }
        std::memcpy(o.groupScales, block + offsetof(BlockQ6_K, groupScales) + 2 * g, 2);
        o.scale = readAt<uint16_t>(block + offsetof(BlockQ6_K, scale));
    }
    return o;
}

/// Packs as type T.
template <TensorType T> void putGroup(const SourceGroup& o, std::byte* panel, int group, int lane)
{
    using L = Layout<T>;
    std::byte* record = panel + static_cast<size_t>(group / L::groups) * L::recordBytes;
    const auto g = static_cast<size_t>(group % L::groups);
    const auto l = static_cast<size_t>(lane);
    const auto put = [&](size_t offset, auto value) { std::memcpy(record + offset, &value, sizeof value); };

    if constexpr (L::kind == ScaleKind::Half) {
        put(L::scaleAt + g * L::scaleBytes + l * 2, o.scale);
        if constexpr (L::hasMin) {
            put(L::minAt + g * L::minBytes + l * 2, o.min);
        }
    } else {
        put(l * 2, o.scale);
        if constexpr (L::hasMin) {
            put(32 + l * 2, o.min);
        }
        for (size_t half = 0; half < L::halves; half++) {
            put(L::scaleAt + g * L::scaleBytes + half * 16 + l, o.groupScales[half]);
            if constexpr (L::hasMin) {
                put(L::minAt + g * L::minBytes + half * 16 + l, o.groupMins[half]);
            }
        }
    }

    const size_t codes = L::codesAt + g * L::codeBytes + l * 4;
    if constexpr (L::bits == 8) {
        for (size_t s = 0; s < 8; s++) {
            put(codes + s * 64, o.words[s]);
        }
        return;
    }
    for (size_t t = 0; t < 4; t++) {
        put(codes + t * 64, (o.words[2 * t] & kLowNibbles) | (o.words[2 * t + 1] & kLowNibbles) << 4);
    }
    if constexpr (L::bits == 5) {
        uint32_t high = 0;
        for (int s = 0; s < 8; s++) {
            high |= (o.words[s] >> 4 & kLowBits) << s;
        }
        put(codes + L::highAt, high);
    } else if constexpr (L::bits == 6) {
        for (int t = 0; t < 2; t++) {
            uint32_t high = 0;
            for (int j = 0; j < 4; j++) {
                high |= (o.words[4 * t + j] >> 4 & kLowPairs) << 2 * j;
            }
            put(codes + L::highAt + static_cast<size_t>(t) * 64, high);
        }
    }
}

/// The codes of one group of one row, back from a panel.
template <TensorType T> void takeCodes(const std::byte* record, int group, int lane, uint8_t* codes)
{
    using L = Layout<T>;
    const std::byte* at = record + L::codesAt + static_cast<size_t>(group) * L::codeBytes + lane * 4;
    for (int s = 0; s < 8; s++) {
        uint32_t four = 0;
        if constexpr (L::bits == 8) {
            four = readAt<uint32_t>(at + s * 64);
        } else {
            four = readAt<uint32_t>(at + s / 2 * 64) >> s % 2 * 4 & kLowNibbles;
            if constexpr (L::bits == 5) {
                four |= (readAt<uint32_t>(at + L::highAt) >> s & kLowBits) << 4;
            } else if constexpr (L::bits == 6) {
                four |= (readAt<uint32_t>(at + L::highAt + s / 4 * 64) >> s % 4 * 2 & kLowPairs) << 4;
            }
        }
        std::memcpy(codes + 4 * s, &four, 4);
    }
}

template <TensorType T> void unpackQuantizedRow(const std::byte* panel, int lane, float* out, int columns)
{
    using L = Layout<T>;
    for (int group = 0; group < columns / kGroupColumns; group++, out += kGroupColumns) {
        const std::byte* record = panel + static_cast<size_t>(group / L::groups) * L::recordBytes;
        const int g = group % L::groups;
        const auto half = [&](size_t offset) { return halfToFloat(readAt<uint16_t>(record + offset + lane * 2)); };
        const std::byte* scales = record + L::scaleAt + static_cast<size_t>(g) * L::scaleBytes + lane;
        const std::byte* minima = record + L::minAt + static_cast<size_t>(g) * L::minBytes + lane;
        float scale[L::halves];
        float min[L::halves] = {};
        for (int h = 0; h < L::halves; h++) {
            if constexpr (L::kind == ScaleKind::Half) {
                scale[h] = half(L::scaleAt + static_cast<size_t>(g) * L::scaleBytes);
                min[h] = L::hasMin ? half(L::minAt + static_cast<size_t>(g) * L::minBytes) : 0;
            } else if constexpr (L::kind == ScaleKind::Bytes) {
                scale[h] = half(0) * static_cast<float>(readAt<uint8_t>(scales + 16 * h));
                min[h] = -(half(32) * static_cast<float>(readAt<uint8_t>(minima + 16 * h)));
            } else {
                scale[h] = half(0) * static_cast<float>(readAt<int8_t>(scales + 16 * h));
            }
        }
        uint8_t codes[kGroupColumns];
        takeCodes<T>(record, g, lane, codes);
        for (int i = 0; i < kGroupColumns; i++) {
            const int h = i * L::halves / kGroupColumns;
            const float value = scale[h] * static_cast<float>(codes[i] - L::offset);
            out[i] = L::hasMin ? value + min[h] : value;
        }
    }
}

/// Packs the rows of one panel: rows [0, count) from `source` into lanes [lane, lane + count).
template <TensorType Source, TensorType T>
void packQuantizedPanel(
    const std::byte* source, size_t sourceRowBytes, int count, std::byte* panel, int lane, int columns)
{
    for (int r = 0; r < count; r++) {
        const std::byte* row = source + static_cast<size_t>(r) * sourceRowBytes;
        for (int group = 0; group < columns / kGroupColumns; group++) {
            putGroup<T>(takeGroup<Source>(row, group), panel, group, lane + r);
        }
    }
}

/// `Pair` columns of a row lie together.
template <class T, int Pair>
void packFloatPanel(const std::byte* source, size_t sourceRowBytes, int count, std::byte* panel, int lane, int columns)
{
    for (int c = 0; c < columns; c++) {
        std::byte* at = panel + static_cast<size_t>(c / Pair * Pair) * kPanelRows * sizeof(T)
            + static_cast<size_t>(lane * Pair + c % Pair) * sizeof(T);
        for (int r = 0; r < count; r++) {
            std::memcpy(at + static_cast<size_t>(r) * Pair * sizeof(T),
                source + static_cast<size_t>(r) * sourceRowBytes + static_cast<size_t>(c) * sizeof(T), sizeof(T));
        }
    }
}

/// Calls f.template operator()<T>() for a quantized packed type.
template <class F> auto forQuantized(TensorType type, F&& f)
{
    switch (type) {
    case TensorType::Q2_K:
        return f.template operator()<TensorType::Q2_K>();
    case TensorType::IQ4_XS:
        return f.template operator()<TensorType::IQ4_XS>();
    case TensorType::Q4_1:
        return f.template operator()<TensorType::Q4_1>();
    case TensorType::Q5_0:
        return f.template operator()<TensorType::Q5_0>();
    case TensorType::Q5_1:
        return f.template operator()<TensorType::Q5_1>();
    case TensorType::Q8_0:
        return f.template operator()<TensorType::Q8_0>();
    case TensorType::Q4_K:
        return f.template operator()<TensorType::Q4_K>();
    case TensorType::Q5_K:
        return f.template operator()<TensorType::Q5_K>();
    case TensorType::Q6_K:
        return f.template operator()<TensorType::Q6_K>();
    default:
        return f.template operator()<TensorType::Q4_0>();
    }
}

size_t panelBytes(TensorType type, int columns)
{
    const auto n = static_cast<size_t>(columns);
    switch (type) {
    case TensorType::F32:
        return n * kPanelRows * 4;
    case TensorType::F16:
        return (n * kPanelRows * 2 + 63) / 64 * 64;
    case TensorType::BF16:
        return (n + 1) / 2 * 2 * kPanelRows * 2;
    default:
        return forQuantized(type, [&]<TensorType T>() {
            const size_t groups = n / kGroupColumns;
            return (groups + Layout<T>::groups - 1) / Layout<T>::groups * Layout<T>::recordBytes;
        });
    }
}

} // namespace

TensorType packedType(TensorType source)
{
    switch (source) {
    case TensorType::Q3_K:
        return TensorType::Q6_K;
    case TensorType::IQ4_NL:
    case TensorType::MXFP4:
        return TensorType::Q8_0;
    case TensorType::TQ1_0:
    case TensorType::TQ2_0:
        return TensorType::Q4_0;
    default:
        return source;
    }
}

bool packsWithoutLoss(TensorType source, const std::byte* data, uint64_t values)
{
    if (source != TensorType::MXFP4) {
        return true;
    }
    for (uint64_t i = 0; i < values / BlockMXFP4::kValues; i++) {
        const auto block = readAt<BlockMXFP4>(data + i * sizeof(BlockMXFP4));
        const bool zero = std::all_of(
            std::begin(block.nibbles), std::end(block.nibbles), [](uint8_t byte) { return (byte & 0x77) == 0; });
        if (!zero && (block.exponent < kSmallestMxfp4 || block.exponent > kLargestMxfp4)) {
            return false;
        }
    }
    return true;
}

bool usesInt8Activations(TensorType packed)
{
    switch (packed) {
    case TensorType::Q2_K:
    case TensorType::IQ4_XS:
    case TensorType::Q4_0:
    case TensorType::Q4_1:
    case TensorType::Q5_0:
    case TensorType::Q5_1:
    case TensorType::Q8_0:
    case TensorType::Q4_K:
    case TensorType::Q5_K:
    case TensorType::Q6_K:
        return true;
    default:
        return false;
    }
}

int columnUnit(TensorType source)
{
    return static_cast<int>(blockShape(source).values);
}

PackedMatrix packedShape(TensorType packed, int rows, int columns)
{
    PackedMatrix matrix;
    matrix.type = packed;
    matrix.rows = rows;
    matrix.columns = columns;
    matrix.panels = (rows + kPanelRows - 1) / kPanelRows;
    matrix.panelBytes = panelBytes(packed, columns);
    return matrix;
}

size_t packedBytes(TensorType packed, int rows, int columns)
{
    return packedShape(packed, rows, columns).bytes();
}

void packRows(const PackedMatrix& matrix, TensorType type, const std::byte* source, int first, int last,
    const RowPlacement& placement)
{
    const size_t sourceRowBytes = rowBytes(type, static_cast<size_t>(matrix.columns));
    for (int row = first; row < last;) {
        int target = placement.firstRow + row;
        if (placement.stride != 1) {
            target = placement.firstRow + row / kPanelRows * kPanelRows * placement.stride + row % kPanelRows;
        }
        const int lane = target % kPanelRows;
        const int count = std::min(last - row, kPanelRows - lane);
        const std::byte* from = source + static_cast<size_t>(row) * sourceRowBytes;
        std::byte* panel = matrix.data + static_cast<size_t>(target / kPanelRows) * matrix.panelBytes;
        const auto pack = [&]<TensorType Source, TensorType T>() {
            packQuantizedPanel<Source, T>(from, sourceRowBytes, count, panel, lane, matrix.columns);
        };
        switch (type) {
        case TensorType::F32:
            packFloatPanel<uint32_t, 1>(from, sourceRowBytes, count, panel, lane, matrix.columns);
            break;
        case TensorType::F16:
            packFloatPanel<uint16_t, 1>(from, sourceRowBytes, count, panel, lane, matrix.columns);
            break;
        case TensorType::BF16:
            packFloatPanel<uint16_t, 2>(from, sourceRowBytes, count, panel, lane, matrix.columns);
            break;
        case TensorType::Q3_K:
            pack.template operator()<TensorType::Q3_K, TensorType::Q6_K>();
            break;
        case TensorType::IQ4_NL:
            pack.template operator()<TensorType::IQ4_NL, TensorType::Q8_0>();
            break;
        case TensorType::MXFP4:
            pack.template operator()<TensorType::MXFP4, TensorType::Q8_0>();
            break;
        case TensorType::TQ1_0:
            pack.template operator()<TensorType::TQ1_0, TensorType::Q4_0>();
            break;
        case TensorType::TQ2_0:
            pack.template operator()<TensorType::TQ2_0, TensorType::Q4_0>();
            break;
        default:
            forQuantized(type, [&]<TensorType T>() { pack.template operator()<T, T>(); });
        }
        row += count;
    }
}

void unpackRow(const PackedMatrix& matrix, int row, float* out)
{
    const std::byte* panel = matrix.data + static_cast<size_t>(row / kPanelRows) * matrix.panelBytes;
    const int lane = row % kPanelRows;
    const auto at = [&](int column, int pair, size_t size) {
        return panel
            + (static_cast<size_t>(column / pair * pair) * kPanelRows
                  + static_cast<size_t>(lane * pair + column % pair))
            * size;
    };
    switch (matrix.type) {
    case TensorType::F32:
        for (int c = 0; c < matrix.columns; c++) {
            out[c] = readAt<float>(at(c, 1, 4));
        }
        break;
    case TensorType::F16:
        for (int c = 0; c < matrix.columns; c++) {
            out[c] = halfToFloat(readAt<uint16_t>(at(c, 1, 2)));
        }
        break;
    case TensorType::BF16:
        for (int c = 0; c < matrix.columns; c++) {
            out[c] = bfloatToFloat(readAt<uint16_t>(at(c, 2, 2)));
        }
        break;
    default:
        forQuantized(matrix.type, [&]<TensorType T>() { unpackQuantizedRow<T>(panel, lane, out, matrix.columns); });
    }
}

} // namespace kvasir::cpu
