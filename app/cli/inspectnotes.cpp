#include "inspectnotes.h"

#include "output.h"
#include "session/memoryplan.h"

#include <algorithm>
#include <cstdlib>
#include <map>

namespace kvasir::cli {
namespace {

using Kind = InspectNote::Kind;

// Below this a conversation of a few turns fills the context.
constexpr int kShortContext = 2048;
// What llama.cpp's quantizers have written since 2023.
constexpr uint64_t kQuantizationVersion = 2;

std::string list(const std::vector<std::string>& words)
{
    std::string text;
    for (size_t i = 0; i < words.size(); ++i) {
        text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
    }
    return text;
}

/// 135 million as people say it: "135 million", "7.24 billion".
std::string inWords(double count)
{
    const char* unit = count >= 1e9 ? " billion" : count >= 1e6 ? " million" : "";
    const double value = count >= 1e9 ? count / 1e9 : count >= 1e6 ? count / 1e6 : count;
    return (*unit ? fixed(value, value >= 100 ? 0 : value >= 10 ? 1 : 2) : countText(value)) + unit;
}

std::string bytes(size_t count)
{
    return bytesText(static_cast<double>(count));
}

class Notes {
public:
    Notes(const ModelFile& file, const ModelConfig& config, const Tokenizer& tokenizer, const ChatSetup& chat)
        : m_file(file)
        , m_config(config)
        , m_tokenizer(tokenizer)
        , m_chat(chat)
    {
    }

    std::vector<InspectNote> all()
    {
        model();
        weights();
        experts();
        replies();
        memory();
        windows();
        positions();
        conversation();
        tokens();
        quantization();
        return std::move(m_notes);
    }

private:
    void add(Kind kind, std::string text) { m_notes.push_back({kind, std::move(text)}); }

    std::string key(const char* name) const { return m_config.architecture + '.' + name; }

    void model()
    {
        add(Kind::Is,
            (m_config.name.empty() ? "A model without a name" : m_config.name) + ": "
                + inWords(static_cast<double>(m_config.parameters)) + " parameters in "
                + std::to_string(m_config.layers) + " layers of the architecture " + m_config.architecture
                + ", a vocabulary of " + countText(m_config.vocabulary) + " tokens, trained for a context of "
                + countText(m_config.trainedContext) + " tokens.");
        if (m_config.trainedContext < kShortContext) {
            add(Kind::Unusual,
                "It was trained for " + countText(m_config.trainedContext)
                    + " tokens only: a conversation of a few turns fills that, and then it must be begun anew.");
        }
    }

    void weights()
    {
        std::map<std::string_view, double> sizes;
        double total = 0;
        double values = 0;
        for (const StoredTensor& tensor : m_file.tensors()) {
            sizes[tensorTypeName(tensor.type)] += static_cast<double>(tensor.bytes);
            total += static_cast<double>(tensor.bytes);
            values += static_cast<double>(tensor.elements());
        }
        std::vector<std::pair<double, std::string_view>> order;
        for (const auto& [type, size] : sizes) {
            order.emplace_back(size, type);
        }
        std::ranges::sort(order, std::greater());
        std::vector<std::string> parts;
        for (const auto& [size, type] : order) {
            const double percent = 100 * size / total;
            parts.push_back(std::string(type)
                + (order.size() == 1 ? "" : " (" + (percent < 1 ? "below 1" : fixed(percent, 0)) + " %)"));
        }
        add(Kind::Is,
            "Its weights are stored as " + list(parts) + ": " + bytesText(total) + ", "
                + fixed(8 * total / std::max(values, 1.0), 2) + " bits each on average.");
    }

    void experts()
    {
        if (m_config.experts == 0) {
            return;
        }
        double inExperts = 0;
        for (const StoredTensor& tensor : m_file.tensors()) {
            if (tensor.name.find("_exps.") != std::string_view::npos) {
                inExperts += static_cast<double>(tensor.elements());
            }
        }
        const double share = static_cast<double>(m_config.expertsPerRow) / m_config.experts;
        const double active = static_cast<double>(m_config.parameters) - inExperts * (1 - share);
        add(Kind::Is,
            "Each layer has " + std::to_string(m_config.experts) + " experts, of which "
                + std::to_string(m_config.expertsPerRow) + " work on a token: " + inWords(active)
                + " of the parameters are computed with, all of them must be in memory.");
    }

    void replies()
    {
        std::vector<std::string> ends;
        for (const TokenId token : m_tokenizer.endsOfGeneration()) {
            ends.push_back(m_tokenizer.piece(token, true));
        }
        if (ends.empty()) {
            add(Kind::Missing,
                "It knows no token that ends a reply: every reply goes on until its limit or the end of the context.");
        } else {
            add(Kind::Is, "A reply ends with " + list(ends) + ".");
        }
        if (const ReplyBlock* thought = m_chat.format.blockOf(ReplyPart::Reasoning)) {
            add(Kind::Is,
                "It may think before it answers, between " + thought->open.text + " and " + thought->close.text
                    + "; Kvasir shows that apart from the answer.");
        } else if (m_chat.format.hasHeads()) {
            add(Kind::Is, "It may think before it answers, in messages of their own; Kvasir shows them apart.");
        }
    }

    void memory()
    {
        EngineOptions options;
        options.memoryLimit = memoryBudget();
        const auto whole = planMemory(m_file, options);
        if (!whole) {
            add(Kind::Unusual, "What it needs could not be found out: " + whole.error().detail + ".");
            return;
        }
        const MemoryUse& use = whole->use;
        const size_t kv = use[MemoryTag::KvReserved];
        add(Kind::Needs,
            bytes(use.total()) + " of memory with its whole context: " + bytes(use[MemoryTag::Weights])
                + " for the weights, " + bytes(kv) + " for the KV cache (" + bytes(whole->kvShape.tokenBytes())
                + " a token), the rest to compute in.");
        if (whole->fits) {
            return;
        }
        const auto fitting = planFittingMemory(m_file, options);
        add(Kind::Needs,
            "This machine has " + bytes(whole->budget) + " free: "
                + (fitting ? "that is enough for a context of " + countText(fitting->options.context) + " tokens."
                           : std::string("that is too little even for a short context.")));
    }

    void windows()
    {
        int windowed = 0;
        int widest = 0;
        for (const LayerConfig& layer : m_config.layer) {
            windowed += layer.window > 0 ? 1 : 0;
            widest = std::max(widest, layer.window);
        }
        if (windowed > 0) {
            add(Kind::Unusual,
                std::to_string(windowed) + " of its " + std::to_string(m_config.layers) + " layers "
                    + (windowed == 1 ? "sees" : "see") + " only the last " + countText(widest) + " tokens"
                    + (windowed < m_config.layers ? ", the others everything" : "")
                    + ": what is farther back reaches them only through other layers.");
        }
    }

    void positions()
    {
        const auto kind = m_file.string(key("rope.scaling.type"), std::string_view());
        const auto factor = m_file.f64(key("rope.scaling.factor"), 1.0);
        const auto original = m_file.u64(key("rope.scaling.original_context_length"), 0);
        const bool scaled = kind && !kind->empty() && *kind != "none";
        if (scaled || (factor && *factor > 1) || m_config.longRope.dimensions > 0) {
            const std::string how = m_config.longRope.dimensions > 0 ? "longrope"
                : scaled                                             ? std::string(*kind)
                                                                     : "linear";
            add(Kind::Unusual,
                "Its positions are stretched (" + how + (factor && *factor > 1 ? ", factor " + fixed(*factor, 1) : "")
                    + ')'
                    + (original && *original > 0
                            ? ": it was first trained for " + countText(static_cast<double>(*original)) + " tokens."
                            : "."));
        }
    }

    void conversation()
    {
        switch (m_chat.origin) {
        case TemplateOrigin::File:
            beginningTwice();
            break;
        case TemplateOrigin::Known:
            add(Kind::Missing,
                "It has no chat template. The turn marks in its vocabulary are those of " + m_chat.name
                    + ", so conversations are put that way; a base model may not keep to it.");
            break;
        case TemplateOrigin::Broken:
            add(Kind::Missing, "Its chat template cannot be used: " + m_chat.error + '.');
            break;
        case TemplateOrigin::None:
            add(Kind::Missing,
                "It has no chat template and no turn marks in its vocabulary: most likely a base model, which "
                "continues "
                "texts but was not taught to converse.");
            break;
        }
    }

    /// Template and tokenizer may each put the token that begins a text; Kvasir puts it once.
    void beginningTwice()
    {
        if (m_tokenizer.bos() == kNoToken || !m_tokenizer.addsBos()) {
            return;
        }
        TemplateInput input;
        input.messages = {{{"role", "user"}, {"content", "Hello"}}};
        setTokenNames(m_tokenizer, input);
        const auto text = m_chat.chatTemplate->render(input);
        if (text && text->starts_with(input.bosToken)) {
            add(Kind::Unusual,
                "Both its template and its tokenizer put " + input.bosToken
                    + " in front of a conversation; Kvasir puts it once, other programs may put it twice.");
        }
    }

    void tokens()
    {
        if (const auto warning = m_tokenizer.warning()) {
            add(Kind::Missing, "Its tokenizer is a guess: " + warning->detail + ".");
        }
    }

    void quantization()
    {
        const auto version = m_file.u64("general.quantization_version", kQuantizationVersion);
        if (version && *version != kQuantizationVersion) {
            add(Kind::Unusual,
                "It was quantized by version " + std::to_string(*version) + " of the format, "
                    + std::to_string(kQuantizationVersion) + " is the usual one.");
        }
        if (m_file.has("quantize.imatrix.file") || m_file.has("quantize.imatrix.dataset")) {
            const auto dataset = m_file.string("quantize.imatrix.dataset", std::string_view());
            add(Kind::Is,
                "It was quantized with an importance matrix"
                    + (dataset && !dataset->empty() ? " measured on " + std::string(*dataset) : std::string())
                    + ", which keeps the weights that matter most more exact.");
        }
    }

    const ModelFile& m_file;
    const ModelConfig& m_config;
    const Tokenizer& m_tokenizer;
    const ChatSetup& m_chat;
    std::vector<InspectNote> m_notes;
};

} // namespace

const char* inspectNoteKind(InspectNote::Kind kind)
{
    switch (kind) {
    case Kind::Is:
        return "is";
    case Kind::Needs:
        return "needs";
    case Kind::Unusual:
        return "unusual";
    case Kind::Missing:
        return "missing";
    }
    return "";
}

std::vector<InspectNote> inspectNotes(
    const ModelFile& file, const ModelConfig& config, const Tokenizer& tokenizer, const ChatSetup& chat)
{
    return Notes(file, config, tokenizer, chat).all();
}

} // namespace kvasir::cli
