#include "text/tokenizer.h"

#include "files/modelfile.h"
#include "text/bpetokenizer.h"
#include "text/sentencepiecetokenizer.h"
#include "text/vocabulary.h"

namespace kvasir {

Result<std::unique_ptr<Tokenizer>> makeTokenizer(const ModelFile& file)
{
    const auto model = file.string("tokenizer.ggml.model");
    KVASIR_TRY(model);
    const bool isBpe = *model == "gpt2";
    if (!isBpe && *model != "llama") {
        return fail(ErrorCode::Unsupported, "tokenizers of the kind '" + std::string(*model) + "' are not known",
            {{"what", "tokenizer"}, {"name", std::string(*model)}});
    }
    auto vocabulary = Vocabulary::read(file);
    KVASIR_TRY(vocabulary);
    return isBpe ? BpeTokenizer::make(file, *std::move(vocabulary))
                 : SentencePieceTokenizer::make(file, *std::move(vocabulary));
}

} // namespace kvasir
