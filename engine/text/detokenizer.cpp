#include "text/detokenizer.h"

#include "base/utf8.h"
#include "text/tokenizer.h"

namespace kvasir {

Detokenizer::Detokenizer(const Tokenizer& tokenizer, bool showSpecial)
    : m_tokenizer(tokenizer)
    , m_showSpecial(showSpecial)
{
}

std::string Detokenizer::push(TokenId token)
{
    m_held += m_tokenizer.piece(token, m_showSpecial);
    std::string whole;
    whole.reserve(m_held.size());
    size_t position = 0;
    while (position < m_held.size()) {
        const Utf8Step step = readUtf8(m_held, position);
        if (step.state == Utf8State::Incomplete) {
            break;
        }
        if (step.state == Utf8State::Whole) {
            whole.append(m_held, position, step.length);
        } else {
            whole += kReplacementCharacter;
        }
        position += step.length;
    }
    m_held.erase(0, position);
    return whole;
}

std::string Detokenizer::flush()
{
    std::string rest(m_held.empty() ? std::string_view() : kReplacementCharacter);
    m_held.clear();
    return rest;
}

} // namespace kvasir
