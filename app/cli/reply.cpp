#include "reply.h"

#include "interrupt.h"
#include "measure/statistics.h"
#include "replyprinter.h"
#include "text/chattemplate.h"
#include "text/tokenizer.h"
#include "text/toolcall.h"

#include <optional>

namespace kvasir::cli {
namespace {

class ReplyCollector : public EngineEvents {
public:
    ReplyCollector(ProgressLine& progress, const TextSink& sink, const PieceSink& pieceSink)
        : m_progress(progress)
        , m_sink(sink)
        , m_pieceSink(pieceSink)
    {
    }

    void prefillProgress(RequestId, int computed, int total, int) override
    {
        m_progress.show("reading the prompt", static_cast<double>(computed) / total);
    }
    void token(const TokenRecord& record, const std::string& text) override
    {
        m_progress.clear();
        reply.tokens.push_back(record.token);
        add(text);
    }
    void finished(const ReplyStats& stats, const std::string& text) override
    {
        m_progress.clear();
        reply.stats = stats;
        add(text);
        done = true;
    }
    void piece(RequestId, const ReplyPiece& piece) override
    {
        switch (piece.part) {
        case ReplyPart::Answer:
            append(reply.answer, piece);
            break;
        case ReplyPart::Reasoning:
            append(reply.reasoning, piece);
            break;
        case ReplyPart::ToolCall:
            if (piece.begins) {
                reply.calls.push_back({piece.name, {}});
            }
            reply.calls.back().text += piece.text;
            break;
        }
        if (m_pieceSink && !error) {
            if (const auto written = m_pieceSink(piece); !written) {
                error = written.error();
            }
        }
    }
    void failed(RequestId, const Error& failure) override
    {
        m_progress.clear();
        error = failure;
        done = true;
    }

    Reply reply;
    std::optional<Error> error;
    bool done = false;

private:
    /// Stretches of one part are paragraphs.
    static void append(std::string& whole, const ReplyPiece& piece)
    {
        whole += piece.begins && !whole.empty() && !piece.text.empty() ? "\n\n" + piece.text : piece.text;
    }
    void add(const std::string& text)
    {
        reply.text += text;
        if (!text.empty() && m_sink && !error) {
            if (const auto written = m_sink(text); !written) {
                error = written.error();
            }
        }
    }

    ProgressLine& m_progress;
    const TextSink& m_sink;
    const PieceSink& m_pieceSink;
};

Json callsJson(const Reply& reply)
{
    Json calls = Json::array();
    for (const Reply::Call& call : reply.calls) {
        for (const ToolCall& one : readToolCalls(call.text, call.tool)) {
            calls.push_back({{"name", one.name}, {"arguments", one.arguments}});
        }
    }
    return calls;
}

Json timingsJson(const ReplyStats& stats)
{
    Json gaps = Json::array();
    for (const Nanoseconds gap : stats.itl) {
        gaps.push_back(toMilliseconds(gap));
    }
    return {{"queue_ms", toMilliseconds(stats.queue)}, {"prefill_ms", toMilliseconds(stats.prefill)},
        {"ttft_ms", toMilliseconds(stats.ttft)}, {"ttfo_ms", toMilliseconds(stats.ttfo)},
        {"reasoning_ms", toMilliseconds(stats.reasoning)}, {"reasoning_tokens", stats.reasoningTokens},
        {"itl_ms", std::move(gaps)}, {"tpot_ms", stats.tpotMilliseconds()},
        {"prefill_tokens_per_second", stats.prefillTokensPerSecond()},
        {"decode_tokens_per_second", stats.decodeTokensPerSecond()}, {"cached_tokens", stats.cachedTokens},
        {"draft_proposed", 0}, {"draft_accepted", 0}};
}

} // namespace

Result<Reply> runRequest(
    Engine& engine, GenerateRequest request, ProgressLine& progress, const TextSink& sink, const PieceSink& pieceSink)
{
    request.stop = interruptFlag();
    const auto id = engine.submit(std::move(request));
    KVASIR_TRY(id);
    ReplyCollector collector(progress, sink, pieceSink);
    while (!collector.done && !collector.error && engine.step(collector)) { }
    if (collector.error && !collector.done) { // the text could not be written: end the request too
        interruptFlag()->store(true);
        while (!collector.done && engine.step(collector)) { }
        clearInterrupt();
    }
    if (collector.error) {
        return Failure{*collector.error};
    }
    return std::move(collector.reply);
}

Result<Reply> writeReply(Engine& engine, GenerateRequest request, ProgressLine& progress)
{
    const bool hasStyles = request.isChat && standardOutputHasStyles();
    ReplyPrinter printer;
    auto reply = hasStyles
        ? runRequest(engine, std::move(request), progress, {},
            [&](const ReplyPiece& piece) { return print(printer.next(piece)); })
        : runRequest(engine, std::move(request), progress, [](const std::string& text) { return print(text); });
    const auto ended = print(printer.end() + (reply ? "\n" : ""));
    KVASIR_TRY(reply);
    KVASIR_TRY(ended);
    return reply;
}

Result<std::vector<TokenId>> renderChat(const Engine& engine, const Json& messages, const Json& tools)
{
    const ChatTemplate* chatTemplate = engine.chatTemplate();
    if (!chatTemplate) {
        const std::string& why = engine.summary().templateError;
        return fail(why.empty() ? ErrorCode::Unsupported : ErrorCode::BadTemplate,
            why.empty() ? "the model has no chat template" : "the model's chat template can not be used: " + why,
            {{"what", "chat template"}, {"name", engine.summary().name}});
    }
    const Tokenizer& tokenizer = engine.tokenizer();
    TemplateInput input;
    input.messages = messages;
    input.tools = tools;
    setTokenNames(tokenizer, input);
    const auto parts = chatTemplate->renderParts(input);
    KVASIR_TRY(parts);
    return encodePrompt(tokenizer, *parts);
}

void addReply(Json& object, const Reply& reply, bool isChat, const Engine& engine)
{
    object["tokens"] = reply.tokens;
    object["text"] = reply.text;
    if (isChat) {
        object["answer"] = reply.answer;
        object["reasoning"] = reply.reasoning;
        object["tool_calls"] = callsJson(reply);
    }
    object["stop_reason"] = stopReasonName(reply.stats.stopReason);
    object["timings"] = timingsJson(reply.stats);
    object["memory"] = memoryJson(engine.memory());
}

std::string statsLine(const ReplyStats& stats)
{
    std::vector<double> gaps;
    for (const Nanoseconds gap : stats.itl) {
        gaps.push_back(toMilliseconds(gap));
    }
    std::string line = countText(stats.promptTokens) + " prompt tokens";
    if (stats.cachedTokens > 0) {
        line += " (" + countText(stats.cachedTokens) + " cached)";
    }
    if (stats.generatedTokens > 0) {
        line += " at " + rateText(stats.prefillTokensPerSecond(), "tok/s") + ", first after "
            + millisecondsText(toMilliseconds(stats.ttft));
    }
    line += "; " + countText(stats.generatedTokens) + " tokens";
    if (stats.reasoningTokens > 0) {
        line += " (" + countText(stats.reasoningTokens) + " of them reasoning, "
            + millisecondsText(toMilliseconds(stats.reasoning)) + ")";
    }
    if (stats.generatedTokens > 1) {
        const Percentiles itl = percentiles(std::move(gaps));
        line += " at " + rateText(stats.decodeTokensPerSecond(), "tok/s") + ", gaps p50 " + millisecondsText(itl.p50)
            + " p99 " + millisecondsText(itl.p99);
    }
    return line + "; " + stopReasonName(stats.stopReason);
}

} // namespace kvasir::cli
