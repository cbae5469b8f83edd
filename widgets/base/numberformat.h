#pragma once

#include <QString>

#include <optional>

/// Numbers as the program shows them, in the default QLocale: thousands separated, at most three significant figures
/// for measured values, a dash where a value is missing.
namespace kvasir::NumberFormat {

QString missing(); // an en dash

QString count(qint64 value);                        // 8,192
QString figures(double value, int significant = 3); // 1,030  41.2  0.0123
QString bytes(double value);                        // 159 MiB  1.52 GiB
QString milliseconds(double ms);                    // 24.1 ms  312 ms  2.60 s
QString tokensPerSecond(double rate);               // 41.2 tok/s
QString percent(double fraction);                   // 0.31 -> 31 %

template <typename T, typename F> QString orMissing(const std::optional<T>& value, F format)
{
    return value ? format(*value) : missing();
}

} // namespace kvasir::NumberFormat
