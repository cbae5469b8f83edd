#pragma once

#include <string>
#include <string_view>

namespace kvasir {

/// One of Unicode's normalization forms. Any thread may use it.
class UnicodeForm {
public:
    UnicodeForm() = default; ///< none: every text stays as it is
    /// "nfc", "nfd", "nfkc", "nfkd"; none for any other name.
    static UnicodeForm find(std::string_view name);

    explicit operator bool() const { return m_form != nullptr; }
    /// The text in this form: itself, or made in `memory`. Bytes that are not UTF-8 stay as they are.
    std::string_view apply(std::string_view text, std::string& memory) const;

private:
    const void* m_form = nullptr; ///< ICU's, which live as long as the program
};

} // namespace kvasir
