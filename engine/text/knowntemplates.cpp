#include "text/chattemplate.h"
#include "text/tokenizer.h"

namespace kvasir {

namespace {

constexpr std::string_view kChatMl = R"({%- for message in messages -%}
{{ '<|im_start|>' + message.role + '\n' + message.content + '<|im_end|>\n' }}
{%- endfor -%}
{%- if add_generation_prompt -%}
{{ '<|im_start|>assistant\n' }}
{%- endif -%})";

// Gemma knows no system turn: its text goes in front of the next user's.
constexpr std::string_view kGemma = R"({{- bos_token -}}
{%- set pending = namespace(text='') -%}
{%- for message in messages -%}
{%- if message.role == 'system' -%}
{%- set pending.text = pending.text + message.content.strip() + '\n\n' -%}
{%- else -%}
{{ '<start_of_turn>' + ('model' if message.role == 'assistant' else 'user') + '\n' }}
{{- pending.text + message.content.strip() + '<end_of_turn>\n' }}
{%- set pending.text = '' -%}
{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}
{{ '<start_of_turn>model\n' }}
{%- endif -%})";

constexpr std::string_view kLlama3 = R"({{- bos_token -}}
{%- for message in messages -%}
{{ '<|start_header_id|>' + message.role + '<|end_header_id|>\n\n' + message.content.strip() + '<|eot_id|>' }}
{%- endfor -%}
{%- if add_generation_prompt -%}
{{ '<|start_header_id|>assistant<|end_header_id|>\n\n' }}
{%- endif -%})";

struct Format {
    std::string_view marker; ///< a special token that no other format has
    std::string_view source;
};

constexpr Format kFormats[] = {
    {"<|im_start|>", kChatMl}, {"<start_of_turn>", kGemma}, {"<|start_header_id|>", kLlama3}};

} // namespace

std::string_view chatTemplateFor(const Tokenizer& tokenizer)
{
    for (const Format& format : kFormats) {
        const std::vector<TokenId> ids = tokenizer.encode(format.marker, {.parseSpecial = true});
        if (ids.size() == 1 && tokenizer.isSpecial(ids[0])) {
            return format.source;
        }
    }
    return {};
}

} // namespace kvasir
