#include "text/bpetokenizer.h"

#include "base/utf8.h"
#include "files/modelfile.h"
#include "text/filepretokenizer.h"

#include <queue>

#include <bit>
#include <string>
#include <unordered_map>

namespace kvasir {

namespace {

/// GPT-2 writes bytes as printable characters: those that are printable in Latin-1 stand for themselves, the others
/// count up from U+0100.
struct ByteAlphabet {
    std::array<char32_t, 256> characters{};
    std::array<int16_t, 0x144> bytes{}; ///< by character; -1: stands for none

    constexpr ByteAlphabet()
    {
        bytes.fill(-1);
        char32_t next = 0x100;
        for (size_t byte = 0; byte < 256; ++byte) {
            const bool printable = (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte != 0xAD);
            characters[byte] = printable ? static_cast<char32_t>(byte) : next++;
            bytes[characters[byte]] = static_cast<int16_t>(byte);
        }
    }
};
constexpr ByteAlphabet kAlphabet;

std::string toAlphabet(std::string_view bytes)
{
    std::string result;
    for (const char byte : bytes) {
        appendUtf8(result, kAlphabet.characters[static_cast<unsigned char>(byte)]);
    }
    return result;
}

// Longer words hardly ever come twice, and the cache would grow with the text.
constexpr size_t kMaxCachedWord = 32;

} // namespace

void MergeTable::reserve(size_t merges)
{
    m_slots.assign(std::bit_ceil(merges * 2 + 2), {});
}

size_t MergeTable::slotOf(uint64_t pair) const
{
    const size_t mask = m_slots.size() - 1;
    size_t slot = (pair * 0x9E3779B97F4A7C15u >> 20) & mask;
    while (m_slots[slot].pair != pair && m_slots[slot].pair != UINT64_MAX) {
        slot = (slot + 1) & mask;
    }
    return slot;
}

void MergeTable::add(TokenId left, TokenId right, Merge merge)
{
    const uint64_t pair = static_cast<uint64_t>(left) << 32 | static_cast<uint32_t>(right);
    Slot& slot = m_slots[slotOf(pair)];
    if (slot.pair == UINT64_MAX) {
        slot = {pair, merge};
    }
}

MergeTable::Merge MergeTable::find(TokenId left, TokenId right) const
{
    return m_slots[slotOf(static_cast<uint64_t>(left) << 32 | static_cast<uint32_t>(right))].merge;
}

/// What one call of encodeRun() keeps from word to word.
struct BpeTokenizer::Scratch {
    struct Symbol {
        TokenId id = kNoToken; ///< kNoToken: merged into the symbol before
        uint32_t begin = 0;
        uint32_t previous = 0;
        uint32_t next = 0; ///< the number of symbols: none
    };
    struct Candidate {
        uint32_t rank = 0;
        uint32_t left = 0; ///< symbols
        TokenId leftId = kNoToken;
        TokenId rightId = kNoToken;
        TokenId result = kNoToken;

        bool operator<(const Candidate& other) const
        {
            return rank != other.rank ? rank > other.rank : left > other.left;
        }
    };
    struct CachedWord {
        size_t begin = 0; ///< in the tokens of this call
        size_t count = 0;
    };

    std::vector<Symbol> symbols;
    std::priority_queue<Candidate> candidates;
    std::unordered_map<std::string_view, CachedWord> words;
};

BpeTokenizer::BpeTokenizer(Vocabulary ownVocabulary, PreTokenizer preTokenizer)
    : VocabularyTokenizer(std::move(ownVocabulary))
    , m_preTokenizer(std::move(preTokenizer))
{
}

Result<std::unique_ptr<Tokenizer>> BpeTokenizer::make(const ModelFile& file, Vocabulary vocabulary)
{
    auto preTokenizer = readPreTokenizer(file);
    KVASIR_TRY(preTokenizer);
    std::unique_ptr<BpeTokenizer> result(new BpeTokenizer(std::move(vocabulary), *std::move(preTokenizer)));
    KVASIR_TRY(result->readAdditions(file, result->m_preTokenizer.traits().addsBos));
    KVASIR_TRY(result->readMerges(file));
    return std::unique_ptr<Tokenizer>(std::move(result));
}

Result<void> BpeTokenizer::readMerges(const ModelFile& file)
{
    const auto merges = file.strings("tokenizer.ggml.merges");
    KVASIR_TRY(merges);

    std::unordered_map<std::string, TokenId> extra;
    const auto symbolOf = [&](std::string_view text) {
        const TokenId token = vocabulary().find(text);
        if (token != kNoToken && !isSpecial(token)) { // or text could be merged into a control token
            return token;
        }
        const auto next = static_cast<TokenId>(vocabularySize() + static_cast<int>(extra.size()));
        return extra.try_emplace(std::string(text), next).first->second;
    };
    for (size_t byte = 0; byte < 256; ++byte) {
        const char value = static_cast<char>(byte);
        m_byteSymbols[byte] = symbolOf(toAlphabet({&value, 1}));
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
            m_merges.add(symbolOf(left), symbolOf(right), {rank, symbolOf(joined)});
        }
        ++rank;
    }
    return {};
}

void BpeTokenizer::encodeRun(std::string_view text, bool, std::vector<TokenId>& tokens) const
{
    Scratch scratch;
    PreTokenizer::Work work;
    size_t begin = 0;
    for (const uint32_t end : m_preTokenizer.split(text, work)) {
        const std::string_view word = text.substr(begin, end - begin);
        begin = end;
        if (word.size() > kMaxCachedWord) {
            mergeWord(word, scratch, tokens);
            continue;
        }
        const auto [known, isNew] = scratch.words.try_emplace(word);
        if (isNew) {
            known->second.begin = tokens.size();
            mergeWord(word, scratch, tokens);
            known->second.count = tokens.size() - known->second.begin;
        } else {
            for (size_t i = 0; i < known->second.count; ++i) {
                tokens.push_back(tokens[known->second.begin + i]);
            }
        }
    }
}

void BpeTokenizer::mergeWord(std::string_view word, Scratch& scratch, std::vector<TokenId>& tokens) const
{
    if (m_preTokenizer.traits().takesWholeWords) {
        const TokenId token = vocabulary().find(toAlphabet(word));
        if (token != kNoToken && !isSpecial(token)) {
            tokens.push_back(token);
            return;
        }
    }
    auto& symbols = scratch.symbols;
    auto& candidates = scratch.candidates;
    const auto count = static_cast<uint32_t>(word.size());
    symbols.resize(count);
    for (uint32_t i = 0; i < count; ++i) {
        symbols[i] = {m_byteSymbols[static_cast<unsigned char>(word[i])], i, i - 1, i + 1};
    }
    const auto propose = [&](uint32_t left) {
        const uint32_t right = symbols[left].next;
        if (right < count) {
            const auto merge = m_merges.find(symbols[left].id, symbols[right].id);
            if (merge.rank != UINT32_MAX) {
                candidates.push({merge.rank, left, symbols[left].id, symbols[right].id, merge.result});
            }
        }
    };
    for (uint32_t i = 0; i + 1 < count; ++i) {
        propose(i);
    }
    while (!candidates.empty()) {
        const Scratch::Candidate candidate = candidates.top();
        candidates.pop();
        auto& left = symbols[candidate.left];
        // Merged meanwhile: what it has become was proposed then.
        if (left.id != candidate.leftId || left.next >= count || symbols[left.next].id != candidate.rightId) {
            continue;
        }
        symbols[left.next].id = kNoToken;
        left.id = candidate.result;
        left.next = symbols[left.next].next;
        if (left.next < count) {
            symbols[left.next].previous = candidate.left;
        }
        propose(candidate.left);
        if (candidate.left > 0) {
            propose(left.previous);
        }
    }
    for (uint32_t i = 0; i < count; i = symbols[i].next) {
        const uint32_t end = symbols[i].next < count ? symbols[symbols[i].next].begin : count;
        appendSymbol(symbols[i].id, word.substr(symbols[i].begin, end - symbols[i].begin), tokens);
    }
}

void BpeTokenizer::appendSymbol(TokenId symbol, std::string_view bytes, std::vector<TokenId>& tokens) const
{
    if (symbol < vocabularySize()) {
        tokens.push_back(symbol);
        return;
    }
    for (const char byte : bytes) {
        const TokenId token = m_byteSymbols[static_cast<unsigned char>(byte)];
        if (token < vocabularySize()) { // a byte without a token is lost: the vocabulary cannot say it
            tokens.push_back(token);
        }
    }
}

void BpeTokenizer::appendBytes(TokenId token, std::string& bytes) const
{
    const std::string_view text = vocabulary().text(token);
    if (vocabulary().kind(token) == TokenKind::UserDefined) {
        bytes += text;
        return;
    }
    for (size_t position = 0; position < text.size();) {
        const Utf8Step step = readUtf8(text, position);
        const int byte = step.scalar < kAlphabet.bytes.size() ? kAlphabet.bytes[step.scalar] : -1;
        if (byte >= 0) {
            bytes.push_back(static_cast<char>(byte));
        } else {
            bytes.append(text, position, step.length);
        }
        position += step.length;
    }
}

} // namespace kvasir
