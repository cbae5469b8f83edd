#include "text/specialtokens.h"

namespace kvasir {

SpecialTokens::SpecialTokens()
    : m_nodes(1)
{
}

void SpecialTokens::add(std::string_view text, TokenId token)
{
    if (text.empty()) {
        return;
    }
    const auto newNode = [&](unsigned char byte, uint32_t sibling) {
        m_nodes.push_back({kNoToken, 0, sibling, byte});
        return static_cast<uint32_t>(m_nodes.size() - 1);
    };
    uint32_t& root = m_roots[static_cast<unsigned char>(text[0])];
    if (root == 0) {
        root = newNode(static_cast<unsigned char>(text[0]), 0);
    }
    uint32_t node = root;
    for (const char c : text.substr(1)) {
        const auto byte = static_cast<unsigned char>(c);
        uint32_t next = child(node, byte);
        if (next == 0) {
            next = newNode(byte, m_nodes[node].firstChild);
            m_nodes[node].firstChild = next;
        }
        node = next;
    }
    if (m_nodes[node].token == kNoToken) {
        m_nodes[node].token = token;
    }
}

uint32_t SpecialTokens::child(uint32_t node, unsigned char byte) const
{
    uint32_t next = m_nodes[node].firstChild;
    while (next != 0 && m_nodes[next].byte != byte) {
        next = m_nodes[next].nextSibling;
    }
    return next;
}

} // namespace kvasir
