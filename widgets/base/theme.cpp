#include "base/theme.h"

#include "base/fonts.h"

#include <QApplication>
#include <QPalette>
#include <QStyle>
#include <QStyleFactory>

#include <cmath>

namespace kvasir {

namespace {

double channelLuminance(double c)
{
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

// WCAG 2.1 relative luminance.
double luminance(const QColor& c)
{
    return 0.2126 * channelLuminance(c.redF()) + 0.7152 * channelLuminance(c.greenF())
        + 0.0722 * channelLuminance(c.blueF());
}

// The worst case of both surfaces that marks and texts lie on.
QColor readableOnBoth(const QColor& color, const QColor& a, const QColor& b, double ratio)
{
    return withContrast(withContrast(color, a, ratio), b, ratio);
}

struct State {
    Theme::Mode mode = Theme::Mode::Light;
    bool dark = false;
};

State& state()
{
    static State s;
    return s;
}

bool desktopIsDark()
{
    // Only a reset palette shows the desktop's own colours again.
    QApplication::setPalette(QPalette());
    return luminance(QGuiApplication::palette().color(QPalette::Window)) < 0.2;
}

// Re-reads the desktop's palette when it changes under us.
class ThemeWatcher : public QObject {
public:
    using QObject::QObject;

    bool eventFilter(QObject* object, QEvent* event) override
    {
        if (event->type() == QEvent::ThemeChange && state().mode == Theme::Mode::System)
            QMetaObject::invokeMethod(
                this, [] { Theme::setMode(Theme::Mode::System); }, Qt::QueuedConnection);
        return QObject::eventFilter(object, event);
    }
};

} // namespace

double contrastRatio(const QColor& a, const QColor& b)
{
    double la = luminance(a), lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

QColor withContrast(const QColor& color, const QColor& background, double ratio)
{
    const bool darken = luminance(background) > 0.18;
    QColor result = color;
    for (int step = 0; step < 100 && contrastRatio(result, background) < ratio; ++step) {
        float h, s, l;
        result.getHslF(&h, &s, &l);
        result = QColor::fromHslF(std::max(h, 0.f), s, darken ? std::max(0.f, l - 0.01f) : std::min(1.f, l + 0.01f));
    }
    return result;
}

Theme::Theme(bool darkSet)
    : isDark(darkSet)
{
    if (isDark) {
        background = 0x15181c;
        panel = 0x1b1f24;
        field = 0x20252b;
        hairline = 0x2a3037;
        text = 0xe6e9ed;
        muted = 0x98a2ad;
        accent = 0x5aa9e6;
        onAccent = 0x0b1622;
        userTint = 0x263340;
        hover = 0x2a3037;
        codeBackground = 0x1e2329;
        selection = 0x2b5580;
        found = 0x5c4a12;
        foundCurrent = 0x8a5a00;
        codeKeyword = 0x7cb7ff;
        codeString = 0x8fd19e;
        codeNumber = 0xf0a878;
        codeComment = 0x98a2ad;
        codeFunction = 0xd7a6e8;
    } else {
        background = 0xffffff;
        panel = 0xf6f7f9;
        field = 0xffffff;
        hairline = 0xdfe3e8;
        text = 0x1c2126;
        muted = 0x5d6772;
        accent = 0x0b6bcb;
        onAccent = 0xffffff;
        userTint = 0xe8f1fb;
        hover = 0xeef1f4;
        codeBackground = 0xf4f6f8;
        selection = 0xb9d8f8;
        found = 0xffe9a8;
        foundCurrent = 0xffc04d;
        codeKeyword = 0x0a4fa3;
        codeString = 0x1a6b34;
        codeNumber = 0x9a3f00;
        codeComment = 0x5d6772;
        codeFunction = 0x77308f;
    }
    // Okabe and Ito's palette: distinguishable with every common colour vision deficiency.
    const QColor fills[kMeaningCount] = {
        0xe69f00, isDark ? 0x3d9be0 : 0x0072b2, 0x009e73, 0x56b4e9, 0xcc79a7, 0x9aa3ad, 0xd55e00, 0xf0e442};
    const QColor ink = 0x10151a, paper = 0xffffff;
    for (int i = 0; i < kMeaningCount; ++i) {
        MeaningColors& m = m_meanings[i];
        m.fill = fills[i];
        m.edge = readableOnBoth(m.fill, background, panel, 3.0);
        m.text = readableOnBoth(m.fill, background, panel, 4.5);
        m.on = contrastRatio(paper, m.fill) >= 4.5 ? paper : ink;
    }
}

const Theme& Theme::light()
{
    static const Theme theme(false);
    return theme;
}

const Theme& Theme::dark()
{
    static const Theme theme(true);
    return theme;
}

const Theme& Theme::current()
{
    return state().dark ? dark() : light();
}

Theme::Mode Theme::mode()
{
    return state().mode;
}

void Theme::setMode(Mode mode)
{
    if (!qApp->findChild<QObject*>(QStringLiteral("kvasirThemeWatcher"), Qt::FindDirectChildrenOnly)) {
        auto* watcher = new ThemeWatcher(qApp);
        watcher->setObjectName(QStringLiteral("kvasirThemeWatcher"));
        qApp->installEventFilter(watcher);
    }
    if (QApplication::style()->name().compare(QLatin1String("fusion"), Qt::CaseInsensitive) != 0
        && qApp->styleSheet().isEmpty())
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    state().mode = mode;
    state().dark = mode == Mode::Dark || (mode == Mode::System && desktopIsDark());
    const Theme& theme = current();
    QApplication::setFont(Fonts::font(Fonts::Role::Interface));
    QApplication::setPalette(theme.palette());
    qApp->setStyleSheet(theme.styleSheet());
}

QColor Theme::color(Meaning meaning) const
{
    return m_meanings[int(meaning)].fill;
}

QColor Theme::reserved(Meaning meaning) const
{
    QColor c = color(meaning);
    c.setAlphaF(0.30f);
    return c;
}

QColor Theme::edge(Meaning meaning) const
{
    return m_meanings[int(meaning)].edge;
}

QColor Theme::textColor(Meaning meaning) const
{
    return m_meanings[int(meaning)].text;
}

QColor Theme::onColor(Meaning meaning) const
{
    return m_meanings[int(meaning)].on;
}

QPalette Theme::palette() const
{
    QPalette p;
    p.setColor(QPalette::Window, panel);
    p.setColor(QPalette::WindowText, text);
    p.setColor(QPalette::Base, background);
    p.setColor(QPalette::AlternateBase, panel);
    p.setColor(QPalette::Text, text);
    p.setColor(QPalette::PlaceholderText, muted);
    p.setColor(QPalette::Button, field);
    p.setColor(QPalette::ButtonText, text);
    p.setColor(QPalette::BrightText, textColor(Meaning::Limit));
    p.setColor(QPalette::Highlight, accent);
    p.setColor(QPalette::HighlightedText, onAccent);
    p.setColor(QPalette::Link, accent);
    p.setColor(QPalette::LinkVisited, accent);
    p.setColor(QPalette::ToolTipBase, field);
    p.setColor(QPalette::ToolTipText, text);
    p.setColor(QPalette::Light, field.lighter(110));
    p.setColor(QPalette::Midlight, hairline);
    p.setColor(QPalette::Mid, hairline);
    p.setColor(QPalette::Dark, hairline.darker(isDark ? 80 : 120));
    p.setColor(QPalette::Shadow, isDark ? QColor(0x0a0c0e) : hairline.darker(140));
    for (auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, muted);
    p.setColor(QPalette::Disabled, QPalette::Highlight, hairline);
    p.setColor(QPalette::Disabled, QPalette::HighlightedText, muted);
    return p;
}

QString Theme::styleSheet() const
{
    return QStringLiteral("QToolTip { color: %1; background: %2; border: 1px solid %3; padding: 4px; }"
                          "QScrollBar:vertical { background: transparent; width: 12px; margin: 0; }"
                          "QScrollBar:horizontal { background: transparent; height: 12px; margin: 0; }"
                          "QScrollBar::handle { background: %4; border-radius: 3px; margin: 3px; }"
                          "QScrollBar::handle:vertical { min-height: 32px; }"
                          "QScrollBar::handle:horizontal { min-width: 32px; }"
                          "QScrollBar::handle:hover { background: %5; }"
                          "QScrollBar::handle:disabled { background: transparent; }"
                          "QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }"
                          "QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }"
                          "QMainWindow::separator { background: %3; width: 1px; height: 1px; }")
        .arg(text.name(), field.name(), hairline.name(), withContrast(hairline, background, 1.8).name(),
            withContrast(hairline, background, 3.0).name());
}

} // namespace kvasir
