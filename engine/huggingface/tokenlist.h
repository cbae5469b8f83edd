#pragma once

#include "base/result.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>
#include <vector>

namespace kvasir {

struct HuggingFaceFolder;
class MetadataWriter;

/// The tokens of a model, one for each row of its embedding; rows without a token are unused. Tokens beyond the rows,
/// which the model can neither read nor write, are left out.
class TokenList {
public:
    /// GGUF's numbers.
    enum Kind : int64_t { Normal = 1, Unknown = 2, Control = 3, UserDefined = 4, Unused = 5, Byte = 6 };

    explicit TokenList(uint64_t rows);

    void set(uint64_t id, std::string text, Kind kind, float score = 0);
    /// A token that is found as it is written. `description` has content and special, lstrip and rstrip as a
    /// tokenizer.json has them. Errors: BadTokenizer, Unsupported (single_word).
    Result<void> setAdded(uint64_t id, const nlohmann::json& description);
    /// Writes the signs for spaces in user-defined tokens as spaces, as GGUF has them.
    void writeSpacesInAdded();

    size_t size() const { return m_texts.size(); }
    /// -1 where there is none.
    int64_t find(const std::string& text) const;

    void write(MetadataWriter& metadata) const;

private:
    std::vector<std::string> m_texts;
    std::vector<int64_t> m_kinds;
    std::vector<float> m_scores;
    std::unordered_map<std::string, uint64_t> m_ids;
    std::vector<int64_t> m_stripsLeft;
    std::vector<int64_t> m_stripsRight;
};

/// The kind of a token that a tokenizer with byte fallback writes as <0x0A>; Normal for any other.
TokenList::Kind kindOfText(const std::string& text);

/// A text and what is wrong with it in the tokenizer.
Failure brokenTokenizer(const std::string& what);

} // namespace kvasir
