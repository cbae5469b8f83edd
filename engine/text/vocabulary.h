#pragma once

#include "base/result.h"
#include "base/types.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kvasir {

class ModelFile;

/// The format's numbers.
enum class TokenKind : uint8_t { Normal = 1, Unknown = 2, Control = 3, UserDefined = 4, Unused = 5, Byte = 6 };

/// The tokens of a model file with what it says of each, checked: all arrays are as long as the vocabulary, all ids
/// inside it. A special id outside of it counts as not given: such files exist, and they work.
class Vocabulary {
public:
    /// Errors: MissingMetadata, Malformed, BadTokenizer.
    static Result<Vocabulary> read(const ModelFile& file);

    int size() const { return static_cast<int>(m_kinds.size()); }
    bool contains(TokenId token) const { return token >= 0 && token < size(); }
    std::string_view text(TokenId token) const;
    TokenKind kind(TokenId token) const { return m_kinds[static_cast<size_t>(token)]; }
    bool hasScores() const { return !m_scores.empty(); }
    float score(TokenId token) const { return m_scores[static_cast<size_t>(token)]; }
    /// The byte that a token like <0x0A> stands for, else -1.
    int byteValue(TokenId token) const;

    TokenId bos() const { return m_bos; }
    TokenId eos() const { return m_eos; }
    TokenId unknown() const { return m_unknown; }
    bool isEndOfGeneration(TokenId token) const;
    const std::vector<TokenId>& endsOfGeneration() const { return m_endsOfGeneration; } ///< ascending
    /// Ends that something beside the vocabulary knows; ids outside it are ignored.
    void addEndsOfGeneration(std::span<const TokenId> tokens);
    /// Whether no token before it has the same text.
    bool isFirstOfItsText(TokenId token) const { return !m_isRepeated[static_cast<size_t>(token)]; }
    /// The first token with this text, else kNoToken.
    TokenId find(std::string_view text) const;

private:
    void indexTexts();
    void findEndsOfGeneration(const ModelFile& file);

    std::string m_texts;          ///< all token texts, one behind the other
    std::vector<uint32_t> m_ends; ///< where each one ends
    std::vector<TokenKind> m_kinds;
    std::vector<float> m_scores;   ///< empty where the file has none
    std::vector<uint32_t> m_index; ///< open addressing: token + 1, or 0; the size is a power of two
    std::vector<bool> m_isRepeated;
    std::vector<TokenId> m_endsOfGeneration; ///< ascending
    TokenId m_bos = kNoToken;
    TokenId m_eos = kNoToken;
    TokenId m_unknown = kNoToken;
};

} // namespace kvasir
