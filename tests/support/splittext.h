#pragma once

#include "base/utf8.h"
#include "files/gguf.h"
#include "ggufwriter.h"
#include "text/pretokenizer.h"
#include "text/pretokenizers/families.h"
#include "text/tokenizer.h"

#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kvasir::testing {

/// A vocabulary that can say every byte, with some merges: of GPT-2's kind with the pre-tokenizer `pre`, or Gemma 4's.
inline std::unique_ptr<Tokenizer> byteTokenizer(std::string_view pre, bool isPlain)
{
    static constexpr char kHex[] = "0123456789ABCDEF";
    std::vector<std::string> tokens;
    std::vector<int32_t> types;
    char32_t next = 0x100;
    for (int byte = 0; byte < 256; ++byte) {
        const bool printable = (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte != 0xAD);
        std::string token;
        if (isPlain) {
            token = std::string("<0x") + kHex[byte / 16] + kHex[byte % 16] + '>';
        } else {
            appendUtf8(token, printable ? static_cast<char32_t>(byte) : next++);
        }
        tokens.push_back(token);
        types.push_back(isPlain ? 6 : 1);
    }
    const std::string space = isPlain ? "\xE2\x96\x81" : "\xC4\xA0";
    for (const std::string& token : {std::string("<end>"), std::string("aa"), std::string("aaaa"), space + "a",
             std::string("!!"), space + space, std::string("ab")}) {
        tokens.push_back(token);
        types.push_back(token == "<end>" ? 3 : 1);
    }
    if (isPlain) {
        for (const std::string& token : {space, std::string("a"), std::string("b"), std::string("!"), std::string("\n"),
                 std::string("\n\n"), std::string("\xEA\xB0\x80")}) {
            tokens.push_back(token);
            types.push_back(1);
        }
    }
    GgufWriter writer;
    writer.add("tokenizer.ggml.model", isPlain ? "gemma4" : "gpt2");
    writer.add("tokenizer.ggml.pre", pre);
    writer.add("tokenizer.ggml.eos_token_id", uint32_t(256));
    writer.addArray("tokenizer.ggml.tokens", tokens);
    writer.addArray("tokenizer.ggml.token_type", types);
    writer.addArray("tokenizer.ggml.merges",
        std::vector<std::string>{
            "a a", "! !", space + " " + space, "aa aa", space + " a", "a b", "x y", "xy aa" /* makes no tokens */});
    const std::string bytes = writer.bytes();
    const auto file = GgufFile::parse(FileMap::borrow(std::as_bytes(std::span(bytes)), "made.gguf"));
    auto tokenizer = file ? makeTokenizer(*file) : Result<std::unique_ptr<Tokenizer>>(Failure{file.error()});
    return tokenizer ? *std::move(tokenizer) : nullptr;
}

inline void require(bool holds)
{
    if (!holds) {
        std::abort();
    }
}

/// Ends rise from piece to piece up to the end of the text: no piece is empty, and joined they are the text.
inline void checkPieces(const PreTokenizer& rule, std::string_view text)
{
    PreTokenizer::Work work;
    uint32_t before = 0;
    for (const uint32_t end : rule.split(text, work)) {
        require(end > before);
        before = end;
    }
    require(before == text.size());
}

/// What the fuzzer and the test that replays its corpus do with one input. First byte 255: an expression up to the first
/// NUL, then a text. Else it picks a family, and what follows is cut, encoded and decoded. Aborts where a promise breaks.
inline void splitFuzzInput(std::string_view input)
{
    if (input.empty()) {
        return;
    }
    const auto pick = static_cast<unsigned char>(input.front());
    input.remove_prefix(1);
    if (pick == 255) {
        const std::string_view pattern = input.substr(0, input.find('\0'));
        input.remove_prefix(std::min(input.size(), pattern.size() + 1));
        if (const auto rule = preTokenizerForPattern(pattern)) {
            checkPieces(*rule, input);
        }
        return;
    }
    struct Known {
        PreTokenizer rule;
        std::unique_ptr<Tokenizer> tokenizer;
    };
    static const std::vector<Known> families = [] {
        std::vector<Known> all;
        for (const PreTokenizerFamily& family : preTokenizerFamilies()) {
            const std::string_view name = family.names.substr(0, family.names.find(' '));
            all.push_back({*PreTokenizer::find(name), byteTokenizer(name, family.traits.hasPlainText)});
            require(all.back().tokenizer != nullptr);
        }
        return all;
    }();
    const Known& known = families[pick % families.size()];
    checkPieces(known.rule, input);
    // A written U+2581 comes back as a space where that is its meaning.
    const bool isAmbiguous = known.rule.traits().hasPlainText && input.find("\xE2\x96\x81") != std::string_view::npos;
    const auto ids = known.tokenizer->encode(input);
    require(isAmbiguous || known.tokenizer->decode(ids) == input);
    require(ids.size() <= input.size());
}

} // namespace kvasir::testing
