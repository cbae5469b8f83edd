#include "text/vocabulary.h"

#include "files/modelfile.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <functional>

namespace kvasir {

namespace {

// A GGUF string takes 8 bytes at least, so a vocabulary beyond this would need a header of 128 MiB.
constexpr size_t kMaxTokens = size_t(1) << 24;

// Names under which published vocabularies keep the token that ends a turn or a text.
constexpr std::string_view kEndNames[] = {
    "<|im_end|>", "<|eot_id|>", "<|eom_id|>", "<|endoftext|>", "<|end_of_text|>", "<|end|>", "<|return|>", "<|call|>",
    "<|flush|>", "<|calls|>", "<|eot|>", "<|eom|>", "<|end_of_turn|>", "<|END_OF_TURN_TOKEN|>", "<end_of_turn>",
    "<turn|>", "<end_of_utterance>", "<eos>", "<EOT>", "_<EOT>", "[EOT]", "[EOS]", "<｜end▁of▁sentence｜>",
    "<end▁of▁sentence>", "[|endofturn|]", "[e~[",
    "<|observation|>",  // GLM hands over to a tool
    "<|tool_response>", // Gemma 4 too
};

// An end where the file makes it a control token. Gemma has it as a tag of HTML, which a reply may well write; it
// counts as special there too, as the golden data has it, but ends nothing.
constexpr std::string_view kEndIfControl = "</s>";

// Under metadata keys of these names: the end of a turn, of a message to a tool, and what a code model writes where a
// gap in a file is filled and the next file begins.
constexpr std::string_view kEndKeys[] = {"eot", "eom", "fim_pad", "fim_rep", "fim_sep"};

Failure badTokenizer(std::string what)
{
    return fail(ErrorCode::BadTokenizer, "the tokenizer in the file is broken: " + what, {{"what", what}});
}

Result<TokenId> specialId(const ModelFile& file, std::string_view name, int size)
{
    const std::string key = "tokenizer.ggml." + std::string(name) + "_token_id";
    const auto id = file.i64(key, kNoToken);
    KVASIR_TRY(id);
    return *id >= 0 && *id < size ? static_cast<TokenId>(*id) : kNoToken;
}

} // namespace

Result<Vocabulary> Vocabulary::read(const ModelFile& file)
{
    auto texts = file.strings("tokenizer.ggml.tokens");
    KVASIR_TRY(texts);
    if (texts->empty() || texts->size() > kMaxTokens) {
        return badTokenizer("a vocabulary of " + std::to_string(texts->size()) + " tokens");
    }
    Vocabulary result;
    size_t bytes = 0;
    for (const std::string_view text : *texts) {
        bytes += text.size();
    }
    if (bytes > UINT32_MAX) {
        return badTokenizer("a vocabulary of " + std::to_string(bytes) + " bytes");
    }
    result.m_texts.reserve(bytes);
    result.m_ends.reserve(texts->size());
    for (const std::string_view text : *texts) {
        result.m_texts += text;
        result.m_ends.push_back(static_cast<uint32_t>(result.m_texts.size()));
    }

    result.m_kinds.assign(texts->size(), TokenKind::Normal);
    if (file.has("tokenizer.ggml.token_type")) {
        const auto kinds = file.integers("tokenizer.ggml.token_type");
        KVASIR_TRY(kinds);
        if (kinds->size() != texts->size()) {
            return badTokenizer(
                std::to_string(kinds->size()) + " token types for " + std::to_string(texts->size()) + " tokens");
        }
        for (size_t i = 0; i < kinds->size(); ++i) {
            const int64_t kind = (*kinds)[i];
            result.m_kinds[i] = kind >= 1 && kind <= 6 ? static_cast<TokenKind>(kind) : TokenKind::Normal;
        }
    }
    if (file.has("tokenizer.ggml.scores")) {
        auto scores = file.floats("tokenizer.ggml.scores");
        KVASIR_TRY(scores);
        if (scores->size() != texts->size()) {
            return badTokenizer(
                std::to_string(scores->size()) + " scores for " + std::to_string(texts->size()) + " tokens");
        }
        if (!std::ranges::all_of(*scores, [](float score) { return std::isfinite(score); })) {
            return badTokenizer("a score that is not a number");
        }
        result.m_scores = std::move(*scores);
    }

    const std::pair<std::string_view, TokenId*> ids[] = {
        {"bos", &result.m_bos}, {"eos", &result.m_eos}, {"unknown", &result.m_unknown}};
    for (const auto& [name, target] : ids) {
        const auto id = specialId(file, name, result.size());
        KVASIR_TRY(id);
        *target = *id;
    }
    result.indexTexts();
    result.findEndsOfGeneration(file);
    return result;
}

std::string_view Vocabulary::text(TokenId token) const
{
    const auto index = static_cast<size_t>(token);
    const size_t begin = index == 0 ? 0 : m_ends[index - 1];
    return std::string_view(m_texts).substr(begin, m_ends[index] - begin);
}

int Vocabulary::byteValue(TokenId token) const
{
    const std::string_view name = text(token);
    if (kind(token) != TokenKind::Byte || name.size() != 6 || !name.starts_with("<0x") || name[5] != '>') {
        return -1;
    }
    int value = -1;
    const auto [end, error] = std::from_chars(name.data() + 3, name.data() + 5, value, 16);
    return error == std::errc() && end == name.data() + 5 && value >= 0 ? value : -1;
}

bool Vocabulary::isEndOfGeneration(TokenId token) const
{
    return std::ranges::binary_search(m_endsOfGeneration, token);
}

TokenId Vocabulary::find(std::string_view wanted) const
{
    const size_t mask = m_index.size() - 1;
    for (size_t slot = std::hash<std::string_view>()(wanted) & mask; m_index[slot] != 0; slot = (slot + 1) & mask) {
        const auto token = static_cast<TokenId>(m_index[slot] - 1);
        if (text(token) == wanted) {
            return token;
        }
    }
    return kNoToken;
}

void Vocabulary::indexTexts()
{
    m_isRepeated.assign(m_kinds.size(), false);
    m_index.assign(std::bit_ceil(m_kinds.size() * 2 + 1), 0);
    const size_t mask = m_index.size() - 1;
    for (TokenId token = 0; token < size(); ++token) {
        const std::string_view own = text(token);
        size_t slot = std::hash<std::string_view>()(own) & mask;
        while (m_index[slot] != 0 && text(static_cast<TokenId>(m_index[slot] - 1)) != own) {
            slot = (slot + 1) & mask;
        }
        if (m_index[slot] == 0) {
            m_index[slot] = static_cast<uint32_t>(token) + 1;
        } else {
            m_isRepeated[static_cast<size_t>(token)] = true;
        }
    }
}

void Vocabulary::findEndsOfGeneration(const ModelFile& file)
{
    std::vector<TokenId> ends{m_eos};
    for (const std::string_view name : kEndKeys) {
        const auto id = specialId(file, name, size());
        ends.push_back(id ? *id : kNoToken);
    }
    // Some of what a folder of files says that GGUF has no key for.
    if (const auto more = file.integers("kvasir.tokenizer.end_ids")) {
        for (const int64_t id : *more) {
            ends.push_back(id >= 0 && id < size() ? static_cast<TokenId>(id) : kNoToken);
        }
    }
    // In the formats of gpt-oss and Solar <|end|> ends a message, and the next message of the same reply follows.
    const bool endIsInside =
        find("<|return|>") != kNoToken || (find("<|flush|>") != kNoToken && find("<|calls|>") != kNoToken);
    for (const std::string_view name : kEndNames) {
        const TokenId token = find(name);
        if (token != kNoToken) {
            ends.push_back(token);
            // Some converters leave them ordinary: a user could then write them, and they would be shown.
            m_kinds[static_cast<size_t>(token)] = TokenKind::Control;
        }
    }
    if (const TokenId token = find(kEndIfControl); token != kNoToken) {
        if (kind(token) == TokenKind::Control) {
            ends.push_back(token);
        } else if (find("<|tool_response>") == kNoToken) {
            m_kinds[static_cast<size_t>(token)] = TokenKind::Control;
        }
    }
    if (endIsInside) {
        std::erase(ends, find("<|end|>"));
    }
    addEndsOfGeneration(ends);
}

void Vocabulary::addEndsOfGeneration(std::span<const TokenId> tokens)
{
    m_endsOfGeneration.insert(m_endsOfGeneration.end(), tokens.begin(), tokens.end());
    std::erase_if(m_endsOfGeneration, [&](TokenId token) { return !contains(token); });
    std::ranges::sort(m_endsOfGeneration);
    m_endsOfGeneration.erase(
        std::unique(m_endsOfGeneration.begin(), m_endsOfGeneration.end()), m_endsOfGeneration.end());
}

} // namespace kvasir
