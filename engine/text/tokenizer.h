#pragma once

#include "base/result.h"
#include "base/types.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kvasir {

class ModelFile;

struct EncodeOptions {
    bool addSpecial = false;   ///< put in front (and behind) what the model adds: BOS, EOS
    bool parseSpecial = false; ///< recognise special tokens written in the text; only for text that a template made
};

/// A stretch of bytes of a text, [begin, end).
struct TextRange {
    size_t begin = 0;
    size_t end = 0;
};

/// Text to token ids and back. Immutable once it is loaded; any thread may use it then.
class Tokenizer {
public:
    virtual ~Tokenizer() = default;

    /// `text` need not be valid UTF-8; every byte is encoded somehow, as far as the vocabulary can.
    virtual std::vector<TokenId> encode(std::string_view text, EncodeOptions options = {}) const = 0;
    /// As encode(), but special tokens are recognised only where all their bytes lie in one of the `trusted` stretches
    /// (in order, disjoint). What is not recognised is ordinary text, joined with its neighbours as in an untrusted
    /// text.
    virtual std::vector<TokenId> encodeTrusted(
        std::string_view text, std::span<const TextRange> trusted, bool addSpecial) const = 0;
    /// The bytes of a whole sequence; special tokens are left out unless `showSpecial`.
    virtual std::string decode(std::span<const TokenId> tokens, bool showSpecial = false) const = 0;
    /// The bytes that one token adds in the middle of a text. A special token gives its name if `showSpecial`, else
    /// nothing.
    virtual std::string piece(TokenId token, bool showSpecial = false) const = 0;

    virtual int vocabularySize() const = 0;
    virtual bool isSpecial(TokenId token) const = 0; ///< control and user-defined control tokens
    virtual bool isEndOfGeneration(TokenId token) const = 0;
    virtual std::vector<TokenId> endsOfGeneration() const = 0; ///< ascending
    /// While loading: ends that the file's template or a configuration beside it knows.
    virtual void addEndsOfGeneration(std::span<const TokenId> tokens) = 0;
    virtual TokenId bos() const = 0; ///< kNoToken where there is none
    virtual TokenId eos() const = 0;
    virtual bool addsBos() const = 0;
    /// What of the file's tokenizer is not known and was replaced; nothing where all is. Kvasir runs all the same.
    virtual std::optional<Error> warning() const { return {}; }
};

/// Builds the tokenizer that the file's metadata describes.
Result<std::unique_ptr<Tokenizer>> makeTokenizer(const ModelFile& file);

} // namespace kvasir
