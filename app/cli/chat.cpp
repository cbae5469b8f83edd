#include "command.h"
#include "interrupt.h"
#include "measure/systemmemory.h"
#include "modelarguments.h"
#include "output.h"
#include "reply.h"
#include "session/sampler.h"
#include "text/replyformat.h"
#include "text/tokenizer.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <optional>

namespace kvasir::cli {
namespace {

constexpr const char* kHelp = "/help            this list\n"
                              "/reset           begin a new conversation\n"
                              "/system TEXT     set the system prompt and begin anew; without TEXT: none\n"
                              "/retry           make the last reply again\n"
                              "/undo            take the last message and its reply back\n"
                              "/stats           figures of the last reply\n"
                              "/memory          where the memory is\n"
                              "/model           what is loaded\n"
                              "/quit            leave (also Ctrl+D)\n"
                              "A line that ends in \\ goes on in the next one. Ctrl+C stops a reply.\n";

/// A line of standard input without its end; nothing where the input has ended. `interrupted` tells Ctrl+C apart.
std::optional<std::string> readLine(bool& interrupted)
{
    std::string line;
    interrupted = false;
    for (;;) {
        const int character = std::fgetc(stdin);
        if (character == EOF) {
            interrupted = isInterrupted();
            std::clearerr(stdin);
            return line.empty() || interrupted ? std::nullopt : std::optional(line);
        }
        if (character == '\n') {
            return line;
        }
        line += static_cast<char>(character);
    }
}

class Chat {
public:
    Chat(Engine& engine, const Arguments& arguments, const SamplingSettings& sampling, int maxTokens)
        : m_engine(engine)
        , m_sampling(sampling)
        , m_maxTokens(maxTokens)
        , m_system(arguments.text("--system"))
        , m_json(arguments.has("--json"))
        , m_interactive(standardInputIsTerminal() && !m_json)
        , m_showProgress(arguments.has("--progress"))
    {
        reset();
    }

    Result<void> run()
    {
        if (m_interactive) {
            const ModelSummary& summary = m_engine.summary();
            KVASIR_TRY(print(summary.name + " (" + summary.weightsName + "), " + countText(summary.context)
                + " tokens of context. /help lists the commands.\n"));
        }
        while (!m_quit) {
            KVASIR_TRY(prompt());
            auto line = nextMessage();
            if (!line) {
                break;
            }
            if (line->empty()) {
                continue;
            }
            KVASIR_TRY((*line)[0] == '/' ? command(*line) : say(*line));
        }
        return {};
    }

private:
    Result<void> prompt() { return m_interactive ? print("\n> ") : Result<void>(); }

    /// Nothing at the end of the input, or after Ctrl+C twice.
    std::optional<std::string> nextMessage()
    {
        std::string message;
        bool warned = false;
        for (;;) {
            bool interrupted = false;
            const auto line = readLine(interrupted);
            if (!line && interrupted) {
                clearInterrupt();
                if (warned || !m_interactive) {
                    return std::nullopt;
                }
                warned = true;
                message.clear();
                note("\n(Ctrl+C again or /quit leaves)\n> ");
                continue;
            }
            if (!line) {
                return message.empty() ? std::nullopt : std::optional(message);
            }
            message += *line;
            if (!message.ends_with('\\')) {
                return message;
            }
            message.back() = '\n';
        }
    }

    void reset()
    {
        m_messages = Json::array();
        if (!m_system.empty()) {
            m_messages.push_back({{"role", "system"}, {"content", m_system}});
        }
    }

    Result<void> command(const std::string& line)
    {
        const size_t space = line.find(' ');
        const std::string name = line.substr(0, space);
        const std::string rest = space == std::string::npos ? "" : line.substr(space + 1);
        if (name == "/quit" || name == "/exit") {
            m_quit = true;
        } else if (name == "/help") {
            return print(kHelp);
        } else if (name == "/reset") {
            reset();
            return tell("(a new conversation)\n");
        } else if (name == "/system") {
            m_system = rest;
            reset();
            return tell("(a new conversation)\n");
        } else if (name == "/retry") {
            const auto message = takeBack();
            return message ? say(*message) : tell("(there is nothing to make again)\n");
        } else if (name == "/undo") {
            return tell(takeBack() ? "(taken back)\n" : "(there is nothing to take back)\n");
        } else if (name == "/stats") {
            return print(m_stats ? statsLine(*m_stats) + "\n" : "no reply yet\n");
        } else if (name == "/memory") {
            return print(memoryTable());
        } else if (name == "/model") {
            return print(modelTable());
        } else {
            return tell("(" + name + " is no command; /help lists them)\n");
        }
        return {};
    }

    Result<void> tell(const std::string& text) { return m_json ? Result<void>() : print(text); }

    /// Removes the last message of the user and what came after it.
    std::optional<std::string> takeBack()
    {
        for (size_t i = m_messages.size(); i-- > 0;) {
            if (m_messages[i]["role"] == "user") {
                const auto text = m_messages[i]["content"].get<std::string>();
                m_messages.erase(m_messages.begin() + static_cast<std::ptrdiff_t>(i), m_messages.end());
                return text;
            }
        }
        return std::nullopt;
    }

    Result<void> say(const std::string& text)
    {
        GenerateRequest request;
        request.submitted = Clock::now();
        m_messages.push_back({{"role", "user"}, {"content", text}});
        auto tokens = renderChat(m_engine, m_messages);
        if (!tokens) {
            m_messages.erase(m_messages.end() - 1);
            return refuse(tokens.error());
        }
        request.prompt = std::move(tokens).value();
        request.sampling = m_sampling;
        request.sampling.seed += m_replies++; // each reply its own numbers, all of them told by --seed
        request.maxTokens = m_maxTokens;
        request.isChat = true;
        clearInterrupt();
        ProgressLine progress(m_showProgress && !m_json);
        auto reply = m_json ? runRequest(m_engine, std::move(request), progress)
                            : writeReply(m_engine, std::move(request), progress);
        clearInterrupt();
        if (!reply) {
            m_messages.erase(m_messages.end() - 1);
            return refuse(reply.error());
        }
        m_stats = reply->stats;
        remember(*reply);
        if (m_json) {
            Json object;
            addReply(object, *reply, true, m_engine);
            return printJson(object);
        }
        if (m_interactive && standardErrorIsTerminal()) {
            note("\033[2m[" + statsLine(reply->stats) + "]\033[0m\n");
        }
        return {};
    }

    /// The reply as the next prompt shows it to the model.
    void remember(const Reply& reply)
    {
        std::vector<std::string> calls;
        for (const Reply::Call& call : reply.calls) {
            calls.push_back(call.text);
        }
        m_messages.push_back(messageOfEarlierReply(m_engine.replyFormat(), reply.reasoning, reply.answer, calls));
    }

    /// What a conversation survives is told and the chat goes on; in a pipe nobody could react, so that it ends there.
    Result<void> refuse(const Error& error)
    {
        const bool outputGone = error.code == ErrorCode::FileUnwritable || error.code == ErrorCode::Cancelled;
        if (!m_interactive || outputGone) {
            return Failure{error};
        }
        const char* way = error.code == ErrorCode::ContextTooSmall ? "; /undo or /reset makes room" : "";
        note("(" + error.detail + way + ")\n");
        return {};
    }

    std::string memoryTable() const
    {
        const MemoryUse use = m_engine.memory();
        const SystemMemory system = systemMemory();
        const auto row = [&](const char* name, size_t bytes) {
            return std::vector<std::string>{name, bytesText(static_cast<double>(bytes))};
        };
        return table({{"memory", "bytes"}, row("weights", use[MemoryTag::Weights]),
            row("KV reserved", use[MemoryTag::KvReserved]), row("KV used", use[MemoryTag::KvUsed]),
            row("activations", use[MemoryTag::Activations]), row("scratch", use[MemoryTag::Scratch]),
            row("logits", use[MemoryTag::Logits]), row("program in all", system.processResident),
            row("machine free", system.available)});
    }

    std::string modelTable() const
    {
        const ModelSummary& summary = m_engine.summary();
        return table({{"model", summary.name}, {"architecture", summary.architecture},
            {"weights", summary.weightsName + ", " + bytesText(static_cast<double>(summary.weightBytes))},
            {"parameters", countText(static_cast<double>(summary.parameters))},
            {"context", countText(summary.context) + " tokens"},
            {"KV cache", bytesText(static_cast<double>(summary.kvBytesPerToken)) + " a token"},
            {"threads", std::to_string(summary.threads) + ", " + summary.instructionSet}});
    }

    Engine& m_engine;
    SamplingSettings m_sampling;
    const int m_maxTokens;
    std::string m_system;
    const bool m_json;
    const bool m_interactive;
    const bool m_showProgress;
    Json m_messages;
    std::optional<ReplyStats> m_stats;
    uint64_t m_replies = 0;
    bool m_quit = false;
};

Result<void> run(const Arguments& arguments)
{
    const auto sampling = samplingSettings(arguments);
    KVASIR_TRY(sampling);
    const auto most = arguments.integer("--max-tokens", 0, 0, 1 << 24);
    KVASIR_TRY(most);
    const auto engine = loadEngine(arguments);
    KVASIR_TRY(engine);
    KVASIR_TRY(Sampler::check(*sampling, (*engine)->summary().vocabulary));
    return Chat(**engine, arguments, *sampling, *most).run();
}

} // namespace

Command chatCommand()
{
    return {"chat", "talk with a model; /help lists its commands", "[--system TEXT]",
        withModelOptions(withSamplingOptions({
            {"--system", nullptr, "TEXT", "system prompt"},
            {"--max-tokens", "-n", "MAX", "tokens of a reply at most; 0: until the model ends (default)"},
        })),
        0, run};
}

} // namespace kvasir::cli
