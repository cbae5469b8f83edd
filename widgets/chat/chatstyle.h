#pragma once

#include <QFont>
#include <QFontMetricsF>

namespace kvasir {

class Theme;
struct MarkdownBlock;

/// Fonts and distances of the chat in pixels, taken from theme and font settings at one moment. Layouts keep a pointer
/// to it; after a theme change a new one is made and everything visible is laid out again.
struct ChatStyle {
    ChatStyle();

    QFont headingFont(int level) const;

    const Theme& theme;
    QFont textFont, codeFont, smallFont, labelFont;
    qreal linePitch, codePitch, smallPitch;
    qreal unit;        // 4 pixels at scale 1
    qreal columnWidth; // widest line of the chat
    qreal listIndent, quoteIndent;
    qreal codePadding, codeHeader; // of a code block: around its lines, and its first row
    qreal cellPaddingX, cellPaddingY;
};

/// Blank space between two blocks of a message.
qreal spaceBetween(const MarkdownBlock& above, const MarkdownBlock& below, const ChatStyle& style);

} // namespace kvasir
