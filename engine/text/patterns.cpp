#include "text/patterns.h"

#include "files/modelfile.h"

namespace kvasir {

Result<PreTokenizer> readStatedPatterns(const ModelFile& file)
{
    const auto patterns = file.strings("kvasir.tokenizer.patterns");
    KVASIR_TRY(patterns);
    const auto wholeWords = file.boolean("kvasir.tokenizer.whole_words", false);
    KVASIR_TRY(wholeWords);
    const auto plainText = file.boolean("kvasir.tokenizer.plain_text", false);
    KVASIR_TRY(plainText);
    auto made = PreTokenizer::forPatterns(*patterns, {.takesWholeWords = *wholeWords, .hasPlainText = *plainText});
    if (!made) {
        std::string all;
        for (const std::string_view pattern : *patterns) {
            all += (all.empty() ? "" : "  then  ") + std::string(pattern);
        }
        return fail(ErrorCode::Unsupported,
            "the expressions by which tokenizer.json cuts text are not known to Kvasir: " + all.substr(0, 400)
                + "; look for a GGUF file of the model",
            {{"what", "pre-tokenizer"}, {"name", all}});
    }
    return *std::move(made);
}

} // namespace kvasir
