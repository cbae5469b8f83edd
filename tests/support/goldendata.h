#pragma once

#include <QJsonObject>
#include <QString>
#include <QStringList>

namespace kvasir::testing {

/// The small golden data that lies in the repository (tests/golden), most of it packed: ask goldenPath() for its files.
QString smallGoldenDir();

/// The whole golden data, where it is present: $KVASIR_GOLDEN if that is set, else shared/golden beside the checkout.
/// Empty where it is not; KVASIR_GOLDEN=none hides it.
QString fullGoldenDir();

/// Path of the file `relative` in the full golden data if it is there, else in the small set (unpacked into a temporary
/// folder that goes with the program), else empty. Names and bytes are the same in both.
QString goldenPath(const QString& relative);

/// A real model by file name ("SmolLM2-135M-Instruct.Q4_1.gguf", "gemma-3-270m-q4_k_m.gguf"), looked up in
/// $KVASIR_MODELS and in the user's data folder. Empty where it is not there; tests/run puts both there before it runs
/// the tests.
QString realModelPath(const QString& fileName);

QByteArray readAll(const QString& path);
QJsonObject readJson(const QString& path);

} // namespace kvasir::testing
