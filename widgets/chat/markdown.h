#pragma once

#include <QList>
#include <QString>
#include <QStringList>
#include <QStringView>

namespace kvasir {

/// A stretch of RichText with one look. Runs are in order and do not overlap; text outside of runs is plain.
struct TextRun {
    enum Style : quint8 { Bold = 1, Italic = 2, Strike = 4, Code = 8, Math = 16, Image = 32 };

    int start = 0;
    int length = 0;
    quint8 styles = 0;
    QString href; // links

    bool operator==(const TextRun&) const = default;
};

/// A paragraph's characters and looks; U+2028 breaks a line inside it.
struct RichText {
    QString text;
    QList<TextRun> runs;

    bool operator==(const RichText&) const = default;
};

/// The characters from..to with their runs.
RichText sliced(const RichText& text, int from, int to);

/// A quote or a list item around a block.
struct MarkdownContainer {
    enum class Kind { Quote, Item };

    Kind kind = Kind::Quote;
    QString marker;       // "•", "3.", "☐", "☑": drawn where isFirst
    bool isFirst = false; // this block opens the item
    bool isTight = false; // item of a list without blank lines

    bool operator==(const MarkdownContainer&) const = default;
};

/// A code block whose language is this, or this with ":name" behind it, is shown as the call of a tool.
inline constexpr char kToolCallFence[] = "tool-call";

/// One leaf of the document in reading order.
struct MarkdownBlock {
    enum class Kind { Paragraph, Heading, Code, Table, Rule };
    enum class Align { Start, Center, End };

    Kind kind = Kind::Paragraph;
    int level = 0;                       // Heading: 1 to 6
    bool joinsPrevious = false;          // Paragraph: the rest of an over-long one
    QList<MarkdownContainer> containers; // outermost first
    RichText text;                       // Paragraph, Heading
    QString language;                    // Code: first word of the info string
    QStringList lines;                   // Code
    QList<Align> columns;                // Table
    QList<QList<RichText>> rows;         // Table: header first, each as long as columns

    bool operator==(const MarkdownBlock&) const = default;
};

/// Parses GitHub's dialect of CommonMark with $math$; raw HTML stays text, images become their alt text, and nothing
/// is ever loaded. Any input gives a result, in time linear in its length for all inputs known to us.
QList<MarkdownBlock> parseMarkdown(QStringView source);

/// What a person typed: every line as it stands, only code fences are recognised.
QList<MarkdownBlock> parseLiteral(QStringView source);

/// The block's characters as selection and search see them: lines end with '\n', table cells with '\t'.
QString plainText(const MarkdownBlock& block);

/// Writes blocks as Markdown that parses to the same blocks.
QString toMarkdown(const QList<MarkdownBlock>& blocks);

} // namespace kvasir
