#include "cpu/instructionset.h"

#include <cstdlib>
#include <utility>

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__)
#include <sys/auxv.h>
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
/// Nor "avxvnni" in gcc 12.
bool hasAvxVnni()
{
    constexpr unsigned kAvxVnni = 1u << 4;
    unsigned eax = 0;
    unsigned ebx = 0;
    unsigned ecx = 0;
    unsigned edx = 0;
    return __get_cpuid_count(7, 1, &eax, &ebx, &ecx, &edx) && (eax & kAvxVnni);
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
    case InstructionSet::AvxVnni:
        return "AVX-VNNI";
    case InstructionSet::Avx512Vnni:
        return "AVX-512 VNNI";
    case InstructionSet::Neon:
        return "NEON";
    case InstructionSet::NeonDot:
        return "NEON dot product";
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
        if (hasAvxVnni()) {
            sets.push_back(InstructionSet::AvxVnni);
        }
        // -march=x86-64-v4 and VNNI.
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
            && __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq")
            && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni")
            && __builtin_cpu_supports("bmi2")) {
            sets.push_back(InstructionSet::Avx512Vnni);
        }
    }
#elif defined(__aarch64__)
    constexpr unsigned long kDotProducts = 1ul << 20; // HWCAP_ASIMDDP
    sets.push_back(InstructionSet::Neon);
    if (getauxval(AT_HWCAP) & kDotProducts) {
        sets.push_back(InstructionSet::NeonDot);
    }
#endif
    return sets;
}

InstructionSet bestInstructionSet()
{
    constexpr std::pair<std::string_view, InstructionSet> kNames[] = {{"scalar", InstructionSet::Scalar},
        {"avx2", InstructionSet::Avx2}, {"avxvnni", InstructionSet::AvxVnni}, {"avx512", InstructionSet::Avx512Vnni},
        {"neon", InstructionSet::Neon}, {"neondot", InstructionSet::NeonDot}};
    const char* variable = std::getenv("KVASIR_CPU");
    InstructionSet limit = InstructionSet::NeonDot;
    for (const auto& [name, set] : kNames) {
        if (variable && name == variable) {
            limit = set;
        }
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
