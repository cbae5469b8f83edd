#include "huggingface/tensors.h"

#include "files/ggufbytes.h"
#include "huggingface/architectures.h"
#include "huggingface/packedexperts.h"
#include "huggingface/rowmakers.h"
#include "huggingface/tensornames.h"
#include "huggingface/tensorwriter.h"

#include <algorithm>
#include <memory>

namespace kvasir {

namespace {

Result<void> writeTensor(
    const std::string& path, const SafeTensor& tensor, std::string name, bool fromOne, TensorWriter& tensors)
{
    const auto type = floatType(path, tensor);
    KVASIR_TRY(type);
    std::vector<uint64_t> dims(tensor.shape.rbegin(), tensor.shape.rend());
    if (dims.empty() || dims.size() > 4) {
        return gguf::malformed(path,
            "the tensor " + gguf::quoted(tensor.name) + " has " + std::to_string(dims.size())
                + " dimensions instead of 1 to 4");
    }
    if (fromOne && dims.size() == 1) {
        auto maker = std::make_unique<OnePlusRow>(tensor.data, *type, dims[0]);
        tensors.add(std::move(name), TensorType::F32, dims, tensor.data, std::move(maker));
    } else {
        tensors.add(std::move(name), *type, dims, tensor.data);
    }
    return {};
}

} // namespace

Result<TensorType> floatType(const std::string& path, const SafeTensor& tensor)
{
    if (tensor.dtype == "F32") {
        return TensorType::F32;
    }
    if (tensor.dtype == "F16") {
        return TensorType::F16;
    }
    if (tensor.dtype == "BF16") {
        return TensorType::BF16;
    }
    return fail(ErrorCode::Unsupported,
        "'" + path + "' cannot be used: the tensor " + gguf::quoted(tensor.name) + " has the type " + tensor.dtype
            + "; use a version of the model in BF16, F16 or F32, or a quantized GGUF file",
        {{"path", path}, {"what", "the type of tensor " + tensor.name}, {"name", tensor.dtype}});
}

Result<void> writeTensors(const std::vector<SafetensorsFile>& files, const HuggingFaceArchitecture& architecture,
    bool tied, TensorWriter& tensors)
{
    PackedExperts experts;
    for (const SafetensorsFile& file : files) {
        for (const SafeTensor& tensor : file.tensors()) {
            const bool isPacked = architecture.name == "gpt-oss" && experts.take(file.path(), tensor);
            if (isPacked || (tied && tensor.name == "lm_head.weight")) {
                continue;
            }
            auto name = ggufTensorName(architecture, tensor.name);
            if (name) {
                const bool fromOne = architecture.normsFromOne && tensor.name.ends_with("norm.weight");
                KVASIR_TRY(writeTensor(file.path(), tensor, *std::move(name), fromOne, tensors));
            }
        }
    }
    return experts.write(tensors);
}

} // namespace kvasir
