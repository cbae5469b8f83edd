#pragma once

#include "arguments.h"

#include <span>
#include <string>
#include <vector>

namespace kvasir::cli {

/// One command: its words for the help and the function that does it.
struct Command {
    const char* name;
    const char* summary; ///< one line
    const char* usage;   ///< what stands behind the name
    std::vector<Option> options;
    size_t mostPositional = 0;
    Result<void> (*run)(const Arguments& arguments) = nullptr;
};

// One file each.
Command generateCommand();
Command chatCommand();
Command logitsCommand();
Command tokenizeCommand();
Command detokenizeCommand();
Command templateCommand();
Command perplexityCommand();
Command benchCommand();
Command inspectCommand();
Command planCommand();
Command makeModelCommand();
Command limitsCommand();

} // namespace kvasir::cli
