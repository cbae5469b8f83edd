#include "huggingface/packedexperts.h"

#include "files/ggufbytes.h"
#include "huggingface/rowmakers.h"
#include "huggingface/tensornames.h"
#include "huggingface/tensors.h"
#include "huggingface/tensorwriter.h"
#include "quant/blocks.h"

#include <memory>

namespace kvasir {

namespace {

constexpr std::string_view kPrefix = "mlp.experts.";

Failure wrongShape(const std::string& path, const SafeTensor& tensor)
{
    return gguf::malformed(path, "the tensor " + gguf::quoted(tensor.name) + " has a shape that does not fit experts");
}

} // namespace

bool PackedExperts::take(const std::string& path, const SafeTensor& tensor)
{
    const auto name = layerTensorName(tensor.name);
    if (!name || !name->rest.starts_with(kPrefix)) {
        return false;
    }
    const std::string kind(name->rest.substr(kPrefix.size()));
    if (!kind.starts_with("gate_up_proj") && !kind.starts_with("down_proj")) {
        return false;
    }
    m_stored[{name->layer, kind}] = {&tensor, path};
    return true;
}

Result<void> PackedExperts::write(TensorWriter& tensors) const
{
    for (const auto& [key, stored] : m_stored) {
        const auto& [layer, kind] = key;
        if (kind.ends_with("_blocks")) {
            KVASIR_TRY(writeMxfp4(layer, kind, stored, tensors));
        } else if (!kind.ends_with("_scales")) {
            KVASIR_TRY(writeOne(layer, kind, stored, tensors));
        }
    }
    return {};
}

Result<void> PackedExperts::writeOne(
    const std::string& layer, const std::string& kind, const Stored& stored, TensorWriter& tensors) const
{
    const SafeTensor& t = *stored.tensor;
    const auto type = floatType(stored.path, t);
    KVASIR_TRY(type);
    const size_t value = rowBytes(*type, 1);
    const bool isBias = kind.ends_with("_bias");
    const bool isBoth = kind.starts_with("gate_up");
    if (t.shape.size() != (isBias ? 2u : 3u) || t.elements() == 0 || (isBoth && t.shape.back() % 2 != 0)) {
        return wrongShape(stored.path, t);
    }
    const uint64_t experts = t.shape[0];
    const uint64_t inputs = isBias ? 1 : t.shape[1];
    const uint64_t all = t.shape.back(); // outputs of both
    const std::string prefix = "blk." + layer + ".ffn_";
    const std::string ending = isBias ? "_exps.bias" : "_exps.weight";
    const uint64_t step = isBoth ? 2 : 1;
    const uint64_t outputs = all / step;
    for (uint64_t part = 0; part < step; ++part) {
        const char* name = !isBoth ? "down" : part == 0 ? "gate" : "up";
        StridedRows::Shape shape{
            .data = t.data + part * value, .valueBytes = value, .matrixStep = inputs * all * value};
        std::vector<uint64_t> dims;
        if (isBias) { // a row an expert
            shape.columns = outputs;
            shape.columnStep = step * value;
            dims = {outputs, experts};
        } else {
            shape.columns = inputs;
            shape.columnStep = all * value;
            shape.rowsPerMatrix = outputs;
            shape.rowStep = step * value;
            dims = {inputs, outputs, experts};
        }
        tensors.add(prefix + name + ending, *type, dims, t.data, std::make_unique<StridedRows>(shape));
    }
    return {};
}

Result<void> PackedExperts::writeMxfp4(
    const std::string& layer, const std::string& kind, const Stored& blocks, TensorWriter& tensors) const
{
    const std::string base = kind.substr(0, kind.size() - std::string_view("_blocks").size());
    const auto other = m_stored.find({layer, base + "_scales"});
    const SafeTensor& nibbles = *blocks.tensor;
    if (other == m_stored.end()) {
        const std::string name = nibbles.name.substr(0, nibbles.name.rfind('_')) + "_scales";
        return fail(
            ErrorCode::MissingTensor, "The folder has no tensor " + name, {{"path", blocks.path}, {"name", name}});
    }
    const SafeTensor& scales = *other->second.tensor;
    const bool isBoth = base.starts_with("gate_up");
    // [expert][output][block][16] and [expert][output][block]
    if (nibbles.dtype != "U8" || scales.dtype != "U8" || nibbles.shape.size() != 4 || nibbles.elements() == 0
        || nibbles.shape[3] != kSmallBlock / 2
        || scales.shape != std::vector<uint64_t>(nibbles.shape.begin(), nibbles.shape.end() - 1)
        || (isBoth && nibbles.shape[1] % 2 != 0)) {
        return wrongShape(blocks.path, nibbles);
    }
    const uint64_t all = nibbles.shape[1];
    const uint64_t count = nibbles.shape[2];
    const uint64_t step = isBoth ? 2 : 1;
    for (uint64_t part = 0; part < step; ++part) {
        const std::string name = !isBoth ? "down" : part == 0 ? "gate" : "up";
        const SplitMxfp4Rows::Shape shape{
            .nibbles = nibbles.data + part * count * kSmallBlock / 2,
            .scales = scales.data + part * count,
            .blocks = count,
            .rowsPerMatrix = all / step,
            .matrixStep = all,
            .rowStep = step,
        };
        tensors.add("blk." + layer + ".ffn_" + name + "_exps.weight", TensorType::MXFP4,
            {count * kSmallBlock, all / step, nibbles.shape[0]}, nibbles.data, std::make_unique<SplitMxfp4Rows>(shape));
    }
    return {};
}

} // namespace kvasir
