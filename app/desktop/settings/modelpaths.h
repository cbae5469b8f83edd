#pragma once

#include <QString>

namespace kvasir {

/// What a path means as a model: a GGUF file is itself; the config.json or a .safetensors file of a Hugging Face
/// folder, and the folder, are the folder. Empty for any other path.
QString modelAt(const QString& path);

/// Whether a path that was opened once can be opened again: a file of any name, or a folder with a model.
bool isPresent(const QString& path);

/// Bytes of the model's files together: of a folder its weights, of a split GGUF file all parts.
qint64 modelBytes(const QString& path);

/// The name without the ending that the parts of a split model have ("-00001-of-00003"), and without ".gguf".
QString modelBaseName(const QString& path);

/// Whether it is a part of a split model, but not the first.
bool isLaterPart(const QString& path);

} // namespace kvasir
