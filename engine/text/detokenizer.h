#pragma once

#include "base/types.h"

#include <string>

namespace kvasir {

class Tokenizer;

/// Turns a stream of token ids into a stream of whole UTF-8 characters. A character that ends in a later token is held
/// back, at most three bytes; what can become no character is given out as U+FFFD. For one thread at a time.
class Detokenizer {
public:
    /// `tokenizer` must outlive this object. Special tokens give their name if `showSpecial`, else nothing.
    explicit Detokenizer(const Tokenizer& tokenizer, bool showSpecial = false);

    /// The characters that `token` completes; may be empty.
    std::string push(TokenId token);
    /// The end of the stream: an unfinished character becomes U+FFFD. The object is then as new.
    std::string flush();
    /// Bytes held back, 0 to 3.
    int heldBytes() const { return static_cast<int>(m_held.size()); }

private:
    const Tokenizer& m_tokenizer;
    bool m_showSpecial;
    std::string m_held;
};

} // namespace kvasir
