#pragma once

#include "chat/markdown.h"

namespace kvasir {

/// Markdown that grows at its end. What stands before the last blank line that cannot change any more is parsed once;
/// only the tail is parsed again. At every moment blocks() equals parseMarkdown() of all that is shown.
class MarkdownStream {
public:
    /// Replaces everything. A literal stream is parsed by parseLiteral().
    void reset(const QString& source, bool isLiteral);
    void append(QStringView more) { m_source += more; }

    const QString& source() const { return m_source; }
    const QList<MarkdownBlock>& blocks() const { return m_blocks; }

    /// Parses what was appended; returns the index of the first block that differs. While `isOpen`, more will
    /// follow, and half a marker at the end is held back.
    int update(bool isOpen);

    /// What update(true) shows of a text: all but a last line that could still become a list, a heading, a table.
    static QStringView settled(QStringView source);

private:
    void tryFreeze(QStringView tail, const QList<MarkdownBlock>& parsed);

    QString m_source;
    QList<MarkdownBlock> m_blocks;
    bool m_isLiteral = false;
    bool m_hasDefinitions = false; // [name]: url changes text before it, so nothing may be frozen
    qsizetype m_frozenChars = 0;
    qsizetype m_frozenBlocks = 0;
    qsizetype m_triedUpTo = 0; // no place up to here can be frozen
};

} // namespace kvasir
