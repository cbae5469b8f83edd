#include "text/filepretokenizer.h"

#include "files/modelfile.h"

namespace kvasir {

namespace {

Failure unknown(const std::string& name)
{
    return fail(ErrorCode::Unsupported, "the pre-tokenizer '" + name + "' is not known",
        {{"what", "pre-tokenizer"}, {"name", name}});
}

} // namespace

Result<PreTokenizer> readPreTokenizer(const ModelFile& file)
{
    if (!file.has("kvasir.tokenizer.patterns")) {
        const auto name = file.string("tokenizer.ggml.pre", "default");
        KVASIR_TRY(name);
        auto found = PreTokenizer::find(*name);
        return found ? Result<PreTokenizer>(*std::move(found)) : unknown(std::string(*name));
    }
    const auto patterns = file.strings("kvasir.tokenizer.patterns");
    KVASIR_TRY(patterns);
    const auto wholeWords = file.boolean("kvasir.tokenizer.whole_words", false);
    KVASIR_TRY(wholeWords);
    const auto plainText = file.boolean("kvasir.tokenizer.plain_text", false);
    KVASIR_TRY(plainText);
    auto made =
        PreTokenizer::forPatterns(*patterns, {.takesWholeWords = *wholeWords, .hasPlainText = *plainText});
    if (!made) {
        std::string all;
        for (const std::string_view pattern : *patterns) {
            all += (all.empty() ? "" : "  then  ") + std::string(pattern);
        }
        return unknown(all.substr(0, 400));
    }
    return *std::move(made);
}

} // namespace kvasir
