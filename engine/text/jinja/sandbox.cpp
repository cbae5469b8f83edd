#include "text/jinja/sandbox.h"

#include <algorithm>

namespace kvasir::jinja {

Sandbox::~Sandbox()
{
    for (const Value& value : m_kept) {
        if (value.is(Value::Kind::Dict)) {
            value.dict()->entries.clear();
        } else {
            value.list()->items.clear();
        }
    }
}

bool Sandbox::admits(size_t bytes)
{
    if (bytes > m_limits.memoryBytes || m_budget.live() + bytes > m_limits.memoryBytes) {
        exceed("memory");
    }
    return !failed();
}

Value Sandbox::fail(std::string what)
{
    if (!m_error) {
        const std::string line = std::to_string(at.line);
        const std::string column = std::to_string(at.column);
        m_error =
            kvasir::fail(ErrorCode::BadTemplate, "chat template, line " + line + ", column " + column + ": " + what,
                {{"what", what}, {"line", line}, {"column", column}})
                .error;
    }
    return {};
}

Value Sandbox::exceed(std::string_view what)
{
    if (!m_error) {
        const std::string line = std::to_string(at.line);
        const std::string column = std::to_string(at.column);
        m_error = kvasir::fail(ErrorCode::TemplateLimit,
            "chat template, line " + line + ", column " + column + ": the limit of " + std::string(what) + " is met",
            {{"what", std::string(what)}, {"line", line}, {"column", column}})
                      .error;
    }
    return {};
}

Value Sandbox::string(Text text, bool isSafe)
{
    auto result = std::make_shared<String>();
    result->text = std::move(text);
    result->isSafe = isSafe;
    const size_t bytes = sizeof(String) + result->text.footprint();
    if (!admits(bytes)) {
        return {};
    }
    result->charge.set(&m_budget, bytes);
    return Value(std::shared_ptr<const String>(std::move(result)));
}

Value Sandbox::list(std::vector<Value> items, bool isTuple)
{
    const size_t bytes = sizeof(List) + items.size() * sizeof(Value);
    if (!spend(1 + items.size() / 8) || !admits(bytes)) {
        return {};
    }
    auto result = std::make_shared<List>();
    for (const Value& item : items) {
        result->depth = std::max(result->depth, item.depth() + 1);
    }
    if (result->depth > static_cast<uint32_t>(m_limits.valueDepth)) {
        return exceed("depth");
    }
    result->items = std::move(items);
    result->isTuple = isTuple;
    result->charge.set(&m_budget, bytes);
    return Value(std::move(result));
}

Value Sandbox::dict(std::vector<std::pair<Value, Value>> entries, bool isNamespace)
{
    auto result = std::make_shared<Dict>();
    result->isNamespace = isNamespace;
    Value value(result);
    if (isNamespace) {
        keepUntilEnd(value);
    }
    for (auto& [key, item] : entries) {
        set(*result, std::move(key), std::move(item));
    }
    result->charge.set(&m_budget, sizeof(Dict) + result->entries.size() * sizeof(Value) * 2);
    return failed() || !admits(0) ? Value() : value;
}

Value Sandbox::function(Function function)
{
    return Value(std::make_shared<const Function>(std::move(function)));
}

void Sandbox::append(const std::shared_ptr<List>& target, Value item)
{
    List& list = *target;
    if (!list.isKept) {
        list.isKept = true;
        keepUntilEnd(Value(target));
    }
    list.depth = std::max(list.depth, item.depth() + 1);
    if (list.depth > static_cast<uint32_t>(m_limits.valueDepth)) {
        exceed("depth");
        return;
    }
    if (admits(sizeof(Value))) {
        list.items.push_back(std::move(item));
        list.charge.set(&m_budget, sizeof(List) + list.items.size() * sizeof(Value));
    }
}

void Sandbox::set(Dict& dict, Value key, Value value)
{
    if (key.is(Value::Kind::List) || key.is(Value::Kind::Dict)) {
        fail("a " + std::string(key.kindName()) + " cannot be a key");
        return;
    }
    if (!spend(1 + dict.entries.size() / 8) || !admits(2 * sizeof(Value))) {
        return;
    }
    const size_t before = dict.entries.size();
    dict.set(std::move(key), std::move(value));
    if (dict.depth > static_cast<uint32_t>(m_limits.valueDepth)) {
        exceed("depth");
    } else if (dict.entries.size() != before) {
        dict.charge.set(&m_budget, sizeof(Dict) + dict.entries.size() * sizeof(Value) * 2);
    }
}

void Sandbox::keepUntilEnd(const Value& changed)
{
    if (admits((m_kept.size() + 1) * sizeof(Value))) {
        m_kept.push_back(changed);
    }
}

bool TextBuilder::fits(size_t bytes)
{
    const size_t size = m_text.size() + bytes;
    const bool isOutput = m_purpose == Purpose::Output;
    if (size > (isOutput ? m_sandbox.limits().outputBytes : m_sandbox.limits().textBytes)) {
        m_sandbox.exceed(isOutput ? "output" : "memory");
        return false;
    }
    return m_sandbox.spendBytes(bytes);
}

} // namespace kvasir::jinja
