#include "scriptedmodel.h"

#include <algorithm>
#include <fstream>

namespace kvasir::testing {

namespace {

constexpr int kBytes = 256;

/// A byte as the character that stands for it in a GPT-2 vocabulary: printable ones for themselves, the rest from
/// U+0100.
std::string alphabetOf(unsigned char byte)
{
    const auto isPrintable = [](int b) { return (b >= 33 && b <= 126) || (b >= 161 && b <= 172) || b >= 174; };
    int code = byte;
    if (!isPrintable(byte)) {
        code = 256;
        for (int b = 0; b < byte; ++b) {
            code += isPrintable(b) ? 0 : 1;
        }
    }
    if (code < 128) {
        return std::string(1, static_cast<char>(code));
    }
    return {static_cast<char>(0xC0 | code >> 6), static_cast<char>(0x80 | (code & 0x3F))};
}

std::string encoded(const std::string& text)
{
    std::string result;
    for (const char c : text) {
        result += alphabetOf(static_cast<unsigned char>(c));
    }
    return result;
}

} // namespace

std::vector<std::string> ScriptedModel::words() const
{
    std::vector<std::string> result;
    for (const std::string& token : script) {
        if (std::find(control.begin(), control.end(), token) == control.end()
            && std::find(userDefined.begin(), userDefined.end(), token) == userDefined.end()) {
            result.push_back(token);
        }
    }
    return result;
}

std::vector<int> ScriptedModel::ids() const
{
    const auto offset = [](const auto& list, const std::string& text) {
        const auto found = std::find(list.begin(), list.end(), text);
        return found == list.end() ? -1 : static_cast<int>(found - list.begin());
    };
    std::vector<int> result;
    int word = kBytes + static_cast<int>(control.size() + userDefined.size());
    for (const std::string& token : script) {
        const int asControl = offset(control, token);
        const int asUserDefined = offset(userDefined, token);
        result.push_back(asControl >= 0 ? kBytes + asControl
                : asUserDefined >= 0    ? kBytes + static_cast<int>(control.size()) + asUserDefined
                                        : word++);
    }
    return result;
}

std::string ScriptedModel::bytes() const
{
    std::vector<std::string> tokens;
    std::vector<int32_t> kinds;
    const auto add = [&](const std::string& text, int kind) {
        tokens.push_back(text);
        kinds.push_back(kind);
    };
    for (int byte = 0; byte < kBytes; ++byte) {
        add(alphabetOf(static_cast<unsigned char>(byte)), 1);
    }
    for (const std::string& text : control) {
        add(text, 3);
    }
    for (const std::string& text : userDefined) {
        add(text, 4);
    }
    for (const std::string& text : words()) {
        add(encoded(text), 1);
    }

    GgufWriter file;
    file.add("general.architecture", "llama");
    file.add("general.name", "Scripted");
    file.add("general.file_type", uint32_t(0));
    const auto width = static_cast<uint32_t>((script.size() + 1 + 31) / 32 * 32);
    const uint32_t feedForward = 32;
    file.add("llama.block_count", uint32_t(1));
    file.add("llama.context_length", static_cast<uint32_t>(context));
    file.add("llama.embedding_length", width);
    file.add("llama.feed_forward_length", feedForward);
    file.add("llama.attention.head_count", width / 32);
    file.add("llama.attention.layer_norm_rms_epsilon", 1e-5f);
    file.add("tokenizer.ggml.model", "gpt2");
    file.add("tokenizer.ggml.pre", preTokenizer);
    file.addArray("tokenizer.ggml.tokens", tokens);
    file.addArray("tokenizer.ggml.token_type", kinds);
    file.addArray("tokenizer.ggml.merges", std::vector<std::string>{});
    if (!control.empty()) {
        file.add("tokenizer.ggml.eos_token_id", static_cast<uint32_t>(kBytes + control.size() - 1));
    }
    if (!chatTemplate.empty()) {
        file.add("tokenizer.chat_template", chatTemplate);
    }

    // State k, the k-th unit vector, is "k tokens of the script have been said".
    std::vector<float> embedding(tokens.size() * width, 0.0f);
    std::vector<float> head(tokens.size() * width, 0.0f);
    const auto at = [&](std::vector<float>& matrix, size_t token, size_t column) -> float& {
        return matrix[token * width + column];
    };
    const auto start = std::find(tokens.begin(), tokens.end(), before.size() == 1 ? encoded(before) : before);
    at(embedding, static_cast<size_t>(start - tokens.begin()), 0) = 1;
    const std::vector<int> said = ids();
    for (size_t k = 0; k < said.size(); ++k) {
        at(embedding, static_cast<size_t>(said[k]), k + 1) = 1;
        at(head, static_cast<size_t>(said[k]), k) = 8;
    }
    file.addTensor("token_embd.weight", {width, tokens.size()}, embedding);
    file.addTensor("output.weight", {width, tokens.size()}, head);
    const std::vector<float> ones(width, 1.0f);
    for (const char* name : {"output_norm.weight", "blk.0.attn_norm.weight", "blk.0.ffn_norm.weight"}) {
        file.addTensor(name, {width}, ones);
    }
    const std::vector<float> zeros(static_cast<size_t>(width) * std::max(width, feedForward), 0.0f);
    for (const char* name : {"attn_q", "attn_k", "attn_v", "attn_output"}) {
        file.addTensor("blk.0." + std::string(name) + ".weight", {width, width},
            std::span(zeros).first(static_cast<size_t>(width) * width));
    }
    const auto rectangle = std::span(zeros).first(static_cast<size_t>(width) * feedForward);
    file.addTensor("blk.0.ffn_gate.weight", {width, feedForward}, rectangle);
    file.addTensor("blk.0.ffn_up.weight", {width, feedForward}, rectangle);
    file.addTensor("blk.0.ffn_down.weight", {feedForward, width}, rectangle);
    return file.bytes();
}

bool ScriptedModel::write(const std::string& path) const
{
    std::ofstream out(path, std::ios::binary);
    const std::string all = bytes();
    out.write(all.data(), static_cast<std::streamsize>(all.size()));
    return static_cast<bool>(out);
}

std::vector<std::string> asTokens(const std::string& text)
{
    std::vector<std::string> tokens;
    for (const char c : text) {
        if (tokens.empty() || c == ' ' || c == '\n' || tokens.back() == "\n") {
            tokens.emplace_back();
        }
        tokens.back() += c;
    }
    return tokens;
}

} // namespace kvasir::testing
