#pragma once

#include "base/result.h"
#include "text/jinja/sandbox.h"

#include <string>
#include <string_view>
#include <vector>

namespace kvasir::jinja {

struct Token {
    enum class Kind {
        Data, ///< text between tags, white space already trimmed as the tags ask
        OutputBegin,
        OutputEnd,
        BlockBegin,
        BlockEnd,
        Name,
        Integer,
        Real,
        String, ///< text without quotes and escapes
        Operator,
        End,
    };

    Kind kind = Kind::End;
    std::string text;
    Position at;
};

/// Cuts a template into tokens, with trim_blocks, lstrip_blocks and without the last newline, as chat templates are
/// meant to be read. The last token is always End. Error: BadTemplate.
Result<std::vector<Token>> tokenize(std::string_view source);

} // namespace kvasir::jinja
