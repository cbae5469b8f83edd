#pragma once

#include "text/jinja/sandbox.h"

#include <string_view>
#include <utility>
#include <vector>

namespace kvasir::jinja {

/// Arguments of a call, evaluated.
struct Arguments {
    std::vector<Value> positional;
    struct Named {
        std::string name;
        Value value;
        bool isTrusted = true; ///< the name: written in the template, not a key of some data
    };
    std::vector<Named> named;

    /// The argument at `index` or with this name; null where it is not given.
    const Value* find(size_t index, std::string_view name) const;
};

using FilterFunction = Value (*)(Sandbox& sandbox, const Value& input, const Arguments& arguments);
using TestFunction = bool (*)(Sandbox& sandbox, const Value& input, const Arguments& arguments);

/// Null for a name that is not known.
FilterFunction findFilter(std::string_view name);
TestFunction findTest(std::string_view name);

} // namespace kvasir::jinja
