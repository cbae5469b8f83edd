#pragma once

#include "base/result.h"
#include "measure/ledger.h"

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace kvasir::cli {

using Json = nlohmann::ordered_json;

/// Writes to standard output. Cancelled: nobody reads it any more; FileUnwritable: it can not take more.
Result<void> print(std::string_view text);
/// One JSON object on one line. Text that is not UTF-8 is replaced where it is broken.
Result<void> printJson(const Json& object);
/// Writes to standard error, for people.
void note(std::string_view text);

bool standardOutputIsTerminal();
bool standardErrorIsTerminal();
bool standardInputIsTerminal();
/// Standard output is a terminal that shows dim and coloured text, and nobody asked for plain text by NO_COLOR.
bool standardOutputHasStyles();

/// A float as the double with the shortest decimal form, so that JSON shows 0.1 and not 0.10000000149011612.
double shortest(float value);

std::string bytesText(double bytes);                           ///< "1.25 GiB"
std::string countText(double count);                           ///< "1,234,567"
std::string rateText(double perSecond, std::string_view unit); ///< "312 tok/s", "31.2 GB/s" where unit is "B/s"
std::string millisecondsText(double milliseconds);             ///< "12.3 ms", "1.23 s"
std::string fixed(double value, int digits);

/// Columns as wide as their widest cell; those that hold only numbers, with or without a unit, to the right. The first
/// row is a head.
std::string table(const std::vector<std::vector<std::string>>& rows);

/// The contract's `memory` object: the ledger and what the system says.
Json memoryJson(const MemoryUse& use);

/// One line on standard error that tells how far something is; drawn over itself on a terminal.
class ProgressLine {
public:
    /// Quiet unless standard error is a terminal, or `wanted`.
    explicit ProgressLine(bool wanted);
    ~ProgressLine() { clear(); }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    void show(std::string_view what, double fraction);
    void clear();

private:
    bool m_enabled;
    bool m_overdraws;
    bool m_visible = false;
    int m_lastPercent = -1;
    std::string m_lastWhat;
};

} // namespace kvasir::cli
