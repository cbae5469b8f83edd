#include "shapedfile.h"

#include "files/gguf.h"

#include <cstdio>
#include <string_view>

namespace kvasir::cli {
namespace {

constexpr uint64_t kAlignment = 32;
constexpr uint32_t kArray = 9;

uint64_t aligned(uint64_t bytes)
{
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

/// Builds the bytes of a GGUF header.
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
    void entry(std::string_view key, std::string_view value)
    {
        begin(key, GgufType::String);
        text(value);
    }
    void entry(std::string_view key, uint32_t value)
    {
        begin(key, GgufType::Uint32);
        raw(value);
    }
    void entry(std::string_view key, float value)
    {
        begin(key, GgufType::Float32);
        raw(value);
    }
    void beginArray(std::string_view key, GgufType type, int count)
    {
        text(key);
        raw(kArray);
        raw(static_cast<uint32_t>(type));
        raw(static_cast<uint64_t>(count));
        ++m_entries;
    }
    /// With the counts that a file begins with.
    std::vector<std::byte> finish(uint64_t tensors) const
    {
        HeaderWriter start;
        start.raw<uint32_t>(0x46554747); // "GGUF"
        start.raw<uint32_t>(3);
        start.raw(tensors);
        start.raw(m_entries);
        start.m_bytes.insert(start.m_bytes.end(), m_bytes.begin(), m_bytes.end());
        start.m_bytes.resize(aligned(start.m_bytes.size()));
        return start.m_bytes;
    }

private:
    void begin(std::string_view key, GgufType type)
    {
        text(key);
        raw(static_cast<uint32_t>(type));
        ++m_entries;
    }

    std::vector<std::byte> m_bytes;
    uint64_t m_entries = 0;
};

// Token kinds of sentencepiece.
constexpr int32_t kNormal = 1;
constexpr int32_t kUnknown = 2;
constexpr int32_t kControl = 3;
constexpr int32_t kByte = 6;

struct Token {
    std::string text;
    int32_t kind = kNormal;
};

Token tokenAt(int id)
{
    switch (id) {
    case 0:
        return {"<unk>", kUnknown};
    case 1:
        return {"<s>", kControl};
    case 2:
        return {"</s>", kControl};
    default:
        break;
    }
    if (id < 3 + 256) {
        char text[8];
        std::snprintf(text, sizeof text, "<0x%02X>", static_cast<unsigned char>(id - 3));
        return {text, kByte};
    }
    return {"\u2581" + std::to_string(id), kNormal};
}

void writeVocabulary(HeaderWriter& header, int count)
{
    header.entry("tokenizer.ggml.model", std::string_view("llama"));
    header.beginArray("tokenizer.ggml.tokens", GgufType::String, count);
    for (int id = 0; id < count; ++id) {
        header.text(tokenAt(id).text);
    }
    header.beginArray("tokenizer.ggml.scores", GgufType::Float32, count);
    for (int id = 0; id < count; ++id) {
        header.raw(static_cast<float>(-id));
    }
    header.beginArray("tokenizer.ggml.token_type", GgufType::Int32, count);
    for (int id = 0; id < count; ++id) {
        header.raw(tokenAt(id).kind);
    }
    header.entry("tokenizer.ggml.bos_token_id", uint32_t{1});
    header.entry("tokenizer.ggml.eos_token_id", uint32_t{2});
    header.entry("tokenizer.ggml.unknown_token_id", uint32_t{0});
}

std::vector<ShapedTensor> tensorsOf(const ModelShape& shape, TensorType type)
{
    const auto width = static_cast<uint64_t>(shape.width);
    const auto queries = static_cast<uint64_t>(shape.heads * shape.headSize);
    const auto keys = static_cast<uint64_t>(shape.kvHeads * shape.headSize);
    const auto wide = static_cast<uint64_t>(shape.feedForward);
    const auto words = static_cast<uint64_t>(shape.vocabulary);
    const std::string_view architecture = shape.architecture;
    std::vector<ShapedTensor> tensors{
        {"token_embd.weight", type, width, words}, {"output_norm.weight", TensorType::F32, width}};
    if (!shape.tiedHead) {
        tensors.push_back({"output.weight", type, width, words});
    }
    for (int layer = 0; layer < shape.layers; ++layer) {
        const std::string prefix = "blk." + std::to_string(layer) + ".";
        const auto vector = [&](const char* name, uint64_t columns) {
            tensors.push_back({prefix + name, TensorType::F32, columns});
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

} // namespace

Result<ShapedFile> ShapedFile::plan(const ModelShape& shape, TensorType type)
{
    ShapedFile file;
    file.tensors = tensorsOf(shape, type);
    const std::string prefix = std::string(shape.architecture) + ".";
    const auto number = [](int value) { return static_cast<uint32_t>(value); };
    HeaderWriter header;
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
    header.entry(prefix + "rope.dimension_count", number(shape.headSize));
    writeVocabulary(header, shape.vocabulary);
    for (ShapedTensor& tensor : file.tensors) {
        if (tensor.columns % blockShape(tensor.type).values != 0) {
            return fail(ErrorCode::BadArgument,
                std::string(shape.name) + " can not be stored as " + std::string(tensorTypeName(type)) + ": rows of "
                    + std::to_string(tensor.columns) + " are no multiple of its block",
                {{"what", "--type"}, {"value", std::string(tensorTypeName(type))}});
        }
        header.text(tensor.name);
        header.raw<uint32_t>(tensor.rows > 0 ? 2 : 1);
        header.raw(tensor.columns);
        if (tensor.rows > 0) {
            header.raw(tensor.rows);
        }
        header.raw(static_cast<uint32_t>(tensor.type));
        header.raw(file.bytes); // of the data before it
        tensor.offset = file.bytes;
        file.bytes = aligned(file.bytes + tensor.bytes());
    }
    file.header = header.finish(file.tensors.size());
    for (ShapedTensor& tensor : file.tensors) {
        tensor.offset += file.header.size();
    }
    file.bytes += file.header.size();
    return file;
}

} // namespace kvasir::cli
