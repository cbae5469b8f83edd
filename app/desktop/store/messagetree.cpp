#include "store/messagetree.h"

#include <QtGlobal>

#include <algorithm>

namespace kvasir {

MessageTree::MessageTree(QList<Message> messages, MessageId leaf)
{
    // Ascending ids put a parent before its children and rule out cycles: a parent with a larger id is not one.
    std::sort(messages.begin(), messages.end(), [](const Message& a, const Message& b) { return a.id < b.id; });
    for (Message& message : messages) {
        if (message.id == 0 || m_messages.contains(message.id)) {
            continue;
        }
        if (!m_messages.contains(message.parent)) {
            message.parent = 0;
        }
        add(message);
    }
    if (contains(leaf)) {
        m_leaf = leaf;
    }
}

const Message& MessageTree::message(MessageId id) const
{
    const auto it = m_messages.constFind(id);
    Q_ASSERT(it != m_messages.constEnd());
    return *it;
}

Message& MessageTree::message(MessageId id)
{
    const auto it = m_messages.find(id);
    Q_ASSERT(it != m_messages.end());
    return *it;
}

void MessageTree::add(const Message& message)
{
    m_messages.insert(message.id, message);
    m_children[message.parent].append(message.id);
    m_leaf = message.id;
}

void MessageTree::remove(MessageId id)
{
    Q_ASSERT(m_children.value(id).isEmpty());
    const MessageId parent = message(id).parent;
    m_children[parent].removeOne(id);
    m_messages.remove(id);
    if (m_leaf == id) {
        m_leaf = parent;
    }
}

void MessageTree::setLeaf(MessageId leaf)
{
    Q_ASSERT(leaf == 0 || contains(leaf));
    m_leaf = leaf;
}

QList<MessageId> MessageTree::branchTo(MessageId id) const
{
    QList<MessageId> branch;
    for (; id != 0; id = message(id).parent) {
        branch.prepend(id);
    }
    return branch;
}

QList<MessageId> MessageTree::siblings(MessageId id) const
{
    return m_children.value(message(id).parent);
}

MessageId MessageTree::newestLeafBelow(MessageId id) const
{
    for (;;) {
        const QList<MessageId> children = m_children.value(id);
        if (children.isEmpty()) {
            return id;
        }
        id = children.last();
    }
}

} // namespace kvasir
