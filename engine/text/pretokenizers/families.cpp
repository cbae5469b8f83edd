#include "text/pretokenizers/families.h"

#include <algorithm>

namespace kvasir {

namespace {

// Parts that the expressions of several families share.
#define KVASIR_CONTRACTION "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
#define KVASIR_WORD R"([^\r\n\p{L}\p{N}]?\p{L}+)"
#define KVASIR_SYMBOLS R"( ?[^\s\p{L}\p{N}]+[\r\n]*)"
#define KVASIR_SPACES R"(\s*[\r\n]+|\s+(?!\S)|\s+)"
#define KVASIR_UPPER R"([\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}])"
#define KVASIR_LOWER R"([\p{Ll}\p{Lm}\p{Lo}\p{M}])"
#define KVASIR_UPPER_NOT_HAN R"([\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]])"
#define KVASIR_LOWER_NOT_HAN R"([\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]])"
#define KVASIR_CASED(upper, lower, tail)                                                                               \
    R"([^\r\n\p{L}\p{N}]?)" upper "*" lower "+" tail R"(|[^\r\n\p{L}\p{N}]?)" upper "+" lower "*" tail

constexpr std::string_view kGpt2 = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
constexpr std::string_view kLlama3 =
    KVASIR_CONTRACTION "|" KVASIR_WORD R"(|\p{N}{1,3}|)" KVASIR_SYMBOLS "|" KVASIR_SPACES;
constexpr std::string_view kQwen2 = KVASIR_CONTRACTION "|" KVASIR_WORD R"(|\p{N}|)" KVASIR_SYMBOLS "|" KVASIR_SPACES;
constexpr std::string_view kGpt4o = KVASIR_CASED(
    KVASIR_UPPER, KVASIR_LOWER, KVASIR_CONTRACTION "?") R"(|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|)" KVASIR_SPACES;
constexpr std::string_view kDeepSeek3 = "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|"
                                        R"([^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|)" KVASIR_SPACES;
constexpr std::string_view kChinese = "[一-龥぀-ゟ゠-ヿ]+";
constexpr std::string_view kBloom = R"( ?[^(\s|.,!?…。，、।۔،)]+)";
constexpr std::string_view kLines = R"([^\n]+|[\n]+)";

// deepseek-llm: letters with case as Unicode 12 had them.
constexpr std::string_view kLettersWithCase =
    R"(\s?[A-Za-z\x{B5}\x{C0}-\x{D6}\x{D8}-\x{F6}\x{F8}-\x{1BA}\x{1BC}-\x{1BF}\x{1C4}-\x{293}\x{295}-\x{2AF})"
    R"(\x{370}-\x{373}\x{376}\x{377}\x{37B}-\x{37D}\x{37F}\x{386}\x{388}-\x{38A}\x{38C}\x{38E}-\x{3A1})"
    R"(\x{3A3}-\x{3F5}\x{3F7}-\x{481}\x{48A}-\x{52F}\x{531}-\x{556}\x{10A0}-\x{10C5}\x{13A0}-\x{13F5})"
    R"(\x{13F8}-\x{13FD}\x{1C90}-\x{1CBA}\x{1CBD}-\x{1CBF}\x{1D00}-\x{1D2B}\x{1D6B}-\x{1D77}\x{1D79}-\x{1D9A})"
    R"(\x{1E00}-\x{1F15}\x{1F18}-\x{1F1D}\x{1F20}-\x{1F45}\x{1F48}-\x{1F4D}\x{1F50}-\x{1F57}\x{1F59}\x{1F5B})"
    R"(\x{1F5D}\x{1F5F}-\x{1F7D}\x{1F80}-\x{1FB4}\x{1FB6}-\x{1FBC}\x{1FBE}\x{1FC2}-\x{1FC4}\x{1FC6}-\x{1FCC})"
    R"(\x{1FD0}-\x{1FD3}\x{1FD6}-\x{1FDB}\x{1FE0}-\x{1FEC}\x{1FF2}-\x{1FF4}\x{1FF6}-\x{1FFC}\x{2102}\x{2107})"
    R"(\x{210A}-\x{2113}\x{2115}\x{2119}-\x{211D}\x{2124}\x{2126}\x{2128}\x{212A}-\x{212D}\x{212F}-\x{2134})"
    R"(\x{2139}\x{213C}-\x{213F}\x{2145}-\x{2149}\x{214E}\x{2183}\x{2184}\x{2C00}-\x{2C7B}\x{2C7E}-\x{2CE4})"
    R"(\x{2CEB}-\x{2CEE}\x{2CF2}\x{2CF3}\x{A640}-\x{A66D}\x{A680}-\x{A69B}\x{A722}-\x{A76F}\x{A771}-\x{A787})"
    R"(\x{A78B}-\x{A78E}\x{AB70}-\x{ABBF}\x{FB00}-\x{FB06}\x{FB13}-\x{FB17}\x{FF21}-\x{FF3A}\x{FF41}-\x{FF5A})"
    R"(\x{10400}-\x{1044F}\x{104B0}-\x{104D3}\x{104D8}-\x{104FB}\x{10C80}-\x{10CB2}\x{10CC0}-\x{10CF2})"
    R"(\x{118A0}-\x{118DF}\x{1E900}-\x{1E943}]+)";
constexpr std::string_view kEastAsian = "[一-龥ࠀ-一가-퟿]+";

constexpr PreTokenizerFamily kFamilies[] = {
    {.names = "gpt-2 phi-2 olmo mpt jais mellum exaone4 trillion granite-docling gigachat a.x-4.0 modern-bert jina-es "
              "jina-de jina-v2-es jina-v2-de jina-v1-en jina-v2-code roberta-bpe",
        .patterns = {kGpt2}},
    {.names = "smollm starcoder refact command-r codeshell exaone minerva-7b mellum2", .patterns = {R"(\p{N})", kGpt2}},
    {.names = "default", .patterns = {R"([\p{P}\$\+<=>\^~\|]+)", kGpt2, R"(\p{N}+)", "[0-9][0-9][0-9]"}},
    {.names = "falcon", .patterns = {R"([\p{P}\$\+<=>\^~\|`]+)", kGpt2, "[0-9][0-9][0-9]"}},
    {.names = "llama-bpe llama3 llama-v3 falcon3 falcon-h1 pixtral midm-2.0 lfm2 jina-v5-nano",
        .patterns = {kLlama3},
        .traits = {.takesWholeWords = true, .addsBos = true}},
    {.names = "dbrx smaug-bpe chatglm-bpe", .patterns = {kLlama3}},
    {.names = "glm4 glm5", .patterns = {kLlama3}, .traits = {.takesWholeWords = true}},
    {.names = "qwen2 deepseek-r1-qwen kormo f2llmv2 megrez stablelm2 hunyuan solar-open grok-2", .patterns = {kQwen2}},
    {.names = "laguna", .patterns = {kLines, kQwen2}},
    {.names = "qwen35",
        .patterns = {KVASIR_CONTRACTION
            R"(|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|)" KVASIR_SPACES}},
    {.names = "minicpm5",
        .patterns = {R"(\p{N}{1,3})",
            KVASIR_CONTRACTION "|" KVASIR_WORD R"(|\p{N}+|)" KVASIR_SYMBOLS "|" KVASIR_SPACES},
        .traits = {.takesWholeWords = true}},
    {.names = "ufakzeka", .patterns = {KVASIR_WORD R"(|\p{N}|)" KVASIR_SYMBOLS "|" KVASIR_SPACES}},
    {.names = "seed-coder",
        .patterns = {KVASIR_CONTRACTION "|" KVASIR_WORD R"(|\p{N}{1}| ?[^\s\p{L}\p{N}\r\n]+|)" KVASIR_SPACES}},
    {.names = "bailingmoe bailingmoe2 llada-moe",
        .patterns = {KVASIR_CONTRACTION "|" KVASIR_WORD R"(|\p{N}|)" KVASIR_SYMBOLS R"(|\s*[\r\n]|\s+(?!\S)|\s+)"}},
    {.names = "exaone-moe",
        .patterns = {KVASIR_CONTRACTION R"(|[^\r\n\p{L}\p{N}]?(?:\p{L}\p{M}*(?: \p{L}\p{M}*)*)+|\p{N}|)"
                                        R"( ?[^\s\p{L}\p{N}]+[\r\n/]?|\s*[\r\n]|\s+(?!\S)|\s+)"}},
    {.names = "jais-2",
        .patterns = {KVASIR_CONTRACTION
            "|" KVASIR_WORD R"(|\p{N}{1,3}|)" KVASIR_SYMBOLS R"(|\s*[\r\n]+|)"
            R"(\s{512}(?!\S)|\s{256}(?!\S)|\s{128}(?!\S)|\s{64}(?!\S)|\s{32}(?!\S)|\s{16}(?!\S)|\s{8}(?!\S)|)"
            R"(\s{4}(?!\S)|\s{1,2}(?!\S)|\s{1})"}},
    {.names = "gpt-4o llama4 kanana2 talkie minimax-m2", .patterns = {kGpt4o}},
    {.names = "granite-embed-multi-97m", .patterns = {kGpt4o}, .traits = {.takesWholeWords = true}},
    {.names = "tiny_aya cohere2moe", .patterns = {R"(\d{1,3}(?=(?:\d{3})*\b))", kGpt4o}},
    {.names = "tekken",
        .patterns = {KVASIR_CASED(
            KVASIR_UPPER, KVASIR_LOWER, "") R"(|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|)" KVASIR_SPACES},
        .traits = {.takesWholeWords = true, .addsBos = true}},
    {.names = "youtu",
        .patterns =
            {"[가-힣ㄱ-ㆎ]+|[！…“”‘’—：；，、-〿︰-﹏]+|[ㄅ-ㄯ]+|[一-龥぀-ゟ゠-ヿ]+",
                KVASIR_CASED(KVASIR_UPPER, KVASIR_LOWER,
                    KVASIR_CONTRACTION "?") R"(|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|)" KVASIR_SPACES},
        .traits = {.takesWholeWords = true}},
    {.names = "kimi-k2",
        .patterns = {R"(\p{Han}+|)" KVASIR_CASED(KVASIR_UPPER_NOT_HAN, KVASIR_LOWER_NOT_HAN,
            KVASIR_CONTRACTION "?") R"(|\p{N}{1,3}|)" KVASIR_SYMBOLS "|" KVASIR_SPACES}},
    {.names = "deepseek-llm",
        .patterns = {R"([\r\n])", kLettersWithCase, R"(\s?[!-/:-~！-／：-～‘-‟\x{3000}-。]+)", R"(\s+$)", kEastAsian,
            R"(\p{N}+)"}},
    {.names = "deepseek-coder", .patterns = {R"([\r\n])", R"(\s?\p{L}+)", R"(\s?\p{P}+)", kEastAsian, R"(\p{N})"}},
    {.names = "deepseek-v3 hunyuan-dense joyai-llm hy_v4", .patterns = {R"(\p{N}{1,3})", kChinese, kDeepSeek3}},
    {.names = "spark2_5",
        .patterns = {R"(\p{N}{1,3})", kChinese,
            "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|"
            R"([^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+|[\r\n]|\s+(?!\S)|\s+)",
            R"(\p{N})"}},
    {.names = "afmoe",
        .patterns = {R"(\p{N}+)", R"((?=(\d{3})+(?!\d)))",
            R"([一-鿿㐀-䶿\x{F900}-\x{FAFF}぀-ゟ゠-ヿ･-ﾟ⼀-⿟เ-๿຀-໿ក-៿က-႟ꩠ-ꩿꧠ-꧿가-힯ᄀ-ᇿ]+)",
            kDeepSeek3}},
    {.names = "superbpe", .patterns = {R"(\p{N}+)", R"((?=(\d{3})+(?!\d)))"}},
    {.names = "bloom gpt3-finnish poro-chat", .patterns = {kBloom}},
    {.names = "viking", .patterns = {kBloom, R"(\p{N})"}},
    // Its image tokens are cut out before, as special tokens.
    {.names = "chameleon",
        .patterns = {R"([\t\n]|    |  )", R"(\p{N})", R"([\p{P}!-/:-@\[-`{-~])", kGpt2},
        .traits = {.addsBos = true}},
    {.names = "gemma4 sarvam-moe granite-embed-multi-311m", .patterns = {kLines}, .traits = {.takesLineEnds = true, .hasPlainText = true}},
};

} // namespace

std::string_view gpt2Pattern()
{
    return kGpt2;
}

std::span<const PreTokenizerFamily> preTokenizerFamilies()
{
    return kFamilies;
}

const PreTokenizerFamily* findPreTokenizerFamily(std::string_view name)
{
    if (name.empty()) {
        return nullptr;
    }
    for (const PreTokenizerFamily& family : kFamilies) {
        for (std::string_view rest = family.names; !rest.empty();) {
            const std::string_view known = rest.substr(0, rest.find(' '));
            if (known == name) {
                return &family;
            }
            rest.remove_prefix(std::min(rest.size(), known.size() + 1));
        }
    }
    return nullptr;
}

} // namespace kvasir
