#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace kvasir {

/// Bits of ClassifiedText::classes: one for each of Unicode's general categories, in ICU's order, and white space.
namespace category {
inline constexpr uint32_t kLu = 1u << 1, kLl = 1u << 2, kLt = 1u << 3, kLm = 1u << 4, kLo = 1u << 5;
inline constexpr uint32_t kMn = 1u << 6, kMe = 1u << 7, kMc = 1u << 8;
inline constexpr uint32_t kNd = 1u << 9, kNl = 1u << 10, kNo = 1u << 11;
inline constexpr uint32_t kPd = 1u << 19, kPs = 1u << 20, kPe = 1u << 21, kPc = 1u << 22, kPo = 1u << 23;
inline constexpr uint32_t kSm = 1u << 24, kSc = 1u << 25, kSk = 1u << 26, kSo = 1u << 27;
inline constexpr uint32_t kPi = 1u << 28, kPf = 1u << 29;
inline constexpr uint32_t kSpace = 1u << 31; ///< \s: the property White_Space

inline constexpr uint32_t kL = kLu | kLl | kLt | kLm | kLo;
inline constexpr uint32_t kM = kMn | kMe | kMc;
inline constexpr uint32_t kN = kNd | kNl | kNo;
inline constexpr uint32_t kP = kPd | kPs | kPe | kPc | kPo | kPi | kPf;
inline constexpr uint32_t kS = kSm | kSc | kSk | kSo;
} // namespace category

/// A text as scalar values with their classes. A byte that is not UTF-8 counts as U+FFFD, which is a symbol.
struct ClassifiedText {
    std::vector<char32_t> scalars;
    std::vector<uint32_t> classes;
    std::vector<uint32_t> offsets; ///< byte where each scalar begins, and the end of the text

    /// `text` must be shorter than 4 GiB. Keeps its memory from text to text.
    void assign(std::string_view text);
    size_t size() const { return scalars.size(); }
};

/// The class bits of one scalar value.
uint32_t classOf(char32_t scalar);
/// \w, as the matcher of published tokenizers (Oniguruma) has it.
bool isWordPart(char32_t scalar);

} // namespace kvasir
