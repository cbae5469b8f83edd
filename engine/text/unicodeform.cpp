#include "text/unicodeform.h"

#include "base/utf8.h"

#include <algorithm>
#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>

namespace kvasir {

namespace {

/// Where the valid UTF-8 that begins at `begin` ends.
size_t validEnd(std::string_view text, size_t begin)
{
    while (begin < text.size()) {
        const Utf8Step step = readUtf8(text, begin);
        if (step.state != Utf8State::Whole) {
            break;
        }
        begin += step.length;
    }
    return begin;
}

} // namespace

UnicodeForm UnicodeForm::find(std::string_view name)
{
    UErrorCode error = U_ZERO_ERROR;
    const icu::Normalizer2* form = nullptr;
    if (name == "nfc") {
        form = icu::Normalizer2::getNFCInstance(error);
    } else if (name == "nfd") {
        form = icu::Normalizer2::getNFDInstance(error);
    } else if (name == "nfkc") {
        form = icu::Normalizer2::getNFKCInstance(error);
    } else if (name == "nfkd") {
        form = icu::Normalizer2::getNFKDInstance(error);
    }
    UnicodeForm result;
    result.m_form = U_SUCCESS(error) ? form : nullptr;
    return result;
}

std::string_view UnicodeForm::apply(std::string_view text, std::string& memory) const
{
    const bool ascii = std::all_of(text.begin(), text.end(), [](char c) { return static_cast<signed char>(c) >= 0; });
    if (!m_form || ascii) {
        return text;
    }
    const auto& form = *static_cast<const icu::Normalizer2*>(m_form);
    memory.clear();
    for (size_t begin = 0; begin < text.size();) {
        const size_t end = validEnd(text, begin);
        UErrorCode error = U_ZERO_ERROR;
        std::string part;
        icu::StringByteSink<std::string> sink(&part);
        // Texts are shorter than 2 GiB: they come from a message or a template.
        form.normalizeUTF8(
            0, icu::StringPiece(text.data() + begin, static_cast<int32_t>(end - begin)), sink, nullptr, error);
        memory += U_SUCCESS(error) ? std::string_view(part) : text.substr(begin, end - begin);
        const size_t broken = end < text.size() ? readUtf8(text, end).length : 0;
        memory += text.substr(end, broken);
        begin = end + broken;
    }
    return memory;
}

} // namespace kvasir
