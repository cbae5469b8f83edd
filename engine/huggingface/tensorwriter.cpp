#include "huggingface/tensorwriter.h"

namespace kvasir {

TensorWriter::TensorWriter()
    : m_memory(std::make_shared<Memory>())
{
}

void TensorWriter::add(std::string name, TensorType type, const std::vector<uint64_t>& dims, const std::byte* data)
{
    add(std::move(name), type, dims, data, nullptr);
}

void TensorWriter::add(std::string name, TensorType type, const std::vector<uint64_t>& dims, const std::byte* place,
    std::unique_ptr<RowMaker> maker)
{
    StoredTensor tensor;
    tensor.name = m_memory->names.emplace_back(std::move(name));
    tensor.type = type;
    tensor.dimCount = static_cast<int>(dims.size());
    for (size_t i = 0; i < dims.size(); ++i) {
        tensor.dims[i] = dims[i];
    }
    tensor.data = place;
    tensor.bytes = rowBytes(type, tensor.columns()) * tensor.rows();
    if (maker) {
        tensor.maker = m_memory->makers.emplace_back(std::move(maker)).get();
    }
    m_tensors.push_back(tensor);
}

void TensorWriter::addFloats(std::string name, std::vector<float> values)
{
    const std::vector<float>& own = m_memory->values.emplace_back(std::move(values));
    add(std::move(name), TensorType::F32, {own.size()}, reinterpret_cast<const std::byte*>(own.data()));
}

void TensorWriter::moveInto(ModelFile::Contents& contents) &&
{
    contents.tensors = std::move(m_tensors);
    contents.owned.push_back(std::move(m_memory));
}

} // namespace kvasir
