#include "modelshapes.h"

#include <algorithm>
#include <cctype>

namespace kvasir::cli {
namespace {

// From the models' published config.json.
constexpr ModelShape kShapes[] = {
    {"smollm2-135m", "llama", 30, 576, 9, 3, 64, 1536, 49152, 8192, true},
    {"llama-3.2-1b", "llama", 16, 2048, 32, 8, 64, 8192, 128256, 131072, true},
    {"llama-3.2-3b", "llama", 28, 3072, 24, 8, 128, 8192, 128256, 131072, true},
    {"llama-2-7b", "llama", 32, 4096, 32, 32, 128, 11008, 32000, 4096, false},
    {"llama-2-13b", "llama", 40, 5120, 40, 40, 128, 13824, 32000, 4096, false},
    {"llama-2-70b", "llama", 80, 8192, 64, 8, 128, 28672, 32000, 4096, false},
    {"llama-3.1-8b", "llama", 32, 4096, 32, 8, 128, 14336, 128256, 131072, false},
    {"llama-3.1-70b", "llama", 80, 8192, 64, 8, 128, 28672, 128256, 131072, false},
    {"mistral-7b", "llama", 32, 4096, 32, 8, 128, 14336, 32768, 32768, false},
    {"qwen2.5-0.5b", "qwen2", 24, 896, 14, 2, 64, 4864, 151936, 32768, true},
    {"qwen2.5-7b", "qwen2", 28, 3584, 28, 4, 128, 18944, 152064, 32768, false},
    {"qwen3-0.6b", "qwen3", 28, 1024, 16, 8, 128, 3072, 151936, 40960, true},
    {"qwen3-8b", "qwen3", 36, 4096, 32, 8, 128, 12288, 151936, 40960, false},
};

constexpr TensorType kTypes[] = {TensorType::F32, TensorType::F16, TensorType::BF16, TensorType::Q4_0, TensorType::Q4_1,
    TensorType::Q5_0, TensorType::Q5_1, TensorType::Q8_0, TensorType::Q4_K, TensorType::Q5_K, TensorType::Q6_K};

std::string lower(std::string_view text)
{
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) { return std::tolower(c); });
    return result;
}

} // namespace

std::span<const ModelShape> modelShapes()
{
    return kShapes;
}

Result<ModelShape> findModelShape(std::string_view name)
{
    std::string known;
    for (const ModelShape& shape : kShapes) {
        if (lower(name) == shape.name) {
            return shape;
        }
        known += (known.empty() ? "" : ", ") + std::string(shape.name);
    }
    return fail(ErrorCode::BadArgument, "--shape must be one of " + known + ", not '" + std::string(name) + "'",
        {{"what", "--shape"}, {"value", std::string(name)}});
}

Result<TensorType> findTensorType(std::string_view name)
{
    std::string known;
    for (const TensorType type : kTypes) {
        const std::string own = lower(tensorTypeName(type));
        if (lower(name) == own) {
            return type;
        }
        known += (known.empty() ? "" : ", ") + own;
    }
    return fail(ErrorCode::BadArgument, "--type must be one of " + known + ", not '" + std::string(name) + "'",
        {{"what", "--type"}, {"value", std::string(name)}});
}

} // namespace kvasir::cli
