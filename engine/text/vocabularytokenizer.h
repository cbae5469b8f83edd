#pragma once

#include "text/specialtokens.h"
#include "text/tokenizer.h"
#include "text/unicodeform.h"
#include "text/vocabulary.h"

#include <set>

namespace kvasir {

class ModelFile;

/// What tokenizers of all kinds share: special tokens are cut out first, what lies between goes to encodeRun().
class VocabularyTokenizer : public Tokenizer {
public:
    std::vector<TokenId> encode(std::string_view text, EncodeOptions options = {}) const final;
    std::vector<TokenId> encodeTrusted(
        std::string_view text, std::span<const TextRange> trusted, bool addSpecial) const final;
    std::string decode(std::span<const TokenId> tokens, bool showSpecial = false) const final;
    std::string piece(TokenId token, bool showSpecial = false) const final;

    int vocabularySize() const final { return m_vocabulary.size(); }
    bool isSpecial(TokenId token) const final;
    bool isEndOfGeneration(TokenId token) const final { return m_vocabulary.isEndOfGeneration(token); }
    std::vector<TokenId> endsOfGeneration() const final { return m_vocabulary.endsOfGeneration(); }
    void addEndsOfGeneration(std::span<const TokenId> tokens) final { m_vocabulary.addEndsOfGeneration(tokens); }
    TokenId bos() const final { return m_vocabulary.bos(); }
    TokenId eos() const final { return m_vocabulary.eos(); }
    bool addsBos() const final { return m_addsBos; }
    std::optional<Error> warning() const final { return m_warning; }

protected:
    explicit VocabularyTokenizer(Vocabulary vocabulary);

    /// Reads what the file says about BOS and EOS around a text.
    Result<void> readAdditions(const ModelFile& file, bool bosByDefault);

    void warn(Error warning) { m_warning = std::move(warning); }
    const Vocabulary& vocabulary() const { return m_vocabulary; }

private:
    /// Appends the ids of ordinary text. `afterSpecial`: it stands where a space prefix may go, at the start or right
    /// behind a special token.
    virtual void encodeRun(std::string_view text, bool afterSpecial, std::vector<TokenId>& tokens) const = 0;
    /// Appends the bytes of a token that is not special.
    virtual void appendBytes(TokenId token, std::string& bytes) const = 0;
    /// Whether encodeRun() puts a space in front of a text that decode() has to take away again.
    virtual bool addsSpacePrefix() const { return false; }
    /// Whether white space behind this special token belongs to it.
    virtual bool takesSpaceBehind(TokenId) const { return false; }
    /// Whether user-defined tokens are found here, or by encodeRun() itself.
    virtual bool findsUserDefined() const { return false; }

    void appendPiece(TokenId token, bool showSpecial, std::string& bytes) const;

    Vocabulary m_vocabulary;
    SpecialTokens m_specials;
    bool m_addsBos = false;
    bool m_addsEos = false;
    bool m_prefixesOnlyFirst = false;   ///< no space prefix behind special tokens
    bool m_prefixesUnlessThere = false; ///< nor where the text begins with a space
    UnicodeForm m_form;                 ///< of ordinary text
    std::set<TokenId> m_stripsLeft;     ///< special tokens that white space before them belongs to
    std::set<TokenId> m_stripsRight;    ///< and behind them
    std::optional<Error> m_warning;
};

} // namespace kvasir
