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

constexpr std::string_view kPhi3 = R"({%- for message in messages -%}
{{ '<|' + message.role + '|>\n' + message.content + '<|end|>\n' }}
{%- endfor -%}
{%- if add_generation_prompt -%}
{{ '<|assistant|>\n' }}
{%- endif -%})";

constexpr std::string_view kGranite = R"({%- for message in messages -%}
{{ '<|start_of_role|>' + message.role + '<|end_of_role|>' + message.content + '<|end_of_text|>\n' }}
{%- endfor -%}
{%- if add_generation_prompt -%}
{{ '<|start_of_role|>assistant<|end_of_role|>' }}
{%- endif -%})";

constexpr std::string_view kCommandR = R"({{- bos_token -}}
{%- set names = {'system': 'SYSTEM', 'user': 'USER', 'assistant': 'CHATBOT'} -%}
{%- for message in messages -%}
{{ '<|START_OF_TURN_TOKEN|><|' + names.get(message.role, 'SYSTEM') + '_TOKEN|>' }}
{{- message.content.strip() + '<|END_OF_TURN_TOKEN|>' }}
{%- endfor -%}
{%- if add_generation_prompt -%}
{{ '<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>' }}
{%- endif -%})";

// DeepSeek's reasoning of earlier turns is not shown to it again.
constexpr std::string_view kDeepSeek = R"({{- bos_token -}}
{%- for message in messages -%}
{%- if message.role == 'system' -%}
{{ message.content }}
{%- elif message.role == 'user' -%}
{{ '<｜User｜>' + message.content }}
{%- else -%}
{{ '<｜Assistant｜>' + message.content.split('</think>')[-1] + '<｜end▁of▁sentence｜>' }}
{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}
{{ '<｜Assistant｜>' }}
{%- endif -%})";

struct Format {
    std::string_view marker; ///< a special token that no other format has, or that comes first here
    std::string_view end;    ///< a special token that must be there too
    KnownTemplate known;
};

constexpr Format kFormats[] = {
    {"<|im_start|>", {}, {"ChatML", kChatMl}},
    {"<start_of_turn>", {}, {"Gemma", kGemma}},
    {"<|start_header_id|>", {}, {"Llama 3", kLlama3}},
    {"<|start_of_role|>", {}, {"Granite", kGranite}},
    {"<|START_OF_TURN_TOKEN|>", {}, {"Command R", kCommandR}},
    {"<｜Assistant｜>", {}, {"DeepSeek", kDeepSeek}},
    {"<|assistant|>", "<|end|>", {"Phi 3", kPhi3}},
};

} // namespace

KnownTemplate knownTemplateFor(const Tokenizer& tokenizer)
{
    const auto has = [&](std::string_view text) {
        const std::vector<TokenId> ids = tokenizer.encode(text, {.parseSpecial = true});
        return ids.size() == 1 && tokenizer.isSpecial(ids[0]);
    };
    for (const Format& format : kFormats) {
        if (has(format.marker) && (format.end.empty() || has(format.end))) {
            return format.known;
        }
    }
    return {};
}

} // namespace kvasir
