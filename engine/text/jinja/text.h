#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kvasir::jinja {

/// A string that remembers which of its bytes the template wrote itself ("trusted") and which came in with the data.
/// Taking it apart and putting it together again keeps that for each byte.
class Text {
public:
    Text() = default;
    Text(std::string bytes, bool trusted)
        : m_bytes(std::move(bytes))
        , m_firstTrusted(trusted)
    {
    }

    const std::string& bytes() const { return m_bytes; }
    size_t size() const { return m_bytes.size(); }
    bool empty() const { return m_bytes.empty(); }
    bool trustedAt(size_t position) const;

    void append(std::string_view bytes, bool trusted);
    void append(const Text& other, size_t begin = 0, size_t end = SIZE_MAX);
    Text slice(size_t begin, size_t end) const;

    /// Calls `run(bytes, trusted)` for each stretch of equal trust.
    template <class Run> void forEachRun(Run&& run) const
    {
        size_t begin = 0;
        bool trusted = m_firstTrusted;
        for (const size_t flip : m_flips) {
            run(std::string_view(m_bytes).substr(begin, flip - begin), trusted);
            begin = flip;
            trusted = !trusted;
        }
        if (begin < m_bytes.size()) {
            run(std::string_view(m_bytes).substr(begin), trusted);
        }
    }

    /// Bytes of memory, for the books.
    size_t footprint() const { return m_bytes.size() + m_flips.size() * sizeof(size_t); }

private:
    std::string m_bytes;
    bool m_firstTrusted = true;
    std::vector<size_t> m_flips; ///< ascending positions inside the text where trust changes; empty for most texts
};

} // namespace kvasir::jinja
