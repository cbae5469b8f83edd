#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kvasir {

/// Finds stop strings in a streamed text, wherever the stream is cut. A tail that may become a stop string is held back
/// until it is decided. For one thread at a time.
class StopMatcher {
public:
    /// Empty strings are ignored.
    explicit StopMatcher(std::vector<std::string> stops);

    /// Text that is safe to show. After a stop it ends right before the stop string, which itself is never given out.
    /// Where several would match, the one that is complete first wins, so that the result depends on no split.
    std::string push(std::string_view text);
    /// The end of the stream: what was held back is ordinary text.
    std::string flush();

    bool stopped() const { return m_stopped; }
    /// The string that ended the text; empty before.
    const std::string& matched() const { return m_matched; }

private:
    size_t heldLength() const;

    std::vector<std::string> m_stops;
    std::string m_held;
    std::string m_matched;
    bool m_stopped = false;
};

} // namespace kvasir
