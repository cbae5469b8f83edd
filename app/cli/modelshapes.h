#pragma once

#include "base/result.h"
#include "quant/tensortype.h"

#include <span>
#include <string_view>

namespace kvasir::cli {

/// The numbers of a published model, for plans without its file.
struct ModelShape {
    const char* name;
    const char* architecture;
    int layers;
    int width;
    int heads;
    int kvHeads;
    int headSize;
    int feedForward;
    int vocabulary;
    int context;
    bool tiedHead;
};

std::span<const ModelShape> modelShapes();
/// Error: BadArgument, naming those that there are.
Result<ModelShape> findModelShape(std::string_view name);
/// "q4_0", "Q4_0", ... Error: BadArgument.
Result<TensorType> findTensorType(std::string_view name);

} // namespace kvasir::cli
