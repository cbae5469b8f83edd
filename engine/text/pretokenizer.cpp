#include "text/pretokenizer.h"

#include "text/pretokenizers/families.h"

#include <algorithm>

namespace kvasir {

std::optional<PreTokenizer> PreTokenizer::forPatterns(
    std::span<const std::string_view> patterns, PreTokenizerTraits traits)
{
    PreTokenizer result;
    result.m_traits = traits;
    for (const std::string_view pattern : patterns) {
        auto stage = Stage::parse(pattern);
        if (!stage) {
            return {};
        }
        result.m_stages.push_back(*std::move(stage));
    }
    return result;
}

std::optional<PreTokenizer> PreTokenizer::find(std::string_view name)
{
    const PreTokenizerFamily* family = findPreTokenizerFamily(name);
    if (!family) {
        return {};
    }
    const auto& patterns = family->patterns;
    const auto count = static_cast<size_t>(std::ranges::find(patterns, std::string_view()) - patterns.begin());
    return forPatterns(std::span(patterns).first(count), family->traits);
}

PreTokenizer PreTokenizer::byDefault()
{
    return *find("default");
}

std::optional<PreTokenizer> preTokenizerForPattern(std::string_view pattern, PreTokenizerTraits traits)
{
    return PreTokenizer::forPatterns({&pattern, 1}, traits);
}

std::span<const uint32_t> PreTokenizer::split(std::string_view text, Work& work) const
{
    work.ends.clear();
    if (text.empty()) {
        return {};
    }
    work.text.assign(text);
    work.ends.push_back(static_cast<uint32_t>(work.text.size()));
    for (const Stage& stage : m_stages) {
        work.nextEnds.clear();
        stage.cut(work.text, work.ends, work.nextEnds);
        work.ends.swap(work.nextEnds);
    }
    for (uint32_t& end : work.ends) {
        end = work.text.offsets[end];
    }
    return work.ends;
}

} // namespace kvasir
