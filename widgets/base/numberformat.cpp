#include "base/numberformat.h"

#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>

namespace kvasir::NumberFormat {

namespace {

// U+00A0 keeps a number and its unit on one line.
QString withUnit(const QString& number, const QString& unit)
{
    return number + QChar(0x00a0) + unit;
}

} // namespace

QString missing()
{
    return QString(QChar(0x2013));
}

QString count(qint64 value)
{
    return QLocale().toString(value);
}

QString figures(double value, int significant)
{
    if (!std::isfinite(value))
        return missing();
    if (value == 0)
        return QLocale().toString(0);
    int exponent = int(std::floor(std::log10(std::abs(value))));
    const double unit = std::pow(10.0, exponent - significant + 1);
    const double rounded = std::round(value / unit) * unit;
    exponent = int(std::floor(std::log10(std::abs(rounded)) + 1e-9)); // 9.996 has become 10.0
    const int decimals = std::clamp(significant - 1 - exponent, 0, 12);
    return QLocale().toString(rounded, 'f', decimals);
}

QString bytes(double value)
{
    static constexpr std::array<const char*, 5> units{"B", "KiB", "MiB", "GiB", "TiB"};
    if (!std::isfinite(value))
        return missing();
    size_t i = 0;
    // 999.5 would be shown as "1,000": the next unit reads better.
    while (std::abs(value) >= 999.5 && i + 1 < units.size()) {
        value /= 1024;
        ++i;
    }
    return withUnit(i == 0 ? count(qint64(value)) : figures(value), QLatin1String(units[i]));
}

QString milliseconds(double ms)
{
    if (!std::isfinite(ms))
        return missing();
    return std::abs(ms) < 999.5 ? withUnit(figures(ms), QStringLiteral("ms"))
                                : withUnit(figures(ms / 1000), QStringLiteral("s"));
}

QString tokensPerSecond(double rate)
{
    return std::isfinite(rate) ? withUnit(figures(rate), "tok/s") : missing();
}

QString percent(double fraction)
{
    if (!std::isfinite(fraction))
        return missing();
    const double value = fraction * 100;
    return withUnit(figures(value, std::abs(value) < 99.5 ? 2 : 3), QStringLiteral("%"));
}

} // namespace kvasir::NumberFormat
