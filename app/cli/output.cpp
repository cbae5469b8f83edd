#include "output.h"

#include "measure/systemmemory.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace kvasir::cli {
namespace {

/// Characters of UTF-8, as wide as a terminal shows most of them.
size_t widthOf(std::string_view text)
{
    return static_cast<size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

} // namespace

Result<void> print(std::string_view text)
{
    if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) {
        return {};
    }
    if (errno == EPIPE) {
        return fail(ErrorCode::Cancelled, "stopped: nobody reads the output any more");
    }
    const std::string reason = std::strerror(errno);
    return fail(ErrorCode::FileUnwritable, "standard output can not be written: " + reason,
        {{"path", "standard output"}, {"reason", reason}});
}

Result<void> printJson(const Json& object)
{
    return print(object.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n');
}

void note(std::string_view text)
{
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
}

bool standardOutputIsTerminal()
{
    return isatty(STDOUT_FILENO) == 1;
}
bool standardErrorIsTerminal()
{
    return isatty(STDERR_FILENO) == 1;
}
bool standardInputIsTerminal()
{
    return isatty(STDIN_FILENO) == 1;
}
bool standardOutputHasStyles()
{
    const char* noColor = std::getenv("NO_COLOR");
    const char* kind = std::getenv("TERM");
    return standardOutputIsTerminal() && (!noColor || !*noColor) && (!kind || std::string_view(kind) != "dumb");
}

double shortest(float value)
{
    std::array<char, 64> text{};
    std::to_chars(text.data(), text.data() + text.size() - 1, value);
    return std::strtod(text.data(), nullptr);
}

std::string fixed(double value, int digits)
{
    std::array<char, 400> text{};
    std::snprintf(text.data(), text.size(), "%.*f", digits, value);
    return text.data();
}

std::string bytesText(double bytes)
{
    constexpr std::array kUnits{"B", "KiB", "MiB", "GiB", "TiB"};
    size_t unit = 0;
    while (bytes >= 1024 && unit + 1 < kUnits.size()) {
        bytes /= 1024;
        ++unit;
    }
    const int digits = unit == 0 || bytes >= 100 ? 0 : bytes >= 10 ? 1 : 2;
    return fixed(bytes, digits) + ' ' + kUnits[unit];
}

std::string countText(double count)
{
    std::string digits = fixed(count, 0);
    for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > (count < 0 ? 1 : 0); at -= 3) {
        digits.insert(static_cast<size_t>(at), 1, ',');
    }
    return digits;
}

std::string rateText(double perSecond, std::string_view unit)
{
    constexpr std::array kPrefixes{"", "K", "M", "G", "T"};
    size_t prefix = 0;
    if (unit != "tok/s") {
        while (perSecond >= 1000 && prefix + 1 < kPrefixes.size()) {
            perSecond /= 1000;
            ++prefix;
        }
    }
    const int digits = perSecond >= 100 ? 0 : perSecond >= 10 ? 1 : 2;
    const std::string number = digits == 0 ? countText(perSecond) : fixed(perSecond, digits);
    return number + ' ' + kPrefixes[prefix] + std::string(unit);
}

std::string millisecondsText(double milliseconds)
{
    if (milliseconds >= 1000) {
        return fixed(milliseconds / 1000, 2) + " s";
    }
    return fixed(milliseconds, milliseconds >= 100 ? 0 : milliseconds >= 10 ? 1 : 2) + " ms";
}

std::string table(const std::vector<std::vector<std::string>>& rows)
{
    const auto isNumber = [](const std::string& cell) {
        return !cell.empty() && (std::isdigit(static_cast<unsigned char>(cell[0])) || cell[0] == '-');
    };
    struct Column {
        size_t width = 0;
        bool numbers = true; // below the head
    };
    std::vector<Column> columns;
    for (size_t r = 0; r < rows.size(); ++r) {
        columns.resize(std::max(columns.size(), rows[r].size()));
        for (size_t i = 0; i < rows[r].size(); ++i) {
            columns[i].width = std::max(columns[i].width, widthOf(rows[r][i]));
            columns[i].numbers = columns[i].numbers && (r == 0 || isNumber(rows[r][i]));
        }
    }
    std::string text;
    for (const auto& row : rows) {
        std::string line;
        for (size_t i = 0; i < row.size(); ++i) {
            const std::string padding(columns[i].width - widthOf(row[i]), ' ');
            line += (i > 0 ? "  " : "") + (columns[i].numbers ? padding + row[i] : row[i] + padding);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

Json memoryJson(const MemoryUse& use)
{
    const SystemMemory system = systemMemory();
    return {{"weights", use[MemoryTag::Weights]}, {"kv_reserved", use[MemoryTag::KvReserved]},
        {"kv_used", use[MemoryTag::KvUsed]}, {"activations", use[MemoryTag::Activations]},
        {"scratch", use[MemoryTag::Scratch]}, {"logits", use[MemoryTag::Logits]}, {"draft", use[MemoryTag::Draft]},
        {"total", use.total()}, {"process_rss", system.processResident}, {"device_total", system.total},
        {"device_free", system.available}};
}

ProgressLine::ProgressLine(bool wanted)
    : m_enabled(wanted || standardErrorIsTerminal())
    , m_overdraws(standardErrorIsTerminal())
{
}

void ProgressLine::show(std::string_view what, double fraction)
{
    const int percent = static_cast<int>(std::clamp(fraction, 0.0, 1.0) * 100);
    // A log gets a line for every tenth, a terminal one line for every hundredth.
    const int shown = m_overdraws ? percent : percent / 10 * 10;
    if (!m_enabled || (shown == m_lastPercent && what == m_lastWhat)) {
        return;
    }
    m_lastPercent = shown;
    m_lastWhat = what;
    note((m_overdraws ? "\r\033[K" : "") + std::string(what) + ' ' + std::to_string(shown) + " %"
        + (m_overdraws ? "" : "\n"));
    m_visible = true;
}

void ProgressLine::clear()
{
    if (m_visible && m_overdraws) {
        note("\r\033[K");
    }
    m_visible = false;
    m_lastPercent = -1;
}

} // namespace kvasir::cli
