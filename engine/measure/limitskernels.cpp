#include "measure/limitskernels.h"

#include <cmath>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#include <sys/auxv.h>
#endif

// The registers are filled from volatile values and folded into the result, else the compiler would compute at build
// time.

namespace kvasir {
namespace {

volatile int32_t s_seed = 3;

uint64_t readScalar(const std::byte* data, size_t bytes)
{
    const auto* words = reinterpret_cast<const uint64_t*>(data);
    uint64_t a = 0, b = 0, c = 0, d = 0;
    for (size_t i = 0; i < bytes / sizeof(uint64_t); i += 4) {
        a ^= words[i];
        b ^= words[i + 1];
        c ^= words[i + 2];
        d ^= words[i + 3];
    }
    return a ^ b ^ c ^ d;
}

uint64_t int8Scalar(size_t rounds)
{
    const auto code = static_cast<int8_t>(s_seed);
    auto value = static_cast<uint8_t>(s_seed + 1);
    uint32_t sums[4] = {};
    for (size_t i = 0; i < rounds; ++i) {
        for (uint32_t& sum : sums) {
            sum += static_cast<uint32_t>(code * value++);
        }
    }
    return sums[0] ^ sums[1] ^ sums[2] ^ sums[3];
}

uint64_t fp32Scalar(size_t rounds)
{
    const float factor = 0.5f + 1e-6f * static_cast<float>(s_seed);
    float sums[4] = {1, 2, 3, 4};
    for (size_t i = 0; i < rounds; ++i) {
        for (float& sum : sums) {
            sum = sum * factor + factor;
        }
    }
    return static_cast<uint64_t>(sums[0] + sums[1] + sums[2] + sums[3]);
}

constexpr LimitKernels kScalar{"scalar", readScalar, int8Scalar, fp32Scalar, 4 * 2, 4 * 2};

#if defined(__x86_64__)

#define KVASIR_AVX2 __attribute__((target("avx2,fma")))
#define KVASIR_AVXVNNI __attribute__((target("avx2,avxvnni")))
#define KVASIR_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni")))

// A chain of FMAs has 4 cycles latency and two start in a cycle: 8 chains are the least, 12 leave some slack.
constexpr int kChains = 12;

KVASIR_AVX2 uint64_t fold(__m256i vector)
{
    alignas(32) uint64_t words[4];
    _mm256_store_si256(reinterpret_cast<__m256i*>(words), vector);
    return words[0] ^ words[1] ^ words[2] ^ words[3];
}

KVASIR_AVX2 uint64_t readAvx2(const std::byte* data, size_t bytes)
{
    __m256i sums[8] = {};
    for (size_t i = 0; i < bytes; i += sizeof sums) {
#pragma GCC unroll 8
        for (int j = 0; j < 8; ++j) {
            const auto* source = reinterpret_cast<const __m256i*>(data + i) + j;
            sums[j] = _mm256_xor_si256(sums[j], _mm256_load_si256(source));
        }
    }
    uint64_t result = 0;
    for (const __m256i& sum : sums) {
        result ^= fold(sum);
    }
    return result;
}

// What the 4-bit kernels do: products of pairs, added up in 16 bits.
KVASIR_AVX2 uint64_t int8Avx2(size_t rounds)
{
    __m256i codes = _mm256_set1_epi8(static_cast<char>(s_seed));
    const __m256i values = _mm256_set1_epi8(static_cast<char>(s_seed + 1));
    __m256i sums[kChains] = {};
    for (size_t i = 0; i < rounds; ++i) {
#pragma GCC unroll 12
        for (int j = 0; j < kChains; ++j) {
            sums[j] = _mm256_add_epi16(sums[j], _mm256_maddubs_epi16(codes, values));
            asm volatile("" : "+x"(codes)); // the same product each time must still be computed each time
        }
    }
    uint64_t result = 0;
    for (const __m256i& sum : sums) {
        result ^= fold(sum);
    }
    return result;
}

KVASIR_AVX2 uint64_t fp32Avx2(size_t rounds)
{
    const __m256 factor = _mm256_set1_ps(0.5f + 1e-6f * static_cast<float>(s_seed));
    __m256 sums[kChains];
    for (int j = 0; j < kChains; ++j) {
        sums[j] = _mm256_set1_ps(static_cast<float>(j));
    }
    for (size_t i = 0; i < rounds; ++i) {
#pragma GCC unroll 12
        for (int j = 0; j < kChains; ++j) {
            sums[j] = _mm256_fmadd_ps(sums[j], factor, factor);
        }
    }
    uint64_t result = 0;
    for (const __m256& sum : sums) {
        result ^= fold(_mm256_castps_si256(sum));
    }
    return result;
}

constexpr LimitKernels kAvx2{"AVX2", readAvx2, int8Avx2, fp32Avx2, kChains * 32 * 2, kChains * 8 * 2};

KVASIR_AVXVNNI uint64_t int8AvxVnni(size_t rounds)
{
    const __m256i codes = _mm256_set1_epi8(static_cast<char>(s_seed));
    const __m256i values = _mm256_set1_epi8(static_cast<char>(s_seed + 1));
    __m256i sums[kChains] = {};
    for (size_t i = 0; i < rounds; ++i) {
#pragma GCC unroll 12
        for (int j = 0; j < kChains; ++j) {
            sums[j] = _mm256_dpbusd_avx_epi32(sums[j], codes, values);
            asm volatile("" : "+x"(sums[j])); // n equal steps must not become one multiplication
        }
    }
    uint64_t result = 0;
    for (const __m256i& sum : sums) {
        result ^= fold(sum);
    }
    return result;
}

constexpr LimitKernels kAvxVnni{"AVX-VNNI", readAvx2, int8AvxVnni, fp32Avx2, kChains * 32 * 2, kChains * 8 * 2};

bool hasAvxVnni()
{
    unsigned eax = 0;
    unsigned ebx = 0;
    unsigned ecx = 0;
    unsigned edx = 0;
    return __get_cpuid_count(7, 1, &eax, &ebx, &ecx, &edx) && (eax & 1u << 4);
}

KVASIR_AVX512 uint64_t fold512(__m512i vector)
{
    alignas(64) uint64_t words[8];
    _mm512_store_si512(words, vector);
    return words[0] ^ words[1] ^ words[2] ^ words[3] ^ words[4] ^ words[5] ^ words[6] ^ words[7];
}

KVASIR_AVX512 uint64_t readAvx512(const std::byte* data, size_t bytes)
{
    __m512i sums[8] = {};
    for (size_t i = 0; i < bytes; i += sizeof sums) {
#pragma GCC unroll 8
        for (int j = 0; j < 8; ++j) {
            sums[j] = _mm512_xor_si512(sums[j], _mm512_load_si512(data + i + static_cast<size_t>(j) * 64));
        }
    }
    uint64_t result = 0;
    for (const __m512i& sum : sums) {
        result ^= fold512(sum);
    }
    return result;
}

KVASIR_AVX512 uint64_t int8Avx512(size_t rounds)
{
    const __m512i codes = _mm512_set1_epi8(static_cast<char>(s_seed));
    const __m512i values = _mm512_set1_epi8(static_cast<char>(s_seed + 1));
    __m512i sums[kChains] = {};
    for (size_t i = 0; i < rounds; ++i) {
#pragma GCC unroll 12
        for (int j = 0; j < kChains; ++j) {
            sums[j] = _mm512_dpbusd_epi32(sums[j], codes, values);
            asm volatile("" : "+v"(sums[j])); // n equal steps must not become one multiplication
        }
    }
    uint64_t result = 0;
    for (const __m512i& sum : sums) {
        result ^= fold512(sum);
    }
    return result;
}

KVASIR_AVX512 uint64_t fp32Avx512(size_t rounds)
{
    const __m512 factor = _mm512_set1_ps(0.5f + 1e-6f * static_cast<float>(s_seed));
    __m512 sums[kChains];
    for (int j = 0; j < kChains; ++j) {
        sums[j] = _mm512_set1_ps(static_cast<float>(j));
    }
    for (size_t i = 0; i < rounds; ++i) {
#pragma GCC unroll 12
        for (int j = 0; j < kChains; ++j) {
            sums[j] = _mm512_fmadd_ps(sums[j], factor, factor);
        }
    }
    uint64_t result = 0;
    for (const __m512& sum : sums) {
        result ^= fold512(_mm512_castps_si512(sum));
    }
    return result;
}

constexpr LimitKernels kAvx512{"AVX-512 VNNI", readAvx512, int8Avx512, fp32Avx512, kChains * 64 * 2, kChains * 16 * 2};

#elif defined(__aarch64__)

constexpr int kChains = 12;

uint64_t readNeon(const std::byte* data, size_t bytes)
{
    uint8x16_t sums[8] = {};
    for (size_t i = 0; i < bytes; i += sizeof sums) {
#pragma GCC unroll 8
        for (size_t j = 0; j < 8; ++j) {
            sums[j] = veorq_u8(sums[j], vld1q_u8(reinterpret_cast<const uint8_t*>(data) + i + 16 * j));
        }
    }
    uint64_t result = 0;
    for (const uint8x16_t& sum : sums) {
        result ^= vgetq_lane_u64(vreinterpretq_u64_u8(sum), 0) ^ vgetq_lane_u64(vreinterpretq_u64_u8(sum), 1);
    }
    return result;
}

uint64_t sumOf(const int32x4_t (&sums)[kChains])
{
    int32_t result = 0;
    for (const int32x4_t& sum : sums) {
        result ^= vaddvq_s32(sum);
    }
    return static_cast<uint32_t>(result);
}

// What the kernels do: two products of 8 bits, widened, and added in pairs.
uint64_t int8Neon(size_t rounds)
{
    int8x16_t codes = vdupq_n_s8(static_cast<int8_t>(s_seed));
    const int8x16_t values = vdupq_n_s8(static_cast<int8_t>(s_seed + 1));
    int32x4_t sums[kChains] = {};
    for (size_t i = 0; i < rounds; ++i) {
#pragma GCC unroll 12
        for (int j = 0; j < kChains; ++j) {
            const int16x8_t low = vmull_s8(vget_low_s8(codes), vget_low_s8(values));
            sums[j] = vpadalq_s16(sums[j], vpaddq_s16(low, vmull_high_s8(codes, values)));
            asm volatile("" : "+w"(codes)); // the same product each time must still be computed each time
        }
    }
    return sumOf(sums);
}

__attribute__((target("arch=armv8.2-a+dotprod"))) uint64_t int8NeonDot(size_t rounds)
{
    const int8x16_t codes = vdupq_n_s8(static_cast<int8_t>(s_seed));
    const int8x16_t values = vdupq_n_s8(static_cast<int8_t>(s_seed + 1));
    int32x4_t sums[kChains] = {};
    for (size_t i = 0; i < rounds; ++i) {
#pragma GCC unroll 12
        for (int j = 0; j < kChains; ++j) {
            sums[j] = vdotq_s32(sums[j], codes, values);
            asm volatile("" : "+w"(sums[j])); // n equal steps must not become one multiplication
        }
    }
    return sumOf(sums);
}

uint64_t fp32Neon(size_t rounds)
{
    const float32x4_t factor = vdupq_n_f32(0.5f + 1e-6f * static_cast<float>(s_seed));
    float32x4_t sums[kChains];
    for (int j = 0; j < kChains; ++j) {
        sums[j] = vdupq_n_f32(static_cast<float>(j));
    }
    for (size_t i = 0; i < rounds; ++i) {
#pragma GCC unroll 12
        for (int j = 0; j < kChains; ++j) {
            sums[j] = vfmaq_f32(factor, sums[j], factor);
        }
    }
    float result = 0;
    for (const float32x4_t& sum : sums) {
        result += vaddvq_f32(sum);
    }
    return static_cast<uint64_t>(result);
}

constexpr LimitKernels kNeon{"NEON", readNeon, int8Neon, fp32Neon, kChains * 16 * 2, kChains * 4 * 2};
constexpr LimitKernels kNeonDot{"NEON dot product", readNeon, int8NeonDot, fp32Neon, kChains * 16 * 2, kChains * 4 * 2};

#endif

} // namespace

const LimitKernels& limitKernels()
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")
        && __builtin_cpu_supports("avx512vnni")) {
        return kAvx512;
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        return hasAvxVnni() ? kAvxVnni : kAvx2;
    }
#elif defined(__aarch64__)
    constexpr unsigned long kDotProducts = 1ul << 20; // HWCAP_ASIMDDP
    return getauxval(AT_HWCAP) & kDotProducts ? kNeonDot : kNeon;
#endif
    return kScalar;
}

} // namespace kvasir
