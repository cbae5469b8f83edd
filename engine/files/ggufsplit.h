#pragma once

#include "files/modelfile.h"

#include <cstdint>

namespace kvasir {

struct GgufPart;

/// Where a file stands among those that a model was split into.
struct SplitPlace {
    uint64_t number = 0;  ///< from 0 on
    uint64_t count = 1;   ///< 1: the model is in one file
    uint64_t tensors = 0; ///< of the whole model
};

/// One GGUF file as it is; `part` gives all but its numbers.
Result<ModelFile> wholePart(GgufPart& part);

/// Errors: Malformed, MissingMetadata (split.no).
Result<SplitPlace> splitPlace(const ModelFile& part);

/// Opens the other files of the model that `part` belongs to, beside it under the names NAME-00001-of-0000N.gguf, and
/// joins all: the first one's metadata, the tensors of all in order.
/// Errors: those of opening a part (FileNotFound names it); Malformed where they do not belong together.
Result<ModelFile> joinSplit(ModelFile part, const SplitPlace& place);

} // namespace kvasir
