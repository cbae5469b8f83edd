#include "text/jinja/access.h"

#include "base/utf8.h"

#include <algorithm>

namespace kvasir::jinja {

using Kind = Value::Kind;

namespace {

/// One of Python's slice bounds, put into [low, high].
int64_t clampIndex(int64_t index, int64_t length, int64_t low, int64_t high)
{
    return std::clamp(index < 0 ? index + length : index, low, high);
}

} // namespace

Value fromJson(Sandbox& sandbox, const nlohmann::ordered_json& json, int depth)
{
    if (!sandbox.admitsDepth(depth + 1)) {
        return {};
    }
    using Json = nlohmann::ordered_json::value_t;
    switch (json.type()) {
    case Json::boolean:
        return Value::boolean(json.get<bool>());
    case Json::number_integer:
        return Value::integer(json.get<int64_t>());
    case Json::number_unsigned:
        return json.get<uint64_t>() <= INT64_MAX ? Value::integer(json.get<int64_t>())
                                                 : Value::real(json.get<double>());
    case Json::number_float:
        return Value::real(json.get<double>());
    case Json::string:
        sandbox.spendBytes(json.get_ref<const std::string&>().size());
        return sandbox.string(Text(json.get_ref<const std::string&>(), false));
    case Json::array: {
        std::vector<Value> items;
        for (const auto& item : json) {
            items.push_back(fromJson(sandbox, item, depth + 1));
        }
        return sandbox.list(std::move(items));
    }
    case Json::object: {
        std::vector<std::pair<Value, Value>> entries;
        for (const auto& [key, item] : json.items()) {
            entries.emplace_back(sandbox.string(Text(key, false)), fromJson(sandbox, item, depth + 1));
        }
        return sandbox.dict(std::move(entries));
    }
    default:
        return Value::none();
    }
}

Value failMissing(Sandbox& sandbox, const Value& value)
{
    const std::string* name = value.missingName();
    return sandbox.fail(name ? "'" + *name + "' is undefined" : "a value is undefined");
}

Value attributeOf(Sandbox& sandbox, const Value& value, std::string_view name)
{
    switch (value.kind()) {
    case Kind::Undefined:
        return failMissing(sandbox, value);
    case Kind::Dict: {
        sandbox.spend(value.dict()->entries.size() / 8);
        const Value* found = value.dict()->find(name);
        return found ? *found : Value();
    }
    case Kind::Loop: {
        const LoopState& loop = *value.loop();
        const auto index = static_cast<int64_t>(loop.index);
        const auto length = static_cast<int64_t>(loop.items->items.size());
        const auto neighbour = [&](int64_t at) {
            return at >= 0 && at < length ? loop.items->items[static_cast<size_t>(at)] : Value();
        };
        return name == "index"    ? Value::integer(index + 1)
            : name == "index0"    ? Value::integer(index)
            : name == "first"     ? Value::boolean(index == 0)
            : name == "last"      ? Value::boolean(index + 1 == length)
            : name == "length"    ? Value::integer(length)
            : name == "revindex"  ? Value::integer(length - index)
            : name == "revindex0" ? Value::integer(length - index - 1)
            : name == "previtem"  ? neighbour(index - 1)
            : name == "nextitem"  ? neighbour(index + 1)
            : name == "depth"     ? Value::integer(loop.depth)
            : name == "depth0"    ? Value::integer(loop.depth - 1)
                                  : Value();
    }
    default:
        return {};
    }
}

Value itemOf(Sandbox& sandbox, const Value& value, const Value& key)
{
    switch (value.kind()) {
    case Kind::Undefined:
        return failMissing(sandbox, value);
    case Kind::Dict: {
        sandbox.spend(value.dict()->entries.size() / 8);
        const Value* found = value.dict()->find(key);
        return found ? *found : Value();
    }
    case Kind::List: {
        const std::vector<Value>& items = value.list()->items;
        if (!key.is(Kind::Integer) && !key.is(Kind::Boolean)) {
            return {};
        }
        const int64_t index = key.integerValue() + (key.integerValue() < 0 ? static_cast<int64_t>(items.size()) : 0);
        return index >= 0 && index < static_cast<int64_t>(items.size()) ? items[static_cast<size_t>(index)] : Value();
    }
    case Kind::String: {
        if (!key.is(Kind::Integer) && !key.is(Kind::Boolean)) {
            return {};
        }
        const std::vector<size_t> offsets = characterOffsets(sandbox, value.text());
        const auto length = static_cast<int64_t>(offsets.size()) - 1;
        const int64_t index = key.integerValue() + (key.integerValue() < 0 ? length : 0);
        if (index < 0 || index >= length) {
            return {};
        }
        const auto at = static_cast<size_t>(index);
        return sandbox.string(value.text().slice(offsets[at], offsets[at + 1]));
    }
    default:
        return key.is(Kind::String) ? attributeOf(sandbox, value, key.bytes()) : Value();
    }
}

Value sliceOf(Sandbox& sandbox, const Value& value, const Value& begin, const Value& end, const Value& step)
{
    if (value.isUndefined()) {
        return failMissing(sandbox, value);
    }
    if (!value.is(Kind::List) && !value.is(Kind::String)) {
        return {};
    }
    for (const Value* bound : {&begin, &end, &step}) {
        if (!bound->isUndefined() && !bound->is(Kind::None) && !bound->is(Kind::Integer)) {
            return sandbox.fail("a slice needs whole numbers");
        }
    }
    const bool isString = value.is(Kind::String);
    const std::vector<size_t> offsets = isString ? characterOffsets(sandbox, value.text()) : std::vector<size_t>();
    const auto length = static_cast<int64_t>(isString ? offsets.size() - 1 : value.list()->items.size());
    const int64_t stride = step.is(Kind::Integer) ? step.integerValue() : 1;
    if (stride == 0) {
        return sandbox.fail("the step of a slice is zero");
    }
    const int64_t low = stride > 0 ? 0 : -1;
    const int64_t high = stride > 0 ? length : length - 1;
    const int64_t first = begin.is(Kind::Integer) ? clampIndex(begin.integerValue(), length, low, high)
        : stride > 0                              ? low
                                                  : high;
    const int64_t stop = end.is(Kind::Integer) ? clampIndex(end.integerValue(), length, low, high)
        : stride > 0                           ? high
                                               : low;
    if (isString && stride == 1) {
        return first < stop ? sandbox.string(
                   value.text().slice(offsets[static_cast<size_t>(first)], offsets[static_cast<size_t>(stop)]))
                            : sandbox.string("");
    }
    TextBuilder text(sandbox);
    std::vector<Value> items;
    // Counted down instead of added up, for a stride may be enormous.
    const int64_t span = stride > 0 ? stop - first : first - stop;
    const uint64_t width = stride > 0 ? static_cast<uint64_t>(stride) : 0 - static_cast<uint64_t>(stride);
    const uint64_t count = span > 0 ? (static_cast<uint64_t>(span) - 1) / width + 1 : 0;
    sandbox.spend(1 + count / 8);
    for (uint64_t i = 0; i < count && !sandbox.failed(); ++i) {
        const auto at = static_cast<size_t>(first + static_cast<int64_t>(i) * stride);
        if (isString) {
            text.add(value.text(), offsets[at], offsets[at + 1]);
        } else {
            items.push_back(value.list()->items[at]);
        }
    }
    return isString ? text.finish() : sandbox.list(std::move(items), value.list()->isTuple);
}

size_t lengthOf(Sandbox& sandbox, const Value& value)
{
    switch (value.kind()) {
    case Kind::Undefined:
        return 0;
    case Kind::String:
        return characterOffsets(sandbox, value.text()).size() - 1;
    case Kind::List:
        return value.list()->items.size();
    case Kind::Dict:
        return value.dict()->entries.size();
    default:
        sandbox.fail("a value of the kind '" + std::string(value.kindName()) + "' has no length");
        return 0;
    }
}

std::vector<Value> itemsOf(Sandbox& sandbox, const Value& value)
{
    std::vector<Value> items;
    switch (value.kind()) {
    case Kind::Undefined:
        break;
    case Kind::List:
        items = value.list()->items;
        sandbox.spend(items.size() / 8);
        break;
    case Kind::Dict:
        if (value.dict()->isNamespace) {
            sandbox.fail("a namespace cannot be walked");
        }
        for (const auto& [key, item] : value.dict()->entries) {
            items.push_back(key);
        }
        sandbox.spend(items.size() / 8);
        break;
    case Kind::String: {
        const std::vector<size_t> offsets = characterOffsets(sandbox, value.text());
        sandbox.spend(offsets.size());
        for (size_t i = 0; i + 1 < offsets.size() && !sandbox.failed(); ++i) {
            items.push_back(sandbox.string(value.text().slice(offsets[i], offsets[i + 1])));
        }
        break;
    }
    default:
        sandbox.fail("a value of the kind '" + std::string(value.kindName()) + "' cannot be walked");
    }
    return items;
}

std::vector<size_t> characterOffsets(Sandbox& sandbox, const Text& text)
{
    std::vector<size_t> offsets;
    if (!sandbox.spendBytes(4 * text.size())) {
        return {0};
    }
    offsets.reserve(text.size() + 1);
    for (size_t position = 0; position < text.size(); position += readUtf8(text.bytes(), position).length) {
        offsets.push_back(position);
    }
    offsets.push_back(text.size());
    return offsets;
}

} // namespace kvasir::jinja
