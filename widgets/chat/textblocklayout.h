#pragma once

#include "chat/blocklayout.h"

namespace kvasir {

/// A paragraph or a heading.
class TextBlockLayout : public BlockLayout {
public:
    TextBlockLayout(const MarkdownBlock& block, const ChatStyle& style);

protected:
    bool takeOver(const MarkdownBlock& next, qreal* changedFrom) override;
    void place() override;

private:
    void makeText(const RichText& text);

    QFont m_font;
    qreal m_pitch;
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
