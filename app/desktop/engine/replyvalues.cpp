#include "engine/replyvalues.h"

namespace kvasir {

void ReplyDelta::append(const ReplyDelta& later)
{
    pieces += later.pieces;
    tokens += later.tokens;
    marks += later.marks;
    if (later.prefill) {
        prefill = later.prefill;
    }
    phases = later.phases;
    memory = later.memory;
    system = later.system;
    age = later.age;
}

void addPieces(Message& message, const QList<TextPiece>& pieces)
{
    // Stretches of one part are paragraphs.
    const auto add = [](QString& whole, const TextPiece& piece) {
        whole +=
            piece.begins && !whole.isEmpty() && !piece.text.isEmpty() ? QLatin1String("\n\n") + piece.text : piece.text;
    };
    for (const TextPiece& piece : pieces) {
        switch (piece.part) {
        case ReplyPart::Answer:
            add(message.text, piece);
            break;
        case ReplyPart::Reasoning:
            add(message.reasoning, piece);
            break;
        case ReplyPart::ToolCall:
            if (piece.begins || message.calls.isEmpty()) {
                message.calls.append({piece.tool, {}, static_cast<int>(message.text.size())});
            }
            message.calls.last().text += piece.text;
            break;
        }
    }
}

} // namespace kvasir
