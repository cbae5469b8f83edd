#include "command.h"
#include "modelarguments.h"
#include "output.h"
#include "text/tokenizer.h"

#include <array>
#include <string_view>

namespace kvasir::cli {
namespace {

/// Bytes of the UTF-8 character at the front of `text`; 0 where there is none.
size_t characterLength(std::string_view text)
{
    const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
    const size_t length = byte(0) < 0x80 ? 1
        : byte(0) < 0xC2                 ? 0
        : byte(0) < 0xE0                 ? 2
        : byte(0) < 0xF0                 ? 3
        : byte(0) < 0xF5                 ? 4
                                         : 0;
    if (length == 0 || length > text.size()) {
        return 0;
    }
    for (size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0) != 0x80) {
            return 0;
        }
    }
    const bool overlong = (byte(0) == 0xE0 && byte(1) < 0xA0) || (byte(0) == 0xF0 && byte(1) < 0x90);
    const bool outside = (byte(0) == 0xED && byte(1) > 0x9F) || (byte(0) == 0xF4 && byte(1) > 0x8F);
    return overlong || outside ? 0 : length;
}

/// The bytes of a piece as text: what is no UTF-8 becomes <0xNN>.
std::string pieceText(std::string_view bytes)
{
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    std::string text;
    while (!bytes.empty()) {
        const size_t length = characterLength(bytes);
        if (length == 0) {
            const auto byte = static_cast<unsigned char>(bytes[0]);
            text += std::string("<0x") + kDigits[byte >> 4] + kDigits[byte & 15] + '>';
        } else {
            text += bytes.substr(0, length);
        }
        bytes.remove_prefix(std::max<size_t>(1, length));
    }
    return text;
}

Json tokensJson(const Tokenizer& tokenizer, const std::vector<TokenId>& ids)
{
    Json pieces = Json::array();
    for (const TokenId id : ids) {
        pieces.push_back(pieceText(tokenizer.piece(id, true)));
    }
    return {{"ids", ids}, {"pieces", std::move(pieces)}};
}

std::string forPeople(const Json& tokens)
{
    std::vector<std::vector<std::string>> rows{{"id", "text"}};
    for (size_t i = 0; i < tokens["ids"].size(); ++i) {
        rows.push_back({std::to_string(tokens["ids"][i].get<TokenId>()), tokens["pieces"][i].dump()});
    }
    return table(rows) + countText(static_cast<double>(tokens["ids"].size())) + " tokens\n";
}

/// Each line a JSON string in, each line a JSON object out.
Result<void> tokenizeLines(const Tokenizer& tokenizer, const std::string& input, EncodeOptions options)
{
    std::string_view rest = input;
    for (int number = 1; !rest.empty(); ++number) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
        const Json text = Json::parse(line, nullptr, false);
        if (!text.is_string()) {
            return fail(ErrorCode::BadArgument, "line " + std::to_string(number) + " of the input is not a JSON string",
                {{"what", "line"}, {"value", std::to_string(number)}});
        }
        KVASIR_TRY(printJson(tokensJson(tokenizer, tokenizer.encode(text.get<std::string>(), options))));
    }
    return {};
}

Result<void> run(const Arguments& arguments)
{
    KVASIR_TRY(engineOptions(arguments));
    const auto file = openModelFile(arguments);
    KVASIR_TRY(file);
    const auto tokenizer = makeTokenizer(*file);
    KVASIR_TRY(tokenizer);
    const auto input = readText("-");
    KVASIR_TRY(input);
    const EncodeOptions options{arguments.has("--bos"), arguments.has("--special")};
    if (arguments.has("--lines")) {
        return tokenizeLines(**tokenizer, *input, options);
    }
    const Json tokens = tokensJson(**tokenizer, (*tokenizer)->encode(*input, options));
    return arguments.has("--json") ? printJson(tokens) : print(forPeople(tokens));
}

} // namespace

Command tokenizeCommand()
{
    return {"tokenize", "the tokens of a text on standard input", "[--special] [--bos] < TEXT",
        withModelOptions({
            {"--special", nullptr, nullptr, "recognise special tokens written in the text"},
            {"--bos", nullptr, nullptr, "add what the model adds in front and behind"},
            {"--lines", nullptr, nullptr, "each input line is a JSON string, each output line a JSON object"},
        }),
        0, run};
}

} // namespace kvasir::cli
