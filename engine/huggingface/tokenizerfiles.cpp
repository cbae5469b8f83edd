#include "huggingface/tokenizerfiles.h"

#include "files/filemap.h"
#include "files/json.h"
#include "huggingface/folder.h"
#include "huggingface/metadatawriter.h"
#include "huggingface/tokenizerjson.h"
#include "huggingface/tokenizermodel.h"
#include "huggingface/tokenlist.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

namespace kvasir {

using Json = nlohmann::json;

namespace {

constexpr size_t kMaxTokenizerBytes = size_t(256) << 20;
constexpr size_t kMaxTemplateBytes = size_t(4) << 20;
constexpr uint64_t kMaxTokens = uint64_t(1) << 24;

const Json* find(const Json& object, const char* name)
{
    const auto found = object.is_object() ? object.find(name) : object.end();
    return !object.is_object() || found == object.end() || found->is_null() ? nullptr : &*found;
}

bool exists(const std::string& path)
{
    std::error_code ignored;
    return std::filesystem::exists(path, ignored);
}

/// "<s>" or {"content": "<s>", ...}.
std::string specialText(const Json& config, const char* name)
{
    const Json* value = find(config, name);
    if (value && value->is_object()) {
        value = find(*value, "content");
    }
    return value && value->is_string() ? value->get<std::string>() : std::string();
}

/// The ids under a key that holds one or a list of them.
std::vector<int64_t> ids(const Json& config, const char* name, size_t size)
{
    const Json* value = find(config, name);
    std::vector<int64_t> out;
    const auto add = [&](const Json& id) {
        if (id.is_number_unsigned() && id.get<uint64_t>() < size) {
            out.push_back(id.get<int64_t>());
        }
    };
    if (value && value->is_array()) {
        std::for_each(value->begin(), value->end(), add);
    } else if (value) {
        add(*value);
    }
    return out;
}

void writeSpecialIds(const HuggingFaceFolder& folder, const TokenList& tokens, MetadataWriter& metadata)
{
    const auto write = [&](const char* name, const char* key) {
        const std::string text = specialText(folder.tokenizerConfig, (std::string(name) + "_token").c_str());
        int64_t id = text.empty() ? -1 : tokens.find(text);
        const std::vector<int64_t> given = ids(folder.config, (std::string(name) + "_token_id").c_str(), tokens.size());
        if (id < 0 && !given.empty()) {
            id = given.front();
        }
        if (id >= 0) {
            metadata.add("tokenizer.ggml." + std::string(key) + "_token_id", static_cast<uint64_t>(id));
        }
    };
    write("bos", "bos");
    write("eos", "eos");
    write("unk", "unknown");
    write("pad", "padding");
    std::vector<int64_t> ends = ids(folder.config, "eos_token_id", tokens.size());
    const std::vector<int64_t> more = ids(folder.generationConfig, "eos_token_id", tokens.size());
    ends.insert(ends.end(), more.begin(), more.end());
    metadata.addIntegers("kvasir.tokenizer.end_ids", ends);
}

/// What the tokenizer itself says, unless the setting is stated; models of the Llama and Gemma classes begin with BOS
/// where nothing is said.
void writeFrame(const HuggingFaceFolder& folder, const TokenizerFrame& frame, MetadataWriter& metadata)
{
    const auto setting = [&](const char* name) {
        const Json* value = find(folder.tokenizerConfig, name);
        return value && value->is_boolean() ? std::optional<bool>(value->get<bool>()) : std::nullopt;
    };
    const Json* className = find(folder.tokenizerConfig, "tokenizer_class");
    const std::string kind = className && className->is_string() ? className->get<std::string>() : std::string();
    const bool byClass = !frame.isStated && (kind.starts_with("Llama") || kind.starts_with("Gemma"));
    metadata.add("tokenizer.ggml.add_bos_token", setting("add_bos_token").value_or(frame.bos || byClass));
    metadata.add("tokenizer.ggml.add_eos_token", setting("add_eos_token").value_or(frame.eos));
}

/// The template of chat_template.jinja, else of tokenizer_config.json, where it may be one of several with names.
Result<void> writeTemplate(const HuggingFaceFolder& folder, MetadataWriter& metadata)
{
    std::string text;
    if (const std::string path = folder.file("chat_template.jinja"); exists(path)) {
        const auto map = FileMap::open(path);
        KVASIR_TRY(map);
        text.assign(reinterpret_cast<const char*>(map->bytes().data()), std::min(map->size(), kMaxTemplateBytes));
    } else if (const Json* stored = find(folder.tokenizerConfig, "chat_template")) {
        if (stored->is_string()) {
            text = stored->get<std::string>();
        }
        for (size_t i = 0; stored->is_array() && i < stored->size(); ++i) {
            const Json& named = (*stored)[i];
            const std::string source = specialText(named, "template");
            if (text.empty() || specialText(named, "name") == "default") {
                text = source;
            }
        }
    }
    if (!text.empty()) {
        metadata.add("tokenizer.chat_template", std::string_view(text));
    }
    return {};
}

/// Tokens that stand beside a tokenizer.model: added_tokens_decoder of the settings.
Result<void> readAddedTokens(const Json& config, TokenList& tokens)
{
    const Json* added = find(config, "added_tokens_decoder");
    if (!added || !added->is_object()) {
        return {};
    }
    for (const auto& [number, description] : added->items()) {
        uint64_t id = 0;
        const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), id);
        if (error != std::errc() || end != number.data() + number.size()) {
            return brokenTokenizer("an added token has no number");
        }
        KVASIR_TRY(tokens.setAdded(id, description));
    }
    return {};
}

} // namespace

Result<void> writeTokenizer(const HuggingFaceFolder& folder, uint64_t rows, MetadataWriter& metadata)
{
    if (rows == 0 || rows > kMaxTokens) {
        return fail(ErrorCode::MissingTensor,
            "the weights in '" + folder.path + "' have no embedding model.embed_tokens.weight of a sensible size",
            {{"path", folder.path}, {"name", "model.embed_tokens.weight"}});
    }
    TokenList tokens(rows);
    TokenizerFrame frame;
    if (const std::string path = folder.file("tokenizer.json"); exists(path)) {
        const auto json = readJsonFile(path, kMaxTokenizerBytes);
        KVASIR_TRY(json);
        KVASIR_TRY(writeTokenizerJson(*json, tokens, metadata));
        frame = readTokenizerFrame(
            *json, specialText(folder.tokenizerConfig, "bos_token"), specialText(folder.tokenizerConfig, "eos_token"));
    } else if (const std::string model = folder.file("tokenizer.model"); exists(model)) {
        const auto map = FileMap::open(model);
        KVASIR_TRY(map);
        KVASIR_TRY(writeTokenizerModel(map->bytes(), tokens, metadata));
        KVASIR_TRY(readAddedTokens(folder.tokenizerConfig, tokens));
        tokens.writeSpacesInAdded();
    } else {
        return fail(ErrorCode::FileNotFound,
            "there is no tokenizer.json and no tokenizer.model in '" + folder.path + "'; download one of them too",
            {{"path", path}});
    }
    tokens.write(metadata);
    writeSpecialIds(folder, tokens, metadata);
    writeFrame(folder, frame, metadata);
    return writeTemplate(folder, metadata);
}

} // namespace kvasir
