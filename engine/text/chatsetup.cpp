#include "text/chatsetup.h"

#include "text/templateprobe.h"
#include "text/tokenizer.h"

namespace kvasir {

ChatSetup readChatSetup(std::string_view stored, Tokenizer& tokenizer)
{
    ChatSetup setup;
    const KnownTemplate known = stored.empty() ? knownTemplateFor(tokenizer) : KnownTemplate();
    const std::string_view source = stored.empty() ? known.source : stored;
    if (!source.empty()) {
        auto compiled = ChatTemplate::compile(source);
        if (compiled) {
            setup.chatTemplate = std::move(compiled).value();
            setup.origin = stored.empty() ? TemplateOrigin::Known : TemplateOrigin::File;
            setup.name = known.name;
        } else {
            setup.origin = TemplateOrigin::Broken;
            setup.error = compiled.error().detail;
        }
    }
    const ChatTemplate* chatTemplate = setup.chatTemplate ? &*setup.chatTemplate : nullptr;
    setup.format = readReplyFormat(tokenizer, chatTemplate);
    // Our own templates show what stands there; nobody's model was taught to see its old reasoning in them.
    setup.format.dropsReasoning = setup.format.dropsReasoning || setup.origin == TemplateOrigin::Known;
    if (chatTemplate) {
        tokenizer.addEndsOfGeneration(endsWrittenBy(*chatTemplate, tokenizer, {setup.format.end.token}));
    }
    return setup;
}

} // namespace kvasir
