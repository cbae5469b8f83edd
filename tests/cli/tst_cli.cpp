#include "goldendata.h"
#include "outcome.h"
#include "sanitized.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <csignal>
#include <nlohmann/json.hpp>

using namespace kvasir::testing;

namespace {

using Json = nlohmann::ordered_json;

QByteArray tiny(const char* model = "llama-gqa", const char* file = "model-f32.gguf")
{
    return goldenPath(QString("tiny/%1/%2").arg(model, file)).toUtf8();
}

QJsonArray goldenSequences(const char* model = "llama-gqa")
{
    return readJson(goldenPath(QString("tiny/%1/golden.json").arg(model)))["sequences"].toArray();
}

QString joined(const QJsonArray& ids)
{
    QStringList list;
    for (const QJsonValue& id : ids) {
        list += QString::number(id.toInt());
    }
    return list.join(',');
}

} // namespace

class TestCli : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_home; // models and caches of the person who runs the tests stay out of it

    QProcessEnvironment environment() const
    {
        QProcessEnvironment variables = QProcessEnvironment::systemEnvironment();
        variables.insert("XDG_CACHE_HOME", m_home.path() + "/cache");
        return variables;
    }

    Outcome run(const QStringList& arguments, const QByteArray& input = {}, int seconds = 120) const
    {
        return runProgram(KVASIR_CLI, arguments, input, environment(), seconds);
    }

    Outcome shell(const QString& script, int seconds = 120) const
    {
        return runProgram("/bin/bash", {"-c", script}, {}, environment(), seconds);
    }

    static QStringList tinyArguments(const QString& command, const QStringList& more)
    {
        return QStringList{command, "--model", tiny(), "--threads", "1", "--kv", "fp32"} + more;
    }

    QString writeFile(const QString& name, const QByteArray& content) const
    {
        const QString path = m_home.path() + '/' + name;
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(content) == content.size() ? path : QString();
    }

    static QString starterModel() { return realModelPath("SmolLM2-135M-Instruct.Q4_1.gguf"); }

private slots:
    void versionAndHelp()
    {
        const Outcome version = run({"--version"});
        QCOMPARE(version.code, 0);
        QVERIFY(version.out.startsWith("kvasir-cli "));
        for (const char* ask : {"--help", "-h", "help"}) {
            const Outcome help = run({ask});
            QCOMPARE(help.code, 0);
            QVERIFY(help.out.contains("generate"));
            QVERIFY(help.error.isEmpty());
        }
    }

    void everyCommandHasHelp_data()
    {
        QTest::addColumn<QByteArray>("option");
        QTest::newRow("generate") << QByteArray("--stop");
        QTest::newRow("chat") << QByteArray("--system");
        QTest::newRow("logits") << QByteArray("--at");
        QTest::newRow("tokenize") << QByteArray("--lines");
        QTest::newRow("detokenize") << QByteArray("--ids");
        QTest::newRow("template") << QByteArray("--no-generation-prompt");
        QTest::newRow("perplexity") << QByteArray("--file");
        QTest::newRow("bench") << QByteArray("--repetitions");
        QTest::newRow("inspect") << QByteArray("--json");
        QTest::newRow("plan") << QByteArray("--free");
        QTest::newRow("limits") << QByteArray("--threads");
    }
    void everyCommandHasHelp()
    {
        QFETCH(QByteArray, option);
        for (const char* ask : {"--help", "-h"}) {
            const Outcome help = run({QTest::currentDataTag(), ask});
            QCOMPARE(help.code, 0);
            QVERIFY(help.out.contains(option));
            QVERIFY(help.out.contains("usage: kvasir-cli " + QByteArray(QTest::currentDataTag())));
        }
    }

    void wrongUseIsOneLineAndCodeTwo_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("mentions");
        const auto row = [](const char* name, const QStringList& arguments, const QString& mentions) {
            QTest::newRow(name) << arguments << mentions;
        };
        row("nothing", {}, "command");
        row("unknown command", {"fly"}, "fly");
        row("unknown option", {"generate", "--fly"}, "--fly");
        row("option of another command", {"logits", "--stop", "x"}, "--stop");
        row("missing value", {"generate", "-p"}, "-p");
        row("value for a flag", {"generate", "--json=1"}, "--json");
        row("twice", {"generate", "-p", "a", "-p", "b"}, "-p");
        row("positional", {"generate", "text"}, "text");
        row("two files", {"inspect", "a", "b"}, "b");
        row("no prompt", {"generate"}, "-p");
        row("two prompts", {"generate", "-p", "a", "--ids", "1"}, "--ids");
        row("chat with ids", {"generate", "--ids", "1", "--chat"}, "--chat");
        row("system without chat", {"generate", "-p", "a", "--system", "b"}, "--chat");
        row("no ids", {"logits"}, "--ids");
        row("bad ids", {"logits", "--ids", "1,x"}, "1,x");
        row("empty item", {"logits", "--ids", "1,,2"}, "1,,2");
        row("negative id", {"detokenize", "--ids", "-3"}, "-3");
        row("huge id", {"detokenize", "--ids", "99999999999"}, "99999999999");
        row("bad number", {"generate", "-p", "a", "--temp", "warm"}, "warm");
        row("not finite", {"generate", "-p", "a", "--temp", "nan"}, "nan");
        row("negative count", {"generate", "-p", "a", "-n", "-4"}, "-4");
        row("threads", {"generate", "-p", "a", "-t", "0"}, "--threads");
        row("context", {"generate", "-p", "a", "-c", "0"}, "--context");
        row("seed", {"generate", "-p", "a", "--seed", "-1"}, "--seed");
        row("precision", {"generate", "-p", "a", "--kv", "fp99"}, "fp99");
        row("two precisions", {"generate", "-p", "a", "--kv", "fp16,"}, "--kv");
        row("weights", {"generate", "-p", "a", "--weights", "many"}, "many");
        row("device", {"generate", "-p", "a", "--device", "toaster"}, "toaster");
        row("no text", {"perplexity"}, "-f");
        row("no messages", {"template"}, "--messages");
        row("bench nothing", {"bench", "-p", "0", "-n", "0"}, "-p");
        row("bench list", {"bench", "-p", "12,b"}, "12,b");
        row("plan bytes", {"plan", "--free", "lots"}, "lots");
        row("plan shape", {"plan", "--shape", "gpt-9"}, "gpt-9");
        row("plan type", {"plan", "--shape", "llama-2-7b", "--type", "q99"}, "q99");
        row("type without shape", {"plan", "--type", "q8_0"}, "--shape");
        row("later: int4", {"generate", "-p", "a", "--weights", "int4"}, "not available yet");
        row("later: kv", {"generate", "-p", "a", "--kv", "fp16,int8"}, "not available yet");
        row("later: cuda", {"bench", "--device", "cuda:1"}, "not available yet");
        row("later: draft", {"chat", "--draft", "ngram"}, "not available yet");
        row("later: against", {"perplexity", "-f", "x", "--against", "fp16"}, "not available yet");
        row("later: compare", {"compare", "-p", "x"}, "not available yet");
        row("later: quantize", {"quantize", "-o", "x.gguf"}, "not available yet");
        row("later: selftest", {"selftest"}, "not available yet");
        row("later: serve", {"serve"}, "not available yet");
    }
    void wrongUseIsOneLineAndCodeTwo()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, mentions);
        if (arguments.size() > 1 && arguments[0] != "inspect" && arguments[0] != "plan") {
            arguments += {"--model", tiny()};
        }
        if (QTest::currentDataTag() == QByteArray("missing value")) {
            arguments = QStringList{"generate", "--model", tiny(), "-p"};
        }
        if (arguments.value(0) == "compare" || arguments.value(0) == "quantize") {
            arguments.resize(3);
        }
        const Outcome outcome = run(arguments);
        QVERIFY2(outcome.code == 2, outcome.error.constData());
        QVERIFY2(outcome.isOneComplaint(), outcome.error.constData());
        QVERIFY2(QString::fromUtf8(outcome.error).contains(mentions), outcome.error.constData());
        QVERIFY(outcome.out.isEmpty());
    }

    void filesThatCanNotBeUsedAreNamed()
    {
        for (const QStringList& arguments :
            {QStringList{"generate", "-p", "a", "-m", "/no/such.gguf"}, QStringList{"inspect", "/no/such.gguf"},
                QStringList{"plan", "-m", "/no/such.gguf"}, QStringList{"perplexity", "-f", "/no/such.gguf"},
                QStringList{"template", "--messages", "/no/such.gguf"}}) {
            const Outcome outcome = run(arguments);
            QCOMPARE(outcome.code, 2);
            QVERIFY2(outcome.isOneComplaint(), outcome.error.constData());
            QVERIFY(outcome.error.contains("/no/such.gguf"));
        }
    }

    void withoutTheStarterModelItSaysWhatToDo()
    {
        QProcessEnvironment variables = environment();
        variables.insert("XDG_DATA_HOME", m_home.path() + "/nothing here");
        for (const QStringList& arguments : {QStringList{"generate", "-p", "a"}, QStringList{"chat"},
                 QStringList{"bench"}, QStringList{"inspect"}, QStringList{"tokenize"}}) {
            const Outcome outcome = runProgram(KVASIR_CLI, arguments, {}, variables, 60);
            QCOMPARE(outcome.code, 2);
            QVERIFY2(outcome.isOneComplaint(), outcome.error.constData());
            QVERIFY(outcome.error.contains("./installer/run"));
        }
    }

    void brokenFilesAreAClearErrorForEveryCommand()
    {
        const QJsonArray files = readJson(goldenPath("bad/index.json"))["files"].toArray();
        QVERIFY(files.size() > 70);
        for (const QJsonValue& file : files) {
            const QString path = goldenPath("bad/" + file["file"].toString());
            const QString expected = file["expected"].toString();
            const Outcome logits = run({"logits", "--ids", "1,2,3", "-m", path, "-t", "1", "--json"});
            const Outcome inspect = run({"inspect", path});
            for (const Outcome& outcome : {logits, inspect}) {
                QVERIFY2(outcome.code == 0 || outcome.code == 2, qPrintable(path));
                QVERIFY2(outcome.code == 0 || outcome.isOneComplaint(), qPrintable(path + outcome.error));
            }
            if (expected.startsWith("load must fail")) {
                QVERIFY2(logits.code == 2, qPrintable(path));
            } else if (expected.startsWith("must load (control)")) {
                QVERIFY2(logits.code == 0, qPrintable(path));
            }
        }
    }

    void aBrokenTemplateIsAnErrorWhenItIsUsed()
    {
        for (const char* name : {"chat_template_broken.gguf", "chat_template_bomb.gguf"}) {
            const QString path = goldenPath(QString("bad/") + name);
            QCOMPARE(run({"generate", "-p", "hi", "-n", "1", "-m", path, "-t", "1"}).code, 0);
            const Outcome outcome = run({"generate", "--chat", "-p", "hi", "-n", "1", "-m", path, "-t", "1"});
            QCOMPARE(outcome.code, 2);
            QVERIFY2(outcome.isOneComplaint(), outcome.error.constData());
        }
    }

    void generateGivesTheContractsJson()
    {
        for (const QJsonValue& sequence : goldenSequences()) {
            const QJsonObject reference = sequence["hf_f32"].toObject();
            const Outcome outcome = run(tinyArguments("generate",
                {"--ids", joined(sequence["ids"].toArray()), "-n", "32", "--temp", "0", "--ignore-eos", "--json"}));
            QVERIFY2(outcome.code == 0, outcome.error.constData());
            QVERIFY(outcome.error.isEmpty());
            QCOMPARE(outcome.out.count('\n'), 1);
            const QJsonObject json = outcome.json();
            QCOMPARE(json["tokens"].toArray(), reference["greedy"].toArray());
            QCOMPARE(json["prompt_tokens"].toArray(), sequence["ids"].toArray());
            QCOMPARE(json["stop_reason"].toString(), "length");
            QVERIFY(json["text"].isString());
            const QJsonObject timings = json["timings"].toObject();
            for (const char* key : {"queue_ms", "prefill_ms", "ttft_ms", "tpot_ms", "prefill_tokens_per_second",
                     "decode_tokens_per_second", "cached_tokens", "draft_proposed", "draft_accepted"}) {
                QVERIFY2(timings[key].isDouble(), key);
            }
            QCOMPARE(timings["itl_ms"].toArray().size(), 31);
            QVERIFY(timings["ttft_ms"].toDouble() >= timings["prefill_ms"].toDouble());
            const QJsonObject memory = json["memory"].toObject();
            for (const char* key : {"weights", "kv_reserved", "kv_used", "activations", "scratch", "draft",
                     "process_rss", "device_total", "device_free"}) {
                QVERIFY2(memory[key].isDouble(), key);
            }
            QVERIFY(memory["kv_used"].toDouble() <= memory["kv_reserved"].toDouble());
        }
    }

    void generateStreamsTheSameText()
    {
        const QStringList arguments =
            tinyArguments("generate", {"-p", "some text", "-n", "20", "--temp", "1", "--seed", "3"});
        const Outcome text = run(arguments);
        const Outcome json = run(arguments + QStringList{"--json"});
        QCOMPARE(text.code, 0);
        QVERIFY(text.error.isEmpty());
        QCOMPARE(QString::fromUtf8(text.out), json.json()["text"].toString() + '\n');
        QCOMPARE(json.json()["seed"].toInt(), 3);
        QVERIFY(!text.out.trimmed().isEmpty());
    }

    void generateReadsThePromptFromStandardInput()
    {
        const QStringList arguments = tinyArguments("generate", {"-n", "3", "--temp", "0", "--json"});
        const Outcome given = run(arguments + QStringList{"-p", "some text"});
        const Outcome piped = run(arguments + QStringList{"-p", "-"}, "some text");
        QCOMPARE(piped.json()["prompt_tokens"], given.json()["prompt_tokens"]);
        QCOMPARE(piped.json()["tokens"], given.json()["tokens"]);
    }

    void generateStopsWhereItIsTold()
    {
        const QStringList arguments =
            tinyArguments("generate", {"--ids", "5,6,7,8,9", "-n", "40", "--temp", "0", "--ignore-eos", "--json"});
        const QString whole = run(arguments).json()["text"].toString();
        QVERIFY(whole.size() > 20);
        const QString stop = whole.mid(10, 3);
        const QJsonObject json = run(arguments + QStringList{"--stop", stop, "--stop", "never there"}).json();
        QCOMPARE(json["text"].toString(), whole.left(whole.indexOf(stop)));
        QCOMPARE(json["stop_reason"].toString(), "stop");
        const QJsonObject small = run(arguments + QStringList{"-c", "16"}).json();
        QCOMPARE(small["stop_reason"].toString(), "context");
        QCOMPARE(small["tokens"].toArray().size(), 11);
    }

    void promptsThatDoNotFitAreRefused()
    {
        const Outcome outcome = run(tinyArguments("generate", {"--ids", "1,2,3,4,5,6,7,8", "-c", "8"}));
        QCOMPARE(outcome.code, 2);
        QVERIFY2(outcome.isOneComplaint(), outcome.error.constData());
        const Outcome id = run(tinyArguments("generate", {"--ids", "1,512"}));
        QCOMPARE(id.code, 2);
        QVERIFY(id.error.contains("512"));
    }

    void progressIsOnlyToldWhenAskedFor()
    {
        const QStringList arguments = tinyArguments("generate", {"--ids", "1,2,3", "-n", "2", "--json"});
        QVERIFY(run(arguments).error.isEmpty());
        const Outcome told = run(arguments + QStringList{"--progress"});
        QVERIFY(told.error.contains("loading"));
        QCOMPARE(told.out.count('\n'), 1);
        QVERIFY(!told.json().isEmpty());
    }

    void logitsEqualTheGoldenRecord()
    {
        for (const char* model : {"llama-gqa", "gemma3"}) {
            for (const QJsonValue& sequence : goldenSequences(model)) {
                const QJsonObject reference = sequence["hf_f32"].toObject();
                const Outcome outcome = run({"logits", "-m", tiny(model), "-t", "1", "--kv", "fp32", "--json", "--ids",
                    joined(sequence["ids"].toArray())});
                QVERIFY2(outcome.code == 0, outcome.error.constData());
                const QJsonObject json = outcome.json();
                QCOMPARE(json["sample_ids"].toArray(), reference["sample_ids"].toArray());
                QCOMPARE(json["top_ids"].toArray().size(), 20);
                QCOMPARE(json["top_ids"][0], reference["top_ids"][0]);
                for (const char* list : {"sample_logits", "top_logits"}) {
                    for (int i = 0; i < reference[list].toArray().size(); ++i) {
                        const double difference = json[list][i].toDouble() - reference[list][i].toDouble();
                        QVERIFY2(std::abs(difference) < 1e-3, list);
                    }
                }
            }
        }
    }

    void logitsAtAPositionAreThoseOfTheShorterPrompt()
    {
        const QJsonObject at =
            run(tinyArguments("logits", {"--ids", "7,8,9,10,11", "--at", "2", "--top", "3", "--json"})).json();
        const QJsonObject shorter = run(tinyArguments("logits", {"--ids", "7,8,9", "--top", "3", "--json"})).json();
        QVERIFY(!at.isEmpty());
        QCOMPARE(at, shorter);
        QCOMPARE(at["top_ids"].toArray().size(), 3);
        QCOMPARE(run(tinyArguments("logits", {"--ids", "7,8,9", "--at", "3"})).code, 2);
        QVERIFY(run(tinyArguments("logits", {"--ids", "7,8,9"})).out.contains("logit"));
    }

    void tokensEqualTheGoldenOnes_data()
    {
        QTest::addColumn<QString>("model");
        QTest::newRow("bpe") << "llama-gqa";
        QTest::newRow("sentencepiece") << "gemma3";
    }
    void tokensEqualTheGoldenOnes()
    {
        QFETCH(QString, model);
        // Not by Qt's JSON, which drops a byte order mark at the front of a text.
        const Json golden = Json::parse(readAll(goldenPath("tiny/" + model + "/tokenizer_golden.json")).toStdString());
        QByteArray lines;
        for (const Json& one : golden["cases"]) {
            lines += QByteArray::fromStdString(one["text"].dump()) + '\n';
        }
        QVERIFY(!lines.isEmpty());
        const QString path = tiny(model.toUtf8().constData());
        const Outcome outcome = run({"tokenize", "--lines", "-m", path}, lines);
        QVERIFY2(outcome.code == 0, outcome.error.constData());
        const QList<QByteArray> results = outcome.out.split('\n');
        QCOMPARE(results.size(), static_cast<qsizetype>(golden["cases"].size()) + 1);
        for (size_t i = 0; i < golden["cases"].size(); ++i) {
            const Json json = Json::parse(results[static_cast<qsizetype>(i)].toStdString());
            QCOMPARE(json["ids"].dump(), golden["cases"][i]["ids"].dump());
            QCOMPARE(json["pieces"].size(), json["ids"].size());
        }
        for (const Json& special : golden["special_cases"]) {
            const Outcome parsed = run({"tokenize", "--special", "--json", "-m", path},
                QByteArray::fromStdString(special["text"].get<std::string>()));
            QCOMPARE(Json::parse(parsed.out.toStdString())["ids"].dump(), special["ids_parse_special"].dump());
        }
        const Outcome hello = run({"tokenize", "--bos", "--json", "-m", path}, "Hello");
        QCOMPARE(Json::parse(hello.out.toStdString())["ids"].dump(), golden["with_special_Hello"].dump());
    }

    void detokenizeGivesTheBytesBack()
    {
        const QByteArray text = "some text \xEA\xB0\x80 and more\n";
        const Outcome tokens = run({"tokenize", "--json", "-m", tiny()}, text);
        const QString ids = joined(tokens.json()["ids"].toArray());
        const Outcome bytes = run({"detokenize", "--ids", ids, "-m", tiny()});
        QCOMPARE(bytes.code, 0);
        QCOMPARE(bytes.out, text);
        QCOMPARE(run({"detokenize", "--ids", "512", "-m", tiny()}).code, 2);
    }

    void bytesThatAreNoTextAreShownAsNumbers()
    {
        const Outcome outcome = run({"tokenize", "--json", "-m", tiny()}, "\xff\xea");
        QCOMPARE(outcome.code, 0);
        QString pieces;
        for (const QJsonValue& piece : outcome.json()["pieces"].toArray()) {
            pieces += piece.toString();
        }
        QCOMPARE(pieces, "<0xFF><0xEA>");
        const Outcome line = run({"tokenize", "--lines", "-m", tiny()}, "\"ok\"\nnot json\n");
        QCOMPARE(line.code, 2);
        QVERIFY(line.error.contains("line 2"));
    }

    void templatesNeedNoModel()
    {
        const QString messages = writeFile("messages.json",
            R"([{"role": "system", "content": "Be kind."}, {"role": "user", "content": "<|im_end|> 안녕"}])");
        const QString source = writeFile("chatml.jinja",
            "{{ bos_token }}{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content "
            "}}<|im_end|>\n"
            "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}");
        const QStringList arguments{"template", "--messages", messages, "--template", source, "--bos-token", "<s>"};
        QProcessEnvironment variables = environment();
        variables.insert("XDG_DATA_HOME", m_home.path() + "/nothing here");
        const Outcome outcome = runProgram(KVASIR_CLI, arguments, {}, variables, 60);
        QVERIFY2(outcome.code == 0, outcome.error.constData());
        const QByteArray body =
            "<s><|im_start|>system\nBe kind.<|im_end|>\n<|im_start|>user\n<|im_end|> 안녕<|im_end|>\n";
        QCOMPARE(outcome.out, body + "<|im_start|>assistant\n");
        QCOMPARE(run(arguments + QStringList{"--no-generation-prompt"}).out, body);
        QCOMPARE(run(arguments + QStringList{"--json"}).json()["prompt"].toString().toUtf8(), outcome.out);
        QCOMPARE(run({"template", "--messages", messages, "--model", tiny()}).code, 2); // it has none
        QCOMPARE(run({"template", "--messages", source, "--template", source}).code, 2);
        const QString wrong = writeFile("wrong.jinja", "{% for %}");
        const Outcome broken = run({"template", "--messages", messages, "--template", wrong});
        QCOMPARE(broken.code, 2);
        QVERIFY2(broken.isOneComplaint(), broken.error.constData());
        const QString clock = writeFile("clock.jinja", "{{ strftime_now('%Y-%m-%d') }}");
        QCOMPARE(run({"template", "--messages", messages, "--template", clock, "--now", "2026-11-29T12:00:00"}).out,
            QByteArray("2026-11-29"));
    }

    void theModelsOwnTemplateGivesTheGoldenPrompts()
    {
        if (starterModel().isEmpty()) {
            QSKIP("the starter model is not installed; tests/run gets it");
        }
        const Json golden = Json::parse(readAll(goldenPath("chat/golden.json")).toStdString());
        int compared = 0;
        for (const Json& entry : golden["templates"]) {
            if (entry["template"] != "gguf-SmolLM2-135M-Instruct.jinja") {
                continue;
            }
            for (const Json& one : entry["cases"]) {
                if (!one.contains("output")) {
                    continue;
                }
                const Json& conversation = golden["conversations"][one["conversation"].get<std::string>()];
                const QString messages =
                    writeFile("conversation.json", QByteArray::fromStdString(conversation["messages"].dump()));
                QStringList arguments{"template", "-m", starterModel(), "--messages", messages};
                if (conversation.contains("tools")) {
                    arguments +=
                        {"--tools", writeFile("tools.json", QByteArray::fromStdString(conversation["tools"].dump()))};
                }
                if (!conversation["add_generation_prompt"].get<bool>()) {
                    arguments += "--no-generation-prompt";
                }
                const Outcome outcome = run(arguments);
                QVERIFY2(outcome.code == 0, outcome.error.constData());
                QCOMPARE(outcome.out.toStdString(), one["output"].get<std::string>());
                ++compared;
            }
        }
        QVERIFY(compared > 3);
    }

    void perplexityIsTheMeanOverAllButTheFirst()
    {
        const QString text = writeFile("text.txt", "some text to be scored, and some more of it");
        const Outcome outcome = run(tinyArguments("perplexity", {"-f", text, "--json"}));
        QVERIFY2(outcome.code == 0, outcome.error.constData());
        const QJsonObject json = outcome.json();
        QFile file(text);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const Outcome tokens = run({"tokenize", "--bos", "--json", "-m", tiny()}, file.readAll());
        const QJsonArray ids = tokens.json()["ids"].toArray();
        QCOMPARE(json["n_scored"].toInt(), ids.size() - 1);
        QVERIFY(std::abs(std::exp(json["mean_nll"].toDouble()) - json["ppl"].toDouble()) < 1e-9);

        // By hand from the logits command, which can show the whole vocabulary.
        double sum = 0;
        for (int i = 0; i + 1 < ids.size(); ++i) {
            const QJsonObject logits = run(
                tinyArguments("logits", {"--ids", joined(ids), "--at", QString::number(i), "--top", "512", "--json"}))
                                           .json();
            double total = 0;
            double own = 0;
            const QJsonArray topIds = logits["top_ids"].toArray();
            QCOMPARE(topIds.size(), 512);
            for (int j = 0; j < topIds.size(); ++j) {
                const double logit = logits["top_logits"][j].toDouble();
                total += std::exp(logit);
                own = topIds[j] == ids[i + 1] ? logit : own;
            }
            sum += std::log(total) - own;
        }
        QVERIFY(std::abs(sum / (ids.size() - 1.0) - json["mean_nll"].toDouble()) < 1e-5);

        QVERIFY(run(tinyArguments("perplexity", {"-f", text})).out.startsWith("perplexity "));
        QCOMPARE(run(tinyArguments("perplexity", {"-f", writeFile("empty.txt", "")})).code, 2);
        QCOMPARE(run(tinyArguments("perplexity", {"-f", text, "-c", "4"})).code, 2);
    }

    void perplexityOfTheRealModelIsThatOfItsExactWeights()
    {
        const QString text = goldenPath("real/smollm2/ppl.txt");
        if (starterModel().isEmpty() || text.isEmpty()) {
            QSKIP("the starter model or the text is not there; tests/run gets the model");
        }
        if (kSanitized) {
            QSKIP("scoring the whole text takes minutes under a sanitizer; the tiny model is scored above");
        }
        const QJsonObject golden = readJson(goldenPath("real/smollm2/golden.json"))["perplexity"].toObject();
        const Outcome outcome = run({"perplexity", "-m", starterModel(), "-f", text, "--json"}, {}, 280);
        QVERIFY2(outcome.code == 0, outcome.error.constData());
        QCOMPARE(outcome.json()["n_scored"].toInt(), golden["n_tokens"].toInt() - 1);
        const double exact = golden["results"]["exact_weights_f32"]["ppl"].toDouble();
        const double ours = outcome.json()["ppl"].toDouble();
        QVERIFY2(std::abs(ours / exact - 1) < 0.005, qPrintable(QString("%1 v %2").arg(ours).arg(exact)));
    }

    void benchGivesALineForEachTest()
    {
        const Outcome outcome =
            run(tinyArguments("bench", {"-p", "8", "-n", "4", "-d", "0,20", "-b", "1,3", "-r", "2", "--json"}));
        QVERIFY2(outcome.code == 0, outcome.error.constData());
        QStringList names;
        for (const QByteArray& line : outcome.out.trimmed().split('\n')) {
            const QJsonObject json = QJsonDocument::fromJson(line).object();
            names += json["test"].toString();
            const QJsonObject rate = json["tokens_per_second"].toObject();
            QVERIFY(rate["median"].toDouble() > 0);
            QVERIFY(rate["min"].toDouble() <= rate["median"].toDouble());
            QVERIFY(rate["max"].toDouble() >= rate["median"].toDouble());
            for (const char* key : {"step_ms", "bytes_read_per_token", "mbu", "mfu"}) {
                QVERIFY2(json[key].toDouble() > 0, key);
            }
            QVERIFY(json["memory"].toObject()["weights"].toDouble() > 0);
        }
        QCOMPARE(names, QStringList({"pp8", "tg4", "pp8x3", "tg4x3", "pp8@d20", "tg4@d20", "pp8x3@d20", "tg4x3@d20"}));
        const Outcome table = run(tinyArguments("bench", {"-p", "8", "-n", "0", "-r", "1"}));
        QCOMPARE(table.code, 0);
        QVERIFY(table.out.contains("pp8"));
        QVERIFY(table.out.contains("tok/s"));
    }

    void inspectReadsNoWeights()
    {
        const Outcome outcome = run({"inspect", tiny(), "--json"});
        QCOMPARE(outcome.code, 0);
        const QJsonObject json = outcome.json();
        QCOMPARE(json["version"].toInt(), 3);
        QVERIFY(json["metadata"].toArray().size() > 10);
        QVERIFY(json["tensors"].toArray().size() > 10);
        QCOMPARE(json["engine"]["supported"].toBool(), true);
        QCOMPARE(json["engine"]["vocabulary"].toInt(), 512);
        QVERIFY(run({"inspect", tiny()}).out.contains("what the engine makes of it"));

        const Outcome unknown = run({"inspect", goldenPath("bad/unknown_architecture.gguf"), "--json"});
        QCOMPARE(unknown.code, 0);
        QCOMPARE(unknown.json()["engine"]["supported"].toBool(true), false);
        QVERIFY(unknown.json()["engine"]["error"].toString().contains("llama9000"));

        const QJsonObject guessed = run({"inspect", goldenPath("bad/tokenizer_pre_unknown.gguf"), "--json"}).json();
        QCOMPARE(guessed["engine"]["supported"].toBool(), true);
        QVERIFY(guessed["engine"]["tokenizer_warning"].toString().contains("no-such-pre"));
        QVERIFY(!json["engine"].toObject().contains("tokenizer_warning"));

        // The header alone, with a hole where the weights are, is enough to see what is in it.
        QFile model(QString::fromUtf8(tiny()));
        QVERIFY(model.open(QIODevice::ReadOnly));
        const qint64 size = model.size();
        QFile hollow(m_home.path() + "/hollow.gguf");
        QVERIFY(hollow.open(QIODevice::WriteOnly));
        hollow.write(model.read(size / 2));
        QVERIFY(hollow.resize(size));
        hollow.close();
        QCOMPARE(run({"inspect", hollow.fileName()}).code, 0);
    }

    void planIsWhatLoadingTakes()
    {
        const QStringList options{"-m", tiny(), "-t", "1", "-c", "300", "--json"};
        const QJsonObject plan = run(QStringList{"plan"} + options).json();
        QCOMPARE(plan["fits"].toBool(), true);
        QVERIFY(plan["change"].isNull());
        QVERIFY(plan["total"].toDouble()
            == plan["weights"].toDouble() + plan["kv"].toDouble() + plan["activations"].toDouble()
                + plan["scratch"].toDouble() + plan["logits"].toDouble());
        const QJsonObject memory =
            run(QStringList{"generate", "--ids", "1,2,3", "--ignore-eos", "--temp", "0"} + options)
                .json()["memory"]
                .toObject();
        for (const char* key : {"weights", "activations", "scratch", "logits"}) {
            QCOMPARE(memory[key], plan[key]);
        }
        QCOMPARE(memory["kv_reserved"], plan["kv"]);
    }

    void planNamesTheOneChangeThatHelps()
    {
        const QStringList options{"plan", "-m", tiny(), "-t", "1", "--json"};
        const QJsonObject exact = run(options + QStringList{"-c", "20000", "--kv", "fp32"}).json();
        const QJsonObject half = run(options + QStringList{"-c", "20000"}).json();
        QVERIFY(half["total"].toDouble() < exact["total"].toDouble());
        const QString between =
            QString::number(static_cast<qint64>((half["total"].toDouble() + exact["total"].toDouble()) / 2));
        const QJsonObject precision =
            run(options + QStringList{"-c", "20000", "--kv", "fp32", "--free", between}).json();
        QCOMPARE(precision["fits"].toBool(true), false);
        QCOMPARE(precision["change"]["option"].toString(), "--kv");
        const QString less = QString::number(static_cast<qint64>(half["total"].toDouble() * 0.7));
        const QJsonObject context = run(options + QStringList{"-c", "20000", "--free", less}).json();
        QCOMPARE(context["change"]["option"].toString(), "--context");
        const QJsonObject changed =
            run(options + QStringList{"-c", context["change"]["value"].toString(), "--free", less}).json();
        QCOMPARE(changed["fits"].toBool(), true);
        const QJsonObject hopeless = run(options + QStringList{"--free", "1000"}).json();
        QCOMPARE(hopeless["fits"].toBool(true), false);
        QVERIFY(hopeless["change"].isNull());
    }

    void planKnowsPublishedShapes()
    {
        const Outcome outcome =
            run({"plan", "--shape", "llama-2-7b", "--free", "8GiB", "-c", "2048", "-c", "4096", "--json"});
        QVERIFY2(outcome.code == 0, outcome.error.constData());
        const QJsonArray plans = outcome.json()["plans"].toArray();
        QCOMPARE(plans.size(), 2);
        QCOMPARE(plans[1]["context"].toInt(), 4096);
        // 2 tensors x 32 layers x 4096 values x 2 bytes a token: 0.5 MiB
        QVERIFY(std::abs(plans[1]["kv"].toDouble() / (2.0 * 1024 * 1024 * 1024) - 1) < 0.01);
        QVERIFY(std::abs(plans[1]["weights"].toDouble() / (2.0 * 6738415616) - 1) < 0.02);
        QCOMPARE(plans[1]["fits"].toBool(true), false);
        const Outcome small = run({"plan", "--shape", "llama-2-7b", "--type", "q4_0", "--free", "8GiB", "--json"});
        QVERIFY2(small.code == 0, small.error.constData());
        QCOMPARE(small.json()["fits"].toBool(), true);
        QVERIFY(run({"plan", "--shape", "qwen3-8b", "--type", "q4_k", "--free", "8G"}).out.contains("KiB")
            || run({"plan", "--shape", "qwen3-8b", "--type", "q4_k", "--free", "8G"}).out.contains("MiB"));
    }

    void limitsAreMeasuredAndKept()
    {
        const Outcome outcome = run({"limits", "-t", "1", "--json"});
        QVERIFY2(outcome.code == 0, outcome.error.constData());
        const QJsonObject cpu = outcome.json()["devices"][0].toObject();
        QCOMPARE(cpu["device"].toString(), "cpu");
        for (const char* key : {"read_bytes_per_second", "int8_operations_per_second", "fp32_operations_per_second"}) {
            QVERIFY2(cpu[key].toDouble() > 1e7, key);
        }
        if (cpu["disturbed"].toBool()) {
            QSKIP("other programs are busy, so that nothing is kept");
        }
        QVERIFY(QFile::exists(m_home.path() + "/cache/kvasir/limits.json"));
        QCOMPARE(run({"limits", "-t", "1", "--kept", "--json"}).json(), outcome.json());
        QVERIFY(run({"limits", "-t", "1", "--kept"}).out.contains("B/s"));
    }

    void aConversationInAPipe()
    {
        if (starterModel().isEmpty()) {
            QSKIP("the starter model is not installed; tests/run gets it");
        }
        const Outcome outcome =
            run({"chat", "-m", starterModel(), "--temp", "0", "-n", "12", "--json", "--system", "Be brief."},
                "Name a colour.\nAnother one.\n\n/undo\nAnd a fruit.\n/quit\nnot read\n", 280);
        QVERIFY2(outcome.code == 0, outcome.error.constData());
        QVERIFY(outcome.error.isEmpty());
        const QList<QByteArray> lines = outcome.out.trimmed().split('\n');
        QCOMPARE(lines.size(), 3);
        const QJsonObject second = QJsonDocument::fromJson(lines[1]).object();
        QVERIFY(second["timings"]["cached_tokens"].toInt() > 20);
        QVERIFY(!second["text"].toString().isEmpty());
        const Outcome text = run({"chat", "-m", starterModel(), "--temp", "0", "-n", "5"}, "Hello\n/stats\n", 280);
        QCOMPARE(text.code, 0);
        QVERIFY(text.out.contains("prompt tokens"));
        QVERIFY(!text.out.contains("> "));
    }

    void chatWithoutATemplateIsAnError()
    {
        const Outcome outcome = run({"chat", "-m", tiny(), "-t", "1"}, "Hello\n");
        QCOMPARE(outcome.code, 2);
        QVERIFY2(outcome.isOneComplaint(), outcome.error.constData());
        QVERIFY(outcome.error.contains("template"));
    }

    void theExampleOfTheEnginesReadmeWorks()
    {
        const QString folder = KVASIR_ENGINE_DIR;
        QVERIFY(readAll(folder + "/README.md").contains(readAll(folder + "/hello/main.cpp")));
        const Outcome outcome = runProgram(KVASIR_HELLO, {tiny(), "some text"}, {}, environment(), 60);
        QCOMPARE(outcome.code, 0);
        QVERIFY(outcome.out.contains("a second"));
        const Outcome missing = runProgram(KVASIR_HELLO, {"/no/such.gguf", "text"}, {}, environment(), 60);
        QCOMPARE(missing.code, 1);
        QVERIFY(missing.error.contains("/no/such.gguf"));
    }

    void interruptingStopsWithCodeOne()
    {
        QProcess process;
        process.setProcessEnvironment(environment());
        process.start(KVASIR_CLI, tinyArguments("generate", {"-p", "some text", "--ignore-eos", "-c", "100000"}));
        QVERIFY(process.waitForReadyRead(60000));
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(20000));
        QVERIFY(process.exitStatus() == QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 1);
        QVERIFY(process.readAllStandardError().startsWith("kvasir-cli: cancelled"));
        QVERIFY(process.readAllStandardOutput().endsWith('\n'));
    }

    void outputThatNobodyReadsEndsTheWork()
    {
        const Outcome outcome =
            shell(QString("%1 generate -m %2 -t 1 -p text --ignore-eos -c 100000 | head -c 1 > /dev/null; "
                          "exit ${PIPESTATUS[0]}")
                      .arg(KVASIR_CLI, tiny()),
                60);
        QCOMPARE(outcome.code, 1);
        QVERIFY2(outcome.isOneComplaint(), outcome.error.constData());
    }

    void aFullDiskIsAnError()
    {
        const Outcome outcome =
            shell(QString("%1 generate -m %2 -t 1 -p text -n 5 > /dev/full").arg(KVASIR_CLI, tiny()));
        QCOMPARE(outcome.code, 1);
        QVERIFY2(outcome.isOneComplaint(), outcome.error.constData());
    }

    void littleMemoryIsASentenceAndNoCrash()
    {
        if (kSanitized) {
            QSKIP("sanitizers need address space without limits");
        }
        if (starterModel().isEmpty()) {
            QSKIP("the starter model is not installed; tests/run gets it");
        }
        int refused = 0;
        int worked = 0;
        for (int mebibytes = 60; mebibytes <= 420; mebibytes += 12) {
            const Outcome outcome = shell(QString("ulimit -v %1; exec %2 generate -m %3 -t 1 -p Hello -n 2 --temp 0")
                                              .arg(mebibytes * 1024)
                                              .arg(KVASIR_CLI, starterModel()));
            QVERIFY2(outcome.code == 0 || outcome.code == 1,
                qPrintable(
                    QString("%1 MiB: %2 %3").arg(mebibytes).arg(outcome.code).arg(QString::fromUtf8(outcome.error))));
            QVERIFY2(outcome.code == 0 || outcome.isOneComplaint(), outcome.error.constData());
            (outcome.code == 0 ? worked : refused) += 1;
        }
        QVERIFY(refused > 2);
        QVERIFY(worked > 2);
        const Outcome planned = run({"plan", "-m", starterModel(), "--free", "100MiB", "--json"});
        QCOMPARE(planned.code, 0);
        QCOMPARE(planned.json()["fits"].toBool(true), false);
    }
};

QTEST_GUILESS_MAIN(TestCli)
#include "tst_cli.moc"
