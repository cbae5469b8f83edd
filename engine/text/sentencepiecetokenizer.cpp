#include "text/sentencepiecetokenizer.h"

#include "base/utf8.h"
#include "files/modelfile.h"
#include "text/sentencepiecemodel.h"
#include "text/spacesign.h"

#include <algorithm>
#include <exception>
#include <sentencepiece_processor.h>
#include <unordered_map>

namespace kvasir {

namespace {

// The library's time per byte grows with the text; words are cheap and come again.
constexpr size_t kMaxCachedWord = 32;
// Where words cannot be told apart, a text goes in whole; offsets in the library are 32 bits wide.
constexpr size_t kMaxWord = size_t(1) << 30;

} // namespace

SentencePieceTokenizer::SentencePieceTokenizer(Vocabulary ownVocabulary)
    : VocabularyTokenizer(std::move(ownVocabulary))
    , m_processor(std::make_unique<sentencepiece::SentencePieceProcessor>())
{
    m_byteTokens.fill(kNoToken);
    for (TokenId token = 0; token < vocabularySize(); ++token) {
        if (const int byte = vocabulary().byteValue(token); byte >= 0) {
            m_byteTokens[static_cast<size_t>(byte)] = token;
        }
    }
}

SentencePieceTokenizer::~SentencePieceTokenizer() = default;

Result<std::unique_ptr<Tokenizer>> SentencePieceTokenizer::make(const ModelFile& file, Vocabulary vocabulary)
{
    if (!vocabulary.hasScores()) {
        return fail(ErrorCode::MissingMetadata, "the file has no tokenizer.ggml.scores",
            {{"path", file.path()}, {"key", "tokenizer.ggml.scores"}});
    }
    std::unique_ptr<SentencePieceTokenizer> result(new SentencePieceTokenizer(std::move(vocabulary)));
    KVASIR_TRY(result->readAdditions(file, true));
    const auto addsSpacePrefix = file.boolean("tokenizer.ggml.add_space_prefix", true);
    KVASIR_TRY(addsSpacePrefix);
    result->m_addsSpacePrefix = *addsSpacePrefix;
    const auto architecture = file.string("general.architecture", "");
    KVASIR_TRY(architecture);
    result->m_isPhi3 = *architecture == "phi3" && !file.has("kvasir.tokenizer.strips_right");
    const auto cutsAdded = file.boolean("kvasir.tokenizer.cuts_added", false);
    KVASIR_TRY(cutsAdded);
    result->m_cutsUserDefined = *cutsAdded;
    const auto unigram = file.boolean("kvasir.tokenizer.unigram", false);
    KVASIR_TRY(unigram);

    const bool allBytes = std::ranges::find(result->m_byteTokens, kNoToken) == result->m_byteTokens.end();
    std::string reason;
    try {
        const auto kind = *unigram ? SentencePieceKind::Unigram : SentencePieceKind::Bpe;
        const auto status = result->m_processor->LoadFromSerializedProto(
            makeSentencePieceModel(result->vocabulary(), kind, allBytes, *cutsAdded));
        reason = status.ok() ? "" : status.ToString();
    } catch (const std::exception& exception) { // its double-array trie throws
        reason = exception.what();
    }
    if (!reason.empty()) {
        return fail(ErrorCode::BadTokenizer, "sentencepiece does not accept the file's vocabulary: " + reason,
            {{"what", reason}});
    }
    result->findCuts();
    return std::unique_ptr<Tokenizer>(std::move(result));
}

void SentencePieceTokenizer::findCuts()
{
    for (TokenId token = 0; token < vocabularySize(); ++token) {
        const TokenKind kind = vocabulary().kind(token);
        if (kind != TokenKind::Normal && kind != TokenKind::UserDefined && kind != TokenKind::Unused) {
            continue;
        }
        const std::string_view text = vocabulary().text(token);
        addSpaceBinders(text, m_bindsSpace);
        std::string withoutSigns;
        appendWithoutSpaceSigns(text, withoutSigns);
        const bool onlySpaces = withoutSigns.find_first_not_of(' ') == std::string::npos;
        m_spaceRunsAreUserDefined =
            m_spaceRunsAreUserDefined || (kind == TokenKind::UserDefined && onlySpaces && text.starts_with("  "));
    }
}

void SentencePieceTokenizer::encodeRun(std::string_view text, bool afterSpecial, std::vector<TokenId>& tokens) const
{
    std::string prefixed;
    if (afterSpecial && m_addsSpacePrefix) {
        prefixed = " ";
        prefixed += text;
        text = prefixed;
    }
    struct CachedWord {
        size_t begin = 0;
        size_t count = 0;
    };
    std::unordered_map<std::string_view, CachedWord> words;
    const auto add = [&](std::string_view word) {
        if (word.size() > kMaxCachedWord) {
            encodeWord(word, tokens);
            return;
        }
        const auto [known, isNew] = words.try_emplace(word);
        if (isNew) {
            known->second.begin = tokens.size();
            encodeWord(word, tokens);
            known->second.count = tokens.size() - known->second.begin;
        } else {
            for (size_t i = 0; i < known->second.count; ++i) {
                tokens.push_back(tokens[known->second.begin + i]);
            }
        }
    };

    size_t begin = 0;
    bool previousIsSpace = false;
    bool previousIsSign = false;
    for (size_t position = 0; position < text.size();) {
        const bool isSpace = isSpaceAt(text, position);
        const bool isSign = isSpace && text[position] != ' ';
        const bool cutsWord = isSpace && !previousIsSpace && position > 0
            && !m_bindsSpace.test(static_cast<unsigned char>(text[position - 1]));
        // The library cannot tell a written U+2581 from a space, and would join it to a run of spaces.
        const bool cutsSign = m_spaceRunsAreUserDefined && isSpace && previousIsSpace && (isSign || previousIsSign);
        if (position > begin && (cutsWord || cutsSign || position - begin >= kMaxWord)) {
            add(text.substr(begin, position - begin));
            begin = position;
        }
        previousIsSpace = isSpace;
        previousIsSign = isSign;
        position += isSign ? kSpaceSign.size() : 1;
    }
    if (begin < text.size()) {
        add(text.substr(begin));
    }
}

bool SentencePieceTokenizer::takesSpaceBehind(TokenId token) const
{
    // Phi-3's own tokenizer says so ("rstrip"); GGUF has no key for it.
    const std::string_view text = m_isPhi3 ? vocabulary().text(token) : "";
    return m_isPhi3 && text != "<unk>" && text != "<s>" && text != "<|endoftext|>";
}

void SentencePieceTokenizer::encodeWord(std::string_view word, std::vector<TokenId>& tokens) const
{
    size_t begin = 0;
    for (size_t position = 0; position < word.size();) {
        const Utf8Step step = readUtf8(word, position);
        if (step.state != Utf8State::Whole) { // the library would make U+FFFD of it
            encodeValid(word.substr(begin, position - begin), tokens);
            for (const char byte : word.substr(position, step.length)) {
                const TokenId token = m_byteTokens[static_cast<unsigned char>(byte)];
                if (token != kNoToken) {
                    tokens.push_back(token);
                }
            }
            begin = position + step.length;
        }
        position += step.length;
    }
    encodeValid(word.substr(begin), tokens);
}

void SentencePieceTokenizer::encodeValid(std::string_view text, std::vector<TokenId>& tokens) const
{
    if (text.empty()) {
        return;
    }
    std::vector<int> ids;
    if (!m_processor->Encode(text, &ids).ok()) {
        return;
    }
    for (const int id : ids) {
        if (id < vocabularySize()) { // the unknown piece that the file does not have is behind the end
            tokens.push_back(id);
        }
    }
}

void SentencePieceTokenizer::appendBytes(TokenId token, std::string& bytes) const
{
    if (const int byte = vocabulary().byteValue(token); byte >= 0) {
        bytes.push_back(static_cast<char>(byte));
        return;
    }
    const std::string_view text = vocabulary().text(token);
    if (vocabulary().kind(token) == TokenKind::UserDefined && !m_cutsUserDefined) {
        bytes += text;
        return;
    }
    appendWithoutSpaceSigns(text, bytes);
}

} // namespace kvasir
