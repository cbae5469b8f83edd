#include "command.h"
#include "modelarguments.h"
#include "output.h"
#include "text/tokenizer.h"

namespace kvasir::cli {
namespace {

Result<void> run(const Arguments& arguments)
{
    KVASIR_TRY(engineOptions(arguments));
    const auto ids = tokenIds(arguments);
    KVASIR_TRY(ids);
    const auto file = openModelFile(arguments);
    KVASIR_TRY(file);
    const auto tokenizer = makeTokenizer(*file);
    KVASIR_TRY(tokenizer);
    for (const TokenId id : *ids) {
        if (id >= (*tokenizer)->vocabularySize()) {
            return fail(ErrorCode::BadArgument,
                "token id " + std::to_string(id) + " is outside the vocabulary of "
                    + std::to_string((*tokenizer)->vocabularySize()),
                {{"what", "token id"}, {"value", std::to_string(id)}});
        }
    }
    const std::string bytes = (*tokenizer)->decode(*ids, arguments.has("--special"));
    return arguments.has("--json") ? printJson({{"text", bytes}}) : print(bytes);
}

} // namespace

Command detokenizeCommand()
{
    return {"detokenize", "the bytes of tokens", "--ids 1,2,3",
        withModelOptions({
            {"--ids", nullptr, "LIST", "token ids", true},
            {"--special", nullptr, nullptr, "show special tokens by their names"},
        }),
        0, run};
}

} // namespace kvasir::cli
