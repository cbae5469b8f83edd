#pragma once

#include "files/gguf.h"
#include "scriptedmodel.h"
#include "session/replytext.h"
#include "text/chattemplate.h"
#include "text/tokenizer.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kvasir::testing {

/// A tokenizer, its template and the format of its replies, without a model.
class ReplyFixture {
public:
    explicit ReplyFixture(ScriptedModel model)
        : m_model(std::move(model))
        , m_bytes(m_model.bytes())
    {
        auto file = GgufFile::parse(FileMap::borrow(std::as_bytes(std::span(m_bytes)), "memory"));
        tokenizer = *makeTokenizer(*file);
        if (!m_model.chatTemplate.empty()) {
            chatTemplate.emplace(*ChatTemplate::compile(m_model.chatTemplate));
        }
        format = readReplyFormat(*tokenizer, chatTemplate ? &*chatTemplate : nullptr);
    }

    /// The ids of the script.
    std::vector<TokenId> script() const { return m_model.ids(); }

    /// Pieces as "R{..}A{..}T:name{..}", neighbours of one stretch joined.
    static std::string shown(const std::vector<ReplyPiece>& pieces)
    {
        std::string out;
        std::optional<ReplyPart> part;
        for (const ReplyPiece& piece : pieces) {
            if (!part || piece.begins || piece.part != *part) {
                out += part ? "}" : "";
                out += piece.part == ReplyPart::Reasoning ? "R" : piece.part == ReplyPart::Answer ? "A" : "T";
                out += piece.name.empty() ? "{" : ":" + piece.name + "{";
                part = piece.part;
            }
            out += piece.text;
        }
        return out + (part ? "}" : "");
    }

    /// What becomes of a reply behind `prompt`.
    std::string split(const std::vector<TokenId>& reply, const std::string& prompt = "", bool offersTools = false) const
    {
        ReplyText text(*tokenizer, {}, &format, tokenizer->encode(prompt, {.parseSpecial = true}), offersTools);
        std::vector<ReplyPiece> all;
        const auto add = [&](const ReplyText::Step& step) {
            all.insert(all.end(), step.pieces.begin(), step.pieces.end());
        };
        for (const TokenId token : reply) {
            add(text.push(token));
        }
        add(text.finish());
        return shown(all);
    }

    std::unique_ptr<Tokenizer> tokenizer;
    std::optional<ChatTemplate> chatTemplate;
    ReplyFormat format;

private:
    ScriptedModel m_model;
    std::string m_bytes;
};

} // namespace kvasir::testing
