#pragma once

#include "files/modelfile.h"

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace kvasir {

/// Lists the tensors of a model under names of its own, with the memory of what is in no file.
class TensorWriter {
public:
    TensorWriter();

    /// `dims` in GGUF's order, 1 to 4 of them; `data` is a row after the other in a mapping.
    void add(std::string name, TensorType type, const std::vector<uint64_t>& dims, const std::byte* data);
    /// The same with rows that `maker` makes from what is at `place`.
    void add(std::string name, TensorType type, const std::vector<uint64_t>& dims, const std::byte* place,
        std::unique_ptr<RowMaker> maker);
    /// A vector of its own.
    void addFloats(std::string name, std::vector<float> values);

    void moveInto(ModelFile::Contents& contents) &&;

private:
    struct Memory {
        std::deque<std::string> names;
        std::deque<std::vector<float>> values;
        std::deque<std::unique_ptr<RowMaker>> makers;
    };

    std::shared_ptr<Memory> m_memory;
    std::vector<StoredTensor> m_tensors;
};

} // namespace kvasir
