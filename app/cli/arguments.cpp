#include "arguments.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace kvasir::cli {
namespace {

Failure wrong(std::string detail, std::string_view what, std::string_view value)
{
    return fail(
        ErrorCode::BadArgument, std::move(detail), {{"what", std::string(what)}, {"value", std::string(value)}});
}

template <class T> std::optional<T> parseNumber(std::string_view text)
{
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && !text.empty() ? std::optional(value)
                                                                                     : std::nullopt;
}

const Option* findOption(std::span<const Option> options, std::string_view name)
{
    const auto found = std::find_if(options.begin(), options.end(),
        [&](const Option& option) { return name == option.name || (option.shortName && name == option.shortName); });
    return found == options.end() ? nullptr : &*found;
}

std::string quoted(std::string_view text)
{
    return std::string("'").append(text).append("'");
}

} // namespace

Result<Arguments> Arguments::parse(
    std::span<const Option> options, std::span<const std::string_view> words, size_t mostPositional)
{
    Arguments arguments;
    bool onlyPositional = false;
    for (size_t i = 0; i < words.size(); ++i) {
        const std::string_view word = words[i];
        if (word == "--" && !onlyPositional) {
            onlyPositional = true;
            continue;
        }
        if (onlyPositional || word == "-" || !word.starts_with('-')) {
            if (arguments.m_positional.size() == mostPositional) {
                return wrong("unexpected argument " + quoted(word), "argument", word);
            }
            arguments.m_positional.emplace_back(word);
            continue;
        }
        const size_t equals = word.starts_with("--") ? word.find('=') : std::string_view::npos;
        const std::string_view name = word.substr(0, equals);
        const Option* option = findOption(options, name);
        if (!option) {
            return wrong("unknown option " + quoted(name), name, "");
        }
        auto& values = arguments.m_values[option->name];
        if (!values.empty() && !option->repeatable) {
            return wrong("option " + quoted(name) + " was given twice", name, "");
        }
        if (!option->value) {
            if (equals != std::string_view::npos) {
                return wrong("option " + quoted(name) + " takes no value", name, word.substr(equals + 1));
            }
            values.emplace_back();
        } else if (equals != std::string_view::npos) {
            values.emplace_back(word.substr(equals + 1));
        } else if (i + 1 < words.size()) {
            values.emplace_back(words[++i]);
        } else {
            return wrong("option " + quoted(name) + " needs a value: " + option->value, name, "");
        }
    }
    return arguments;
}

std::string Arguments::text(std::string_view name) const
{
    const auto found = m_values.find(name);
    return found == m_values.end() ? std::string() : found->second.back();
}

std::vector<std::string> Arguments::all(std::string_view name) const
{
    const auto found = m_values.find(name);
    return found == m_values.end() ? std::vector<std::string>() : found->second;
}

Result<int> Arguments::integer(std::string_view name, int fallback, int least, int most) const
{
    if (!has(name)) {
        return fallback;
    }
    const auto value = parseNumber<int>(text(name));
    if (!value || *value < least || *value > most) {
        return wrong(std::string(name) + " must be a whole number from " + std::to_string(least) + " to "
                + std::to_string(most) + ", not " + quoted(text(name)),
            name, text(name));
    }
    return *value;
}

Result<uint64_t> Arguments::natural(std::string_view name, uint64_t fallback) const
{
    if (!has(name)) {
        return fallback;
    }
    const auto value = parseNumber<uint64_t>(text(name));
    if (!value) {
        return wrong(
            std::string(name) + " must be a whole number, 0 or more, not " + quoted(text(name)), name, text(name));
    }
    return *value;
}

Result<float> Arguments::number(std::string_view name, float fallback) const
{
    if (!has(name)) {
        return fallback;
    }
    const auto value = parseNumber<float>(text(name));
    if (!value || !std::isfinite(*value)) {
        return wrong(std::string(name) + " must be a number, not " + quoted(text(name)), name, text(name));
    }
    return *value;
}

Result<std::vector<int>> Arguments::integers(
    std::string_view name, std::vector<int> fallback, int least, int most) const
{
    if (!has(name)) {
        return fallback;
    }
    std::vector<int> numbers;
    for (const std::string& list : all(name)) {
        std::string_view rest = list;
        for (bool more = true; more;) {
            const size_t comma = rest.find(',');
            std::string_view item = rest.substr(0, comma);
            more = comma != std::string_view::npos;
            rest = more ? rest.substr(comma + 1) : std::string_view();
            while (item.starts_with(' ')) {
                item.remove_prefix(1);
            }
            while (item.ends_with(' ')) {
                item.remove_suffix(1);
            }
            const auto value = parseNumber<int>(item);
            if (!value || *value < least || *value > most) {
                return wrong(std::string(name) + " must be whole numbers from " + std::to_string(least) + " to "
                        + std::to_string(most) + " with commas between them, not " + quoted(list),
                    name, list);
            }
            numbers.push_back(*value);
        }
    }
    return numbers;
}

Result<std::optional<size_t>> Arguments::bytes(std::string_view name) const
{
    if (!has(name)) {
        return std::optional<size_t>();
    }
    const std::string given = text(name);
    std::string_view number = given;
    for (const std::string_view ending : {"iB", "B"}) {
        if (number.ends_with(ending)) {
            number.remove_suffix(ending.size());
            break;
        }
    }
    double factor = 1;
    if (!number.empty()) {
        constexpr std::string_view kUnits = "KMGT";
        if (const size_t unit = kUnits.find(number.back()); unit != std::string_view::npos) {
            factor = std::pow(1024.0, static_cast<double>(unit + 1));
            number.remove_suffix(1);
        }
    }
    while (number.ends_with(' ')) {
        number.remove_suffix(1);
    }
    const auto value = parseNumber<double>(number);
    if (!value || !(*value >= 0) || *value * factor > 0x1p62) {
        return wrong(std::string(name) + " must be bytes, like 4294967296 or 4GiB, not " + quoted(given), name, given);
    }
    return std::optional(static_cast<size_t>(*value * factor));
}

} // namespace kvasir::cli
