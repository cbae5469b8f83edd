#include "command.h"
#include "inspectnotes.h"
#include "model/config.h"
#include "modelarguments.h"
#include "output.h"
#include "session/openmodel.h"
#include "text/chatsetup.h"
#include "text/tokenizer.h"

#include <map>

namespace kvasir::cli {
namespace {

Json shapeOf(const StoredTensor& tensor)
{
    Json shape = Json::array();
    for (int i = 0; i < tensor.dimCount; ++i) {
        shape.push_back(tensor.dims[static_cast<size_t>(i)]);
    }
    return shape;
}

Json metadataJson(const ModelFile& file)
{
    Json list = Json::array();
    for (const GgufEntry& entry : file.metadata()) {
        Json item{{"key", entry.key}, {"type", ggufTypeName(entry.type)}};
        if (entry.isArray) {
            item["count"] = entry.count;
        }
        item["value"] = ggufValueText(entry);
        list.push_back(std::move(item));
    }
    return list;
}

Json tensorsJson(const ModelFile& file)
{
    Json list = Json::array();
    for (const StoredTensor& tensor : file.tensors()) {
        list.push_back({{"name", tensor.name}, {"type", tensorTypeName(tensor.type)}, {"shape", shapeOf(tensor)},
            {"bytes", tensor.bytes}});
    }
    return list;
}

/// What the engine would make of the file, without reading a weight; `error` where it would refuse it. `notes` tell the
/// same and more to a person.
Json engineJson(const ModelFile& file, std::vector<InspectNote>& notes)
{
    const auto config = readModelConfig(file);
    if (!config) {
        return {{"supported", false}, {"error", config.error().detail}};
    }
    Json engine{{"supported", true}, {"architecture", config->architecture}, {"name", config->name},
        {"parameters", config->parameters}, {"layers", config->layers}, {"width", config->width},
        {"heads", config->heads}, {"kv_heads", config->kvHeads}, {"head_size", config->headSize},
        {"feed_forward", config->feedForward}, {"vocabulary", config->vocabulary},
        {"trained_context", config->trainedContext}, {"tied_head", config->tiedHead}};
    Json windows = Json::array();
    for (const LayerConfig& layer : config->layer) {
        windows.push_back(layer.window);
    }
    engine["windows"] = std::move(windows);
    const auto tokenizer = makeTokenizer(file);
    if (!tokenizer) {
        engine["supported"] = false;
        engine["error"] = tokenizer.error().detail;
        return engine;
    }
    if (const auto warning = (*tokenizer)->warning()) {
        engine["tokenizer_warning"] = warning->detail;
    }
    const auto stored = file.string("tokenizer.chat_template", std::string_view());
    const ChatSetup chat = readChatSetup(stored ? *stored : std::string_view(), **tokenizer);
    engine["chat_template"] = chat.origin == TemplateOrigin::File ? "usable"
        : chat.origin == TemplateOrigin::Known                    ? "by the markers in the vocabulary"
        : chat.origin == TemplateOrigin::Broken                   ? "broken: " + chat.error
                                                                  : std::string("none");
    if (!chat.name.empty()) {
        engine["chat_format"] = chat.name;
    }
    engine["ends"] = (*tokenizer)->endsOfGeneration();
    notes = inspectNotes(file, *config, **tokenizer, chat);
    return engine;
}

/// The notes in four paragraphs, those that are empty left out.
std::string notesForPeople(const std::vector<InspectNote>& notes)
{
    using Kind = InspectNote::Kind;
    constexpr std::pair<Kind, const char*> kParagraphs[] = {{Kind::Is, "what it is"}, {Kind::Needs, "what it needs"},
        {Kind::Unusual, "what is unusual"}, {Kind::Missing, "what is missing"}};
    std::string text;
    for (const auto& [kind, title] : kParagraphs) {
        std::string lines;
        for (const InspectNote& note : notes) {
            lines += note.kind == kind ? "  - " + note.text + '\n' : std::string();
        }
        text += lines.empty() ? lines : title + ('\n' + lines) + '\n';
    }
    return text;
}

std::string forPeople(const ModelFile& file, const Json& engine, const std::vector<InspectNote>& notes)
{
    std::string text = file.path() + "\n" + file.format() + ", " + bytesText(static_cast<double>(file.fileSize()))
        + ", " + std::to_string(file.tensors().size()) + " tensors\n\n" + notesForPeople(notes);
    if (const auto error = engine.find("error"); error != engine.end()) {
        text += "Kvasir cannot run it: " + error->get<std::string>() + "\n\n";
    }
    std::vector<std::vector<std::string>> rows;
    for (const GgufEntry& entry : file.metadata()) {
        const std::string type = std::string(ggufTypeName(entry.type)) + (entry.isArray ? "[]" : "");
        rows.push_back({"  " + std::string(entry.key), type, ggufValueText(entry)});
    }
    text += table(rows) + '\n';

    struct Sum {
        size_t tensors = 0;
        double bytes = 0;
        double values = 0;
    };
    std::map<std::string_view, Sum> sums;
    rows = {{"  tensor", "type", "shape", "bytes"}};
    for (const StoredTensor& tensor : file.tensors()) {
        std::string shape;
        for (const Json& dimension : shapeOf(tensor)) {
            shape += (shape.empty() ? "" : " x ") + dimension.dump();
        }
        rows.push_back({"  " + std::string(tensor.name), std::string(tensorTypeName(tensor.type)), shape,
            bytesText(static_cast<double>(tensor.bytes))});
        Sum& sum = sums[tensorTypeName(tensor.type)];
        ++sum.tensors;
        sum.bytes += static_cast<double>(tensor.bytes);
        sum.values += static_cast<double>(tensor.elements());
    }
    text += table(rows) + '\n';
    rows = {{"  type", "tensors", "values", "bytes", "bits a value"}};
    for (const auto& [type, sum] : sums) {
        rows.push_back({"  " + std::string(type), std::to_string(sum.tensors), countText(sum.values),
            bytesText(sum.bytes), fixed(8 * sum.bytes / sum.values, 2)});
    }
    text += table(rows) + "\nwhat the engine makes of it\n";
    rows.clear();
    for (const auto& [key, value] : engine.items()) {
        if (key != "windows") {
            rows.push_back({"  " + key, value.is_string() ? value.get<std::string>() : value.dump()});
        }
    }
    return text + table(rows);
}

Result<void> run(const Arguments& arguments)
{
    if (!arguments.positional().empty() && arguments.has("--model")) {
        return fail(ErrorCode::BadArgument, "inspect takes one file", {{"what", "FILE"}});
    }
    const auto file =
        arguments.positional().empty() ? openModelFile(arguments) : openModel(arguments.positional().front());
    KVASIR_TRY(file);
    std::vector<InspectNote> notes;
    const Json engine = engineJson(*file, notes);
    if (!arguments.has("--json")) {
        return print(forPeople(*file, engine, notes));
    }
    Json told = Json::array();
    for (const InspectNote& note : notes) {
        told.push_back({{"kind", inspectNoteKind(note.kind)}, {"text", note.text}});
    }
    return printJson({{"file", file->path()}, {"format", file->format()}, {"files", file->maps().size()},
        {"bytes", file->fileSize()}, {"version", file->version()}, {"alignment", file->alignment()},
        {"metadata", metadataJson(*file)}, {"tensors", tensorsJson(*file)}, {"engine", engine},
        {"notes", std::move(told)}});
}

} // namespace

Command inspectCommand()
{
    return {"inspect", "what is in a model file; reads no weights", "FILE",
        {
            {"--model", "-m", "FILE", "the same as FILE"},
            {"--json", nullptr, nullptr, "machine-readable output"},
        },
        1, run};
}

} // namespace kvasir::cli
