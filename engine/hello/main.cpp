// The whole engine in one page: load a model, ask it something, print the reply as it comes.
#include "session/engine.h"
#include "text/chattemplate.h"
#include "text/tokenizer.h"

#include <cstdio>

using namespace kvasir;

namespace {

class Printer : public EngineEvents {
public:
    void token(const TokenRecord&, const std::string& text) override { write(text); }
    void finished(const ReplyStats& stats, const std::string& text) override
    {
        write(text);
        std::printf("\n\n%d tokens, first after %.0f ms, then %.1f a second (%s)\n", stats.generatedTokens,
            toMilliseconds(stats.ttft), stats.decodeTokensPerSecond(), stopReasonName(stats.stopReason));
    }
    void failed(RequestId, const Error& error) override { std::fprintf(stderr, "%s\n", error.detail.c_str()); }

private:
    void write(const std::string& text)
    {
        std::fputs(text.c_str(), stdout);
        std::fflush(stdout);
    }
};

int complain(const Error& error)
{
    std::fprintf(stderr, "%s\n", error.detail.c_str());
    return 1;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 3) {
        std::fprintf(stderr, "usage: kvasir-hello MODEL.gguf TEXT\n");
        return 2;
    }
    const auto engine = Engine::load(argv[1], EngineOptions{});
    if (!engine) {
        return complain(engine.error());
    }
    GenerateRequest request;
    request.maxTokens = 100;
    request.prompt = (*engine)->tokenizer().encode(argv[2], {.addSpecial = true});
    if (const ChatTemplate* chatTemplate = (*engine)->chatTemplate()) {
        TemplateInput input;
        input.messages = {{{"role", "user"}, {"content", argv[2]}}};
        if (const auto parts = chatTemplate->renderParts(input)) {
            request.prompt = encodePrompt((*engine)->tokenizer(), *parts);
        }
    }
    if (const auto id = (*engine)->submit(std::move(request)); !id) {
        return complain(id.error());
    }
    Printer printer;
    while ((*engine)->step(printer)) { }
    return 0;
}
