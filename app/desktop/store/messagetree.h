#pragma once

#include "store/conversation.h"

#include <QHash>

namespace kvasir {

/// The branches of one conversation. Editing a message or asking again adds a sibling; nothing is overwritten.
/// A leaf names the branch that is shown: the way from it up to the root.
class MessageTree {
public:
    MessageTree() = default;
    /// Messages whose parent is missing become roots, so that a damaged conversation still shows what is there.
    MessageTree(QList<Message> messages, MessageId leaf);

    bool isEmpty() const { return m_messages.isEmpty(); }
    bool contains(MessageId id) const { return m_messages.contains(id); }
    const Message& message(MessageId id) const;
    Message& message(MessageId id);
    void add(const Message& message); ///< and shows it as the leaf
    void remove(MessageId id);        ///< a message without answers; the leaf goes to its parent

    MessageId leaf() const { return m_leaf; }
    void setLeaf(MessageId leaf);
    /// From the first message to the leaf.
    QList<MessageId> branch() const { return branchTo(m_leaf); }
    QList<MessageId> branchTo(MessageId id) const;
    /// The message and its alternatives, oldest first.
    QList<MessageId> siblings(MessageId id) const;
    /// Where the branch through `id` ends, taking the newest answer at every fork.
    MessageId newestLeafBelow(MessageId id) const;

private:
    QHash<MessageId, Message> m_messages;
    QHash<MessageId, QList<MessageId>> m_children; ///< ascending; of 0: the roots
    MessageId m_leaf = 0;
};

} // namespace kvasir
