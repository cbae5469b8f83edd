#include "text/jinja/printing.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <optional>

namespace kvasir::jinja {

namespace {

// Not the library's strftime(): the program's locale would show.
constexpr std::string_view kDays[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
constexpr std::string_view kMonths[] = {"January", "February", "March", "April", "May", "June", "July", "August",
    "September", "October", "November", "December"};

/// The time of the form 2026-11-29T12:00:00, with the days of week and year that belong to it.
std::optional<std::tm> parseTime(const std::string& text)
{
    int year = 0;
    unsigned month = 0;
    unsigned day = 0;
    std::tm time{};
    const int read = std::sscanf(
        text.c_str(), "%4d-%2u-%2uT%2d:%2d:%2d", &year, &month, &day, &time.tm_hour, &time.tm_min, &time.tm_sec);
    const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month), std::chrono::day(day)};
    if (read < 3 || !date.ok()) {
        return std::nullopt;
    }
    const std::chrono::sys_days days(date);
    time.tm_year = year - 1900;
    time.tm_mon = static_cast<int>(month) - 1;
    time.tm_mday = static_cast<int>(day);
    time.tm_wday = static_cast<int>(std::chrono::weekday(days).c_encoding());
    time.tm_yday = static_cast<int>((days - std::chrono::sys_days(date.year() / 1 / 1)).count());
    return time;
}

std::tm currentTime()
{
    const std::time_t seconds = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm time{};
    localtime_r(&seconds, &time);
    return time;
}

std::string number(int value, int width, char fill = '0')
{
    std::string digits = std::to_string(value);
    return std::string(static_cast<size_t>(std::max(0, width - static_cast<int>(digits.size()))), fill) + digits;
}

/// What %`letter` stands for; nothing for a letter that is not known.
std::optional<std::string> fieldOf(const std::tm& time, char letter)
{
    const auto field = [&](char other) { return *fieldOf(time, other); };
    const std::string_view day = kDays[time.tm_wday];
    const std::string_view month = kMonths[time.tm_mon];
    switch (letter) {
    case 'Y':
        return std::to_string(time.tm_year + 1900);
    case 'y':
        return number(time.tm_year % 100, 2);
    case 'm':
        return number(time.tm_mon + 1, 2);
    case 'd':
        return number(time.tm_mday, 2);
    case 'e':
        return number(time.tm_mday, 2, ' ');
    case 'j':
        return number(time.tm_yday + 1, 3);
    case 'w':
        return std::to_string(time.tm_wday);
    case 'H':
        return number(time.tm_hour, 2);
    case 'I':
        return number(time.tm_hour % 12 == 0 ? 12 : time.tm_hour % 12, 2);
    case 'M':
        return number(time.tm_min, 2);
    case 'S':
        return number(time.tm_sec, 2);
    case 'f':
        return "000000";
    case 'p':
        return time.tm_hour < 12 ? "AM" : "PM";
    case 'A':
        return std::string(day);
    case 'a':
        return std::string(day.substr(0, 3));
    case 'B':
        return std::string(month);
    case 'b':
    case 'h':
        return std::string(month.substr(0, 3));
    case 'F':
        return field('Y') + '-' + field('m') + '-' + field('d');
    case 'R':
        return field('H') + ':' + field('M');
    case 'T':
    case 'X':
        return field('R') + ':' + field('S');
    case 'D':
    case 'x':
        return field('m') + '/' + field('d') + '/' + field('y');
    case 'c':
        return field('a') + ' ' + field('b') + ' ' + field('e') + ' ' + field('T') + ' ' + field('Y');
    case 'n':
        return "\n";
    case 't':
        return "\t";
    case '%':
        return "%";
    case 'z':
    case 'Z':
        return ""; // the clock has no zone, as Python's datetime.now()
    default:
        return std::nullopt;
    }
}

} // namespace

Value formatTime(Sandbox& sandbox, const Text& format)
{
    const std::optional<std::tm> time = sandbox.now.empty() ? currentTime() : parseTime(sandbox.now);
    if (!time) {
        return sandbox.fail("the given time is not of the form 2026-11-29T12:00:00");
    }
    const std::string& bytes = format.bytes();
    TextBuilder out(sandbox);
    for (size_t i = 0; i < bytes.size() && !sandbox.failed();) {
        const size_t percent = bytes.find('%', i);
        out.add(format, i, percent);
        if (percent == std::string::npos) {
            break;
        }
        const bool isUnpadded = bytes.compare(percent + 1, 1, "-") == 0;
        i = percent + (isUnpadded ? 3 : 2);
        const std::optional<std::string> field = i <= bytes.size() ? fieldOf(*time, bytes[i - 1]) : std::nullopt;
        if (!field) {
            return sandbox.fail("strftime_now() does not know " + bytes.substr(percent, i - percent));
        }
        // %-d is the number without its leading zero.
        const size_t skipped =
            isUnpadded && !field->empty() ? std::min(field->find_first_not_of("0 "), field->size() - 1) : 0;
        out.add(std::string_view(*field).substr(skipped));
    }
    return out.finish();
}

} // namespace kvasir::jinja
