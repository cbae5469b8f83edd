#include "text/jinja/value.h"

#include <algorithm>

namespace kvasir::jinja {

void Charge::set(Budget* budget, size_t bytes)
{
    if (m_budget) {
        m_budget->m_live -= m_bytes;
    }
    m_budget = budget;
    m_bytes = bytes;
    if (m_budget) {
        m_budget->m_live += m_bytes;
    }
}

const Text& Value::text() const
{
    return std::get<5>(m_storage)->text;
}

bool Value::isSafe() const
{
    return is(Kind::String) && std::get<5>(m_storage)->isSafe;
}

uint32_t Value::depth() const
{
    return is(Kind::List) ? list()->depth : is(Kind::Dict) ? dict()->depth : 0;
}

bool Value::isTrue() const
{
    switch (kind()) {
    case Kind::Undefined:
    case Kind::None:
        return false;
    case Kind::Boolean:
    case Kind::Integer:
        return integerValue() != 0;
    case Kind::Real:
        return realValue() != 0;
    case Kind::String:
        return !text().empty();
    case Kind::List:
        return !list()->items.empty();
    case Kind::Dict:
        return dict()->isNamespace || !dict()->entries.empty();
    case Kind::Function:
    case Kind::Loop:
        return true;
    }
    return false;
}

std::string_view Value::kindName() const
{
    constexpr std::string_view names[] = {
        "undefined", "none", "boolean", "integer", "float", "string", "list", "dict", "function", "loop"};
    return names[m_storage.index()];
}

const Value* Dict::find(std::string_view key) const
{
    const auto found = std::ranges::find_if(
        entries, [&](const auto& entry) { return entry.first.is(Value::Kind::String) && entry.first.bytes() == key; });
    return found == entries.end() ? nullptr : &found->second;
}

const Value* Dict::find(const Value& key) const
{
    const auto found = std::ranges::find_if(entries, [&](const auto& entry) { return isSameScalar(entry.first, key); });
    return found == entries.end() ? nullptr : &found->second;
}

void Dict::set(Value key, Value value)
{
    depth = std::max({depth, value.depth() + 1, key.depth() + 1});
    if (const Value* known = find(key)) {
        *const_cast<Value*>(known) = std::move(value);
    } else {
        entries.emplace_back(std::move(key), std::move(value));
    }
}

bool isSameScalar(const Value& left, const Value& right)
{
    if (left.isNumber() && right.isNumber()) {
        const bool real = left.is(Value::Kind::Real) || right.is(Value::Kind::Real);
        return real ? left.realValue() == right.realValue() : left.integerValue() == right.integerValue();
    }
    if (left.kind() != right.kind()) {
        return false;
    }
    switch (left.kind()) {
    case Value::Kind::Undefined:
    case Value::Kind::None:
        return true;
    case Value::Kind::String:
        return left.bytes() == right.bytes();
    case Value::Kind::List:
        return left.list() == right.list();
    case Value::Kind::Dict:
        return left.dict() == right.dict();
    case Value::Kind::Function:
        return &left.function() == &right.function();
    default:
        return left.loop() == right.loop();
    }
}

} // namespace kvasir::jinja
