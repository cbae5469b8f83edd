#pragma once

#include "base/result.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace kvasir {

class Tokenizer;

struct TemplateInput {
    nlohmann::ordered_json messages = nlohmann::ordered_json::array(); ///< [{"role": ..., "content": ...}, ...]
    nlohmann::ordered_json tools;                                      ///< null: none
    bool addGenerationPrompt = true;
    std::string bosToken;
    std::string eosToken;
    std::string now; ///< "2026-11-29T12:00:00", for strftime_now; empty: the clock
};

/// A stretch of a rendered prompt. Only text written by the template itself is `trusted`: special tokens are parsed
/// there and nowhere else, so that a user's message cannot forge a turn.
struct PromptPart {
    std::string text;
    bool trusted = false;
};

/// A compiled chat template (a Jinja subset), rendered in a sandbox with limits on steps, depth and output.
/// Immutable; any thread may use it.
class ChatTemplate {
public:
    static Result<ChatTemplate> compile(std::string_view source);
    ChatTemplate(ChatTemplate&&) noexcept;
    ChatTemplate& operator=(ChatTemplate&&) noexcept;
    ~ChatTemplate();

    Result<std::vector<PromptPart>> renderParts(const TemplateInput& input) const;
    Result<std::string> render(const TemplateInput& input) const;
    const std::string& source() const;

private:
    struct Program;
    explicit ChatTemplate(std::unique_ptr<Program> program);
    std::unique_ptr<Program> m_program;
};

/// A template of ours for a family of models.
struct KnownTemplate {
    std::string_view name; ///< of the format, "ChatML"; empty: none is known
    std::string_view source;
};

/// The template to use with a model whose file has none, known by the turn markers in its vocabulary. None where there
/// are no such markers, as in most base models.
KnownTemplate knownTemplateFor(const Tokenizer& tokenizer);

/// Sets the names of BOS and EOS, which templates write; empty where the model has none.
void setTokenNames(const Tokenizer& tokenizer, TemplateInput& input);

/// Token ids of a rendered prompt: special tokens parsed in trusted parts only. A BOS is added where the model adds one
/// and the text does not start with it.
std::vector<int32_t> encodePrompt(const Tokenizer& tokenizer, const std::vector<PromptPart>& parts);

} // namespace kvasir
