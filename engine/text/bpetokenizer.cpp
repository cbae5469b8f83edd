#include "text/bpetokenizer.h"

#include "base/utf8.h"
#include "files/modelfile.h"
#include "text/bpe/bytealphabet.h"
#include "text/bpe/wordcache.h"
#include "text/bpe/wordmerger.h"
#include "text/patterns.h"
#include "text/spacesign.h"

#include <algorithm>

namespace kvasir {

namespace {

// Offsets are 32 bits wide, and the pre-tokenizer needs about 20 bytes for each of the text. Longer texts are cut here.
constexpr size_t kMaxStretch = size_t(64) << 20;

Error warningOf(std::string_view name)
{
    const std::string which =
        name.empty() ? "the file names no pre-tokenizer" : "the pre-tokenizer '" + std::string(name) + "' is not known";
    return {ErrorCode::Unsupported, {{"what", "pre-tokenizer"}, {"name", std::string(name)}},
        which + ", so text is cut by the default rule, and tokens may differ from those that the model was trained on"};
}

} // namespace

/// What one call of encodeRun() keeps from word to word.
struct BpeTokenizer::Scratch {
    explicit Scratch(const MergeTable& merges)
        : merger(merges)
    {
    }

    PreTokenizer::Work work;
    WordCache cache;
    WordMerger merger;
    std::vector<TokenId> symbols;
    std::string word;
};

BpeTokenizer::BpeTokenizer(Vocabulary ownVocabulary, PreTokenizer preTokenizer)
    : VocabularyTokenizer(std::move(ownVocabulary))
    , m_preTokenizer(std::move(preTokenizer))
{
}

Result<std::unique_ptr<Tokenizer>> BpeTokenizer::make(const ModelFile& file, Vocabulary vocabulary)
{
    if (file.has("kvasir.tokenizer.patterns")) {
        auto stated = readStatedPatterns(file);
        KVASIR_TRY(stated);
        return finish(file, std::unique_ptr<BpeTokenizer>(new BpeTokenizer(std::move(vocabulary), *std::move(stated))));
    }
    const auto model = file.string("tokenizer.ggml.model", "");
    KVASIR_TRY(model);
    // Gemma 4's files name the family in place of the kind.
    const auto name = *model == "gemma4" ? model : file.string("tokenizer.ggml.pre", "");
    KVASIR_TRY(name);
    auto known = PreTokenizer::find(*name);
    const bool isKnown = known.has_value();
    std::unique_ptr<BpeTokenizer> result(
        new BpeTokenizer(std::move(vocabulary), isKnown ? *std::move(known) : PreTokenizer::byDefault()));
    if (!isKnown) {
        result->warn(warningOf(*name));
    }
    return finish(file, std::move(result));
}

Result<std::unique_ptr<Tokenizer>> BpeTokenizer::finish(const ModelFile& file, std::unique_ptr<BpeTokenizer> result)
{
    const auto prefixes = file.boolean("kvasir.tokenizer.space_prefix", false);
    KVASIR_TRY(prefixes);
    result->m_addsSpacePrefix = *prefixes;
    result->m_addedHaveSigns = result->isPlain() && file.has("kvasir.tokenizer.patterns");
    KVASIR_TRY(result->readAdditions(file, result->m_preTokenizer.traits().addsBos));
    KVASIR_TRY(result->readMerges(file));
    return std::unique_ptr<Tokenizer>(std::move(result));
}

/// The symbol of what is no special token, or text could be merged into one; else kNoToken.
TokenId BpeTokenizer::findSymbol(std::string_view text) const
{
    const TokenId token = vocabulary().find(text);
    if (token != kNoToken && !isSpecial(token)) {
        return token;
    }
    if (m_extraSymbols.empty()) {
        return kNoToken;
    }
    const auto extra = m_extraSymbols.find(std::string(text));
    return extra == m_extraSymbols.end() ? kNoToken : extra->second;
}

TokenId BpeTokenizer::addSymbol(std::string_view text)
{
    const TokenId known = findSymbol(text);
    if (known != kNoToken) {
        return known;
    }
    const auto next = static_cast<TokenId>(vocabularySize() + static_cast<int>(m_extraTexts.size()));
    m_extraTexts.emplace_back(text);
    m_extraSymbols.emplace(text, next);
    return next;
}

Result<void> BpeTokenizer::readMerges(const ModelFile& file)
{
    const auto merges = file.strings("tokenizer.ggml.merges");
    KVASIR_TRY(merges);

    if (isPlain()) {
        m_byteSymbols.fill(kNoToken);
        for (TokenId token = 0; token < vocabularySize(); ++token) {
            if (const int byte = vocabulary().byteValue(token); byte >= 0) {
                m_byteSymbols[static_cast<size_t>(byte)] = token;
            }
        }
    } else {
        for (size_t byte = 0; byte < 256; ++byte) {
            const char value = static_cast<char>(byte);
            std::string character;
            appendAsAlphabet({&value, 1}, character);
            m_byteSymbols[byte] = addSymbol(character);
        }
    }
    m_merges.reserve(merges->size());
    std::string joined;
    uint32_t rank = 0;
    for (const std::string_view merge : *merges) {
        const size_t space = merge.find(' ', 1);
        // An entry that is no pair can never apply; llama.cpp, too, goes on without it.
        if (space != std::string_view::npos && space + 1 < merge.size()) {
            const std::string_view left = merge.substr(0, space);
            const std::string_view right = merge.substr(space + 1);
            joined.assign(left).append(right);
            m_merges.add(addSymbol(left), addSymbol(right), {rank, addSymbol(joined)});
            if (isPlain()) {
                addSpaceBinders(joined, m_bindsSpace);
            }
        }
        ++rank;
    }
    return {};
}

void BpeTokenizer::encodeRun(std::string_view text, bool afterSpecial, std::vector<TokenId>& tokens) const
{
    Scratch scratch(m_merges);
    std::string withSigns;
    if (isPlain()) {
        withSigns = afterSpecial && m_addsSpacePrefix ? std::string(kSpaceSign) : std::string();
        withSigns += withSpaceSigns(text);
        text = withSigns;
    }
    while (!text.empty()) {
        size_t length = std::min(text.size(), kMaxStretch);
        while (length < text.size() && length > kMaxStretch - 4 && (text[length] & 0xC0) == 0x80) {
            --length; // not inside of a character
        }
        size_t begin = 0;
        for (const uint32_t end : m_preTokenizer.split(text.substr(0, length), scratch.work)) {
            encodePiece(text.substr(begin, end - begin), scratch, tokens);
            begin = end;
        }
        text.remove_prefix(length);
    }
}

void BpeTokenizer::encodePiece(std::string_view piece, Scratch& scratch, std::vector<TokenId>& tokens) const
{
    if (isPlain()) { // lines: words are cheaper, and come again
        bool previousIsSpace = true;
        for (size_t position = 0; position < piece.size(); ++position) {
            const bool isSpace = isSpaceAt(piece, position);
            if (isSpace && !previousIsSpace && !m_bindsSpace.test(static_cast<unsigned char>(piece[position - 1]))) {
                encodeWord(piece.substr(0, position), scratch, tokens);
                piece.remove_prefix(position);
                position = 0;
            }
            position += isSpace ? kSpaceSign.size() - 1 : 0;
            previousIsSpace = isSpace;
        }
    }
    encodeWord(piece, scratch, tokens);
}

void BpeTokenizer::encodeWord(std::string_view word, Scratch& scratch, std::vector<TokenId>& tokens) const
{
    if (word.size() > WordCache::kLongestWord) {
        mergeWord(word, scratch, tokens);
        return;
    }
    const auto [entry, isNew] = scratch.cache.at(word);
    if (isNew) {
        const size_t begin = tokens.size();
        mergeWord(word, scratch, tokens);
        entry->begin = static_cast<uint32_t>(begin);
        entry->count = static_cast<uint16_t>(tokens.size() - begin);
    } else {
        for (size_t i = entry->begin; i < size_t(entry->begin) + entry->count; ++i) {
            tokens.push_back(tokens[i]);
        }
    }
}

void BpeTokenizer::mergeWord(std::string_view word, Scratch& scratch, std::vector<TokenId>& tokens) const
{
    std::vector<TokenId>& symbols = scratch.symbols;
    symbols.clear();
    // Gemma 4 has tokens for runs of line ends that no merges lead to.
    const bool isWhole = m_preTokenizer.traits().takesWholeWords
        || (m_preTokenizer.traits().takesLineEnds && word.find_first_not_of('\n') == std::string_view::npos);
    if (isWhole) {
        scratch.word.clear();
        if (isPlain()) {
            scratch.word = word;
        } else {
            appendAsAlphabet(word, scratch.word);
        }
        const TokenId token = vocabulary().find(scratch.word);
        if (token != kNoToken && !isSpecial(token)) {
            tokens.push_back(token);
            return;
        }
    }
    if (isPlain()) {
        appendCharacters(word, symbols);
    } else {
        for (const char byte : word) {
            symbols.push_back(m_byteSymbols[static_cast<unsigned char>(byte)]);
        }
    }
    scratch.merger.merge(symbols);
    for (const TokenId symbol : symbols) {
        appendSymbol(symbol, tokens);
    }
}

/// Characters that are no symbols, and bytes that are no characters, as byte tokens; those merge with nothing.
void BpeTokenizer::appendCharacters(std::string_view word, std::vector<TokenId>& symbols) const
{
    for (size_t position = 0; position < word.size();) {
        const Utf8Step step = readUtf8(word, position);
        const std::string_view character = word.substr(position, step.length);
        const TokenId symbol = step.state == Utf8State::Whole ? findSymbol(character) : kNoToken;
        if (symbol != kNoToken) {
            symbols.push_back(symbol);
        } else {
            for (const char byte : character) {
                symbols.push_back(m_byteSymbols[static_cast<unsigned char>(byte)]);
            }
        }
        position += step.length;
    }
}

void BpeTokenizer::appendSymbol(TokenId symbol, std::vector<TokenId>& tokens) const
{
    if (symbol < vocabularySize()) {
        if (symbol != kNoToken) { // a byte without a token is lost: the vocabulary cannot say it
            tokens.push_back(symbol);
        }
        return;
    }
    std::string bytes;
    const std::string& text = m_extraTexts[static_cast<size_t>(symbol - vocabularySize())];
    if (isPlain()) {
        bytes = text;
    } else {
        appendFromAlphabet(text, bytes);
    }
    for (const char byte : bytes) {
        const TokenId token = m_byteSymbols[static_cast<unsigned char>(byte)];
        if (token != kNoToken && token < vocabularySize()) {
            tokens.push_back(token);
        }
    }
}

void BpeTokenizer::appendBytes(TokenId token, std::string& bytes) const
{
    const std::string_view text = vocabulary().text(token);
    if (vocabulary().kind(token) == TokenKind::UserDefined && !m_addedHaveSigns) {
        bytes += text;
    } else if (const int byte = isPlain() ? vocabulary().byteValue(token) : -1; byte >= 0) {
        bytes.push_back(static_cast<char>(byte));
    } else if (isPlain()) {
        appendWithoutSpaceSigns(text, bytes);
    } else {
        appendFromAlphabet(text, bytes);
    }
}

} // namespace kvasir
