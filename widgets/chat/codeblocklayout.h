#pragma once

#include "chat/blocklayout.h"

#include <QCoreApplication>

namespace kvasir {

struct CodeLanguage;

/// Code on its own ground, with its language, a copy button and colours. Lines keep their breaks; long ones scroll.
class CodeBlockLayout : public BlockLayout {
    Q_DECLARE_TR_FUNCTIONS(CodeBlockLayout)

public:
    CodeBlockLayout(const MarkdownBlock& block, const ChatStyle& style);

    QRectF copyButton() const override;

protected:
    bool takeOver(const MarkdownBlock& next, qreal* changedFrom) override;
    void place() override;
    void paintBehind(QPainter& painter, const BlockPaint& state) const override;
    QRectF viewport() const override;

private:
    QString label() const;
    void addLines(const QStringList& lines, qsizetype from);

    const CodeLanguage* m_language;
    std::vector<int> m_states;         // the highlighter's, after each line
    std::vector<size_t> m_firstPieces; // of each line: over-long lines have several pieces
};

} // namespace kvasir
