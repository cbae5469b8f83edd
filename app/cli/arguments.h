#pragma once

#include "base/result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kvasir::cli {

/// One option of a command, as the parser and the help text see it.
struct Option {
    const char* name;      ///< "--model"
    const char* shortName; ///< "-m"; null: none
    const char* value;     ///< name of its value in the help, "FILE"; null: it takes none
    const char* help;
    bool repeatable = false;
};

/// What a person typed after the command's name, checked against the command's options.
class Arguments {
public:
    /// Understands `--name value`, `--name=value`, `-n value`, and `--` before positional arguments.
    /// Error: BadArgument; the detail names the word that is wrong.
    static Result<Arguments> parse(
        std::span<const Option> options, std::span<const std::string_view> words, size_t mostPositional);

    bool has(std::string_view name) const { return m_values.contains(name); }
    /// The value, or the last one of several; empty where it was not given.
    std::string text(std::string_view name) const;
    std::vector<std::string> all(std::string_view name) const;
    const std::vector<std::string>& positional() const { return m_positional; }

    // Numbers, with the default where the option was not given. Error: BadArgument, naming the option and its range.
    Result<int> integer(std::string_view name, int fallback, int least, int most) const;
    Result<uint64_t> natural(std::string_view name, uint64_t fallback) const;
    Result<float> number(std::string_view name, float fallback) const;
    /// Comma-separated numbers; every use of the option adds some.
    Result<std::vector<int>> integers(std::string_view name, std::vector<int> fallback, int least, int most) const;
    /// Bytes, with K, M, G or KiB, MiB, GiB behind the number where wanted.
    Result<std::optional<size_t>> bytes(std::string_view name) const;

private:
    std::map<std::string, std::vector<std::string>, std::less<>> m_values;
    std::vector<std::string> m_positional;
};

} // namespace kvasir::cli
