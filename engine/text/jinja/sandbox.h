#pragma once

#include "base/result.h"
#include "text/jinja/value.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kvasir::jinja {

/// Where something stands in a template; both count from 1, columns in characters.
struct Position {
    uint32_t line = 1;
    uint32_t column = 1;
};

/// Bounds of one rendering. They stop runaway templates in a fraction of a second; a long conversation with many tools
/// stays far below.
struct Limits {
    size_t steps = 2'000'000; ///< expressions and statements; long texts count by their bytes
    int depth = 600;      ///< nesting of statements, expressions and macro calls; about half a kilobyte of stack each
    int valueDepth = 200; ///< nesting of lists and dicts
    size_t outputBytes = size_t(4) << 20;
    size_t memoryBytes = size_t(64) << 20; ///< all live values together
    size_t textBytes = size_t(16) << 20;   ///< one string
};

/// What a rendering may use, what it has used, and the first thing that went wrong. After an error everything goes on
/// harmlessly with undefined values until the renderer notices.
class Sandbox {
public:
    Sandbox() = default;
    explicit Sandbox(Limits limits)
        : m_limits(limits)
    {
    }
    Sandbox(const Sandbox&) = delete;
    Sandbox& operator=(const Sandbox&) = delete;
    ~Sandbox();

    const Limits& limits() const { return m_limits; }
    bool failed() const { return m_error.has_value(); }
    const std::optional<Error>& error() const { return m_error; }

    /// Where the template is now, for messages.
    Position at;
    /// For strftime_now: "2026-11-29T12:00:00"; empty: the clock.
    std::string now;

    /// Counts work; false once there has been an error.
    bool spend(size_t steps = 1)
    {
        m_steps += steps;
        if (m_steps > m_limits.steps) {
            exceed("steps");
        }
        return !m_error;
    }
    /// Counts work on a text.
    bool spendBytes(size_t bytes) { return spend(1 + bytes / kBytesPerStep); }
    /// Counts one step of a walk into nested values; false where it goes too deep.
    bool admitsDepth(int depth)
    {
        if (depth > m_limits.valueDepth) {
            exceed("depth");
        }
        return spend();
    }
    /// Whether `bytes` more would still be within the limits; an error if not.
    bool admits(size_t bytes);

    /// Records an error of the template and yields undefined.
    Value fail(std::string what);
    /// Records that a limit was met ("steps", "depth", "output", "memory") and yields undefined.
    Value exceed(std::string_view what);

    Value string(Text text, bool isSafe = false);
    Value string(const char* bytes) { return string(Text(bytes, true)); }
    Value string(const std::string& bytes) { return string(Text(bytes, true)); }
    Value list(std::vector<Value> items, bool isTuple = false);
    Value dict(std::vector<std::pair<Value, Value>> entries = {}, bool isNamespace = false);
    Value function(Function function);

    // Changing what exists; fails where the value would grow too deep or too large.
    void append(const std::shared_ptr<List>& list, Value item);
    void set(Dict& dict, Value key, Value value);

private:
    /// Lists and namespaces that are changed may hold themselves: they are emptied when the rendering ends.
    void keepUntilEnd(const Value& changed);

    // A character of text costs about a hundredth of an expression.
    static constexpr size_t kBytesPerStep = 64;

    Limits m_limits;
    size_t m_steps = 0;
    Budget m_budget;
    std::optional<Error> m_error;
    std::vector<Value> m_kept;
};

/// Collects a text within the limits of a sandbox.
class TextBuilder {
public:
    enum class Purpose { Value, Output };

    explicit TextBuilder(Sandbox& sandbox, Purpose purpose = Purpose::Value)
        : m_sandbox(sandbox)
        , m_purpose(purpose)
    {
    }

    void add(std::string_view bytes, bool trusted = true)
    {
        if (fits(bytes.size())) {
            m_text.append(bytes, trusted);
        }
    }
    void add(const Text& text, size_t begin = 0, size_t end = SIZE_MAX)
    {
        end = std::min(end, text.size());
        if (begin < end && fits(end - begin)) {
            m_text.append(text, begin, end);
        }
    }
    const Text& text() const { return m_text; }
    Text take() { return std::move(m_text); }
    /// The text as a value.
    Value finish() { return m_sandbox.string(take()); }

private:
    bool fits(size_t bytes);

    Sandbox& m_sandbox;
    Purpose m_purpose;
    Text m_text;
};

} // namespace kvasir::jinja
