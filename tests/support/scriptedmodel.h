#pragma once

#include "ggufwriter.h"

#include <string>
#include <vector>

namespace kvasir::testing {

/// A model that says what it is told to: each token of the script leads to the next one, whatever the temperature, and
/// the token before the script to the first. It is a real llama of one layer whose attention adds nothing.
struct ScriptedModel {
    std::vector<std::string> control;     ///< control tokens; the last one is the EOS of the file
    std::vector<std::string> userDefined; ///< tokens found in any text, and shown: "<think>"
    std::string chatTemplate;             ///< empty: the file has none
    std::string before = "\n";            ///< the last token of a prompt; a byte or one of the tokens above
    /// One token each, in the order they are said: one of the tokens above, or ordinary text. A text may come twice, a
    /// token of above may not.
    std::vector<std::string> script;
    std::string preTokenizer = "default";
    int context = 2048;

    std::string bytes() const;
    bool write(const std::string& path) const;
    /// The ids of the script.
    std::vector<int> ids() const;

private:
    std::vector<std::string> words() const; ///< of the script, that need a token of their own
};

/// Some text cut into tokens the way a vocabulary would: words with the space before them.
std::vector<std::string> asTokens(const std::string& text);

} // namespace kvasir::testing
