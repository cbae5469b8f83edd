#pragma once

#include "kernelinputs.h"
#include "measure/trackedbuffer.h"

#include <QString>

namespace kvasir::testing {

/// The instruction sets that the tests can run here, told once in the log so that it shows what was covered.
inline std::vector<cpu::InstructionSet> testedSets()
{
    const auto sets = cpu::availableInstructionSets();
    QString names;
    for (cpu::InstructionSet set : sets) {
        names += QLatin1Char(' ') + QString::fromUtf8(cpu::instructionSetName(set).data());
    }
    static const bool told = [&] { return qInfo("instruction sets:%s", qPrintable(names)), true; }();
    static_cast<void>(told);
    return sets;
}

} // namespace kvasir::testing
