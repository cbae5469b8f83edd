#include "huggingface/configreader.h"

namespace kvasir {

using Json = nlohmann::json;

namespace {

std::string shown(const Json& value)
{
    const std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
    return text.size() > 60 ? text.substr(0, 60) + "..." : text;
}

} // namespace

ConfigReader::ConfigReader(const Json& json, std::string path, std::string place)
    : m_json(json)
    , m_path(std::move(path))
    , m_place(std::move(place))
{
}

const Json* ConfigReader::find(const char* name) const
{
    if (!m_json.is_object()) {
        return nullptr;
    }
    const auto found = m_json.find(name);
    return found == m_json.end() || found->is_null() ? nullptr : &*found;
}

template <class T> std::optional<T> ConfigReader::value(const char* name, bool (*fits)(const Json&), const char* kind)
{
    const Json* found = find(name);
    if (!found) {
        return {};
    }
    if (!fits(*found)) {
        const std::string key = m_place + name;
        set(fail(ErrorCode::Malformed, "'" + m_path + "': " + key + " is " + shown(*found) + " instead of " + kind,
            {{"path", m_path}, {"what", key}}));
        return {};
    }
    return found->get<T>();
}

std::optional<double> ConfigReader::number(const char* name)
{
    return value<double>(
        name, [](const Json& json) { return json.is_number(); }, "a number");
}

std::optional<uint64_t> ConfigReader::natural(const char* name)
{
    return value<uint64_t>(
        name, [](const Json& json) { return json.is_number_unsigned(); }, "a whole number from 0 on");
}

std::optional<std::string> ConfigReader::text(const char* name)
{
    return value<std::string>(
        name, [](const Json& json) { return json.is_string(); }, "text");
}

std::optional<bool> ConfigReader::flag(const char* name)
{
    return value<bool>(
        name, [](const Json& json) { return json.is_boolean(); }, "a truth value");
}

double ConfigReader::requireNumber(const char* name)
{
    const auto found = number(name);
    if (!found) {
        setMissing(name);
    }
    return found.value_or(0);
}

uint64_t ConfigReader::requireNatural(const char* name)
{
    const auto found = natural(name);
    if (!found) {
        setMissing(name);
    }
    return found.value_or(0);
}

void ConfigReader::refuse(const char* name, const std::string& reason)
{
    const Json* found = find(name);
    const std::string key = m_place + name;
    set(fail(ErrorCode::Unsupported,
        "Kvasir does not support " + key + " = " + (found ? shown(*found) : "null") + " (" + reason
            + "); look for a GGUF file of the model",
        {{"what", "feature"}, {"name", key}}));
}

void ConfigReader::set(Failure failure)
{
    if (!m_error) {
        m_error = std::move(failure.error);
    }
}

void ConfigReader::setMissing(const char* name)
{
    const std::string key = m_place + name;
    set(fail(ErrorCode::MissingMetadata, "'" + m_path + "' has no " + key + "; use another version of the model",
        {{"path", m_path}, {"key", key}}));
}

} // namespace kvasir
