#pragma once

#include <QList>
#include <QString>
#include <QStringList>
#include <QStringView>

namespace kvasir {

/// What the highlighter must know of a language; see codelanguages.cpp for the table.
struct CodeLanguage {
    struct Quote {
        QString open;
        QString close;
        bool spansLines = false;
        bool hasEscapes = true; // a backslash hides the closing quote
    };

    QStringList names;    // as they stand after ```
    QStringList keywords; // sorted
    QStringList lineComments;
    QString commentOpen, commentClose; // spans lines
    QList<Quote> quotes;
    bool ignoresCase = false;
    bool isMarkup = false;   // tags and attributes instead of words
    bool colorsKeys = false; // a string before ':' is a key
};

struct CodeSpan {
    enum class Kind { Keyword, String, Number, Comment, Function };

    int start = 0;
    int length = 0;
    Kind kind = Kind::Keyword;

    bool operator==(const CodeSpan&) const = default;
};

/// nullptr for an unknown name: such code stays plain.
const CodeLanguage* findCodeLanguage(const QString& name);

/// Colours one line. `state` is what the line before returned (0 for the first): which comment or quote is still
/// open. Spans are in order and do not overlap.
int highlightLine(const CodeLanguage& language, QStringView line, int state, QList<CodeSpan>& spans);

} // namespace kvasir
