#include "text/pretokenizers/classifiedtext.h"

#include "base/utf8.h"

#include <unicode/uchar.h>

namespace kvasir {

namespace {

static_assert(category::kL == U_GC_L_MASK && category::kM == U_GC_M_MASK && category::kN == U_GC_N_MASK);
static_assert(category::kP == U_GC_P_MASK && category::kS == U_GC_S_MASK);

uint32_t classify(char32_t scalar)
{
    const auto c = static_cast<UChar32>(scalar);
    return U_GET_GC_MASK(c) | (u_isUWhiteSpace(c) ? category::kSpace : 0);
}

// One look replaces several in ICU's tables.
const std::vector<uint32_t>& basicPlane()
{
    static const std::vector<uint32_t> classes = [] {
        std::vector<uint32_t> table(0x10000);
        for (size_t i = 0; i < table.size(); ++i) {
            table[i] = classify(static_cast<char32_t>(i));
        }
        return table;
    }();
    return classes;
}

} // namespace

uint32_t classOf(char32_t scalar)
{
    return scalar < 0x10000 ? basicPlane()[scalar] : classify(scalar);
}

bool isWordPart(char32_t scalar)
{
    using namespace category;
    const uint32_t classes = classOf(scalar);
    // In Latin-1 it takes the superscripts and fractions too.
    return (classes & (kL | kM | kNd | kPc)) || u_isUAlphabetic(static_cast<UChar32>(scalar))
        || (scalar < 0x100 && (classes & kNo));
}

void ClassifiedText::assign(std::string_view text)
{
    scalars.resize(text.size());
    classes.resize(text.size());
    offsets.resize(text.size() + 1);
    const std::vector<uint32_t>& table = basicPlane();
    size_t count = 0;
    for (size_t position = 0; position < text.size(); ++count) {
        offsets[count] = static_cast<uint32_t>(position);
        const auto byte = static_cast<unsigned char>(text[position]);
        if (byte < 0x80) {
            scalars[count] = byte;
            classes[count] = table[byte];
            ++position;
            continue;
        }
        const Utf8Step step = readUtf8(text, position);
        scalars[count] = step.scalar;
        classes[count] = step.scalar < table.size() ? table[step.scalar] : classify(step.scalar);
        position += step.length;
    }
    scalars.resize(count);
    classes.resize(count);
    offsets.resize(count + 1);
    offsets[count] = static_cast<uint32_t>(text.size());
}

} // namespace kvasir
