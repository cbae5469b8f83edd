#include "command.h"
#include "modelarguments.h"
#include "output.h"
#include "text/chattemplate.h"
#include "text/tokenizer.h"

namespace kvasir::cli {
namespace {

Result<void> readConversation(const Arguments& arguments, TemplateInput& input)
{
    if (!arguments.has("--messages")) {
        return fail(ErrorCode::BadArgument, "template needs --messages FILE with a conversation in JSON",
            {{"what", "--messages"}, {"value", ""}});
    }
    const std::string path = arguments.text("--messages");
    auto conversation = readJson(path);
    KVASIR_TRY(conversation);
    const bool isObject = conversation->is_object() && conversation->contains("messages");
    input.messages = isObject ? (*conversation)["messages"] : *conversation;
    if (isObject && conversation->contains("tools")) {
        input.tools = (*conversation)["tools"];
    }
    if (!input.messages.is_array()) {
        return fail(
            ErrorCode::BadArgument, path + " holds no list of messages", {{"what", "messages"}, {"value", path}});
    }
    if (arguments.has("--tools")) {
        auto tools = readJson(arguments.text("--tools"));
        KVASIR_TRY(tools);
        input.tools = std::move(tools).value();
    }
    return {};
}

/// The model's template and its BOS and EOS, as far as the command line does not say them.
Result<void> askModel(const Arguments& arguments, TemplateInput& input, std::string& source)
{
    const auto file = openModelFile(arguments);
    KVASIR_TRY(file);
    const auto tokenizer = makeTokenizer(*file);
    KVASIR_TRY(tokenizer);
    if (!arguments.has("--template")) {
        const auto stored = file->string("tokenizer.chat_template", std::string_view());
        KVASIR_TRY(stored);
        source = stored->empty() ? knownTemplateFor(**tokenizer).source : *stored;
        if (source.empty()) {
            return fail(ErrorCode::Unsupported, "the model has no chat template; name one with --template FILE",
                {{"what", "chat template"}, {"name", file->path()}});
        }
    }
    setTokenNames(**tokenizer, input);
    return {};
}

Result<void> run(const Arguments& arguments)
{
    KVASIR_TRY(engineOptions(arguments));
    TemplateInput input;
    KVASIR_TRY(readConversation(arguments, input));
    std::string source;
    if (arguments.has("--template")) {
        auto text = readText(arguments.text("--template"));
        KVASIR_TRY(text);
        source = std::move(text).value();
    }
    if (!arguments.has("--template") || arguments.has("--model")) {
        KVASIR_TRY(askModel(arguments, input, source));
    }
    if (arguments.has("--bos-token")) {
        input.bosToken = arguments.text("--bos-token");
    }
    if (arguments.has("--eos-token")) {
        input.eosToken = arguments.text("--eos-token");
    }
    input.now = arguments.text("--now");
    input.addGenerationPrompt = !arguments.has("--no-generation-prompt");
    const auto compiled = ChatTemplate::compile(source);
    KVASIR_TRY(compiled);
    const auto prompt = compiled->render(input);
    KVASIR_TRY(prompt);
    return arguments.has("--json") ? printJson({{"prompt", *prompt}}) : print(*prompt);
}

} // namespace

Command templateCommand()
{
    return {"template", "a conversation as the model's chat template puts it", "--messages FILE",
        withModelOptions({
            {"--messages", nullptr, "FILE", "JSON: a list of {role, content}, or an object with messages and tools"},
            {"--template", nullptr, "FILE", "a template to use instead of the model's"},
            {"--tools", nullptr, "FILE", "JSON: a list of tools"},
            {"--now", nullptr, "ISO", "what the template takes for the present time, like 2026-11-29T12:00:00"},
            {"--no-generation-prompt", nullptr, nullptr, "end after the last message"},
            {"--bos-token", nullptr, "S", "instead of the model's"},
            {"--eos-token", nullptr, "S", "instead of the model's"},
        }),
        0, run};
}

} // namespace kvasir::cli
