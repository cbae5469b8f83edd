#pragma once

#include <QColor>
#include <QEvent>

class QPalette;

namespace kvasir {

/// What a coloured mark stands for; one meaning has one colour in every view of the program.
enum class Meaning { Prefill, Decode, Kv, Weights, Activations, Other, Limit, Draft };
inline constexpr int kMeaningCount = 8;

/// WCAG contrast ratio of two opaque colours, 1 to 21.
double contrastRatio(const QColor& a, const QColor& b);

/// `color` moved towards black or white, hue kept, until it reaches `ratio` against `background`.
QColor withContrast(const QColor& color, const QColor& background, double ratio);

/// The colours of the program, in a light and a dark set. A widget reads Theme::current() while it paints, or in
/// changeEvent() where isThemeChange(event) holds; there are no signals. GUI thread only.
class Theme {
public:
    enum class Mode { System, Light, Dark };

    static const Theme& current();
    static const Theme& light();
    static const Theme& dark();

    /// Sets palette, style sheet and fonts of the QApplication; System follows the desktop's palette. Call once at
    /// the start and whenever the user chooses.
    static void setMode(Mode mode);
    static Mode mode();

    /// Does this changeEvent() mean that colours or fonts must be read again?
    static bool isThemeChange(const QEvent* event)
    {
        return event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange
            || event->type() == QEvent::FontChange;
    }

    bool isDark = false;
    QColor background; // of the chat
    QColor panel;      // of side bars and docks
    QColor field;      // of inputs and buttons
    QColor hairline;
    QColor text;
    QColor muted;    // secondary text, still 4.5:1
    QColor accent;   // the one accent: links, focus, chosen buttons
    QColor onAccent; // text on accent
    QColor userTint; // box of a user's message, chosen rows
    QColor hover;
    QColor codeBackground;
    QColor selection; // behind selected text, which keeps its colour
    QColor found;     // behind a search hit
    QColor foundCurrent;

    // Highlighted code on codeBackground.
    QColor codeKeyword;
    QColor codeString;
    QColor codeNumber;
    QColor codeComment;
    QColor codeFunction;

    /// Fill of a mark. Some are too pale for 3:1 on white by themselves: draw edge() around them or label them.
    QColor color(Meaning meaning) const;
    /// The fill for "reserved" beside "used": the same hue at 30 %.
    QColor reserved(Meaning meaning) const;
    /// A line or outline of that meaning, at least 3:1 on background and panel.
    QColor edge(Meaning meaning) const;
    /// Text in that meaning's hue, at least 4.5:1 on background and panel.
    QColor textColor(Meaning meaning) const;
    /// Text written on a fill of color(meaning), at least 4.5:1.
    QColor onColor(Meaning meaning) const;

    QPalette palette() const;
    QString styleSheet() const;

private:
    struct MeaningColors {
        QColor fill, edge, text, on;
    };

    explicit Theme(bool darkSet);

    MeaningColors m_meanings[kMeaningCount];
};

} // namespace kvasir
