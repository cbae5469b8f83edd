#pragma once

#include <QList>
#include <QString>

namespace kvasir {

/// One figure of a message's footer. `widest` is the longest text it can become ("00,000 tokens"): its width is
/// reserved so that nothing beside it moves while the figure changes. Empty: no reservation.
struct FooterPart {
    QString text;
    QString tooltip;
    QString widest;

    bool operator==(const FooterPart&) const = default;
};

/// What the chat view shows of a message; plain values, nothing of the engine.
struct ChatMessage {
    enum class Role { User, Assistant, System };
    enum class State { Done, Streaming, Interrupted, Error };

    qint64 id = 0; // unique in the view
    Role role = Role::Assistant;
    State state = State::Done;
    QString header;         // "You", "SmolLM2 · INT8"
    QString text;           // Markdown for the assistant, literal text (with code fences) for the others
    QString reasoning;      // Markdown; what the model wrote for itself, folded until somebody opens it
    QString reasoningLabel; // "Thought for 3.2 s · 214 tokens"
    QList<FooterPart> footer;
    QString notice;      // Interrupted, Error: what happened, why, what to do
    QString actionLabel; // button beside the notice; empty: none
    int branch = 1;      // which of branchCount variants is shown, from 1
    int branchCount = 1;
    bool canEdit = false;
    bool canRegenerate = false;
};

} // namespace kvasir
