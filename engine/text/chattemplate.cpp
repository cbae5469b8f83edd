#include "text/chattemplate.h"

#include "text/jinja/access.h"
#include "text/jinja/parser.h"
#include "text/jinja/renderer.h"
#include "text/tokenizer.h"

#include <algorithm>

namespace kvasir {

namespace {

constexpr std::string_view kRoles[] = {
    "system", "developer", "user", "assistant", "model", "tool", "function", "ipython", "observation"};

/// The messages as the template sees them. Some templates make special tokens of the role ('<|' + role + '|>'), so the
/// roles that there are count as the template's own words.
jinja::Value messagesValue(jinja::Sandbox& sandbox, const nlohmann::ordered_json& json)
{
    const jinja::Value messages = fromJson(sandbox, json);
    if (!messages.is(jinja::Value::Kind::List)) {
        return messages;
    }
    for (const jinja::Value& message : messages.list()->items) {
        const jinja::Value* role = message.is(jinja::Value::Kind::Dict) ? message.dict()->find("role") : nullptr;
        if (role && role->is(jinja::Value::Kind::String) && std::ranges::count(kRoles, role->bytes()) != 0) {
            sandbox.set(*message.dict(), sandbox.string("role"), sandbox.string(role->bytes()));
        }
    }
    return messages;
}

} // namespace

struct ChatTemplate::Program {
    std::string source;
    jinja::Program program;
};

ChatTemplate::ChatTemplate(std::unique_ptr<Program> program)
    : m_program(std::move(program))
{
}

ChatTemplate::ChatTemplate(ChatTemplate&&) noexcept = default;
ChatTemplate& ChatTemplate::operator=(ChatTemplate&&) noexcept = default;
ChatTemplate::~ChatTemplate() = default;

Result<ChatTemplate> ChatTemplate::compile(std::string_view source)
{
    auto parsed = jinja::parse(source);
    KVASIR_TRY(parsed);
    auto program = std::make_unique<Program>();
    program->source = source;
    program->program = *std::move(parsed);
    return ChatTemplate(std::move(program));
}

const std::string& ChatTemplate::source() const
{
    return m_program->source;
}

Result<std::vector<PromptPart>> ChatTemplate::renderParts(const TemplateInput& input) const
{
    jinja::Sandbox sandbox;
    sandbox.now = input.now;
    const bool hasTools = !input.tools.is_null();
    const jinja::Globals globals = {
        {"messages", messagesValue(sandbox, input.messages)},
        {"tools", hasTools ? fromJson(sandbox, input.tools) : jinja::Value::none()},
        {"documents", jinja::Value::none()},
        {"add_generation_prompt", jinja::Value::boolean(input.addGenerationPrompt)},
        {"bos_token", sandbox.string(input.bosToken)},
        {"eos_token", sandbox.string(input.eosToken)},
    };
    const jinja::Text text = jinja::render(m_program->program, sandbox, globals);
    if (sandbox.error()) {
        return Failure{*sandbox.error()};
    }
    std::vector<PromptPart> parts;
    text.forEachRun([&](std::string_view bytes, bool trusted) { parts.push_back({std::string(bytes), trusted}); });
    return parts;
}

Result<std::string> ChatTemplate::render(const TemplateInput& input) const
{
    const auto parts = renderParts(input);
    KVASIR_TRY(parts);
    std::string text;
    for (const PromptPart& part : *parts) {
        text += part.text;
    }
    return text;
}

void setTokenNames(const Tokenizer& tokenizer, TemplateInput& input)
{
    const auto name = [&](TokenId token) { return token == kNoToken ? std::string() : tokenizer.piece(token, true); };
    input.bosToken = name(tokenizer.bos());
    input.eosToken = name(tokenizer.eos());
}

std::vector<int32_t> encodePrompt(const Tokenizer& tokenizer, const std::vector<PromptPart>& parts)
{
    std::string text;
    std::vector<TextRange> trusted;
    for (const PromptPart& part : parts) {
        const size_t begin = text.size();
        text += part.text;
        if (part.trusted && !trusted.empty() && trusted.back().end == begin) {
            trusted.back().end = text.size();
        } else if (part.trusted) {
            trusted.push_back({begin, text.size()});
        }
    }
    std::vector<TokenId> tokens = tokenizer.encodeTrusted(text, trusted, false);
    if (tokenizer.addsBos() && (tokens.empty() || tokens.front() != tokenizer.bos())) {
        tokens.insert(tokens.begin(), tokenizer.bos());
    }
    return tokens;
}

} // namespace kvasir
