#pragma once

#include "base/result.h"
#include "base/types.h"
#include "engine/replyvalues.h"

#include <string>
#include <vector>

namespace kvasir {

class Engine;

struct Prompt {
    std::vector<TokenId> tokens;
    std::vector<std::string> stopStrings; ///< needed where no template ends the turns
    bool isChat = false;                  ///< put by a template: the reply may have marks
};

/// Messages to token ids through the model's own template; without one, as plain text with "User:" and "Assistant:".
/// Neighbours of the same role are joined, replies without text left out: many templates insist on turns. A template
/// that refuses a system message gets it at the head of the first question. Where the last message is the model's, the
/// prompt ends with it, and asks nothing.
/// In the engine's thread: rendering and tokenizing a long text takes time.
Result<Prompt> buildPrompt(const Engine& engine, const QList<PromptMessage>& messages, const QString& systemPrompt);

/// The bytes of one token as text for people: whole UTF-8, or "<0xEA>" for each byte that is not.
QString tokenText(const std::string& bytes);

} // namespace kvasir
