#include "base/fonts.h"

#include <QFontDatabase>
#include <QFontMetrics>
#include <QGuiApplication>
#include <QScreen>

#include <algorithm>
#include <cmath>

namespace kvasir::Fonts {

namespace {

double g_scale = 1.0;

// A desktop that enlarges text does it through the logical DPI. Steps of 1/4 ignore the odd values of bare X servers.
double desktopScale()
{
    const QScreen* screen = QGuiApplication::primaryScreen();
    return screen ? std::max(1.0, std::round(screen->logicalDotsPerInch() / 96 * 4) / 4) : 1.0;
}

double designPixels(Role role)
{
    switch (role) {
    case Role::Chat:
        return 14;
    case Role::Code:
        return 13.5;
    case Role::Interface:
        return 13;
    case Role::Small:
        return 12;
    case Role::PlotLabel:
        return 11;
    }
    return 13;
}

QStringList installed(const QStringList& wanted)
{
    QStringList result;
    for (const QString& family : wanted) {
        if (QFontDatabase::hasFamily(family) && !result.contains(family))
            result << family;
    }
    return result;
}

// "Sans Serif" is what Qt reports where the desktop states no font; it names no face, and what it resolves to
// (often DejaVu) would draw emoji in black.
bool isGeneric(const QString& family)
{
    return family.isEmpty() || family.startsWith(QLatin1String("Sans"), Qt::CaseInsensitive)
        || family.startsWith(QLatin1String("Monospace"), Qt::CaseInsensitive);
}

} // namespace

QStringList families()
{
    static const QStringList list = [] {
        const QString system = QFontDatabase::systemFont(QFontDatabase::GeneralFont).family();
        QStringList wanted{"Noto Sans", "NanumGothic", "Noto Sans CJK KR", "Noto Color Emoji"};
        if (!isGeneric(system))
            wanted.prepend(system);
        QStringList found = installed(wanted);
        return found.isEmpty() ? QStringList{system} : found;
    }();
    return list;
}

QStringList codeFamilies()
{
    static const QStringList list = [] {
        const QString system = QFontDatabase::systemFont(QFontDatabase::FixedFont).family();
        QStringList wanted{"Noto Sans Mono", "DejaVu Sans Mono", "Liberation Mono", "NanumGothicCoding", "NanumGothic",
            "Noto Sans CJK KR", "Noto Color Emoji"};
        if (!isGeneric(system))
            wanted.prepend(system);
        QStringList found = installed(wanted);
        return found.isEmpty() ? QStringList{system} : found;
    }();
    return list;
}

QString emojiFamily()
{
    static const QString family = installed({"Noto Color Emoji"}).value(0);
    return family;
}

QFont font(Role role)
{
    QFont f;
    f.setFamilies(role == Role::Code ? codeFamilies() : families());
    if (role == Role::Code) {
        f.setStyleHint(QFont::Monospace);
        f.setFixedPitch(true);
    }
    f.setPixelSize(std::max(1, int(std::lround(designPixels(role) * g_scale * desktopScale()))));
    return f;
}

void setScale(double scale)
{
    g_scale = std::clamp(scale, 0.5, 3.0);
}

double scale()
{
    return g_scale;
}

int px(double length)
{
    return int(std::lround(length * g_scale * desktopScale()));
}

int reservedWidth(const QFont& font, const QString& widest)
{
    const QFontMetrics metrics(font);
    QChar widestDigit = QLatin1Char('0');
    for (char c = '1'; c <= '9'; ++c) {
        if (metrics.horizontalAdvance(QLatin1Char(c)) > metrics.horizontalAdvance(widestDigit))
            widestDigit = QLatin1Char(c);
    }
    QString text = widest;
    for (QChar& c : text) {
        if (c.isDigit())
            c = widestDigit;
    }
    return metrics.horizontalAdvance(text);
}

} // namespace kvasir::Fonts
