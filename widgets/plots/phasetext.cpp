#include "base/numberformat.h"
#include "plots/phasepainter.h"
#include "plots/seriesmath.h"

#include <QStringList>

#include <cmath>

namespace kvasir {

using namespace NumberFormat;

namespace {

QString giga(double value)
{
    return figures(value / 1e9);
}

} // namespace

QString PhaseText::mfuDefinition()
{
    return tr(
        "MFU, model FLOP utilisation: the arithmetic this half had to do, as a share of the most this machine can do "
        "in the same time.");
}

QString PhaseText::mbuDefinition()
{
    return tr(
        "MBU, memory bandwidth utilisation: the weights and KV cache this half had to read, as a share of the most "
        "this machine can read in the same time.");
}

QString PhaseText::verdict(const PhaseValues& values)
{
    const std::optional<double> share = prefillShare(values);
    if (!share) {
        return {};
    }
    if (*share >= 0.5) {
        return tr("Starting is the slower half: prefill took %1 of this reply.").arg(percent(*share));
    }
    return tr("Streaming is the slower half: decode took %1 of this reply.").arg(percent(1 - *share));
}

QString PhaseText::prefillBound(const PhaseValues& values)
{
    switch (boundOf(values.prefill, values)) {
    case PhaseBound::Arithmetic:
        return tr("bound by arithmetic");
    case PhaseBound::Memory:
        return tr("bound by memory");
    case PhaseBound::Neither:
        return tr("far from both limits: waits or runs on too few threads");
    case PhaseBound::Unknown:
        break;
    }
    return values.limits == LimitsState::Measured ? tr("not measured yet") : machine(values);
}

QString PhaseText::decodeBound(const PhaseValues& values)
{
    const std::optional<double> reads = values.decode.bytesPerToken;
    const bool known = reads && std::isfinite(*reads) && *reads > 0;
    const QString each = known ? tr("each token reads %1").arg(bytes(*reads)) : QString();
    switch (boundOf(values.decode, values)) {
    case PhaseBound::Memory:
        return known ? tr("bound by memory: %1").arg(each) : tr("bound by memory");
    case PhaseBound::Arithmetic:
        return tr("bound by arithmetic");
    case PhaseBound::Neither:
        return tr("far from both limits: waits or runs on too few threads");
    case PhaseBound::Unknown:
        break;
    }
    if (known) {
        return each;
    }
    return values.limits == LimitsState::Measured ? tr("not measured yet") : machine(values);
}

QString PhaseText::machine(const PhaseValues& values)
{
    switch (values.limits) {
    case LimitsState::NotMeasured:
        return tr("limits not measured yet");
    case LimitsState::Measuring:
        return tr("measuring the limits …");
    case LimitsState::Failed:
        return tr("limits not measured: %1").arg(values.limitsFailure);
    case LimitsState::Measured:
        break;
    }
    return QStringLiteral("%1 GB/s · %2 %3")
        .arg(orMissing(values.readBytesPerSecond, giga), orMissing(values.operationsPerSecond, giga),
            values.operationsUnit);
}

QString PhaseText::cost(const PhaseValues& values)
{
    return tr("Cost of this dashboard: %1").arg(orMissing(values.dashboardShare, percent));
}

QString PhaseText::summary(const PhaseValues& values)
{
    QStringList sentences;
    sentences.append(tr("Prefill %1, MFU %2: %3.")
                         .arg(orMissing(values.prefill.tokensPerSecond, tokensPerSecond),
                             orMissing(mfuOf(values.prefill, values), percent), prefillBound(values)));
    sentences.append(tr("Decode %1, MBU %2: %3.")
                         .arg(orMissing(values.decode.tokensPerSecond, tokensPerSecond),
                             orMissing(mbuOf(values.decode, values), percent), decodeBound(values)));
    const QString slower = verdict(values);
    if (!slower.isEmpty()) {
        sentences.append(slower);
    }
    sentences.append(tr("This machine: %1.").arg(machine(values)));
    sentences.append(cost(values) + QLatin1Char('.'));
    return sentences.join(QLatin1Char(' '));
}

QString PhaseText::csv(const PhaseValues& values)
{
    QString out =
        QStringLiteral("half,tokens_per_second,milliseconds,operations_per_second,bytes_per_second,bytes_per_token,"
                       "mfu,mbu\n");
    const auto row = [&](const char* name, const PhaseRate& rate) {
        const QStringList fields{QLatin1String(name), csvNumber(rate.tokensPerSecond), csvNumber(rate.milliseconds),
            csvNumber(rate.operationsPerSecond), csvNumber(rate.bytesPerSecond), csvNumber(rate.bytesPerToken),
            csvNumber(mfuOf(rate, values)), csvNumber(mbuOf(rate, values))};
        out += fields.join(QLatin1Char(',')) + QLatin1Char('\n');
    };
    row("prefill", values.prefill);
    row("decode", values.decode);
    const QStringList limits{QStringLiteral("limit"), {}, {}, csvNumber(values.operationsPerSecond),
        csvNumber(values.readBytesPerSecond), {}, {}, {}};
    return out + limits.join(QLatin1Char(',')) + QLatin1Char('\n');
}

} // namespace kvasir
