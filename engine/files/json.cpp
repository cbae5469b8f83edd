#include "files/json.h"

#include "files/filemap.h"

#include <algorithm>
#include <array>
#include <unordered_set>

namespace kvasir {

namespace {

using Json = nlohmann::json;

// Vocabularies lie deeper, and watching them would take as long as reading them.
constexpr size_t kWatchedDepth = 2;

Failure malformedJson(const std::string& path, const std::string& what)
{
    return fail(ErrorCode::Malformed, "'" + path + "' is damaged: " + what + "; download it again",
        {{"path", path}, {"what", what}});
}

/// How deep the lists and objects of `text` lie in each other. Before the text is parsed: the parser would build them.
int depthOf(std::string_view text)
{
    int depth = 0;
    int deepest = 0;
    bool inString = false;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inString) {
            i += c == '\\' ? 1 : 0;
            inString = c != '"';
        } else if (c == '"') {
            inString = true;
        } else if (c == '{' || c == '[') {
            deepest = std::max(deepest, ++depth);
        } else if (c == '}' || c == ']') {
            --depth;
        }
    }
    return deepest;
}

} // namespace

Result<Json> parseJson(std::string_view text, const std::string& path, int maxDepth)
{
    if (const int depth = depthOf(text); depth > maxDepth) {
        return malformedJson(path,
            "its JSON is nested " + std::to_string(depth) + " levels deep, more than the " + std::to_string(maxDepth)
                + " that are allowed");
    }
    std::array<std::unordered_set<std::string>, kWatchedDepth> names;
    std::string twin;
    const auto watch = [&](int depth, Json::parse_event_t event, Json& value) {
        const auto level = static_cast<size_t>(event == Json::parse_event_t::key ? depth - 1 : depth);
        if (level >= names.size()) {
            return true;
        }
        if (event == Json::parse_event_t::object_start) {
            names[level].clear();
        } else if (event == Json::parse_event_t::key) {
            const auto& name = value.get_ref<const std::string&>();
            twin = names[level].insert(name).second ? twin : name;
        }
        return true;
    };
    try {
        Json json = Json::parse(text, watch);
        if (!twin.empty()) {
            return malformedJson(path, "the name '" + twin.substr(0, 80) + "' is there twice in its JSON");
        }
        return json;
    } catch (const Json::parse_error& error) {
        return malformedJson(path, "its JSON is broken at byte " + std::to_string(error.byte));
    } catch (const Json::exception&) { // a number that does not fit
        return malformedJson(path, "its JSON holds a number that is out of range");
    }
}

Result<Json> readJsonFile(const std::string& path, size_t maxBytes)
{
    const auto map = FileMap::open(path);
    KVASIR_TRY(map);
    if (map->size() > maxBytes) {
        return malformedJson(path,
            "it has " + std::to_string(map->size()) + " bytes, more than the " + std::to_string(maxBytes)
                + " that such a file may have");
    }
    return parseJson({reinterpret_cast<const char*>(map->bytes().data()), map->size()}, path);
}

} // namespace kvasir
