#pragma once

#include "plots/replyseries.h"

#include <QString>
#include <QVector>

#include <optional>

namespace kvasir {

/// The `fraction` quantile (0 to 1) of ascending values: linear between the two closest ranks (Hyndman and Fan 1996,
/// type 7). Unset where there are none.
std::optional<double> quantileOf(const QVector<double>& sorted, double fraction);

/// Values kept sorted as they come, so that percentiles of a growing reply cost no sort. Takes only finite values that
/// are not negative.
class SortedValues {
public:
    bool insert(double value);
    void clear() { m_values.clear(); }
    int size() const { return static_cast<int>(m_values.size()); }
    std::optional<double> quantile(double fraction) const { return quantileOf(m_values, fraction); }

private:
    QVector<double> m_values;
};

/// The token with what cannot be drawn made harmless: a time that is no number or goes back becomes `previousMs`, a gap
/// that is no number or negative becomes 0, and both stay below 10^12 ms.
TokenPoint sanitised(TokenPoint token, double previousMs);

/// One bar of the timeline: tokens `first` to `last`, from the end of the token before to the end of the last one.
struct TokenBar {
    double leftMs = 0;
    double rightMs = 0;
    double gapMs = 0; ///< the largest of its tokens'
    int first = 0;
    int last = 0;
};

/// Bars of the tokens that are visible between `fromMs` and `toMs` on `pixels` columns. Tokens that end in one column
/// share a bar. Columns are counted from time 0, so that bars do not change while the view scrolls. The first token
/// has no gap and no bar.
QVector<TokenBar> mergeBars(const QVector<TokenPoint>& tokens, double fromMs, double toMs, int pixels);

/// Index of the token whose bar holds `ms`; the nearest end where none does; -1 where there are no tokens.
int tokenAt(const QVector<TokenPoint>& tokens, double ms);

/// The smallest preferred number (1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8 times a power of ten) not below `value`; 1
/// for values that are not positive and finite.
double stepCeil(double value);

/// An upper end that holds most gaps: above `largest`, or, where a few outliers would flatten the rest (`largest` more
/// than 6 times the median), so that the median keeps about a third of the height and p90 fits.
double gapAxisEnd(double largest, double p50, double p90);

/// The end of an axis as its data grow: moves in preferred numbers, at most twice a second, and shrinks only when less
/// than a third is used.
class AxisStepper {
public:
    static constexpr qint64 kPauseMs = 500;

    /// `needed` in data units, `nowMs` of any monotonic clock. Returns the end to use.
    double update(double needed, qint64 nowMs);
    double end() const { return m_end; }
    /// The end will move once the pause is over.
    bool isBehind(double needed) const { return stepCeil(needed) > m_end || needed < m_end / 3; }
    /// The next update may move at once.
    void reset();

private:
    double m_end = 0;
    std::optional<qint64> m_movedMs;
};

/// Ticks at multiples of 1, 2 or 5 times a power of ten within [from, to], at most `most` of them (at least 2).
QVector<double> niceTicks(double from, double to, int most);
/// Decimals needed to tell such ticks apart.
int tickDecimals(const QVector<double>& ticks);

/// A field for a CSV file: quoted where it holds a comma, a quote or a line end (RFC 4180).
QString csvField(const QString& text);
/// A number for a CSV file: 15 significant figures at most, with a dot; empty where unset or not finite.
QString csvNumber(std::optional<double> value);

} // namespace kvasir
