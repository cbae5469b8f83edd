#include "modelshapes.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <sys/mman.h>
#include <vector>

namespace kvasir::cli {
namespace {

// From the models' published config.json.
constexpr ModelShape kShapes[] = {
    {"smollm2-135m", "llama", 30, 576, 9, 3, 64, 1536, 49152, 8192, true},
    {"llama-3.2-1b", "llama", 16, 2048, 32, 8, 64, 8192, 128256, 131072, true},
    {"llama-3.2-3b", "llama", 28, 3072, 24, 8, 128, 8192, 128256, 131072, true},
    {"llama-2-7b", "llama", 32, 4096, 32, 32, 128, 11008, 32000, 4096, false},
    {"llama-2-13b", "llama", 40, 5120, 40, 40, 128, 13824, 32000, 4096, false},
    {"llama-2-70b", "llama", 80, 8192, 64, 8, 128, 28672, 32000, 4096, false},
    {"llama-3.1-8b", "llama", 32, 4096, 32, 8, 128, 14336, 128256, 131072, false},
    {"llama-3.1-70b", "llama", 80, 8192, 64, 8, 128, 28672, 128256, 131072, false},
    {"mistral-7b", "llama", 32, 4096, 32, 8, 128, 14336, 32768, 32768, false},
    {"qwen2.5-0.5b", "qwen2", 24, 896, 14, 2, 64, 4864, 151936, 32768, true},
    {"qwen2.5-7b", "qwen2", 28, 3584, 28, 4, 128, 18944, 152064, 32768, false},
    {"qwen3-0.6b", "qwen3", 28, 1024, 16, 8, 128, 3072, 151936, 40960, true},
    {"qwen3-8b", "qwen3", 36, 4096, 32, 8, 128, 12288, 151936, 40960, false},
};

constexpr TensorType kTypes[] = {TensorType::F32, TensorType::F16, TensorType::BF16, TensorType::Q4_0, TensorType::Q4_1,
    TensorType::Q5_0, TensorType::Q5_1, TensorType::Q8_0, TensorType::Q4_K, TensorType::Q5_K, TensorType::Q6_K};

constexpr uint64_t kAlignment = 32;

/// Builds the bytes of a GGUF header, version 3.
class HeaderWriter {
public:
    template <class T> void raw(T value)
    {
        const auto* bytes = reinterpret_cast<const std::byte*>(&value);
        m_bytes.insert(m_bytes.end(), bytes, bytes + sizeof value);
    }
    void text(std::string_view value)
    {
        raw<uint64_t>(value.size());
        const auto* bytes = reinterpret_cast<const std::byte*>(value.data());
        m_bytes.insert(m_bytes.end(), bytes, bytes + value.size());
    }
    void begin(uint64_t tensors, uint64_t entries)
    {
        raw<uint32_t>(0x46554747); // "GGUF"
        raw<uint32_t>(3);
        raw(tensors);
        raw(entries);
    }
    void entry(std::string_view key, std::string_view value)
    {
        text(key);
        raw(static_cast<uint32_t>(GgufType::String));
        text(value);
    }
    void entry(std::string_view key, uint32_t value)
    {
        text(key);
        raw(static_cast<uint32_t>(GgufType::Uint32));
        raw(value);
    }
    void entry(std::string_view key, float value)
    {
        text(key);
        raw(static_cast<uint32_t>(GgufType::Float32));
        raw(value);
    }
    /// A vocabulary of `count` different names: the plan wants to know how many there are.
    void vocabulary(int count)
    {
        text("tokenizer.ggml.tokens");
        raw<uint32_t>(9); // array
        raw(static_cast<uint32_t>(GgufType::String));
        raw(static_cast<uint64_t>(count));
        for (int i = 0; i < count; ++i) {
            text(std::to_string(i));
        }
    }
    const std::vector<std::byte>& bytes() const { return m_bytes; }

private:
    std::vector<std::byte> m_bytes;
};

struct TensorPlan {
    std::string name;
    TensorType type = TensorType::F32;
    uint64_t columns = 0;
    uint64_t rows = 0; ///< 0: a vector
    uint64_t bytes() const { return rowBytes(type, columns) * std::max<uint64_t>(1, rows); }
};

std::vector<TensorPlan> tensorsOf(const ModelShape& shape, TensorType type)
{
    const auto width = static_cast<uint64_t>(shape.width);
    const auto queries = static_cast<uint64_t>(shape.heads * shape.headSize);
    const auto keys = static_cast<uint64_t>(shape.kvHeads * shape.headSize);
    const auto wide = static_cast<uint64_t>(shape.feedForward);
    const auto words = static_cast<uint64_t>(shape.vocabulary);
    const std::string_view architecture = shape.architecture;
    std::vector<TensorPlan> tensors{
        {"token_embd.weight", type, width, words}, {"output_norm.weight", TensorType::F32, width, 0}};
    if (!shape.tiedHead) {
        tensors.push_back({"output.weight", type, width, words});
    }
    for (int layer = 0; layer < shape.layers; ++layer) {
        const std::string prefix = "blk." + std::to_string(layer) + ".";
        const auto vector = [&](const char* name, uint64_t columns) {
            tensors.push_back({prefix + name, TensorType::F32, columns, 0});
        };
        const auto matrix = [&](const char* name, uint64_t columns, uint64_t rows) {
            tensors.push_back({prefix + name, type, columns, rows});
        };
        vector("attn_norm.weight", width);
        matrix("attn_q.weight", width, queries);
        matrix("attn_k.weight", width, keys);
        matrix("attn_v.weight", width, keys);
        matrix("attn_output.weight", queries, width);
        if (architecture == "qwen2") {
            vector("attn_q.bias", queries);
            vector("attn_k.bias", keys);
            vector("attn_v.bias", keys);
        } else if (architecture == "qwen3") {
            vector("attn_q_norm.weight", static_cast<uint64_t>(shape.headSize));
            vector("attn_k_norm.weight", static_cast<uint64_t>(shape.headSize));
        }
        vector("ffn_norm.weight", width);
        matrix("ffn_gate.weight", width, wide);
        matrix("ffn_up.weight", width, wide);
        matrix("ffn_down.weight", wide, width);
    }
    return tensors;
}

uint64_t aligned(uint64_t bytes)
{
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

HeaderWriter writeHeader(const ModelShape& shape, const std::vector<TensorPlan>& tensors)
{
    const std::string prefix = std::string(shape.architecture) + ".";
    const auto number = [](int value) { return static_cast<uint32_t>(value); };
    HeaderWriter header;
    header.begin(tensors.size(), 13);
    header.entry("general.architecture", std::string_view(shape.architecture));
    header.entry("general.name", std::string_view(shape.name));
    header.entry(prefix + "block_count", number(shape.layers));
    header.entry(prefix + "context_length", number(shape.context));
    header.entry(prefix + "embedding_length", number(shape.width));
    header.entry(prefix + "feed_forward_length", number(shape.feedForward));
    header.entry(prefix + "attention.head_count", number(shape.heads));
    header.entry(prefix + "attention.head_count_kv", number(shape.kvHeads));
    header.entry(prefix + "attention.key_length", number(shape.headSize));
    header.entry(prefix + "attention.value_length", number(shape.headSize));
    header.entry(prefix + "attention.layer_norm_rms_epsilon", 1e-5f);
    header.entry("tokenizer.ggml.model", std::string_view("gpt2"));
    header.vocabulary(shape.vocabulary);
    uint64_t offset = 0;
    for (const TensorPlan& tensor : tensors) {
        header.text(tensor.name);
        header.raw<uint32_t>(tensor.rows > 0 ? 2 : 1);
        header.raw(tensor.columns);
        if (tensor.rows > 0) {
            header.raw(tensor.rows);
        }
        header.raw(static_cast<uint32_t>(tensor.type));
        header.raw(offset);
        offset = aligned(offset + tensor.bytes());
    }
    return header;
}

std::string lower(std::string_view text)
{
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) { return std::tolower(c); });
    return result;
}

} // namespace

std::span<const ModelShape> modelShapes()
{
    return kShapes;
}

Result<ModelShape> findModelShape(std::string_view name)
{
    std::string known;
    for (const ModelShape& shape : kShapes) {
        if (lower(name) == shape.name) {
            return shape;
        }
        known += (known.empty() ? "" : ", ") + std::string(shape.name);
    }
    return fail(ErrorCode::BadArgument, "--shape must be one of " + known + ", not '" + std::string(name) + "'",
        {{"what", "--shape"}, {"value", std::string(name)}});
}

Result<TensorType> findTensorType(std::string_view name)
{
    std::string known;
    for (const TensorType type : kTypes) {
        const std::string own = lower(tensorTypeName(type));
        if (lower(name) == own) {
            return type;
        }
        known += (known.empty() ? "" : ", ") + own;
    }
    return fail(ErrorCode::BadArgument, "--type must be one of " + known + ", not '" + std::string(name) + "'",
        {{"what", "--type"}, {"value", std::string(name)}});
}

Result<std::unique_ptr<HollowModel>> HollowModel::create(const ModelShape& shape, TensorType type)
{
    const std::vector<TensorPlan> tensors = tensorsOf(shape, type);
    uint64_t dataBytes = 0;
    for (const TensorPlan& tensor : tensors) {
        if (tensor.columns % blockShape(tensor.type).values != 0) {
            return fail(ErrorCode::BadArgument,
                std::string(shape.name) + " can not be stored as " + std::string(tensorTypeName(type)) + ": rows of "
                    + std::to_string(tensor.columns) + " are no multiple of its block",
                {{"what", "--type"}, {"value", std::string(tensorTypeName(type))}});
        }
        dataBytes = aligned(dataBytes + tensor.bytes());
    }
    const HeaderWriter header = writeHeader(shape, tensors);
    std::unique_ptr<HollowModel> model(new HollowModel);
    model->m_bytes = aligned(header.bytes().size()) + dataBytes;
    void* memory =
        mmap(nullptr, model->m_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        return fail(ErrorCode::OutOfMemory, "out of memory: no address space to plan in",
            {{"what", "address space"}, {"need", std::to_string(model->m_bytes)}});
    }
    model->m_memory = memory;
    std::memcpy(memory, header.bytes().data(), header.bytes().size());
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
