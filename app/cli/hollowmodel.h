#pragma once

#include "files/gguf.h"
#include "modelshapes.h"

#include <memory>

namespace kvasir::cli {

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
