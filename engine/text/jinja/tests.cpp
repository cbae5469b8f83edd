#include "text/jinja/filters.h"
#include "text/jinja/methods.h"
#include "text/jinja/operations.h"
#include "text/jinja/printing.h"

#include <algorithm>

namespace kvasir::jinja {

using Kind = Value::Kind;

namespace {

template <Kind kind> bool isKind(Sandbox&, const Value& input, const Arguments&)
{
    return input.is(kind);
}

const Value& operand(Sandbox& sandbox, const Arguments& arguments)
{
    static const Value none;
    if (arguments.positional.empty()) {
        sandbox.fail("the test needs a value to compare with");
        return none;
    }
    return arguments.positional[0];
}

bool equals(Sandbox& sandbox, const Value& input, const Arguments& a)
{
    return isEqual(sandbox, input, operand(sandbox, a));
}
bool differs(Sandbox& sandbox, const Value& input, const Arguments& a)
{
    return !equals(sandbox, input, a);
}
bool isLessThan(Sandbox& sandbox, const Value& input, const Arguments& a)
{
    return isLess(sandbox, input, operand(sandbox, a));
}
bool isGreaterThan(Sandbox& sandbox, const Value& input, const Arguments& a)
{
    return isLess(sandbox, operand(sandbox, a), input);
}
bool isAtMost(Sandbox& sandbox, const Value& input, const Arguments& a)
{
    return !isGreaterThan(sandbox, input, a);
}
bool isAtLeast(Sandbox& sandbox, const Value& input, const Arguments& a)
{
    return !isLessThan(sandbox, input, a);
}

bool isDivisible(Sandbox& sandbox, const Value& input, int64_t by)
{
    if (!input.is(Kind::Integer) && !input.is(Kind::Boolean)) {
        sandbox.fail("the test needs a whole number");
        return false;
    }
    return by == -1 || (by != 0 && input.integerValue() % by == 0);
}

bool hasOneCase(Sandbox& sandbox, const Value& input, std::string_view method)
{
    return callMethod(sandbox, sandbox.string(toText(sandbox, input)), method, {}).isTrue();
}

struct NamedTest {
    std::string_view name;
    TestFunction function;
};

constexpr NamedTest kTests[] = {
    {"boolean", isKind<Kind::Boolean>},
    {"callable", isKind<Kind::Function>},
    {"defined", [](Sandbox&, const Value& input, const Arguments&) { return !input.isUndefined(); }},
    {"divisibleby",
        [](Sandbox& sandbox, const Value& input, const Arguments& a) {
            const Value& by = operand(sandbox, a);
            return by.is(Kind::Integer) && isDivisible(sandbox, input, by.integerValue());
        }},
    {"eq", equals},
    {"equalto", equals},
    {"even", [](Sandbox& sandbox, const Value& input, const Arguments&) { return isDivisible(sandbox, input, 2); }},
    {"false",
        [](Sandbox&, const Value& input, const Arguments&) {
            return input.is(Kind::Boolean) && !input.booleanValue();
        }},
    {"filter",
        [](Sandbox&, const Value& input, const Arguments&) {
            return input.is(Kind::String) && findFilter(input.bytes()) != nullptr;
        }},
    {"float", isKind<Kind::Real>},
    {"ge", isAtLeast},
    {"greaterthan", isGreaterThan},
    {"gt", isGreaterThan},
    {"in",
        [](Sandbox& sandbox, const Value& input, const Arguments& a) {
            return contains(sandbox, operand(sandbox, a), input);
        }},
    {"integer", isKind<Kind::Integer>},
    {"iterable",
        [](Sandbox&, const Value& input, const Arguments&) {
            return input.is(Kind::String) || input.is(Kind::List) || input.isUndefined()
                || (input.is(Kind::Dict) && !input.dict()->isNamespace);
        }},
    {"le", isAtMost},
    {"lessthan", isLessThan},
    {"lower",
        [](Sandbox& sandbox, const Value& input, const Arguments&) { return hasOneCase(sandbox, input, "islower"); }},
    {"lt", isLessThan},
    {"mapping",
        [](Sandbox&, const Value& input, const Arguments&) {
            return input.is(Kind::Dict) && !input.dict()->isNamespace;
        }},
    {"ne", differs},
    {"none", isKind<Kind::None>},
    {"number", [](Sandbox&, const Value& input, const Arguments&) { return input.isNumber(); }},
    {"odd",
        [](Sandbox& sandbox, const Value& input, const Arguments&) {
            return !isDivisible(sandbox, input, 2) && !sandbox.failed();
        }},
    {"sameas",
        [](Sandbox& sandbox, const Value& input, const Arguments& a) {
            const Value& other = operand(sandbox, a);
            return input.kind() == other.kind() && isSameScalar(input, other);
        }},
    {"sequence",
        [](Sandbox&, const Value& input, const Arguments&) {
            return input.is(Kind::String) || input.is(Kind::List) || input.isUndefined()
                || (input.is(Kind::Dict) && !input.dict()->isNamespace);
        }},
    {"string", isKind<Kind::String>},
    {"test",
        [](Sandbox&, const Value& input, const Arguments&) {
            return input.is(Kind::String) && findTest(input.bytes()) != nullptr;
        }},
    {"true",
        [](Sandbox&, const Value& input, const Arguments&) { return input.is(Kind::Boolean) && input.booleanValue(); }},
    {"undefined", isKind<Kind::Undefined>},
    {"upper",
        [](Sandbox& sandbox, const Value& input, const Arguments&) { return hasOneCase(sandbox, input, "isupper"); }},
};

} // namespace

TestFunction findTest(std::string_view name)
{
    const auto found = std::ranges::find(kTests, name, &NamedTest::name);
    return found == std::end(kTests) ? nullptr : found->function;
}

} // namespace kvasir::jinja
