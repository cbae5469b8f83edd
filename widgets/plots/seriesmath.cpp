#include "plots/seriesmath.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace kvasir {

namespace {

constexpr double kLongestMs = 1e12; // 32 years: beyond it doubles lose the milliseconds

} // namespace

std::optional<double> quantileOf(const QVector<double>& sorted, double fraction)
{
    if (sorted.isEmpty()) {
        return std::nullopt;
    }
    const double rank = std::clamp(fraction, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<qsizetype>(rank);
    const qsizetype above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (rank - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

bool SortedValues::insert(double value)
{
    if (!std::isfinite(value) || value < 0) {
        return false;
    }
    m_values.insert(std::upper_bound(m_values.begin(), m_values.end(), value), value);
    return true;
}

TokenPoint sanitised(TokenPoint token, double previousMs)
{
    if (!(token.timeMs >= previousMs)) { // catches NaN too
        token.timeMs = previousMs;
    }
    if (!(token.gapMs >= 0)) {
        token.gapMs = 0;
    }
    token.timeMs = std::min(token.timeMs, kLongestMs);
    token.gapMs = std::min(token.gapMs, kLongestMs);
    return token;
}

QVector<TokenBar> mergeBars(const QVector<TokenPoint>& tokens, double fromMs, double toMs, int pixels)
{
    QVector<TokenBar> bars;
    const double msPerPixel = (toMs - fromMs) / pixels;
    if (pixels <= 0 || !(msPerPixel > 0) || tokens.size() < 2) {
        return bars;
    }
    auto token = std::lower_bound(
        tokens.cbegin() + 1, tokens.cend(), fromMs, [](const TokenPoint& t, double ms) { return t.timeMs < ms; });
    double column = -1;
    for (; token != tokens.cend() && token->timeMs - token->gapMs <= toMs; ++token) {
        const double ownColumn = std::floor(token->timeMs / msPerPixel);
        const int index = static_cast<int>(token - tokens.cbegin());
        const double left = std::max((token - 1)->timeMs, token->timeMs - token->gapMs);
        if (!bars.isEmpty() && ownColumn == column) {
            TokenBar& bar = bars.last();
            bar.rightMs = token->timeMs;
            bar.gapMs = std::max(bar.gapMs, token->gapMs);
            bar.last = index;
        } else {
            bars.append({left, token->timeMs, token->gapMs, index, index});
            column = ownColumn;
        }
    }
    return bars;
}

int tokenAt(const QVector<TokenPoint>& tokens, double ms)
{
    const auto token = std::lower_bound(
        tokens.cbegin(), tokens.cend(), ms, [](const TokenPoint& t, double at) { return t.timeMs < at; });
    return static_cast<int>(std::min<qsizetype>(token - tokens.cbegin(), tokens.size() - 1));
}

double stepCeil(double value)
{
    static constexpr std::array kSteps{1.0, 1.25, 1.6, 2.0, 2.5, 3.15, 4.0, 5.0, 6.3, 8.0, 10.0};
    if (!(value > 0) || !std::isfinite(value)) {
        return 1;
    }
    const double decade = std::pow(10.0, std::floor(std::log10(value)));
    for (const double step : kSteps) {
        if (step * decade >= value * (1 - 1e-12)) {
            return step * decade;
        }
    }
    return 10 * decade;
}

double gapAxisEnd(double largest, double p50, double p90)
{
    if (p50 > 0 && largest > 6 * p50) {
        return std::min(1.15 * largest, std::max(3 * p50, 1.3 * p90));
    }
    return 1.15 * largest;
}

double AxisStepper::update(double needed, qint64 nowMs)
{
    if (isBehind(needed) && (!m_movedMs || nowMs - *m_movedMs >= kPauseMs)) {
        m_end = stepCeil(needed);
        m_movedMs = nowMs;
    }
    return m_end;
}

void AxisStepper::reset()
{
    m_end = 0;
    m_movedMs.reset();
}

QVector<double> niceTicks(double from, double to, int most)
{
    QVector<double> ticks;
    const double span = to - from;
    if (!(span > 0) || !std::isfinite(span)) {
        return ticks;
    }
    const double raw = span / std::max(1, most - 1);
    const double decade = std::pow(10.0, std::floor(std::log10(raw)));
    double step = 10 * decade;
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * decade >= raw * (1 - 1e-9)) {
            step = factor * decade;
            break;
        }
    }
    const double first = std::ceil(from / step - 1e-9);
    for (double i = first; i * step <= to + span * 1e-9; ++i) {
        ticks.append(i * step);
    }
    return ticks;
}

int tickDecimals(const QVector<double>& ticks)
{
    if (ticks.size() < 2) {
        return 0;
    }
    return std::clamp(static_cast<int>(-std::floor(std::log10(ticks[1] - ticks[0]) + 1e-9)), 0, 9);
}

QString csvField(const QString& text)
{
    if (!text.contains(QLatin1Char(',')) && !text.contains(QLatin1Char('"')) && !text.contains(QLatin1Char('\n'))
        && !text.contains(QLatin1Char('\r'))) {
        return text;
    }
    QString quoted = text;
    quoted.replace(QLatin1Char('"'), QLatin1String("\"\""));
    return QLatin1Char('"') + quoted + QLatin1Char('"');
}

QString csvNumber(std::optional<double> value)
{
    if (!value || !std::isfinite(*value)) {
        return {};
    }
    return QString::number(*value, 'g', 15);
}

} // namespace kvasir
