#include "huggingface/tokenizerjson.h"

#include "files/ggufbytes.h"
#include "huggingface/metadatawriter.h"
#include "huggingface/textplan.h"
#include "huggingface/tokenlist.h"

#include <vector>

namespace kvasir {

using Json = nlohmann::json;

namespace {

Failure unknown(const std::string& what, const std::string& name)
{
    return fail(ErrorCode::Unsupported,
        "the " + what + " '" + name.substr(0, 80)
            + "' of tokenizer.json is not known to Kvasir; look for a GGUF file of the model",
        {{"what", what}, {"name", name}});
}

const Json* find(const Json& object, const char* name)
{
    const auto found = object.is_object() ? object.find(name) : object.end();
    return !object.is_object() || found == object.end() || found->is_null() ? nullptr : &*found;
}

std::string text(const Json& object, const char* name)
{
    const Json* value = find(object, name);
    return value && value->is_string() ? value->get<std::string>() : std::string();
}

bool flag(const Json& object, const char* name)
{
    const Json* value = find(object, name);
    return value && value->is_boolean() && value->get<bool>();
}

/// {"token": id, ...}
Result<void> readVocabulary(const Json& model, bool byteFallback, TokenList& tokens)
{
    const Json* vocabulary = find(model, "vocab");
    if (!vocabulary || !vocabulary->is_object() || vocabulary->empty()) {
        return brokenTokenizer("it has no vocabulary");
    }
    const std::string unknownToken = text(model, "unk_token");
    for (const auto& [token, id] : vocabulary->items()) {
        if (!id.is_number_unsigned()) {
            return brokenTokenizer("the token " + gguf::quoted(token) + " has no number");
        }
        tokens.set(id.get<uint64_t>(), token,
            token == unknownToken ? TokenList::Unknown
                : byteFallback    ? kindOfText(token)
                                  : TokenList::Normal);
    }
    return {};
}

/// "a b" or ["a", "b"], earliest first.
Result<std::vector<std::string>> readMerges(const Json& model)
{
    const Json* list = find(model, "merges");
    if (!list || !list->is_array()) {
        return brokenTokenizer("it has no merges");
    }
    std::vector<std::string> merges;
    merges.reserve(list->size());
    for (const Json& merge : *list) {
        if (merge.is_string()) {
            merges.push_back(merge.get<std::string>());
            continue;
        }
        if (!merge.is_array() || merge.size() != 2 || !merge[0].is_string() || !merge[1].is_string()) {
            return brokenTokenizer("merge " + std::to_string(merges.size()) + " is no pair");
        }
        const auto& left = merge[0].get_ref<const std::string&>();
        const auto& right = merge[1].get_ref<const std::string&>();
        if (left.find(' ', 1) != std::string::npos || left.empty() || right.empty()) {
            return brokenTokenizer("merge " + std::to_string(merges.size()) + " has a space inside or an empty side");
        }
        merges.push_back(left + " " + right);
    }
    return merges;
}

Result<void> writeBpe(const Json& model, const TextPlan& plan, TokenList& tokens, MetadataWriter& metadata)
{
    for (const char* name : {"continuing_subword_prefix", "end_of_word_suffix"}) {
        if (!text(model, name).empty()) {
            return unknown("option", name);
        }
    }
    if (const Json* dropout = find(model, "dropout"); dropout && *dropout != 0) {
        return unknown("option", "dropout");
    }
    const bool byteFallback = flag(model, "byte_fallback");
    if (plan.spaceSigns && !byteFallback) {
        return unknown("kind of BPE", "characters without byte fallback");
    }
    if (plan.bytesAsText == plan.spaceSigns) {
        return unknown("kind of BPE", plan.bytesAsText ? "bytes and space signs" : "neither bytes nor space signs");
    }
    KVASIR_TRY(readVocabulary(model, byteFallback, tokens));
    const auto merges = readMerges(model);
    KVASIR_TRY(merges);
    metadata.add("tokenizer.ggml.model", std::string_view("gpt2"));
    metadata.addStrings("tokenizer.ggml.merges", *merges);
    metadata.addStrings("kvasir.tokenizer.patterns", plan.patterns);
    metadata.add("kvasir.tokenizer.whole_words", flag(model, "ignore_merges"));
    metadata.add("kvasir.tokenizer.plain_text", plan.spaceSigns);
    metadata.add("kvasir.tokenizer.space_prefix", plan.prefixesSpace);
    return {};
}

/// [["token", score], ...]
Result<void> writeUnigram(const Json& model, const TextPlan& plan, TokenList& tokens, MetadataWriter& metadata)
{
    if (!plan.spaceSigns || plan.bytesAsText) {
        return unknown("kind of Unigram", "without space signs");
    }
    const Json* vocabulary = find(model, "vocab");
    if (!vocabulary || !vocabulary->is_array() || vocabulary->empty()) {
        return brokenTokenizer("it has no vocabulary");
    }
    const Json* unknownId = find(model, "unk_id");
    const bool byteFallback = flag(model, "byte_fallback");
    uint64_t id = 0;
    for (const Json& item : *vocabulary) {
        if (!item.is_array() || item.size() != 2 || !item[0].is_string() || !item[1].is_number()) {
            return brokenTokenizer("token " + std::to_string(id) + " is no text with a score");
        }
        const auto token = item[0].get<std::string>();
        const bool isUnknown = unknownId && *unknownId == id;
        tokens.set(id, token,
            isUnknown          ? TokenList::Unknown
                : byteFallback ? kindOfText(token)
                               : TokenList::Normal,
            item[1].get<float>());
        ++id;
    }
    metadata.add("tokenizer.ggml.model", std::string_view("llama"));
    metadata.add("kvasir.tokenizer.unigram", true);
    metadata.add("tokenizer.ggml.add_space_prefix", plan.prefixesSpace);
    metadata.add("kvasir.tokenizer.cuts_added", true);
    return {};
}

Result<void> readAdded(const Json& tokenizer, TokenList& tokens)
{
    const Json* added = find(tokenizer, "added_tokens");
    for (size_t i = 0; added && added->is_array() && i < added->size(); ++i) {
        const Json* id = find((*added)[i], "id");
        if (!id || !id->is_number_unsigned()) {
            return brokenTokenizer("added token " + std::to_string(i) + " has no number");
        }
        KVASIR_TRY(tokens.setAdded(id->get<uint64_t>(), (*added)[i]));
    }
    return {};
}

} // namespace

Result<void> writeTokenizerJson(const Json& tokenizer, TokenList& tokens, MetadataWriter& metadata)
{
    const Json* model = find(tokenizer, "model");
    if (!model || !model->is_object()) {
        return brokenTokenizer("tokenizer.json has no model");
    }
    std::string type = text(*model, "type");
    if (type.empty()) { // old files do not say
        type = find(*model, "merges") ? "BPE" : "Unigram";
    }
    const auto plan = readTextPlan(tokenizer);
    KVASIR_TRY(plan);
    if (type == "BPE") {
        KVASIR_TRY(writeBpe(*model, *plan, tokens, metadata));
    } else if (type == "Unigram") {
        KVASIR_TRY(writeUnigram(*model, *plan, tokens, metadata));
    } else {
        return unknown("kind of model", type);
    }
    KVASIR_TRY(readAdded(tokenizer, tokens));
    metadata.add("kvasir.tokenizer.prefix_first_only", plan->prefixesOnlyFirst);
    metadata.add("kvasir.tokenizer.prefix_unless_there", plan->prefixesUnlessThere);
    if (!plan->form.empty()) {
        metadata.add("kvasir.tokenizer.form", std::string_view(plan->form));
    }
    return {};
}

TokenizerFrame readTokenizerFrame(const Json& tokenizer, const std::string& bos, const std::string& eos)
{
    TokenizerFrame frame;
    const Json* processor = find(tokenizer, "post_processor");
    const Json* list = processor ? find(*processor, "processors") : nullptr;
    std::vector<const Json*> parts;
    if (list && list->is_array()) {
        for (const Json& part : *list) {
            parts.push_back(&part);
        }
    } else if (processor) {
        parts.push_back(processor);
    }
    for (const Json* part : parts) {
        const Json* single = text(*part, "type") == "TemplateProcessing" ? find(*part, "single") : nullptr;
        bool behind = false;
        for (size_t i = 0; single && single->is_array() && i < single->size(); ++i) {
            frame.isStated = true;
            behind = behind || find((*single)[i], "Sequence");
            const Json* special = find((*single)[i], "SpecialToken");
            const std::string name = special ? text(*special, "id") : std::string();
            frame.bos = frame.bos || (!behind && !name.empty() && name == bos);
            frame.eos = frame.eos || (behind && !name.empty() && name == eos);
        }
    }
    return frame;
}

} // namespace kvasir
