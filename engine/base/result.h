#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace kvasir {

/// What went wrong, for a program to act on. The sentence for a person is made by the app from code and parameters.
enum class ErrorCode {
    FileNotFound, ///< path
    FileUnreadable, ///< path, reason
    FileUnwritable, ///< path, reason
    NotAModelFile, ///< path: the file is of another kind
    Truncated, ///< path, what: the file ends before it should
    Malformed, ///< path, what: the file contradicts itself
    Unsupported, ///< what (feature), name: known to exist, not known to us
    MissingMetadata, ///< path, key
    MissingTensor, ///< path, name
    BadTokenizer, ///< what
    BadTemplate, ///< what, line, column
    TemplateLimit, ///< what (steps, depth, output)
    OutOfMemory, ///< what, need, have (bytes)
    ContextTooSmall, ///< need, have (tokens)
    NotFinite, ///< what: a number became NaN or infinite
    BadArgument, ///< what, value
    Cancelled,
    Internal, ///< what: a bug, caught at the border
};

struct Error {
    ErrorCode code = ErrorCode::Internal;
    std::vector<std::pair<std::string, std::string>> parameters; ///< named as the code's comment says
    std::string detail; ///< one English sentence without a full stop: the cause and, where there is one, the way out

    std::string_view parameter(std::string_view name) const
    {
        for (const auto& [key, value] : parameters) {
            if (key == name) {
                return value;
            }
        }
        return {};
    }
};

/// Carries an error into any Result; the counterpart of std::unexpected.
struct Failure {
    Error error;
};

inline Failure fail(ErrorCode code, std::string detail,
    std::initializer_list<std::pair<std::string, std::string>> parameters = {})
{
    return {Error{code, {parameters.begin(), parameters.end()}, std::move(detail)}};
}

/// A value or the reason why there is none: std::expected's names, which GCC 12 lacks.
template <class T> class [[nodiscard]] Result {
public:
    Result(T value)
        : m_state(std::in_place_index<0>, std::move(value))
    {
    }
    Result(Failure failure)
        : m_state(std::in_place_index<1>, std::move(failure.error))
    {
    }

    bool has_value() const { return m_state.index() == 0; }
    explicit operator bool() const { return has_value(); }
    T& value() & { return std::get<0>(m_state); }
    const T& value() const& { return std::get<0>(m_state); }
    T&& value() && { return std::get<0>(std::move(m_state)); }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }
    const Error& error() const& { return std::get<1>(m_state); }
    Error&& error() && { return std::get<1>(std::move(m_state)); }

private:
    std::variant<T, Error> m_state;
};

template <> class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Failure failure)
        : m_error(std::move(failure.error))
    {
    }

    bool has_value() const { return !m_error; }
    explicit operator bool() const { return has_value(); }
    const Error& error() const& { return *m_error; }
    Error&& error() && { return std::move(*m_error); }

private:
    std::optional<Error> m_error;
};

} // namespace kvasir

/// Leaves the calling function with the error of `result`, if it holds one.
#define KVASIR_TRY(result)                                                                                             \
    do {                                                                                                               \
        if (auto&& kvasirTried = (result); !kvasirTried) {                                                             \
            return ::kvasir::Failure {std::move(kvasirTried).error()};                                                 \
        }                                                                                                              \
    } while (false)
