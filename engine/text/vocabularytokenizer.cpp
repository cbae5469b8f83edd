#include "text/vocabularytokenizer.h"

#include "files/modelfile.h"
#include "text/spacesign.h"

namespace kvasir {

namespace {

bool isAsciiSpace(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

} // namespace

VocabularyTokenizer::VocabularyTokenizer(Vocabulary vocabulary)
    : m_vocabulary(std::move(vocabulary))
{
    for (TokenId token = 0; token < m_vocabulary.size(); ++token) {
        if (isSpecial(token) || m_vocabulary.kind(token) == TokenKind::UserDefined) {
            m_specials.add(m_vocabulary.text(token), token);
        }
    }
}

Result<void> VocabularyTokenizer::readAdditions(const ModelFile& file, bool bosByDefault)
{
    const auto addsBos = file.boolean("tokenizer.ggml.add_bos_token", bosByDefault);
    KVASIR_TRY(addsBos);
    const auto addsEos = file.boolean("tokenizer.ggml.add_eos_token", false);
    KVASIR_TRY(addsEos);
    m_addsBos = *addsBos && bos() != kNoToken;
    m_addsEos = *addsEos && eos() != kNoToken;
    const auto form = file.string("kvasir.tokenizer.form", "");
    KVASIR_TRY(form);
    m_form = UnicodeForm::find(*form);
    const auto onlyFirst = file.boolean("kvasir.tokenizer.prefix_first_only", false);
    KVASIR_TRY(onlyFirst);
    m_prefixesOnlyFirst = *onlyFirst;
    const auto unlessThere = file.boolean("kvasir.tokenizer.prefix_unless_there", false);
    KVASIR_TRY(unlessThere);
    m_prefixesUnlessThere = *unlessThere;
    for (const auto& [key, list] : {std::pair("kvasir.tokenizer.strips_left", &m_stripsLeft),
             std::pair("kvasir.tokenizer.strips_right", &m_stripsRight)}) {
        if (file.has(key)) {
            const auto ids = file.integers(key);
            KVASIR_TRY(ids);
            *list = std::set<TokenId>(ids->begin(), ids->end());
        }
    }
    return {};
}

std::vector<TokenId> VocabularyTokenizer::encode(std::string_view text, EncodeOptions options) const
{
    const TextRange whole{0, text.size()};
    return encodeTrusted(text, {&whole, options.parseSpecial ? size_t(1) : size_t(0)}, options.addSpecial);
}

std::vector<TokenId> VocabularyTokenizer::encodeTrusted(
    std::string_view text, std::span<const TextRange> trusted, bool addSpecial) const
{
    std::vector<TokenId> tokens;
    if (addSpecial && m_addsBos) {
        tokens.push_back(bos());
    }
    bool afterSpecial = true;
    size_t runBegin = 0;
    const auto endRun = [&](size_t end) {
        if (end > runBegin) {
            std::string memory;
            const std::string_view run = text.substr(runBegin, end - runBegin);
            const bool prefix = afterSpecial && !(m_prefixesUnlessThere && isSpaceAt(run, 0));
            encodeRun(m_form.apply(run, memory), prefix, tokens);
        }
    };
    for (size_t position = 0; position < text.size();) {
        while (!trusted.empty() && trusted.front().end <= position) {
            trusted = trusted.subspan(1);
        }
        const bool isTrusted = !trusted.empty() && trusted.front().begin <= position;
        const auto match = m_specials.longestAt(text, position, [&](TokenId token, size_t length) {
            return isSpecial(token) ? isTrusted && position + length <= trusted.front().end : findsUserDefined();
        });
        if (match.token == kNoToken) {
            ++position;
            continue;
        }
        size_t end = position;
        while (m_stripsLeft.contains(match.token) && end > runBegin && isAsciiSpace(text[end - 1])) {
            --end;
        }
        endRun(end);
        tokens.push_back(match.token);
        afterSpecial = !m_prefixesOnlyFirst;
        position += match.length;
        const bool strips = takesSpaceBehind(match.token) || m_stripsRight.contains(match.token);
        while (strips && position < text.size() && isAsciiSpace(text[position])) {
            ++position;
        }
        runBegin = position;
    }
    endRun(text.size());
    if (addSpecial && m_addsEos) {
        tokens.push_back(eos());
    }
    return tokens;
}

std::string VocabularyTokenizer::decode(std::span<const TokenId> tokens, bool showSpecial) const
{
    std::string bytes;
    bool first = true;
    for (const TokenId token : tokens) {
        const size_t before = bytes.size();
        appendPiece(token, showSpecial, bytes);
        if (first && addsSpacePrefix() && bytes.size() > before && !isSpecial(token)) {
            if (bytes[before] == ' ') {
                bytes.erase(before, 1);
            }
            first = false;
        }
    }
    return bytes;
}

std::string VocabularyTokenizer::piece(TokenId token, bool showSpecial) const
{
    std::string bytes;
    appendPiece(token, showSpecial, bytes);
    return bytes;
}

void VocabularyTokenizer::appendPiece(TokenId token, bool showSpecial, std::string& bytes) const
{
    if (!m_vocabulary.contains(token)) {
        return;
    }
    if (!isSpecial(token)) {
        appendBytes(token, bytes);
    } else if (showSpecial) {
        bytes += m_vocabulary.text(token);
    }
}

bool VocabularyTokenizer::isSpecial(TokenId token) const
{
    return m_vocabulary.contains(token)
        && (m_vocabulary.kind(token) == TokenKind::Control || m_vocabulary.kind(token) == TokenKind::Unknown);
}

} // namespace kvasir
