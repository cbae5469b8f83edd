#include "text/spacesign.h"

namespace kvasir {

std::string withSpaceSigns(std::string_view text)
{
    std::string result;
    result.reserve(text.size() + text.size() / 2);
    for (const char c : text) {
        if (c == ' ') {
            result += kSpaceSign;
        } else {
            result.push_back(c);
        }
    }
    return result;
}

void appendWithoutSpaceSigns(std::string_view text, std::string& result)
{
    while (!text.empty()) {
        const size_t sign = text.find(kSpaceSign);
        result += text.substr(0, sign);
        if (sign == std::string_view::npos) {
            return;
        }
        result.push_back(' ');
        text.remove_prefix(sign + kSpaceSign.size());
    }
}

void addSpaceBinders(std::string_view token, std::bitset<256>& binders)
{
    bool previousIsSpace = true;
    for (size_t position = 0; position < token.size();) {
        const bool isSpace = isSpaceAt(token, position);
        if (isSpace && !previousIsSpace) {
            binders.set(static_cast<unsigned char>(token[position - 1]));
        }
        previousIsSpace = isSpace;
        position += isSpace && token[position] != ' ' ? kSpaceSign.size() : 1;
    }
}

} // namespace kvasir
