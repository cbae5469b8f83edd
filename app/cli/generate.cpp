#include "command.h"
#include "interrupt.h"
#include "modelarguments.h"
#include "output.h"
#include "reply.h"
#include "text/tokenizer.h"

namespace kvasir::cli {
namespace {

Result<std::vector<TokenId>> readPrompt(const Arguments& arguments, const Engine& engine)
{
    if (arguments.has("--ids")) {
        return tokenIds(arguments);
    }
    std::string text = arguments.text("--prompt");
    if (text == "-") {
        auto input = readText("-");
        KVASIR_TRY(input);
        text = std::move(input).value();
    }
    if (!arguments.has("--chat")) {
        return engine.tokenizer().encode(text, {.addSpecial = true});
    }
    Json messages = Json::array();
    if (arguments.has("--system")) {
        messages.push_back({{"role", "system"}, {"content", arguments.text("--system")}});
    }
    messages.push_back({{"role", "user"}, {"content", text}});
    Json tools;
    if (arguments.has("--tools")) {
        auto list = readJson(arguments.text("--tools"));
        KVASIR_TRY(list);
        tools = std::move(list).value();
    }
    return renderChat(engine, messages, tools);
}

Result<void> checkCombination(const Arguments& arguments)
{
    const auto wrong = [](const char* detail) { return fail(ErrorCode::BadArgument, detail, {{"what", "option"}}); };
    if (arguments.has("--prompt") == arguments.has("--ids")) {
        return wrong("generate needs a prompt: either -p TEXT or --ids 1,2,3");
    }
    if (arguments.has("--ids") && arguments.has("--chat")) {
        return wrong("--chat writes the template around a text; it can not be used with --ids");
    }
    if (arguments.has("--system") && !arguments.has("--chat")) {
        return wrong("--system needs --chat");
    }
    if (arguments.has("--tools") && !arguments.has("--chat")) {
        return wrong("--tools needs --chat");
    }
    return {};
}

Result<void> run(const Arguments& arguments)
{
    KVASIR_TRY(checkCombination(arguments));
    const auto sampling = samplingSettings(arguments);
    KVASIR_TRY(sampling);
    const auto most = arguments.integer("--max-tokens", 0, 0, 1 << 24);
    KVASIR_TRY(most);
    const auto engine = loadEngine(arguments);
    KVASIR_TRY(engine);

    GenerateRequest request;
    request.submitted = Clock::now();
    auto prompt = readPrompt(arguments, **engine);
    KVASIR_TRY(prompt);
    request.prompt = std::move(prompt).value();
    request.maxTokens = *most;
    request.sampling = *sampling;
    request.stopStrings = arguments.all("--stop");
    request.ignoreEos = arguments.has("--ignore-eos");
    request.isChat = arguments.has("--chat");
    request.offersTools = arguments.has("--tools");
    const std::vector<TokenId> promptTokens = request.prompt;

    const bool json = arguments.has("--json");
    const bool isChat = request.isChat;
    ProgressLine progress(arguments.has("--progress"));
    const auto reply =
        json ? runRequest(**engine, std::move(request), progress) : writeReply(**engine, std::move(request), progress);
    KVASIR_TRY(reply);
    if (json) {
        Json object{{"model", (*engine)->summary().name}, {"context", (*engine)->summary().context},
            {"context_reason", (*engine)->summary().contextReason}, {"seed", sampling->seed},
            {"prompt_tokens", promptTokens}};
        addReply(object, *reply, isChat, **engine);
        KVASIR_TRY(printJson(object));
    } else if (standardErrorIsTerminal()) {
        note("[" + statsLine(reply->stats) + "]\n");
    }
    if (reply->stats.stopReason == StopReason::Cancelled) {
        return fail(ErrorCode::Cancelled, "cancelled");
    }
    return {};
}

} // namespace

Command generateCommand()
{
    return {"generate", "complete a text or answer a message, once",
        "(-p TEXT [--chat [--system TEXT] [--tools FILE]] | --ids 1,2,3)",
        withModelOptions(withSamplingOptions({
            {"--prompt", "-p", "TEXT", "the text to complete; - reads standard input"},
            {"--chat", nullptr, nullptr, "the text is a message: put it into the model's chat template"},
            {"--system", nullptr, "TEXT", "system prompt, with --chat"},
            {"--tools", nullptr, "FILE", "JSON: a list of tools that the model may call, with --chat"},
            {"--ids", nullptr, "LIST", "token ids to feed as they are, instead of a text", true},
            {"--max-tokens", "-n", "MAX", "tokens to generate at most; 0: until the model ends (default)"},
            {"--stop", nullptr, "TEXT", "end before this text; may be given several times", true},
            {"--ignore-eos", nullptr, nullptr, "go on where the model would end"},
        })),
        0, run};
}

} // namespace kvasir::cli
