#include "hffolder.h"
#include "modelrunner.h"
#include "session/engine.h"
#include "session/openmodel.h"
#include "text/chattemplate.h"
#include "tokenizergolden.h"

#include <QJsonDocument>
#include <QTemporaryDir>

using namespace kvasir;
using namespace kvasir::testing;

/// What a Hugging Face folder may look like, and what is refused. The folders are made from golden GGUF files.
class HfFolderTest : public QObject {
    Q_OBJECT

private slots:
    void init();

    void givesTheReferencesLogitsAndIds_data();
    void givesTheReferencesLogitsAndIds();
    void plansWhatLoadingTakes();
    void opensByAnyOfItsFiles();
    void isCalledAsItsFolder();
    void joinsWeightsInSeveralFiles();
    void namesWhatIsWrongWithSeveralFiles_data();
    void namesWhatIsWrongWithSeveralFiles();
    void takesTheIdsOfATokenizerModel();
    void takesTheTemplateOfItsOwnFile();
    void takesTheDefaultOfSeveralTemplates();
    void endsWithAnyOfTheEndIds();
    void leavesTheCopyOfATiedHeadOut();
    void padsTheVocabularyToTheEmbedding();
    void readsBothLayoutsOfTheRotation();
    void refusesByName_data();
    void refusesByName();
    void namesTheFileThatIsMissing_data();
    void namesTheFileThatIsMissing();
    void namesTheWeightsThatArePickles();

private:
    QString file(const QString& name) const { return m_folder->path() + "/" + name; }
    Result<ModelFile> open() const { return openModel(m_folder->path().toStdString()); }
    Error error() const
    {
        const auto opened = open();
        if (!opened) {
            return opened.error();
        }
        const auto config = readModelConfig(*opened);
        if (!config) {
            return config.error();
        }
        const auto tokenizer = makeTokenizer(*opened);
        return tokenizer ? Error{ErrorCode::Internal, {}, "opened"} : tokenizer.error();
    }
    void setJson(const QString& name, const QString& key, const QJsonValue& value) const
    {
        QJsonObject json = readJson(file(name));
        json[key] = value;
        QVERIFY(writeFile(file(name), QJsonDocument(json).toJson()));
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

namespace {

bool says(const Error& error, const std::string& text)
{
    return error.detail.find(text) != std::string::npos;
}

QByteArray indexOf(const QStringList& files, const std::vector<SafetensorsWriter>& shards)
{
    QJsonObject map;
    for (size_t i = 0; i < shards.size(); ++i) {
        for (const SafetensorsWriter::Tensor& tensor : shards[i].tensors()) {
            map[QString::fromStdString(tensor.name)] = files[static_cast<qsizetype>(i)];
        }
    }
    return QJsonDocument(QJsonObject{{"metadata", QJsonObject()}, {"weight_map", map}}).toJson();
}

QJsonValue parsed(const char* json)
{
    return QJsonDocument::fromJson(QByteArray("[") + json + "]")[0];
}

} // namespace

void HfFolderTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(makeFolder("llama-gqa", m_folder->path()));
}

void HfFolderTest::givesTheReferencesLogitsAndIds_data()
{
    QTest::addColumn<QString>("model");
    for (const char* model : {"llama-gqa", "mistral-swa", "gemma3", "qwen3-moe"}) {
        QTest::newRow(model) << model;
    }
}

void HfFolderTest::givesTheReferencesLogitsAndIds()
{
    QFETCH(QString, model);
    QVERIFY(makeFolder(model, m_folder->path()));
    const auto opened = open();
    QVERIFY2(opened, opened ? "" : opened.error().detail.c_str());
    const QJsonObject golden = readJson(goldenPath(QString("tiny/%1/golden.json").arg(model)));
    for (const QJsonValue& value : golden["sequences"].toArray()) {
        const QJsonObject sequence = value.toObject();
        ModelRunner runner = ModelRunner::load(*opened, ModelRunner::exact());
        QVERIFY2(runner, runner.error.c_str());
        BlockTable table(*runner.pool);
        const std::vector<float> logits = runner.feed(table, tokensFrom(sequence["ids"]));
        QVERIFY2(!logits.empty(), runner.error.c_str());
        const Distance distance = distanceTo(sequence["hf_f32"].toObject(), logits);
        QVERIFY2(distance.largest <= 1e-3, qPrintable(QString::number(distance.largest))); // golden/README
        QVERIFY(distance.aboveTop <= 2e-3);
    }
    const auto tokenizer = makeTokenizer(*opened);
    QVERIFY2(tokenizer, tokenizer ? "" : tokenizer.error().detail.c_str());
    checkTinyTokenizer(**tokenizer, goldenPath(QString("tiny/%1/tokenizer_golden.json").arg(model)));
}

void HfFolderTest::plansWhatLoadingTakes()
{
    QVERIFY(makeFolder("gemma3", m_folder->path())); // its norms are made while they are read
    EngineOptions options;
    options.context = 256;
    options.threads = 1;
    const auto plan = Engine::plan(m_folder->path().toStdString(), options);
    QVERIFY2(plan, plan ? "" : plan.error().detail.c_str());
    const auto engine = Engine::load(m_folder->path().toStdString(), options);
    QVERIFY2(engine, engine ? "" : engine.error().detail.c_str());
    const MemoryUse loaded = (*engine)->memory();
    for (const MemoryTag tag : {MemoryTag::Weights, MemoryTag::Activations, MemoryTag::Scratch, MemoryTag::Logits}) {
        QCOMPARE(loaded[tag], (*plan)[tag]);
    }
    QVERIFY(loaded[MemoryTag::Weights] > 900'000); // 236,576 floats
    QCOMPARE((*engine)->summary().weightsName, std::string("F32"));
}

void HfFolderTest::opensByAnyOfItsFiles()
{
    const auto whole = open();
    QVERIFY2(whole, whole ? "" : whole.error().detail.c_str());
    for (const char* name : {"config.json", "model.safetensors", ""}) {
        const auto opened = openModel(file(name).toStdString());
        QVERIFY2(opened, name);
        QCOMPARE(opened->tensors().size(), whole->tensors().size());
        QCOMPARE(opened->path(), file(name).toStdString());
    }
}

void HfFolderTest::isCalledAsItsFolder()
{
    const QString plain = file("Some-Model-1.5B");
    QVERIFY(makeFolder("llama-gqa", plain));
    for (const QString& path : {plain, plain + "/", plain + "/config.json"}) {
        QCOMPARE(*openModel(path.toStdString())->string("general.name"), std::string_view("Some-Model-1.5B"));
    }
    const QString cached = file("models--owner--Name-7B/snapshots/0123456789abcdef");
    QVERIFY(makeFolder("llama-gqa", cached));
    QCOMPARE(*openModel(cached.toStdString())->string("general.name"), std::string_view("Name-7B"));
}

void HfFolderTest::joinsWeightsInSeveralFiles()
{
    const auto whole = open();
    const auto gguf = GgufFile::open(goldenPath("tiny/llama-gqa/model-f32.gguf").toStdString());
    std::vector<SafetensorsWriter> shards(3);
    const SafetensorsWriter all = weightsOf(*gguf);
    for (size_t i = 0; i < all.tensors().size(); ++i) {
        shards[i % 3].add(all.tensors()[i]);
    }
    QStringList names;
    for (const SafetensorsWriter& shard : shards) {
        names << QString("model-0000%1-of-00003.safetensors").arg(names.size() + 1);
        QVERIFY(writeFile(file(names.last()), QByteArray::fromStdString(shard.bytes())));
    }
    QVERIFY(QFile::remove(file("model.safetensors")));
    QVERIFY(writeFile(file("model.safetensors.index.json"), indexOf(names, shards)));
    const auto joined = open();
    QVERIFY2(joined, joined ? "" : joined.error().detail.c_str());
    QCOMPARE(joined->maps().size(), size_t(3));
    for (const StoredTensor& wanted : whole->tensors()) {
        const StoredTensor* tensor = joined->tensor(wanted.name);
        QVERIFY(tensor && tensor->bytes == wanted.bytes);
        QVERIFY(std::equal(tensor->data, tensor->data + tensor->bytes, wanted.data));
    }

    QVERIFY(QFile::remove(file(names[1])));
    const Error missing = error();
    QCOMPARE(missing.code, ErrorCode::FileNotFound);
    QCOMPARE(QString::fromStdString(std::string(missing.parameter("path"))), file(names[1]));
}

void HfFolderTest::namesWhatIsWrongWithSeveralFiles_data()
{
    QTest::addColumn<QByteArray>("index");
    QTest::addColumn<QString>("message");
    const auto map = [](const char* entries) { return QByteArray("{\"weight_map\": {") + entries + "}}"; };
    QTest::newRow("not in the file") << map(R"("a": "one.safetensors", "other": "one.safetensors")")
                                     << "1 of the tensors";
    QTest::newRow("in two files") << map(R"("a": "one.safetensors", "b": "two.safetensors")") << "as well";
    QTest::newRow("outside of the folder") << map(R"("a": "../one.safetensors")") << "in the same folder";
    QTest::newRow("no safetensors") << map(R"("a": "one.bin")") << "no .safetensors file";
    QTest::newRow("a number") << map(R"("a": 1)") << "no .safetensors file";
    QTest::newRow("empty") << map("") << "no weight_map";
    QTest::newRow("no object") << QByteArray("[]") << "no weight_map";
    QTest::newRow("broken") << QByteArray("{\"weight_map\": {") << "JSON is broken";
}

void HfFolderTest::namesWhatIsWrongWithSeveralFiles()
{
    QFETCH(QByteArray, index);
    QFETCH(QString, message);
    QVERIFY(QFile::remove(file("model.safetensors")));
    for (const char* name : {"one.safetensors", "two.safetensors"}) {
        SafetensorsWriter shard;
        shard.add({"a", "F32", {1}, "0123"});
        QVERIFY(writeFile(file(name), QByteArray::fromStdString(shard.bytes())));
    }
    QVERIFY(writeFile(file("model.safetensors.index.json"), index));
    const Error found = error();
    QCOMPARE(found.code, ErrorCode::Malformed);
    QVERIFY2(says(found, message.toStdString()), found.detail.c_str());
}

void HfFolderTest::takesTheIdsOfATokenizerModel()
{
    for (const char* model : {"mistral-swa", "gemma3"}) {
        QVERIFY(makeFolder(model, m_folder->path()));
        QVERIFY(QFile::remove(file("tokenizer.json")));
        const auto opened = open();
        QVERIFY2(opened, opened ? "" : opened.error().detail.c_str());
        const auto tokenizer = makeTokenizer(*opened);
        QVERIFY2(tokenizer, tokenizer ? "" : tokenizer.error().detail.c_str());
        checkTinyTokenizer(**tokenizer, goldenPath(QString("tiny/%1/tokenizer_golden.json").arg(model)));

        QByteArray bytes = readAll(file("tokenizer.model"));
        bytes.chop(1);
        QVERIFY(writeFile(file("tokenizer.model"), bytes));
        QCOMPARE(error().code, ErrorCode::BadTokenizer);
    }
}

void HfFolderTest::takesTheTemplateOfItsOwnFile()
{
    setJson("tokenizer_config.json", "chat_template", "of the settings");
    QCOMPARE(*open()->string("tokenizer.chat_template"), std::string_view("of the settings"));
    QVERIFY(writeFile(file("chat_template.jinja"), "of its file"));
    QCOMPARE(*open()->string("tokenizer.chat_template"), std::string_view("of its file"));
}

void HfFolderTest::takesTheDefaultOfSeveralTemplates()
{
    setJson("tokenizer_config.json", "chat_template",
        parsed(R"([{"name": "tool_use", "template": "tools"}, {"name": "default", "template": "plain"}])"));
    QCOMPARE(*open()->string("tokenizer.chat_template"), std::string_view("plain"));
}

void HfFolderTest::endsWithAnyOfTheEndIds()
{
    setJson("config.json", "eos_token_id", parsed("[7, 8]"));
    QVERIFY(writeFile(file("generation_config.json"), R"({"eos_token_id": [9, 100000]})"));
    const auto opened = open();
    const auto tokenizer = makeTokenizer(*opened);
    QVERIFY(tokenizer);
    for (const TokenId id : {7, 8, 9}) {
        QVERIFY((*tokenizer)->isEndOfGeneration(id));
    }
    QVERIFY(!(*tokenizer)->isEndOfGeneration(10));
    QCOMPARE((*tokenizer)->eos(), 510); // "<|end_of_text|>", which the tokenizer's settings name
}

void HfFolderTest::leavesTheCopyOfATiedHeadOut()
{
    QVERIFY(open()->tensor("output.weight"));
    setJson("config.json", "tie_word_embeddings", true);
    QVERIFY(!open()->tensor("output.weight"));
    QVERIFY(readModelConfig(*open())->tiedHead);
}

void HfFolderTest::padsTheVocabularyToTheEmbedding()
{
    QJsonObject json = readJson(file("tokenizer.json"));
    QJsonArray added = json["added_tokens"].toArray();
    added.removeLast();                                                                       // of row 511
    added.append(parsed(R"({"id": 512, "content": "<image>", "special": true})").toObject()); // of no row
    json["added_tokens"] = added;
    QVERIFY(writeFile(file("tokenizer.json"), QJsonDocument(json).toJson()));
    const auto tokenizer = makeTokenizer(*open());
    QVERIFY(tokenizer);
    QCOMPARE((*tokenizer)->vocabularySize(), 512);
    QVERIFY((*tokenizer)->encode("<image>", {.parseSpecial = true}).size() > 1);
}

void HfFolderTest::readsBothLayoutsOfTheRotation()
{
    setJson("config.json", "rope_parameters",
        parsed(R"({"rope_theta": 5000, "rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 128})"));
    const auto newer = readModelConfig(*open());
    QVERIFY(newer);
    setJson("config.json", "rope_parameters", QJsonValue());
    setJson("config.json", "rope_theta", 5000);
    setJson("config.json", "rope_scaling",
        parsed(R"({"type": "yarn", "factor": 4, "original_max_position_embeddings": 128})"));
    const auto older = readModelConfig(*open());
    QVERIFY(older);
    QVERIFY(older->ropes[0].frequencies == newer->ropes[0].frequencies);
    QCOMPARE(older->ropes[0].magnitude, newer->ropes[0].magnitude);
    QCOMPARE(newer->ropes[0].magnitude, static_cast<float>(1 + 0.1 * std::log(4.0)));
    QCOMPARE(newer->ropes[0].frequencies[0], 1.0);                              // turns often enough to stay
    QCOMPARE(newer->ropes[0].frequencies[7], std::pow(5000.0, -14.0 / 16) / 4); // and less than once
}

void HfFolderTest::refusesByName_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QString>("message");
    const auto config = [](const char* key, const char* value, const char* message) {
        QTest::addRow("%s %s", key, value) << "config.json" << key << QByteArray(value) << message;
    };
    config("architectures", R"(["MambaForCausalLM"])", "'MambaForCausalLM'");
    config("quantization_config", R"({"quant_method": "gptq", "bits": 4})", "'gptq'");
    config("quantization_config", R"({"quant_method": "awq"})", "'awq'");
    config("quantization_config", R"({"quant_method": "fp8"})", "'fp8'");
    config("quantization_config", R"({"quant_method": "bitsandbytes"})", "'bitsandbytes'");
    config("quantization_config", R"({"quant_method": "mxfp4"})", "'mxfp4'"); // of gpt-oss alone
    config("hidden_act", R"("gelu")", "hidden_act");
    config("clip_qkv", "8", "clip_qkv");
    config("layer_types", R"(["full_attention", "full_attention", "linear_attention"])", "layer_types");
    config("layer_types", R"(["full_attention"])", "layer_types");
    config("rope_parameters", R"({"rope_type": "dynamic", "factor": 2})", "'dynamic'");
    config("rope_parameters", R"({"rope_type": "longrope"})", "'longrope'");
    config("rope_parameters", R"({"rope_theta": 1e4, "partial_rotary_factor": 0.5})", "partial_rotary_factor");
    config("num_hidden_layers", "100000000", "num_hidden_layers");
    const auto tokenizer = [](const char* key, const char* value, const char* message) {
        QTest::addRow("%s %s", key, value) << "tokenizer.json" << key << QByteArray(value) << message;
    };
    tokenizer("normalizer", R"({"type": "Lowercase"})", "'Lowercase'");
    tokenizer("normalizer", R"({"type": "Sequence", "normalizers": [{"type": "NFC"}, {"type": "Precompiled"}]})",
        "Precompiled");
    tokenizer("normalizer", R"({"type": "Replace", "pattern": {"String": "a"}, "content": "b"})", "Replace");
    tokenizer("pre_tokenizer", R"({"type": "Whitespace"})", "'Whitespace'");
    tokenizer("pre_tokenizer", R"({"type": "ByteLevel", "add_prefix_space": true})", "add_prefix_space");
    tokenizer("pre_tokenizer",
        R"({"type": "Sequence", "pretokenizers": [{"type": "Split", "pattern": {"Regex": "(?<=a)(b)\\1"},
        "behavior": "Isolated", "invert": false}, {"type": "ByteLevel", "add_prefix_space": false, "use_regex": false}]})",
        "(?<=a)");
    tokenizer("model", R"({"type": "WordPiece", "vocab": {"a": 0}})", "'WordPiece'");
    tokenizer("added_tokens", R"([{"id": 1, "content": "a", "single_word": true}])", "single word");
}

void HfFolderTest::refusesByName()
{
    QFETCH(QString, name);
    QFETCH(QString, key);
    QFETCH(QByteArray, value);
    QFETCH(QString, message);
    setJson(name, key, parsed(value));
    const Error found = error();
    QCOMPARE(found.code, ErrorCode::Unsupported);
    QVERIFY2(says(found, message.toStdString()), found.detail.c_str());
}

void HfFolderTest::namesTheFileThatIsMissing_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name : {"config.json", "model.safetensors", "tokenizer.json"}) {
        QTest::newRow(name) << name;
    }
}

void HfFolderTest::namesTheFileThatIsMissing()
{
    QFETCH(QString, name);
    QVERIFY(QFile::remove(file(name)));
    const Error found = error();
    QCOMPARE(found.code, ErrorCode::FileNotFound);
    QVERIFY2(says(found, name.toStdString()), found.detail.c_str());
}

void HfFolderTest::namesTheWeightsThatArePickles()
{
    QVERIFY(QFile::rename(file("model.safetensors"), file("pytorch_model.bin")));
    const Error found = error();
    QCOMPARE(found.code, ErrorCode::Unsupported);
    QVERIFY2(says(found, "pytorch_model.bin"), found.detail.c_str());
}

QTEST_GUILESS_MAIN(HfFolderTest)
#include "tst_hffolder.moc"
