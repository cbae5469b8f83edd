#include "huggingface/tokenlist.h"

#include "files/ggufbytes.h"
#include "huggingface/metadatawriter.h"
#include "text/spacesign.h"

namespace kvasir {

using Json = nlohmann::json;

namespace {

bool flag(const Json& description, const char* name)
{
    const auto value = description.find(name);
    return value != description.end() && value->is_boolean() && value->get<bool>();
}

} // namespace

TokenList::TokenList(uint64_t rows)
    : m_texts(rows)
    , m_kinds(rows, Unused)
    , m_scores(rows)
{
    for (size_t i = 0; i < m_texts.size(); ++i) {
        m_texts[i] = "[PAD" + std::to_string(i) + "]"; // as converters to GGUF call them
    }
}

void TokenList::set(uint64_t id, std::string text, Kind kind, float score)
{
    if (id < m_texts.size()) {
        m_ids[text] = id;
        m_texts[id] = std::move(text);
        m_kinds[id] = kind;
        m_scores[id] = score;
    }
}

Result<void> TokenList::setAdded(uint64_t id, const Json& description)
{
    const auto content = description.is_object() ? description.find("content") : description.end();
    if (!description.is_object() || content == description.end() || !content->is_string()) {
        return brokenTokenizer("the added token " + std::to_string(id) + " has no content");
    }
    const auto text = content->get<std::string>();
    if (flag(description, "single_word")) {
        return fail(ErrorCode::Unsupported,
            "the added token " + gguf::quoted(text)
                + " is found as a single word only, which Kvasir does not know; look for a GGUF file of the model",
            {{"what", "added token"}, {"name", text}});
    }
    if (id < m_texts.size()) {
        const bool isUnknown = m_kinds[id] == Unknown;
        const float score = m_scores[id]; // of the same text in the vocabulary, if it is there too
        set(id, text, isUnknown ? Unknown : flag(description, "special") ? Control : UserDefined, score);
        if (flag(description, "lstrip")) {
            m_stripsLeft.push_back(static_cast<int64_t>(id));
        }
        if (flag(description, "rstrip")) {
            m_stripsRight.push_back(static_cast<int64_t>(id));
        }
    }
    return {};
}

void TokenList::writeSpacesInAdded()
{
    for (size_t i = 0; i < m_texts.size(); ++i) {
        if (m_kinds[i] == UserDefined) {
            std::string text;
            appendWithoutSpaceSigns(m_texts[i], text);
            m_texts[i] = std::move(text);
        }
    }
}

int64_t TokenList::find(const std::string& text) const
{
    const auto found = m_ids.find(text);
    return found == m_ids.end() ? -1 : static_cast<int64_t>(found->second);
}

void TokenList::write(MetadataWriter& metadata) const
{
    metadata.addStrings("tokenizer.ggml.tokens", m_texts);
    metadata.addIntegers("tokenizer.ggml.token_type", m_kinds);
    metadata.addFloats("tokenizer.ggml.scores", m_scores);
    metadata.addIntegers("kvasir.tokenizer.strips_left", m_stripsLeft);
    metadata.addIntegers("kvasir.tokenizer.strips_right", m_stripsRight);
}

TokenList::Kind kindOfText(const std::string& text)
{
    const bool isByte = text.size() == 6 && text.starts_with("<0x") && text[5] == '>'
        && text.find_first_not_of("0123456789ABCDEFabcdef", 3) == 5;
    return isByte ? TokenList::Byte : TokenList::Normal;
}

Failure brokenTokenizer(const std::string& what)
{
    return fail(
        ErrorCode::BadTokenizer, "the model's tokenizer is broken: " + what + "; download it again", {{"what", what}});
}

} // namespace kvasir
