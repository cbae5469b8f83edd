#include "settings/paths.h"

#include <QDir>
#include <QStandardPaths>

namespace kvasir {

QString Paths::settingsFile() const
{
    return QDir(data).filePath(QStringLiteral("settings.ini"));
}

QString Paths::limitsFile() const
{
    return QDir(cache).filePath(QStringLiteral("limits.json"));
}

Paths Paths::standard(const QString& dataDirectory)
{
    const QString home = QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation);
    const QString user = QDir(home).filePath(QStringLiteral("kvasir"));
    Paths paths;
    paths.data = dataDirectory.isEmpty() ? user : QDir(dataDirectory).absolutePath();
    paths.models = QDir(user).filePath(QStringLiteral("models"));
    paths.cache =
        QDir(QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation)).filePath(QStringLiteral("kvasir"));
    return paths;
}

QString starterModelName()
{
    return QStringLiteral("SmolLM2-135M-Instruct.Q4_1.gguf");
}

} // namespace kvasir
