#pragma once

#include "base/types.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace kvasir {

/// The tokens that are found in a text as they are written, before anything else: a trie over bytes.
class SpecialTokens {
public:
    SpecialTokens();

    /// Empty texts are ignored; of equal texts the first is kept.
    void add(std::string_view text, TokenId token);

    struct Match {
        TokenId token = kNoToken;
        size_t length = 0;
    };

    /// The longest token that begins at `position` and for which `accept(token, length)` holds.
    template <class Accept> Match longestAt(std::string_view text, size_t position, Accept&& accept) const
    {
        Match best;
        uint32_t node = m_roots[static_cast<unsigned char>(text[position])];
        for (size_t length = 1; node != 0; ++length) {
            const TokenId token = m_nodes[node].token;
            if (token != kNoToken && accept(token, length)) {
                best = {token, length};
            }
            if (position + length >= text.size()) {
                break;
            }
            node = child(node, static_cast<unsigned char>(text[position + length]));
        }
        return best;
    }

private:
    struct Node {
        TokenId token = kNoToken;
        uint32_t firstChild = 0; ///< 0: none
        uint32_t nextSibling = 0;
        unsigned char byte = 0;
    };

    uint32_t child(uint32_t node, unsigned char byte) const;

    std::array<uint32_t, 256> m_roots{}; ///< most bytes begin no special token: one look is enough
    std::vector<Node> m_nodes;           ///< node 0 is not used
};

} // namespace kvasir
