#pragma once

#include "text/pretokenizer.h"

#include <array>
#include <span>
#include <string_view>

namespace kvasir {

/// How the models of one family cut text into words.
struct PreTokenizerFamily {
    std::string_view names; ///< as converters write them into tokenizer.ggml.pre, parted by spaces
    /// The published regular expressions, applied one to the pieces of the other; the rest is empty.
    std::array<std::string_view, 6> patterns;
    PreTokenizerTraits traits = {};
};

/// The regular expression of GPT-2, which byte-level pre-tokenizers use where they name none.
std::string_view gpt2Pattern();

std::span<const PreTokenizerFamily> preTokenizerFamilies();

/// The family called `name`; null for a name that is not known.
const PreTokenizerFamily* findPreTokenizerFamily(std::string_view name);

} // namespace kvasir
