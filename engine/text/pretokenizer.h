#pragma once

#include "text/pretokenizers/classifiedtext.h"
#include "text/pretokenizers/stage.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace kvasir {

/// What a family decides beside the cuts.
struct PreTokenizerTraits {
    bool takesWholeWords = false; ///< words that are tokens are not merged from their bytes ("ignore_merges")
    bool addsBos = false;         ///< a text begins with BOS where the file says nothing
    bool takesLineEnds = false;   ///< runs of line ends that are tokens are not merged either
    bool hasPlainText = false;    ///< tokens are characters with U+2581 for a space, not bytes in GPT-2's alphabet
};

/// The rule by which a BPE vocabulary cuts text into words before merging: regular expressions, each applied to the
/// pieces of the one before. Time is linear in the text.
class PreTokenizer {
public:
    /// The rule of the family that `tokenizer.ggml.pre` names; nothing for a name that is not known.
    static std::optional<PreTokenizer> find(std::string_view name);
    /// The rule that is used where a file names none, or one that is not known.
    static PreTokenizer byDefault();
    /// The rule of a tokenizer.json: its splitting expressions in order, spelled as published (matches are pieces of
    /// their own). Nothing where one is not understood. GPT-2's, which "ByteLevel" uses, is gpt2Pattern() of
    /// pretokenizers/families.h; "Digits" is \p{N}+ or, for individual digits, \p{N}.
    static std::optional<PreTokenizer> forPatterns(
        std::span<const std::string_view> patterns, PreTokenizerTraits traits = {});

    /// What split() works with, kept from text to text.
    struct Work {
        ClassifiedText text;
        std::vector<uint32_t> ends; ///< of the pieces; scalars while stages work on them, bytes in the end
        std::vector<uint32_t> nextEnds;
    };

    /// Cuts `text` (shorter than 4 GiB) into pieces, none of them empty; joined they are the text again. The result is
    /// where each ends, in bytes; it lives in `work`.
    std::span<const uint32_t> split(std::string_view text, Work& work) const;

    const PreTokenizerTraits& traits() const { return m_traits; }

private:
    std::vector<Stage> m_stages;
    PreTokenizerTraits m_traits;
};

/// As PreTokenizer::forPatterns() with one expression.
std::optional<PreTokenizer> preTokenizerForPattern(std::string_view pattern, PreTokenizerTraits traits = {});

} // namespace kvasir
