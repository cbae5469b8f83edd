#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace kvasir {

/// A text as scalar values with what the splitting rules ask of each. A byte that is not UTF-8 counts as a symbol.
struct ClassifiedText {
    std::vector<char32_t> scalars;
    std::vector<uint8_t> classes;  ///< CharacterClass bits
    std::vector<uint32_t> offsets; ///< byte where each scalar begins, and the end of the text

    explicit ClassifiedText(std::string_view text);
};

/// The rule by which a byte-level BPE vocabulary cuts text into words before merging. The models state it as regular
/// expressions; these are the same rules as hand-written scanners, each linear in the text.
class PreTokenizer {
public:
    /// The rule that `tokenizer.ggml.pre` names; null for a name that is not known.
    static const PreTokenizer* find(std::string_view name);

    /// Calls `word` for each piece of `text`, in order; joined they are the text again.
    void split(std::string_view text, const std::function<void(std::string_view)>& word) const;

    /// Words that are tokens themselves are not merged from their bytes (llama 3).
    bool takesWholeWords() const { return m_takesWholeWords; }
    /// Whether models of this family begin a text with BOS where the file says nothing.
    bool addsBos() const { return m_addsBos; }

    /// Where the piece that begins at `begin` ends; `end` bounds the text that may be looked at.
    using Scanner = size_t (*)(const ClassifiedText& text, size_t begin, size_t end);

    constexpr PreTokenizer(std::span<const Scanner> stages, bool takesWholeWords = false, bool addsBos = false)
        : m_stages(stages)
        , m_takesWholeWords(takesWholeWords)
        , m_addsBos(addsBos)
    {
    }

private:
    std::span<const Scanner> m_stages; ///< each one cuts the pieces of the one before
    bool m_takesWholeWords;
    bool m_addsBos;
};

} // namespace kvasir
