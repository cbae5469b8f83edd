#include "base/result.h"
#include "files/gguf.h"
#include "ggufwriter.h"
#include "goldendata.h"
#include "model/config.h"
#include "model/traits.h"

#include <QTest>

using namespace kvasir;

namespace {

Result<ModelConfig> readConfig(const QString& path)
{
    auto file = GgufFile::open(path.toStdString());
    KVASIR_TRY(file);
    return readModelConfig(*file);
}

/// The configuration of a llama model of one layer and width 8, without its feed-forward, as `change` completes it.
template <class F> Result<ModelConfig> readWith(F&& change)
{
    testing::GgufWriter file;
    file.add("general.architecture", "llama");
    for (const auto& [key, value] :
        std::initializer_list<std::pair<const char*, uint32_t>>{{"block_count", 1}, {"context_length", 64},
            {"embedding_length", 8}, {"feed_forward_length", 8}, {"attention.head_count", 2}}) {
        file.add("llama." + std::string(key), value);
    }
    file.add("llama.attention.layer_norm_rms_epsilon", 1e-5f);
    file.addArray("tokenizer.ggml.tokens", std::vector<std::string>{"a", "b", "c", "d"});
    const std::vector<float> vector(8, 1.0f);
    const std::vector<float> matrix(64, 0.5f);
    file.addTensor("token_embd.weight", {8, 4}, std::vector<float>(32, 0.5f));
    for (const char* name : {"output_norm.weight", "blk.0.attn_norm.weight", "blk.0.ffn_norm.weight"}) {
        file.addTensor(name, {8}, vector);
    }
    for (const char* name : {"attn_q", "attn_k", "attn_v", "attn_output"}) {
        file.addTensor("blk.0." + std::string(name) + ".weight", {8, 8}, matrix);
    }
    change(file);
    const std::string bytes = file.bytes();
    auto parsed = GgufFile::parse(FileMap::borrow(std::as_bytes(std::span(bytes)), "memory"));
    KVASIR_TRY(parsed);
    return readModelConfig(*parsed);
}

void addExperts(testing::GgufWriter& file, uint32_t count, uint32_t used)
{
    file.add("llama.expert_count", count);
    file.add("llama.expert_used_count", used);
    file.addTensor("blk.0.ffn_gate_inp.weight", {8, count}, std::vector<float>(8 * count, 0.5f));
}

} // namespace

class ModelConfigTest : public QObject {
    Q_OBJECT

private slots:
    void refusesBrokenModels_data();
    void refusesBrokenModels();
    void boundsAnAbsurdContext();
    void readsTheControl();
    void readsTinyModels_data();
    void readsTinyModels();
    void givesGemmaItsWindowsAndBases();
    void honoursAWindowOnLlama();
    void readsExperts();
    void findsExpertsInTensorsOfTheirOwn();
    void refusesExpertsOfOtherKinds_data();
    void refusesExpertsOfOtherKinds();
    void readsBothRopesOfLongRope();
};

void ModelConfigTest::refusesBrokenModels_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("says");
    auto add = [](const char* name, ErrorCode code, const char* says) {
        QTest::newRow(name) << QString("bad/%1.gguf").arg(name) << static_cast<int>(code) << says;
    };
    add("unknown_architecture", ErrorCode::Unsupported, "architecture");
    add("missing_architecture", ErrorCode::MissingMetadata, "general.architecture");
    add("missing_embedding_length", ErrorCode::MissingMetadata, "llama.embedding_length");
    add("missing_layer_norm_rms_epsilon", ErrorCode::MissingMetadata, "llama.attention.layer_norm_rms_epsilon");
    add("missing_vocabulary", ErrorCode::MissingMetadata, "tokenizer.ggml.tokens");
    add("wrong_key_type_string", ErrorCode::Malformed, "llama.");
    add("wrong_key_type_float", ErrorCode::Malformed, "llama.embedding_length");
    add("head_count_zero", ErrorCode::Malformed, "llama.attention.head_count is 0");
    add("heads_not_dividing", ErrorCode::Malformed, "");
    add("kv_heads_not_dividing", ErrorCode::Malformed, "key/value heads");
    add("rope_dim_too_large", ErrorCode::Malformed, "llama.rope.dimension_count");
    add("rope_dim_odd", ErrorCode::Malformed, "odd");
    add("huge_block_count", ErrorCode::Malformed, "llama.block_count");
    add("zero_blocks", ErrorCode::Malformed, "llama.block_count is 0");
    add("ffn_length_wrong", ErrorCode::Malformed, "llama.feed_forward_length");
    add("epsilon_invalid", ErrorCode::Malformed, "llama.attention.layer_norm_rms_epsilon");
    add("freq_base_invalid", ErrorCode::Malformed, "llama.rope.freq_base");
    add("shape_wrong", ErrorCode::Malformed, "shape");
    add("missing_tensor", ErrorCode::MissingTensor, "output_norm.weight");
    add("vocab_size_mismatch", ErrorCode::Malformed, "token_embd.weight");
    add("type_int", ErrorCode::Unsupported, "");
    add("name_empty", ErrorCode::Malformed, "");
    add("no_tensors", ErrorCode::MissingTensor, "token_embd.weight");
}

void ModelConfigTest::refusesBrokenModels()
{
    QFETCH(QString, file);
    QFETCH(int, code);
    QFETCH(QString, says);
    const QString path = testing::goldenPath(file);
    QVERIFY2(!path.isEmpty(), "golden data is missing");
    const auto config = readConfig(path);
    QVERIFY(!config);
    const QString detail = QString::fromStdString(config.error().detail);
    QVERIFY2(static_cast<int>(config.error().code) == code, qPrintable(detail));
    QVERIFY2(detail.contains(says), qPrintable(detail));
    QVERIFY(detail.size() > 10 && !detail.endsWith(u'.'));
}

void ModelConfigTest::boundsAnAbsurdContext()
{
    const auto config = readConfig(testing::goldenPath("bad/absurd_context.gguf"));
    QVERIFY2(config, config ? "" : config.error().detail.c_str());
    QCOMPARE(config->trainedContext, kMaxContext);
}

void ModelConfigTest::readsTheControl()
{
    const auto config = readConfig(testing::goldenPath("bad/control_valid.gguf"));
    QVERIFY2(config, config ? "" : config.error().detail.c_str());
    QVERIFY(config->parameters > 0);
}

void ModelConfigTest::readsTinyModels_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("headSize");
    QTest::addColumn<int>("rotations");
    QTest::addColumn<bool>("tied");
    QTest::newRow("llama-gqa") << "tiny/llama-gqa/model-f32.gguf" << 16 << 1 << false;
    QTest::newRow("llama3-rope") << "tiny/llama3-rope/model-f32.gguf" << 16 << 1 << false;
    QTest::newRow("llama-tied") << "tiny/llama-tied/model-f32.gguf" << 32 << 1 << true;
    QTest::newRow("mistral-headdim") << "tiny/mistral-headdim/model-f32.gguf" << 32 << 1 << false;
    QTest::newRow("qwen2") << "tiny/qwen2/model-f32.gguf" << 16 << 1 << true;
    QTest::newRow("qwen3") << "tiny/qwen3/model-f32.gguf" << 32 << 1 << false;
    QTest::newRow("gemma3") << "tiny/gemma3/model-f32.gguf" << 16 << 2 << true;
}

void ModelConfigTest::readsTinyModels()
{
    QFETCH(QString, file);
    QFETCH(int, headSize);
    QFETCH(int, rotations);
    QFETCH(bool, tied);
    const QString path = testing::goldenPath(file);
    QVERIFY2(!path.isEmpty(), "golden data is missing");
    const auto config = readConfig(path);
    QVERIFY2(config, config ? "" : config.error().detail.c_str());
    QCOMPARE(config->headSize, headSize);
    QCOMPARE(static_cast<int>(config->ropes.size()), rotations);
    QCOMPARE(config->tiedHead, tied);
    QCOMPARE(config->trainedContext, 512);
}

void ModelConfigTest::givesGemmaItsWindowsAndBases()
{
    const auto config = readConfig(testing::goldenPath("tiny/gemma3/model-f32.gguf"));
    QVERIFY2(config, config ? "" : config.error().detail.c_str());
    QCOMPARE(config->layers, 7);
    for (int i = 0; i < 7; ++i) {
        const LayerConfig& layer = config->layer[static_cast<size_t>(i)];
        QCOMPARE(layer.window, i == 5 ? 0 : 32);
        QCOMPARE(layer.rope, i == 5 ? 0 : 1);
    }
    QCOMPARE(config->embeddingScale, 8.0f);
    // The second frequency of 8: base^(-2/16).
    QCOMPARE(config->ropes[0].frequencies[1], std::pow(1e6, -0.125));
    QCOMPARE(config->ropes[1].frequencies[1], std::pow(1e4, -0.125));
}

void ModelConfigTest::honoursAWindowOnLlama()
{
    const auto with = readConfig(testing::goldenPath("tiny/mistral-swa/model-f32-window-key.gguf"));
    const auto without = readConfig(testing::goldenPath("tiny/mistral-swa/model-f32.gguf"));
    QVERIFY(with && without);
    QCOMPARE(with->layer.back().window, 64);
    QCOMPARE(without->layer.back().window, 0);
}

void ModelConfigTest::readsExperts()
{
    const auto config = readConfig(testing::goldenPath("tiny/qwen3-moe/model-f32.gguf"));
    QVERIFY2(config, config ? "" : config.error().detail.c_str());
    QCOMPARE(config->experts, 6);
    QCOMPARE(config->expertsPerRow, 2);
    QCOMPARE(config->feedForward, 48); // expert_feed_forward_length, not feed_forward_length
}

void ModelConfigTest::findsExpertsInTensorsOfTheirOwn()
{
    const auto config = readWith([](testing::GgufWriter& file) {
        addExperts(file, 3, 2);
        for (int i = 0; i < 3; ++i) {
            for (const char* kind : {"gate", "up", "down"}) {
                file.addTensor("blk.0.ffn_" + std::string(kind) + "." + std::to_string(i) + ".weight", {8, 8},
                    std::vector<float>(64, 0.5f));
            }
        }
    });
    QVERIFY2(config, config ? "" : config.error().detail.c_str());
    QCOMPARE(config->experts, 3);
}

void ModelConfigTest::refusesExpertsOfOtherKinds_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<double>("value");
    QTest::newRow("shared experts") << "expert_shared_count" << 1.0;
    QTest::newRow("groups") << "expert_group_count" << 2.0;
    QTest::newRow("scaled shares") << "expert_weights_scale" << 2.5;
    QTest::newRow("sigmoid") << "expert_gating_func" << 2.0;
    QTest::newRow("more used than there are") << "expert_used_count" << 4.0;
}

void ModelConfigTest::refusesExpertsOfOtherKinds()
{
    QFETCH(QString, key);
    QFETCH(double, value);
    const auto config = readWith([&](testing::GgufWriter& file) {
        const bool used = key == "expert_used_count";
        addExperts(file, 3, used ? static_cast<uint32_t>(value) : 2);
        if (!used) {
            file.add(("llama." + key).toStdString(), static_cast<float>(value));
        }
    });
    QVERIFY(!config);
    QVERIFY2(QString::fromStdString(config.error().detail).contains("llama." + key), config.error().detail.c_str());
}

void ModelConfigTest::readsBothRopesOfLongRope()
{
    const auto config = readConfig(testing::goldenPath("tiny/phi3-longrope/model-f32.gguf"));
    QVERIFY2(config, config ? "" : config.error().detail.c_str());
    QCOMPARE(config->originalContext, 256);
    QCOMPARE(config->longRope.dimensions, 16);
    QVERIFY(config->longRope.frequencies != config->ropes[0].frequencies);
    QCOMPARE(config->longRope.magnitude, 1.11803401f); // the file's attention factor
    QCOMPARE(config->ropes[0].magnitude, 1.11803401f);
}

QTEST_GUILESS_MAIN(ModelConfigTest)
#include "tst_modelconfig.moc"
