#pragma once

#include "base/result.h"
#include "files/gguf.h"
#include "quant/tensortype.h"

#include <memory>
#include <span>
#include <string>
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

/// A GGUF file of that shape which has a header and no weights: address space that is never touched. The loading code
/// plans with it as with a real file.
class HollowModel {
public:
    /// Matrices are of `type`, vectors F32. Errors: OutOfMemory (address space), BadArgument (rows that are no multiple
    /// of the type's block).
    static Result<std::unique_ptr<HollowModel>> create(const ModelShape& shape, TensorType type);
    ~HollowModel();
    HollowModel(const HollowModel&) = delete;
    HollowModel& operator=(const HollowModel&) = delete;

    const GgufFile& file() const { return *m_file; }

private:
    HollowModel() = default;

    void* m_memory = nullptr;
    size_t m_bytes = 0;
    std::unique_ptr<GgufFile> m_file;
};

} // namespace kvasir::cli
