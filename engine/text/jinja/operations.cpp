#include "text/jinja/operations.h"

#include "text/jinja/access.h"
#include "text/jinja/printing.h"

#include <algorithm>
#include <cmath>

namespace kvasir::jinja {

using Kind = Value::Kind;
using Operation = Expression::Operation;

namespace {

Value failOrder(Sandbox& sandbox, const Value& left, const Value& right)
{
    return sandbox.fail(
        "'" + std::string(left.kindName()) + "' and '" + std::string(right.kindName()) + "' cannot be ordered");
}

Value calculateIntegers(Sandbox& sandbox, Operation operation, int64_t left, int64_t right)
{
    int64_t result = 0;
    bool overflows = false;
    switch (operation) {
    case Operation::Add:
        overflows = __builtin_add_overflow(left, right, &result);
        break;
    case Operation::Subtract:
        overflows = __builtin_sub_overflow(left, right, &result);
        break;
    case Operation::Multiply:
        overflows = __builtin_mul_overflow(left, right, &result);
        break;
    case Operation::FloorDivide:
    case Operation::Modulo: {
        if (right == 0) {
            return sandbox.fail("division by zero");
        }
        if (right == -1) { // the one quotient that may not fit
            overflows = operation == Operation::FloorDivide && __builtin_sub_overflow(int64_t(0), left, &result);
            break;
        }
        const bool isUneven = left % right != 0 && (left < 0) != (right < 0);
        result = operation == Operation::FloorDivide ? left / right - isUneven : left % right + (isUneven ? right : 0);
        break;
    }
    case Operation::Power:
        if (right < 0) {
            return Value::real(std::pow(static_cast<double>(left), static_cast<double>(right)));
        }
        result = 1;
        for (int64_t base = left; right > 0 && !overflows; right >>= 1) {
            if (right & 1) {
                overflows = __builtin_mul_overflow(result, base, &result);
            }
            if (right > 1) {
                overflows = __builtin_mul_overflow(base, base, &base) || overflows;
            }
        }
        break;
    default:
        break;
    }
    return overflows ? sandbox.fail("a number is too large") : Value::integer(result);
}

Value calculateReals(Sandbox& sandbox, Operation operation, double left, double right)
{
    switch (operation) {
    case Operation::Add:
        return Value::real(left + right);
    case Operation::Subtract:
        return Value::real(left - right);
    case Operation::Multiply:
        return Value::real(left * right);
    case Operation::Power:
        return Value::real(std::pow(left, right));
    default:
        break;
    }
    if (right == 0) {
        return sandbox.fail("division by zero");
    }
    if (operation == Operation::Divide) {
        return Value::real(left / right);
    }
    if (operation == Operation::FloorDivide) {
        return Value::real(std::floor(left / right));
    }
    const double rest = std::fmod(left, right);
    return Value::real(rest != 0 && (rest < 0) != (right < 0) ? rest + right : rest);
}

/// Both as strings; if one of them is HTML, the other is escaped.
Value joinStrings(Sandbox& sandbox, const Value& left, const Value& right)
{
    const bool isSafe = left.isSafe() || right.isSafe();
    TextBuilder out(sandbox);
    for (const Value* value : {&left, &right}) {
        if (isSafe && !value->isSafe()) {
            appendEscaped(out, toText(sandbox, *value));
        } else {
            appendString(out, sandbox, *value);
        }
    }
    return sandbox.string(out.take(), isSafe);
}

Value repeat(Sandbox& sandbox, const Value& value, int64_t count)
{
    count = std::max<int64_t>(count, 0);
    if (value.is(Kind::String)) {
        TextBuilder out(sandbox);
        for (int64_t i = 0; i < count && !sandbox.failed() && !value.text().empty(); ++i) {
            out.add(value.text());
        }
        return out.finish();
    }
    const std::vector<Value>& items = value.list()->items;
    std::vector<Value> result;
    for (int64_t i = 0; i < count && !items.empty(); ++i) {
        if (!sandbox.spend(items.size()) || !sandbox.admits((result.size() + items.size()) * sizeof(Value))) {
            return {};
        }
        result.insert(result.end(), items.begin(), items.end());
    }
    return sandbox.list(std::move(result), value.list()->isTuple);
}

std::string_view symbolOf(Operation operation)
{
    constexpr std::string_view symbols[] = {"+", "-", "*", "/", "//", "%", "**", "~"};
    return symbols[static_cast<size_t>(operation)];
}

} // namespace

bool isEqual(Sandbox& sandbox, const Value& left, const Value& right, int depth)
{
    if (!sandbox.admitsDepth(depth)) {
        return false;
    }
    if (left.is(Kind::List) && right.is(Kind::List) && left.list() != right.list()) {
        const List& a = *left.list();
        const List& b = *right.list();
        return a.isTuple == b.isTuple && std::ranges::equal(a.items, b.items, [&](const Value& x, const Value& y) {
            return isEqual(sandbox, x, y, depth + 1);
        });
    }
    if (left.is(Kind::Dict) && right.is(Kind::Dict) && left.dict() != right.dict()) {
        const Dict& a = *left.dict();
        const Dict& b = *right.dict();
        return !a.isNamespace && !b.isNamespace && a.entries.size() == b.entries.size()
            && std::ranges::all_of(a.entries, [&](const auto& entry) {
                   sandbox.spend(b.entries.size() / 8);
                   const Value* other = b.find(entry.first);
                   return other && isEqual(sandbox, entry.second, *other, depth + 1);
               });
    }
    if (left.is(Kind::String)) {
        sandbox.spendBytes(left.text().size());
    }
    return isSameScalar(left, right);
}

bool isLess(Sandbox& sandbox, const Value& left, const Value& right, int depth)
{
    if (!sandbox.admitsDepth(depth)) {
        return false;
    }
    if (left.isNumber() && right.isNumber()) {
        const bool real = left.is(Kind::Real) || right.is(Kind::Real);
        return real ? left.realValue() < right.realValue() : left.integerValue() < right.integerValue();
    }
    if (left.is(Kind::String) && right.is(Kind::String)) {
        sandbox.spendBytes(std::min(left.text().size(), right.text().size()));
        return left.bytes() < right.bytes(); // UTF-8 keeps the order of code points
    }
    if (left.is(Kind::List) && right.is(Kind::List)) {
        const std::vector<Value>& a = left.list()->items;
        const std::vector<Value>& b = right.list()->items;
        for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
            if (!isEqual(sandbox, a[i], b[i], depth + 1)) {
                return isLess(sandbox, a[i], b[i], depth + 1);
            }
        }
        return a.size() < b.size();
    }
    failOrder(sandbox, left, right);
    return false;
}

bool contains(Sandbox& sandbox, const Value& container, const Value& item)
{
    switch (container.kind()) {
    case Kind::Undefined:
        return false;
    case Kind::String:
        if (!item.is(Kind::String)) {
            sandbox.fail("'in' needs a string on its left side, not '" + std::string(item.kindName()) + "'");
            return false;
        }
        sandbox.spendBytes(container.text().size());
        return container.bytes().find(item.bytes()) != std::string::npos;
    case Kind::List:
        return std::ranges::any_of(container.list()->items,
            [&](const Value& value) { return !sandbox.failed() && isEqual(sandbox, value, item); });
    case Kind::Dict:
        sandbox.spend(1 + container.dict()->entries.size() / 8);
        return container.dict()->find(item) != nullptr;
    default:
        sandbox.fail("'in' cannot look into '" + std::string(container.kindName()) + "'");
        return false;
    }
}

Value calculate(Sandbox& sandbox, Operation operation, const Value& left, const Value& right)
{
    if (operation == Operation::Concatenate) {
        return joinStrings(sandbox, left, right);
    }
    if (left.isUndefined() || right.isUndefined()) {
        return failMissing(sandbox, left.isUndefined() ? left : right);
    }
    if (left.isNumber() && right.isNumber()) {
        const bool real = left.is(Kind::Real) || right.is(Kind::Real) || operation == Operation::Divide;
        return real ? calculateReals(sandbox, operation, left.realValue(), right.realValue())
                    : calculateIntegers(sandbox, operation, left.integerValue(), right.integerValue());
    }
    const auto isSequence = [](const Value& value) { return value.is(Kind::String) || value.is(Kind::List); };
    if (operation == Operation::Add && left.is(Kind::String) && right.is(Kind::String)) {
        return joinStrings(sandbox, left, right);
    }
    if (operation == Operation::Add && left.is(Kind::List) && right.is(Kind::List)) {
        std::vector<Value> items = left.list()->items;
        items.insert(items.end(), right.list()->items.begin(), right.list()->items.end());
        return sandbox.list(std::move(items), left.list()->isTuple);
    }
    if (operation == Operation::Multiply && isSequence(left) && right.is(Kind::Integer)) {
        return repeat(sandbox, left, right.integerValue());
    }
    if (operation == Operation::Multiply && left.is(Kind::Integer) && isSequence(right)) {
        return repeat(sandbox, right, left.integerValue());
    }
    if (operation == Operation::Modulo && left.is(Kind::String)) {
        const bool isTuple = right.is(Kind::List) && right.list()->isTuple;
        return formatPercent(sandbox, left.text(), isTuple ? right.list()->items : std::vector<Value>{right});
    }
    return sandbox.fail("'" + std::string(symbolOf(operation)) + "' does not take '" + std::string(left.kindName())
        + "' and '" + std::string(right.kindName()) + "'");
}

void sortBy(Sandbox& sandbox, std::vector<Value>& values, const std::vector<Value>& keys, bool reverse)
{
    std::vector<size_t> order(values.size());
    for (size_t i = 0; i < order.size(); ++i) {
        order[i] = i;
    }
    std::vector<size_t> merged(order.size());
    for (size_t width = 1; width < order.size() && !sandbox.failed(); width *= 2) {
        for (size_t begin = 0; begin < order.size(); begin += 2 * width) {
            size_t left = begin;
            const size_t middle = std::min(begin + width, order.size());
            size_t right = middle;
            const size_t end = std::min(begin + 2 * width, order.size());
            for (size_t out = begin; out < end; ++out) {
                const bool takeRight = right < end
                    && (left >= middle
                        || (reverse ? isLess(sandbox, keys[order[left]], keys[order[right]])
                                    : isLess(sandbox, keys[order[right]], keys[order[left]])));
                merged[out] = order[takeRight ? right++ : left++];
            }
        }
        order.swap(merged);
    }
    std::vector<Value> sorted;
    sorted.reserve(values.size());
    for (const size_t index : order) {
        sorted.push_back(values[index]);
    }
    values = std::move(sorted);
}

} // namespace kvasir::jinja
