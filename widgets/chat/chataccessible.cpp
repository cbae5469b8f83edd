#include "chat/chataccessible.h"

#include "chat/chatview.h"

#include <QAccessible>
#include <QAccessibleWidget>

#include <algorithm>
#include <map>

namespace kvasir {

namespace {

// One message, by its place in the view. Its text can be read in parts, its reasoning be opened and folded.
class MessageAccessible : public QAccessibleInterface,
                          public QAccessibleTextInterface,
                          public QAccessibleActionInterface {
public:
    MessageAccessible(ChatView* view, int index)
        : m_view(view)
        , m_index(index)
    {
    }

    bool isValid() const override { return m_view && m_index < m_view->messageCount(); }
    QObject* object() const override { return nullptr; }
    QWindow* window() const override { return m_view->window()->windowHandle(); }
    QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(m_view); }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QAccessible::Role role() const override { return QAccessible::ListItem; }
    void setText(QAccessible::Text, const QString&) override { }

    void* interface_cast(QAccessible::InterfaceType type) override
    {
        if (type == QAccessible::TextInterface)
            return static_cast<QAccessibleTextInterface*>(this);
        if (type == QAccessible::ActionInterface)
            return static_cast<QAccessibleActionInterface*>(this);
        return nullptr;
    }

    QRect rect() const override
    {
        const QRect own = m_view->messageRect(m_index);
        return {m_view->viewport()->mapToGlobal(own.topLeft()), own.size()};
    }

    QString text(QAccessible::Text kind) const override
    {
        if (!isValid())
            return {};
        switch (kind) {
        case QAccessible::Name:
            return m_view->spokenText(m_index);
        case QAccessible::Description: {
            QStringList parts;
            for (const FooterPart& part : m_view->messageAt(m_index).footer)
                parts << part.text;
            return parts.join(QStringLiteral(", "));
        }
        default:
            return {};
        }
    }

    QAccessible::State state() const override
    {
        QAccessible::State state;
        state.focusable = true;
        state.readOnly = true;
        state.multiLine = true;
        state.focused = m_view->hasFocus() && m_view->focusedMessage() == m_index;
        const QRect visible = m_view->messageRect(m_index).intersected(m_view->viewport()->rect());
        state.offscreen = visible.isEmpty();
        state.expandable = hasReasoning();
        state.expanded = hasReasoning() && isOpen();
        state.collapsed = hasReasoning() && !isOpen();
        state.busy = isValid() && m_view->messageAt(m_index).state == ChatMessage::State::Streaming;
        return state;
    }

    // QAccessibleActionInterface
    QStringList actionNames() const override { return hasReasoning() ? QStringList{toggleAction()} : QStringList(); }
    void doAction(const QString& name) override
    {
        if (name == toggleAction() && hasReasoning())
            m_view->setReasoningOpen(m_view->messageAt(m_index).id, !isOpen());
    }
    QStringList keyBindingsForAction(const QString& name) const override
    {
        return name == toggleAction() ? QStringList{QStringLiteral("Return")} : QStringList();
    }

    // QAccessibleTextInterface: read only, without a cursor.
    int selectionCount() const override { return 0; }
    void selection(int, int* start, int* end) const override { *start = *end = 0; }
    void addSelection(int, int) override { }
    void removeSelection(int) override { }
    void setSelection(int, int, int) override { }
    int cursorPosition() const override { return 0; }
    void setCursorPosition(int) override { }
    QString text(int start, int end) const override
    {
        return text(QAccessible::Name).mid(start, std::max(0, end - start));
    }
    int characterCount() const override { return int(text(QAccessible::Name).size()); }
    QRect characterRect(int) const override { return rect(); }
    int offsetAtPoint(const QPoint&) const override { return 0; }
    void scrollToSubstring(int, int) override { m_view->scrollToMessage(m_view->messageAt(m_index).id); }
    QString attributes(int, int* start, int* end) const override
    {
        *start = 0;
        *end = characterCount();
        return {};
    }

private:
    bool hasReasoning() const { return isValid() && !m_view->messageAt(m_index).reasoning.isEmpty(); }
    bool isOpen() const { return m_view->isReasoningOpen(m_view->messageAt(m_index).id); }

    ChatView* m_view;
    int m_index;
};

class ChatViewAccessible : public QAccessibleWidget {
public:
    explicit ChatViewAccessible(ChatView* view)
        : QAccessibleWidget(view, QAccessible::List)
    {
    }

    ~ChatViewAccessible() override
    {
        for (const auto& [index, id] : m_children)
            QAccessible::deleteAccessibleInterface(id);
    }

    int childCount() const override { return view()->messageCount(); }

    QAccessibleInterface* child(int index) const override
    {
        if (index < 0 || index >= childCount())
            return nullptr;
        auto it = m_children.find(index);
        if (it == m_children.end()) {
            const QAccessible::Id id = QAccessible::registerAccessibleInterface(new MessageAccessible(view(), index));
            it = m_children.emplace(index, id).first;
        }
        return QAccessible::accessibleInterface(it->second);
    }

    int indexOfChild(const QAccessibleInterface* wanted) const override
    {
        for (const auto& [index, id] : m_children) {
            if (QAccessible::accessibleInterface(id) == wanted)
                return index;
        }
        return -1;
    }

    QAccessibleInterface* childAt(int x, int y) const override
    {
        const QPoint point = view()->viewport()->mapFromGlobal(QPoint(x, y));
        for (int i = 0; i < childCount(); ++i) {
            if (view()->messageRect(i).contains(point))
                return child(i);
        }
        return nullptr;
    }

    QAccessibleInterface* focusChild() const override
    {
        return view()->hasFocus() ? child(view()->focusedMessage()) : nullptr;
    }

    QString text(QAccessible::Text kind) const override
    {
        const QString own = QAccessibleWidget::text(kind);
        return kind == QAccessible::Name && own.isEmpty() ? ChatView::tr("Conversation") : own;
    }

private:
    ChatView* view() const { return static_cast<ChatView*>(widget()); }

    mutable std::map<int, QAccessible::Id> m_children;
};

} // namespace

void installChatAccessibility()
{
    static const bool once = [] {
        QAccessible::installFactory([](const QString&, QObject* object) -> QAccessibleInterface* {
            auto* view = qobject_cast<ChatView*>(object);
            return view ? new ChatViewAccessible(view) : nullptr;
        });
        return true;
    }();
    Q_UNUSED(once);
}

} // namespace kvasir
