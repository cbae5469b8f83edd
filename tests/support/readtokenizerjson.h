#pragma once

#include "files/json.h"
#include "huggingface/metadatawriter.h"
#include "huggingface/tokenizerjson.h"
#include "huggingface/tokenlist.h"
#include "text/tokenizer.h"

#include <cstdlib>

namespace kvasir::testing {

/// The tokenizer that the text of a tokenizer.json describes, with `rows` tokens.
inline Result<std::unique_ptr<Tokenizer>> tokenizerOfJson(std::string_view text, uint64_t rows)
{
    const auto json = parseJson(text, "tokenizer.json");
    KVASIR_TRY(json);
    MetadataWriter metadata;
    TokenList tokens(rows);
    KVASIR_TRY(writeTokenizerJson(*json, tokens, metadata));
    const TokenizerFrame frame = readTokenizerFrame(*json, "<s>", "</s>");
    metadata.add("tokenizer.ggml.add_bos_token", frame.bos);
    tokens.write(metadata);
    ModelFile::Contents contents;
    contents.path = "tokenizer.json";
    std::move(metadata).moveInto(contents);
    const auto file = ModelFile::make(std::move(contents));
    KVASIR_TRY(file);
    return makeTokenizer(*file);
}

/// Makes a tokenizer of any bytes and, where they are one, encodes texts with it that hold all kinds of characters; no
/// token may be outside of the vocabulary, none special unless asked for. For the fuzzer and for tests under a
/// sanitizer.
inline void tryTokenizerJson(std::string_view text)
{
    constexpr uint64_t kRows = 300;
    const auto tokenizer = tokenizerOfJson(text, kRows);
    if (!tokenizer) {
        return;
    }
    for (const std::string_view sample : {"", " ab  abba 12345\r\n\n\tx ab",
             "e\xCC\x81 \xED\x95\x9C\xEA\xB5\xAD \xF0\x9F\x98\x80", "\xff\xC3 <s>ab</s> <unk> \xE2\x96\x81 a's I'LL"}) {
        for (const TokenId token : (*tokenizer)->encode(sample)) {
            if (token < 0 || token >= static_cast<TokenId>(kRows)) {
                std::abort();
            }
        }
        const auto tokens = (*tokenizer)->encode(sample, {.addSpecial = true, .parseSpecial = true});
        (*tokenizer)->decode(tokens, true);
        (*tokenizer)->decode(tokens, false);
    }
}

} // namespace kvasir::testing
