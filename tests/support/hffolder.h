#pragma once

#include "files/gguf.h"
#include "goldendata.h"
#include "safetensorswriter.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>

#include <algorithm>
#include <cstring>
#include <utility>

namespace kvasir::testing {

inline bool writeFile(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
}

/// The name that the transformers library has for a tensor of a GGUF file; what converters to GGUF do, backwards.
inline std::string transformersName(const std::string& ggufName, bool isGemma)
{
    static const std::pair<const char*, const char*> kNames[] = {{"token_embd", "model.embed_tokens"},
        {"output_norm", "model.norm"}, {"output", "lm_head"}, {"attn_norm", "input_layernorm"},
        {"attn_q", "self_attn.q_proj"}, {"attn_k", "self_attn.k_proj"}, {"attn_v", "self_attn.v_proj"},
        {"attn_output", "self_attn.o_proj"}, {"attn_q_norm", "self_attn.q_norm"}, {"attn_k_norm", "self_attn.k_norm"},
        {"ffn_gate_inp", "mlp.gate"}, {"ffn_gate", "mlp.gate_proj"}, {"ffn_up", "mlp.up_proj"},
        {"ffn_down", "mlp.down_proj"}, {"post_attention_norm", "post_attention_layernorm"},
        {"post_ffw_norm", "post_feedforward_layernorm"}};
    const auto match =
        QRegularExpression("^(?:blk\\.(\\d+)\\.)?(.*)\\.weight$").match(QString::fromStdString(ggufName));
    const std::string part = match.captured(2).toStdString();
    std::string name = part == "ffn_norm" ? (isGemma ? "pre_feedforward_layernorm" : "post_attention_layernorm") : "";
    for (const auto& [from, to] : kNames) {
        name = part == from ? to : name;
    }
    const std::string layer = match.captured(1).toStdString();
    return (layer.empty() ? "" : "model.layers." + layer + ".") + name + ".weight";
}

/// The rows of Q or K of a Llama, whose neighbouring values turn, in the order in which halves of a head turn.
inline std::string unpermuted(const std::string& rows, size_t rowSize, size_t headSize)
{
    std::string out(rows.size(), '\0');
    const size_t half = headSize / 2;
    for (size_t row = 0; row < rows.size() / rowSize; ++row) {
        const size_t head = row / headSize * headSize;
        const size_t pair = row % headSize / 2;
        const size_t target = head + (row % 2) * half + pair;
        std::memcpy(out.data() + target * rowSize, rows.data() + row * rowSize, rowSize);
    }
    return out;
}

/// The weights of a golden GGUF file (F32) as the transformers library stores them.
inline SafetensorsWriter weightsOf(const GgufFile& file)
{
    SafetensorsWriter writer;
    const std::string architecture(*file.string("general.architecture"));
    const bool isGemma = architecture.starts_with("gemma");
    const auto headSize = static_cast<size_t>(*file.u64(architecture + ".attention.key_length",
        *file.u64(architecture + ".embedding_length") / *file.u64(architecture + ".attention.head_count")));
    for (const StoredTensor& tensor : file.tensors()) {
        const std::string own(tensor.name);
        std::string data(reinterpret_cast<const char*>(tensor.data), tensor.bytes);
        std::vector<uint64_t> shape(tensor.dims.begin(), tensor.dims.begin() + tensor.dimCount);
        std::reverse(shape.begin(), shape.end());
        if (architecture == "llama" && (own.ends_with("attn_q.weight") || own.ends_with("attn_k.weight"))) {
            data = unpermuted(data, tensor.columns() * sizeof(float), headSize);
        }
        if (isGemma && own.ends_with("norm.weight")) {
            for (size_t i = 0; i < data.size(); i += sizeof(float)) {
                float value = 0;
                std::memcpy(&value, data.data() + i, sizeof value);
                value -= 1;
                std::memcpy(data.data() + i, &value, sizeof value);
            }
        }
        const size_t experts = own.find("_exps.");
        if (experts == std::string::npos) {
            writer.add({transformersName(own, isGemma), "F32", shape, data});
            continue;
        }
        const std::string module = transformersName(own.substr(0, experts) + ".weight", false);
        const size_t dot = module.find("mlp.") + 4;
        const size_t size = data.size() / shape[0];
        for (uint64_t i = 0; i < shape[0]; ++i) {
            writer.add({module.substr(0, dot) + "experts." + std::to_string(i) + "." + module.substr(dot), "F32",
                {shape[1], shape[2]}, data.substr(i * size, size)});
        }
    }
    return writer;
}

/// Puts a golden model into `folder` as the hub would have it, its weights made from the GGUF file. False on failure.
inline bool makeFolder(const QString& model, const QString& folder)
{
    QDir().mkpath(folder);
    for (const char* name : {"config.json", "tokenizer.json", "tokenizer_config.json", "tokenizer.model"}) {
        const QString path = goldenPath(QString("tiny/%1/hf/%2").arg(model, name));
        if (!path.isEmpty() && !writeFile(folder + "/" + name, readAll(path))) {
            return false;
        }
    }
    const auto file = GgufFile::open(goldenPath(QString("tiny/%1/model-f32.gguf").arg(model)).toStdString());
    return file && writeFile(folder + "/model.safetensors", QByteArray::fromStdString(weightsOf(*file).bytes()));
}

} // namespace kvasir::testing
