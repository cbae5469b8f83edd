#pragma once

#include "base/result.h"
#include "files/safetensors.h"
#include "quant/tensortype.h"

#include <string>
#include <vector>

namespace kvasir {

struct HuggingFaceArchitecture;
class TensorWriter;

/// The type of a tensor of numbers that the engine computes with. Errors: Unsupported, by name.
Result<TensorType> floatType(const std::string& path, const SafeTensor& tensor);

/// Lists the tensors of the weight files under GGUF's names. `tied`: the head is the embedding, and a copy of it is
/// left out. Errors: Unsupported (type), Malformed (shape).
Result<void> writeTensors(const std::vector<SafetensorsFile>& files, const HuggingFaceArchitecture& architecture,
    bool tied, TensorWriter& tensors);

} // namespace kvasir
