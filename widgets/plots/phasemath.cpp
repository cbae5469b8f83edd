#include "plots/phasemath.h"

#include <algorithm>
#include <cmath>

namespace kvasir {

namespace {

bool isUsable(std::optional<double> value)
{
    return value && std::isfinite(*value) && *value >= 0;
}

} // namespace

std::optional<double> shareOf(std::optional<double> value, std::optional<double> limit)
{
    if (!isUsable(value) || !isUsable(limit) || *limit == 0) {
        return std::nullopt;
    }
    return *value / *limit;
}

std::optional<double> mfuOf(const PhaseRate& rate, const PhaseValues& values)
{
    return shareOf(rate.operationsPerSecond, values.operationsPerSecond);
}

std::optional<double> mbuOf(const PhaseRate& rate, const PhaseValues& values)
{
    return shareOf(rate.bytesPerSecond, values.readBytesPerSecond);
}

PhaseBound boundOf(const PhaseRate& rate, const PhaseValues& values)
{
    const std::optional<double> mfu = mfuOf(rate, values);
    const std::optional<double> mbu = mbuOf(rate, values);
    if (!mfu && !mbu) {
        return PhaseBound::Unknown;
    }
    if (std::max(mfu.value_or(0), mbu.value_or(0)) < kBoundThreshold) {
        return PhaseBound::Neither;
    }
    return mfu.value_or(0) >= mbu.value_or(0) ? PhaseBound::Arithmetic : PhaseBound::Memory;
}

std::optional<double> ceilingTokensPerSecond(const PhaseRate& rate, const PhaseValues& values)
{
    const double share = std::max(mfuOf(rate, values).value_or(0), mbuOf(rate, values).value_or(0));
    if (!isUsable(rate.tokensPerSecond) || !(share > 0)) {
        return std::nullopt;
    }
    return *rate.tokensPerSecond / share;
}

std::optional<double> prefillShare(const PhaseValues& values)
{
    if (!isUsable(values.prefill.milliseconds) || !isUsable(values.decode.milliseconds)) {
        return std::nullopt;
    }
    return shareOf(*values.prefill.milliseconds, *values.prefill.milliseconds + *values.decode.milliseconds);
}

} // namespace kvasir
