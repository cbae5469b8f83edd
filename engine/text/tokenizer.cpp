#include "text/tokenizer.h"

#include "files/modelfile.h"
#include "text/bpetokenizer.h"
#include "text/sentencepiecetokenizer.h"
#include "text/vocabulary.h"

#include <algorithm>

namespace kvasir {

namespace {

// What tokenizer.ggml.model can name beside the two kinds below.
struct RefusedKind {
    std::string_view name;
    std::string_view what;
};
constexpr RefusedKind kRefused[] = {
    {"bert", "WordPiece, which models for embeddings use"},
    {"t5", "Unigram, which T5 and models for embeddings use"},
    {"rwkv", "the greedy tokenizer of RWKV"},
    {"plamo2", "the tokenizer of PLaMo 2"},
    {"whitespace", "whole words, which models for embeddings use"},
    {"hybriddna", "letters of DNA"},
    {"none", "no tokenizer at all"},
    {"no_vocab", "no tokenizer at all"},
};

Failure refuse(std::string_view name)
{
    const auto known = std::ranges::find(kRefused, name, &RefusedKind::name);
    const std::string what =
        known == std::end(kRefused) ? " are not known" : " (" + std::string(known->what) + ") are not supported";
    return fail(ErrorCode::Unsupported, "tokenizers of the kind '" + std::string(name) + "'" + what,
        {{"what", "tokenizer"}, {"name", std::string(name)}});
}

} // namespace

Result<std::unique_ptr<Tokenizer>> makeTokenizer(const ModelFile& file)
{
    const auto model = file.string("tokenizer.ggml.model");
    KVASIR_TRY(model);
    const bool isBpe = *model == "gpt2" || *model == "gemma4";
    if (!isBpe && *model != "llama") {
        return refuse(*model);
    }
    auto vocabulary = Vocabulary::read(file);
    KVASIR_TRY(vocabulary);
    return isBpe ? BpeTokenizer::make(file, *std::move(vocabulary))
                 : SentencePieceTokenizer::make(file, *std::move(vocabulary));
}

} // namespace kvasir
