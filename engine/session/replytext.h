#pragma once

#include "text/detokenizer.h"
#include "text/replysplitter.h"
#include "text/stopmatcher.h"

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace kvasir {

class Tokenizer;

/// The way of a reply from token ids to text: whole characters, up to a stop string, taken apart into its parts.
/// For one thread at a time.
class ReplyText {
public:
    /// `format` null: all of it is answer. `prompt` is what the reply continues. Tokenizer and format outlive this.
    ReplyText(const Tokenizer& tokenizer, std::vector<std::string> stopStrings, const ReplyFormat* format,
        const std::vector<TokenId>& prompt, bool offersTools);

    struct Step {
        std::string text;               ///< what can be shown now, as the tokens say it
        std::vector<ReplyPiece> pieces; ///< the same taken apart, a little later where a mark may begin
    };

    Step push(TokenId token);
    /// The end of the reply: nothing is held back any more.
    Step finish();

    bool stopped() const { return m_matcher.stopped(); }
    ReplyPart part() const { return m_splitter ? m_splitter->part() : ReplyPart::Answer; }

private:
    /// A mark among the text that has not been released yet.
    struct Mark {
        TokenId token = kNoToken;
        size_t begin = 0; ///< in bytes of the whole text
        size_t end = 0;
    };

    std::vector<ReplyPiece> split(const std::string& text);

    const Tokenizer& m_tokenizer;
    const ReplyFormat* m_format;
    Detokenizer m_detokenizer;
    StopMatcher m_matcher;
    std::optional<ReplySplitter> m_splitter;
    std::deque<Mark> m_marks;
    size_t m_written = 0;   ///< bytes that came out of the detokenizer
    size_t m_split = 0;     ///< bytes that the splitter has
    std::string m_released; ///< came out of the stop matcher, but the splitter does not have it yet
    bool m_begun = false;
};

} // namespace kvasir
