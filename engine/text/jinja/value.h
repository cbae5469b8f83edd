#pragma once

#include "text/jinja/text.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace kvasir::jinja {

class Budget;
struct Statement;
struct Frame;
struct Dict;
struct Function;
struct List;
struct LoopState;
struct String;

/// A value of the template language, with Python's kinds. Copies share lists, dicts and namespaces, as in Python.
class Value {
public:
    /// The order is the order of the alternatives below.
    enum class Kind { Undefined, None, Boolean, Integer, Real, String, List, Dict, Function, Loop };

    Value() = default; ///< undefined
    /// Undefined, with the name that was looked for; it must outlive the value.
    static Value undefined(const std::string& name) { return Value(std::in_place_index<0>, &name); }
    static Value none() { return Value(std::in_place_index<1>); }
    static Value boolean(bool value) { return Value(std::in_place_index<2>, value); }
    static Value integer(int64_t value) { return Value(std::in_place_index<3>, value); }
    static Value real(double value) { return Value(std::in_place_index<4>, value); }
    explicit Value(std::shared_ptr<const String> value)
        : m_storage(std::move(value))
    {
    }
    explicit Value(std::shared_ptr<List> value)
        : m_storage(std::move(value))
    {
    }
    explicit Value(std::shared_ptr<Dict> value)
        : m_storage(std::move(value))
    {
    }
    explicit Value(std::shared_ptr<const Function> value)
        : m_storage(std::move(value))
    {
    }
    explicit Value(std::shared_ptr<LoopState> value)
        : m_storage(std::move(value))
    {
    }

    Kind kind() const { return static_cast<Kind>(m_storage.index()); }
    bool is(Kind kind) const { return this->kind() == kind; }
    bool isUndefined() const { return is(Kind::Undefined); }
    bool isNumber() const { return is(Kind::Integer) || is(Kind::Real) || is(Kind::Boolean); }

    // Each of these needs the right kind; integerValue() takes booleans, realValue() every number.
    const std::string* missingName() const { return std::get<0>(m_storage); }
    bool booleanValue() const { return std::get<2>(m_storage); }
    int64_t integerValue() const { return is(Kind::Boolean) ? booleanValue() : std::get<3>(m_storage); }
    double realValue() const { return is(Kind::Real) ? std::get<4>(m_storage) : static_cast<double>(integerValue()); }
    const Text& text() const;
    const std::string& bytes() const { return text().bytes(); }
    /// A string that is HTML already: what is joined to it gets escaped.
    bool isSafe() const;
    const std::shared_ptr<List>& list() const { return std::get<6>(m_storage); }
    const std::shared_ptr<Dict>& dict() const { return std::get<7>(m_storage); }
    const Function& function() const { return *std::get<8>(m_storage); }
    const std::shared_ptr<LoopState>& loop() const { return std::get<9>(m_storage); }

    /// How deep lists and dicts are nested in it; bounded, so that walking a value needs a bounded stack.
    uint32_t depth() const;
    bool isTrue() const;
    /// "string", "integer", ...
    std::string_view kindName() const;

private:
    struct NoneTag { };
    using Storage = std::variant<const std::string*, NoneTag, bool, int64_t, double, std::shared_ptr<const String>,
        std::shared_ptr<List>, std::shared_ptr<Dict>, std::shared_ptr<const Function>, std::shared_ptr<LoopState>>;

    template <size_t index, class... Arguments>
    explicit Value(std::in_place_index_t<index> place, Arguments&&... arguments)
        : m_storage(place, std::forward<Arguments>(arguments)...)
    {
    }

    Storage m_storage{std::in_place_index<0>, nullptr};
};

/// Memory that a value takes out of a rendering's budget for as long as it lives.
class Charge {
public:
    Charge() = default;
    Charge(const Charge&) = delete;
    Charge& operator=(const Charge&) = delete;
    ~Charge() { set(nullptr, 0); }

    /// Replaces the charge; null charges nobody (constants of the program).
    void set(Budget* budget, size_t bytes);

private:
    Budget* m_budget = nullptr;
    size_t m_bytes = 0;
};

/// Live bytes of all values of one rendering. It must outlive them.
class Budget {
public:
    size_t live() const { return m_live; }

private:
    friend class Charge;
    size_t m_live = 0;
};

struct String {
    Text text;
    bool isSafe = false; ///< see Value::isSafe()
    Charge charge;
};

struct List {
    std::vector<Value> items;
    bool isTuple = false;
    bool isKept = false; ///< by the sandbox, since it was changed
    uint32_t depth = 1;
    Charge charge;
};

/// Keeps the order of insertion. Keys are scalars, and few: looking one up is a walk.
struct Dict {
    std::vector<std::pair<Value, Value>> entries;
    bool isNamespace = false; ///< the one kind whose members a template may set
    uint32_t depth = 1;
    Charge charge;

    const Value* find(std::string_view key) const; ///< null where there is none
    const Value* find(const Value& key) const;
    void set(Value key, Value value);
};

struct Function {
    enum class Kind { Range, Namespace, Dict, RaiseException, StrftimeNow, Joiner, Macro, Caller };

    Kind kind = Kind::Range;
    std::string name;
    const Statement* definition = nullptr; ///< Macro, Caller
    std::weak_ptr<Frame> scope;            ///< where it was defined; gone: the outermost
    std::vector<Value> bound;              ///< Joiner: its separator
    mutable size_t calls = 0;              ///< Joiner
};

struct LoopState {
    std::shared_ptr<List> items;
    size_t index = 0;
    int depth = 1;
    const Statement* statement = nullptr;
    std::weak_ptr<Frame> scope; ///< around the loop, for its recursion
    Value changed;              ///< what loop.changed() saw last
    bool hasChanged = false;
};

/// Equality as == of values that are no lists or dicts: numbers by value, 1 == true. Lists and dicts equal themselves
/// only.
bool isSameScalar(const Value& left, const Value& right);

} // namespace kvasir::jinja
