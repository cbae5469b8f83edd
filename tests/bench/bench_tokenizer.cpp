// Speed of a tokenizer over text files, one thread: bench_tokenizer VOCABULARY.gguf TEXT... Processor time, as machines
// are shared.
// One JSON line for each text; tests/bench/tokenizer_peer runs it beside another implementation on the same texts.
#include "files/gguf.h"
#include "text/tokenizer.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

using namespace kvasir;

namespace {

/// FNV-1a over the ids as 32 bits, low byte first: another program can tell that it made the same.
std::string hashOf(const std::vector<TokenId>& ids)
{
    uint64_t hash = 0xCBF29CE484222325u;
    for (const TokenId id : ids) {
        for (int shift = 0; shift < 32; shift += 8) {
            hash = (hash ^ (static_cast<uint32_t>(id) >> shift & 0xFF)) * 0x100000001B3u;
        }
    }
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
    return text;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 3) {
        std::fprintf(stderr, "usage: bench_tokenizer VOCABULARY.gguf TEXT...\n");
        return 2;
    }
    const auto file = GgufFile::open(argv[1]);
    if (!file) {
        std::fprintf(stderr, "%s\n", file.error().detail.c_str());
        return 2;
    }
    const auto tokenizer = makeTokenizer(*file);
    if (!tokenizer) {
        std::fprintf(stderr, "%s\n", tokenizer.error().detail.c_str());
        return 2;
    }
    for (int i = 2; i < argc; ++i) {
        std::ifstream stream(argv[i], std::ios::binary);
        const std::string text((std::istreambuf_iterator<char>(stream)), {});
        std::vector<TokenId> ids = (*tokenizer)->encode(text);
        if ((*tokenizer)->decode(ids) != text) {
            std::fprintf(stderr, "%s does not come back from its tokens\n", argv[i]);
            return 1;
        }
        std::vector<double> milliseconds;
        for (int run = 0; run < 9; ++run) {
            const std::clock_t begin = std::clock();
            ids = (*tokenizer)->encode(text);
            milliseconds.push_back(1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
        }
        std::ranges::sort(milliseconds);
        const double median = milliseconds[milliseconds.size() / 2];
        const nlohmann::ordered_json line{{"text", argv[i]}, {"bytes", text.size()}, {"tokens", ids.size()},
            {"ids", hashOf(ids)}, {"ms", median}, {"mb_per_s", static_cast<double>(text.size()) / 1e3 / median},
            {"best_mb_per_s", static_cast<double>(text.size()) / 1e3 / milliseconds.front()}};
        std::printf("%s\n", line.dump().c_str());
    }
    return 0;
}
