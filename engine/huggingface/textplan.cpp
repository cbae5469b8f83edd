#include "huggingface/textplan.h"

#include "text/pretokenizers/families.h"

#include <functional>
#include <map>

namespace kvasir {

using Json = nlohmann::json;

namespace {

constexpr const char* kSpaceSign = "\xE2\x96\x81";

Failure unknown(const std::string& what, const std::string& name)
{
    return fail(ErrorCode::Unsupported,
        "the " + what + " '" + name.substr(0, 200)
            + "' of tokenizer.json is not known to Kvasir; look for a GGUF file of the model",
        {{"what", what}, {"name", name}});
}

std::string text(const Json& part, const char* name)
{
    const auto value = part.find(name);
    return value != part.end() && value->is_string() ? value->get<std::string>() : std::string();
}

bool flag(const Json& part, const char* name, bool fallback)
{
    const auto value = part.find(name);
    return value != part.end() && value->is_boolean() ? value->get<bool>() : fallback;
}

/// "pattern" of a Split or Replace: {"String": ...} or {"Regex": ...}.
std::string pattern(const Json& part, const char* kind)
{
    const auto value = part.find("pattern");
    return value != part.end() && value->is_object() ? text(*value, kind) : std::string();
}

/// The parts of a Sequence under `list`, or the part itself.
Result<void> forEachPart(const Json& part, const char* list, const std::string& what, int depth,
    const std::function<Result<void>(const std::string& type, const Json& part)>& f)
{
    const std::string type = part.is_object() ? text(part, "type") : std::string();
    if (type != "Sequence") {
        return f(type, part);
    }
    const auto parts = part.find(list);
    if (parts == part.end() || !parts->is_array() || depth > 4) {
        return unknown(what, type);
    }
    for (const Json& inner : *parts) {
        KVASIR_TRY(forEachPart(inner, list, what, depth + 1, f));
    }
    return {};
}

Result<void> readNormalizer(const std::string& type, const Json& part, TextPlan& plan)
{
    static const std::map<std::string, std::string> kForms{
        {"NFC", "nfc"}, {"NFD", "nfd"}, {"NFKC", "nfkc"}, {"NFKD", "nfkd"}};
    if (const auto form = kForms.find(type); form != kForms.end() && plan.form.empty()) {
        plan.form = form->second;
        return {};
    }
    if (type == "Prepend" && text(part, "prepend") == kSpaceSign) {
        plan.prefixesSpace = true;
        return {};
    }
    if (type == "Replace" && pattern(part, "String") == " " && text(part, "content") == kSpaceSign) {
        plan.spaceSigns = true;
        return {};
    }
    return unknown("normalizer", type == "Replace" || type == "Prepend" || type.empty() ? part.dump() : type);
}

Result<void> readMetaspace(const Json& part, TextPlan& plan)
{
    if (text(part, "replacement") != kSpaceSign) {
        return unknown("pre-tokenizer", part.dump());
    }
    const std::string scheme = text(part, "prepend_scheme");
    const bool prefixes = scheme.empty() ? flag(part, "add_prefix_space", true) : scheme != "never";
    plan.spaceSigns = true;
    plan.prefixesSpace = plan.prefixesSpace || prefixes;
    plan.prefixesOnlyFirst = scheme == "first";
    plan.prefixesUnlessThere = true;
    if (flag(part, "split", true)) {
        plan.patterns.push_back("\xE2\x96\x81?[^\xE2\x96\x81]+|\xE2\x96\x81");
    }
    return {};
}

Result<void> readPreTokenizer(const std::string& type, const Json& part, TextPlan& plan)
{
    if (type == "ByteLevel") {
        if (flag(part, "add_prefix_space", true)) {
            return unknown("pre-tokenizer", "ByteLevel with add_prefix_space");
        }
        plan.bytesAsText = true;
        if (flag(part, "use_regex", true)) {
            plan.patterns.emplace_back(gpt2Pattern());
        }
        return {};
    }
    if (type == "Digits") {
        plan.patterns.push_back(flag(part, "individual_digits", false) ? "\\p{N}" : "\\p{N}+");
        return {};
    }
    if (type == "Punctuation") {
        const std::string behavior = text(part, "behavior");
        if (!behavior.empty() && behavior != "Isolated" && behavior != "Contiguous") {
            return unknown("pre-tokenizer", part.dump());
        }
        // ASCII's own punctuation holds signs that Unicode calls symbols.
        plan.patterns.push_back(std::string(R"([\p{P}\$\+<=>\^~\|`])") + (behavior == "Contiguous" ? "+" : ""));
        return {};
    }
    if (type == "Metaspace") {
        return readMetaspace(part, plan);
    }
    if (type == "Split") {
        const std::string behavior = text(part, "behavior");
        const bool inverted = flag(part, "invert", false);
        const std::string expression = pattern(part, "Regex");
        // What matches is a piece, and what does not is another, or does not occur: published expressions match all.
        if (!expression.empty() && (inverted ? behavior == "Removed" : behavior == "Isolated")) {
            plan.patterns.push_back(expression);
            return {};
        }
        // Gemma: there are no spaces any more, they were replaced.
        if (pattern(part, "String") == " " && plan.spaceSigns) {
            return {};
        }
    }
    return unknown("pre-tokenizer", type == "Split" || type.empty() ? part.dump() : type);
}

} // namespace

Result<TextPlan> readTextPlan(const Json& tokenizer)
{
    TextPlan plan;
    if (const auto part = tokenizer.find("normalizer"); part != tokenizer.end() && !part->is_null()) {
        KVASIR_TRY(forEachPart(*part, "normalizers", "normalizer", 0,
            [&](const std::string& type, const Json& json) { return readNormalizer(type, json, plan); }));
    }
    if (const auto part = tokenizer.find("pre_tokenizer"); part != tokenizer.end() && !part->is_null()) {
        KVASIR_TRY(forEachPart(*part, "pretokenizers", "pre-tokenizer", 0,
            [&](const std::string& type, const Json& json) { return readPreTokenizer(type, json, plan); }));
    }
    return plan;
}

} // namespace kvasir
