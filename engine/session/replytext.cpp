#include "session/replytext.h"

#include "text/tokenizer.h"

#include <algorithm>
#include <span>
#include <utility>

namespace kvasir {

namespace {

// The mark that a template opens a reply with is followed by white space at most.
constexpr size_t kTailTokens = 32;

ReplyStart startBehind(const Tokenizer& tokenizer, const ReplyFormat& format, std::span<const TokenId> prompt)
{
    const size_t count = std::min(prompt.size(), kTailTokens);
    return replyStartBehind(format, tokenizer.decode(prompt.last(count), true));
}

} // namespace

ReplyText::ReplyText(const Tokenizer& tokenizer, std::vector<std::string> stopStrings, const ReplyFormat* format,
    const std::vector<TokenId>& prompt, bool offersTools)
    : m_tokenizer(tokenizer)
    , m_format(format && !format->isPlain() ? format : nullptr)
    , m_detokenizer(tokenizer)
    , m_matcher(std::move(stopStrings))
{
    if (m_format) {
        m_splitter.emplace(*m_format, startBehind(tokenizer, *m_format, prompt), offersTools);
    }
}

ReplyText::Step ReplyText::push(TokenId token)
{
    std::string text;
    if (m_format && m_format->isMarker(token)) {
        text = m_detokenizer.flush(); // no character goes on behind a mark
        const size_t begin = m_written + text.size();
        const std::string visible = m_tokenizer.piece(token);
        m_marks.push_back({token, begin, begin + visible.size()});
        text += visible;
    } else {
        text = m_detokenizer.push(token);
    }
    m_written += text.size();
    Step step;
    step.text = m_matcher.push(text);
    step.pieces = split(step.text);
    return step;
}

ReplyText::Step ReplyText::finish()
{
    Step step;
    if (!m_matcher.stopped()) {
        step.text = m_matcher.push(m_detokenizer.flush());
        step.text += m_matcher.flush();
    }
    step.pieces = split(step.text);
    if (m_splitter) {
        m_splitter->addText(m_released); // a stop string cut through a mark
        m_released.clear();
        m_splitter->finish();
        const std::vector<ReplyPiece> rest = m_splitter->take();
        step.pieces.insert(step.pieces.end(), rest.begin(), rest.end());
    }
    return step;
}

/// Gives the splitter what has been released, with the marks at their places. The letters of a mark wait until all of
/// them are released.
std::vector<ReplyPiece> ReplyText::split(const std::string& text)
{
    if (!m_splitter) {
        return text.empty() ? std::vector<ReplyPiece>()
                            : std::vector<ReplyPiece>{{ReplyPart::Answer, !std::exchange(m_begun, true), {}, text}};
    }
    m_released += text;
    const auto take = [&](size_t count) {
        const std::string taken = m_released.substr(0, count);
        m_released.erase(0, count);
        m_split += count;
        return taken;
    };
    while (!m_marks.empty() && m_marks.front().end <= m_split + m_released.size()) {
        const Mark mark = m_marks.front();
        m_marks.pop_front();
        m_splitter->addText(take(mark.begin - m_split));
        m_splitter->addMarker(mark.token, take(mark.end - mark.begin));
    }
    const size_t next = m_marks.empty() ? m_released.size() : m_marks.front().begin - m_split;
    m_splitter->addText(take(std::min(next, m_released.size())));
    return m_splitter->take();
}

} // namespace kvasir
