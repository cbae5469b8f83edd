#include "hollowmodel.h"

#include "shapedfile.h"

#include <cstring>
#include <sys/mman.h>

namespace kvasir::cli {

Result<std::unique_ptr<HollowModel>> HollowModel::create(const ModelShape& shape, TensorType type)
{
    const auto planned = ShapedFile::plan(shape, type);
    KVASIR_TRY(planned);
    std::unique_ptr<HollowModel> model(new HollowModel);
    model->m_bytes = planned->bytes;
    void* memory =
        mmap(nullptr, model->m_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        return fail(ErrorCode::OutOfMemory, "out of memory: no address space to plan in",
            {{"what", "address space"}, {"need", std::to_string(model->m_bytes)}});
    }
    model->m_memory = memory;
    std::memcpy(memory, planned->header.data(), planned->header.size());
    auto file = GgufFile::parse(FileMap::borrow({static_cast<const std::byte*>(memory), model->m_bytes}, shape.name));
    KVASIR_TRY(file);
    model->m_file = std::make_unique<GgufFile>(std::move(file).value());
    return model;
}

HollowModel::~HollowModel()
{
    m_file.reset();
    if (m_memory) {
        munmap(m_memory, m_bytes);
    }
}

} // namespace kvasir::cli
