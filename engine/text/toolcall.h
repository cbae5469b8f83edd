#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kvasir {

/// A call of a tool as a model wrote it, as far as it can be made out.
struct ToolCall {
    std::string name;      ///< empty where it cannot
    std::string arguments; ///< the model's own words: mostly JSON
};

/// The calls in one stretch of a reply. `name` is what a head told before, mostly nothing. There is always one at
/// least; what is in no form that is known becomes a call without a name.
std::vector<ToolCall> readToolCalls(std::string_view text, std::string_view name = {});

} // namespace kvasir
