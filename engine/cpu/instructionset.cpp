#include "cpu/instructionset.h"

#include <cstdlib>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace kvasir::cpu {

#if defined(__x86_64__)
namespace {

/// __builtin_cpu_supports() knows no "f16c" in clang 14.
bool hasF16c()
{
    unsigned eax = 0;
    unsigned ebx = 0;
    unsigned ecx = 0;
    unsigned edx = 0;
    return __get_cpuid(1, &eax, &ebx, &ecx, &edx) && (ecx & bit_F16C);
}

} // namespace
#endif

std::string_view instructionSetName(InstructionSet set)
{
    switch (set) {
    case InstructionSet::Scalar:
        return "scalar";
    case InstructionSet::Avx2:
        return "AVX2";
    case InstructionSet::Avx512Vnni:
        return "AVX-512 VNNI";
    }
    return {};
}

std::vector<InstructionSet> availableInstructionSets()
{
    std::vector<InstructionSet> sets{InstructionSet::Scalar};
#if defined(__x86_64__)
    // These look at the operating system's part (XCR0) too.
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && hasF16c()) {
        sets.push_back(InstructionSet::Avx2);
        // -march=x86-64-v4 and VNNI.
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
            && __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq")
            && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni")
            && __builtin_cpu_supports("bmi2")) {
            sets.push_back(InstructionSet::Avx512Vnni);
        }
    }
#endif
    return sets;
}

InstructionSet bestInstructionSet()
{
    const char* variable = std::getenv("KVASIR_ISA");
    const std::string_view wish = variable ? variable : "";
    InstructionSet limit = InstructionSet::Avx512Vnni;
    if (wish == "scalar") {
        limit = InstructionSet::Scalar;
    } else if (wish == "avx2") {
        limit = InstructionSet::Avx2;
    }
    InstructionSet best = InstructionSet::Scalar;
    for (InstructionSet set : availableInstructionSets()) {
        if (set <= limit) {
            best = set;
        }
    }
    return best;
}

} // namespace kvasir::cpu
