#pragma once

#include "files/modelfile.h"
#include "model/config.h"
#include "text/chatsetup.h"
#include "text/tokenizer.h"

#include <string>
#include <vector>

namespace kvasir::cli {

/// One sentence about a model file, for a person.
struct InspectNote {
    enum class Kind { Is, Needs, Unusual, Missing };
    Kind kind = Kind::Is;
    std::string text;
};

/// "is", "needs", "unusual", "missing".
const char* inspectNoteKind(InspectNote::Kind kind);

/// What a model file is, what it needs, and what is unusual or missing in it. Reads no weights.
std::vector<InspectNote> inspectNotes(
    const ModelFile& file, const ModelConfig& config, const Tokenizer& tokenizer, const ChatSetup& chat);

} // namespace kvasir::cli
