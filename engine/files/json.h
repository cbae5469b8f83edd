#pragma once

#include "base/result.h"

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace kvasir {

/// Reads JSON that anybody may have written. A name that is twice in the outermost object, or in one right inside of
/// it, is refused, as readers differ in what they make of it, and so is nesting deeper than `maxDepth`, which no
/// model's files have. The result takes about forty bytes for each of the text in the worst case. `path` is for
/// messages.
/// Errors: Malformed.
Result<nlohmann::json> parseJson(std::string_view text, const std::string& path, int maxDepth = 32);

/// The same for a whole file. Errors: those of FileMap::open too; Malformed where it is larger than `maxBytes`.
Result<nlohmann::json> readJsonFile(const std::string& path, size_t maxBytes);

} // namespace kvasir
