#include "quant/tensortype.h"

#include "base/half.h"
#include "quant/decode.h"

namespace kvasir {

namespace {

using DecodeRow = void (*)(const std::byte* source, float* target, size_t columns);

template <float (*convert)(uint16_t)> void decodeHalves(const std::byte* source, float* target, size_t columns)
{
    for (size_t i = 0; i < columns; ++i) {
        uint16_t bits;
        std::memcpy(&bits, source + i * sizeof bits, sizeof bits);
        target[i] = convert(bits);
    }
}

void copyFloats(const std::byte* source, float* target, size_t columns)
{
    std::memcpy(target, source, columns * sizeof(float));
}

struct Format {
    TensorType type;
    std::string_view name;
    BlockShape shape;
    DecodeRow decode;
};

template <class Block> constexpr Format blockFormat(TensorType type, std::string_view name)
{
    return {type, name, {Block::kValues, sizeof(Block)}, decodeBlocks<Block>};
}

constexpr Format kFormats[] = {
    {TensorType::F32, "F32", {1, 4}, copyFloats},
    {TensorType::F16, "F16", {1, 2}, decodeHalves<halfToFloat>},
    {TensorType::BF16, "BF16", {1, 2}, decodeHalves<bfloatToFloat>},
    blockFormat<BlockQ4_0>(TensorType::Q4_0, "Q4_0"),
    blockFormat<BlockQ4_1>(TensorType::Q4_1, "Q4_1"),
    blockFormat<BlockQ5_0>(TensorType::Q5_0, "Q5_0"),
    blockFormat<BlockQ5_1>(TensorType::Q5_1, "Q5_1"),
    blockFormat<BlockQ8_0>(TensorType::Q8_0, "Q8_0"),
    blockFormat<BlockQ2_K>(TensorType::Q2_K, "Q2_K"),
    blockFormat<BlockQ3_K>(TensorType::Q3_K, "Q3_K"),
    blockFormat<BlockQ4_K>(TensorType::Q4_K, "Q4_K"),
    blockFormat<BlockQ5_K>(TensorType::Q5_K, "Q5_K"),
    blockFormat<BlockQ6_K>(TensorType::Q6_K, "Q6_K"),
    blockFormat<BlockIQ4_NL>(TensorType::IQ4_NL, "IQ4_NL"),
    blockFormat<BlockIQ4_XS>(TensorType::IQ4_XS, "IQ4_XS"),
    blockFormat<BlockMXFP4>(TensorType::MXFP4, "MXFP4"),
    blockFormat<BlockTQ1_0>(TensorType::TQ1_0, "TQ1_0"),
    blockFormat<BlockTQ2_0>(TensorType::TQ2_0, "TQ2_0"),
};

struct OtherName {
    uint32_t code;
    std::string_view name;
};

constexpr OtherName kOtherNames[] = {
    {4, "Q4_2, removed from the format"},
    {5, "Q4_3, removed from the format"},
    {9, "Q8_1"},
    {15, "Q8_K"},
    {16, "IQ2_XXS"},
    {17, "IQ2_XS"},
    {18, "IQ3_XXS"},
    {19, "IQ1_S"},
    {21, "IQ3_S"},
    {22, "IQ2_S"},
    {24, "I8"},
    {25, "I16"},
    {26, "I32"},
    {27, "I64"},
    {28, "F64"},
    {29, "IQ1_M"},
    {31, "Q4_0_4_4, removed from the format"},
    {32, "Q4_0_4_8, removed from the format"},
    {33, "Q4_0_8_8, removed from the format"},
    {36, "IQ4_NL_4_4, removed from the format"},
    {37, "IQ4_NL_4_8, removed from the format"},
    {38, "IQ4_NL_8_8, removed from the format"},
    {40, "NVFP4"},
};

const Format* findFormat(TensorType type)
{
    for (const Format& format : kFormats) {
        if (format.type == type) {
            return &format;
        }
    }
    return nullptr;
}

} // namespace

std::optional<TensorType> tensorTypeFromCode(uint32_t code)
{
    const auto type = static_cast<TensorType>(code);
    return findFormat(type) ? std::optional(type) : std::nullopt;
}

BlockShape blockShape(TensorType type)
{
    const Format* format = findFormat(type);
    return format ? format->shape : BlockShape{1, 0};
}

std::string_view tensorTypeName(TensorType type)
{
    if (const Format* format = findFormat(type)) {
        return format->name;
    }
    for (const OtherName& other : kOtherNames) {
        if (other.code == static_cast<uint32_t>(type)) {
            return other.name;
        }
    }
    return "unknown";
}

void dequantizeRow(TensorType type, const std::byte* source, float* target, size_t columns)
{
    if (const Format* format = findFormat(type)) {
        format->decode(source, target, columns);
    }
}

} // namespace kvasir
