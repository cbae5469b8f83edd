#pragma once

#include "chat/blocklayout.h"

namespace kvasir {

/// A paragraph or a heading. While a paragraph grows, lines that can no longer change stay in pieces of their own,
/// so that a token costs the same in a long one.
class TextBlockLayout : public BlockLayout {
public:
    TextBlockLayout(const MarkdownBlock& block, const ChatStyle& style);

protected:
    bool takeOver(const MarkdownBlock& next, qreal* changedFrom) override;
    void place() override;

private:
    void makeText(const RichText& text, int from);

    QFont m_font;
    qreal m_pitch;
    qreal m_brokenWidth = -1; // the lines of all pieces but the last were broken at
};

/// A horizontal line.
class RuleBlockLayout : public BlockLayout {
public:
    RuleBlockLayout(const MarkdownBlock& block, const ChatStyle& style);

protected:
    bool takeOver(const MarkdownBlock& next, qreal* changedFrom) override;
    void place() override;
    void paintBehind(QPainter& painter, const BlockPaint& state) const override;
};

} // namespace kvasir
